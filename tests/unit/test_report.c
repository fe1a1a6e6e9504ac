/* The report: JSON that agrees with itself, with the metrics, and from one way of running to another. */
#include "support/unit.h"

#include "cachecast.h"

#include <jansson.h>
#include <string.h>

static const char PLAIN[] =
    "{\"name\": \"plain \\\"\\\\\\u0001\\u00e9\", \"duration\": \"4s\", \"interval\": \"300ms\",\n"
    " \"workload\": {\"arrivals\": {\"process\": \"poisson\", \"rate\": 800, \"max_in_flight\": 8},\n"
    "  \"keys\": {\"popularity\": \"zipf\", \"count\": 200, \"s\": 0.9}},\n"
    " \"instances\": {\"count\": 3, \"cpu\": {\"dist\": \"exponential\", \"mean\": \"1ms\"}, \"threads\": 2,\n"
    "  \"queue_limit\": 1},\n"
    " \"l1\": {\"ttl\": \"500ms\", \"capacity\": 60}, \"l2\": {\"ttl\": \"1s\", \"get\": \"300us\", \"set\": "
    "\"300us\"},\n"
    " \"origin\": {\"load\": {\"dist\": \"exponential\", \"mean\": \"5ms\"}, \"check\": \"100us\", "
    "\"checks_per_request\": 1,\n"
    "  \"pool\": 2, \"cores\": 4}}";

static const char PHASED[] =
    "{\"name\": \"phased\", \"duration\": \"4s\", \"warmup\": \"1s\", \"workload\": {\"arrivals\": {\"rate\": 500},\n"
    "  \"keys\": {\"count\": 50}}, \"l1\": {\"ttl\": \"300ms\"}, \"origin\": {\"load\": \"2ms\"},\n"
    " \"phases\": [{\"name\": \"a\", \"at\": \"1s\"}, {\"name\": \"b\", \"at\": \"2500ms\"}]}";

static cc_scenario *parse(const char *text)
{
    cc_error error;
    cc_scenario *scenario = cc_scenario_parse(text, strlen(text), NULL, &error);
    if (!scenario)
        fail_msg("%u:%u: %s", error.line, error.column, error.message);
    return scenario;
}

static cc_run *start(const cc_scenario *scenario, uint64_t replication)
{
    cc_error error;
    cc_run *run = cc_run_new(scenario, replication, &error);
    assert_non_null(run);
    return run;
}

static void finish(cc_run *run, uint64_t step)
{
    cc_error error;
    cc_status status;
    double progress = 0;
    do {
        status = cc_run_advance(run, step, &error);
        assert_true(cc_run_progress(run) >= progress && cc_run_progress(run) <= 1);
        progress = cc_run_progress(run);
    } while (status == CC_MORE);
    if (status != CC_OK)
        fail_msg("%s", error.message);
    assert_true(progress == 1);
}

static char *report(const cc_run *run)
{
    cc_error error;
    char *text = cc_run_report(run, &error);
    assert_non_null(text);
    return text;
}

static json_t *report_tree(const cc_run *run)
{
    char *text = report(run);
    size_t length = strlen(text);
    assert_true(length > 0 && text[length - 1] == '\n');
    json_t *tree = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(tree);
    cc_text_free(text, NULL);
    return tree;
}

static double summary(json_t *tree, const char *metric)
{
    json_t *value = json_object_get(json_object_get(tree, "summary"), metric);
    if (!json_is_number(value))
        fail_msg("the summary lacks %s", metric);
    return json_number_value(value);
}

static double series_sum(json_t *tree, const char *column)
{
    json_t *values = json_object_get(json_object_get(tree, "series"), column);
    assert_true(json_is_array(values));
    assert_int_equal(json_array_size(values),
                     json_array_size(json_object_get(json_object_get(tree, "series"), "end_s")));
    double sum = 0;
    for (size_t i = 0; i < json_array_size(values); i++)
        sum += json_number_value(json_array_get(values, i));
    return sum;
}

static double histogram_sum(json_t *tree, const char *outcome)
{
    json_t *buckets = json_object_get(json_object_get(tree, "histograms_ns"), outcome);
    double sum = 0, before = -1;
    for (size_t i = 0; i < json_array_size(buckets); i++) {
        json_t *bucket = json_array_get(buckets, i);
        double lower = json_number_value(json_array_get(bucket, 0)),
               count = json_number_value(json_array_get(bucket, 1));
        assert_true(lower > before && count > 0);
        before = lower;
        sum += count;
    }
    return sum;
}

