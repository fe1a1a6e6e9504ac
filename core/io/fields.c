#include "io/fields.h"
#include "io/units.h"

#include <string.h>

_Static_assert(sizeof(enum cc_balancer) == sizeof(uint32_t), "enums are read and written as 32-bit integers");

/* One line a field: key, kind, place, then what differs from zero. */
#define AT(type, member) .offset = offsetof(struct type, member)
#define PRESENT(type, member) .present = offsetof(struct type, member) + 1
#define COUNT(type, member, most) .count = offsetof(struct type, member), .limit = (most)
#define BIT(value) (1u << (value))
#define DURATION_MAX ((double)CC_DURATION_MAX)
#define UINT32_TOP ((double)(UINT32_MAX - 1))
#define BYTES_TOP 1073741824.0 /* 1 GiB */
#define INT64_TOP 9223372036854775807.0
#define ANY_NUMBER .min = -DBL_MAX, .max = DBL_MAX
#define GROUP(name, type, tagged)                                     \
    {                                                                 \
        name, sizeof name / sizeof *name, sizeof(struct type), tagged \
    }

static const char *const process_choices[] = {"paced", "poisson", "closed", NULL};
static const char *const when_full_choices[] = {"drop", "delay", NULL};
static const char *const popularity_choices[] = {"uniform", "zipf", "hot_set", "weights", "sequential", "client", NULL};
static const char *const operation_choices[] = {"read", "put_get", NULL};
static const char *const strategy_choices[] = {"write_around", "write_through", "delete", NULL};
static const char *const method_choices[] = {"set",     "watch", "lua",      "ifeq", "ifdeq",
                                             "version", "lock",  "in_store", NULL};
static const char *const digest_choices[] = {"kept", "fresh", NULL};
static const char *const value_form_choices[] = {"string", "compressed", "json", "lua_json", "lua_msgpack", NULL};
static const char *const access_choices[] = {"root", "path", NULL};
static const char *const mode_choices[] = {"shared", "pool", NULL};
static const char *const on_timeout_choices[] = {"keep", "reset", NULL};
static const char *const layout_choices[] = {"one", "store_apart", "each_apart", NULL};
static const char *const balancer_choices[] = {"round_robin", "random",     "least_outstanding",
                                               "hash",        "rendezvous", NULL};
static const char *const flight_l1_choices[] = {"none", "instance", NULL};
static const char *const flight_l2_choices[] = {"none", "instance", "cluster", NULL};
static const char *const eviction_choices[] = {"lru",          "fifo",   "lfu",       "w_tinylfu",
                                               "s3_fifo",      "sieve",  "redis_lru", "redis_lfu",
                                               "volatile_ttl", "random", "none",      NULL};
static const char *const start_choices[] = {"cold", "warm", NULL};
static const char *const phase_choices[] = {"synchronised", "random", NULL};
static const char *const form_choices[] = {"decoded", "encoded", NULL};
static const char *const write_choices[] = {"overwrite", "if_absent", NULL};
static const char *const on_failure_choices[] = {"fail_open", "fail_closed", NULL};
static const char *const late_choices[] = {"stored", "dropped", "handed_over", NULL};
static const char *const action_choices[] = {"flush",       "add_instance",      "remove_instance", "set_rate",
                                             "stop_l2",     "refuse_l2",         "slow_l2",         "stop_origin",
                                             "slow_origin", "fail_origin",       "admit",           "crash_instance",
                                             "deploy",      "stop_invalidation", "take_memory",     NULL};
static const char *const target_choices[] = {"l1", "l2", "caches", "origin", "everything", NULL};
static const char *const invalidation_choices[] = {"none", "delete", "pub_sub", NULL};
static const char *const writer_choices[] = {"instance", "outside", NULL};
static const char *const put_choices[] = {"always", "versioned", NULL};
static const char *const reconnect_choices[] = {"nothing", "clear", NULL};
static const char *const chart_choices[] = {"latency",    "loads", "hits",     "queue",
                                            "throughput", "stale", "breakers", NULL};
static const char *const dist_choices[] = {"constant", "uniform",          "exponential", "lognormal",
                                           "erlang",   "hyperexponential", "empirical",   NULL};

#define MEAN_LAWS (BIT(CC_EXPONENTIAL) | BIT(CC_LOGNORMAL) | BIT(CC_ERLANG) | BIT(CC_HYPEREXPONENTIAL))
static const struct cc_field law_fields[] = {
    {"dist", CC_FIELD_ENUM, AT(cc_duration_law, kind), .required = true, .choices = dist_choices,
     .help = "The distribution. A plain duration is short for a constant one."},
    {"value", CC_FIELD_DURATION, AT(cc_duration_law, value), .max = DURATION_MAX, .required = true,
     .only = BIT(CC_CONSTANT), .help = "The constant."},
    {"low", CC_FIELD_DURATION, AT(cc_duration_law, low), .max = DURATION_MAX, .required = true, .only = BIT(CC_UNIFORM),
     .help = "The shortest duration."},
    {"high", CC_FIELD_DURATION, AT(cc_duration_law, high), .max = DURATION_MAX, .required = true,
     .only = BIT(CC_UNIFORM), .help = "The longest duration; at least low."},
    {"share", CC_FIELD_NUMBER, AT(cc_duration_law, share), .min = 0, .max = 1, .required = true,
     .only = BIT(CC_HYPEREXPONENTIAL), .help = "The share of durations that have the first mean."},
    {"mean", CC_FIELD_DURATION, AT(cc_duration_law, mean), .min = 1, .max = DURATION_MAX, .required = true,
     .only = MEAN_LAWS, .help = "The mean; of the first part where the distribution has two."},
    {"mean_b", CC_FIELD_DURATION, AT(cc_duration_law, mean_b), .min = 1, .max = DURATION_MAX, .required = true,
     .only = BIT(CC_HYPEREXPONENTIAL), .help = "The mean of the second part."},
    {"scv", CC_FIELD_NUMBER, AT(cc_duration_law, scv), .min = 0, .max = 1e6, .above_min = true, .required = true,
     .only = BIT(CC_LOGNORMAL), .help = "The squared coefficient of variation: variance over squared mean."},
    {"k", CC_FIELD_UINT32, AT(cc_duration_law, k), .min = 1, .max = 1000, .required = true, .only = BIT(CC_ERLANG),
     .help = "How many exponential phases the duration has."},
    {"values", CC_FIELD_DURATIONS, AT(cc_duration_law, values), .max = DURATION_MAX, .required = true,
     COUNT(cc_duration_law, value_count, 1000000), .only = BIT(CC_EMPIRICAL), .help = "The durations to draw from."},
    {"weights", CC_FIELD_NUMBERS, AT(cc_duration_law, weights), .fallback = "null", .min = 0, .max = 1e15,
     .nullable = true, COUNT(cc_duration_law, weight_count, 1000000), .only = BIT(CC_EMPIRICAL),
     .help = "The weight of each value; null: all equal."},
};
const struct cc_group cc_law_group = GROUP(law_fields, cc_duration_law, "dist");

static const struct cc_field stage_fields[] = {
    {"duration", CC_FIELD_DURATION, AT(cc_stage, duration), .max = DURATION_MAX, .required = true,
     .help = "How long the rate takes to change; 0s: a jump."},
    {"rate", CC_FIELD_NUMBER, AT(cc_stage, rate), .min = 0, .max = 1e8, .required = true,
     .help = "Requests per second at the stage's end."},
};
static const struct cc_group stage_group = GROUP(stage_fields, cc_stage, NULL);

