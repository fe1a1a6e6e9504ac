#include "engine/alias.h"

#include "support/allocator.h"
#include "support/unit.h"

#include <math.h>
#include <string.h>

#define MOST 1000

static struct cc_arena arena;

static int setup(void **state)
{
    (void)state;
    cc_arena_start(&arena, NULL);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    cc_arena_end(&arena);
    return 0;
}

static void build(struct cc_alias *alias, const double *weights, uint32_t count)
{
    double work[MOST];
    memcpy(work, weights, count * sizeof *work);
    assert_true(cc_alias_build(alias, work, count, &arena));
    assert_int_equal(alias->count, count);
}

/* The shares that the table gives, column by column; none may be further off than the rounding of its cells. */
static void check_shares(const struct cc_alias *alias, const double *weights)
{
    double share[MOST] = {0}, sum = 0;
    for (uint32_t i = 0; i < alias->count; i++) {
        struct cc_alias_cell cell = alias->cells[i];
        assert_true(cell.other < alias->count);
        share[i] += cell.keep * 0x1p-32;
        share[cell.other] += 1 - cell.keep * 0x1p-32;
        sum += weights[i];
    }
    for (uint32_t i = 0; i < alias->count; i++) {
        double expected = weights[i] / sum * alias->count;
        assert_true(fabs(share[i] - expected) < alias->count * 0x1p-31);
        if (weights[i] == 0) /* NOLINT(clang-diagnostic-float-equal) */
            assert_true(share[i] == 0);
    }
}

static void check_draws(const struct cc_alias *alias, const double *weights, uint32_t draws)
{
    struct cc_random random;
    uint32_t seen[MOST] = {0}, classes = 0;
    cc_random_start(&random, 1, 0, "alias", alias->count);
    for (uint32_t i = 0; i < draws; i++) {
        uint32_t index = cc_alias_draw(alias, &random);
        assert_true(index < alias->count);
        seen[index]++;
    }
    double sum = 0, square = 0;
    for (uint32_t i = 0; i < alias->count; i++)
        sum += weights[i];
    for (uint32_t i = 0; i < alias->count; i++) {
        double expected = weights[i] / sum * draws, off = seen[i] - expected;
        if (expected > 0) {
            square += off * off / expected;
            classes++;
        } else {
            assert_int_equal(seen[i], 0);
        }
    }
    double freedom = classes - 1;
    assert_true(square <= freedom + 4 * sqrt(2 * freedom) + 4);
    if (freedom > 20) /* nor suspiciously even */
        assert_true(square >= freedom - 5 * sqrt(2 * freedom));
}

static void check(const double *weights, uint32_t count, uint32_t draws)
{
    struct cc_alias alias;
    build(&alias, weights, count);
    check_shares(&alias, weights);
    check_draws(&alias, weights, draws);
}

static void test_small_tables(void **state)
{
    (void)state;
    check((double[]){1}, 1, 1000);
    check((double[]){1e-300}, 1, 1000);
    check((double[]){1, 1}, 2, 100000);
    check((double[]){1, 3}, 2, 100000);
    check((double[]){0, 1}, 2, 100000);
    check((double[]){1, 0}, 2, 100000);
    check((double[]){0, 0, 5, 0, 0}, 5, 100000);
    check((double[]){0.1, 0, 0.2, 0, 0.3, 0.4, 0}, 7, 100000);
    check((double[]){1e6, 1, 1, 1e6}, 4, 100000);
}

static void test_zipf(void **state)
{
    (void)state;
    double weights[MOST];
    for (uint32_t i = 0; i < MOST; i++)
        weights[i] = 1.0 / (i + 1);
    check(weights, MOST, 300000);
}

/* Weights whose sums round, with and without zeros among them. */
static void test_random_tables(void **state)
{
    (void)state;
    struct cc_random random;
    cc_random_start(&random, 1, 0, "weights", 0);
    for (int round = 0; round < 300; round++) {
        double weights[MOST];
        uint32_t count = 1 + (uint32_t)cc_random_below(&random, round % 10 == 0 ? MOST : 40);
        uint64_t zeros = cc_random_below(&random, 4);
        for (uint32_t i = 0; i < count; i++) {
            bool zero = cc_random_below(&random, 4) < zeros && i != count / 2;
            double weight = 0.1 + cc_random_unit(&random);
            weights[i] = zero ? 0 : round % 2 == 0 ? weight : 0.1;
        }
        check(weights, count, 3000);
    }
}

/* The column's own index at the least fraction, the other at the greatest: a zero weight has no fraction at all. */
static void test_extreme_fractions(void **state)
{
    (void)state;
    struct cc_alias alias;
    build(&alias, (double[]){0, 1}, 2);
    struct cc_random least = {{0, 1, 1, 0}}, greatest = {{0, 1, 1, UINT64_MAX}};
    assert_int_equal(cc_alias_draw(&alias, &least), 1);
    assert_int_equal(cc_alias_draw(&alias, &greatest), 1);
    build(&alias, (double[]){1, 0}, 2);
    least = (struct cc_random){{0, 1, 1, 0}};
    greatest = (struct cc_random){{0, 1, 1, UINT64_MAX}};
    assert_int_equal(cc_alias_draw(&alias, &least), 0);
    assert_int_equal(cc_alias_draw(&alias, &greatest), 0);
}

static void test_one_number_a_draw(void **state)
{
    (void)state;
    struct cc_alias alias;
    struct cc_random random, steps;
    build(&alias, (double[]){1, 2, 3}, 3);
    cc_random_start(&random, 1, 0, "steps", 0);
    steps = random;
    for (int i = 0; i < 1000; i++) {
        cc_alias_draw(&alias, &random);
        cc_random_next(&steps);
    }
    assert_memory_equal(&random, &steps, sizeof random);
}

static void test_out_of_memory(void **state)
{
    (void)state;
    for (size_t limit = 0; limit <= 2; limit++) {
        struct counted counted = {0, 0, limit};
        cc_allocator allocator = counted_allocator(&counted);
        struct cc_arena small;
        struct cc_alias alias;
        double weights[] = {1, 2, 3};
        cc_arena_start(&small, &allocator);
        assert_int_equal(cc_alias_build(&alias, weights, 3, &small), limit == 2);
        cc_arena_end(&small);
        assert_int_equal(counted.live, 0);
    }
}

/* The very draws, on every target. */
static void test_golden_draws(void **state)
{
    (void)state;
    struct cc_alias alias;
    struct cc_random random;
    double weights[MOST];
    for (uint32_t i = 0; i < MOST; i++)
        weights[i] = i % 7 == 3 ? 0 : 1.0 / (i + 3);
    build(&alias, weights, MOST);
    cc_random_start(&random, 1, 0, "golden", 0);
    uint64_t hash = 0;
    for (int i = 0; i < 100000; i++)
        hash = cc_scatter(hash ^ cc_alias_draw(&alias, &random));
    if (hash != UINT64_C(0x484d67c3212a97a1))
        fail_msg("the draws hash to %016llx", (unsigned long long)hash);
}

#define WITH_ARENA(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_ARENA(test_small_tables),      WITH_ARENA(test_zipf),
        WITH_ARENA(test_random_tables),     WITH_ARENA(test_extreme_fractions),
        WITH_ARENA(test_one_number_a_draw), WITH_ARENA(test_out_of_memory),
        WITH_ARENA(test_golden_draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
