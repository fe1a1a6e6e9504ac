/* Laws that hold in every scenario: random ones, from all features together, must end, conserve their requests, obey
 * Little's law, and give the same report however the run is advanced. */
#include "cachecast.h"
#include "engine/random.h"
#include "model/sim.h"
#include "support/unit.h"

#include <stdio.h>
#include <string.h>

#define SCENARIOS 1000
#define EVENTS_MAX 2000000
#define TEXT 4096

static struct cc_random dice;
static char text[TEXT];
static size_t length;

static uint32_t below(uint32_t limit) { return (uint32_t)cc_random_below(&dice, limit); }
static bool chance(uint32_t percent) { return below(100) < percent; }

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int wrote = vsnprintf(text + length, TEXT - length, format, arguments);
    va_end(arguments);
    assert_true(wrote >= 0 && (size_t)wrote < TEXT - length);
    length += (size_t)wrote;
}

static const char *one_of(const char *const *choices, uint32_t count) { return choices[below(count)]; }
#define ONE_OF(...) \
    one_of((const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

static void put_retry(void)
{
    put(",\"retry\":{\"count\":%u,\"backoff\":\"%uus\",\"jitter\":0.%u", 1 + below(4), below(20000), below(10));
    put(chance(40) ? ",\"budget\":0.2}" : "}");
}

/* A duration law of about `us` microseconds. */
static void put_law(const char *key, uint32_t us)
{
    us = 1 + below(us);
    put("\"%s\":", key);
    switch (below(8)) {
    case 0:
        put("{\"dist\":\"uniform\",\"low\":\"%uus\",\"high\":\"%uus\"}", us / 2, us * 2);
        break;
    case 1:
        put("{\"dist\":\"exponential\",\"mean\":\"%uus\"}", us);
        break;
    case 2:
        put("{\"dist\":\"lognormal\",\"mean\":\"%uus\",\"scv\":%u.5}", us, below(3));
        break;
    case 3:
        put("{\"dist\":\"erlang\",\"k\":%u,\"mean\":\"%uus\"}", 1 + below(5), us);
        break;
    case 4:
        put("{\"dist\":\"hyperexponential\",\"share\":0.9,\"mean\":\"%uus\",\"mean_b\":\"%uus\"}", us, us * 9);
        break;
    case 5:
        put("{\"dist\":\"empirical\",\"values\":[\"%uus\",\"0s\",\"%uus\"],\"weights\":[1,2,3]}", us, us * 3);
        break;
    default:
        put("\"%uus\"", us);
    }
}

static void put_law_perhaps(const char *key, uint32_t us)
{
    if (!chance(50))
        return;
    put(",");
    put_law(key, us);
}

/* Decided once for a scenario: L2, a connection to it, machines whose cores are shared. */
static bool with_l2, connected, hosted, putting, messaging, limited, mixed, threaded;

static bool put_workload(void)
{
    bool closed = chance(30);
    uint32_t clients = 2 + below(20);
    put("\"workload\":{\"arrivals\":{");
    if (closed) {
        put("\"process\":\"closed\",\"clients\":%u,", clients);
        put("\"think\":\"%uus\"", 200 + below(5000));
        if (chance(30))
            put(",\"requests_per_client\":%u", 1 + below(200));
        if (chance(50))
            put(",\"ramp_up\":\"%ums\"", below(500));
    } else {
        put("\"process\":\"%s\",\"rate\":%u", ONE_OF("paced", "poisson"), 1 + below(3000));
        if (chance(30))
            put(",\"stages\":[{\"duration\":\"%ums\",\"rate\":%u},{\"duration\":\"0s\",\"rate\":%u},"
                "{\"duration\":\"%ums\",\"rate\":%u}]",
                below(500), below(2000), below(3000), below(500), below(2000));
        if (chance(40))
            put(",\"max_in_flight\":%u,\"when_full\":\"%s\"", 1 + below(30), ONE_OF("drop", "delay"));
    }
    put("},\"keys\":{");
    if (chance(30))
        put("\"absent\":1,\"uncacheable\":%u,", below(2));
    switch (below(closed ? 6 : 5)) {
    case 0:
        put("\"count\":%u", 2 + below(300));
        break;
    case 1:
        put("\"popularity\":\"zipf\",\"count\":%u,\"s\":%u.%u", 2 + below(300), below(3), below(10));
        break;
    case 2:
        put("\"popularity\":\"hot_set\",\"count\":%u,\"hot_keys\":%u,\"hot_share\":0.%u", 20 + below(300),
            1 + below(19), below(10));
        break;
    case 3:
        put("\"popularity\":\"weights\",\"weights\":[%u,%u,0,1.5]", 1 + below(9), below(9));
        break;
    case 4:
        put("\"popularity\":\"sequential\",\"count\":%u", 2 + below(300));
        break;
    default:
        put("\"popularity\":\"client\"");
    }
    if (!connected && chance(30))
        put(",\"sizes\":[%u,%u,%u]", below(3000), below(300), below(30000));
    put("}");
    putting = with_l2 && chance(30);
    if (putting)
        put(",\"operation\":\"put_get\"");
    mixed = !putting && !connected && chance(40);
    if (mixed) {
        put(",\"mix\":{\"read\":%u,\"write\":%u,\"increment\":%u,\"delete\":%u},\"write_strategy\":\"%s\"",
            1 + below(3), below(3), with_l2 ? below(3) : 0, below(2),
            ONE_OF("write_around", "write_through", "delete"));
        put(",\"value_form\":\"json\",\"access\":\"%s\",\"increments\":{\"method\":\"%s\"",
            chance(50) ? "root" : "path",
            chance(50)   ? ONE_OF("set", "watch", "lua")
            : chance(50) ? ONE_OF("ifeq", "ifdeq", "version")
            : chance(50) ? "lock"
                         : "in_store");
        put_law_perhaps("think", 5000);
        put(",");
        put_law("again", 5000);
        if (chance(50))
            put_retry();
        put("}");
    }
    if (chance(30)) {
        put(",");
        put_law("timeout", 50000);
    }
    if (chance(30))
        put_retry();
    put(",\"value_size\":%u}", chance(50) ? below(2000) : below(300000));
    return closed;
}

static uint32_t put_instances(void)
{
    uint32_t count = 1 + below(5);
    put(",\"instances\":{\"count\":%u,\"balancer\":\"%s\"", count,
        chance(20) ? "rendezvous" : ONE_OF("round_robin", "random", chance(50) ? "least_outstanding" : "hash"));
    if (!hosted)
        put(",\"cores\":%u", 1 + below(3));
    put_law_perhaps("cpu", 1000);
    put_law_perhaps("response_cpu", 1000);
    if (chance(50)) {
        put(",\"threads\":%u", 1 + below(10));
        if (chance(50))
            put(",\"queue_limit\":%u", below(20));
    }
    put("}");
    return count;
}

static void put_connection(void)
{
    put(",\"connection\":{\"mode\":\"%s\",\"count\":%u,\"codec\":\"%s\",\"threshold\":%u,\"base64\":%s",
        ONE_OF("shared", "pool"), 1 + below(4), ONE_OF("none", "half"), below(3000), ONE_OF("true", "false"));
    put_law_perhaps("round_trip", 2000);
    if (chance(30))
        put(",\"on_timeout\":\"reset\"");
    if (chance(40))
        put(",\"bandwidth\":%u", 1000000 + below(200000000));
    if (chance(30))
        put(",\"stall\":{\"length\":\"%uus\",\"every\":{\"dist\":\"exponential\",\"mean\":\"%ums\"}}", below(5000),
            1 + below(50));
    put("}");
}

/* What a cache does beyond keeping values for their TTL. */
static void put_refresh(void)
{
    if (chance(25))
        put(",\"refresh_after\":\"%ums\"", 1 + below(200));
    if (chance(25))
        put(",\"stale_while_revalidate\":\"%ums\"", 1 + below(300));
    if (chance(25))
        put(",\"stale_if_error\":\"%ums\"", 1 + below(1000));
    if (chance(25))
        put(",\"xfetch\":%u.5", below(4));
    if (chance(40))
        put(",\"negative_ttl\":\"%ums\"", 1 + below(300));
    if (chance(40))
        put(",\"hit_for_pass\":\"%ums\"", 1 + below(300));
}

/* Changes at the origin; true when messages tell of them. */
static bool put_publications(uint32_t duration)
{
    if (chance(50))
        return false;
    bool messages = chance(50);
    put(",\"publications\":{\"rate\":%u.%u,\"at\":[\"%ums\",\"0s\"],\"writer\":\"%s\",\"put\":\"%s\"", below(3),
        below(10), below(duration), ONE_OF("instance", "outside"), ONE_OF("always", "versioned"));
    put_law_perhaps("lag", 50000);
    if (chance(30))
        put(",\"keys\":%u", 1 + below(50));
    if (messages) {
        put(",\"invalidation\":\"pub_sub\",\"loss\":0.%u,\"reconnect\":\"%s\"", below(10), ONE_OF("nothing", "clear"));
        put_law_perhaps("delay", 50000);
    } else {
        put(",\"invalidation\":\"%s\"", ONE_OF("none", "delete"));
    }
    put("}");
    return messages;
}

static void put_cache(const char *name)
{
    put(",\"%s\":{", name);
    if (chance(20))
        put("\"ttl\":null");
    else
        put_law("ttl", 500000);
    if (chance(30))
        put(",\"jitter\":\"%ums\"", below(200));
    if (chance(60)) {
        const char *more = ONE_OF("sieve", "redis_lru", "redis_lfu");
        more = chance(50) ? more : ONE_OF("volatile_ttl", "random", "none");
        const char *policy = chance(50) ? more : ONE_OF("lru", "fifo", "lfu");
        policy = chance(70) ? policy : chance(50) ? "w_tinylfu" : "s3_fifo";
        bool bytes = chance(40);
        put(",\"%s\":%u,\"overhead\":%u,\"eviction\":\"%s\"", bytes ? "capacity_bytes" : "capacity",
            1 + below(bytes ? 100000 : 50), below(100), policy);
        limited |= bytes && strcmp(name, "l2") == 0;
    }
    if (chance(20))
        put(",\"ttl_classes\":[{\"first\":%u,\"last\":%u,\"ttl\":\"%ums\"}]", below(3), 3 + below(20), 1 + below(300));
    if (strcmp(name, "l2") == 0 && chance(20))
        put(",\"active_expiry\":true");
    if (chance(40))
        put(",\"start\":\"warm\",\"phase\":\"%s\"", ONE_OF("synchronised", "random"));
    put_refresh();
    if (chance(30))
        put(",\"reads_per_load\":%u", 1 + below(20));
    if (strcmp(name, "l1") == 0) {
        put(",\"single_flight\":\"%s\",\"form\":\"%s\"", ONE_OF("none", "instance"),
            connected ? ONE_OF("decoded", "encoded") : "decoded");
    } else {
        const char *flight = putting     ? "none"
                             : connected ? ONE_OF("none", "instance")
                                         : ONE_OF("none", "instance", "cluster");
        put(",\"single_flight\":\"%s\",\"write\":\"%s\"", flight, ONE_OF("overwrite", "if_absent"));
        if (strcmp(flight, "cluster") == 0 && chance(50))
            put(",\"lease\":{%s%s%s}", chance(70) ? "\"ttl\":\"30ms\"" : "\"ttl\":null",
                ",\"poll\":", ONE_OF("null", "\"3ms\""));
        if (connected) {
            put_connection();
        } else {
            put_law_perhaps("get", 2000);
            put_law_perhaps("set", 2000);
            threaded = chance(30);
            if (threaded)
                put(",\"threads\":%u,\"crowding\":\"%uus\"", 1 + below(3), below(20));
        }
    }
    if (strcmp(name, "l2") == 0) {
        if (chance(60) && !threaded)
            put(",\"timeout\":\"%uus\"", 1 + below(chance(50) ? 2000 : 100000));
        if (chance(30))
            put(",\"on_failure\":\"fail_closed\"");
        if (chance(40))
            put(",\"breaker\":{\"failures\":%u,\"open\":\"%ums\",\"probes\":%u}", 1 + below(4), 1 + below(200),
                1 + below(3));
        if (chance(30))
            put_retry();
        if (!connected && chance(30))
            put(",\"shards\":3");
    }
    put("}");
}

static void put_host(void)
{
    if (hosted)
        put(",\"host\":{\"layout\":\"%s\",\"cores\":%u}", ONE_OF("one", "store_apart", "each_apart"), 1 + below(4));
    if (!connected && !hosted && chance(30))
        put(",\"profile\":{\"profile\":1,\"name\":\"commands\",\"commands\":[{\"name\":\"json_get_root\",\"server_ns\":"
            "%u,\"client_byte_ns\":1},"
            "{\"name\":\"set\",\"server_ns\":%u,\"spread\":2},{\"name\":\"json_numincrby\",\"server_byte_ns\":0.5}]}",
            below(90000), below(90000));
    if (connected || hosted)
        put(",\"profile\":{\"profile\":1,\"name\":\"random\",\"codecs\":[{\"name\":\"half\",\"knots\":[{\"bytes\":100,"
            "\"stored\":50,\"compress_ns\":%u,\"decompress_ns\":%u},{\"bytes\":100000,\"stored\":50000,\"compress_ns\":"
            "%u,\"decompress_ns\":0}]}],\"client\":{\"submit_ns\":%u,\"turn_ns\":%u,\"write_ns\":%u,\"command_ns\":%u},"
            "\"server\":{\"turn_ns\":%u,\"set_ns\":%u,\"get_ns\":%u},\"bytes\":[{\"bytes\":1000,\"depths\":["
            "{\"depth\":1,\"client_out_ns\":0.%u,\"server_in_ns\":0.1}]}],\"window_bytes\":%u,\"host\":{\"wake_ns\":%u,"
            "\"wake_cost_ns\":%u,\"switch_ns\":%u,\"slice_ns\":%u,\"lead_ns\":%u,\"spread\":%u}}",
            below(5000), below(5000), 5000 + below(200000), below(2000), below(2000), below(5000), below(9000),
            below(2000), below(3000), below(3000), below(10), 65536 + below(1000000), below(50000), below(20000),
            below(3000), 1000 + below(4000000), below(2000000), below(2));
}

static void put_origin(void)
{
    put(",\"origin\":{\"checks_per_request\":%u,\"inserts_per_response\":%u", chance(40) ? below(4) : 0,
        chance(40) ? below(3) : 0);
    put_law_perhaps("load", 20000);
    put_law_perhaps("cold_load", 100000);
    put_law_perhaps("check", 1000);
    put_law_perhaps("insert", 1000);
    if (chance(40))
        put(",\"pool\":%u", 1 + below(8));
    if (chance(40)) {
        put(",\"cores\":%u", 1 + below(4));
        if (chance(30))
            put(",\"queue_limit\":%u", below(50));
    }
    if (chance(30))
        put(",\"failure_ratio\":0.%u", below(10));
    if (chance(50))
        put(",\"late_results\":\"%s\"", ONE_OF("dropped", "handed_over"));
    put("}");
}

/* What goes wrong. */
static void put_trouble(uint32_t *instances)
{
    if (limited && chance(20)) {
        put("\"do\":\"take_memory\",\"bytes\":%u,\"for\":\"%ums\"}", 1 + below(100000), 1 + below(500));
        return;
    }
    if (messaging && chance(20)) {
        put("\"do\":\"stop_invalidation\",\"for\":\"%ums\"}", 1 + below(500));
        return;
    }
    switch (below(with_l2 ? 8 : 5)) {
    case 0:
        put("\"do\":\"%s\"", ONE_OF("stop_origin", "slow_origin", "fail_origin"));
        break;
    case 1:
        put("\"do\":\"admit\",\"rate\":%u,\"to\":%u", below(2000), below(3000));
        break;
    case 2:
        put("\"do\":\"deploy\",\"batch\":%u,\"every\":\"%ums\",\"ready_after\":\"%ums\",\"warm_keys\":%u}",
            1 + below(3), 1 + below(300), below(100), chance(50) ? below(50) : 0);
        return;
    case 3:
        put("\"do\":\"add_instance\",\"ready_after\":\"%ums\",\"warm_keys\":%u}", below(100), below(50));
        return;
    case 4:
        if (*instances == 0) {
            put("\"do\":\"flush\"}");
            return;
        }
        --*instances;
        put("\"do\":\"crash_instance\",\"warm_keys\":%u", below(20));
        break;
    default:
        put("\"do\":\"%s\"", ONE_OF("stop_l2", "refuse_l2", "slow_l2"));
    }
    if (chance(70))
        put(",\"for\":\"%ums\"", 1 + below(500));
    put("}");
}

static void put_events(uint32_t duration, bool closed, uint32_t instances)
{
    put(",\"events\":[");
    uint32_t count = below(6);
    for (uint32_t i = 0, at = 0; i < count; i++) {
        at += below((duration - at) / 2 + 1);
        put("%s{\"at\":\"%ums\",", i > 0 ? "," : "", at);
        if (chance(50)) {
            put_trouble(&instances);
            continue;
        }
        switch (below(closed ? 3 : 4)) {
        case 0:
            put("\"do\":\"flush\",\"target\":\"%s\"}", ONE_OF("l1", "l2", "caches", "origin", "everything"));
            break;
        case 1:
            put("\"do\":\"add_instance\",\"count\":%u}", 1 + below(3));
            break;
        case 2: /* as many as run at the start, in all, so that none is left at times */
            if (instances > 0) {
                put("\"do\":\"remove_instance\"}");
                instances--;
            } else {
                put("\"do\":\"flush\"}");
            }
            break;
        default:
            put("\"do\":\"set_rate\",\"rate\":%u", below(3000));
            if (chance(50))
                put(",\"for\":\"%ums\"", 1 + below(500));
            put("}");
        }
    }
    put("]");
}

/* Phases from the end of the warm-up on. */
static void put_phases(uint32_t duration, uint32_t warmup)
{
    uint32_t at = warmup;
    put(",\"phases\":[");
    for (uint32_t i = 0; i < 4 && at < duration; i++) {
        put("%s{\"name\":\"p%u\",\"at\":\"%ums\"}", i > 0 ? "," : "", i, at);
        at += 1 + below(duration);
    }
    put("]");
}

/* Its `text`; whether it has phases. */
static bool generate(uint32_t number)
{
    length = 0;
    with_l2 = chance(60);
    connected = with_l2 && chance(50);
    limited = threaded = false;
    hosted = chance(30);
    uint32_t duration = 100 + below(2000), warmup = chance(50) ? below(duration) : 0;
    put("{\"name\":\"random %u\",\"seed\":%u,\"duration\":\"%ums\",\"warmup\":\"%ums\",", number, below(1000), duration,
        warmup);
    if (chance(50))
        put("\"interval\":\"%ums\",", 1 + below(duration));
    bool closed = put_workload();
    uint32_t instances = put_instances();
    if (chance(70))
        put_cache("l1");
    if (with_l2)
        put_cache("l2");
    put_host();
    put_origin();
    messaging = put_publications(duration);
    if (chance(60))
        put_events(duration, closed, instances);
    bool phases = chance(60);
    if (phases)
        put_phases(duration, warmup);
    put("}");
    return phases;
}

/* The report of a run advanced `slice` events at a time. */
static char *report_of(const cc_scenario *scenario, uint64_t slice, cc_run **kept)
{
    cc_error error;
    char broken[128];
    cc_run *run = cc_run_new(scenario, 0, &error);
    assert_non_null(run);
    cc_status status = CC_MORE;
    for (uint64_t used = 0; status == CC_MORE; used += slice) {
        if (used > EVENTS_MAX)
            fail_msg("more than %d events: %s", EVENTS_MAX, text);
        status = cc_run_advance(run, slice, &error);
        if (slice > 1 && !measure_lawful(run, broken, sizeof broken))
            fail_msg("%s: %s", broken, text);
    }
    if (status != CC_OK)
        fail_msg("%s: %s", error.message, text);
    if (!measure_lawful(run, broken, sizeof broken))
        fail_msg("%s: %s", broken, text);
    if (scenario->arrivals.process != CC_CLOSED && run->most_in_flight > scenario->arrivals.max_in_flight)
        fail_msg("%u requests in flight at once: %s", (unsigned)run->most_in_flight, text);
    char *report = cc_run_report(run, &error);
    assert_non_null(report);
    if (kept)
        *kept = run;
    else
        cc_run_free(run);
    return report;
}

static void assert_phases_add_up(const cc_run *run)
{
    static const char *const counters[] = {
        "requests",
        "completed",
        "errors",
        "dropped",
        "elapsed_s",
        "outcome.l1_hit",
        "outcome.l2_hit",
        "outcome.joined",
        "outcome.loaded",
        "l1.lookups",
        "l1.hits",
        "l1.misses",
        "l1.evictions",
        "l2.lookups",
        "l2.hits",
        "l2.misses",
        "l2.sets",
        "l2.duplicate_sets",
        "l2.evictions",
        "origin.loads",
        "origin.cold_loads",
        "origin.transactions",
        "outcome.grace",
        "outcome.written",
        "increments",
        "increments.retries",
        "increments.lost",
        "origin.writes",
        "l1.refused_writes",
        "l1.refreshes",
        "l2.refreshes",
        "freshness.publications",
        "freshness.stale_answers",
        "freshness.outdated_writes",
    };
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
        size_t metric = cc_metric_find(counters[i]);
        assert_true(metric < cc_metric_count());
        double whole = cc_run_metric(run, metric, NULL),
               sum = cc_run_metric(run, metric, run->scenario->phases[0].name);
        for (uint32_t p = 1; p < run->scenario->phase_count; p++) {
            double part = cc_run_metric(run, metric, run->scenario->phases[p].name);
            sum += part == part ? part : 0; /* NaN: the run ended before this phase */
        }
        bool both_unknown = whole != whole && sum != sum;
        double difference = whole > sum ? whole - sum : sum - whole;
        if (!both_unknown && !(difference <= 1e-9 * whole)) /* elapsed_s is rounded */
            fail_msg("%s: %.17g in all, %.17g in the phases: %s", counters[i], whole, sum, text);
    }
}

static void random_scenarios_obey(void **state)
{
    (void)state;
    cc_random_start(&dice, 1, 0, "laws", 0);
    uint64_t events = 0;
    for (uint32_t i = 0; i < SCENARIOS; i++) {
        bool phases = generate(i);
        cc_error error;
        cc_scenario *scenario = cc_scenario_parse(text, length, NULL, &error);
        if (!scenario) {
            fail_msg("%s: %s", error.message, text);
            return; /* for analysers, which do not know that a failure leaves */
        }
        cc_run *run;
        char *report = report_of(scenario, EVENTS_MAX, &run);
        events += cc_run_events(run);
        static const uint64_t slices[] = {EVENTS_MAX, 1000, 1};
        for (size_t s = 0; s < sizeof slices / sizeof *slices; s++) {
            char *again = report_of(scenario, slices[s], NULL);
            if (strcmp(report, again) != 0)
                fail_msg("another report in slices of %u: %s", (unsigned)slices[s], text);
            cc_text_free(again, NULL);
        }
        if (phases && cc_run_progress(run) == 1)
            assert_phases_add_up(run);
        cc_text_free(report, NULL);
        cc_run_free(run);
        cc_scenario_free(scenario);
    }
    assert_true(events > UINT64_C(1000) * SCENARIOS); /* the scenarios are not idle */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_scenarios_obey)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
