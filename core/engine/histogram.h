/* A histogram of nanosecond values in fixed memory, after HdrHistogram's idea: 128 buckets for each power of two.
 *
 * Values below 256 ns are counted exactly; above, a bucket is at most 1/128 of its lower bound wide, and a quantile is
 * given as its bucket's middle, so that its relative error is at most 1/256 (0.39 %). Histograms add up exactly. */
#ifndef CC_ENGINE_HISTOGRAM_H
#define CC_ENGINE_HISTOGRAM_H

#include "engine/base.h"

#define CC_HISTOGRAM_OCTAVE 128u
#define CC_HISTOGRAM_MAX ((UINT64_C(1) << 53) - 1) /* 104 days; larger values count as this */
#define CC_HISTOGRAM_BUCKETS (CC_HISTOGRAM_OCTAVE * 47u)

struct cc_histogram {
    uint64_t count;
    cc_time least, most; /* exact; least is CC_NEVER while empty */
    cc_wide sum;         /* of all values, exact */
    uint64_t buckets[CC_HISTOGRAM_BUCKETS];
};

void cc_histogram_clear(struct cc_histogram *histogram);
void cc_histogram_add(struct cc_histogram *to, const struct cc_histogram *from);
/* The smallest value v with F(v) >= numerator / denominator, 0 < numerator <= denominator; 0 while empty. */
cc_time cc_histogram_quantile(const struct cc_histogram *histogram, uint64_t numerator, uint64_t denominator);
/* How many values are at most `value`, counting a bucket that holds `value` in proportion. */
double cc_histogram_at_most(const struct cc_histogram *histogram, cc_time value);
double cc_histogram_mean(const struct cc_histogram *histogram); /* nanoseconds; 0 while empty */
cc_time cc_histogram_lower(uint32_t bucket);                    /* the bucket's smallest value */

CC_HOT uint32_t cc_histogram_bucket(cc_time value)
{
    if (value < UINT64_C(2) * CC_HISTOGRAM_OCTAVE)
        return (uint32_t)value;
    uint32_t shift = 63 - 7 - (uint32_t)__builtin_clzll(value);
    return shift * CC_HISTOGRAM_OCTAVE + (uint32_t)(value >> shift);
}

CC_HOT void cc_histogram_record(struct cc_histogram *histogram, cc_time value)
{
    if (CC_RARE(value > CC_HISTOGRAM_MAX))
        value = CC_HISTOGRAM_MAX;
    histogram->buckets[cc_histogram_bucket(value)]++;
    histogram->count++;
    histogram->sum += value;
    histogram->least = value < histogram->least ? value : histogram->least;
    histogram->most = value > histogram->most ? value : histogram->most;
}

#endif
