#include "engine/memory.h"

#include <stdlib.h>
#include <string.h>

static void *default_resize(void *context, void *block, size_t old_size, size_t size)
{
    (void)context;
    (void)old_size;
    if (size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, size);
}

cc_allocator cc_allocator_or_default(const cc_allocator *allocator)
{
    if (allocator)
        return *allocator;
    return (cc_allocator){default_resize, NULL};
}

void *cc_resize(const cc_allocator *allocator, void *block, size_t old_count, size_t count, size_t item)
{
    if (count == 0 || item == 0 || count > SIZE_MAX / 2 / item)
        return NULL;
    return allocator->resize(allocator->context, block, old_count * item, count * item);
}

void cc_release(const cc_allocator *allocator, void *block, size_t count, size_t item)
{
    if (block)
        allocator->resize(allocator->context, block, count * item, 0);
}

/* Blocks are chained and freed together. A request larger than the usual block gets a block of its own. */
#define ARENA_BLOCK 16384

struct cc_arena_block {
    struct cc_arena_block *next;
    size_t size; /* bytes after the header */
    size_t used;
    max_align_t data[];
};

void cc_arena_start(struct cc_arena *arena, const cc_allocator *allocator)
{
    arena->allocator = cc_allocator_or_default(allocator);
    arena->blocks = NULL;
}

void *cc_arena_take(struct cc_arena *arena, size_t count, size_t item)
{
    const size_t unit = sizeof(max_align_t);
    if (item != 0 && count > SIZE_MAX / 4 / item)
        return NULL;
    size_t bytes = (count * item + unit - 1) / unit * unit;
    if (bytes == 0)
        bytes = unit;
    struct cc_arena_block *block = arena->blocks;
    if (!block || block->size - block->used < bytes) {
        size_t size = bytes > ARENA_BLOCK ? bytes : ARENA_BLOCK;
        block = cc_resize(&arena->allocator, NULL, 0, sizeof *block + size, 1);
        if (!block)
            return NULL;
        block->size = size;
        block->used = 0;
        /* A block that is full at once goes behind the current one, which may still have room. */
        if (arena->blocks && size == bytes) {
            block->next = arena->blocks->next;
            arena->blocks->next = block;
        } else {
            block->next = arena->blocks;
            arena->blocks = block;
        }
    }
    void *start = (char *)block->data + block->used;
    block->used += bytes;
    return memset(start, 0, bytes);
}

char *cc_arena_text(struct cc_arena *arena, const char *text, size_t length)
{
    char *copy = cc_arena_take(arena, length + 1, 1);
    if (copy && length > 0)
        memcpy(copy, text, length);
    return copy;
}

void cc_arena_end(struct cc_arena *arena)
{
    struct cc_arena_block *block = arena->blocks;
    arena->blocks = NULL;
    while (block) {
        struct cc_arena_block *next = block->next;
        cc_release(&arena->allocator, block, sizeof *block + block->size, 1);
        block = next;
    }
}
