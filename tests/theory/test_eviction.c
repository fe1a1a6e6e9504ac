/* Eviction policies against what is known of them: LRU and FIFO hit by hit against plain lists, every policy against
 * Belady's optimum on the same trace and, under independent references, against the best fixed set of keys. */
#include "cachecast.h"
#include "model/sim.h"
#include "support/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REQUESTS 20000
#define KEYS_MOST 400

static const char *const policies[] = {"lru",       "fifo",      "lfu",          "w_tinylfu", "s3_fifo", "sieve",
                                       "redis_lru", "redis_lfu", "volatile_ttl", "random",    "none"};

static uint32_t trace[REQUESTS];

/* Runs one request a millisecond; fills `trace` with the keys that were asked for; the hits. */
static uint64_t hits_of(const char *policy, uint32_t keys, double s, uint32_t capacity, uint64_t seed, double *best)
{
    char text[512];
    int length =
        snprintf(text, sizeof text,
                 "{\"name\":\"eviction\",\"seed\":%u,\"duration\":\"%us\",\"workload\":{\"arrivals\":{\"rate\":1000},"
                 "\"keys\":{\"popularity\":\"zipf\",\"count\":%u,\"s\":%.2f}},"
                 "\"l1\":{\"ttl\":null,\"capacity\":%u,\"eviction\":\"%s\"}}",
                 (unsigned)seed, REQUESTS / 1000, (unsigned)keys, s, (unsigned)capacity, policy);
    cc_error error;
    cc_scenario *scenario = cc_scenario_parse(text, (size_t)length, NULL, &error);
    if (!scenario) {
        fail_msg("%s: %s", error.message, text);
        return 0;
    }
    cc_run *run = cc_run_new(scenario, 0, &error);
    assert_non_null(run);
    struct cc_random drawn = run->keys; /* the stream that the run will draw its keys from */
    for (uint32_t i = 0; i < REQUESTS; i++)
        trace[i] = cc_alias_draw(&run->popularity, &drawn);
    assert_int_equal(cc_run_advance(run, UINT64_MAX, &error), CC_OK);
    assert_int_equal((uint64_t)cc_run_metric(run, cc_metric_find("requests"), NULL), REQUESTS);
    uint64_t hits = (uint64_t)cc_run_metric(run, cc_metric_find("l1.hits"), NULL);
    assert_true(cc_run_metric(run, cc_metric_find("l1.entries"), NULL) <= capacity);
    double sum = 0, top = 0;
    for (uint32_t k = 0; k < keys; k++) {
        double weight = cc_pow((double)k + 1, -s);
        sum += weight;
        top += k < capacity ? weight : 0;
    }
    *best = top / sum;
    cc_run_free(run);
    cc_scenario_free(scenario);
    return hits;
}

/* A list with the newest first; a hit moves to the front where `renew` says so. */
static uint64_t list_hits(uint32_t capacity, bool renew)
{
    uint32_t list[KEYS_MOST], count = 0;
    uint64_t hits = 0;
    for (uint32_t i = 0; i < REQUESTS; i++) {
        uint32_t at = 0;
        while (at < count && list[at] != trace[i])
            at++;
        bool hit = at < count;
        hits += hit;
        if (hit && !renew)
            continue;
        if (!hit && count < capacity)
            count++;
        if (!hit)
            at = count - 1;
        memmove(&list[1], &list[0], at * sizeof *list);
        list[0] = trace[i];
    }
    return hits;
}

/* Who is asked for last goes, and what is asked for later than all that is there is not taken in. */
static uint64_t belady_hits(uint32_t capacity)
{
    static uint32_t next[REQUESTS];
    uint32_t last[KEYS_MOST], list[KEYS_MOST], when[KEYS_MOST], count = 0;
    for (uint32_t k = 0; k < KEYS_MOST; k++)
        last[k] = UINT32_MAX;
    for (uint32_t i = REQUESTS; i-- > 0;) {
        next[i] = last[trace[i]];
        last[trace[i]] = i;
    }
    uint64_t hits = 0;
    for (uint32_t i = 0; i < REQUESTS; i++) {
        uint32_t at = 0, latest = 0;
        while (at < count && list[at] != trace[i])
            at++;
        if (at < count) {
            hits++;
            when[at] = next[i];
            continue;
        }
        for (uint32_t j = 1; j < count; j++)
            if (when[j] > when[latest])
                latest = j;
        if (count < capacity)
            at = count++;
        else if (when[latest] > next[i])
            at = latest;
        else
            continue;
        list[at] = trace[i];
        when[at] = next[i];
    }
    return hits;
}

static void policies_keep_their_bounds(void **state)
{
    (void)state;
    struct cc_random dice;
    cc_random_start(&dice, 1, 0, "eviction", 0);
    for (uint64_t round = 0; round < 30; round++) {
        uint32_t keys = 2 + (uint32_t)cc_random_below(&dice, KEYS_MOST - 1);
        uint32_t capacity = 1 + (uint32_t)cc_random_below(&dice, keys);
        double s = 1.3 * cc_random_unit(&dice), best;
        for (size_t p = 0; p < sizeof policies / sizeof *policies; p++) {
            uint64_t hits = hits_of(policies[p], keys, s, capacity, round, &best);
            uint64_t optimum = belady_hits(capacity);
            if (hits > optimum)
                fail_msg("%s: %u hits, Belady has %u", policies[p], (unsigned)hits, (unsigned)optimum);
            /* Four standard errors above; a cold start only lowers it. */
            double bound = best + 4 * sqrt(best * (1 - best) / REQUESTS);
            if ((double)hits / REQUESTS > bound)
                fail_msg("%s: hit ratio %.4f above the static optimum %.4f", policies[p], (double)hits / REQUESTS,
                         best);
            if (strcmp(policies[p], "lru") == 0)
                assert_int_equal(hits, list_hits(capacity, true));
            if (strcmp(policies[p], "fifo") == 0)
                assert_int_equal(hits, list_hits(capacity, false));
        }
    }
}

/* What a policy is for: on a skewed stream it must do better than FIFO by some margin that its papers promise. */
static void policies_are_worth_it(void **state)
{
    (void)state;
    double best;
    uint64_t fifo = hits_of("fifo", KEYS_MOST, 1, 40, 7, &best);
    static const char *const better[] = {"lru", "lfu", "w_tinylfu", "s3_fifo", "sieve", "redis_lru", "redis_lfu"};
    for (size_t p = 0; p < sizeof better / sizeof *better; p++)
        if (hits_of(better[p], KEYS_MOST, 1, 40, 7, &best) < fifo + REQUESTS / 100)
            fail_msg("%s is hardly better than fifo", better[p]);
    uint64_t lru = hits_of("lru", KEYS_MOST, 1, 40, 7, &best);
    static const char *const best_of[] = {"lfu", "w_tinylfu", "s3_fifo", "sieve"};
    for (size_t p = 0; p < sizeof best_of / sizeof *best_of; p++)
        if (hits_of(best_of[p], KEYS_MOST, 1, 40, 7, &best) < lru + REQUESTS / 100)
            fail_msg("%s is hardly better than lru", best_of[p]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(policies_keep_their_bounds),
                                       cmocka_unit_test(policies_are_worth_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
