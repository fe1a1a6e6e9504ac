/* cachecast-bench: how fast the engine and the whole model are on this machine.
 *
 *     cachecast-bench [engine] [REPEATS]
 *
 * The engine runs K independent M/M/1 stations (rho 0.9) in one calendar. Beside it, in the same rounds, runs a bare
 * reference loop: the same stations on a hand-written heap without sequence hashing, growth or a histogram. The whole model runs the
 * in-process scenario of the published four configurations and others. Figures are medians over the rounds with the
 * least and the most, in nanoseconds of CPU time; trust the ratios, which were taken side by side. The caches are looked up by
 * themselves: a read of a key of Zipf's law, and a write where it misses. */
#include "cachecast.h"
#include "engine/queue.h"
#include "engine/variate.h"
#include "model/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define STATIONS_MOST 1024
#define EVENTS 2000000
#define LOOKUPS 2000000
#define ROUNDS_MOST 99

static double cpu_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC; /* CPU time of the process, on Linux and macOS */
}

static volatile uint64_t sink; /* keeps results alive */

/* The bare loop: a 4-ary heap of (time, station and kind), nothing else. */
struct bare_event {
    uint64_t time, word;
};
static struct bare_event bare_heap[4 * STATIONS_MOST];

static bool bare_before(struct bare_event a, struct bare_event b)
{
    bool before = a.time < b.time;
    if (CC_RARE(a.time == b.time))
        before = a.word < b.word;
    return before;
}

/* Cells past the end hold "never", as in the engine: the best known form is what the engine is measured against. */
static void bare_down(uint32_t size, struct bare_event e)
{
    uint32_t place = 0;
    for (uint32_t child; (child = 4 * place + 1) < size;) {
        uint32_t left = bare_before(bare_heap[child + 1], bare_heap[child]) ? child + 1 : child;
        uint32_t right = bare_before(bare_heap[child + 3], bare_heap[child + 2]) ? child + 3 : child + 2;
        uint32_t least = bare_before(bare_heap[right], bare_heap[left]) ? right : left;
        if (!bare_before(bare_heap[least], e))
            break;
        bare_heap[place] = bare_heap[least];
        place = least;
    }
    bare_heap[place] = e;
}

static uint32_t bare_up(uint32_t size, struct bare_event e)
{
    uint32_t place = size;
    while (place > 0 && bare_before(e, bare_heap[(place - 1) / 4])) {
        bare_heap[place] = bare_heap[(place - 1) / 4];
        place = (place - 1) / 4;
    }
    bare_heap[place] = e;
    return size + 1;
}

static double bare_loop(uint32_t stations)
{
    static uint32_t inside[STATIONS_MOST];
    struct cc_random random;
    uint32_t size = 0;
    uint64_t sequence = 0;
    memset(inside, 0, sizeof inside);
    memset(bare_heap, 0xff, sizeof bare_heap); /* never */
    cc_random_start(&random, 1, 0, "bench", 0);
    for (uint32_t i = 0; i < stations; i++)
        size = bare_up(size, (struct bare_event){cc_nearest_time(1000.0 / 0.9 * cc_exponential(&random)),
                                                 sequence++ << 32 | i << 1});
    double start = cpu_seconds();
    for (uint32_t n = 0; n < EVENTS; n++) {
        struct bare_event e = bare_heap[0];
        uint32_t station = (uint32_t)e.word >> 1;
        bool replaced = false;
        struct bare_event next[2];
        uint32_t count = 0;
        if ((e.word & 1) == 0) {
            next[count++] = (struct bare_event){e.time + cc_nearest_time(1000.0 / 0.9 * cc_exponential(&random)),
                                                sequence++ << 32 | station << 1};
            if (inside[station]++ == 0)
                next[count++] = (struct bare_event){e.time + cc_nearest_time(1000.0 * cc_exponential(&random)),
                                                    sequence++ << 32 | station << 1 | 1};
        } else if (--inside[station] > 0) {
            next[count++] = (struct bare_event){e.time + cc_nearest_time(1000.0 * cc_exponential(&random)),
                                                sequence++ << 32 | station << 1 | 1};
        }
        for (uint32_t i = 0; i < count; i++) {
            if (!replaced)
                bare_down(size, next[i]);
            else
                size = bare_up(size, next[i]);
            replaced = true;
        }
        if (!replaced) {
            struct bare_event last = bare_heap[--size];
            bare_heap[size].time = CC_NEVER;
            if (size > 0)
                bare_down(size, last);
        }
    }
    double seconds = cpu_seconds() - start;
    sink += bare_heap[0].time;
    return seconds * 1e9 / EVENTS;
}

