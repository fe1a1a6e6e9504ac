/* The histogram: its percentile rule, its stated error, and that parts add up to the whole. */
#include "engine/histogram.h"
#include "engine/random.h"
#include "support/unit.h"

#include <string.h>

static struct cc_histogram a, b, whole;

static void clear_all(void)
{
    cc_histogram_clear(&a);
    cc_histogram_clear(&b);
    cc_histogram_clear(&whole);
}

static void quantile_is_the_smallest_value_that_reaches_the_share(void **state)
{
    (void)state;
    clear_all();
    assert_int_equal(cc_histogram_quantile(&a, 1, 2), 0);
    for (cc_time v = 100; v >= 1; v--)
        cc_histogram_record(&a, v);
    for (uint64_t p = 1; p <= 100; p++)
        assert_int_equal(cc_histogram_quantile(&a, p, 100), p);
    assert_int_equal(cc_histogram_quantile(&a, 999, 1000), 100);
    assert_int_equal(cc_histogram_quantile(&a, 991, 1000), 100);
    assert_int_equal(cc_histogram_quantile(&a, 990, 1000), 99);
    assert_true(cc_histogram_mean(&a) == 50.5);
}

static void every_bucket_keeps_the_stated_error(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CC_HISTOGRAM_BUCKETS; i++) {
        cc_time lower = cc_histogram_lower(i);
        assert_int_equal(cc_histogram_bucket(lower), i);
        if (i + 1 < CC_HISTOGRAM_BUCKETS) {
            cc_time last = cc_histogram_lower(i + 1) - 1;
            assert_int_equal(cc_histogram_bucket(last), i);
            cc_time middle = lower + (last + 1 - lower) / 2;
            assert_true((double)(middle - lower) <= 0.004 * (double)lower || last == lower);
        }
    }
    clear_all();
    cc_histogram_record(&a, UINT64_MAX);
    assert_int_equal(a.most, CC_HISTOGRAM_MAX);
}

static void parts_add_up(void **state)
{
    (void)state;
    clear_all();
    struct cc_random random;
    cc_random_start(&random, 3, 0, "histogram", 0);
    for (int i = 0; i < 20000; i++) {
        cc_time value = cc_random_next(&random) >> (11 + cc_random_below(&random, 50));
        cc_histogram_record(i % 3 ? &a : &b, value);
        cc_histogram_record(&whole, value);
    }
    cc_histogram_add(&a, &b);
    assert_memory_equal(&a, &whole, sizeof a);
    double half = cc_histogram_at_most(&whole, cc_histogram_quantile(&whole, 1, 2));
    assert_true(half > 9800 && half < 10300);
    struct cc_histogram *empty = &b;
    cc_histogram_clear(&a);
    cc_histogram_clear(empty);
    assert_memory_equal(a.buckets, empty->buckets, sizeof a.buckets);
    for (uint32_t i = 0; i < CC_HISTOGRAM_BUCKETS; i++)
        assert_int_equal(a.buckets[i], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantile_is_the_smallest_value_that_reaches_the_share),
        cmocka_unit_test(every_bucket_keeps_the_stated_error),
        cmocka_unit_test(parts_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
