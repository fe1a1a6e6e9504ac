/* Links: what is written reads back, what is wrong is named, and nothing depends on the machine. */
#include "support/unit.h"

#include "cachecast.h"

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One text to another; a block the caller frees. */
static char *change(char *(*how)(const char *, size_t, const cc_allocator *, cc_error *), const char *text)
{
    cc_error error;
    char *made = how(text, strlen(text), NULL, &error);
    if (!made)
        fail_msg("%s: %s", text, error.message);
    size_t length = made ? strlen(made) : 0;
    assert_true(length > 0 && made[length - 1] == '\n');
    if (length > 0)
        made[length - 1] = 0;
    return made;
}

static void assert_pair(const char *state, const char *link)
{
    char *written = change(cc_link_write, state), *read = change(cc_link_read, link);
    assert_string_equal(written, link);
    assert_string_equal(read, state);
    free(written);
    free(read);
}

static void test_pairs(void **unused)
{
    (void)unused;
    assert_pair("{\"variant\":0,\"set\":{},\"view\":{}}", "v=1");
    assert_pair("{\"preset\":\"four-configurations.table\",\"variant\":3,\"set\":{\"l1.ttl\":\"5s\"},"
                "\"b\":{\"variant\":0,\"set\":{\"l2.ttl\":\"9s\"}},\"view\":{\"chart\":\"loads\"},"
                "\"digest\":\"0123abcd.00000000\"}",
                "v=1&p=four-configurations.table&n=3&l1.ttl=5s&b=0&b.l2.ttl=9s&~chart=loads&h=0123abcd.00000000");
    /* Strings that would read as something else keep their quotes; a comma that is meant is coded. */
    assert_pair("{\"preset\":\"x\",\"variant\":0,\"set\":{\"a\":\"5\",\"bb\":5,\"c\":null,\"d\":true,\"e\":\"a,b\","
                "\"f\":[1,\"x\",null],\"g\":[1],\"hh\":[],\"i\":\"\",\"j\":[\"\",\"\"],\"k\":{}},\"view\":{}}",
                "v=1&p=x&a=%225%22&bb=5&c=null&d=true&e=a%2Cb&f=1,x,null&g=%5B1%5D&hh=%5B%5D&i=&j=,&k=%7B%7D");
    assert_pair("{\"preset\":\"x\",\"variant\":0,\"set\":{\"a_b\":\"한 글\"},\"view\":{}}",
                "v=1&p=x&a%5Fb=%ED%95%9C%20%EA%B8%80");
}

/* Objects are taken apart, and what does not influence a run is left out where the scenario travels whole. */
static void test_whole(void **unused)
{
    (void)unused;
    char *link = change(cc_link_write,
                        "{\"set\":{\"name\":\"n\",\"$schema\":\"s\",\"notes\":\"n\",\"expect\":[1],\"variants\":[1],"
                        "\"playground\":{},\"workload\":{\"arrivals\":{\"rate\":1.5}},"
                        "\"events\":[{\"at\":\"1s\"},{\"at\":\"2s\"}],\"mixed\":[{\"a\":1},2]}}");
    assert_string_equal(link, "v=1&name=n&workload.arrivals.rate=1.5&events.0.at=1s&events.1.at=2s"
                              "&mixed=%5B%7B%22a%22%3A1%7D%2C2%5D");
    free(link);
}

/* An object takes the place of what was there: over an experiment, or over A, its paths alone would not. */
static void test_objects_in_place(void **unused)
{
    (void)unused;
    char *link =
        change(cc_link_write, "{\"preset\":\"x\",\"set\":{\"l1\":{\"ttl\":\"5s\"},\"events\":[{\"at\":\"1s\"}]}}");
    assert_string_equal(link, "v=1&p=x&l1=%7B%7D&l1.ttl=5s&events=%5B%5D&events.0.at=1s");
    free(link);
    link = change(cc_link_write, "{\"set\":{\"l1\":{\"ttl\":\"5s\"}},\"b\":{\"set\":{\"l1\":{\"ttl\":\"6s\"}}}}");
    assert_string_equal(link, "v=1&l1.ttl=5s&b=0&b.l1=%7B%7D&b.l1.ttl=6s");
    free(link);
    link = change(cc_link_write, "{\"set\":{\"l1.jitter\":\"1s\",\"l1\":{\"ttl\":\"5s\"}}}");
    assert_string_equal(link, "v=1&l1.jitter=1s&l1=%7B%7D&l1.ttl=5s");
    free(link);
}