/* The same stations on core/engine, with its sequence numbers, growth and event hash. */
static double engine_loop(uint32_t stations)
{
    static uint32_t inside[STATIONS_MOST];
    struct cc_variate arrival = {.kind = CC_EXPONENTIAL, .a = 1000.0 / 0.9},
                      service = {.kind = CC_EXPONENTIAL, .a = 1000};
    struct cc_random random;
    struct cc_queue queue;
    uint64_t hash = 0;
    memset(inside, 0, sizeof inside);
    cc_random_start(&random, 1, 0, "bench", 0);
    if (!cc_queue_start(&queue, 4096, NULL))
        return 0;
    for (uint32_t i = 0; i < stations; i++)
        cc_queue_push(&queue, cc_variate_draw(&arrival, &random), 0, i);
    double start = cpu_seconds();
    for (uint32_t n = 0; n < EVENTS; n++) {
        struct cc_event e;
        if (!cc_queue_pop(&queue, &e))
            break;
        hash = (cc_rotate(hash, 29) ^ e.time) * UINT64_C(0x9e3779b97f4a7c15) + e.word;
        uint32_t station = cc_event_argument(e);
        if (cc_event_type(e) == 0) {
            cc_queue_push(&queue, e.time + cc_variate_draw(&arrival, &random), 0, station);
            if (inside[station]++ == 0)
                cc_queue_push(&queue, e.time + cc_variate_draw(&service, &random), 1, station);
        } else if (--inside[station] > 0) {
            cc_queue_push(&queue, e.time + cc_variate_draw(&service, &random), 1, station);
        }
    }
    double seconds = cpu_seconds() - start;
    sink += hash;
    cc_queue_end(&queue);
    return seconds * 1e9 / EVENTS;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, by_size);
    return values[count / 2];
}

static int bench_stations(uint32_t stations, int rounds)
{
    double bare[ROUNDS_MOST], engine[ROUNDS_MOST], ratio[ROUNDS_MOST];
    for (int i = 0; i < rounds; i++) {
        bare[i] = bare_loop(stations);
        engine[i] = engine_loop(stations);
        if (engine[i] <= 0)
            return 3;
        ratio[i] = bare[i] / engine[i];
    }
    double b = median(bare, rounds), e = median(engine, rounds), r = median(ratio, rounds);
    printf("%8u %9.1f [%5.1f %5.1f] %9.1f [%5.1f %5.1f] %8.1f M/s %6.0f %%\n", stations, b, bare[0], bare[rounds - 1],
           e, engine[0], engine[rounds - 1], 1e3 / e, 100 * r);
    return 0;
}

static int bench_model(const char *name, const char *text, int rounds)
{
    double per_event[ROUNDS_MOST], per_request[ROUNDS_MOST];
    cc_error error;
    cc_scenario *scenario = cc_scenario_parse(text, strlen(text), NULL, &error);
    if (!scenario) {
        fprintf(stderr, "cachecast-bench: %s: %s\n", name, error.message);
        return 2;
    }
    double requests = 0;
    for (int i = 0; i < rounds; i++) {
        double start = cpu_seconds();
        cc_run *run = cc_run_new(scenario, 0, &error);
        cc_status status = run ? CC_MORE : CC_OUT_OF_MEMORY;
        while (status == CC_MORE)
            status = cc_run_advance(run, 1000000, &error);
        double seconds = cpu_seconds() - start;
        if (status != CC_OK) {
            fprintf(stderr, "cachecast-bench: %s: %s\n", name, error.message);
            return 3;
        }
        requests = cc_run_metric(run, cc_metric_find("requests"), NULL);
        per_event[i] = seconds * 1e9 / (double)cc_run_events(run);
        per_request[i] = seconds * 1e9 / requests;
        cc_run_free(run);
    }
    cc_scenario_free(scenario);
    double e = median(per_event, rounds), r = median(per_request, rounds);
    printf("%-34s %9.0f %8.1f %9.1f [%6.1f %6.1f] %7.2f M/s\n", name, requests, e, r, per_request[0],
           per_request[rounds - 1], 1e3 / r);
    return 0;
}

