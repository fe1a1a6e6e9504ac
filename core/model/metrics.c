/* The figures of a summary: one table of names, meanings and how each comes from a measure. */
#include "cachecast.h"
#include "model/sim.h"

#include <math.h>
#include <string.h>

enum how {
    HOW_COUNTER,        /* a counter */
    HOW_RATE,           /* a counter for each measured second */
    HOW_COMPLETED,      /* requests with a value */
    HOW_COMPLETED_RATE, /* for each measured second */
    HOW_SHARE,          /* counter a over counter b */
    HOW_LATENCY,        /* of outcome a, quantile b (per 10,000), ms */
    HOW_LATENCY_MEAN,
    HOW_LATENCY_MAX,
    HOW_WAIT, /* at station a, quantile b, ms */
    HOW_WAIT_MEAN,
    HOW_SOJOURN_MEAN, /* at station a, ms */
    HOW_UTILIZATION,  /* busy share of station a's servers */
    HOW_IN_SYSTEM,    /* mean number at station a, waiting and served */
    HOW_WAITING_MOST, /* at station a */
    HOW_IN_FLIGHT,
    HOW_IN_FLIGHT_MOST,
    HOW_IN_FLIGHT_NOW,
    HOW_PEAK_LOADS,
    HOW_MISS_RATE, /* look-ups a less hits b, for each measured second */
    HOW_MISSES,
    HOW_TRANSACTIONS,
    HOW_TRANSACTION_RATE,
    HOW_LOADS_PER_REFILL,
    HOW_ELAPSED,
    HOW_NEWEST_MISS_RATE,
    HOW_NEWEST_LOADS,
    HOW_COMMAND, /* of kind a, quantile b, ms */
    HOW_COMMAND_MEAN,
    HOW_TIME_SHARE,   /* nanoseconds in counter a over measured time; b: of all I/O threads */
    HOW_TIME_REQUEST, /* microseconds in counter a for each completed request */
    HOW_HOST_SHARE,   /* of all cores of the hosts */
    HOW_PROCESSOR,    /* microseconds of processor time of the clients for each completed request */
    HOW_STORED,
    HOW_STORED_RATIO,
    HOW_ATTEMPTS,
    HOW_PENDING_MOST,
    HOW_HOTTEST,
    HOW_SIGNED,          /* counter a, which may fall */
    HOW_SURVIVED,        /* counter a less counter b, which may fall */
    HOW_BYTES_EACH,      /* counter a over increments */
    HOW_COMPLETED_SHARE, /* counter a over completed requests */
    HOW_AGE,             /* of age a, quantile b (per 10,000; 0: mean), seconds */
    HOW_STALE_ENTRIES,
    HOW_UNCHECKED,
    HOW_ENTRIES,         /* of tier a (0: L1): all, expired ones or bytes */
    HOW_EVICTION_AGE,    /* ages a over evictions b, seconds */
    HOW_PANEL,           /* of what is scraped a, panel b */
    HOW_BUCKET_QUANTILE, /* b per 10,000, ms */
    HOW_CLIENT,          /* the same, as a load generator counts; 0: mean; 10,000: longest */
    HOW_RECOVERED,
    HOW_RECOVERY_TIME,
};

enum needs {
    NEEDS_NOTHING,
    NEEDS_L1,
    NEEDS_L2,
    NEEDS_POOL,
    NEEDS_CORES,
    NEEDS_THREADS,
    NEEDS_COLD,
    NEEDS_OWN_CORES, /* no host */
    NEEDS_HOST,
    NEEDS_CONNECTION,
    NEEDS_CONNECTION_POOL,
    NEEDS_BREAKER,
    NEEDS_VALUES, /* beyond their latency */
    NEEDS_PUBLICATIONS,
    NEEDS_LEASE,
    NEEDS_PUBLISHED_CHECKS,
    NEEDS_OBSERVER,
    NEEDS_MIX,
    NEEDS_STORE_THREADS,
    NEEDS_COUNTED
};

struct metric {
    const char *name;
    cc_help help;
    enum how how;
    enum needs needs;
    int a, b;
};

#define LATENCY(name, outcome, what)                                                             \
    {name ".mean_ms", "mean latency of " what, HOW_LATENCY_MEAN, NEEDS_NOTHING, outcome, 0},     \
        {name ".p50_ms", "median latency of " what, HOW_LATENCY, NEEDS_NOTHING, outcome, 5000},  \
        {name ".p90_ms", "90th percentile of it", HOW_LATENCY, NEEDS_NOTHING, outcome, 9000},    \
        {name ".p95_ms", "95th percentile of it", HOW_LATENCY, NEEDS_NOTHING, outcome, 9500},    \
        {name ".p99_ms", "99th percentile of it", HOW_LATENCY, NEEDS_NOTHING, outcome, 9900},    \
        {name ".p999_ms", "99.9th percentile of it", HOW_LATENCY, NEEDS_NOTHING, outcome, 9990}, \
    {                                                                                            \
        name ".max_ms", "longest of it", HOW_LATENCY_MAX, NEEDS_NOTHING, outcome, 0              \
    }