static void assert_histograms(json_t *tree)
{
    assert_true(histogram_sum(tree, "l1_hit") == summary(tree, "outcome.l1_hit"));
    assert_true(histogram_sum(tree, "l2_hit") == summary(tree, "outcome.l2_hit"));
    assert_true(histogram_sum(tree, "joined") == summary(tree, "outcome.joined"));
    assert_true(histogram_sum(tree, "loaded") == summary(tree, "outcome.loaded"));
    assert_true(histogram_sum(tree, "failed") == summary(tree, "errors"));
    assert_true(summary(tree, "outcome.l1_hit") + summary(tree, "outcome.l2_hit") + summary(tree, "outcome.joined") +
                    summary(tree, "outcome.loaded") ==
                summary(tree, "completed"));
}

static void assert_instances(json_t *tree)
{
    json_t *instances = json_object_get(tree, "instances");
    double loads = 0, hits = 0, misses = 0;
    for (size_t i = 0; i < json_array_size(instances); i++) {
        json_t *instance = json_array_get(instances, i);
        loads += json_number_value(json_object_get(instance, "loads"));
        hits += json_number_value(json_object_get(instance, "l1_hits"));
        misses += json_number_value(json_object_get(instance, "l1_misses"));
    }
    assert_true(loads == summary(tree, "origin.loads"));
    assert_true(hits == summary(tree, "l1.hits"));
    assert_true(misses == summary(tree, "l1.misses"));
}

static void assert_metrics(json_t *tree, const cc_run *run)
{
    json_t *shown = json_object_get(tree, "summary");
    size_t present = 0;
    for (size_t i = 0; i < cc_metric_count(); i++) {
        const char *name = cc_metric_name(i);
        assert_true(cc_metric_help(i)[0] != 0);
        assert_int_equal(cc_metric_find(name), i);
        double value = cc_run_metric(run, i, NULL);
        json_t *number = json_object_get(shown, name);
        assert_int_equal(number != NULL, value - value == 0); /* finite */
        if (number) {
            assert_true(json_number_value(number) == value);
            present++;
        }
    }
    assert_int_equal(json_object_size(shown), present);
    assert_true(cc_metric_find("no.such") == SIZE_MAX);
    double unknown = cc_run_metric(run, 0, "no such phase");
    assert_true(unknown != unknown);
}

static void test_plain(void **state)
{
    (void)state;
    cc_scenario *scenario = parse(PLAIN);
    cc_run *run = start(scenario, 0);
    finish(run, 1000);
    json_t *tree = report_tree(run);
    assert_int_equal(json_integer_value(json_object_get(tree, "format")), 1);
    assert_string_equal(json_string_value(json_object_get(tree, "name")), "plain \"\\\x01\xc3\xa9");
    assert_string_equal(json_string_value(json_object_get(tree, "version")), cc_version());
    assert_true(json_is_true(json_object_get(tree, "complete")));
    assert_true(json_number_value(json_object_get(tree, "simulated_s")) == 4);
    assert_true((uint64_t)json_integer_value(json_object_get(tree, "events")) == cc_run_events(run));
    assert_int_equal(strlen(json_string_value(json_object_get(tree, "event_hash"))), 16);
    assert_int_equal(json_array_size(json_object_get(tree, "instances")), 3);
    assert_int_equal(json_array_size(json_object_get(tree, "phases")), 0);
    assert_int_equal(json_array_size(json_object_get(json_object_get(tree, "series"), "end_s")), 14);
    assert_histograms(tree);
    assert_instances(tree);
    assert_metrics(tree, run);
    /* Without a warm-up the series covers all that the summary does. */
    assert_true(series_sum(tree, "requests") == summary(tree, "requests"));
    assert_true(series_sum(tree, "completed") == summary(tree, "completed"));
    assert_true(series_sum(tree, "failed") == summary(tree, "errors"));
    assert_true(series_sum(tree, "dropped") == summary(tree, "dropped"));
    assert_true(series_sum(tree, "l1_hits") == summary(tree, "l1.hits"));
    assert_true(series_sum(tree, "l2_hits") == summary(tree, "l2.hits"));
    assert_true(series_sum(tree, "joined") == summary(tree, "outcome.joined"));
    assert_true(series_sum(tree, "loads") == summary(tree, "origin.loads"));
    assert_true(series_sum(tree, "transactions") == summary(tree, "origin.transactions"));
    assert_true(summary(tree, "requests") == summary(tree, "completed") + summary(tree, "errors") +
                                                 summary(tree, "dropped") + summary(tree, "in_flight.end"));
    /* The scenario is one that shows all of these. */
    assert_true(summary(tree, "errors") > 0 && summary(tree, "dropped") > 0 && summary(tree, "outcome.joined") > 0 &&
                summary(tree, "l2.hits") > 0);
    json_decref(tree);
    cc_run_free(run);
    cc_scenario_free(scenario);
}

