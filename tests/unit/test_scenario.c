/* Reading scenarios: defaults, units, what lies over what, where errors are placed, and every way of running out of
 * memory. */
#include "support/unit.h"

#include "cachecast.h"
#include "io/fields.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const FILES[] = {
    "sims/start/two-tiers.json",
    "sims/published/four-configurations/cold-start.json",
    "sims/published/four-configurations/full-path.json",
    "sims/published/four-configurations/scale-out.json",
    "sims/published/four-configurations/spike.json",
    "sims/published/four-configurations/table.json",
    "sims/published/four-configurations/working-set.json",
    "sims/published/in-process-feed/feed.json",
};

#define SMALL "\"name\": \"x\", \"duration\": \"10s\", \"workload\": {\"arrivals\": {\"rate\": 10}}"

static const char TWO_TIERS[] =
    "{\"name\": \"two tiers\", \"duration\": \"2s\", \"warmup\": \"500ms\",\n"
    " \"workload\": {\"arrivals\": {\"process\": \"poisson\", \"rate\": 300},\n"
    "  \"keys\": {\"popularity\": \"zipf\", \"count\": 50, \"s\": 0.9}},\n"
    " \"instances\": {\"count\": 2, \"cpu\": {\"dist\": \"empirical\", \"values\": [\"1ms\", \"2ms\"], \"weights\": "
    "[3, 1]}},\n"
    " \"l1\": {\"ttl\": \"300ms\", \"capacity\": 20}, \"l2\": {\"ttl\": \"1s\", \"get\": \"1ms\", \"set\": \"1ms\"},\n"
    " \"origin\": {\"load\": {\"dist\": \"exponential\", \"mean\": \"5ms\"}, \"cold_load\": \"9ms\", \"pool\": 3, "
    "\"cores\": 2},\n"
    " \"events\": [{\"at\": \"1s\", \"do\": \"flush\"}, {\"at\": \"1s\", \"do\": \"add_instance\"}],\n"
    " \"phases\": [{\"name\": \"a\", \"at\": \"1s\"}],\n"
    " \"expect\": [{\"metric\": \"requests\", \"value\": 450, \"tolerance\": \"20%\"}],\n"
    " \"variants\": [{\"name\": \"v\", \"set\": {\"l1.jitter\": \"10ms\"}, \"expect\": [{\"metric\": \"errors\", "
    "\"max\": 0}]}]}\n";

static cc_scenario *parse(const char *text, size_t variant, const cc_override *overrides, size_t count)
{
    cc_error error;
    cc_scenario *scenario = cc_scenario_parse(
        text, strlen(text), &(cc_parse_options){.variant = variant, .overrides = overrides, .override_count = count},
        &error);
    if (!scenario)
        fail_msg("%u:%u: %s", error.line, error.column, error.message);
    return scenario;
}

/* The explained scenario as a tree; frees the scenario. */
static json_t *explained(cc_scenario *scenario)
{
    char *text = cc_scenario_explain(scenario);
    assert_non_null(text);
    json_t *tree = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(tree);
    cc_text_free(text, NULL);
    cc_scenario_free(scenario);
    return tree;
}

static json_t *at(json_t *tree, const char *path)
{
    char step[64];
    while (*path) {
        size_t length = strcspn(path, ".");
        snprintf(step, sizeof step, "%.*s", (int)length, path);
        tree = json_is_array(tree) ? json_array_get(tree, strtoul(step, NULL, 10)) : json_object_get(tree, step);
        path += length + (path[length] == '.');
    }
    return tree;
}

static void assert_text(json_t *tree, const char *path, const char *wanted)
{
    json_t *found = at(tree, path);
    if (!json_is_string(found))
        fail_msg("%s is no string", path);
    assert_string_equal(json_string_value(found), wanted);
}

static void assert_integer(json_t *tree, const char *path, long long wanted)
{
    json_t *found = at(tree, path);
    if (!json_is_number(found))
        fail_msg("%s is no number", path);
    assert_true(json_number_value(found) == (double)wanted);
}

static void assert_null_at(json_t *tree, const char *path)
{
    if (!json_is_null(at(tree, path)))
        fail_msg("%s is not null", path);
}

