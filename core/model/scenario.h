/* A checked scenario: what io/ makes of the JSON text and the model runs. Groups stand in the order of a request's road.
 *
 * Durations and distributions are in nanoseconds. "Unlimited" is 0 for counts that must be at least 1 (said at each). */
#ifndef CC_MODEL_SCENARIO_H
#define CC_MODEL_SCENARIO_H

#include "engine/memory.h"
#include "engine/variate.h"

/* A duration as written: its law and the law's parameters. `variate` is compiled from them by the parser. */
struct cc_duration_law {
    enum cc_distribution kind;
    cc_time value;        /* constant */
    cc_time low, high;    /* uniform */
    cc_time mean, mean_b; /* exponential, lognormal, erlang; hyperexponential: the two means */
    double scv;           /* lognormal: squared coefficient of variation */
    double share;         /* hyperexponential: of the first mean */
    uint32_t k;           /* erlang */
    cc_time *values;      /* empirical */
    double *weights;      /* empirical: as many as values, or none: equal */
    uint32_t value_count, weight_count;
    struct cc_variate variate;
};

enum cc_arrival_process { CC_PACED, CC_POISSON, CC_CLOSED };
enum cc_when_full { CC_DROP, CC_DELAY };

struct cc_stage {
    cc_time duration;
    double rate; /* at the stage's end, per second; the stage starts where the one before ended */
};

struct cc_arrivals {
    enum cc_arrival_process process;
    double rate; /* open: per second, at the start */
    struct cc_stage *stages;
    uint32_t stage_count;
    uint32_t max_in_flight;
    enum cc_when_full when_full;
    uint32_t clients;             /* closed */
    struct cc_duration_law think; /* closed */
    uint64_t requests_per_client; /* closed; 0: unlimited */
    cc_time ramp_up;              /* closed: client i of n starts at i/n of it */
};

enum cc_popularity {
    CC_KEYS_UNIFORM,
    CC_KEYS_ZIPF,
    CC_KEYS_HOT_SET,
    CC_KEYS_WEIGHTS,
    CC_KEYS_SEQUENTIAL,
    CC_KEYS_CLIENT
};

struct cc_keys {
    enum cc_popularity popularity;
    uint32_t count; /* for weights and client: set by the parser */
    double s;       /* zipf */
    uint32_t hot_keys;
    double hot_share;
    double *weights;
    uint32_t weight_count;
    double *sizes; /* bytes of a value: key k has sizes[k mod size_count]; none: all have value_size */
    uint32_t size_count;
    uint32_t absent;      /* the last ones, the least popular as a rule, are not in the origin */
    uint32_t uncacheable; /* those before them: no cache may keep their values */
};

/* What a caller does about a failure: try again, each time after a longer pause. */
struct cc_retry {
    uint32_t count; /* at most, after the first attempt */
    cc_time backoff, max_backoff;
    double factor; /* by which each pause is longer than the one before */
    double jitter; /* the share of a pause that is drawn uniformly */
    bool budget_present;
    double budget; /* retries for each first attempt */
};

enum cc_operation { CC_READ, CC_PUT_GET };

/* Shares of what requests do. */
struct cc_mix {
    double read, write, increment, remove;
};

enum cc_write_strategy { CC_WRITE_AROUND, CC_WRITE_THROUGH, CC_WRITE_DELETE };
enum cc_method {
    CC_METHOD_SET,
    CC_METHOD_WATCH,
    CC_METHOD_LUA,
    CC_METHOD_IFEQ,
    CC_METHOD_IFDEQ,
    CC_METHOD_VERSION,
    CC_METHOD_LOCK,
    CC_METHOD_IN_STORE
};
enum cc_digest { CC_DIGEST_KEPT, CC_DIGEST_FRESH };
enum cc_value_form { CC_FORM_STRING, CC_FORM_COMPRESSED, CC_FORM_JSON, CC_FORM_LUA_JSON, CC_FORM_LUA_MSGPACK };
enum cc_access { CC_ACCESS_ROOT, CC_ACCESS_PATH };

/* How a value in the store is read, worked on and written back. */
struct cc_increments {
    enum cc_method method;
    enum cc_digest digest;        /* ifdeq */
    struct cc_duration_law think; /* from the GET's reply to the write */
    struct cc_duration_law again; /* from a write that failed, or a lock that was taken, to the next attempt */
    bool retry_present;
    struct cc_retry retry; /* besides: at most, and with what backoff; without it: until it comes off */
    cc_time lock_ttl;      /* 0: never */
};

enum cc_balancer { CC_ROUND_ROBIN, CC_RANDOM, CC_LEAST_OUTSTANDING, CC_HASH, CC_RENDEZVOUS };

