/* The event queue: a 4-ary heap of 16-byte records, ordered by time and, at equal times, by the order of scheduling.
 *
 * A record packs (sequence, type, argument) in one word, so that comparing two words compares their sequence numbers;
 * no address ever takes part in the order. The four children of a node share one cache line. The record that a handler
 * schedules first takes the place of the one just popped (replace-root), which saves one sift for most events. Cells
 * past the end hold "never", so that the smallest of four children is chosen without bounds checks or branches.
 * Heap layout: LaMarca and Ladner, "The influence of caches on the performance of heaps", 1996. */
#ifndef CC_ENGINE_QUEUE_H
#define CC_ENGINE_QUEUE_H

#include "engine/memory.h"

#define CC_EVENT_ARGUMENT_BITS 24
#define CC_EVENT_TYPE_BITS 6
#define CC_EVENT_SEQUENCE_SHIFT (CC_EVENT_ARGUMENT_BITS + CC_EVENT_TYPE_BITS)
#define CC_EVENT_ARGUMENT_MAX ((UINT32_C(1) << CC_EVENT_ARGUMENT_BITS) - 1)
#define CC_EVENT_SEQUENCE_MAX ((UINT64_C(1) << (64 - CC_EVENT_SEQUENCE_SHIFT)) - 1)

struct cc_event {
    cc_time time;
    uint64_t word; /* sequence, type, argument from the top bit down */
};

static inline uint32_t cc_event_type(struct cc_event e)
{
    return (uint32_t)(e.word >> CC_EVENT_ARGUMENT_BITS) & ((1u << CC_EVENT_TYPE_BITS) - 1);
}
static inline uint32_t cc_event_argument(struct cc_event e) { return (uint32_t)e.word & CC_EVENT_ARGUMENT_MAX; }

struct cc_queue {
    struct cc_event *heap; /* size records, then cells of "never" */
    uint32_t size;         /* counts the hole */
    uint32_t capacity;
    bool hole;          /* the root was popped and not yet replaced */
    bool out_of_memory; /* sticky: a record could not be stored */
    uint64_t sequence;  /* of the next record */
    void *block;        /* what `heap` lies in */
    cc_allocator allocator;
};

/* Room for at least `capacity` pending events. False when memory is out. */
bool cc_queue_start(struct cc_queue *queue, uint32_t capacity, const cc_allocator *allocator);
void cc_queue_end(struct cc_queue *queue);
bool cc_queue_grow(struct cc_queue *queue);
/* Gives the pending records sequence numbers from 0 in their present order: done when the numbers run out. */
void cc_queue_renumber(struct cc_queue *queue);

CC_HOT bool cc_event_before(struct cc_event a, struct cc_event b)
{
    bool before = a.time < b.time;
    if (CC_RARE(a.time == b.time))
        before = a.word < b.word;
    return before;
}

CC_HOT void cc_queue_sift_down(struct cc_event *heap, uint32_t size, struct cc_event e)
{
    uint32_t place = 0;
    for (;;) {
        uint32_t child = 4 * place + 1;
        if (child >= size)
            break;
        uint32_t left = cc_event_before(heap[child + 1], heap[child]) ? child + 1 : child;
        uint32_t right = cc_event_before(heap[child + 3], heap[child + 2]) ? child + 3 : child + 2;
        uint32_t least = cc_event_before(heap[right], heap[left]) ? right : left;
        if (!cc_event_before(heap[least], e))
            break;
        heap[place] = heap[least];
        place = least;
    }
    heap[place] = e;
}

/* Schedules an event. `type` < 2^6, `argument` < 2^24. */
CC_HOT void cc_queue_push(struct cc_queue *queue, cc_time time, uint32_t type, uint32_t argument)
{
    if (CC_RARE(queue->sequence > CC_EVENT_SEQUENCE_MAX))
        cc_queue_renumber(queue);
    struct cc_event e = {time, queue->sequence++ << CC_EVENT_SEQUENCE_SHIFT | (uint64_t)type << CC_EVENT_ARGUMENT_BITS |
                                   argument};
    if (queue->hole) {
        queue->hole = false;
        cc_queue_sift_down(queue->heap, queue->size, e);
        return;
    }
    if (CC_RARE(queue->size == queue->capacity) && !cc_queue_grow(queue))
        return;
    struct cc_event *heap = queue->heap;
    uint32_t place = queue->size++;
    while (place > 0) {
        uint32_t parent = (place - 1) / 4;
        if (!cc_event_before(e, heap[parent]))
            break;
        heap[place] = heap[parent];
        place = parent;
    }
    heap[place] = e;
}

CC_HOT void cc_queue_fill_hole(struct cc_queue *queue)
{
    queue->hole = false;
    struct cc_event last = queue->heap[--queue->size];
    queue->heap[queue->size] = (struct cc_event){CC_NEVER, UINT64_MAX};
    if (queue->size > 0)
        cc_queue_sift_down(queue->heap, queue->size, last);
}

/* The earliest event. False when none is pending. */
CC_HOT bool cc_queue_pop(struct cc_queue *queue, struct cc_event *event)
{
    if (queue->hole)
        cc_queue_fill_hole(queue);
    if (queue->size == 0)
        return false;
    *event = queue->heap[0];
    queue->hole = true;
    return true;
}

static inline uint32_t cc_queue_pending(const struct cc_queue *queue) { return queue->size - (queue->hole ? 1 : 0); }

#endif
