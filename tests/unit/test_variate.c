#include "engine/variate.h"

#include "support/unit.h"

#include <math.h>
#include <stdlib.h>

#define COUNT 200000

static const double EDGE = 7.69711747013104972; /* the ziggurat's r */

/* Draws against the law's first four raw moments: mean and variance within five standard deviations. */
static void check_moments(const struct cc_variate *variate, double m1, double m2, double m3, double m4)
{
    struct cc_random random;
    cc_random_start(&random, 1, 0, "moments", (uint64_t)variate->kind);
    double variance = m2 - m1 * m1, fourth = m4 - 4 * m1 * m3 + 6 * m1 * m1 * m2 - 3 * m1 * m1 * m1 * m1;
    double sum = 0, squares = 0;
    for (int i = 0; i < COUNT; i++) {
        double off = (double)cc_variate_draw(variate, &random) - m1;
        sum += off;
        squares += off * off;
    }
    double mean = sum / COUNT, spread = squares / COUNT - mean * mean;
    assert_true(fabs(mean) <= 5 * sqrt(variance / COUNT) + 0.01);
    assert_true(fabs(spread - variance) <= 5 * sqrt((fourth - variance * variance) / COUNT) + 1);
}

static void test_constant(void **state)
{
    (void)state;
    struct cc_variate variate = {.kind = CC_CONSTANT, .a = 12345}, zero = {.kind = CC_CONSTANT, .a = 0};
    struct cc_random random = {{1, 2, 3, 4}}, before = random;
    assert_true(cc_variate_draw(&variate, &random) == 12345);
    assert_memory_equal(&random, &before, sizeof random);
    assert_true(cc_variate_is_zero(&zero));
    assert_false(cc_variate_is_zero(&variate));
    zero.kind = CC_EXPONENTIAL;
    assert_false(cc_variate_is_zero(&zero));
}

static void test_uniform(void **state)
{
    (void)state;
    double a = 1e6, b = 3e6, c = a + b;
    check_moments(&(struct cc_variate){.kind = CC_UNIFORM, .a = a, .b = b}, a + b / 2, (a * a + a * c + c * c) / 3,
                  (a + c) * (a * a + c * c) / 4, (c * c * c * c * c - a * a * a * a * a) / (5 * b));
}

static void test_exponential(void **state)
{
    (void)state;
    double a = 2e6;
    check_moments(&(struct cc_variate){.kind = CC_EXPONENTIAL, .a = a}, a, 2 * a * a, 6 * a * a * a,
                  24 * a * a * a * a);
}

static void test_lognormal(void **state)
{
    (void)state;
    double a = 14, b = 0.5, s = b * b / 2;
    check_moments(&(struct cc_variate){.kind = CC_LOGNORMAL, .a = a, .b = b}, exp(a + s), exp(2 * a + 4 * s),
                  exp(3 * a + 9 * s), exp(4 * a + 16 * s));
}

static void test_erlang(void **state)
{
    (void)state;
    for (uint32_t k = 1; k <= 9; k += 4) {
        double a = 1e6, m1 = a * k, m2 = m1 * a * (k + 1), m3 = m2 * a * (k + 2), m4 = m3 * a * (k + 3);
        check_moments(&(struct cc_variate){.kind = CC_ERLANG, .shape = k, .a = a}, m1, m2, m3, m4);
    }
}

static void test_hyperexponential(void **state)
{
    (void)state;
    double p = 0.9, q = 1 - p, b = 1e6, c = 1e7;
    check_moments(&(struct cc_variate){.kind = CC_HYPEREXPONENTIAL, .a = p, .b = b, .c = c}, p * b + q * c,
                  2 * (p * b * b + q * c * c), 6 * (p * b * b * b + q * c * c * c),
                  24 * (p * b * b * b * b + q * c * c * c * c));
}

static void test_empirical(void **state)
{
    (void)state;
    static const cc_time VALUES[] = {1000000, 2000000, 7000000, 50000000};
    const double shares[] = {0.5, 0.25, 0.25, 0};
    double weights[] = {2, 1, 1, 0}, m[4] = {0};
    struct cc_arena arena;
    struct cc_variate variate = {.kind = CC_EMPIRICAL, .values = VALUES};
    cc_arena_start(&arena, NULL);
    assert_true(cc_alias_build(&variate.weights, weights, 4, &arena));
    for (int i = 0; i < 4; i++) {
        double power = shares[i];
        for (int j = 0; j < 4; j++)
            m[j] += power *= (double)VALUES[i];
    }
    check_moments(&variate, m[0], m[1], m[2], m[3]);
    cc_arena_end(&arena);
}

