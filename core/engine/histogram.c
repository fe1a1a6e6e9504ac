#include "engine/histogram.h"

#include <string.h>

void cc_histogram_clear(struct cc_histogram *histogram)
{
    /* Only the touched range is wiped: an interval's histogram is cleared often and holds few octaves. */
    if (histogram->count > 0) {
        uint32_t first = cc_histogram_bucket(histogram->least), last = cc_histogram_bucket(histogram->most);
        memset(histogram->buckets + first, 0, (last - first + 1) * sizeof histogram->buckets[0]);
    }
    histogram->count = 0;
    histogram->sum = 0;
    histogram->least = CC_NEVER;
    histogram->most = 0;
}

void cc_histogram_add(struct cc_histogram *to, const struct cc_histogram *from)
{
    if (from->count == 0)
        return;
    uint32_t first = cc_histogram_bucket(from->least), last = cc_histogram_bucket(from->most);
    for (uint32_t i = first; i <= last; i++)
        to->buckets[i] += from->buckets[i];
    to->count += from->count;
    to->sum += from->sum;
    to->least = from->least < to->least ? from->least : to->least;
    to->most = from->most > to->most ? from->most : to->most;
}

cc_time cc_histogram_lower(uint32_t bucket)
{
    if (bucket < 2 * CC_HISTOGRAM_OCTAVE)
        return bucket;
    uint32_t shift = bucket / CC_HISTOGRAM_OCTAVE - 1;
    return (cc_time)(bucket - shift * CC_HISTOGRAM_OCTAVE) << shift;
}

cc_time cc_histogram_quantile(const struct cc_histogram *histogram, uint64_t numerator, uint64_t denominator)
{
    if (histogram->count == 0)
        return 0;
    uint64_t rank = (uint64_t)(((cc_wide)histogram->count * numerator + denominator - 1) / denominator);
    uint64_t seen = 0;
    uint32_t bucket = cc_histogram_bucket(histogram->least);
    for (;; bucket++) {
        seen += histogram->buckets[bucket];
        if (seen >= rank)
            break;
    }
    cc_time lower = cc_histogram_lower(bucket), width = cc_histogram_lower(bucket + 1) - lower;
    cc_time middle = lower + width / 2;
    if (middle > histogram->most)
        middle = histogram->most;
    return middle < histogram->least ? histogram->least : middle;
}

double cc_histogram_at_most(const struct cc_histogram *histogram, cc_time value)
{
    if (histogram->count == 0 || value < histogram->least)
        return 0;
    if (value >= histogram->most)
        return (double)histogram->count;
    uint32_t last = cc_histogram_bucket(value);
    uint64_t below = 0;
    for (uint32_t i = cc_histogram_bucket(histogram->least); i < last; i++)
        below += histogram->buckets[i];
    cc_time lower = cc_histogram_lower(last), width = cc_histogram_lower(last + 1) - lower;
    return (double)below + (double)histogram->buckets[last] * (double)(value - lower + 1) / (double)width;
}

double cc_histogram_mean(const struct cc_histogram *histogram)
{
    return histogram->count == 0 ? 0 : (double)histogram->sum / (double)histogram->count;
}