#define OPEN (BIT(CC_PACED) | BIT(CC_POISSON))
static const struct cc_field arrivals_fields[] = {
    {"process", CC_FIELD_ENUM, AT(cc_arrivals, process), .fallback = "\"paced\"", .choices = process_choices,
     .help = "paced: equal gaps; poisson: random gaps; closed: clients that wait for each answer."},
    {"rate", CC_FIELD_NUMBER, AT(cc_arrivals, rate), .min = 1e-6, .max = 1e8, .required = true, .only = OPEN,
     .help = "Requests per second at the start."},
    {"stages", CC_FIELD_OBJECTS, AT(cc_arrivals, stages), .fallback = "[]", COUNT(cc_arrivals, stage_count, 10000),
     .only = OPEN, .group = &stage_group,
     .help = "Straight changes of the rate, one after the other; the last rate stays."},
    {"max_in_flight", CC_FIELD_UINT32, AT(cc_arrivals, max_in_flight), .fallback = "1000000", .min = 1,
     .max = CC_IN_FLIGHT_MAX, .only = OPEN, .help = "Most requests under way at once."},
    {"when_full", CC_FIELD_ENUM, AT(cc_arrivals, when_full), .fallback = "\"drop\"", .choices = when_full_choices,
     .only = OPEN, .help = "What becomes of an arrival beyond max_in_flight."},
    {"clients", CC_FIELD_UINT32, AT(cc_arrivals, clients), .min = 1, .max = 1000000, .required = true,
     .only = BIT(CC_CLOSED), .help = "How many clients there are."},
    {"think", CC_FIELD_LAW, AT(cc_arrivals, think), .fallback = "\"0s\"", .only = BIT(CC_CLOSED),
     .help = "The pause of a client between an answer and its next request."},
    {"requests_per_client", CC_FIELD_UINT64, AT(cc_arrivals, requests_per_client), .fallback = "null", .min = 1,
     .max = INT64_TOP, .nullable = true, .only = BIT(CC_CLOSED),
     .help = "After how many requests a client stops; null: never."},
    {"ramp_up", CC_FIELD_DURATION, AT(cc_arrivals, ramp_up), .fallback = "\"0s\"", .max = DURATION_MAX,
     .only = BIT(CC_CLOSED), .help = "Over how long the clients start, evenly."},
};
static const struct cc_group arrivals_group = GROUP(arrivals_fields, cc_arrivals, "process");

#define COUNTED (BIT(CC_KEYS_UNIFORM) | BIT(CC_KEYS_ZIPF) | BIT(CC_KEYS_HOT_SET) | BIT(CC_KEYS_SEQUENTIAL))
static const struct cc_field keys_fields[] = {
    {"popularity", CC_FIELD_ENUM, AT(cc_keys, popularity), .fallback = "\"uniform\"", .choices = popularity_choices,
     .help = "How requests choose a key; client: each client of a closed workload has its own."},
    {"count", CC_FIELD_UINT32, AT(cc_keys, count), .fallback = "1", .min = 1, .max = CC_KEYS_MAX, .only = COUNTED,
     .help = "How many keys there are."},
    {"s", CC_FIELD_NUMBER, AT(cc_keys, s), .fallback = "1", .min = 0, .max = 10, .only = BIT(CC_KEYS_ZIPF),
     .help = "The exponent: the key of rank r has weight 1/r^s."},
    {"hot_keys", CC_FIELD_UINT32, AT(cc_keys, hot_keys), .min = 1, .max = CC_KEYS_MAX, .required = true,
     .only = BIT(CC_KEYS_HOT_SET), .help = "How many keys are hot; fewer than count."},
    {"hot_share", CC_FIELD_NUMBER, AT(cc_keys, hot_share), .min = 0, .max = 1, .required = true,
     .only = BIT(CC_KEYS_HOT_SET), .help = "The share of requests that goes to the hot keys."},
    {"weights", CC_FIELD_NUMBERS, AT(cc_keys, weights), .min = 0, .max = 1e15, .required = true,
     COUNT(cc_keys, weight_count, CC_KEYS_MAX), .only = BIT(CC_KEYS_WEIGHTS), .help = "The weight of each key."},
    {"sizes", CC_FIELD_NUMBERS, AT(cc_keys, sizes), .fallback = "null", .nullable = true, .min = 0, .max = BYTES_TOP,
     COUNT(cc_keys, size_count, 1000000),
     .help = "Bytes of values: key k has the one at position k mod their number; null: all have value_size."},
    {"absent", CC_FIELD_UINT32, AT(cc_keys, absent), .fallback = "0", .max = CC_KEYS_MAX,
     .help = "How many of them, the last ones, the origin does not have."},
    {"uncacheable", CC_FIELD_UINT32, AT(cc_keys, uncacheable), .fallback = "0", .max = CC_KEYS_MAX,
     .help = "How many, those before the absent ones, have values that no cache may keep."},
};
static const struct cc_group keys_group = GROUP(keys_fields, cc_keys, "popularity");

static const struct cc_field retry_fields[] = {
    {"count", CC_FIELD_UINT32, AT(cc_retry, count), .min = 1, .max = 100, .required = true,
     .help = "How often a failure is tried again, at most."},
    {"backoff", CC_FIELD_DURATION, AT(cc_retry, backoff), .fallback = "\"0s\"", .max = DURATION_MAX,
     .help = "The pause before the first retry."},
    {"factor", CC_FIELD_NUMBER, AT(cc_retry, factor), .fallback = "2", .min = 1, .max = 100,
     .help = "By how much each pause is longer than the one before."},
    {"max_backoff", CC_FIELD_DURATION, AT(cc_retry, max_backoff), .fallback = "\"10s\"", .max = DURATION_MAX,
     .help = "The longest pause."},
    {"jitter", CC_FIELD_NUMBER, AT(cc_retry, jitter), .fallback = "0", .max = 1,
     .help = "The share of a pause that is random: 0 none, 1 anything from nothing to the whole pause."},
    {"budget", CC_FIELD_NUMBER, AT(cc_retry, budget), .fallback = "null", .max = 100, .nullable = true,
     PRESENT(cc_retry, budget_present), .help = "Retries allowed for each first attempt, as 0.1; null: unlimited."},
};
static const struct cc_group retry_group = GROUP(retry_fields, cc_retry, NULL);

static const struct cc_field mix_fields[] = {
    {"read", CC_FIELD_NUMBER, AT(cc_mix, read), .fallback = "0", .max = 1e9, .help = "Weight of reads."},
    {"write", CC_FIELD_NUMBER, AT(cc_mix, write), .fallback = "0", .max = 1e9,
     .help = "Weight of writes to the origin."},
    {"increment", CC_FIELD_NUMBER, AT(cc_mix, increment), .fallback = "0", .max = 1e9,
     .help = "Weight of increments of a value in L2."},
    {"delete", CC_FIELD_NUMBER, AT(cc_mix, remove), .fallback = "0", .max = 1e9,
     .help = "Weight of deletions from L2 and the instance's L1."},
};
static const struct cc_group mix_group = GROUP(mix_fields, cc_mix, NULL);

static const struct cc_field increments_fields[] = {
    {"method", CC_FIELD_ENUM, AT(cc_increments, method), .fallback = "\"set\"", .choices = method_choices,
     .help = "GET and then: an unconditional SET, EXEC after WATCH, a Lua compare-and-set, SET IFEQ, SET IFDEQ, a "
             "comparison of "
             "versions, or SET under a lock; in_store: one command that does it all."},
    {"digest", CC_FIELD_ENUM, AT(cc_increments, digest), .fallback = "\"kept\"", .choices = digest_choices,
     .only = BIT(CC_METHOD_IFDEQ), .help = "kept: the client computes it from what it read; fresh: it asks the store."},
    {"think", CC_FIELD_LAW, AT(cc_increments, think), .fallback = "\"0s\"",
     .help = "From the GET's reply to the write."},
    {"again", CC_FIELD_LAW, AT(cc_increments, again), .fallback = "\"0s\"",
     .help = "From a write that failed, or a lock that was taken, to the next attempt."},
    {"retry", CC_FIELD_OBJECT, AT(cc_increments, retry), .fallback = "null", .nullable = true,
     PRESENT(cc_increments, retry_present), .group = &retry_group,
     .help = "A bound and a backoff for it, besides; null: until it comes off. budget has no meaning."},
    {"lock_ttl", CC_FIELD_DURATION, AT(cc_increments, lock_ttl), .fallback = "null", .min = 1, .max = DURATION_MAX,
     .nullable = true, .only = BIT(CC_METHOD_LOCK), .help = "After how long another may take the lock; null: never."},
};
static const struct cc_group increments_group = GROUP(increments_fields, cc_increments, "method");