static json_t *any_value(uint32_t *seed, unsigned depth)
{
    static const char *const words[] = {"",   "5s",    "5",   "-0",    "null", "true",  "a,b", " 1", "\"q\"",
                                        "[1", "1e400", "%41", "a&b=c", "#~+",  "한 글", "{}",  "\\", "__proto__"};
    static const double numbers[] = {0.1, -0.0, 1e300, 5e-324, 1e22, 2.5, -7.25, 123456.789};
    *seed = *seed * 1664525u + 1013904223u;
    uint32_t chance = *seed >> 8;
    switch (chance % (depth < 3 ? 8 : 5)) {
    case 0:
        return json_null();
    case 1:
        return json_boolean(chance >> 4 & 1);
    case 2:
        return json_integer((json_int_t)(chance >> 4) * (chance & 16 ? 1000003 : -1));
    case 3:
        return json_real(numbers[(chance >> 4) % (sizeof numbers / sizeof *numbers)]);
    case 4:
        return json_string(words[(chance >> 4) % (sizeof words / sizeof *words)]);
    case 5:
        if (depth > 0) { /* within lists of lists objects stay whole */
            json_t *object = json_object();
            json_object_set_new(object, "k.l", any_value(seed, depth + 1));
            return object;
        }
    /* fallthrough */
    default: {
        json_t *list = json_array();
        for (uint32_t i = 0; i < (chance >> 4) % 4; i++)
            json_array_append_new(list, any_value(seed, depth + 1));
        return list;
    }
    }
}

/* Equal; 1.0 may come back as 1, and -0.0 must not come back as 0. */
static bool is_same(json_t *left, json_t *right)
{
    size_t i;
    const char *key;
    json_t *inner;
    if (json_is_number(left) && json_is_number(right)) {
        double one = json_number_value(left), other = json_number_value(right);
        return one == other && signbit(one) == signbit(other);
    }
    if (json_typeof(left) != json_typeof(right) || json_array_size(left) != json_array_size(right) ||
        json_object_size(left) != json_object_size(right))
        return false;
    json_array_foreach(left, i, inner)
    {
        if (!is_same(inner, json_array_get(right, i)))
            return false;
    }
    json_object_foreach(left, key, inner)
    {
        json_t *other = json_object_get(right, key);
        if (!other || !is_same(inner, other))
            return false;
    }
    return json_is_object(left) || json_is_array(left) || json_equal(left, right);
}

static void test_any_value(void **unused)
{
    (void)unused;
    uint32_t seed = 1;
    for (int i = 0; i < 2000; i++) {
        json_t *state = json_pack("{s:s,s:i,s:{s:o},s:{}}", "preset", "x", "variant", i % 10000, "set", "a",
                                  any_value(&seed, 0), "view");
        assert_non_null(state);
        char *words = json_dumps(state, JSON_COMPACT), *link = change(cc_link_write, words);
        char *read = change(cc_link_read, link);
        json_t *again = json_loads(read, 0, NULL);
        char *link_again = change(cc_link_write, read);
        assert_string_equal(link_again, link);
        assert_true(is_same(state, again));
        json_decref(state);
        json_decref(again);
        free(words);
        free(link);
        free(read);
        free(link_again);
    }
}

static void test_most_parts(void **unused)
{
    (void)unused;
    for (int count = 999; count <= 1000; count++) {
        json_t *set = json_object();
        for (int i = 0; i < count; i++) {
            char path[16];
            snprintf(path, sizeof path, "a%d", i);
            json_object_set_new(set, path, json_integer(i));
        }
        json_t *state = json_pack("{s:o}", "set", set);
        char *words = json_dumps(state, JSON_COMPACT);
        cc_error error;
        char *link = cc_link_write(words, strlen(words), NULL, &error);
        if (count == 999) {
            assert_non_null(link);
            char *read = change(cc_link_read, link);
            free(read);
        } else {
            assert_null(link);
            assert_non_null(strstr(error.message, "at most 1000 parts"));
        }
        cc_text_free(link, NULL);
        free(words);
        json_decref(state);
    }
}

static void test_address(void **unused)
{
    (void)unused;
    char *read = change(cc_link_read, "https://example.org/?v=2#v=1&a=/+* \r\n");
    assert_string_equal(read, "{\"variant\":0,\"set\":{\"a\":\"/+*\"},\"view\":{}}");
    free(read);
}

static void assert_refused(const char *link, size_t length, const char *part)
{
    cc_error error;
    assert_null(cc_link_read(link, length, NULL, &error));
    assert_int_equal(error.status, CC_BAD_INPUT);
    if (!strstr(error.message, part))
        fail_msg("%.60s: %s (expected %s)", link, error.message, part);
    assert_null(strchr(error.message, '\n'));
}

