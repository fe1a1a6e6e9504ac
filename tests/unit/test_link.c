/* Links: what is written reads back, what is wrong is named, and nothing depends on the machine. */
#include "support/unit.h"

#include "cachecast.h"

#include <jansson.h>
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
        {"v=2", "newer cachecast"},
        {"v=1&", "has no value"},
        {"v=1&a", "\"a\" has no value"},
        {"v=1&a=1&a=2", "\"a\" stands twice"},
        {"v=1&n=1&n=1", "stands twice"},
        {"v=1&p=x&p=x", "stands twice"},
        {"v=1&n=10000", "0 to 9999"},
        {"v=1&n=1.5", "0 to 9999"},
        {"v=1&n=1,2", "0 to 9999"},
        {"v=1&b.a=1", "without b="},
        {"v=1&p=", "p is not"},
        {"v=1&p=a/b", "p is not"},
        {"v=1&h=123", "h is not"},
        {"v=1&h=0123ABCD", "h is not"},
        {"v=1&h=0123abcd-01234567", "h is not"},
        {"v=1&~=1", "view setting"},
        {"v=1&~a.b=1", "view setting"},
        {"v=1&.a=1", "no path"},
        {"v=1&a.=1", "no path"},
        {"v=1&=1", "no path"},
        {"v=1&a.__proto__.b=1", "no path"},
        {"v=1&constructor=1", "no path"},
        {"v=1&a=%", "without two hexadecimal"},
        {"v=1&a=%4", "without two hexadecimal"},
        {"v=1&a=%4g", "without two hexadecimal"},
        {"v=1&a=%00", "without two hexadecimal"},
        {"v=1&a=%C3", "UTF-8"},
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
        cmocka_unit_test(test_address),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_states_that_no_link_holds),
        cmocka_unit_test(test_digest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