/* Arrivals and keys stand together in the file and apart in the struct: the group lies over the whole scenario. */
static const struct cc_field workload_fields[] = {
    {"arrivals", CC_FIELD_OBJECT, AT(cc_scenario, arrivals), .fallback = "{}", .group = &arrivals_group,
     .help = "When requests come."},
    {"keys", CC_FIELD_OBJECT, AT(cc_scenario, keys), .fallback = "{}", .group = &keys_group,
     .help = "What they ask for."},
    {"operation", CC_FIELD_ENUM, AT(cc_scenario, operation), .fallback = "\"read\"", .choices = operation_choices,
     .help = "read: look in the caches, load on a miss; put_get: write to L2 and read back, as benchmarks do."},
    {"mix", CC_FIELD_OBJECT, AT(cc_scenario, mix), .fallback = "null", .nullable = true,
     PRESENT(cc_scenario, mix_present), .group = &mix_group,
     .help = "What requests do, in which shares; null: all do operation."},
    {"write_strategy", CC_FIELD_ENUM, AT(cc_scenario, write_strategy), .fallback = "\"delete\"",
     .choices = strategy_choices,
     .help =
         "What a write to the origin does to L2 and the instance's L1: nothing, put the new value, delete the old."},
    {"increments", CC_FIELD_OBJECT, AT(cc_scenario, increments), .fallback = "{}", .group = &increments_group,
     .help = "How increments are made."},
    {"value_form", CC_FIELD_ENUM, AT(cc_scenario, value_form), .fallback = "\"string\"", .choices = value_form_choices,
     .help = "What L2 holds: opaque bytes, compressed ones, a JSON document, or text or msgpack that scripts read."},
    {"access", CC_FIELD_ENUM, AT(cc_scenario, access), .fallback = "\"root\"", .choices = access_choices,
     .help = "What is read and written of a document: all of it, or one path."},
    {"reencoded", CC_FIELD_BOOL, AT(cc_scenario, reencoded), .fallback = "false",
     .help = "Whether a client encodes the old value anew to compare it."},
    {"value_size", CC_FIELD_BYTES, AT(cc_scenario, value_size), .fallback = "1024", .min = 0, .max = BYTES_TOP,
     .help = "Bytes of a value before any codec; matters with l2.connection."},
    {"timeout", CC_FIELD_LAW, AT(cc_scenario, timeout), .fallback = "null", .nullable = true,
     PRESENT(cc_scenario, timeout_present),
     .help = "After how long a client gives an attempt up, while the service goes on with it; null: never."},
    {"retry", CC_FIELD_OBJECT, AT(cc_scenario, retry), .fallback = "null", .nullable = true,
     PRESENT(cc_scenario, retry_present), .group = &retry_group,
     .help = "What clients do about failures; null: nothing."},
};
static const struct cc_group workload_group = GROUP(workload_fields, cc_scenario, NULL);

static const struct cc_field instances_fields[] = {
    {"count", CC_FIELD_UINT32, AT(cc_instances, count), .fallback = "1", .min = 1, .max = CC_INSTANCES_MAX,
     .help = "How many instances of the service run at the start."},
    {"cores", CC_FIELD_UINT32, AT(cc_instances, cores), .fallback = "null", .min = 1, .max = 1024, .nullable = true,
     .help = "Processor cores of each; null: those of host, or 1 without one."},
    {"cpu", CC_FIELD_LAW, AT(cc_instances, cpu), .fallback = "\"0s\"", .help = "Processor time before the lookup."},
    {"response_cpu", CC_FIELD_LAW, AT(cc_instances, response_cpu), .fallback = "\"0s\"",
     .help = "Processor time after the value is there."},
    {"threads", CC_FIELD_UINT32, AT(cc_instances, threads), .fallback = "null", .min = 1, .max = UINT32_TOP,
     .nullable = true, .help = "Requests that an instance works on at once; null: unlimited."},
    {"queue_limit", CC_FIELD_UINT32, AT(cc_instances, queue_limit), .fallback = "null", .max = UINT32_TOP,
     .nullable = true, .null_value = CC_NONE,
     .help = "Requests that may wait for a thread of an instance, needs threads; null: unlimited."},
    {"balancer", CC_FIELD_ENUM, AT(cc_instances, balancer), .fallback = "\"round_robin\"", .choices = balancer_choices,
     .help = "How requests are spread over the instances; hash: by key modulo their number; rendezvous: by key, "
             "consistently."},
};
static const struct cc_group instances_group = GROUP(instances_fields, cc_instances, NULL);

static const struct cc_field ttl_class_fields[] = {
    {"first", CC_FIELD_UINT32, AT(cc_ttl_class, first), .max = CC_KEYS_MAX, .required = true,
     .help = "The first key, from 0."},
    {"last", CC_FIELD_UINT32, AT(cc_ttl_class, last), .max = CC_KEYS_MAX, .required = true,
     .help = "The last key; at least first."},
    {"ttl", CC_FIELD_LAW, AT(cc_ttl_class, ttl), .required = true, .help = "How long their entries live."},
};
static const struct cc_group ttl_class_group = GROUP(ttl_class_fields, cc_ttl_class, NULL);

#define CACHE_FIELDS                                                                                                \
    {"ttl",                                                                                                         \
     CC_FIELD_LAW,                                                                                                  \
     AT(cc_cache_rules, ttl),                                                                                       \
     .required = true,                                                                                              \
     .nullable = true,                                                                                              \
     PRESENT(cc_cache_rules, ttl_present),                                                                          \
     .help = "How long an entry lives after its load; null: for ever."},                                            \
        {"jitter",                                                                                                  \
         CC_FIELD_DURATION,                                                                                         \
         AT(cc_cache_rules, jitter),                                                                                \
         .fallback = "\"0s\"",                                                                                      \
         .max = DURATION_MAX,                                                                                       \
         .help = "A random extra of up to this is added to each TTL."},                                             \
        {"capacity",                                                                                                \
         CC_FIELD_UINT32,                                                                                           \
         AT(cc_cache_rules, capacity),                                                                              \
         .fallback = "null",                                                                                        \
         .min = 1,                                                                                                  \
         .max = UINT32_TOP,                                                                                         \
         .nullable = true,                                                                                          \
         .help = "Entries it holds; null: unlimited."},                                                             \
        {"capacity_bytes",                                                                                          \
         CC_FIELD_BYTES,                                                                                            \
         AT(cc_cache_rules, capacity_bytes),                                                                        \
         .fallback = "null",                                                                                        \
         .min = 1,                                                                                                  \
         .max = 1e15,                                                                                               \
         .nullable = true,                                                                                          \
         .help = "Bytes it holds, instead; null: unlimited."},                                                      \
        {"overhead",      CC_FIELD_BYTES,   AT(cc_cache_rules, overhead),                                           \
         .fallback = "0", .max = BYTES_TOP, .help = "Bytes of an entry beside its value, with capacity_bytes."},    \
        {"ttl_classes",                                                                                             \
         CC_FIELD_OBJECTS,                                                                                          \
         AT(cc_cache_rules, ttl_classes),                                                                           \
         .fallback = "[]",                                                                                          \
         COUNT(cc_cache_rules, ttl_class_count, 1000),                                                              \
         .group = &ttl_class_group,                                                                                 \
         .help = "TTLs of some keys by themselves."},                                                               \
        {"eviction",                                                                                                \
         CC_FIELD_ENUM,                                                                                             \
         AT(cc_cache_rules, eviction),                                                                              \
         .fallback = "\"lru\"",                                                                                     \
         .choices = eviction_choices,                                                                               \
         .help = "Who goes when it is full: lru, fifo, lfu, Caffeine's w_tinylfu, s3_fifo, sieve, those of Redis, " \
                 "which draw a few, or none."},                                                                     \
        {"start",                                                                                                   \
         CC_FIELD_ENUM,                                                                                             \
         AT(cc_cache_rules, start),                                                                                 \
         .fallback = "\"cold\"",                                                                                    \
         .choices = start_choices,                                                                                  \
         .help = "Empty or filled at the start."},                                                                  \
        {"phase",                                                                                                   \
         CC_FIELD_ENUM,                                                                                             \
         AT(cc_cache_rules, phase),                                                                                 \
         .fallback = "\"synchronised\"",                                                                            \
         .choices = phase_choices,                                                                                  \
         .help = "Whether the entries of a warm start expire together or at random times."},                        \
        {"reads_per_load",                                                                                          \
         CC_FIELD_UINT32,                                                                                           \
         AT(cc_cache_rules, reads_per_load),                                                                        \
         .fallback = "null",                                                                                        \
         .min = 1,                                                                                                  \
         .max = 4294967294,                                                                                         \
         .nullable = true,                                                                                          \
         .help = "Requests that one load serves, the loading one included; null: unlimited."},                      \
        {"refresh_after",                                                                                           \
         CC_FIELD_DURATION,                                                                                         \
         AT(cc_cache_rules, refresh_after),                                                                         \
         .fallback = "null",                                                                                        \
         .min = 1,                                                                                                  \
         .max = DURATION_MAX,                                                                                       \
         .nullable = true,                                                                                          \
         .help = "At this age of an entry, a read has it loaded anew behind its back; null: never."},               \
        {"stale_while_revalidate",                                                                                  \
         CC_FIELD_DURATION,                                                                                         \
         AT(cc_cache_rules, stale_while_revalidate),                                                                \
         .fallback = "null",                                                                                        \
         .min = 1,                                                                                                  \
         .max = DURATION_MAX,                                                                                       \
         .nullable = true,                                                                                          \
         .help = "So long after its TTL an entry still answers, while it is loaded behind the back; null: not."},   \
        {"stale_if_error",                                                                                          \
         CC_FIELD_DURATION,                                                                                         \
         AT(cc_cache_rules, stale_if_error),                                                                        \
         .fallback = "null",                                                                                        \
         .min = 1,                                                                                                  \
         .max = DURATION_MAX,                                                                                       \
         .nullable = true,                                                                                          \
         .help = "So long after its TTL an entry answers where its load fails; null: not."},                        \
        {"xfetch",                                                                                                  \
         CC_FIELD_NUMBER,                                                                                           \
         AT(cc_cache_rules, xfetch),                                                                                \
         .fallback = "0",                                                                                           \
         .max = 1000,                                                                                               \
         .help = "beta of probabilistic early loads: the greater, the earlier; 0: none."},                          \
        {"negative_ttl",                                                                                            \
         CC_FIELD_DURATION,                                                                                         \
         AT(cc_cache_rules, negative_ttl),                                                                          \
         .fallback = "null",                                                                                        \
         .min = 1,                                                                                                  \
         .max = DURATION_MAX,                                                                                       \
         .nullable = true,                                                                                          \
         .help = "How long it is kept that a key is absent; null: not at all."},                                    \
    {                                                                                                               \
        "hit_for_pass", CC_FIELD_DURATION, AT(cc_cache_rules, hit_for_pass),                                        \
            .fallback = "null", .min = 1, .max = DURATION_MAX, .nullable = true,                                    \
            .help = "How long it is kept that a value may not be: its requests then wait for no other; null: not."  \
    }

