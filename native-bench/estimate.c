#include "estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/random.h"

#define RESAMPLES 1000u

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

void estimate_sort(double *samples, size_t count)
{
    if (count > 1)
        qsort(samples, count, sizeof *samples, ascending);
}

double estimate_quantile(const double *sorted, size_t count, double share)
{
    if (count == 0)
        return NAN;
    double place = share * (double)(count - 1);
    size_t below = (size_t)place;
    if (below + 1 >= count)
        return sorted[count - 1];
    return sorted[below] + (place - (double)below) * (sorted[below + 1] - sorted[below]);
}

/* The sample at `rank` of a resample, which is given by how often each of the sorted samples is in it. */
static double ranked(const double *sorted, const unsigned *times, size_t rank)
{
    size_t i = 0;
    for (size_t passed = times[0]; passed <= rank; passed += times[i])
        i++;
    return sorted[i];
}

struct interval estimate_median_interval(const double *sorted, size_t count, uint64_t seed)
{
    double medians[RESAMPLES];
    unsigned times[ESTIMATE_SAMPLES_MOST];
    struct cc_random random;
    if (count < 2 || count > ESTIMATE_SAMPLES_MOST)
        return (struct interval){NAN, NAN};
    cc_random_start(&random, seed, 0, "bootstrap", 0);
    for (size_t i = 0; i < RESAMPLES; i++) {
        memset(times, 0, count * sizeof *times);
        for (size_t j = 0; j < count; j++)
            times[cc_random_below(&random, count)]++;
        medians[i] = ranked(sorted, times, count / 2);
        if (count % 2 == 0)
            medians[i] = (medians[i] + ranked(sorted, times, count / 2 - 1)) / 2;
    }
    estimate_sort(medians, RESAMPLES);
    return (struct interval){estimate_quantile(medians, RESAMPLES, 0.025),
                             estimate_quantile(medians, RESAMPLES, 0.975)};
}

struct line estimate_line(const double *x, const double *y, size_t count)
{
    struct line line = {NAN, NAN, NAN, NAN, NAN};
    double residuals[ESTIMATE_SAMPLES_MOST];
    if (count < 2 || count > ESTIMATE_SAMPLES_MOST)
        return line;
    double weights = 0, mean_x = 0, mean_y = 0, xx = 0, xy = 0;
    for (size_t i = 0; i < count; i++) {
        double weight = 1 / (y[i] * y[i]);
        weights += weight;
        mean_x += weight * x[i];
        mean_y += weight * y[i];
    }
    mean_x /= weights;
    mean_y /= weights;
    for (size_t i = 0; i < count; i++) {
        double weight = 1 / (y[i] * y[i]);
        xx += weight * (x[i] - mean_x) * (x[i] - mean_x);
        xy += weight * (x[i] - mean_x) * (y[i] - mean_y);
    }
    if (!(xx > 0)) /* all x alike */
        return line;
    line.b = xy / xx;
    line.a = mean_y - line.b * mean_x;
    for (size_t i = 0; i < count; i++)
        residuals[i] = fabs(line.a + line.b * x[i] - y[i]) / y[i];
    estimate_sort(residuals, count);
    line.median = estimate_quantile(residuals, count, 0.5);
    line.p90 = estimate_quantile(residuals, count, 0.9);
    line.max = residuals[count - 1];
    return line;
}
