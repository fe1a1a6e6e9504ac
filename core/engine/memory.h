/* Memory through the caller's allocator: single blocks that may grow, and an arena for what lives as long as its owner. */
#ifndef CC_ENGINE_MEMORY_H
#define CC_ENGINE_MEMORY_H

#include "cachecast.h"
#include "engine/base.h"

/* The allocator to use: the caller's, or malloc's family where it is NULL. */
cc_allocator cc_allocator_or_default(const cc_allocator *allocator);

/* A block for count items of item bytes, holding what `block` (of old_count items) held; `block` may be NULL. NULL when
 * memory is out or the size overflows, with `block` still valid. */
void *cc_resize(const cc_allocator *allocator, void *block, size_t old_count, size_t count, size_t item);
void cc_release(const cc_allocator *allocator, void *block, size_t count, size_t item);

struct cc_arena_block;
struct cc_arena {
    cc_allocator allocator;
    struct cc_arena_block *blocks;
};

void cc_arena_start(struct cc_arena *arena, const cc_allocator *allocator);
/* Zeroed memory for count items, aligned for any object; NULL when memory is out. Lives until cc_arena_end. */
void *cc_arena_take(struct cc_arena *arena, size_t count, size_t item);
/* A copy of length bytes and a terminating zero. */
char *cc_arena_text(struct cc_arena *arena, const char *text, size_t length);
void cc_arena_end(struct cc_arena *arena);

#endif