static const struct cc_field l1_fields[] = {
    CACHE_FIELDS,
    {"single_flight", CC_FIELD_ENUM, AT(cc_cache_rules, single_flight), .fallback = "\"instance\"",
     .choices = flight_l1_choices, .help = "Within what scope a key is loaded only once at a time."},
    {"form", CC_FIELD_ENUM, AT(cc_cache_rules, form), .fallback = "\"decoded\"", .choices = form_choices,
     .help = "encoded: it holds what L2 sends, so that every hit pays for decoding; needs l2.connection."},
};
static const struct cc_group l1_group = GROUP(l1_fields, cc_cache_rules, NULL);

static const struct cc_field stall_fields[] = {
    {"length", CC_FIELD_LAW, AT(cc_stall, length), .required = true, .help = "How long a pause is."},
    {"every", CC_FIELD_LAW, AT(cc_stall, every), .required = true, .help = "The time from a pause's end to the next."},
};
static const struct cc_group stall_group = GROUP(stall_fields, cc_stall, NULL);

static const struct cc_field connection_fields[] = {
    {"mode", CC_FIELD_ENUM, AT(cc_connection_rules, mode), .fallback = "\"shared\"", .choices = mode_choices,
     .help = "shared: all threads put their commands on the same connections; pool: a thread takes one for itself."},
    {"count", CC_FIELD_UINT32, AT(cc_connection_rules, count), .fallback = "1", .min = 1, .max = 1024,
     .help = "Connections of each instance."},
    {"round_trip", CC_FIELD_LAW, AT(cc_connection_rules, round_trip), .fallback = "\"0s\"",
     .help = "The network's round trip, half of it each way."},
    {"bandwidth", CC_FIELD_BYTES, AT(cc_connection_rules, bandwidth), .fallback = "null", .min = 1, .max = 1e15,
     .nullable = true, .help = "Bytes a second each way on the store's link; null: unlimited."},
    {"codec", CC_FIELD_STRING, AT(cc_connection_rules, codec), .fallback = "\"none\"", .required = false,
     .help = "How values are compressed: none, or a codec of the profile."},
    {"threshold", CC_FIELD_BYTES, AT(cc_connection_rules, threshold), .fallback = "0", .max = BYTES_TOP,
     .help = "Smaller values are not compressed."},
    {"marker", CC_FIELD_UINT32, AT(cc_connection_rules, marker), .fallback = "0", .max = 1024,
     .help = "Bytes put before every value to tell whether it is compressed."},
    {"base64", CC_FIELD_BOOL, AT(cc_connection_rules, base64), .fallback = "false",
     .help = "Whether compressed values travel as text: 4 bytes for 3."},
    {"on_timeout", CC_FIELD_ENUM, AT(cc_connection_rules, on_timeout), .fallback = "\"keep\"",
     .choices = on_timeout_choices,
     .help =
         "A command that times out: keeps its place in the pipe, or has its connection closed, and all on it fail."},
    {"stall", CC_FIELD_OBJECT, AT(cc_connection_rules, stall), .fallback = "null", .nullable = true,
     PRESENT(cc_connection_rules, stall_present), .group = &stall_group,
     .help = "Pauses of an instance's I/O threads, as by a garbage collector; null: none."},
};
static const struct cc_group connection_group = GROUP(connection_fields, cc_connection_rules, NULL);

static const struct cc_field breaker_fields[] = {
    {"failures", CC_FIELD_UINT32, AT(cc_breaker, failures), .min = 1, .max = 1000000, .required = true,
     .help = "Failures in a row that open it."},
    {"open", CC_FIELD_DURATION, AT(cc_breaker, open), .min = 1, .max = DURATION_MAX, .required = true,
     .help = "How long it then lets no command pass."},
    {"probes", CC_FIELD_UINT32, AT(cc_breaker, probes), .fallback = "1", .min = 1, .max = 1000000,
     .help = "Commands it lets pass at once after that: a success closes it, a failure opens it again."},
};
static const struct cc_group breaker_group = GROUP(breaker_fields, cc_breaker, NULL);

static const struct cc_field lease_fields[] = {
    {"ttl", CC_FIELD_DURATION, AT(cc_lease, ttl), .fallback = "null", .min = 1, .max = DURATION_MAX, .nullable = true,
     .help = "After how long another caller may load, should the first one have died; null: never."},
    {"poll", CC_FIELD_DURATION, AT(cc_lease, poll), .fallback = "null", .min = 1, .max = DURATION_MAX, .nullable = true,
     .help = "How often those who wait ask again; null: the store tells them."},
};
static const struct cc_group lease_group = GROUP(lease_fields, cc_lease, NULL);

static const struct cc_field l2_fields[] = {
    CACHE_FIELDS,
    {"single_flight", CC_FIELD_ENUM, AT(cc_cache_rules, single_flight), .fallback = "\"none\"",
     .choices = flight_l2_choices, .help = "Within what scope a key is loaded only once at a time."},
    {"active_expiry", CC_FIELD_BOOL, AT(cc_cache_rules, active_expiry), .fallback = "false",
     .help = "Whether entries that have expired are looked for ten times a second, as Redis does, or wait to be asked "
             "for."},
    {"lease", CC_FIELD_OBJECT, AT(cc_cache_rules, lease), .fallback = "null", .nullable = true,
     PRESENT(cc_cache_rules, lease_present), .group = &lease_group,
     .help = "How the one who loads is found with single_flight cluster; null: he never dies, others are told."},
    {"get", CC_FIELD_LAW, AT(cc_cache_rules, get), .fallback = "\"0s\"", .help = "The round trip of a read."},
    {"set", CC_FIELD_LAW, AT(cc_cache_rules, set), .fallback = "\"0s\"", .help = "The round trip of a write."},
    {"write", CC_FIELD_ENUM, AT(cc_cache_rules, write), .fallback = "\"overwrite\"", .choices = write_choices,
     .help = "What a write does to an entry that is already there."},
    {"connection", CC_FIELD_OBJECT, AT(cc_cache_rules, connection), .fallback = "null", .nullable = true,
     PRESENT(cc_cache_rules, connection_present), .group = &connection_group,
     .help = "What commands pass on their way, at the costs of profile; null: nothing but get and set."},
    {"threads", CC_FIELD_UINT32, AT(cc_cache_rules, threads), .fallback = "null", .min = 1, .max = 1024,
     .nullable = true, .help = "What executes commands, at the costs of profile.commands: 1 as Redis; null: no limit."},
    {"crowding", CC_FIELD_DURATION, AT(cc_cache_rules, crowding), .fallback = "\"0s\"", .max = DURATION_MAX,
     .help = "By how much each other command that is there makes one take longer, with threads."},
    {"timeout", CC_FIELD_DURATION, AT(cc_cache_rules, timeout), .fallback = "null", .min = 1, .max = DURATION_MAX,
     .nullable = true, .help = "After how long a caller gives a command up; null: never."},
    {"on_failure", CC_FIELD_ENUM, AT(cc_cache_rules, on_failure), .fallback = "\"fail_open\"",
     .choices = on_failure_choices,
     .help = "A GET that fails: is taken for a miss, or the request fails. A SET that fails fails no request."},
    {"breaker", CC_FIELD_OBJECT, AT(cc_cache_rules, breaker), .fallback = "null", .nullable = true,
     PRESENT(cc_cache_rules, breaker_present), .group = &breaker_group,
     .help = "When an instance stops asking L2; null: never."},
    {"retry", CC_FIELD_OBJECT, AT(cc_cache_rules, retry), .fallback = "null", .nullable = true,
     PRESENT(cc_cache_rules, retry_present), .group = &retry_group,
     .help = "How a GET that failed is tried again; null: it is not."},
    {"shards", CC_FIELD_UINT32, AT(cc_cache_rules, shards), .fallback = "1", .min = 1, .max = 1000,
     .help = "Servers that keys are spread over evenly, each of which can fail by itself."},
};
static const struct cc_group l2_group = GROUP(l2_fields, cc_cache_rules, NULL);