static void test_refusals(void **unused)
{
    (void)unused;
    static const struct {
        const char *link, *part;
    } rows[] = {
        {"", "has no value"},
        {"a=1", "starts with v=1"},
        {"v=1&v=1", "once"},
        {"v=x", "v=1"},
        {"v=0", "v=1"},
        {"v=2", "v=2: the link was made by a newer cachecast"},
        {"v=1&", "has no value"},
        {"v=1&a", "\"a\" has no value"},
        {"v=1&a=1&a=2", "\"a\" stands twice"},
        {"v=1&n=1&n=1", "stands twice"},
        {"v=1&p=x&p=x", "stands twice"},
        {"v=1&n=10000", "n=10000: n is a variant's position: a whole number from 0 to 9999"},
        {"v=1&n=-1", "0 to 9999"},
        {"v=1&b=x", "b=x: b is"},
        {"v=1&b=1&b=1", "\"b\" stands twice"},
        {"v=1&b=1&b.a=1&b.a=1", "\"a\" stands twice"},
        {"v=1&~a=1&~a=1", "\"a\" stands twice"},
        {"v=1&h=00000000&h=00000000", "\"h\" stands twice"},
        {"v=1&%61=1&a=1", "\"a\" stands twice"},
        {"v=1&n=1.5", "0 to 9999"},
        {"v=1&n=1,2", "0 to 9999"},
        {"v=1&b.a=1", "without b="},
        {"v=1&p=", "p is not"},
        {"v=1&p=a/b", "p=a/b: p is not"},
        {"v=1&h=123", "h=123: h is not"},
        {"v=1&h=0123ABCD", "h is not"},
        {"v=1&h=0123abcd-01234567", "h is not"},
        {"v=1&~=1", "view setting"},
        {"v=1&~a.b=1", "view setting"},
        {"v=1&~a1=1", "\"~a1\": the name of a view setting"},
        {"v=1&.a=1", "no path"},
        {"v=1&a.=1", "no path"},
        {"v=1&=1", "no path"},
        {"v=1&a.__proto__.b=1", "no path"},
        {"v=1&constructor=1", "no path"},
        {"v=1&a=%7B%22__proto__%22:1%7D", "the value of \"a\" holds the key \"__proto__\""},
        {"v=1&b=0&b.a=%5B%7B%22constructor%22:1%7D%5D", "the value of \"b.a\" holds"},
        {"v=1&a=%", "without two hexadecimal"},
        {"v=1&a=%4", "the value of \"a\" holds \"%4\""},
        {"v=1&%zz=1", "a key holds \"%zz\""},
        {"v=1&a=%4g", "without two hexadecimal"},
        {"v=1&a=%00", "without two hexadecimal"},
        {"v=1&a=%C3", "the value of \"a\" is not valid UTF-8"},
        {"v=1&%C3=1", "UTF-8"},
        {"v=1&~a=%C3", "UTF-8"},
        {"v=1&a%09=1", "control"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_refused(rows[i].link, strlen(rows[i].link), rows[i].part);
    assert_refused("v=1\0&a=1", 8, "zero byte");
    char *large = malloc(65537);
    assert_non_null(large);
    memset(large, 'a', 65537);
    assert_refused(large, 65537, "at most 65536");
    free(large);
    char many[8000] = "v=1";
    size_t length = 3;
    for (int i = 0; i < 1000; i++)
        length += (size_t)snprintf(many + length, sizeof many - length, "&a%d=1", i);
    assert_refused(many, length, "more than 1000 parts");
}

static void test_states_that_no_link_holds(void **unused)
{
    (void)unused;
    static const char *const states[] = {
        "",
        "[]",
        "{\"preset\":\"<\"}",
        "{\"preset\":5}",
        "{\"variant\":-1}",
        "{\"variant\":\"1\"}",
        "{\"digest\":\"x\"}",
        "{\"view\":{\"<\":\"1\"}}",
        "{\"view\":{\"a\":1}}",
        "{\"set\":{\"__proto__\":1}}",
        "{\"set\":{\"a\":{\"prototype\":1}}}",
        "{\"set\":{\"\":1}}",
        "{\"set\":{\"p\":1}}",
        "{\"set\":{\"b.c\":1}}",
        "{\"set\":{\"~c\":1}}",
        "{\"set\":5}",
        "{\"b\":null}",
        "{\"b\":{\"set\":[]}}",
        "{\"view\":[]}",
        "{\"set\":{\"a\":[[{\"__proto__\":1}]]}}",
        /* What is taken apart may bring a path again. */
        "{\"set\":{\"a.b\":1,\"a\":{\"b\":2}}}",
    };
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        cc_error error;
        assert_null(cc_link_write(states[i], strlen(states[i]), NULL, &error));
        assert_int_equal(error.status, CC_BAD_INPUT);
    }
}

/* The digest is that of docs/links.md on every machine. */
static void test_digest(void **unused)
{
    (void)unused;
    static const char text[] = "{\"name\":\"d\",\"duration\":\"1s\",\"workload\":{\"arrivals\":{\"rate\":100}},"
                               "\"l1\":{\"ttl\":\"100ms\"},\"origin\":{\"load\":\"1ms\"}}";
    cc_error error;
    cc_scenario *scenario = cc_scenario_parse(text, sizeof text - 1, NULL, &error);
    assert_non_null(scenario);
    cc_run *run = cc_run_new(scenario, 0, &error);
    assert_non_null(run);
    uint32_t start = cc_run_digest(run);
    while (cc_run_advance(run, 1000, &error) == CC_MORE)
        continue;
    assert_int_not_equal(cc_run_digest(run), start);
    assert_int_equal(cc_run_digest(run), 0xd9a9bfd9u);
    cc_run_free(run);
    cc_scenario_free(scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_objects_in_place),
        cmocka_unit_test(test_any_value),
        cmocka_unit_test(test_most_parts),
        cmocka_unit_test(test_address),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_states_that_no_link_holds),
        cmocka_unit_test(test_digest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
