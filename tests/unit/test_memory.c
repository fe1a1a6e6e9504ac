#include "engine/memory.h"

#include "support/allocator.h"
#include "support/unit.h"

#include <string.h>

static void test_resize(void **state)
{
    (void)state;
    struct counted counted = {0, 0, 2};
    cc_allocator allocator = counted_allocator(&counted);
    uint32_t *block = cc_resize(&allocator, NULL, 0, 10, sizeof *block);
    assert_non_null(block);
    assert_int_equal(counted.live, 40);
    for (uint32_t i = 0; i < 10; i++)
        block[i] = i;
    block = cc_resize(&allocator, block, 10, 1000, sizeof *block);
    assert_non_null(block);
    assert_int_equal(counted.live, 4000);
    assert_null(cc_resize(&allocator, block, 1000, 2000, sizeof *block)); /* refused; the block is still there */
    for (uint32_t i = 0; i < 10; i++)
        assert_int_equal(block[i], i);
    cc_release(&allocator, block, 1000, sizeof *block);
    assert_int_equal(counted.live, 0);
    cc_release(&allocator, NULL, 5, 8);
    assert_int_equal(counted.live, 0);
}

static void test_overflow(void **state)
{
    (void)state;
    struct counted counted = {0, 0, SIZE_MAX};
    cc_allocator allocator = counted_allocator(&counted);
    struct cc_arena arena;
    assert_null(cc_resize(&allocator, NULL, 0, SIZE_MAX / 2, 4));
    assert_null(cc_resize(&allocator, NULL, 0, SIZE_MAX, 1));
    assert_null(cc_resize(&allocator, NULL, 0, (SIZE_MAX >> 2) + 1, 4)); /* the product wraps to 0 */
    assert_null(cc_resize(&allocator, NULL, 0, 0, 4));
    cc_arena_start(&arena, &allocator);
    assert_null(cc_arena_take(&arena, SIZE_MAX / 2, 4));
    assert_null(cc_arena_take(&arena, SIZE_MAX, 1));
    assert_int_equal(counted.served, 0);
    cc_arena_end(&arena);
}

static void test_default(void **state)
{
    (void)state;
    cc_allocator allocator = cc_allocator_or_default(NULL);
    char *block = cc_resize(&allocator, NULL, 0, 8, 1);
    assert_non_null(block);
    memcpy(block, "seven77", 8);
    block = cc_resize(&allocator, block, 8, 4096, 1);
    assert_non_null(block);
    assert_string_equal(block, "seven77");
    cc_release(&allocator, block, 4096, 1);
}

static void test_arena(void **state)
{
    (void)state;
    static const size_t SIZES[] = {0, 1, 7, 16, 100, 5000, 16383, 16384, 16385, 70000, 3};
    enum { COUNT = sizeof SIZES / sizeof SIZES[0], ROUNDS = 40 };
    struct counted counted = {0, 0, SIZE_MAX};
    cc_allocator allocator = counted_allocator(&counted);
    struct cc_arena arena;
    unsigned char *taken[ROUNDS][COUNT];
    cc_arena_start(&arena, &allocator);
    for (size_t round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < COUNT; i++) {
            unsigned char *p = taken[round][i] = cc_arena_take(&arena, SIZES[i], 1);
            assert_non_null(p);
            assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
            for (size_t j = 0; j < SIZES[i]; j++)
                assert_true(p[j] == 0);
            if (SIZES[i] > 0)
                memset(p, (int)(round * COUNT + i) % 255 + 1, SIZES[i]);
        }
    }
    for (size_t round = 0; round < ROUNDS; round++) { /* nothing overlaps */
        for (size_t i = 0; i < COUNT; i++) {
            for (size_t j = 0; j < SIZES[i]; j++)
                assert_true(taken[round][i][j] == (round * COUNT + i) % 255 + 1);
        }
    }
    assert_true(counted.live > 0);
    cc_arena_end(&arena);
    assert_int_equal(counted.live, 0);
    cc_arena_end(&arena); /* empty by now */
}

static void test_small_takes_share_blocks(void **state)
{
    (void)state;
    struct counted counted = {0, 0, SIZE_MAX};
    cc_allocator allocator = counted_allocator(&counted);
    struct cc_arena arena;
    cc_arena_start(&arena, &allocator);
    for (int i = 0; i < 100; i++) {
        assert_non_null(cc_arena_take(&arena, 16, 1));
        if (i % 10 == 0)
            assert_non_null(cc_arena_take(&arena, 20000, 1)); /* must not displace the block with room */
    }
    assert_int_equal(counted.served, 11);
    cc_arena_end(&arena);
    assert_int_equal(counted.live, 0);
}

static void test_text(void **state)
{
    (void)state;
    struct cc_arena arena;
    cc_arena_start(&arena, NULL);
    const char *text = cc_arena_text(&arena, "cachecast", 5), *empty = cc_arena_text(&arena, NULL, 0);
    assert_string_equal(text, "cache");
    assert_string_equal(empty, "");
    cc_arena_end(&arena);
}

static void test_arena_out_of_memory(void **state)
{
    (void)state;
    struct counted counted = {0, 0, 1};
    cc_allocator allocator = counted_allocator(&counted);
    struct cc_arena arena;
    cc_arena_start(&arena, &allocator);
    unsigned char *first = cc_arena_take(&arena, 100, 1);
    assert_non_null(first);
    assert_null(cc_arena_take(&arena, 100000, 1));
    assert_null(cc_arena_text(&arena, "x", 60000));
    assert_non_null(cc_arena_take(&arena, 100, 1)); /* the first block has room */
    cc_arena_end(&arena);
    assert_int_equal(counted.live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resize),
        cmocka_unit_test(test_overflow),
        cmocka_unit_test(test_default),
        cmocka_unit_test(test_arena),
        cmocka_unit_test(test_small_takes_share_blocks),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_arena_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