static const struct cc_field origin_fields[] = {
    {"load", CC_FIELD_LAW, AT(cc_origin_rules, load), .fallback = "\"0s\"", .help = "The time of a load."},
    {"cold_load", CC_FIELD_LAW, AT(cc_origin_rules, cold_load), .fallback = "null", .nullable = true,
     PRESENT(cc_origin_rules, cold_load_present),
     .help = "The time of loads of a key whose first load has not ended; null: as the others."},
    {"check", CC_FIELD_LAW, AT(cc_origin_rules, check), .fallback = "\"0s\"", .help = "The time of one check."},
    {"insert", CC_FIELD_LAW, AT(cc_origin_rules, insert), .fallback = "\"0s\"", .help = "The time of one insert."},
    {"write", CC_FIELD_LAW, AT(cc_origin_rules, write), .fallback = "\"0s\"", .help = "The time of a write."},
    {"pool", CC_FIELD_UINT32, AT(cc_origin_rules, pool), .fallback = "null", .min = 1, .max = UINT32_TOP,
     .nullable = true, .help = "Connections of each instance; null: unlimited."},
    {"cores", CC_FIELD_UINT32, AT(cc_origin_rules, cores), .fallback = "null", .min = 1, .max = 1024, .nullable = true,
     .help = "What the origin works on at once; null: unlimited."},
    {"checks_per_request", CC_FIELD_UINT32, AT(cc_origin_rules, checks_per_request), .fallback = "0", .max = 100,
     .help = "Queries that every request makes, hit or miss, before it is answered."},
    {"inserts_per_response", CC_FIELD_UINT32, AT(cc_origin_rules, inserts_per_response), .fallback = "0", .max = 100,
     .help = "Writes that every response makes."},
    {"queue_limit", CC_FIELD_UINT32, AT(cc_origin_rules, queue_limit), .fallback = "null", .max = UINT32_TOP,
     .nullable = true, .null_value = CC_NONE,
     .help = "Transactions that may wait for a core, needs cores; more are refused. null: unlimited."},
    {"failure_ratio", CC_FIELD_NUMBER, AT(cc_origin_rules, failure_ratio), .fallback = "0", .max = 1,
     .help = "The share of loads that fail."},
    {"late_results", CC_FIELD_ENUM, AT(cc_origin_rules, late_results), .fallback = "\"stored\"",
     .choices = late_choices,
     .help = "A load that its client gave up: goes on and is stored, is for nothing, and fails who joined it, or is "
             "begun again by the first of those."},
};
static const struct cc_group origin_group = GROUP(origin_fields, cc_origin_rules, NULL);

static const struct cc_field publications_fields[] = {
    {"rate", CC_FIELD_NUMBER, AT(cc_publications, rate), .fallback = "0", .max = 1e6,
     .help = "Changes of each key a second, at random times."},
    {"at", CC_FIELD_DURATIONS, AT(cc_publications, at), .fallback = "null", .nullable = true, .max = DURATION_MAX,
     COUNT(cc_publications, at_count, 100000), .help = "Times at each of which all the keys change; null: none."},
    {"keys", CC_FIELD_UINT32, AT(cc_publications, keys), .fallback = "null", .min = 1, .max = CC_KEYS_MAX,
     .nullable = true, .null_value = CC_NONE, .help = "How many keys change, the most popular ones; null: all."},
    {"lag", CC_FIELD_LAW, AT(cc_publications, lag), .fallback = "\"0s\"",
     .help = "From a publication until loads show it, as on a replica."},
    {"writer", CC_FIELD_ENUM, AT(cc_publications, writer), .fallback = "\"instance\"", .choices = writer_choices,
     .help = "Whose L1 a publication deletes from at once: that of an instance, drawn each time, or nobody's."},
    {"invalidation", CC_FIELD_ENUM, AT(cc_publications, invalidation), .fallback = "\"none\"",
     .choices = invalidation_choices,
     .help = "none: entries live on; delete: from L2 and the writer's L1; pub_sub: and messages to the other L1s."},
    {"delay", CC_FIELD_LAW, AT(cc_publications, delay), .only = BIT(CC_INVALIDATE_PUB_SUB), .fallback = "\"0s\"",
     .help = "How long a message takes."},
    {"loss", CC_FIELD_NUMBER, AT(cc_publications, loss), .only = BIT(CC_INVALIDATE_PUB_SUB), .fallback = "0", .max = 1,
     .help = "The share of messages that never arrive."},
    {"reconnect", CC_FIELD_ENUM, AT(cc_publications, reconnect), .only = BIT(CC_INVALIDATE_PUB_SUB),
     .fallback = "\"nothing\"", .choices = reconnect_choices,
     .help = "What instances do after stop_invalidation: nothing, or empty their L1."},
    {"put", CC_FIELD_ENUM, AT(cc_publications, put), .fallback = "\"always\"", .choices = put_choices,
     .help = "versioned: a cache does not take a value older than the last deletion or write it knows of."},
};
static const struct cc_group publications_group = GROUP(publications_fields, cc_publications, "invalidation");

#define LASTING                                                                                                       \
    (BIT(CC_SET_RATE) | BIT(CC_STOP_L2) | BIT(CC_REFUSE_L2) | BIT(CC_SLOW_L2) | BIT(CC_STOP_ORIGIN) |                 \
     BIT(CC_SLOW_ORIGIN) | BIT(CC_FAIL_ORIGIN) | BIT(CC_ADMIT) | BIT(CC_CRASH_INSTANCE) | BIT(CC_STOP_INVALIDATION) | \
     BIT(CC_TAKE_MEMORY))
