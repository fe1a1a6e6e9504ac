/* What samples say: quantiles, intervals by bootstrap, the straight line. Seeded, so that the same samples give the same
 * interval. */
#ifndef BENCH_ESTIMATE_H
#define BENCH_ESTIMATE_H

#include <stddef.h>
#include <stdint.h>

#define ESTIMATE_SAMPLES_MOST 1000u

struct interval {
    double low, high; /* NaN with fewer than two samples */
};

void estimate_sort(double *samples, size_t count);
/* The quantile of sorted samples, linear between neighbours; NaN without samples. */
double estimate_quantile(const double *sorted, size_t count, double share);
/* The 95 % percentile-bootstrap interval of the median of sorted samples, at most ESTIMATE_SAMPLES_MOST of them. One
 * sample should be one round: neighbouring samples tell nearly the same and would make the interval far too narrow. */
struct interval estimate_median_interval(const double *sorted, size_t count, uint64_t seed);

struct line {
    double a, b;             /* y = a + b x */
    double median, p90, max; /* of the residuals, relative to y; NaN with fewer than two points */
};

/* Weighted by 1 / y^2, that is by relative residuals: plain least squares would fit the largest x alone and be wrong by a
 * multiple at the small ones. All y > 0; at most ESTIMATE_SAMPLES_MOST points. */
struct line estimate_line(const double *x, const double *y, size_t count);

#endif
