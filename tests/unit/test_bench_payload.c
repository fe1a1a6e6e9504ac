#include "payload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sha256.h"
#include "support/unit.h"

static void hash_is(const char *text, size_t repeats, const char *expected)
{
    struct sha256 hash;
    char hex[65];
    sha256_start(&hash);
    for (size_t i = 0; i < repeats; i++)
        sha256_add(&hash, text, strlen(text));
    sha256_end(&hash, hex);
    assert_string_equal(hex, expected);
}

static void test_sha256(void **state)
{
    (void)state;
    /* FIPS 180-2, appendix B, and the empty message */
    hash_is("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    hash_is("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    hash_is("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    hash_is("aaaaaaaaaaaaaaaaaaaaaaaaa", 40000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void test_golden(void **state)
{
    (void)state;
    static const struct {
        size_t bytes;
        const char *digest;
    } GOLDEN[] = {
        {128, "89d3a0fc58b3ccf23439764361b763a6330c34ba84cfb5b62818a39b07668386"},
        {1024, "69aa859c5ea37fc4c6e780acf78dc3638ae8ba2967e847bc7afd4b5ad49503c8"},
        {65536, "85c14f69f6cabc6e9387844ac1c4e38cf2342c262442e4fd8563671eb9898b33"},
    };
    for (size_t i = 0; i < sizeof GOLDEN / sizeof *GOLDEN; i++) {
        struct payload_set set, other;
        char hex[65], again[65];
        assert_true(payload_set_make(&set, GOLDEN[i].bytes, 16, 4096, 1));
        assert_true(payload_set_make(&other, GOLDEN[i].bytes, 16, 4096, 2));
        payload_set_digest(&set, hex);
        payload_set_digest(&other, again);
        assert_string_equal(hex, GOLDEN[i].digest);
        assert_string_not_equal(hex, again);
        payload_set_free(&set);
        payload_set_free(&other);
    }
}

static int by_content(const void *left, const void *right)
{
    const struct payload *a = left, *b = right;
    if (a->size != b->size)
        return a->size < b->size ? -1 : 1;
    return memcmp(a->bytes, b->bytes, a->size);
}

static void test_sizes(void **state)
{
    (void)state;
    static const size_t SIZES[] = {128, 200, 512, 1000, 4096, 61440, 1048576};
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        struct payload_set set;
        size_t total = 0;
        assert_true(payload_set_make(&set, SIZES[i], 64, 300000, 7));
        assert_true(set.count >= 64 && set.total >= 300000);
        assert_true(set.most <= SIZES[i] && set.least + 64 > SIZES[i]); /* an item more would not have fitted */
        for (size_t j = 0; j < set.count; j++) {
            const struct payload *item = &set.items[j];
            total += item->size;
            assert_true(item->size >= set.least && item->size <= set.most);
            assert_memory_equal(item->bytes, "{\"request\":\"", 12);
            assert_memory_equal(item->bytes + item->size - 3, "}]}", 3);
        }
        assert_int_equal(total, set.total);
        qsort(set.items, set.count, sizeof *set.items, by_content);
        for (size_t j = 1; j < set.count; j++)
            assert_true(by_content(&set.items[j - 1], &set.items[j]) != 0);
        payload_set_free(&set);
    }
}

static void put_file(const char *directory, const char *name, size_t size)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (size_t i = 0; i < size; i++)
        fputc((int)('a' + i % 26), file);
    fclose(file);
}

static void test_directory(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"b", "a", "c", "empty", ".hidden"};
    static const size_t NAMED_SIZES[] = {100, 110, 5000, 0, 7};
    char directory[] = "/tmp/cachecast-payloads-XXXXXX", problem[256] = "", path[256];
    struct payload_set set, classes[14];
    assert_non_null(mkdtemp(directory));
    assert_false(payload_set_read(&set, directory, problem, sizeof problem));
    assert_non_null(strstr(problem, "no payloads"));
    for (size_t i = 0; i < 5; i++)
        put_file(directory, NAMES[i], NAMED_SIZES[i]);
    snprintf(path, sizeof path, "%s/inside", directory);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_true(payload_set_read(&set, directory, problem, sizeof problem));
    assert_int_equal(set.count, 3);
    assert_int_equal(set.items[0].size, 110); /* in order of name */
    assert_int_equal(set.items[1].size, 100);
    assert_int_equal(set.items[2].size, 5000);
    assert_int_equal(payload_set_classes(&set, classes, 14), 2);
    assert_int_equal(classes[0].count, 2);
    assert_int_equal(classes[0].total, 210);
    assert_int_equal(classes[1].items[0].size, 5000);
    payload_set_free(&classes[0]);
    payload_set_free(&classes[1]);
    assert_int_equal(payload_set_classes(&set, classes, 1), 1);
    assert_int_equal(classes[0].count, 3);
    payload_set_free(&classes[0]);
    payload_set_free(&set);
    rmdir(path);
    for (size_t i = 0; i < 5; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, NAMES[i]);
        unlink(path);
    }
    rmdir(directory);
    assert_false(payload_set_read(&set, directory, problem, sizeof problem));
    assert_non_null(strstr(problem, "No such file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sha256),
        cmocka_unit_test(test_golden),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_directory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
