#include "engine/queue.h"

#include <stdlib.h>
#include <string.h>

/* The root lies at the end of a cache line, so that each group of four children fills one. */
#define LINE 64
#define CELLS_PER_LINE (LINE / sizeof(struct cc_event))
#define SPARE (2 * CELLS_PER_LINE) /* alignment in front, "never" cells behind */

static struct cc_event *align(void *block)
{
    uintptr_t start = ((uintptr_t)block + LINE - 1) / LINE * LINE;
    return (struct cc_event *)(start + LINE - sizeof(struct cc_event)); /* NOLINT(performance-no-int-to-ptr) */
}

static size_t cells(uint32_t capacity) { return (size_t)capacity + SPARE + CELLS_PER_LINE; }

static bool reserve(struct cc_queue *queue, uint32_t capacity)
{
    void *block = cc_resize(&queue->allocator, NULL, 0, cells(capacity), sizeof(struct cc_event));
    if (!block)
        return false;
    struct cc_event *heap = align(block);
    if (queue->size > 0)
        memcpy(heap, queue->heap, queue->size * sizeof *heap);
    for (uint32_t i = queue->size; i < capacity + CELLS_PER_LINE; i++)
        heap[i] = (struct cc_event){CC_NEVER, UINT64_MAX};
    cc_release(&queue->allocator, queue->block, cells(queue->capacity), sizeof(struct cc_event));
    queue->block = block;
    queue->heap = heap;
    queue->capacity = capacity;
    return true;
}

bool cc_queue_start(struct cc_queue *queue, uint32_t capacity, const cc_allocator *allocator)
{
    *queue = (struct cc_queue){.allocator = cc_allocator_or_default(allocator)};
    return reserve(queue, capacity < 16 ? 16 : capacity);
}

void cc_queue_end(struct cc_queue *queue)
{
    cc_release(&queue->allocator, queue->block, cells(queue->capacity), sizeof(struct cc_event));
    queue->block = NULL;
    queue->heap = NULL;
}

bool cc_queue_grow(struct cc_queue *queue)
{
    if (queue->capacity <= UINT32_MAX / 4 && reserve(queue, queue->capacity * 2))
        return true;
    queue->out_of_memory = true;
    return false;
}

static int compare(const void *a, const void *b)
{
    const struct cc_event *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->word < y->word ? -1 : x->word > y->word; /* words never tie, so any sort gives the same order */
}

void cc_queue_renumber(struct cc_queue *queue)
{
    const uint64_t low = (UINT64_C(1) << CC_EVENT_SEQUENCE_SHIFT) - 1;
    if (queue->hole)
        cc_queue_fill_hole(queue);
    qsort(queue->heap, queue->size, sizeof *queue->heap, compare); /* a sorted array is a heap */
    for (uint32_t i = 0; i < queue->size; i++)
        queue->heap[i].word = (uint64_t)i << CC_EVENT_SEQUENCE_SHIFT | (queue->heap[i].word & low);
    queue->sequence = queue->size;
}