static const struct cc_field event_fields[] = {
    {"at", CC_FIELD_DURATION, AT(cc_timeline_event, at), .max = DURATION_MAX, .required = true,
     .help = "When, from the start of the run."},
    {"do", CC_FIELD_ENUM, AT(cc_timeline_event, action), .required = true, .choices = action_choices,
     .help = "What happens."},
    {"target", CC_FIELD_ENUM, AT(cc_timeline_event, target), .fallback = "\"caches\"", .choices = target_choices,
     .only = BIT(CC_FLUSH), .help = "What is emptied; origin: its loads are cold again."},
    {"count", CC_FIELD_UINT32, AT(cc_timeline_event, count), .fallback = "1", .min = 1, .max = CC_INSTANCES_MAX,
     .only = BIT(CC_ADD_INSTANCE) | BIT(CC_REMOVE_INSTANCE) | BIT(CC_CRASH_INSTANCE), .help = "How many instances."},
    {"rate", CC_FIELD_NUMBER, AT(cc_timeline_event, rate), .min = 0, .max = 1e8, .required = true,
     .only = BIT(CC_SET_RATE) | BIT(CC_ADMIT),
     .help = "Requests per second from then on; admit: that are let in, the others fail at once."},
    {"to", CC_FIELD_NUMBER, AT(cc_timeline_event, to), .fallback = "null", .min = 0, .max = 1e8, .nullable = true,
     PRESENT(cc_timeline_event, to_present), .only = BIT(CC_ADMIT),
     .help = "The rate that is let in at the end, a straight way from the first; null: it stays."},
    {"for", CC_FIELD_DURATION, AT(cc_timeline_event, duration), .fallback = "null", .min = 1, .max = DURATION_MAX,
     .nullable = true, .only = LASTING, .help = "How long it lasts; null: until the end."},
    {"shard", CC_FIELD_UINT32, AT(cc_timeline_event, shard), .fallback = "null", .max = 999, .nullable = true,
     .null_value = CC_NONE, .only = BIT(CC_STOP_L2) | BIT(CC_REFUSE_L2) | BIT(CC_SLOW_L2),
     .help = "Which shard of L2, from 0; null: all."},
    {"factor", CC_FIELD_NUMBER, AT(cc_timeline_event, factor), .fallback = "1", .max = 1e6,
     .only = BIT(CC_SLOW_L2) | BIT(CC_SLOW_ORIGIN), .help = "By how much everything takes longer."},
    {"delay", CC_FIELD_DURATION, AT(cc_timeline_event, delay), .fallback = "\"0s\"", .max = DURATION_MAX,
     .only = BIT(CC_SLOW_L2) | BIT(CC_SLOW_ORIGIN), .help = "What is added to it."},
    {"ratio", CC_FIELD_NUMBER, AT(cc_timeline_event, ratio), .fallback = "1", .max = 1, .only = BIT(CC_FAIL_ORIGIN),
     .help = "The share of loads that fail."},
    {"bytes", CC_FIELD_BYTES, AT(cc_timeline_event, bytes), .min = 1, .max = 1e15, .required = true,
     .only = BIT(CC_TAKE_MEMORY),
     .help = "How much of L2's capacity_bytes is not for entries any more, as for clients' buffers."},
    {"batch", CC_FIELD_UINT32, AT(cc_timeline_event, batch), .fallback = "1", .min = 1, .max = CC_INSTANCES_MAX,
     .only = BIT(CC_DEPLOY), .help = "Instances that are replaced at once."},
    {"every", CC_FIELD_DURATION, AT(cc_timeline_event, every), .fallback = "\"30s\"", .min = 1, .max = DURATION_MAX,
     .only = BIT(CC_DEPLOY), .help = "The time from one batch to the next."},
    {"ready_after", CC_FIELD_DURATION, AT(cc_timeline_event, ready_after), .fallback = "\"0s\"", .max = DURATION_MAX,
     .only = BIT(CC_DEPLOY) | BIT(CC_ADD_INSTANCE),
     .help = "From the start of an instance until it takes requests; a deploy keeps the old one until then."},
    {"warm_keys", CC_FIELD_UINT32, AT(cc_timeline_event, warm_keys), .fallback = "0", .max = CC_KEYS_MAX,
     .only = BIT(CC_DEPLOY) | BIT(CC_ADD_INSTANCE) | BIT(CC_CRASH_INSTANCE),
     .help = "Most popular keys that a new instance loads into its L1 before it takes requests."},
};
static const struct cc_group event_group = GROUP(event_fields, cc_timeline_event, "do");

static const struct cc_field host_fields[] = {
    {"layout", CC_FIELD_ENUM, AT(cc_host_rules, layout), .fallback = "\"one\"", .choices = layout_choices,
     .help = "one: instances and store share a machine; store_apart: the store has its own; each_apart: all have."},
    {"cores", CC_FIELD_UINT32, AT(cc_host_rules, cores), .fallback = "null", .min = 1, .max = 1024, .nullable = true,
     .help = "Processor cores of the machine, or of each one with instances; null: as many as the profile's had."},
    {"store_cores", CC_FIELD_UINT32, AT(cc_host_rules, store_cores), .fallback = "null", .min = 1, .max = 1024,
     .nullable = true, .only = BIT(CC_STORE_APART) | BIT(CC_EACH_APART),
     .help = "Processor cores of the store's machine; null: as many as cores."},
};
static const struct cc_group host_group = GROUP(host_fields, cc_host_rules, "layout");

/* A profile: nanoseconds and bytes. */
#define COST(name, type, member, words)                                                                    \
    {                                                                                                      \
        name, CC_FIELD_NUMBER, AT(type, member), .fallback = "0", .min = 0, .max = 1e12, .help = words "." \
    }
static const struct cc_field knot_fields[] = {
    {"bytes", CC_FIELD_NUMBER, AT(cc_codec_knot, bytes), .max = BYTES_TOP, .above_min = true, .required = true,
     .help = "Bytes of a value, the mean of those measured."},
    {"stored", CC_FIELD_NUMBER, AT(cc_codec_knot, stored), .max = BYTES_TOP, .above_min = true, .required = true,
     .help = "Bytes of it compressed."},
    {"compress_ns", CC_FIELD_NUMBER, AT(cc_codec_knot, compress), .max = 1e12, .required = true,
     .help = "Nanoseconds of processor time to compress it."},
    {"decompress_ns", CC_FIELD_NUMBER, AT(cc_codec_knot, decompress), .max = 1e12, .required = true,
     .help = "Nanoseconds of processor time to decompress it."},
    COST("set_copy_ns", cc_codec_knot, set_copy, "What else its caller spends within a SET: copies, text"),
    COST("get_copy_ns", cc_codec_knot, get_copy, "What else its caller spends within a GET"),
};
static const struct cc_group knot_group = GROUP(knot_fields, cc_codec_knot, NULL);

static const struct cc_field codec_fields[] = {
    {"name", CC_FIELD_STRING, AT(cc_codec, name), .required = true, .help = "The codec's name."},
    {"library", CC_FIELD_IGNORED, .help = "Whose code was measured."},
    {"knots", CC_FIELD_OBJECTS, AT(cc_codec, knots), .required = true, COUNT(cc_codec, knot_count, 1000),
     .group = &knot_group, .help = "What it costs at some sizes, ascending; between them it is interpolated."},
};
static const struct cc_group codec_group = GROUP(codec_fields, cc_codec, NULL);

static const struct cc_field client_fields[] = {
    COST("submit_ns", cc_client_costs, submit, "A caller puts a command into the connection's queue"),
    COST("signal_ns", cc_client_costs, signal, "A caller tells an I/O thread that sleeps or is about to"),
    COST("take_ns", cc_client_costs, take, "A caller takes its reply"),
    COST("take_byte_ns", cc_client_costs, take_byte, "The same for each byte of the reply"),
    COST("turn_ns", cc_client_costs, turn, "The I/O thread asks the system what there is to do"),
    COST("write_ns", cc_client_costs, write, "The I/O thread writes what is queued"),
    COST("read_ns", cc_client_costs, read, "The I/O thread reads what has come, up to 64 KiB"),
    COST("command_ns", cc_client_costs, command, "The I/O thread handles a command, its reply and its caller"),
};
static const struct cc_group client_group = GROUP(client_fields, cc_client_costs, NULL);

static const struct cc_field server_fields[] = {
    COST("turn_ns", cc_server_costs, turn, "A turn of the store's loop"),
    COST("read_ns", cc_server_costs, read, "Reading from one connection in a turn"),
    COST("write_ns", cc_server_costs, write, "Writing to one connection in a turn"),
    COST("set_ns", cc_server_costs, set, "Executing a SET"),
    COST("get_ns", cc_server_costs, get, "Executing a GET"),
};
static const struct cc_group server_group = GROUP(server_fields, cc_server_costs, NULL);

static const struct cc_field byte_cost_fields[] = {
    {"depth", CC_FIELD_NUMBER, AT(cc_byte_costs, depth), .fallback = "1", .min = 1, .max = 1e6,
     .help = "Commands under way on a connection."},
    COST("client_out_ns", cc_byte_costs, client_out, "The I/O thread for each byte written"),
    COST("client_in_ns", cc_byte_costs, client_in, "The I/O thread for each byte read"),
    COST("server_in_ns", cc_byte_costs, server_in, "The store for each byte read"),
    COST("server_out_ns", cc_byte_costs, server_out, "The store for each byte written"),
};
static const struct cc_group byte_cost_group = GROUP(byte_cost_fields, cc_byte_costs, NULL);

