#include "codec.h"

#include <stdlib.h>
#include <string.h>

#include "codec_plain.h"
#include "codec_rounds.h"
#include "codec_threads.h"
#include "engine/random.h"
#include "support/unit.h"

static void round_trip(const struct codec *codec, const unsigned char *bytes, size_t size)
{
    struct codec_state *state = codec_state_new(codec);
    size_t room = codec_bound(codec, size);
    unsigned char *packed = malloc(room + 1), *back = malloc(size + 1);
    assert_true(state && packed && back && room >= size);
    size_t stored = codec_compress(state, bytes, size, packed, room);
    assert_true(stored > 0 && stored <= room);
    assert_true(codec_decompress(state, packed, stored, back, size));
    assert_memory_equal(back, bytes, size);
    /* Another size than it had, and half of it, are refused. */
    assert_false(codec_decompress(state, packed, stored, back, size + 1));
    assert_false(size > 1 && codec_decompress(state, packed, stored, back, size - 1));
    assert_false(codec_decompress(state, packed, stored / 2, back, size));
    codec_state_free(state);
    free(packed);
    free(back);
}

static void test_round_trips(void **state)
{
    (void)state;
    static const size_t SIZES[] = {1, 2, 15, 16, 17, 100, 4096, 65535, 65536, 65537, 300000};
    unsigned char *random_bytes = malloc(300000), *zeros = calloc(1, 300000);
    struct cc_random random;
    assert_true(random_bytes && zeros);
    cc_random_start(&random, 1, 0, "bytes", 0);
    for (size_t i = 0; i < 300000; i++)
        random_bytes[i] = (unsigned char)cc_random_next(&random);
    for (size_t i = 0; codec_at(i) != NULL; i++) {
        for (size_t j = 0; j < sizeof SIZES / sizeof *SIZES; j++) {
            round_trip(codec_at(i), random_bytes, SIZES[j]);
            round_trip(codec_at(i), zeros, SIZES[j]);
        }
    }
    free(random_bytes);
    free(zeros);
}

static void test_payloads(void **state)
{
    (void)state;
    for (size_t bytes = 128; bytes <= 131072; bytes *= 4) {
        struct payload_set set;
        assert_true(payload_set_make(&set, bytes, 8, 1024, 1));
        for (size_t i = 0; codec_at(i) != NULL; i++)
            for (size_t j = 0; j < set.count; j++)
                round_trip(codec_at(i), set.items[j].bytes, set.items[j].size);
        payload_set_free(&set);
    }
}

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(codec_name(codec_at(0)), "none");
    assert_ptr_equal(codec_find("lz4"), codec_find("lz4"));
    assert_ptr_equal(codec_find("lz4:1234"), codec_find("lz4:1234"));
    assert_string_equal(codec_name(codec_find("lz4:65537")), "lz4:65537");
    static const char *const WRONG[] = {"",          "LZ4",    "lz4:",   "lz4:0", "lz4:08",
                                        "lz4:65538", "lz4:-1", "lz4:1x", "zstd:2"};
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++)
        assert_null(codec_find(WRONG[i]));
    assert_non_null(strstr(codec_library(codec_find("lz4")), "liblz4 1."));
    assert_non_null(strstr(codec_library(codec_find("snappy")), "libsnappy "));
}

/* Compressed with LZ4 once, on another machine: the format stays readable. */
static void test_known_bytes(void **state)
{
    (void)state;
    static const unsigned char LZ4[] = {0x13, 'a', 0x01, 0x00, 0x50, 'a', 'a', 'a', 'a', 'a'};
    static const unsigned char SNAPPY[] = {0x03, 0x08, 'a', 'b', 'c'};
    char back[16];
    struct codec_state *lz4 = codec_state_new(codec_find("lz4")), *snappy = codec_state_new(codec_find("snappy"));
    assert_true(codec_decompress(lz4, LZ4, sizeof LZ4, back, 13));
    assert_memory_equal(back, "aaaaaaaaaaaaa", 13);
    assert_true(codec_decompress(snappy, SNAPPY, sizeof SNAPPY, back, 3));
    assert_memory_equal(back, "abc", 3);
    static const unsigned char BAD[] = {0x03, 0x01, 0x10, 0xff, 0xff};
    assert_false(codec_decompress(lz4, BAD, sizeof BAD, back, 13));
    assert_false(codec_decompress(snappy, BAD, sizeof BAD, back, 3));
    codec_state_free(lz4);
    codec_state_free(snappy);
}