/* Every layer has area v, the layers fill the height from 0 to 1 and lie under exp(-x) up to the next edge. */
static void test_ziggurat(void **state)
{
    (void)state;
    double edges[257], area = (EDGE + 1) * exp(-EDGE);
    for (int i = 0; i < 256; i++)
        edges[i] = cc_ziggurat_scale[i] * 0x1p53;
    edges[256] = 0;
    assert_true(fabs(area - 0.0039496598225815571993) < 1e-17);
    assert_true(fabs(edges[1] - EDGE) < 1e-15);
    for (int i = 0; i < 256; i++) {
        double below = i > 0 ? cc_ziggurat_height[i - 1] : 0;
        assert_true(edges[i] > edges[i + 1]);
        assert_true(fabs(edges[i] * (cc_ziggurat_height[i] - below) - area) < 2e-15);
        assert_true(fabs(cc_ziggurat_height[i] - exp(-edges[i + 1])) < 4e-16);
        assert_true(fabs((double)cc_ziggurat_accept[i] - edges[i + 1] / edges[i] * 0x1p53) <= 8);
    }
    assert_true(cc_ziggurat_height[255] == 1);
    assert_true(cc_ziggurat_accept[255] == 0);
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Kolmogorov and Smirnov's distance, and the share of draws beyond the ziggurat's base. */
static void test_distribution(void **state)
{
    (void)state;
    double *draws = malloc(COUNT * sizeof *draws);
    assert_non_null(draws);
    struct cc_random random;
    cc_random_start(&random, 1, 0, "exponential", 0);
    int beyond = 0;
    for (int i = 0; i < COUNT; i++) {
        draws[i] = cc_exponential(&random);
        assert_true(draws[i] >= 0);
        beyond += draws[i] > EDGE;
    }
    qsort(draws, COUNT, sizeof *draws, compare);
    double distance = 0;
    for (int i = 0; i < COUNT; i++) {
        double below = -expm1(-draws[i]), low = below - (double)i / COUNT, high = (double)(i + 1) / COUNT - below;
        distance = fmax(distance, fmax(low, high));
    }
    free(draws);
    assert_true(distance * sqrt(COUNT) < 1.95); /* 0.1 % */
    double expected = COUNT * exp(-EDGE);
    assert_true(fabs(beyond - expected) < 5 * sqrt(expected));
}

/* The rejection step by itself: in one layer, draws that it keeps follow exp(-x) between the layer's edges. */
static void test_edges(void **state)
{
    (void)state;
    struct cc_random random;
    cc_random_start(&random, 1, 0, "edges", 0);
    for (int i = 0; i < 1000; i++)
        assert_true(cc_exponential_edge(&random, 0, cc_ziggurat_accept[0]) >= EDGE - 1e-15);
    for (uint32_t layer = 1; layer < 256; layer += 31) {
        int kept = 0;
        uint64_t accept = cc_ziggurat_accept[layer], position = accept + ((UINT64_C(1) << 53) - accept) / 2;
        double x = (double)position * cc_ziggurat_scale[layer];
        for (int i = 0; i < 20000; i++)
            kept += cc_exponential_edge(&random, layer, position) == x;
        double low = cc_ziggurat_height[layer - 1], high = cc_ziggurat_height[layer];
        double share = (exp(-x) - low) / (high - low);
        assert_true(fabs(kept - 20000 * share) <= 5 * sqrt(20000 * share * (1 - share)));
    }
}

static void test_nearest_time(void **state)
{
    (void)state;
    assert_true(cc_nearest_time(0) == 0);
    assert_true(cc_nearest_time(0.49) == 0);
    assert_true(cc_nearest_time(0.5) == 1);
    assert_true(cc_nearest_time(1e9) == CC_SECOND);
    assert_true(cc_nearest_time(0x1p62) == UINT64_C(1) << 62);
    assert_true(cc_nearest_time(HUGE_VAL) == UINT64_C(1) << 62);
    struct cc_variate endless = {.kind = CC_LOGNORMAL, .a = 800, .b = 1};
    struct cc_random random = {{1, 2, 3, 4}};
    assert_true(cc_variate_draw(&endless, &random) == UINT64_C(1) << 62);
}

/* The very draws, on every target. */
static void test_golden_draws(void **state)
{
    (void)state;
    static const struct cc_variate VARIATES[] = {
        {.kind = CC_UNIFORM, .a = 1e3, .b = 1e9},
        {.kind = CC_EXPONENTIAL, .a = 1e9},
        {.kind = CC_LOGNORMAL, .a = 18, .b = 1.5},
        {.kind = CC_ERLANG, .shape = 3, .a = 1e8},
        {.kind = CC_HYPEREXPONENTIAL, .a = 0.75, .b = 1e8, .c = 1e9},
    };
    struct cc_random random;
    cc_random_start(&random, 1, 0, "golden", 0);
    uint64_t hash = 0;
    for (int i = 0; i < 50000; i++) {
        for (size_t j = 0; j < sizeof VARIATES / sizeof VARIATES[0]; j++)
            hash = cc_scatter(hash ^ cc_variate_draw(&VARIATES[j], &random));
    }
    if (hash != UINT64_C(0x3ef55f79f878ec27))
        fail_msg("the draws hash to %016llx", (unsigned long long)hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constant),  cmocka_unit_test(test_uniform),      cmocka_unit_test(test_exponential),
        cmocka_unit_test(test_lognormal), cmocka_unit_test(test_erlang),       cmocka_unit_test(test_hyperexponential),
        cmocka_unit_test(test_empirical), cmocka_unit_test(test_ziggurat),     cmocka_unit_test(test_distribution),
        cmocka_unit_test(test_edges),     cmocka_unit_test(test_nearest_time), cmocka_unit_test(test_golden_draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