static void test_defaults(void **state)
{
    (void)state;
    cc_scenario *scenario = parse("{" SMALL "}", 0, NULL, 0);
    assert_string_equal(cc_scenario_name(scenario), "x");
    assert_string_equal(cc_scenario_variant(scenario), "");
    assert_int_equal(cc_scenario_replications(scenario), 1);
    assert_int_equal(cc_expectation_count(scenario), 0);
    json_t *tree = explained(scenario);
    assert_integer(tree, "seed", 1);
    assert_integer(tree, "replications", 1);
    assert_text(tree, "warmup", "0s");
    assert_text(tree, "interval", "50ms");
    assert_text(tree, "question", "");
    assert_text(tree, "workload.arrivals.process", "paced");
    assert_integer(tree, "workload.arrivals.max_in_flight", 1000000);
    assert_text(tree, "workload.arrivals.when_full", "drop");
    assert_null(at(tree, "workload.arrivals.clients")); /* of closed arrivals only */
    assert_text(tree, "workload.keys.popularity", "uniform");
    assert_integer(tree, "workload.keys.count", 1);
    assert_integer(tree, "instances.count", 1);
    assert_integer(tree, "instances.cores", 1);
    assert_text(tree, "instances.cpu", "0s");
    assert_null_at(tree, "instances.threads");
    assert_null_at(tree, "instances.queue_limit");
    assert_text(tree, "instances.balancer", "round_robin");
    assert_null_at(tree, "l1");
    assert_null_at(tree, "l2");
    assert_text(tree, "origin.load", "0s");
    assert_null_at(tree, "origin.cold_load");
    assert_null_at(tree, "origin.pool");
    assert_integer(tree, "origin.checks_per_request", 0);
    json_decref(tree);

    tree = explained(parse("{" SMALL ", \"l1\": {\"ttl\": null}, \"l2\": {\"ttl\": \"1s\"}}", 0, NULL, 0));
    assert_null_at(tree, "l1.ttl");
    assert_null_at(tree, "l1.capacity");
    assert_text(tree, "l1.single_flight", "instance");
    assert_text(tree, "l1.eviction", "lru");
    assert_text(tree, "l1.start", "cold");
    assert_text(tree, "l1.phase", "synchronised");
    assert_text(tree, "l2.single_flight", "none");
    assert_text(tree, "l2.write", "overwrite");
    assert_text(tree, "l2.get", "0s");
    json_decref(tree);
}

static void test_units(void **state)
{
    (void)state;
    static const struct {
        const char *written, *shown;
    } durations[] = {
        {"0ns", "0s"},
        {"1ns", "1ns"},
        {"1000ns", "1us"},
        {"1.5us", "1500ns"},
        {"250\xc2\xb5s", "250us"},
        {"250\xce\xbcs", "250us"},
        {"0.001ms", "1us"},
        {"1.50ms", "1500us"},
        {"2s", "2s"},
        {"0.000000001s", "1ns"},
        {"1.5m", "90s"},
        {"2h", "7200s"},
        {"30d", "2592000s"},
        {"007s", "7s"},
        {"1.000s", "1s"},
    };
    for (size_t i = 0; i < sizeof durations / sizeof *durations; i++) {
        const cc_override laid = {"origin.load", durations[i].written, "test"};
        json_t *tree = explained(parse("{" SMALL "}", 0, &laid, 1));
        assert_text(tree, "origin.load", durations[i].shown);
        json_decref(tree);
    }
    static const char *const wrong[] = {
        "1",    "s",   "1 s",  " 1s",   "1s ",   "1S",  "-1s",           "+1s",
        ".5s",  "1.s", "1e3s", "1m30s", "0.5ns", "31d", "1.0000000001s", "99999999999999999999s",
        "0x1s", "1,5s"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const cc_override laid = {"origin.load", wrong[i], "test"};
        cc_error error;
        const char *text = "{" SMALL "}";
        if (cc_scenario_parse(text, strlen(text), &(cc_parse_options){.overrides = &laid, .override_count = 1}, &error))
            fail_msg("\"%s\" was read", wrong[i]);
        assert_int_equal(error.status, CC_BAD_INPUT);
        assert_string_equal(error.pointer, "/origin/load");
        assert_int_equal(error.line, 0);
    }
}