/* ---- the bench -------------------------------------------------------------------------------------------------- */

struct fixture {
    const struct codec *codecs[2];
    struct payload_set set;
    struct codec_plan plan;
    atomic_int stop;
};

static void set_up(struct fixture *fixture)
{
    *fixture = (struct fixture){.codecs = {codec_find("none"), codec_find("lz4")}};
    assert_true(payload_set_make(&fixture->set, 1024, 64, 1 << 16, 1));
    fixture->plan = (struct codec_plan){.codecs = fixture->codecs,
                                        .codec_count = 2,
                                        .base = 1,
                                        .sets = &fixture->set,
                                        .set_count = 1,
                                        .cold = true,
                                        .rounds = 4,
                                        .batch_ns = 200000,
                                        .warm_ns = 200000,
                                        .seed = 1,
                                        .stop = &fixture->stop};
}

static void test_rounds(void **state)
{
    (void)state;
    struct fixture fixture;
    struct codec_bench bench;
    char problem[64];
    set_up(&fixture);
    assert_true(codec_bench_prepare(&bench, &fixture.plan, problem, sizeof problem));
    assert_true(codec_bench_run(&bench));
    assert_int_equal(bench.rounds, 4);
    assert_int_equal(bench.cell_count, 8);
    assert_false(bench.interrupted);
    for (size_t i = 0; i < bench.cell_count; i++) {
        const struct codec_cell *cell = &bench.cells[i];
        assert_true(cell->count >= 3 && cell->min > 0 && cell->min <= cell->median && cell->median <= cell->p90);
        assert_true(cell->interval.low <= cell->median && cell->median <= cell->interval.high);
        assert_true(!cell->cold || cell->calls <= fixture.set.count);
        assert_ptr_equal(cell, codec_bench_cell(&bench, cell->codec, cell->set, cell->direction, cell->cold));
        if (cell->codec == fixture.plan.base)
            assert_true(cell->ratio == 1);
    }
    assert_true(codec_mean_stored(&bench, 0, 0) == codec_mean_bytes(&bench, 0));

    /* The plain loop, which compresses by itself, ends with as many bytes. */
    struct codec_plain *plain = codec_plain_new("lz4", &fixture.set, &bench.stored[1].packed);
    assert_non_null(plain);
    assert_true(codec_plain_compress(plain, 1) > 0 && codec_plain_decompress(plain, 1) > 0);
    assert_int_equal(codec_plain_stored(plain), bench.stored[1].total);
    codec_plain_free(plain);

    static const size_t COUNTS[] = {1, 3};
    struct threads_row rows[2];
    assert_true(codec_threads_measure(&bench, &bench.cells[4], COUNTS, 2, 2, 1000000, rows, problem, sizeof problem));
    assert_true(rows[0].factor == 1 && rows[1].threads == 3 && rows[1].ns > 0 && rows[0].calls_per_s > 0);
    codec_bench_free(&bench);
    payload_set_free(&fixture.set);
}

static void stop_soon(void *context, double done)
{
    struct fixture *fixture = context;
    if (done > 0.7)
        atomic_store(&fixture->stop, 1);
}

static void test_interruption(void **state)
{
    (void)state;
    struct fixture fixture;
    struct codec_bench bench;
    char problem[64];
    set_up(&fixture);
    fixture.plan.rounds = 50;
    fixture.plan.progress = stop_soon;
    fixture.plan.context = &fixture;
    assert_true(codec_bench_prepare(&bench, &fixture.plan, problem, sizeof problem));
    assert_true(codec_bench_run(&bench));
    assert_true(bench.interrupted && bench.rounds > 0 && bench.rounds < 50);
    for (size_t i = 0; i < bench.cell_count; i++)
        assert_true(bench.cells[i].count > 0 && bench.cells[i].median > 0);
    codec_bench_free(&bench);
    payload_set_free(&fixture.set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips), cmocka_unit_test(test_payloads), cmocka_unit_test(test_names),
        cmocka_unit_test(test_known_bytes), cmocka_unit_test(test_rounds),   cmocka_unit_test(test_interruption),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
