#include "engine/random.h"

#include "support/unit.h"

static void test_reference(void **state)
{
    (void)state;
    /* xoshiro256++ from state 1, 2, 3, 4. The first two by hand: rotl(1 + 4, 23) + 1 = 5 * 2^23 + 1; then the state is
     * 7, 0, 2^18 + 2, 6 * 2^45, and rotl(7 + 6 * 2^45, 23) + 7 = 7 * 2^23 + 6 * 2^4 + 7. */
    static const uint64_t EXPECTED[10] = {
        UINT64_C(41943041),
        UINT64_C(58720359),
        UINT64_C(3588806011781223),
        UINT64_C(3591011842654386),
        UINT64_C(9228616714210784205),
        UINT64_C(9973669472204895162),
        UINT64_C(14011001112246962877),
        UINT64_C(12406186145184390807),
        UINT64_C(15849039046786891736),
        UINT64_C(10450023813501588000),
    };
    struct cc_random random = {{1, 2, 3, 4}};
    for (int i = 0; i < 10; i++)
        assert_true(cc_random_next(&random) == EXPECTED[i]);
    /* splitmix64 of seed 1234567 */
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
    assert_true(cc_scatter(1234567 + golden) == UINT64_C(6457827717110365317));
    assert_true(cc_scatter(1234567 + 2 * golden) == UINT64_C(3203168211198807973));
}

static void test_streams(void **state)
{
    (void)state;
    static const struct {
        uint64_t seed, replication;
        const char *name;
        uint64_t index;
    } SOURCES[] = {
        {0, 0, "", 0},  {1, 0, "", 0},   {0, 1, "", 0},          {0, 0, "a", 0},         {0, 0, "", 1},
        {1, 1, "", 0},  {1, 0, "a", 0},  {1, 0, "", 1},          {0, 1, "a", 0},         {0, 1, "", 1},
        {0, 0, "a", 1}, {0, 0, "ab", 0}, {0, 0, "ba", 0},        {0, 0, "b", 0},         {2, 0, "", 0},
        {0, 2, "", 0},  {0, 0, "", 2},   {UINT64_MAX, 0, "", 0}, {0, UINT64_MAX, "", 0}, {0, 0, "", UINT64_MAX},
    };
    enum { COUNT = sizeof SOURCES / sizeof SOURCES[0] };
    uint64_t first[COUNT];
    for (int i = 0; i < COUNT; i++) {
        struct cc_random random, again;
        cc_random_start(&random, SOURCES[i].seed, SOURCES[i].replication, SOURCES[i].name, SOURCES[i].index);
        cc_random_start(&again, SOURCES[i].seed, SOURCES[i].replication, SOURCES[i].name, SOURCES[i].index);
        first[i] = cc_random_next(&random);
        assert_true(first[i] == cc_random_next(&again));
        for (int j = 0; j < i; j++)
            assert_true(first[i] != first[j]);
    }
}

static void test_ranges(void **state)
{
    (void)state;
    enum { COUNT = 200000, FACES = 6 };
    struct cc_random random;
    cc_random_start(&random, 7, 0, "ranges", 0);
    double unit = 0, open = 0;
    uint32_t faces[FACES] = {0};
    for (int i = 0; i < COUNT; i++) {
        double u = cc_random_unit(&random), v = cc_random_open(&random);
        assert_true(u >= 0 && u < 1 && v > 0 && v < 1);
        unit += u;
        open += v;
        uint64_t face = cc_random_below(&random, FACES);
        assert_true(face < FACES);
        faces[face]++;
        assert_true(cc_random_below(&random, 1) == 0);
    }
    /* five standard deviations: 1 / sqrt(12 COUNT) */
    assert_true(unit / COUNT > 0.5 - 0.00323 && unit / COUNT < 0.5 + 0.00323);
    assert_true(open / COUNT > 0.5 - 0.00323 && open / COUNT < 0.5 + 0.00323);
    for (int i = 0; i < FACES; i++) /* five standard deviations: sqrt(COUNT 5 / 36) */
        assert_true(faces[i] > 33333 - 834 && faces[i] < 33333 + 834);
}

/* The ends of the open interval, from words of all zeros and all ones: rotl(s0 + s3, 23) + s0 with s0 = 0. */
static void test_ends(void **state)
{
    (void)state;
    struct cc_random zeros = {{0, 1, 1, 0}}, ones = {{0, 1, 1, UINT64_MAX}};
    assert_true(cc_random_open(&zeros) == 0x1p-53);
    assert_true(cc_random_open(&ones) == 1 - 0x1p-53);
    zeros = (struct cc_random){{0, 1, 1, 0}};
    ones = (struct cc_random){{0, 1, 1, UINT64_MAX}};
    assert_true(cc_random_unit(&zeros) == 0);
    assert_true(cc_random_unit(&ones) == 1 - 0x1p-53);
    ones = (struct cc_random){{0, 1, 1, UINT64_MAX}};
    assert_true(cc_random_below(&ones, UINT64_MAX) == UINT64_MAX - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference),
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