static char *read_source(const char *path, size_t *length)
{
    char name[4096];
    snprintf(name, sizeof name, "%s/%s", CC_SOURCE_DIR, path);
    FILE *file = fopen(name, "rb");
    if (!file)
        fail_msg("cannot open %s", path);
    size_t size = 1 << 20;
    char *text = malloc(size);
    assert_non_null(text);
    *length = fread(text, 1, size, file);
    assert_true(*length > 0 && *length < size);
    fclose(file);
    return text;
}

static void assert_explained_again(const char *text, size_t length, size_t variant)
{
    cc_error error;
    cc_scenario *scenario = cc_scenario_parse(text, length, &(cc_parse_options){.variant = variant}, &error);
    if (!scenario)
        fail_msg("%u:%u: %s", error.line, error.column, error.message);
    char *first = cc_scenario_explain(scenario);
    assert_non_null(first);
    cc_scenario *again = parse(first, 0, NULL, 0);
    char *second = cc_scenario_explain(again);
    assert_non_null(second);
    assert_string_equal(first, second);
    assert_int_equal(cc_expectation_count(scenario), cc_expectation_count(again));
    for (size_t i = 0; i < cc_expectation_count(scenario); i++) {
        cc_expectation a, b;
        cc_expectation_get(scenario, i, &a);
        cc_expectation_get(again, i, &b);
        assert_string_equal(a.metric, b.metric);
        assert_true(a.low == b.low && a.high == b.high);
        assert_true(a.low <= a.high);
    }
    cc_text_free(first, NULL);
    cc_text_free(second, NULL);
    cc_scenario_free(scenario);
    cc_scenario_free(again);
}

static void test_explain_again(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
        size_t length;
        char *text = read_source(FILES[i], &length);
        cc_error error;
        size_t count = cc_scenario_variants(text, length, NULL, &error);
        if (count == 0)
            fail_msg("%s:%u:%u: %s", FILES[i], error.line, error.column, error.message);
        for (size_t variant = 0; variant < count; variant++)
            assert_explained_again(text, length, variant);
        free(text);
    }
    assert_explained_again(TWO_TIERS, strlen(TWO_TIERS), 0);
}

/* Every key of a group and of the groups within it stands in the schema as a property. */
static void assert_mentions(const char *schema, const struct cc_group *group)
{
    for (size_t i = 0; i < group->count; i++) {
        char quoted[80];
        snprintf(quoted, sizeof quoted, "\"%s\":", group->fields[i].key);
        if (!strstr(schema, quoted))
            fail_msg("the schema does not have %s", quoted);
        assert_true(group->fields[i].help && group->fields[i].help[0]);
        if (group->fields[i].group)
            assert_mentions(schema, group->fields[i].group);
    }
}