struct cc_instances {
    uint32_t count;
    uint32_t cores; /* 0: those of the host */
    struct cc_duration_law cpu, response_cpu;
    uint32_t threads;     /* 0: unlimited */
    uint32_t queue_limit; /* requests waiting for a thread; CC_NONE: unlimited */
    enum cc_balancer balancer;
};

enum cc_single_flight { CC_FLIGHT_NONE, CC_FLIGHT_INSTANCE, CC_FLIGHT_CLUSTER };
enum cc_eviction {
    CC_LRU,
    CC_FIFO,
    CC_LFU,
    CC_W_TINYLFU,
    CC_S3_FIFO,
    CC_SIEVE,
    CC_REDIS_LRU,
    CC_REDIS_LFU,
    CC_VOLATILE_TTL,
    CC_RANDOM_EVICTION,
    CC_NO_EVICTION
};
enum cc_start { CC_COLD, CC_WARM };
enum cc_phase { CC_SYNCHRONISED, CC_RANDOM_PHASE };
enum cc_write { CC_OVERWRITE, CC_IF_ABSENT };
enum cc_on_failure { CC_FAIL_OPEN, CC_FAIL_CLOSED };

/* Of each instance: after so many failures in a row it leaves L2 alone. */
struct cc_breaker {
    uint32_t failures;
    cc_time open;
    uint32_t probes; /* commands that it lets pass at once when that time is over */
};

/* Of L2's single-flight with scope cluster. */
struct cc_lease {
    cc_time ttl;  /* until another may load; 0: never */
    cc_time poll; /* how long a caller that found it taken waits to ask again; 0: the store tells it */
};

enum cc_form { CC_DECODED, CC_ENCODED };

/* What one machine was measured to cost, in nanoseconds and bytes: a profile. */
struct cc_codec_knot {
    double bytes, stored; /* means of the payloads measured */
    double compress, decompress;
    double set_copy, get_copy; /* what else a caller spends on it within SET and GET */
};

struct cc_codec {
    const char *name;
    struct cc_codec_knot *knots; /* ascending in bytes */
    uint32_t knot_count;
};

struct cc_client_costs {
    double submit, signal, take; /* a caller: hand a command over; tell a sleeping I/O thread; take a reply */
    double turn, write, read;    /* the I/O thread: a turn of its loop, a write, a read */
    double command;              /* each command and its reply, the waking of its caller included */
    double take_byte;            /* a caller, for each byte of its reply */
};

struct cc_server_costs {
    double turn, read, write; /* a turn of its loop; reading from and writing to one connection */
    double set, get;          /* each command */
};

/* What a byte of a value costs each thread that moves it, by the size of the value and by how many commands are under
 * way on its connection: more of them need more buffers, which fit in fewer of the processor's caches. */
struct cc_byte_costs {
    double depth; /* commands under way */
    double client_out, client_in, server_in, server_out;
};

struct cc_byte_knot {
    double bytes;                 /* of a value as it travels */
    struct cc_byte_costs *depths; /* ascending in depth */
    uint32_t depth_count;
};

struct cc_host_costs {
    uint32_t cores;   /* of the machine measured; 0: not said */
    double wake;      /* until a thread runs on a core that was idle */
    double wake_cost; /* what waking it costs the one who does */
    double turn_over; /* a core's change from one thread to another */
    double slice;     /* how long a thread may keep a core that others want */
    bool scan;        /* a woken thread looks for any idle core, not only its last one */
    double hot;       /* how long a thread that ran stays with its core, even where another is idle */
    double spread;    /* squared coefficient of variation of what a thread does in one go */
    double lead;      /* by how much less a woken thread must have run to take a core at once */
};

/* What a command costs, without a connection: a + b bytes of the value. */
struct cc_command_costs {
    const char *name;
    double server, server_byte, client, client_byte;
    double spread; /* squared coefficient of variation of the store's time */
};

struct cc_profile {
    const char *name, *source;
    uint32_t format;
    struct cc_codec *codecs;
    uint32_t codec_count;
    struct cc_command_costs *commands;
    uint32_t command_count;
    bool client_present, server_present, host_present;
    struct cc_client_costs client;
    struct cc_server_costs server;
    struct cc_host_costs host;
    double window;              /* bytes under way on a connection to the store */
    struct cc_byte_knot *bytes; /* ascending in bytes */
    uint32_t byte_count;
};

enum cc_connection_mode { CC_SHARED, CC_POOL };
enum cc_on_timeout { CC_KEEP_CONNECTION, CC_RESET_CONNECTION };

struct cc_stall {
    struct cc_duration_law length, every;
};

struct cc_connection_rules {
    enum cc_connection_mode mode;
    uint32_t count; /* of each instance */
    struct cc_duration_law round_trip;
    uint64_t bandwidth; /* bytes a second each way on the store's link; 0: unlimited */
    const char *codec;
    uint64_t threshold; /* smaller values travel as they are */
    uint32_t marker;    /* bytes before every value */
    bool base64;        /* of compressed values */
    enum cc_on_timeout on_timeout;
    bool stall_present;
    struct cc_stall stall;
};