static const struct cc_field byte_fields[] = {
    {"bytes", CC_FIELD_NUMBER, AT(cc_byte_knot, bytes), .max = BYTES_TOP, .above_min = true, .required = true,
     .help = "Bytes of a value as it travels."},
    {"depths", CC_FIELD_OBJECTS, AT(cc_byte_knot, depths), .required = true, COUNT(cc_byte_knot, depth_count, 100),
     .group = &byte_cost_group, .help = "What its bytes cost with so many commands under way, ascending."},
};
static const struct cc_group byte_group = GROUP(byte_fields, cc_byte_knot, NULL);

static const struct cc_field host_cost_fields[] = {
    {"cores", CC_FIELD_UINT32, AT(cc_host_costs, cores), .fallback = "null", .min = 1, .max = 1024, .nullable = true,
     .help = "Processor cores of the machine measured; null: not said."},
    COST("wake_ns", cc_host_costs, wake, "From waking a thread until it runs on a core that was idle"),
    COST("wake_cost_ns", cc_host_costs, wake_cost, "What that costs the thread that wakes it"),
    COST("switch_ns", cc_host_costs, turn_over, "A core changes from one thread to another"),
    {"slice_ns", CC_FIELD_NUMBER, AT(cc_host_costs, slice), .fallback = "3000000", .min = 1000, .max = 1e12,
     .help = "How long a thread keeps a core that others want."},
    {"lead_ns", CC_FIELD_NUMBER, AT(cc_host_costs, lead), .fallback = "1000000", .min = 0, .max = 1e12,
     .help = "By how much less than the running one a woken thread must have run to take its core at once."},
    {"scan", CC_FIELD_BOOL, AT(cc_host_costs, scan), .fallback = "true",
     .help = "Whether a woken thread looks for any idle core; false: only whether its last one is idle."},
    {"hot_ns", CC_FIELD_NUMBER, AT(cc_host_costs, hot), .fallback = "500000", .min = 0, .max = 1e12,
     .help = "How long a thread that ran stays with its core, even where another core is idle."},
    {"spread", CC_FIELD_NUMBER, AT(cc_host_costs, spread), .fallback = "0", .min = 0, .max = 100,
     .help = "How much the costs above vary from one time to the next: their squared coefficient of variation."},
};
static const struct cc_group host_cost_group = GROUP(host_cost_fields, cc_host_costs, NULL);

static const struct cc_field command_fields[] = {
    {"name", CC_FIELD_STRING, AT(cc_command_costs, name), .required = true, .help = "The command."},
    COST("server_ns", cc_command_costs, server, "The store, for each"),
    COST("server_byte_ns", cc_command_costs, server_byte, "And for each byte of the value"),
    COST("client_ns", cc_command_costs, client, "Its caller, for each, the network included"),
    COST("client_byte_ns", cc_command_costs, client_byte, "And for each byte of the value"),
    {"spread", CC_FIELD_NUMBER, AT(cc_command_costs, spread), .fallback = "0", .min = 0, .max = 100,
     .help = "How much the store's time varies, with threads: its squared coefficient of variation."},
};
static const struct cc_group command_group = GROUP(command_fields, cc_command_costs, NULL);

static const struct cc_field profile_fields[] = {
    {"$schema", CC_FIELD_IGNORED, .help = "The JSON Schema of the format, for editors."},
    {"profile", CC_FIELD_UINT32, AT(cc_profile, format), .min = 1, .max = 1, .required = true,
     .help = "The version of the format."},
    {"name", CC_FIELD_STRING, AT(cc_profile, name), .required = true, .help = "Its name."},
    {"source", CC_FIELD_STRING, AT(cc_profile, source), .fallback = "\"\"", .help = "How it was made."},
    {"machine", CC_FIELD_ANY, .fallback = "null", .nullable = true, .help = "What it was measured on."},
    {"codecs", CC_FIELD_OBJECTS, AT(cc_profile, codecs), .fallback = "[]", COUNT(cc_profile, codec_count, 100),
     .group = &codec_group, .help = "What compressing and decompressing cost."},
    {"commands", CC_FIELD_OBJECTS, AT(cc_profile, commands), .fallback = "[]", COUNT(cc_profile, command_count, 100),
     .group = &command_group, .help = "What commands cost where there is no l2.connection."},
    {"client", CC_FIELD_OBJECT, AT(cc_profile, client), .fallback = "null", .nullable = true,
     PRESENT(cc_profile, client_present), .group = &client_group,
     .help = "What a connection costs its client; null: not measured."},
    {"server", CC_FIELD_OBJECT, AT(cc_profile, server), .fallback = "null", .nullable = true,
     PRESENT(cc_profile, server_present), .group = &server_group,
     .help = "What commands cost the store; null: not measured."},
    {"host", CC_FIELD_OBJECT, AT(cc_profile, host), .fallback = "null", .nullable = true,
     PRESENT(cc_profile, host_present), .group = &host_cost_group,
     .help = "What threads cost; null: nothing, with a slice of 3 ms and a lead of 1 ms."},
    {"bytes", CC_FIELD_OBJECTS, AT(cc_profile, bytes), .fallback = "[]", COUNT(cc_profile, byte_count, 100),
     .group = &byte_group,
     .help = "What bytes cost at some sizes of value, ascending; between them it is interpolated."},
    {"window_bytes", CC_FIELD_NUMBER, AT(cc_profile, window), .fallback = "2621440", .min = 65536, .max = 1e12,
     .help = "Bytes that may be under way to the store on a connection."},
    {"measured", CC_FIELD_ANY, .fallback = "null", .nullable = true, .help = "What it was computed from."},
};
static const struct cc_group profile_group = GROUP(profile_fields, cc_profile, NULL);

static const struct cc_field observe_fields[] = {
    {"scrape", CC_FIELD_DURATION, AT(cc_observe, scrape), .fallback = "\"15s\"", .min = 1000000, .max = DURATION_MAX,
     .help = "How often counters are read, each instance's at a time of its own, and a point is drawn."},
    {"window", CC_FIELD_DURATION, AT(cc_observe, window), .fallback = "\"1m\"", .min = 1000000, .max = DURATION_MAX,
     .help = "The window w of rate[w]; at least twice scrape."},
    {"buckets", CC_FIELD_DURATIONS, AT(cc_observe, buckets), .fallback = "null", .min = 1, .max = DURATION_MAX,
     .nullable = true, COUNT(cc_observe, bucket_count, 500),
     .help = "Upper bounds of the latency histogram's buckets, ascending; null: Micrometer's."},
};
static const struct cc_group observe_group = GROUP(observe_fields, cc_observe, NULL);

static const struct cc_field phase_fields[] = {
    {"name", CC_FIELD_STRING, AT(cc_phase_mark, name), .required = true, .help = "Its name in the report."},
    {"at", CC_FIELD_DURATION, AT(cc_phase_mark, at), .max = DURATION_MAX, .required = true,
     .help = "Its start, at least warmup; it ends where the next one starts."},
};
static const struct cc_group phase_group = GROUP(phase_fields, cc_phase_mark, NULL);

static const struct cc_field expect_fields[] = {
    {"metric", CC_FIELD_STRING, AT(cc_expect_line, metric), .required = true, .help = "A metric of the report."},
    {"phase", CC_FIELD_STRING, AT(cc_expect_line, phase), .fallback = "null", .nullable = true,
     .help = "The phase it is taken over; null: the whole measured run."},
    {"value", CC_FIELD_NUMBER, AT(cc_expect_line, value), .fallback = "null", ANY_NUMBER, .nullable = true,
     PRESENT(cc_expect_line, value_present), .help = "The published value."},
    {"tolerance", CC_FIELD_TOLERANCE, AT(cc_expect_line, tolerance), .fallback = "null", .max = DBL_MAX,
     .nullable = true, .help = "How far from it is accepted: \"8%\" of it, or a number; null: exactly."},
    {"min", CC_FIELD_NUMBER, AT(cc_expect_line, min), .fallback = "null", ANY_NUMBER, .nullable = true,
     PRESENT(cc_expect_line, min_present), .help = "The least accepted value."},
    {"max", CC_FIELD_NUMBER, AT(cc_expect_line, max), .fallback = "null", ANY_NUMBER, .nullable = true,
     PRESENT(cc_expect_line, max_present), .help = "The greatest accepted value."},
    {"source", CC_FIELD_STRING, AT(cc_expect_line, source), .fallback = "\"\"", .help = "Where it is published."},
    {"note", CC_FIELD_STRING, AT(cc_expect_line, note), .fallback = "\"\"", .help = "Remarks."},
};
static const struct cc_group expect_group = GROUP(expect_fields, cc_expect_line, NULL);