static void test_phases(void **state)
{
    (void)state;
    cc_scenario *scenario = parse(PHASED);
    cc_run *run = start(scenario, 0);
    finish(run, 1000000);
    json_t *tree = report_tree(run);
    json_t *phases = json_object_get(tree, "phases");
    static const char *const names[] = {"a", "b"};
    static const double from[] = {1, 2.5, 4};
    static const char *const counters[] = {"requests", "completed", "l1.lookups", "l1.hits", "origin.loads"};
    assert_int_equal(json_array_size(phases), 2);
    double sums[5] = {0};
    for (size_t i = 0; i < 2; i++) {
        json_t *phase = json_array_get(phases, i);
        assert_string_equal(json_string_value(json_object_get(phase, "name")), names[i]);
        assert_true(json_number_value(json_object_get(phase, "from_s")) == from[i]);
        assert_true(json_number_value(json_object_get(phase, "to_s")) == from[i + 1]);
        for (size_t j = 0; j < 5; j++) {
            double value = summary(phase, counters[j]);
            assert_true(value == cc_run_metric(run, cc_metric_find(counters[j]), names[i]));
            sums[j] += value;
        }
    }
    for (size_t j = 0; j < 5; j++)
        assert_true(sums[j] == summary(tree, counters[j]));
    assert_true(summary(tree, "requests") == 1500);
    assert_true(summary(tree, "elapsed_s") == 3);
    assert_true(series_sum(tree, "requests") == 2000); /* the series holds the warm-up too */
    assert_histograms(tree);
    assert_metrics(tree, run);
    json_decref(tree);
    cc_run_free(run);
    cc_scenario_free(scenario);
}

/* The same bytes whatever the steps, and asking early changes nothing. */
static void test_same_bytes(void **state)
{
    (void)state;
    cc_scenario *scenario = parse(PHASED);
    cc_run *one = start(scenario, 3), *other = start(scenario, 3), *different = start(scenario, 4);
    finish(one, UINT64_MAX);
    cc_error error;
    assert_int_equal(cc_run_advance(other, 777, &error), CC_MORE);
    assert_int_equal(cc_run_events(other), 777);
    json_t *early = report_tree(other);
    assert_true(json_is_false(json_object_get(early, "complete")));
    json_decref(early);
    finish(other, 13);
    finish(different, 100000);
    char *a = report(one), *b = report(other), *again = report(one), *c = report(different);
    assert_string_equal(a, b);
    assert_string_equal(a, again);
    assert_string_not_equal(a, c);
    assert_true(cc_run_hash(one) == cc_run_hash(other));
    assert_int_equal(cc_run_advance(one, 1, &error), CC_OK); /* an ended run stays as it is */
    cc_text_free(a, NULL);
    cc_text_free(b, NULL);
    cc_text_free(again, NULL);
    cc_text_free(c, NULL);
    cc_run_free(one);
    cc_run_free(other);
    cc_run_free(different);
    cc_scenario_free(scenario);
}

/* Before the first event there is nothing to divide by; the report still is JSON. */
static void test_nothing_yet(void **state)
{
    (void)state;
    cc_scenario *scenario = parse(PLAIN);
    cc_run *run = start(scenario, 0);
    json_t *tree = report_tree(run);
    assert_true(summary(tree, "requests") == 0);
    assert_int_equal(json_object_size(json_object_get(tree, "histograms_ns")), 0);
    assert_metrics(tree, run);
    json_decref(tree);
    cc_run_free(run);
    cc_scenario_free(scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_phases),
        cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_nothing_yet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