enum cc_layout { CC_ONE_HOST, CC_STORE_APART, CC_EACH_APART };

struct cc_host_rules {
    enum cc_layout layout;
    uint32_t cores, store_cores;
};

/* A TTL of some keys by themselves. */
struct cc_ttl_class {
    uint32_t first, last; /* keys */
    struct cc_duration_law ttl;
};

struct cc_cache_rules {
    bool ttl_present; /* false: entries do not expire */
    struct cc_duration_law ttl;
    cc_time jitter; /* a uniform draw up to it is added to each write's TTL */
    struct cc_ttl_class *ttl_classes;
    uint32_t ttl_class_count;
    uint32_t capacity;       /* entries; 0: unlimited */
    uint64_t capacity_bytes; /* instead; 0: unlimited */
    uint64_t overhead;       /* bytes of an entry beside its value */
    bool active_expiry;      /* L2 only: Redis's cycle removes expired entries that nobody asks for */
    enum cc_eviction eviction;
    enum cc_start start;
    enum cc_phase phase;
    uint32_t reads_per_load; /* requests that one load serves, the loading one included; 0: unlimited */
    enum cc_single_flight single_flight;
    cc_time refresh_after;          /* age at which a read has the entry loaded anew behind its back; 0: never */
    cc_time stale_while_revalidate; /* beyond its TTL: reads are answered with it while one load runs */
    cc_time stale_if_error;         /* beyond its TTL: answers where a load fails */
    double xfetch;                  /* beta; 0: off */
    cc_time negative_ttl;           /* of the answer that a key is absent; 0: it is not kept */
    cc_time hit_for_pass;           /* how long it is known that a key's value may not be kept; 0: not at all */
    enum cc_form form;              /* L1 only: what its entries hold */
    /* L2 only */
    struct cc_duration_law get, set; /* round trips; with a connection, on the network only */
    enum cc_write write;
    bool connection_present;
    struct cc_connection_rules connection;
    uint32_t threads; /* that execute commands; 0: no limit */
    cc_time crowding; /* by which a command takes longer for each other one that is there */
    cc_time timeout;  /* of a command; 0: none */
    enum cc_on_failure on_failure;
    bool breaker_present, retry_present, lease_present;
    struct cc_lease lease;
    struct cc_breaker breaker;
    struct cc_retry retry;
    uint32_t shards;
};

/* What becomes of a load whose request its client has given up. */
enum cc_late_results { CC_LATE_STORED, CC_LATE_DROPPED, CC_LATE_HANDED_OVER };

struct cc_origin_rules {
    struct cc_duration_law load, cold_load, check, insert, write;
    bool cold_load_present;
    uint32_t pool;  /* connections of each instance; 0: unlimited */
    uint32_t cores; /* 0: unlimited */
    uint32_t checks_per_request, inserts_per_response;
    uint32_t queue_limit; /* transactions that wait for a core; CC_NONE: unlimited */
    double failure_ratio; /* of loads */
    enum cc_late_results late_results;
};

enum cc_invalidation { CC_INVALIDATE_NONE, CC_INVALIDATE_DELETE, CC_INVALIDATE_PUB_SUB };
enum cc_writer { CC_WRITER_INSTANCE, CC_WRITER_OUTSIDE };
enum cc_put { CC_PUT_ALWAYS, CC_PUT_VERSIONED };
enum cc_reconnect { CC_RECONNECT_NOTHING, CC_RECONNECT_CLEAR };

/* Changes at the origin, and who hears of them. */
struct cc_publications {
    double rate; /* of each key, a second */
    cc_time *at; /* besides: each of these changes all of them */
    uint32_t at_count;
    uint32_t keys;              /* the most popular ones are changed; CC_NONE: all */
    struct cc_duration_law lag; /* from a publication until loads show it */
    enum cc_writer writer;      /* an instance, drawn each time, or somebody else */
    enum cc_invalidation invalidation;
    struct cc_duration_law delay; /* pub_sub: until another instance hears of it, drawn for each */
    double loss;                  /* pub_sub: share of messages that never arrive */
    enum cc_reconnect reconnect;  /* pub_sub: what instances do when messages come again */
    enum cc_put put;              /* versioned: a cache keeps no value older than what it has heard of */
};

enum cc_action {
    CC_FLUSH,
    CC_ADD_INSTANCE,
    CC_REMOVE_INSTANCE,
    CC_SET_RATE,
    CC_STOP_L2,
    CC_REFUSE_L2,
    CC_SLOW_L2,
    CC_STOP_ORIGIN,
    CC_SLOW_ORIGIN,
    CC_FAIL_ORIGIN,
    CC_ADMIT,
    CC_CRASH_INSTANCE,
    CC_DEPLOY,
    CC_STOP_INVALIDATION,
    CC_TAKE_MEMORY
};
enum cc_flush_target { CC_FLUSH_L1, CC_FLUSH_L2, CC_FLUSH_CACHES, CC_FLUSH_ORIGIN, CC_FLUSH_EVERYTHING };