#define WAIT(name, station, needs, what)                                                                         \
    {name ".wait_mean_ms", "mean wait for " what, HOW_WAIT_MEAN, needs, station, 0},                             \
        {name ".wait_p50_ms", "median wait for " what, HOW_WAIT, needs, station, 5000},                          \
        {name ".wait_p90_ms", "90th percentile of it", HOW_WAIT, needs, station, 9000},                          \
        {name ".wait_p95_ms", "95th percentile of it", HOW_WAIT, needs, station, 9500},                          \
        {name ".wait_p99_ms", "99th percentile of it", HOW_WAIT, needs, station, 9900},                          \
        {name ".sojourn_mean_ms", "mean wait and service there", HOW_SOJOURN_MEAN, needs, station, 0},           \
        {name ".in_system", "mean number waiting or served there", HOW_IN_SYSTEM, needs, station, 0},            \
    {                                                                                                            \
        name ".waiting_max", "most that waited at once, over all instances", HOW_WAITING_MOST, needs, station, 0 \
    }

#define COMMAND(name, kind, what)                                                                    \
    {name ".mean_ms", "mean time of a " what " of L2", HOW_COMMAND_MEAN, NEEDS_CONNECTION, kind, 0}, \
        {name ".p50_ms", "median of it", HOW_COMMAND, NEEDS_CONNECTION, kind, 5000},                 \
        {name ".p95_ms", "95th percentile of it", HOW_COMMAND, NEEDS_CONNECTION, kind, 9500},        \
    {                                                                                                \
        name ".p99_ms", "99th percentile of it", HOW_COMMAND, NEEDS_CONNECTION, kind, 9900           \
    }

#define AGE(name, age, what)                                                              \
    {name "_mean_s", "mean time " what, HOW_AGE, NEEDS_PUBLICATIONS, age, 0},             \
        {name "_p50_s", "median of it", HOW_AGE, NEEDS_PUBLICATIONS, age, 5000},          \
        {name "_p95_s", "95th percentile of it", HOW_AGE, NEEDS_PUBLICATIONS, age, 9500}, \
    {                                                                                     \
        name "_max_s", "longest of it", HOW_AGE, NEEDS_PUBLICATIONS, age, 10000           \
    }

