#include "estimate.h"

#include <math.h>

#include "engine/random.h"
#include "support/unit.h"

static void near_to(double value, double expected) { assert_true(fabs(value - expected) <= 1e-9 * fabs(expected)); }

static void test_quantiles(void **state)
{
    (void)state;
    double samples[] = {5, 1, 4, 2, 3};
    estimate_sort(samples, 5);
    near_to(estimate_quantile(samples, 5, 0.5), 3);
    near_to(estimate_quantile(samples, 5, 0), 1);
    near_to(estimate_quantile(samples, 5, 1), 5);
    near_to(estimate_quantile(samples, 5, 0.9), 4.6);
    near_to(estimate_quantile(samples, 4, 0.5), 2.5);
    near_to(estimate_quantile(samples, 1, 0.9), 1);
    assert_true(isnan(estimate_quantile(samples, 0, 0.5)));
}

static void test_interval(void **state)
{
    (void)state;
    double samples[99];
    for (int i = 0; i < 99; i++)
        samples[i] = i + 1;
    struct interval one = estimate_median_interval(samples, 99, 1), again = estimate_median_interval(samples, 99, 1),
                    other = estimate_median_interval(samples, 99, 2);
    /* The order statistics of the exact binomial interval are 40 and 60. */
    assert_true(one.low >= 38 && one.low <= 42 && one.high >= 58 && one.high <= 62);
    assert_true(one.low == again.low && one.high == again.high);
    assert_true(fabs(one.low - other.low) < 3 && fabs(one.high - other.high) < 3);
    struct interval alike = estimate_median_interval((const double[]){7, 7, 7}, 3, 1);
    assert_true(alike.low == 7 && alike.high == 7);
    struct interval few = estimate_median_interval(samples, 1, 1);
    assert_true(isnan(few.low) && isnan(few.high));
}

/* Of many sets of samples about 95 % have the true median within their interval. */
static void test_coverage(void **state)
{
    (void)state;
    enum { SETS = 400, SAMPLES = 20 };
    struct cc_random random;
    int covered = 0;
    cc_random_start(&random, 1, 0, "coverage", 0);
    for (int i = 0; i < SETS; i++) {
        double samples[SAMPLES];
        for (int j = 0; j < SAMPLES; j++)
            samples[j] = cc_random_unit(&random);
        estimate_sort(samples, SAMPLES);
        struct interval interval = estimate_median_interval(samples, SAMPLES, (uint64_t)i);
        covered += interval.low <= 0.5 && interval.high >= 0.5;
    }
    assert_true(covered > 0.9 * SETS && covered < 0.985 * SETS);
}

static void test_line(void **state)
{
    (void)state;
    const double x[] = {100, 1000, 10000, 1000000}, exact[] = {250, 700, 5200, 500200};
    struct line line = estimate_line(x, exact, 4);
    assert_true(fabs(line.a - 200) < 1e-6 && fabs(line.b - 0.5) < 1e-9 && line.max < 1e-9);
    /* Relative weights: a tenth too much at the far end must not spoil the near one. */
    const double bent[] = {250, 700, 5200, 550220};
    line = estimate_line(x, bent, 4);
    assert_true(line.a > 150 && line.a < 220 && line.max < 0.11 && line.median <= line.p90 && line.p90 <= line.max);
    assert_true(isnan(estimate_line(x, exact, 1).b));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quantiles),
        cmocka_unit_test(test_interval),
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
