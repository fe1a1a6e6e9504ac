/* Service times, think times and other random durations, drawn from a stream.
 *
 * constant, uniform on [low, high], exponential (ziggurat: Marsaglia and Tsang, J. Stat. Software 5(8), 2000),
 * lognormal (inverse transform, one random number a draw), Erlang-k (a sum of k exponentials), hyperexponential (one of
 * two exponentials) and empirical (one of the given values, by weight). */
#ifndef CC_ENGINE_VARIATE_H
#define CC_ENGINE_VARIATE_H

#include "engine/alias.h"
#include "engine/exact.h"
#include "engine/random.h"

enum cc_distribution {
    CC_CONSTANT,
    CC_UNIFORM,
    CC_EXPONENTIAL,
    CC_LOGNORMAL,
    CC_ERLANG,
    CC_HYPEREXPONENTIAL,
    CC_EMPIRICAL,
};

struct cc_variate {
    enum cc_distribution kind;
    uint32_t shape;          /* Erlang: k */
    double a, b, c;          /* constant: a; uniform: from a, b wide; exponential, Erlang: mean of one phase a;
                                lognormal: log-mean a, log-deviation b; hyperexponential: share a, means b and c. ns */
    const cc_time *values;   /* empirical: the values, ns; belongs to the caller */
    struct cc_alias weights; /* empirical */
};

/* By mean, in ns, and squared coefficient of variation. */
struct cc_variate cc_variate_lognormal(double mean, double scv);

/* The layers of the exponential's ziggurat; see ziggurat.c. */
extern const uint64_t cc_ziggurat_accept[256];
extern const double cc_ziggurat_scale[256];
extern const double cc_ziggurat_height[256];

double cc_exponential_edge(struct cc_random *random, uint32_t layer, uint64_t position);

/* Exponential with mean 1. */
CC_HOT double cc_exponential(struct cc_random *random)
{
    uint64_t bits = cc_random_next(random), position = bits >> 11;
    uint32_t layer = (uint32_t)bits & 255;
    if (CC_RARE(position >= cc_ziggurat_accept[layer]))
        return cc_exponential_edge(random, layer, position);
    return (double)position * cc_ziggurat_scale[layer];
}

/* A duration of x ns (x >= 0) to the nearest nanosecond; what would outlast 146 years is 146 years. */
CC_HOT cc_time cc_nearest_time(double x) { return x < 0x1p62 ? (cc_time)(x + 0.5) : UINT64_C(1) << 62; }

cc_time cc_variate_draw_other(const struct cc_variate *variate, struct cc_random *random);

CC_HOT cc_time cc_variate_draw(const struct cc_variate *variate, struct cc_random *random)
{
    switch (variate->kind) {
    case CC_CONSTANT:
        return (cc_time)variate->a;
    case CC_UNIFORM:
        return cc_nearest_time(variate->a + variate->b * cc_random_unit(random));
    case CC_EXPONENTIAL:
        return cc_nearest_time(variate->a * cc_exponential(random));
    default:
        return cc_variate_draw_other(variate, random);
    }
}

static inline bool cc_variate_is_zero(const struct cc_variate *variate)
{
    return variate->kind == CC_CONSTANT && variate->a < 1;
}

#endif