static const struct metric METRICS[] = {
    {"requests", "requests that were due, dropped ones included", HOW_COUNTER, NEEDS_NOTHING, COUNT_ARRIVALS, 0},
    {"completed", "requests that got a value", HOW_COMPLETED, NEEDS_NOTHING, 0, 0},
    {"errors", "requests that failed", HOW_COUNTER, NEEDS_NOTHING, COUNT_OUTCOME + OUTCOME_FAILED, 0},
    {"dropped", "requests dropped because max_in_flight was reached", HOW_COUNTER, NEEDS_NOTHING, COUNT_DROPPED, 0},
    {"dropped_ratio", "dropped over requests", HOW_SHARE, NEEDS_NOTHING, COUNT_DROPPED, COUNT_ARRIVALS},
    {"errors_ratio", "errors over requests", HOW_SHARE, NEEDS_NOTHING, COUNT_OUTCOME + OUTCOME_FAILED, COUNT_ARRIVALS},
    {"timeouts", "attempts that their clients gave up", HOW_COUNTER, NEEDS_NOTHING, COUNT_TIMEOUTS, 0},
    {"retries", "attempts of clients after the first", HOW_COUNTER, NEEDS_NOTHING, COUNT_RETRIES, 0},
    {"attempts_per_request", "first attempts and retries over requests", HOW_ATTEMPTS, NEEDS_NOTHING, 0, 0},
    {"shed", "attempts that an admission limit refused", HOW_COUNTER, NEEDS_NOTHING, COUNT_SHED, 0},
    {"recovery.recovered", "1: after the last event all was well again; 0: it stayed worse than before the first",
     HOW_RECOVERED, NEEDS_NOTHING, 0, 0},
    {"recovery.time_s", "from the last event's end until it was", HOW_RECOVERY_TIME, NEEDS_NOTHING, 0, 0},
    {"in_flight.end", "requests in the service at the end", HOW_IN_FLIGHT_NOW, NEEDS_NOTHING, 0, 0},
    {"in_flight.mean", "mean number of requests in the service", HOW_IN_FLIGHT, NEEDS_NOTHING, 0, 0},
    {"in_flight.max", "most requests in the service at once", HOW_IN_FLIGHT_MOST, NEEDS_NOTHING, 0, 0},
    {"elapsed_s", "measured time", HOW_ELAPSED, NEEDS_NOTHING, 0, 0},
    {"throughput_per_s", "completed requests a second", HOW_COMPLETED_RATE, NEEDS_NOTHING, 0, 0},
    LATENCY("latency", OUTCOME_ALL, "all completed requests"),
    {"outcome.l1_hit", "answered by L1", HOW_COUNTER, NEEDS_NOTHING, COUNT_OUTCOME + OUTCOME_L1_HIT, 0},
    {"outcome.l2_hit", "answered by L2", HOW_COUNTER, NEEDS_NOTHING, COUNT_OUTCOME + OUTCOME_L2_HIT, 0},
    {"outcome.joined", "waited for another request's load", HOW_COUNTER, NEEDS_NOTHING, COUNT_OUTCOME + OUTCOME_JOINED,
     0},
    {"outcome.loaded", "loaded from the origin", HOW_COUNTER, NEEDS_NOTHING, COUNT_OUTCOME + OUTCOME_LOADED, 0},
    {"outcome.written", "writes, increments and deletions that were made", HOW_COUNTER, NEEDS_MIX,
     COUNT_OUTCOME + OUTCOME_WRITTEN, 0},
    {"outcome.grace", "answered with an entry past its TTL", HOW_COUNTER, NEEDS_VALUES, COUNT_OUTCOME + OUTCOME_GRACE,
     0},
    {"outcome.joined_ratio", "joined over requests", HOW_SHARE, NEEDS_NOTHING, COUNT_OUTCOME + OUTCOME_JOINED,
     COUNT_ARRIVALS},
    LATENCY("latency.l1_hit", OUTCOME_L1_HIT, "requests answered by L1"),
    LATENCY("latency.l2_hit", OUTCOME_L2_HIT, "requests answered by L2"),
    LATENCY("latency.joined", OUTCOME_JOINED, "requests that joined a running load"),
    LATENCY("latency.loaded", OUTCOME_LOADED, "requests that loaded"),
    LATENCY("latency.written", OUTCOME_WRITTEN, "requests that wrote"),
    LATENCY("latency.grace", OUTCOME_GRACE, "requests answered past the TTL"),
    LATENCY("latency.failed", OUTCOME_FAILED, "requests that failed"),
    {"l1.lookups", "look-ups in L1", HOW_COUNTER, NEEDS_L1, COUNT_L1_LOOKUPS, 0},
    {"l1.hits", "look-ups in L1 that found a valid entry", HOW_COUNTER, NEEDS_L1, COUNT_L1_HITS, 0},
    {"l1.misses", "look-ups in L1 that did not", HOW_MISSES, NEEDS_L1, COUNT_L1_LOOKUPS, COUNT_L1_HITS},
    {"l1.hit_ratio", "L1 hits over look-ups; joining a load is no hit", HOW_SHARE, NEEDS_L1, COUNT_L1_HITS,
     COUNT_L1_LOOKUPS},
    {"l1.misses_per_s", "L1 misses a second", HOW_MISS_RATE, NEEDS_L1, COUNT_L1_LOOKUPS, COUNT_L1_HITS},
    {"l1.evictions", "entries evicted from L1 for room", HOW_COUNTER, NEEDS_L1, COUNT_L1_EVICTIONS, 0},
    {"l1.eviction_age_s", "mean time from an evicted entry's last use", HOW_EVICTION_AGE, NEEDS_L1,
     COUNT_L1_EVICTION_AGE, COUNT_L1_EVICTIONS},
    {"l1.refused_writes", "writes to L1 for which nothing was to go", HOW_COUNTER, NEEDS_L1, COUNT_L1_REFUSED, 0},
    {"l1.entries", "entries in the L1s that take requests, expired ones too, at the end", HOW_ENTRIES, NEEDS_L1, 0, 0},
    {"l1.expired_entries", "those of them that have expired", HOW_ENTRIES, NEEDS_L1, 0, 1},
    {"l1.bytes", "bytes of them", HOW_ENTRIES, NEEDS_L1, 0, 2},
    {"l1.refreshes", "loads that L1 began behind the back of a read", HOW_COUNTER, NEEDS_L1, COUNT_L1_REFRESHES, 0},
    {"l1.early", "look-ups that took a valid entry of L1 for expired, by xfetch", HOW_COUNTER, NEEDS_L1, COUNT_L1_EARLY,
     0},
    {"l1.newest_misses_per_s", "L1 misses a second of the instance started last", HOW_NEWEST_MISS_RATE, NEEDS_L1, 0, 0},
    {"newest_instance.loads", "loads by the instance started last", HOW_NEWEST_LOADS, NEEDS_NOTHING, 0, 0},
    {"l2.lookups", "GETs at L2", HOW_COUNTER, NEEDS_L2, COUNT_L2_LOOKUPS, 0},
    {"l2.hits", "GETs that found a valid entry", HOW_COUNTER, NEEDS_L2, COUNT_L2_HITS, 0},
    {"l2.misses", "GETs that did not", HOW_MISSES, NEEDS_L2, COUNT_L2_LOOKUPS, COUNT_L2_HITS},
    {"l2.hit_ratio", "L2 hits over GETs", HOW_SHARE, NEEDS_L2, COUNT_L2_HITS, COUNT_L2_LOOKUPS},
    {"l2.misses_per_s", "L2 misses a second", HOW_MISS_RATE, NEEDS_L2, COUNT_L2_LOOKUPS, COUNT_L2_HITS},
    {"l2.sets", "SETs at L2", HOW_COUNTER, NEEDS_L2, COUNT_L2_SETS, 0},
    {"l2.duplicate_sets", "SETs over an entry that was still valid", HOW_COUNTER, NEEDS_L2, COUNT_L2_DUPLICATE_SETS, 0},
    {"l2.loads_per_refill", "SETs for each time that an absent key became present", HOW_LOADS_PER_REFILL, NEEDS_L2, 0,
     0},
    {"l2.evictions", "entries evicted from L2 for room", HOW_COUNTER, NEEDS_L2, COUNT_L2_EVICTIONS, 0},
    {"l2.eviction_age_s", "mean time from an evicted entry's last use", HOW_EVICTION_AGE, NEEDS_L2,
     COUNT_L2_EVICTION_AGE, COUNT_L2_EVICTIONS},
    {"l2.refused_writes", "writes to L2 for which nothing was to go", HOW_COUNTER, NEEDS_L2, COUNT_L2_REFUSED, 0},
    {"l2.entries", "entries in L2, expired ones too, at the end", HOW_ENTRIES, NEEDS_L2, 1, 0},
    {"l2.expired_entries", "those of them that have expired", HOW_ENTRIES, NEEDS_L2, 1, 1},
    {"l2.bytes", "bytes of them", HOW_ENTRIES, NEEDS_L2, 1, 2},
    {"l2.refreshes", "loads that L2 began behind the back of a read", HOW_COUNTER, NEEDS_L2, COUNT_L2_REFRESHES, 0},
    {"l2.early", "GETs that took a valid entry of L2 for expired, by xfetch", HOW_COUNTER, NEEDS_L2, COUNT_L2_EARLY, 0},
    {"l2.polls", "GETs that found the lease taken, to be repeated", HOW_COUNTER, NEEDS_LEASE, COUNT_POLLS, 0},
    {"l2.failures", "commands that were refused or timed out", HOW_COUNTER, NEEDS_L2, COUNT_L2_FAILURES, 0},
    {"l2.retries", "GETs tried again after a failure", HOW_COUNTER, NEEDS_L2, COUNT_L2_RETRIES, 0},
    {"breaker.opened", "times a breaker opened, also again after a probe", HOW_COUNTER, NEEDS_BREAKER,
     COUNT_BREAKER_OPENED, 0},
    {"breaker.skipped", "commands that a breaker held back", HOW_COUNTER, NEEDS_BREAKER, COUNT_L2_SKIPPED, 0},
    COMMAND("l2.get", COMMAND_GET, "read"),
    COMMAND("l2.set", COMMAND_SET, "write"),
    {"l2.stored_bytes", "bytes that a value travels as", HOW_STORED, NEEDS_CONNECTION, 0, 0},
    {"l2.stored_ratio", "those over the bytes of the value", HOW_STORED_RATIO, NEEDS_CONNECTION, 0, 0},
    {"l2.utilization", "busy share of the store's command thread", HOW_TIME_SHARE, NEEDS_CONNECTION, COUNT_SERVER_NS,
     0},
    {"connection.utilization", "busy share of the I/O threads", HOW_TIME_SHARE, NEEDS_CONNECTION, COUNT_IO_NS, 1},
    {"connection.batch", "commands in a write", HOW_SHARE, NEEDS_CONNECTION, COUNT_TAKEN, COUNT_WRITES},
    {"connection.sent_bytes_per_s", "bytes a second that reached the store", HOW_RATE, NEEDS_CONNECTION,
     COUNT_BYTES_SENT, 0},
    {"connection.received_bytes_per_s", "bytes a second that came back from it", HOW_RATE, NEEDS_CONNECTION,
     COUNT_BYTES_RECEIVED, 0},
    WAIT("connection", STATION_CONNECTION, NEEDS_CONNECTION_POOL, "a connection to the store"),
    {"codec.cpu_us_per_request", "processor time to compress and decompress", HOW_TIME_REQUEST, NEEDS_CONNECTION,
     COUNT_CODEC_NS, 0},
    {"client.cpu_us_per_request", "processor time of callers and I/O threads", HOW_PROCESSOR, NEEDS_CONNECTION, 0, 0},
    {"l2.cpu_us_per_request", "processor time of the store", HOW_TIME_REQUEST, NEEDS_CONNECTION, COUNT_SERVER_NS, 0},
    {"host.utilization", "busy share of the machines' cores, changes of threads included", HOW_HOST_SHARE, NEEDS_HOST,
     0, 0},
    {"origin.loads", "calls of the loader", HOW_COUNTER, NEEDS_NOTHING, COUNT_LOADS, 0},
    {"origin.loads_per_s", "calls of the loader a second", HOW_RATE, NEEDS_NOTHING, COUNT_LOADS, 0},
    {"origin.peak_loads_per_s", "loads a second in the interval with most", HOW_PEAK_LOADS, NEEDS_NOTHING, 0, 0},
    {"origin.loads_per_request", "loads over requests", HOW_SHARE, NEEDS_NOTHING, COUNT_LOADS, COUNT_ARRIVALS},
    {"origin.cold_loads", "loads that took cold_load", HOW_COUNTER, NEEDS_COLD, COUNT_COLD_LOADS, 0},
    {"origin.early_loads", "loads that xfetch began before the entry expired", HOW_COUNTER, NEEDS_VALUES,
     COUNT_EARLY_LOADS, 0},
    {"origin.failures", "loads that failed", HOW_COUNTER, NEEDS_NOTHING, COUNT_LOAD_FAILURES, 0},
    {"origin.refused", "transactions that found the line full", HOW_COUNTER, NEEDS_CORES, COUNT_REFUSED, 0},
    {"cache.negative_hits", "look-ups, at either tier, that found a key known to be absent", HOW_COUNTER, NEEDS_VALUES,
     COUNT_NEGATIVE_HITS, 0},
    {"cache.passed", "look-ups, at either tier, that found a value known not to be kept", HOW_COUNTER, NEEDS_VALUES,
     COUNT_PASSED, 0},
    {"freshness.publications", "changes of a key at the origin", HOW_COUNTER, NEEDS_PUBLICATIONS, COUNT_PUBLICATIONS,
     0},
    {"freshness.stale_answers", "answers older than a publication before them", HOW_COUNTER, NEEDS_PUBLICATIONS,
     COUNT_STALE_ANSWERS, 0},
    {"freshness.stale_ratio", "those over completed", HOW_COMPLETED_SHARE, NEEDS_PUBLICATIONS, COUNT_STALE_ANSWERS, 0},
    AGE("freshness.stale_age", AGE_ANSWER, "since when stale answers were outdated"),
    AGE("freshness.propagation", AGE_PROPAGATED, "from a publication to the last answer older than it"),
    AGE("freshness.first_answer", AGE_FIRST, "from a publication to the first answer that shows it"),
    {"freshness.stale_entries_ratio", "entries of L1 (of L2 without L1) that are outdated, at the end",
     HOW_STALE_ENTRIES, NEEDS_PUBLICATIONS, 0, 0},
    {"freshness.outdated_writes", "writes to a cache of a value that was outdated by then", HOW_COUNTER,
     NEEDS_PUBLICATIONS, COUNT_OUTDATED_WRITES, 0},
    {"freshness.outdated_writes_per_s", "the same a second", HOW_RATE, NEEDS_PUBLICATIONS, COUNT_OUTDATED_WRITES, 0},
    {"freshness.refused_writes", "writes that a cache refused since it knew a newer version", HOW_COUNTER,
     NEEDS_PUBLICATIONS, COUNT_REFUSED_WRITES, 0},
    {"freshness.lost_messages", "invalidations that were lost", HOW_COUNTER, NEEDS_PUBLICATIONS, COUNT_LOST_MESSAGES,
     0},
    {"freshness.unchecked_max_s", "longest from when a publication shows to an answer whose checks came before",
     HOW_UNCHECKED, NEEDS_PUBLISHED_CHECKS, 0, 0},
    {"pool.pending_max", "most that waited at once for one instance's pool", HOW_PENDING_MOST, NEEDS_POOL, 0, 0},
    {"origin.transactions", "loads, checks and inserts", HOW_TRANSACTIONS, NEEDS_NOTHING, 0, 0},
    {"origin.transactions_per_s", "the same a second", HOW_TRANSACTION_RATE, NEEDS_NOTHING, 0, 0},
    {"origin.writes", "writes of the workload to the origin", HOW_COUNTER, NEEDS_MIX, COUNT_ORIGIN_WRITES, 0},
    {"origin.inserts_per_s", "inserts a second", HOW_RATE, NEEDS_NOTHING, COUNT_INSERTS, 0},
    {"cpu.utilization", "busy share of the instances' cores", HOW_UTILIZATION, NEEDS_OWN_CORES, STATION_CPU, 0},
    WAIT("cpu", STATION_CPU, NEEDS_OWN_CORES, "a core of the instance"),
    WAIT("threads", STATION_THREAD, NEEDS_THREADS, "a thread"),
    WAIT("pool", STATION_POOL, NEEDS_POOL, "a connection of the pool"),
    {"origin.utilization", "busy share of the origin's cores", HOW_UTILIZATION, NEEDS_CORES, STATION_CORE, 0},
    {"increments", "increments that were made", HOW_COUNTER, NEEDS_MIX, COUNT_INCREMENTS, 0},
    {"increments.retries", "conditional writes that failed, so that the increment began anew", HOW_COUNTER, NEEDS_MIX,
     COUNT_CONFLICTS, 0},
    {"increments.retries_each", "those over increments", HOW_SHARE, NEEDS_MIX, COUNT_CONFLICTS, COUNT_INCREMENTS},
    {"increments.per_s", "increments a second", HOW_RATE, NEEDS_MIX, COUNT_INCREMENTS, 0},
    {"increments.lost", "updates that an unconditional write overwrote", HOW_SIGNED, NEEDS_MIX, COUNT_LOST_UPDATES, 0},
    {"increments.survived", "increments less lost updates", HOW_SURVIVED, NEEDS_MIX, COUNT_INCREMENTS,
     COUNT_LOST_UPDATES},
    {"increments.aba", "writes that compared equal though the value had changed meanwhile", HOW_COUNTER, NEEDS_MIX,
     COUNT_ABA, 0},
    {"increments.gone", "conditional writes that failed since the key was gone", HOW_COUNTER, NEEDS_MIX, COUNT_GONE, 0},
    {"increments.gone_ratio", "those over GETs that found the key", HOW_SHARE, NEEDS_MIX, COUNT_GONE, COUNT_L2_HITS},
    {"increments.given_up", "increments that failed after their last retry", HOW_COUNTER, NEEDS_MIX, COUNT_GIVEN_UP, 0},
    {"increments.lock_polls_per_s", "tries a second for a lock that was taken", HOW_RATE, NEEDS_MIX, COUNT_LOCK_POLLS,
     0},
    {"increments.bytes_up", "bytes of values and digests to the store, for each increment", HOW_BYTES_EACH, NEEDS_MIX,
     COUNT_BYTES_UP, 0},
    {"increments.bytes_down", "the same from the store", HOW_BYTES_EACH, NEEDS_MIX, COUNT_BYTES_DOWN, 0},
    {"l2.commands_per_s", "commands a second", HOW_RATE, NEEDS_COUNTED, COUNT_STORE_COMMANDS, 0},
    {"l2.hottest_shard_ratio", "share of the busiest shard in all commands of the whole run", HOW_HOTTEST,
     NEEDS_COUNTED, 0, 0},
    {"store.utilization", "busy share of the store's threads", HOW_UTILIZATION, NEEDS_STORE_THREADS, STATION_STORE, 0},
    WAIT("store", STATION_STORE, NEEDS_STORE_THREADS, "a thread of the store"),
    WAIT("origin", STATION_CORE, NEEDS_NOTHING, "a core of the origin"),
    {"observed.loads", "area under the panel of origin.loads: rate[w] in trapezoids", HOW_PANEL, NEEDS_OBSERVER,
     SCRAPED_LOADS, PANEL_AREA},
    {"observed.loads_per_s", "mean of that panel's points", HOW_PANEL, NEEDS_OBSERVER, SCRAPED_LOADS, PANEL_MEAN},
    {"observed.peak_loads_per_s", "its highest point", HOW_PANEL, NEEDS_OBSERVER, SCRAPED_LOADS, PANEL_MOST},
    {"observed.l1_misses", "area under the panel of l1.misses", HOW_PANEL, NEEDS_OBSERVER, SCRAPED_MISSES, PANEL_AREA},
    {"observed.l1_misses_per_s", "mean of that panel's points", HOW_PANEL, NEEDS_OBSERVER, SCRAPED_MISSES, PANEL_MEAN},
    {"observed.requests_per_s", "mean of the panel of requests", HOW_PANEL, NEEDS_OBSERVER, SCRAPED_REQUESTS,
     PANEL_MEAN},
    {"observed.peak_requests_per_s", "its highest point", HOW_PANEL, NEEDS_OBSERVER, SCRAPED_REQUESTS, PANEL_MOST},
    {"observed.p50_ms", "median latency, interpolated within a bucket", HOW_BUCKET_QUANTILE, NEEDS_OBSERVER, 0, 5000},
    {"observed.p95_ms", "95th percentile of it", HOW_BUCKET_QUANTILE, NEEDS_OBSERVER, 0, 9500},
    {"observed.p99_ms", "99th percentile of it", HOW_BUCKET_QUANTILE, NEEDS_OBSERVER, 0, 9900},
    {"observed.k6.avg_ms", "mean latency from when a request was sent, failed ones too", HOW_CLIENT, NEEDS_OBSERVER, 0,
     0},
    {"observed.k6.med_ms", "median of it", HOW_CLIENT, NEEDS_OBSERVER, 0, 5000},
    {"observed.k6.p90_ms", "90th percentile of it", HOW_CLIENT, NEEDS_OBSERVER, 0, 9000},
    {"observed.k6.p95_ms", "95th percentile of it", HOW_CLIENT, NEEDS_OBSERVER, 0, 9500},
    {"observed.k6.max_ms", "longest of it", HOW_CLIENT, NEEDS_OBSERVER, 0, 10000},
};

