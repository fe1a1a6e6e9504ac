#include "engine/alias.h"

bool cc_alias_build(struct cc_alias *alias, double *weights, uint32_t count, struct cc_arena *arena)
{
    alias->count = count;
    alias->cells = cc_arena_take(arena, count, sizeof *alias->cells);
    uint32_t *work = cc_resize(&arena->allocator, NULL, 0, count, sizeof *work);
    if (!alias->cells || !work) {
        cc_release(&arena->allocator, work, count, sizeof *work);
        return false;
    }
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += weights[i];
    /* `work` holds the columns below their share from the front, those above it from the back. */
    uint32_t small = 0, large = count;
    for (uint32_t i = 0; i < count; i++) {
        weights[i] = weights[i] / sum * count;
        if (weights[i] < 1)
            work[small++] = i;
        else
            work[--large] = i;
    }
    while (small > 0 && large < count) {
        uint32_t low = work[--small], high = work[large];
        alias->cells[low] = (struct cc_alias_cell){(uint32_t)(weights[low] * 0x1p32), high};
        weights[high] = (weights[high] + weights[low]) - 1;
        if (weights[high] < 1) {
            large++;
            work[small++] = high;
        }
    }
    /* What rounding left over is full. */
    while (small > 0) {
        uint32_t i = work[--small];
        alias->cells[i] = (struct cc_alias_cell){UINT32_MAX, i};
    }
    for (; large < count; large++)
        alias->cells[work[large]] = (struct cc_alias_cell){UINT32_MAX, work[large]};
    cc_release(&arena->allocator, work, count, sizeof *work);
    return true;
}