/* Reads of a full L1 with so many entries, of twice as many keys, and writes where they miss. */
static int bench_cache(const char *policy, uint32_t entries, int rounds)
{
    static uint32_t keys[LOOKUPS];
    char text[512];
    double per_lookup[ROUNDS_MOST], hits = 0;
    cc_error error;
    int length =
        snprintf(text, sizeof text,
                 "{\"name\":\"cache\",\"duration\":\"1s\",\"workload\":{\"arrivals\":{\"rate\":1000},\"keys\":{"
                 "\"popularity\":\"zipf\",\"count\":%u,\"s\":1}},\"l1\":{\"ttl\":\"300s\",\"start\":\"warm\","
                 "\"capacity\":%u,\"eviction\":\"%s\"}}",
                 (unsigned)entries * 2, (unsigned)entries, policy);
    cc_scenario *scenario = cc_scenario_parse(text, (size_t)length, NULL, &error);
    if (!scenario) {
        fprintf(stderr, "cachecast-bench: %s\n", error.message);
        return 2;
    }
    for (int i = 0; i < rounds; i++) {
        cc_run *run = cc_run_new(scenario, 0, &error);
        if (!run)
            return 3;
        struct cache *l1 = &run->instances[0].l1;
        uint32_t r = request_take(run);
        for (uint32_t n = 0; n < LOOKUPS; n++)
            keys[n] = cc_alias_draw(&run->popularity, &run->keys);
        uint64_t found = 0;
        double start = cpu_seconds();
        for (uint32_t n = 0; n < LOOKUPS; n++) {
            run->requests[r].key = keys[n];
            run->now += 1000;
            bool hit = cache_read(run, l1, r);
            found += hit;
            if (!hit)
                cache_write(run, l1, r, &run->l1_ttl, 1, COUNT_L1_EVICTIONS);
        }
        per_lookup[i] = (cpu_seconds() - start) * 1e9 / LOOKUPS;
        hits = (double)found / LOOKUPS;
        cc_run_free(run);
    }
    cc_scenario_free(scenario);
    double middle = median(per_lookup, rounds);
    printf("%-14s %9u %9.3f %9.1f [%6.1f %6.1f] %7.1f M/s\n", policy, (unsigned)entries, hits, middle, per_lookup[0],
           per_lookup[rounds - 1], 1e3 / middle);
    return 0;
}

int main(int argc, char **argv)
{
    int at = argc > 1 && strcmp(argv[1], "engine") == 0 ? 2 : 1;
    long rounds = argc > at ? strtol(argv[at], NULL, 10) : 9;
    if (argc > at + 1 || rounds < 1 || rounds > ROUNDS_MOST) {
        fprintf(stderr, "usage: cachecast-bench [engine] [ROUNDS]   (1 to %d rounds)\n", ROUNDS_MOST);
        return 2;
    }
    printf("engine: K stations M/M/1, rho 0.9, %d events a round, median [least most] of %ld rounds\n", EVENTS, rounds);
    printf("%8s %23s %23s %12s %8s\n", "stations", "bare loop ns/event", "engine ns/event", "engine", "of bare");
    const uint32_t counts[] = {1, 64, STATIONS_MOST};
    for (int i = 0; i < 3; i++)
        if (bench_stations(counts[i], (int)rounds))
            return 3;
    printf("\nmodel: whole scenarios, median [least most] of %ld rounds\n", rounds);
    printf("%-34s %9s %8s %25s %11s\n", "scenario", "requests", "ns/event", "ns/request", "requests");
    int status = bench_model(
        "in-process, 4 instances",
        "{\"name\":\"b\",\"duration\":\"180s\",\"workload\":{\"arrivals\":{\"rate\":1600,\"max_in_flight\":500},"
        "\"keys\":{\"popularity\":\"weights\",\"weights\":[0.9,0.05,0.05]}},\"instances\":{\"count\":4,"
        "\"cpu\":{\"dist\":\"uniform\",\"low\":\"400us\",\"high\":\"600us\"}},\"l1\":{\"ttl\":\"2s\"},"
        "\"origin\":{\"load\":\"250us\",\"check\":{\"dist\":\"exponential\",\"mean\":\"80us\"},"
        "\"pool\":10,\"cores\":2,\"checks_per_request\":3}}",
        (int)rounds);
    if (!status)
        status = bench_model(
            "two tiers, Zipf over 1 million keys",
            "{\"name\":\"b\",\"duration\":\"60s\",\"workload\":{\"arrivals\":{\"process\":\"poisson\",\"rate\":10000},"
            "\"keys\":{\"popularity\":\"zipf\",\"count\":1000000,\"s\":1}},\"instances\":{\"count\":4,\"cores\":8,"
            "\"cpu\":{\"dist\":\"exponential\",\"mean\":\"200us\"}},\"l1\":{\"ttl\":\"10s\",\"capacity\":10000},"
            "\"l2\":{\"ttl\":\"60s\",\"get\":\"300us\",\"set\":\"300us\"},\"origin\":{\"load\":\"5ms\"}}",
            (int)rounds);
    static const char *const policies[] = {"lru",   "fifo",      "lfu",       "w_tinylfu",    "s3_fifo",
                                           "sieve", "redis_lru", "redis_lfu", "volatile_ttl", "random"};
    printf("\ncaches: %d look-ups a round, of twice as many keys by Zipf's law, median [least most] of %ld rounds\n",
           LOOKUPS, rounds);
    printf("%-14s %9s %9s %25s %11s\n", "policy", "entries", "hits", "ns/look-up", "look-ups");
    for (uint32_t entries = 100000; entries <= 1000000 && !status; entries *= 10)
        for (size_t p = 0; p < sizeof policies / sizeof *policies && !status; p++)
            status = bench_cache(policies[p], entries, (int)rounds);
    return status;
}