#define METRIC_COUNT (sizeof METRICS / sizeof *METRICS)

size_t cc_metric_count(void) { return METRIC_COUNT; }
const char *cc_metric_name(size_t metric) { return METRICS[metric].name; }
#ifndef CC_WITHOUT_HELP
const char *cc_metric_help(size_t metric) { return METRICS[metric].help; }
#endif

size_t cc_metric_find(const char *name)
{
    for (size_t i = 0; i < METRIC_COUNT; i++)
        if (strcmp(METRICS[i].name, name) == 0)
            return i;
    return SIZE_MAX;
}

static bool has(const struct cc_scenario *scenario, enum needs needs)
{
    switch (needs) {
    case NEEDS_L1:
        return scenario->l1_present;
    case NEEDS_L2:
        return scenario->l2_present;
    case NEEDS_POOL:
        return scenario->origin.pool > 0;
    case NEEDS_CORES:
        return scenario->origin.cores > 0;
    case NEEDS_THREADS:
        return scenario->instances.threads > 0;
    case NEEDS_COLD:
        return scenario->origin.cold_load_present;
    case NEEDS_OWN_CORES:
        return !scenario->host_present;
    case NEEDS_HOST:
        return scenario->host_present;
    case NEEDS_CONNECTION:
        return scenario->l2_present && scenario->l2.connection_present;
    case NEEDS_CONNECTION_POOL:
        return scenario->l2_present && scenario->l2.connection_present && scenario->l2.connection.mode == CC_POOL;
    case NEEDS_BREAKER:
        return scenario->l2_present && scenario->l2.breaker_present;
    case NEEDS_VALUES:
        return scenario->publications_present || refresh_is_used(scenario);
    case NEEDS_PUBLICATIONS:
        return scenario->publications_present;
    case NEEDS_MIX:
        return scenario->mix_present;
    case NEEDS_STORE_THREADS:
        return scenario->l2_present && scenario->l2.threads > 0;
    case NEEDS_COUNTED:
        return scenario->mix_present || (scenario->l2_present && scenario->profile.command_count > 0);
    case NEEDS_OBSERVER:
        return scenario->observe_present;
    case NEEDS_LEASE:
        return scenario->l2_present && scenario->l2.lease_present;
    case NEEDS_PUBLISHED_CHECKS:
        return scenario->publications_present && scenario->origin.checks_per_request > 0;
    case NEEDS_NOTHING:
        break;
    }
    return true;
}

