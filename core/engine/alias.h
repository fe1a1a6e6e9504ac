/* Draws an index by weight in constant time: Walker's alias table as built by Vose, IEEE Trans. Software Eng. 17(9), 1991.
 *
 * One random number makes one draw, whatever the weights, so that streams stay in step when weights change. */
#ifndef CC_ENGINE_ALIAS_H
#define CC_ENGINE_ALIAS_H

#include "engine/memory.h"
#include "engine/random.h"

struct cc_alias_cell {
    uint32_t keep;  /* the column's own index is kept with probability keep / 2^32; a full one has other == column */
    uint32_t other; /* the index drawn otherwise */
};

struct cc_alias {
    struct cc_alias_cell *cells;
    uint32_t count;
};

/* Weights are finite, not negative, not all zero; count >= 1. `weights` is used as working space and left changed.
 * False when memory is out. The table lives in the arena. */
bool cc_alias_build(struct cc_alias *alias, double *weights, uint32_t count, struct cc_arena *arena);

CC_HOT uint32_t cc_alias_draw(const struct cc_alias *alias, struct cc_random *random)
{
    cc_wide product = (cc_wide)cc_random_next(random) * alias->count;
    uint32_t column = (uint32_t)(product >> 64), fraction = (uint32_t)((uint64_t)product >> 32);
    struct cc_alias_cell cell = alias->cells[column];
    return fraction < cell.keep ? column : cell.other;
}

#endif