#define EXPECT_MAX 10000
static const struct cc_field variant_fields[] = {
    {"name", CC_FIELD_STRING, .required = true, .help = "The variant's name."},
    {"set", CC_FIELD_SET, .fallback = "{}", .help = "Values laid over the scenario: path with dots, value."},
    {"expect", CC_FIELD_OBJECTS, .fallback = "[]", .limit = EXPECT_MAX, .group = &expect_group,
     .help = "What is expected of this variant, besides the common lines."},
};
const struct cc_group cc_variant_group = {variant_fields, sizeof variant_fields / sizeof *variant_fields, 0, NULL};

static const struct cc_field slider_fields[] = {
    {"path", CC_FIELD_STRING, AT(cc_slider, path), .required = true, .help = "What it moves: a path as in l1.ttl."},
    {"min", CC_FIELD_STRING, AT(cc_slider, min), .required = true, .help = "The value at its left end."},
    {"max", CC_FIELD_STRING, AT(cc_slider, max), .required = true, .help = "The value at its right end."},
};
static const struct cc_group slider_group = GROUP(slider_fields, cc_slider, NULL);

#define VARIANT_TOP 9999.0 /* that of links */
static const struct cc_field playground_fields[] = {
    {"chart", CC_FIELD_ENUM, AT(cc_playground, chart), .fallback = "\"latency\"", .choices = chart_choices,
     .help = "The chart."},
    {"a", CC_FIELD_UINT32, AT(cc_playground, a), .fallback = "null", .max = VARIANT_TOP, .nullable = true,
     .null_value = CC_NO_VARIANT, .help = "The position of the variant that is A, from 0; null: the first."},
    {"b", CC_FIELD_UINT32, AT(cc_playground, b), .fallback = "null", .max = VARIANT_TOP, .nullable = true,
     .null_value = CC_NO_VARIANT, .help = "The position of the variant that is B, from 0; null: there is no B."},
    {"finding", CC_FIELD_STRING, AT(cc_playground, finding), .fallback = "\"\"",
     .help = "What was found, in a sentence."},
    {"sliders", CC_FIELD_OBJECTS, AT(cc_playground, sliders), .fallback = "[]", COUNT(cc_playground, slider_count, 6),
     .group = &slider_group, .help = "What can be changed at once."},
};
static const struct cc_group playground_group = GROUP(playground_fields, cc_playground, NULL);

static const struct cc_field scenario_fields[] = {
    {"$schema", CC_FIELD_IGNORED, .help = "The JSON Schema of the format, for editors."},
    {"name", CC_FIELD_STRING, AT(cc_scenario, name), .required = true, .help = "The title."},
    {"question", CC_FIELD_STRING, AT(cc_scenario, question), .fallback = "\"\"", .help = "What it is to answer."},
    {"source", CC_FIELD_STRING, AT(cc_scenario, source), .fallback = "\"\"", .help = "Where its figures come from."},
    {"notes", CC_FIELD_STRING, AT(cc_scenario, notes), .fallback = "\"\"", .help = "Remarks."},
    {"seed", CC_FIELD_UINT64, AT(cc_scenario, seed), .fallback = "1", .max = INT64_TOP,
     .help = "The seed of all random numbers."},
    {"replications", CC_FIELD_UINT32, AT(cc_scenario, replications), .fallback = "1", .min = 1, .max = 1000,
     .help = "How many runs with different random numbers."},
    {"duration", CC_FIELD_DURATION, AT(cc_scenario, duration), .min = 1000, .max = DURATION_MAX, .required = true,
     .help = "The simulated time."},
    {"warmup", CC_FIELD_DURATION, AT(cc_scenario, warmup), .fallback = "\"0s\"", .max = DURATION_MAX,
     .help = "The time at the start that is not measured; less than duration."},
    {"interval", CC_FIELD_DURATION, AT(cc_scenario, interval), .fallback = "null", .min = 1000, .max = DURATION_MAX,
     .nullable = true, .help = "The step of the series; null: a round one that gives at most 300 points."},
    {"workload", CC_FIELD_OBJECT, .fallback = "{}", .group = &workload_group, .help = "The requests."},
    {"instances", CC_FIELD_OBJECT, AT(cc_scenario, instances), .fallback = "{}", .group = &instances_group,
     .help = "The instances of the service."},
    {"host", CC_FIELD_OBJECT, AT(cc_scenario, host), .fallback = "null", .nullable = true,
     PRESENT(cc_scenario, host_present), .group = &host_group,
     .help = "The machines whose cores all threads share; null: cores of instances as first come, first served."},
    {"profile", CC_FIELD_PROFILE, AT(cc_scenario, profile), .fallback = "null", .nullable = true,
     PRESENT(cc_scenario, profile_present), .group = &profile_group,
     .help = "Measured costs: a profile, the name of a built-in one, or that of a file; null: none."},
    {"l1", CC_FIELD_OBJECT, AT(cc_scenario, l1), .fallback = "null", .nullable = true, PRESENT(cc_scenario, l1_present),
     .group = &l1_group, .help = "The cache within each instance; null: none."},
    {"l2", CC_FIELD_OBJECT, AT(cc_scenario, l2), .fallback = "null", .nullable = true, PRESENT(cc_scenario, l2_present),
     .group = &l2_group, .help = "The cache that instances share; null: none."},
    {"origin", CC_FIELD_OBJECT, AT(cc_scenario, origin), .fallback = "{}", .group = &origin_group,
     .help = "What the caches stand before."},
    {"publications", CC_FIELD_OBJECT, AT(cc_scenario, publications), .fallback = "null", .nullable = true,
     PRESENT(cc_scenario, publications_present), .group = &publications_group,
     .help = "Changes of the values at the origin, and who hears of them; null: nothing changes."},
    {"events", CC_FIELD_OBJECTS, AT(cc_scenario, events), .fallback = "[]", COUNT(cc_scenario, event_count, 10000),
     .group = &event_group, .help = "What happens during the run."},
    {"observe", CC_FIELD_OBJECT, AT(cc_scenario, observe), .fallback = "null", .nullable = true,
     PRESENT(cc_scenario, observe_present), .group = &observe_group,
     .help = "A monitoring system whose figures are reported as observed.*; null: none."},
    {"phases", CC_FIELD_OBJECTS, AT(cc_scenario, phases), .fallback = "[]",
     COUNT(cc_scenario, phase_count, CC_PHASES_MAX), .group = &phase_group,
     .help = "Parts of the run with a summary of their own, in ascending order."},
    {"expect", CC_FIELD_OBJECTS, AT(cc_scenario, expect), .fallback = "[]",
     COUNT(cc_scenario, expect_count, EXPECT_MAX), .group = &expect_group,
     .help = "Published results that a run is held against."},
    {"variants", CC_FIELD_VARIANTS, .fallback = "[]", .limit = 1000, .group = &cc_variant_group,
     .help = "Versions of this scenario, each a few values laid over it."},
    {"playground", CC_FIELD_OBJECT, AT(cc_scenario, playground), .fallback = "null", .nullable = true,
     .beside_run = true, PRESENT(cc_scenario, playground_present), .group = &playground_group,
     .help = "How the page first shows it; no run depends on it. null: as it comes."},
};
const struct cc_group cc_scenario_group = GROUP(scenario_fields, cc_scenario, NULL);

#undef AT
#undef PRESENT
#undef COUNT
#undef BIT
#undef DURATION_MAX
#undef UINT32_TOP
#undef BYTES_TOP
#undef INT64_TOP
#undef ANY_NUMBER
#undef GROUP
#undef MEAN_LAWS
#undef OPEN
#undef COUNTED
#undef LASTING
#undef CACHE_FIELDS
#undef COST
#undef EXPECT_MAX
#undef VARIANT_TOP

const struct cc_field *cc_group_field(const struct cc_group *group, const char *key)
{
    for (size_t i = 0; i < group->count; i++)
        if (strcmp(group->fields[i].key, key) == 0)
            return &group->fields[i];
    return NULL;
}

bool cc_field_applies(const struct cc_group *group, const struct cc_field *field, const void *object)
{
    if (field->only == 0 || !group->tag)
        return true;
    uint32_t tag;
    memcpy(&tag, (const char *)object + cc_group_field(group, group->tag)->offset, sizeof tag);
    return field->only >> tag & 1;
}
