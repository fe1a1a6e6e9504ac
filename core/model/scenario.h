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
};

enum cc_balancer { CC_ROUND_ROBIN, CC_RANDOM, CC_LEAST_OUTSTANDING, CC_HASH };

struct cc_instances {
    uint32_t count;
    uint32_t cores;
    struct cc_duration_law cpu, response_cpu;
    uint32_t threads;     /* 0: unlimited */
    uint32_t queue_limit; /* requests waiting for a thread; CC_NONE: unlimited */
    enum cc_balancer balancer;
};

enum cc_single_flight { CC_FLIGHT_NONE, CC_FLIGHT_INSTANCE, CC_FLIGHT_CLUSTER };
enum cc_eviction { CC_LRU, CC_FIFO };
enum cc_start { CC_COLD, CC_WARM };
enum cc_phase { CC_SYNCHRONISED, CC_RANDOM_PHASE };
enum cc_write { CC_OVERWRITE, CC_IF_ABSENT };

struct cc_cache_rules {
    bool ttl_present; /* false: entries do not expire */
    struct cc_duration_law ttl;
    cc_time jitter;    /* a uniform draw up to it is added to each write's TTL */
    uint32_t capacity; /* entries; 0: unlimited */
    enum cc_eviction eviction;
    enum cc_start start;
    enum cc_phase phase;
    uint32_t reads_per_load; /* requests that one load serves, the loading one included; 0: unlimited */
    enum cc_single_flight single_flight;
    /* L2 only */
    struct cc_duration_law get, set; /* round trips */
    enum cc_write write;
};

struct cc_origin_rules {
    struct cc_duration_law load, cold_load, check, insert;
    bool cold_load_present;
    uint32_t pool;  /* connections of each instance; 0: unlimited */
    uint32_t cores; /* 0: unlimited */
    uint32_t checks_per_request, inserts_per_response;
};

enum cc_action { CC_FLUSH, CC_ADD_INSTANCE, CC_REMOVE_INSTANCE, CC_SET_RATE };
enum cc_flush_target { CC_FLUSH_L1, CC_FLUSH_L2, CC_FLUSH_CACHES, CC_FLUSH_ORIGIN, CC_FLUSH_EVERYTHING };

struct cc_timeline_event {
    cc_time at;
    enum cc_action action;
    enum cc_flush_target target; /* flush */
    uint32_t count;              /* add_instance, remove_instance */
    double rate;                 /* set_rate */
    cc_time duration;            /* set_rate: "for"; 0: until the end */
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

struct cc_scenario {
    struct cc_arena arena;
    const char *name, *question, *source, *notes;
    const char *variant; /* "" without variants */
    uint64_t seed;
    uint32_t replications;
    cc_time duration, warmup, interval; /* interval: 0 as written means automatic; the parser then sets it */
    struct cc_arrivals arrivals;
    struct cc_keys keys;
    struct cc_instances instances;
    bool l1_present, l2_present;
    struct cc_cache_rules l1, l2;
    struct cc_origin_rules origin;
    struct cc_timeline_event *events; /* in order of `at` (stable) */
    uint32_t event_count;
    struct cc_phase_mark *phases; /* ascending; the first one may start after `warmup` */
    uint32_t phase_count;
    struct cc_expect_line *expect;
    uint32_t expect_count;
};

#define CC_KEYS_MAX 10000000u
#define CC_INSTANCES_MAX 10000u
#define CC_IN_FLIGHT_MAX 10000000u
#define CC_SERIES_MAX 10000u
#define CC_PHASES_MAX 16u

#endif