static double over(double a, double b) { return b > 0 ? a / b : (double)NAN; }

static double quantile_ms(const struct cc_histogram *histogram, int per_10000)
{
    if (histogram->count == 0)
        return (double)NAN;
    return (double)cc_histogram_quantile(histogram, (uint64_t)per_10000, 10000) / 1e6;
}

static double mean_ms(const struct cc_histogram *histogram)
{
    return histogram->count == 0 ? (double)NAN : cc_histogram_mean(histogram) / 1e6;
}

double metric_value(const struct cc_run *run, const struct measure *m, size_t index)
{
    if (!m || !m->begun || index >= METRIC_COUNT || !has(run->scenario, METRICS[index].needs))
        return (double)NAN;
    const struct metric *metric = &METRICS[index];
    const uint64_t *c = m->counters;
    double seconds = cc_seconds(m->to - m->from), nanoseconds = (double)(m->to - m->from);
    double completed = (double)m->latency[OUTCOME_ALL].count;
    double transactions = (double)(c[COUNT_LOADS] + c[COUNT_CHECKS] + c[COUNT_INSERTS] + c[COUNT_ORIGIN_WRITES]);
    int a = metric->a, b = metric->b;
    const struct instance_counts *newest = &m->instances[run->instance_count - 1];
    switch (metric->how) {
    case HOW_COUNTER:
        return (double)c[a];
    case HOW_RATE:
        return over((double)c[a], seconds);
    case HOW_COMPLETED:
        return completed;
    case HOW_COMPLETED_RATE:
        return over(completed, seconds);
    case HOW_SHARE:
        return over((double)c[a], (double)c[b]);
    case HOW_LATENCY:
        return quantile_ms(&m->latency[a], b);
    case HOW_LATENCY_MEAN:
        return mean_ms(&m->latency[a]);
    case HOW_LATENCY_MAX:
        return m->latency[a].count == 0 ? (double)NAN : (double)m->latency[a].most / 1e6;
    case HOW_WAIT:
        return quantile_ms(&m->wait[a], b);
    case HOW_WAIT_MEAN:
        return mean_ms(&m->wait[a]);
    case HOW_SOJOURN_MEAN: /* Little's law: mean number over the rate of leaving */
        return over((double)m->in_system[a] / 1e6, (double)m->wait[a].count);
    case HOW_UTILIZATION: {
        double offered = a == STATION_STORE  ? (double)run->scenario->l2.threads * nanoseconds
                         : a == STATION_CORE ? (double)run->scenario->origin.cores * nanoseconds
                                             : (double)run->scenario->instances.cores * (double)m->instances_present;
        return over((double)m->busy[a], offered);
    }
    case HOW_IN_SYSTEM:
        return over((double)m->in_system[a], nanoseconds);
    case HOW_WAITING_MOST:
        return (double)m->most_waiting[a];
    case HOW_IN_FLIGHT:
        return over((double)m->in_flight, nanoseconds);
    case HOW_IN_FLIGHT_MOST:
        return (double)m->most_in_flight;
    case HOW_IN_FLIGHT_NOW:
        return (double)run->in_flight;
    case HOW_PEAK_LOADS:
        return over((double)m->peak_loads, cc_seconds(m->peak_length));
    case HOW_MISSES:
        return (double)(c[a] - c[b]);
    case HOW_MISS_RATE:
        return over((double)(c[a] - c[b]), seconds);
    case HOW_TRANSACTIONS:
        return transactions;
    case HOW_TRANSACTION_RATE:
        return over(transactions, seconds);
    case HOW_LOADS_PER_REFILL:
        return over((double)c[COUNT_L2_SETS], (double)(c[COUNT_L2_SETS] - c[COUNT_L2_DUPLICATE_SETS]));
    case HOW_ELAPSED:
        return seconds;
    case HOW_NEWEST_MISS_RATE:
        return over((double)newest->l1_misses, seconds);
    case HOW_NEWEST_LOADS:
        return (double)newest->loads;
    case HOW_COMMAND:
        return quantile_ms(&m->command[a], b);
    case HOW_COMMAND_MEAN:
        return mean_ms(&m->command[a]);
    case HOW_TIME_SHARE: {
        double threads = b == 0 ? 1 : (double)m->instances_present / nanoseconds * run->scenario->l2.connection.count;
        return over((double)c[a], nanoseconds * threads);
    }
    case HOW_TIME_REQUEST:
        return over((double)c[a] / 1e3, completed);
    case HOW_HOST_SHARE: {
        double cores = 0, busy = 0;
        for (uint32_t h = 0; h < run->host_count; h++)
            cores += run->hosts[h].cores;
        for (int i = COUNT_CALLER_NS; i <= COUNT_SWITCH_NS; i++)
            busy += (double)c[i];
        return over(busy, cores * nanoseconds);
    }
    case HOW_PROCESSOR:
        return over((double)(c[COUNT_CALLER_NS] + c[COUNT_IO_NS]) / 1e3, completed);
    case HOW_STORED:
        return (double)run->coding.stored;
    case HOW_ATTEMPTS:
        return over((double)(c[COUNT_ARRIVALS] + c[COUNT_RETRIES]), (double)c[COUNT_ARRIVALS]);
    case HOW_PENDING_MOST: {
        uint32_t most = 0;
        for (uint32_t i = 0; i < run->instance_count; i++)
            most = m->instances[i].pending > most ? m->instances[i].pending : most;
        return (double)most;
    }
    case HOW_HOTTEST: {
        uint64_t most = 0, all = 0;
        for (uint32_t i = 0; run->shard_commands && i < run->scenario->l2.shards; i++) {
            most = run->shard_commands[i] > most ? run->shard_commands[i] : most;
            all += run->shard_commands[i];
        }
        return m == run->total ? over((double)most, (double)all) : (double)NAN;
    }
    case HOW_SIGNED:
        return (double)(int64_t)c[a];
    case HOW_SURVIVED:
        return (double)c[a] - (double)(int64_t)c[b];
    case HOW_BYTES_EACH:
        return over((double)c[a], (double)c[COUNT_INCREMENTS]);
    case HOW_COMPLETED_SHARE:
        return over((double)c[a], completed);
    case HOW_AGE: {
        const struct cc_histogram *ages = &m->ages[a];
        double most = ages->count > 0 ? (double)ages->most / 1e6 : (double)NAN;
        return (b == 0 ? mean_ms(ages) : b == 10000 ? most : quantile_ms(ages, b)) / 1e3;
    }
    case HOW_RECOVERED:
    case HOW_RECOVERY_TIME: {
        struct recovery recovery = recovery_of(run);
        if (!recovery.known || m != run->total)
            return (double)NAN;
        if (metric->how == HOW_RECOVERED)
            return recovery.recovered;
        return recovery.recovered ? cc_seconds(recovery.time) : (double)NAN;
    }
    case HOW_PANEL:
        return observe_panel(run, m, (enum scraped)a, (enum panel)b);
    case HOW_BUCKET_QUANTILE:
        return observe_quantile(run, m, (double)b / 10000);
    case HOW_CLIENT: {
        double most = m->client->count > 0 ? (double)m->client->most / 1e6 : (double)NAN;
        return b == 0 ? mean_ms(m->client) : b == 10000 ? most : quantile_ms(m->client, b);
    }
    case HOW_STALE_ENTRIES: {
        const struct census *census = &m->census[run->scenario->l1_present ? 0 : 1];
        return over((double)census->stale, (double)(census->entries - census->expired));
    }
    case HOW_ENTRIES:
        return (double)(b == 0 ? m->census[a].entries : b == 1 ? m->census[a].expired : m->census[a].bytes);
    case HOW_EVICTION_AGE:
        return over((double)c[a] / 1e6, (double)c[b]);
    case HOW_UNCHECKED:
        return cc_seconds(m->unchecked);
    case HOW_STORED_RATIO:
        return over((double)run->coding.stored, (double)run->scenario->value_size);
    }
    return (double)NAN;
}

uint32_t cc_run_digest(const cc_run *run)
{
    static const char *const names[] = {
        "requests",       "errors",         "latency.mean_ms",         "latency.p50_ms",
        "latency.p95_ms", "latency.p99_ms", "latency.p999_ms",         "l1.hit_ratio",
        "l2.hit_ratio",   "origin.loads",   "origin.peak_loads_per_s", "connection.utilization"};
    uint32_t digest = 2166136261u;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        double value = cc_run_metric(run, cc_metric_find(names[i]), NULL);
        uint64_t bits = 0x7ff8000000000000u;
        if (value == value)
            memcpy(&bits, &value, sizeof bits);
        for (unsigned byte = 0; byte < 8; byte++)
            digest = (digest ^ (uint32_t)(bits >> 8 * byte & 255)) * 16777619u;
    }
    return digest;
}