struct cc_timeline_event {
    cc_time at;
    enum cc_action action;
    enum cc_flush_target target; /* flush */
    uint32_t count;              /* add_instance, remove_instance, crash_instance */
    double rate;                 /* set_rate, admit */
    cc_time duration;            /* "for"; 0: until the end */
    uint32_t shard;              /* of L2; CC_NONE: all */
    double factor;               /* slow_l2, slow_origin */
    cc_time delay;               /* the same: what is added */
    double ratio;                /* fail_origin */
    uint64_t bytes;              /* take_memory */
    bool to_present;
    double to;           /* admit: the rate at the end of `duration` */
    uint32_t batch;      /* deploy: instances replaced at once */
    cc_time every;       /* deploy: from one batch to the next */
    cc_time ready_after; /* deploy: from an instance's start until it takes requests */
    uint32_t warm_keys;  /* deploy, add_instance, crash_instance: most popular keys loaded before it does */
};

/* A monitoring system. */
struct cc_observe {
    cc_time scrape, window;
    cc_time *buckets; /* upper bounds, ascending; none: Micrometer's */
    uint32_t bucket_count;
};

struct cc_phase_mark {
    const char *name;
    cc_time at;
};

struct cc_expect_line {
    const char *metric, *phase, *source, *note, *tolerance;
    bool value_present, min_present, max_present;
    double value, min, max;
    double low, high; /* what is accepted: set by the parser */
};

enum cc_chart {
    CC_CHART_LATENCY,
    CC_CHART_LOADS,
    CC_CHART_HITS,
    CC_CHART_QUEUE,
    CC_CHART_THROUGHPUT,
    CC_CHART_STALE,
    CC_CHART_BREAKERS
};

struct cc_slider {
    const char *path, *min, *max;
};

/* How the page first shows the scenario; no run depends on it. */
struct cc_playground {
    enum cc_chart chart;
    uint32_t a, b; /* positions of variants, or CC_NO_VARIANT */
    const char *finding;
    struct cc_slider *sliders;
    uint32_t slider_count;
};

#define CC_NO_VARIANT UINT32_MAX

struct cc_scenario {
    struct cc_arena arena;
    const char *name, *question, *source, *notes;
    const char *variant; /* "" without variants */
    uint64_t seed;
    uint32_t replications;
    cc_time duration, warmup, interval; /* interval: 0 as written means automatic; the parser then sets it */
    struct cc_arrivals arrivals;
    struct cc_keys keys;
    enum cc_operation operation;
    uint64_t value_size; /* bytes */
    bool mix_present;
    struct cc_mix mix;
    enum cc_write_strategy write_strategy;
    struct cc_increments increments;
    enum cc_value_form value_form;
    enum cc_access access; /* of JSON documents */
    bool reencoded;        /* what is compared with is encoded anew, and may come out different */
    bool timeout_present, retry_present;
    struct cc_duration_law timeout; /* of an attempt: its client then gives up */
    struct cc_retry retry;
    struct cc_instances instances;
    bool host_present, profile_present;
    struct cc_host_rules host;
    struct cc_profile profile;
    bool l1_present, l2_present;
    struct cc_cache_rules l1, l2;
    struct cc_origin_rules origin;
    bool publications_present;
    struct cc_publications publications;
    struct cc_timeline_event *events; /* in order of `at` (stable) */
    uint32_t event_count;
    bool observe_present;
    struct cc_observe observe;
    struct cc_phase_mark *phases; /* ascending; the first one may start after `warmup` */
    uint32_t phase_count;
    struct cc_expect_line *expect;
    uint32_t expect_count;
    bool playground_present;
    struct cc_playground playground;
};

/* How many instances the event starts where at most `running` run. */
static inline uint32_t cc_event_starts(const struct cc_timeline_event *event, uint32_t running)
{
    if (event->action == CC_DEPLOY)
        return running;
    bool starts = event->action == CC_ADD_INSTANCE || (event->action == CC_CRASH_INSTANCE && event->duration > 0);
    return starts ? event->count : 0;
}

#define CC_KEYS_MAX 10000000u
#define CC_INSTANCES_MAX 10000u
#define CC_CORES_MAX 100000u
#define CC_CONNECTIONS_MAX 100000u
#define CC_IN_FLIGHT_MAX 10000000u
#define CC_SERIES_MAX 10000u
#define CC_PHASES_MAX 16u
#define CC_SCRAPES_MAX 500000u

#endif
