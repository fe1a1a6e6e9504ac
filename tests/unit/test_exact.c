#include "engine/exact.h"

#include "engine/random.h"
#include "support/unit.h"

#include <math.h>
#include <string.h>

#define COUNT 100000

/* The C library's long double functions are the reference, where they are more precise than double's: not where long
 * double is double, nor with musl's (Emscripten's) 113 bits, where they call those for double. The argument is volatile
 * so that the compiler does not work it out. */
static bool reference_is_wide(void)
{
    volatile double three = 3;
    return logl((long double)three) != (long double)log(three) && expl((long double)three) != (long double)exp(three);
}

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The arguments; only + - * and integers, so that every target meets the same ones. */
static double positive(struct cc_random *random) /* any positive finite number, subnormal ones included */
{
    return from_bits(1 + cc_random_below(random, UINT64_C(0x7ff0000000000000) - 1));
}
static double near_one(struct cc_random *random) { return 0.5 + 1.5 * cc_random_unit(random); }
static double exponent(struct cc_random *random) { return -745 + 1454.7 * cc_random_unit(random); }
static double small_exponent(struct cc_random *random) { return cc_random_unit(random) - 0.5; }
static double rank(struct cc_random *random) { return 1 + (double)cc_random_below(random, 1000000000); }
static double power(struct cc_random *random) { return -1.9 * cc_random_unit(random); }
static double tail(struct cc_random *random) /* down to 2^-320 */
{
    double p = cc_random_open(random);
    for (uint64_t n = cc_random_below(random, 7); n > 0; n--)
        p *= 0x1p-45;
    return p;
}

static double worst; /* of the running comparison */

/* In units of the last place of the true value as a double. */
static void note_ulp(double given, long double truth)
{
    int place = ilogbl(truth) - 52;
    long double error = fabsl((long double)given - truth) / ldexpl(1, place < -1074 ? -1074 : place);
    if (error > (long double)worst)
        worst = (double)error;
}

static void check_worst(const char *what, double bound)
{
    print_message("%s: %.3g, stated %.3g\n", what, worst, bound);
    assert_true(worst <= bound);
    worst = 0;
}

static void test_log(void **state)
{
    (void)state;
    if (!reference_is_wide())
        skip();
    struct cc_random random;
    cc_random_start(&random, 1, 0, "log", 0);
    for (int i = 0; i < COUNT; i++) {
        double x = positive(&random);
        note_ulp(cc_log(x), logl((long double)x));
    }
    check_worst("log, any", 1);
    for (int i = 0; i < COUNT; i++) {
        double x = near_one(&random);
        note_ulp(cc_log(x), logl((long double)x));
    }
    check_worst("log, [1/2, 2)", 1);
}

static void test_exp(void **state)
{
    (void)state;
    if (!reference_is_wide())
        skip();
    struct cc_random random;
    cc_random_start(&random, 1, 0, "exp", 0);
    for (int i = 0; i < COUNT; i++) {
        double x = exponent(&random);
        note_ulp(cc_exp(x), expl((long double)x));
    }
    check_worst("exp, any", 1);
    for (int i = 0; i < COUNT; i++) {
        double x = small_exponent(&random);
        note_ulp(cc_exp(x), expl((long double)x));
    }
    check_worst("exp, [-1/2, 1/2)", 1);
}

static void test_pow(void **state)
{
    (void)state;
    if (!reference_is_wide())
        skip();
    struct cc_random random;
    cc_random_start(&random, 1, 0, "pow", 0);
    for (int i = 0; i < COUNT; i++) {
        double x = rank(&random), y = power(&random);
        note_ulp(cc_pow(x, y), powl((long double)x, (long double)y));
    }
    check_worst("pow, Zipf's ranks", 64);
}

/* The quantile by Newton's method from the double's value, in the lower half; 1 - p is exact above 1/2. */
static void test_normal_quantile(void **state)
{
    (void)state;
    if (!reference_is_wide())
        skip();
    const long double root2 = 1.41421356237309504880168872420969808L;
    const long double root2pi = 2.50662827463100050241576528481104525L;
    struct cc_random random;
    cc_random_start(&random, 1, 0, "quantile", 0);
    for (int i = 0; i < COUNT; i++) {
        double p = i % 2 == 0 ? tail(&random) : cc_random_open(&random), given = cc_normal_quantile(p);
        if (p == 0.5) {
            assert_true(given == 0);
            continue;
        }
        long double half = p < 0.5 ? (long double)p : 1 - (long double)p, x = -fabsl((long double)given);
        long double start = x;
        for (int step = 0; step < 2; step++) {
            long double excess = x > -0.5L ? 0.5L * erfl(x / root2) + (0.5L - half) : 0.5L * erfcl(-x / root2) - half;
            x -= excess * root2pi * expl(x * x / 2);
        }
        assert_true((given < 0) == (p < 0.5));
        double error = (double)fabsl((start - x) / x);
        worst = error > worst ? error : worst;
    }
    check_worst("normal quantile, relative", 1e-15);
}

static void test_special_values(void **state)
{
    (void)state;
    assert_true(cc_log(1) == 0);
    assert_true(cc_log(0) == -HUGE_VAL);
    assert_true(isnan(cc_log(-1)));
    assert_true(isnan(cc_log((double)NAN)));
    assert_true(cc_log(HUGE_VAL) == HUGE_VAL);
    assert_true(cc_exp(0) == 1);
    assert_true(cc_exp(-746) == 0 && cc_exp(-HUGE_VAL) == 0);
    assert_true(cc_exp(710) == HUGE_VAL && cc_exp(HUGE_VAL) == HUGE_VAL);
    assert_true(cc_exp(709.782712893384) < HUGE_VAL);
    assert_true(isnan(cc_exp((double)NAN)));
    assert_true(cc_exp(-745.1) > 0);
    assert_true(cc_pow(7, 0) == 1 && cc_pow(1, 123) == 1);
    assert_true(cc_normal_quantile(0.5) == 0);
    for (int i = 1; i < 512; i++)
        assert_true(cc_normal_quantile(i / 1024.0) == -cc_normal_quantile(1 - i / 1024.0));
    assert_true(fabs(cc_normal_quantile(0.975) - 1.959963984540054) < 1e-14);
}

/* The very bits, on every target. */
static void test_golden_bits(void **state)
{
    (void)state;
    struct cc_random random;
    cc_random_start(&random, 1, 0, "golden", 0);
    uint64_t hash = 0;
    for (int i = 0; i < COUNT; i++) {
        hash = cc_scatter(hash ^ bits_of(cc_log(positive(&random))));
        hash = cc_scatter(hash ^ bits_of(cc_log(near_one(&random))));
        hash = cc_scatter(hash ^ bits_of(cc_exp(exponent(&random))));
        hash = cc_scatter(hash ^ bits_of(cc_exp(small_exponent(&random))));
        double x = rank(&random), y = power(&random);
        hash = cc_scatter(hash ^ bits_of(cc_pow(x, y)));
        hash = cc_scatter(hash ^ bits_of(cc_normal_quantile(tail(&random))));
        hash = cc_scatter(hash ^ bits_of(cc_normal_quantile(cc_random_open(&random))));
    }
    if (hash != UINT64_C(0x891be1eb745cf557))
        fail_msg("the results hash to %016llx", (unsigned long long)hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_log),
        cmocka_unit_test(test_exp),
        cmocka_unit_test(test_pow),
        cmocka_unit_test(test_normal_quantile),
        cmocka_unit_test(test_special_values),
        cmocka_unit_test(test_golden_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
