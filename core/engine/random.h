/* Random streams: xoshiro256++ (Blackman and Vigna, 2019), one stream for each named source of chance.
 *
 * A stream is derived from the run's seed, the replication and the source's name, so that changing one source of
 * chance leaves the others as they were (common random numbers). */
#ifndef CC_ENGINE_RANDOM_H
#define CC_ENGINE_RANDOM_H

#include "engine/base.h"

struct cc_random {
    uint64_t s[4];
};

/* The stream of source `name`, number `index`, in replication `replication` of seed `seed`. */
void cc_random_start(struct cc_random *random, uint64_t seed, uint64_t replication, const char *name, uint64_t index);

/* One round of splitmix64's finaliser (Steele, Lea and Flood, 2014): a bijection that scatters its argument. */
static inline uint64_t cc_scatter(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

CC_HOT uint64_t cc_rotate(uint64_t x, int k) { return x << k | x >> (64 - k); }

CC_HOT uint64_t cc_random_next(struct cc_random *random)
{
    uint64_t *s = random->s;
    uint64_t result = cc_rotate(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = cc_rotate(s[3], 45);
    return result;
}

/* Uniform on [0, 1), a multiple of 2^-53. */
CC_HOT double cc_random_unit(struct cc_random *random) { return (double)(cc_random_next(random) >> 11) * 0x1p-53; }

/* Uniform on (0, 1): the middle of one of 2^53 cells, for inverse transforms that must not meet 0 or 1. */
CC_HOT double cc_random_open(struct cc_random *random)
{
    return ((double)(cc_random_next(random) >> 12) + 0.5) * 0x1p-52;
}

/* Uniform on 0 .. n-1, n >= 1; the bias is below n / 2^64. */
CC_HOT uint64_t cc_random_below(struct cc_random *random, uint64_t n)
{
    return (uint64_t)((cc_wide)cc_random_next(random) * n >> 64);
}

#endif