static void test_schema(void **state)
{
    (void)state;
    char *schema = cc_schema();
    assert_non_null(schema);
    json_t *tree = json_loads(schema, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(tree);
    assert_text(tree, "$schema", "https://json-schema.org/draft/2020-12/schema");
    for (size_t i = 0; i < cc_scenario_group.count; i++)
        assert_non_null(json_object_get(json_object_get(tree, "properties"), cc_scenario_group.fields[i].key));
    assert_mentions(schema, &cc_scenario_group);
    assert_mentions(schema, &cc_law_group);
    json_decref(tree);
    cc_text_free(schema, NULL);
}

static void test_precedence(void **state)
{
    (void)state;
    static const char text[] =
        "{\"name\": \"x\", \"duration\": \"10s\", \"seed\": 1, \"workload\": {\"arrivals\": {\"rate\": 10},\n"
        "  \"keys\": {\"popularity\": \"weights\", \"weights\": [1, 2]}},\n"
        " \"expect\": [{\"metric\": \"requests\", \"value\": 100}],\n"
        " \"variants\": [{\"name\": \"first\"},\n"
        "  {\"name\": \"second\", \"set\": {\"seed\": 2, \"l1.ttl\": \"1s\", \"workload.keys.weights.0\": 5},\n"
        "   \"expect\": [{\"metric\": \"errors\", \"min\": 0, \"max\": 1}]}]}";
    cc_error error;
    assert_int_equal(cc_scenario_variants(text, strlen(text), NULL, &error), 2);

    json_t *tree = explained(parse(text, 0, NULL, 0));
    assert_integer(tree, "seed", 1);
    assert_null_at(tree, "l1");
    assert_int_equal(json_array_size(json_object_get(tree, "expect")), 1);
    json_decref(tree);

    cc_scenario *scenario = parse(text, 1, NULL, 0);
    assert_string_equal(cc_scenario_variant(scenario), "second");
    assert_int_equal(cc_expectation_count(scenario), 2);
    cc_expectation expectation;
    cc_expectation_get(scenario, 1, &expectation);
    assert_string_equal(expectation.metric, "errors");
    assert_null(expectation.phase);
    assert_true(expectation.value != expectation.value);
    assert_true(expectation.low == 0 && expectation.high == 1);
    tree = explained(scenario);
    assert_integer(tree, "seed", 2);
    assert_text(tree, "l1.ttl", "1s");
    assert_integer(tree, "workload.keys.weights.0", 5);
    assert_integer(tree, "workload.keys.weights.1", 2);
    json_decref(tree);

    /* The caller's values lie over the variant's, later ones over earlier ones; JSON where it is JSON, else a string. */
    const cc_override laid[] = {
        {"seed", "3", "a"},           {"l1.ttl", "2s", "b"},          {"seed", "4", "c"},
        {"l1.ttl", "\"3s\"", "d"},    {"l2", "{\"ttl\": null}", "e"}, {"workload.keys.weights.2", "7", "f"},
        {"name", "plain words", "g"},
    };
    tree = explained(parse(text, 1, laid, sizeof laid / sizeof *laid));
    assert_integer(tree, "seed", 4);
    assert_text(tree, "l1.ttl", "3s");
    assert_null_at(tree, "l2.ttl");
    assert_text(tree, "name", "plain words");
    assert_integer(tree, "workload.keys.weights.2", 7);
    json_decref(tree);
}

/* Links without an experiment lay everything over an empty object. */
static void test_over_nothing(void **state)
{
    (void)state;
    const cc_override laid[] = {
        {"name", "x", "a"},
        {"duration", "10s", "b"},
        {"workload.arrivals.rate", "10", "c"},
        {"workload.keys.popularity", "weights", "d"},
        {"workload.keys.weights.0", "3", "e"},
        {"workload.keys.weights.1", "4", "f"},
        {"l1", "null", "g"},
        {"l1.ttl", "5s", "h"}, /* null is no obstacle */
        {"events.0.at", "1s", "i"},
        {"events.0.do", "flush", "j"},
        {"events.1.at", "2s", "k"}, /* behind the last element */
        {"events.1.do", "add_instance", "l"},
        {"origin.load", "{\"dist\": \"exponential\"}", "m"},
        {"origin.load.mean", "1ms", "n"},
    };
    json_t *tree = explained(parse("{}", 0, laid, sizeof laid / sizeof *laid));
    assert_integer(tree, "workload.arrivals.rate", 10);
    assert_integer(tree, "workload.keys.weights.1", 4);
    assert_text(tree, "l1.ttl", "5s");
    assert_text(tree, "events.0.do", "flush");
    assert_text(tree, "events.1.do", "add_instance");
    assert_text(tree, "origin.load.mean", "1ms");
    json_decref(tree);
    cc_error error;
    const cc_override gap = {"events.1.at", "1s", "gap"};
    assert_null(cc_scenario_parse("{}", 2, &(cc_parse_options){.overrides = &gap, .override_count = 1}, &error));
    assert_string_equal(error.message, "gap: /events/1/at: \"1\" is no position in an array of 0 elements");
}

static void test_playground(void **state)
{
    (void)state;
    cc_scenario *scenario = parse("{" SMALL "}", 0, NULL, 0);
    assert_false(scenario->playground_present);
    cc_scenario_free(scenario);
    scenario = parse("{" SMALL ", \"playground\": {}}", 0, NULL, 0);
    assert_true(scenario->playground_present);
    assert_int_equal(scenario->playground.chart, CC_CHART_LATENCY);
    assert_int_equal(scenario->playground.a, CC_NO_VARIANT);
    assert_int_equal(scenario->playground.b, CC_NO_VARIANT);
    assert_string_equal(scenario->playground.finding, "");
    assert_int_equal(scenario->playground.slider_count, 0);
    cc_scenario_free(scenario);
    scenario =
        parse("{" SMALL ", \"playground\": {\"chart\": \"queue\", \"a\": 1, \"b\": 0, \"finding\": \"f\", \"sliders\": "
              "[{\"path\": \"l1.ttl\", \"min\": \"1s\", \"max\": \"9s\"}]},"
              "\"variants\": [{\"name\": \"one\"}, {\"name\": \"two\"}]}",
              1, NULL, 0);
    assert_int_equal(scenario->playground.chart, CC_CHART_QUEUE);
    assert_int_equal(scenario->playground.a, 1);
    assert_int_equal(scenario->playground.b, 0);
    assert_string_equal(scenario->playground.sliders[0].max, "9s");
    /* Its positions are those of variants, which explain leaves out too. */
    json_t *tree = explained(scenario);
    assert_null(at(tree, "playground"));
    json_decref(tree);
}

static void test_tolerance(void **state)
{
    (void)state;
    cc_scenario *scenario = parse(
        "{" SMALL ", \"expect\": [{\"metric\": \"requests\", \"value\": -200, \"tolerance\": \"8%\"},\n"
        "{\"metric\": \"requests\", \"value\": 3, \"tolerance\": 0.5}, {\"metric\": \"requests\", \"value\": 3},\n"
        "{\"metric\": \"requests\", \"min\": 1, \"source\": \"s\"}, {\"metric\": \"requests\", \"max\": 1}]}",
        0, NULL, 0);
    static const double ranges[][2] = {{-216, -184}, {2.5, 3.5}, {3, 3}, {1, 1e300}, {-1e300, 1}};
    for (size_t i = 0; i < 5; i++) {
        cc_expectation expectation;
        cc_expectation_get(scenario, i, &expectation);
        if (ranges[i][0] > -1e300)
            assert_true(expectation.low == ranges[i][0]);
        else
            assert_true(expectation.low < -1e300);
        if (ranges[i][1] < 1e300)
            assert_true(expectation.high == ranges[i][1]);
        else
            assert_true(expectation.high > 1e300);
        assert_string_equal(expectation.tolerance, i == 0 ? "8%" : i == 1 ? "0.5" : "");
        assert_string_equal(expectation.source, i == 3 ? "s" : "");
    }
    cc_scenario_free(scenario);
}

static void assert_place(const char *text, size_t length, unsigned line, unsigned column, const char *pointer)
{
    cc_error error;
    cc_scenario *scenario = cc_scenario_parse(text, length, NULL, &error);
    if (scenario)
        fail_msg("read: %s", text);
    assert_int_equal(error.status, CC_BAD_INPUT);
    if (error.line != line || error.column != column || strcmp(error.pointer, pointer) != 0)
        fail_msg("%u:%u %s (%s), but %u:%u %s is right for %s", error.line, error.column, error.pointer, error.message,
                 line, column, pointer, text);
}

static void test_places(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned line, column;
        const char *pointer;
    } places[] = {
        {"", 1, 1, ""},
        {"[]", 1, 1, ""},
        {"\n\n  []", 3, 3, ""},
        {"{" SMALL ",\n  \"sede\": 1}", 2, 3, "/sede"},
        {"{" SMALL ",\r\n  \"seed\": -1}", 2, 11, "/seed"},
        {"{" SMALL ",\n\t\"seed\" :\n\n -1}", 4, 2, "/seed"},
        {"{" SMALL ",\n \"notes\": \"\xc3\xa9\xf0\x9f\x98\x80\", \"seed\": -1}", 2, 25, "/seed"},
        {"{" SMALL ",\n \"notes\": \"\\\"}{,\\\\\", \"seed\": -1}", 2, 30, "/seed"},
        {"{" SMALL ",\n \"s\\u0065ed\": -1}", 2, 15, "/seed"},
        {"{" SMALL ",\n \"a/b~\": -1}", 2, 2, "/a~1b~0"},
        {"\xef\xbb\xbf{\"nam\": 1}", 1, 2, "/nam"},
        {"{" SMALL ", \"events\":\n[{\"at\": \"1s\", \"do\": \"flush\"}, {\"at\": \"1s\"}]}", 2, 31, "/events/1/do"},
        {"{" SMALL ", \"events\":\n[{\"at\": \"1s\", \"do\": \"flush\"},\n{\"at\": 5, \"do\": \"flush\"}]}", 3, 8,
         "/events/1/at"},
        {"{" SMALL ",\n \"seed\": 1,\n \"seed\": 2}", 3, 2, ""},
        {"{" SMALL ",\n \"variants\": [{\"name\": \"a\", \"set\": {\n  \"l1.ttl\": 5}}]}", 3, 13,
         "/variants/0/set/l1.ttl"},
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        assert_place(places[i].text, strlen(places[i].text), places[i].line, places[i].column, places[i].pointer);
    /* Text behind the given length is not looked at. */
    assert_place("{\"name\": 1}", 5, 1, 6, "");

    cc_error error;
    const cc_override laid = {"l1.tll", "1s", "--set l1.tll=1s"};
    const char *text = "{" SMALL "}";
    assert_null(
        cc_scenario_parse(text, strlen(text), &(cc_parse_options){.overrides = &laid, .override_count = 1}, &error));
    assert_int_equal(error.line, 0);
    assert_string_equal(error.message, "--set l1.tll=1s: /l1/tll: unknown key; did you mean \"ttl\"?");
    assert_null(cc_scenario_parse(text, strlen(text), &(cc_parse_options){.variant = 1}, &error));
    assert_int_equal(error.status, CC_BAD_INPUT);
}

static void test_byte_order_mark(void **state)
{
    (void)state;
    cc_scenario_free(parse("\xef\xbb\xbf{" SMALL "}", 0, NULL, 0));
}

struct memory {
    uint64_t calls, fail_at;
    size_t bytes, blocks;
};

static void *memory_resize(void *context, void *block, size_t old_size, size_t size)
{
    struct memory *memory = context;
    if (!block)
        old_size = 0;
    if (size == 0) {
        memory->blocks -= block ? 1 : 0;
        memory->bytes -= old_size;
        free(block);
        return NULL;
    }
    if (memory->calls++ == memory->fail_at)
        return NULL;
    void *grown = realloc(block, size);
    if (grown) {
        memory->blocks += block ? 0 : 1;
        memory->bytes += size - old_size;
    }
    return grown;
}

/* Whether all went well; otherwise memory ran out cleanly. */
static bool go_through(struct memory *memory, const cc_override *laid)
{
    const cc_allocator allocator = {memory_resize, memory};
    cc_error error = {0};
    bool good = false;
    cc_scenario *scenario = NULL;
    cc_run *run = NULL;
    char *text = NULL, *report = NULL;
    if (cc_scenario_variants(TWO_TIERS, strlen(TWO_TIERS), &allocator, &error) == 0)
        goto out;
    scenario =
        cc_scenario_parse(TWO_TIERS, strlen(TWO_TIERS),
                          &(cc_parse_options){.overrides = laid, .override_count = 1, .allocator = &allocator}, &error);
    if (!scenario)
        goto out;
    text = cc_scenario_explain(scenario);
    if (!text) {
        error.status = CC_OUT_OF_MEMORY; /* explain has no other way to fail */
        goto out;
    }
    run = cc_run_new(scenario, 0, &error);
    if (!run)
        goto out;
    cc_status status;
    do
        status = cc_run_advance(run, 100, &error);
    while (status == CC_MORE);
    if (status != CC_OK) {
        assert_int_equal(status, error.status);
        goto out;
    }
    report = cc_run_report(run, &error);
    good = report != NULL;
out:
    if (!good)
        assert_int_equal(error.status, CC_OUT_OF_MEMORY);
    cc_text_free(text, &allocator);
    cc_text_free(report, &allocator);
    cc_run_free(run);
    cc_scenario_free(scenario);
    assert_int_equal(memory->blocks, 0);
    assert_int_equal(memory->bytes, 0);
    return good;
}

static void test_out_of_memory(void **state)
{
    (void)state;
    const cc_override laid = {"seed", "5", "test"};
    bool good = false;
    uint64_t failing = 0;
    for (; !good; failing++) {
        struct memory memory = {.fail_at = failing};
        good = go_through(&memory, &laid);
        assert_true(failing < 100000);
    }
    assert_true(failing > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),      cmocka_unit_test(test_units),
        cmocka_unit_test(test_explain_again), cmocka_unit_test(test_schema),
        cmocka_unit_test(test_precedence),    cmocka_unit_test(test_over_nothing),
        cmocka_unit_test(test_playground),    cmocka_unit_test(test_tolerance),
        cmocka_unit_test(test_places),        cmocka_unit_test(test_byte_order_mark),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
