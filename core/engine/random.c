#include "engine/random.h"

#define GOLDEN UINT64_C(0x9e3779b97f4a7c15) /* 2^64 over the golden ratio: splitmix64's increment */

void cc_random_start(struct cc_random *random, uint64_t seed, uint64_t replication, const char *name, uint64_t index)
{
    uint64_t purpose = UINT64_C(0xcbf29ce484222325); /* FNV-1a of the name */
    for (; *name; name++)
        purpose = (purpose ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    uint64_t state = cc_scatter(seed + GOLDEN);
    state = cc_scatter(state ^ cc_scatter(replication + 2 * GOLDEN));
    state = cc_scatter(state ^ cc_scatter(purpose + 3 * GOLDEN));
    state = cc_scatter(state ^ cc_scatter(index + 4 * GOLDEN));
    for (int i = 0; i < 4; i++)
        random->s[i] = cc_scatter(state += GOLDEN);
}
