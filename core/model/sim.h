/* The state of one run and the stations of a request's road.
 *
 * A request visits the files of this folder in this order:
 *     workload -> balancer -> instance (thread, CPU) -> origin (checks) -> cache (L1), refresh -> flight -> breaker -> store (L2),
 *     through
 *     codec, connection, wire and server -> origin (load) -> back up -> instance (response CPU) -> origin (inserts) ->
 *     workload (done)
 * Under all that computes lies host.c, the machines' cores.
 * Each file offers the functions that the one before it calls; run.c hands every event to the file it belongs to;
 * timeline.c and freshness.c, which publishes changes, stand beside the road; measure.c counts, and observe.c sees what
 * a monitoring system would. A station hands on by a direct call or by an event. What
 * one request's end lets another begin is an event, or a burst on a host, or the one next request of the same client, so
 * that calls never nest deeper than two requests' roads. */
#ifndef CC_MODEL_SIM_H
#define CC_MODEL_SIM_H

#include "engine/histogram.h"
#include "engine/queue.h"
#include "model/scenario.h"

enum event_type {
    EVENT_ARRIVAL,     /* workload: the next open arrival */
    EVENT_CLIENT,      /* workload: client `argument` sends its next request */
    EVENT_ADMIT,       /* workload: a delayed request may start */
    EVENT_THREAD,      /* instance: request `argument` got a thread */
    EVENT_CPU,         /* instance: a burst of request `argument` is done */
    EVENT_TRANSACTION, /* origin: a transaction of request `argument` is done */
    EVENT_STORE_GET,   /* store: a GET is executed */
    EVENT_STORE_REPLY, /* store: a GET's reply has arrived */
    EVENT_STORE_SET,   /* store: a SET is executed */
    EVENT_SET_REPLY,   /* store: a SET's reply has arrived */
    EVENT_CORE,        /* host: core `argument` has run its thread as long as it was to */
    EVENT_BALANCE,     /* host: core `argument`, if still idle, looks for threads at other cores again */
    EVENT_BURST,       /* host: thread `argument`, which has a core of its own, is done */
    EVENT_DELIVER,     /* wire: bytes have come to an end of a connection */
    EVENT_STALL,       /* connection: a pause of instance `argument` begins or ends */
    EVENT_TIMELINE,    /* timeline: event `argument` of the scenario */
    EVENT_TICK,        /* measure: an interval of the series ends */
    EVENT_PHASE,       /* measure: a phase begins */
    EVENT_GET_TIMEOUT, /* store: request `argument` gives its GET up */
    EVENT_SET_TIMEOUT,
    EVENT_GET_AGAIN,       /* store: and tries again */
    EVENT_COMMAND_TIMEOUT, /* connection: request `argument` may have waited long enough */
    EVENT_DEADLINE,        /* workload: the client of request `argument` may give up */
    EVENT_ATTEMPT,         /* workload: a client tries again */
    EVENT_REFUSED,         /* origin: a transaction of request `argument` finds the line full */
    EVENT_READY,           /* instance: instance `argument` may take requests */
    EVENT_DEPLOY,          /* timeline: the next batch of event `argument` */
    EVENT_RECOVERED,       /* timeline: what event `argument` did is over */
    EVENT_LEASE,           /* store: the lease of flight `argument` may have run out */
    EVENT_PUBLISH,         /* freshness: a change of one key, or (argument > 0) of all at a time of the list */
    EVENT_INVALIDATE,      /* freshness: message `argument` arrives */
    EVENT_EXPIRE_CYCLE,    /* cache: Redis's search for expired entries */
    EVENT_STORE_SERVED,    /* store: the command of request `argument` is executed */
    EVENT_WRITER,          /* writer: the next command of request `argument` */
    EVENT_SCRAPE,          /* observe: the counters of instance `argument` are read */
    EVENT_POINT,           /* observe: a point of the panels */
};

enum outcome {
    OUTCOME_L1_HIT,
    OUTCOME_L2_HIT,
    OUTCOME_JOINED,
    OUTCOME_LOADED,
    OUTCOME_WRITTEN,
    OUTCOME_GRACE, /* answered with an entry past its TTL */
    OUTCOME_FAILED,
    OUTCOMES
};
#define OUTCOME_ALL OUTCOMES /* every outcome but failed, in histograms */

enum station_kind {
    STATION_THREAD,
    STATION_CPU,
    STATION_POOL,
    STATION_CORE,
    STATION_CONNECTION,
    STATION_STORE,
    STATIONS
};

enum counter {
    COUNT_ARRIVALS, /* that a request was due, dropped ones included */
    COUNT_DROPPED,
    COUNT_OUTCOME, /* one for each outcome */
    COUNT_L1_LOOKUPS = COUNT_OUTCOME + OUTCOMES,
    COUNT_L1_HITS,
    COUNT_L1_EVICTIONS,
    COUNT_L1_EVICTION_AGE, /* since their last use, in microseconds, summed */
    COUNT_L1_REFUSED,      /* writes for which nothing was to go */
    COUNT_L2_LOOKUPS,
    COUNT_L2_HITS,
    COUNT_L2_EVICTIONS,
    COUNT_L2_EVICTION_AGE,
    COUNT_L2_REFUSED,
    COUNT_L2_SETS,
    COUNT_L2_DUPLICATE_SETS, /* over an entry that was still valid */
    COUNT_L1_REFRESHES,      /* loads behind the back of a read */
    COUNT_L2_REFRESHES,
    COUNT_L1_EARLY, /* reads of a valid entry that chose to load all the same */
    COUNT_L2_EARLY,
    COUNT_EARLY_LOADS,
    COUNT_NEGATIVE_HITS,
    COUNT_PASSED, /* requests that waited for no other since a value may not be kept */
    COUNT_POLLS,  /* GETs that found a lease taken and will be repeated */
    COUNT_PUBLICATIONS,
    COUNT_STALE_ANSWERS,
    COUNT_OUTDATED_WRITES, /* to a cache, of values that were no longer the newest */
    COUNT_REFUSED_WRITES,  /* because the cache knew of a newer one */
    COUNT_LOST_MESSAGES,
    COUNT_INCREMENTS,
    COUNT_CONFLICTS, /* conditional writes that failed */
    COUNT_GONE,      /* of those: the key was there when it was read and no longer */
    COUNT_LOST_UPDATES,
    COUNT_ABA,
    COUNT_LOCK_POLLS,
    COUNT_GIVEN_UP,
    COUNT_STORE_COMMANDS,
    COUNT_BYTES_UP, /* of values, and of what stands for them in comparisons */
    COUNT_BYTES_DOWN,
    COUNT_LOADS,
    COUNT_COLD_LOADS,
    COUNT_ORIGIN_WRITES,
    COUNT_CHECKS,
    COUNT_INSERTS,
    COUNT_TIMEOUTS, /* attempts that their clients gave up */
    COUNT_RETRIES,
    COUNT_L2_RETRIES,
    COUNT_SHED, /* requests that were not let in */
    COUNT_L2_FAILURES,
    COUNT_L2_SKIPPED, /* commands not sent because a breaker was open */
    COUNT_BREAKER_OPENED,
    COUNT_LOAD_FAILURES,
    COUNT_REFUSED,  /* transactions that the origin did not take */
    COUNT_COMMANDS, /* answered */
    COUNT_WRITES,   /* of clients' I/O threads */
    COUNT_TAKEN,    /* commands in them */
    COUNT_BYTES_SENT,
    COUNT_BYTES_RECEIVED,
    COUNT_CODEC_NS,
    COUNT_CALLER_NS, /* processor time by who had it: callers, I/O threads, the store */
    COUNT_IO_NS,
    COUNT_SERVER_NS,
    COUNT_SWITCH_NS, /* cores changing threads or waking up */
    COUNTERS
};

/* What each instance counts for itself. */
struct instance_counts {
    uint64_t requests, l1_hits, l1_misses, loads;
    uint32_t pending; /* most that waited for a connection of the pool at once */
};

/* What the model knows of a value beside its bytes, in runs where that matters. */
enum value_kind { VALUE_PRESENT, VALUE_ABSENT, VALUE_UNCACHEABLE };
struct value {
    cc_time asked;    /* when its load began */
    uint32_t version; /* of its key: 1 + the number of the publication it shows, or 0 */
    uint8_t kind;
    uint64_t content, revision; /* in the store; writer.c */
};

enum operation { OPERATION_READ, OPERATION_WRITE, OPERATION_INCREMENT, OPERATION_DELETE };
enum store_command {
    STORE_GET,
    STORE_SET,
    STORE_DEL,
    STORE_DIGEST,
    STORE_SET_IFEQ,
    STORE_SET_IFDEQ,
    STORE_WATCH_GET,
    STORE_EXEC,
    STORE_LUA_CAS,
    STORE_LUA_VERSION,
    STORE_LOCK,
    STORE_UNLOCK,
    STORE_IN_STORE,
    STORE_COMMANDS
};

enum transaction { TRANSACTION_CHECK, TRANSACTION_LOAD, TRANSACTION_INSERT, TRANSACTION_WRITE };

struct request {
    cc_time sent;              /* when it was due: latency counts from here */
    cc_time entered[STATIONS]; /* each station it is at; CC_NEVER: not there */
    cc_time reply_leg;         /* of the command under way */
    cc_time deadline;          /* when its client gives up */
    uint32_t key;
    uint32_t client;
    uint32_t instance;
    uint32_t next;      /* in the queue it waits in, or the free list */
    uint32_t l1_flight; /* that it leads, or CC_NONE */
    uint32_t l2_flight;
    uint8_t outcome;
    uint8_t transaction;
    uint8_t transactions_left;
    bool computing;  /* on a host: its thread has a burst of its instance's CPU time under way */
    bool putting;    /* operation put_get: its SET comes before its GET */
    bool responding; /* past its caches: CPU bursts are for the response */
    bool found;      /* the store's answer */
    bool live;       /* in the service */
    bool answered;   /* its client has given it up, or never was: what is still done for it ends in silence */
    bool background; /* the service's own: no client, no response */
    bool dropped;    /* what it loads is for nothing */
    uint8_t attempt; /* of its client, from 0 */
    uint8_t operation, command;
    uint8_t tries; /* of its GET that have failed */
    bool gets;     /* at the store: its kind of command */
    bool waits;    /* for the lease, by asking again */
    bool waited;
    /* Kept where run->valued */
    bool refresh;  /* what it has read is to be loaded anew */
    bool grace;    /* and is past its TTL */
    bool passes;   /* its value may not be kept: it waits for no other */
    bool fallback; /* an entry past its TTL would do if the load fails */
    bool early;    /* it loads though an entry is valid */
};

/* More about a request, in a run where values matter. */
struct request_more {
    struct value value;
    struct value read; /* by the increment under way; writer.c */
    cc_time missed;    /* when L1 had nothing for it */
    cc_time begun;     /* when it was sent */
    uint64_t token;    /* of its lock */
    uint32_t fallback_version;
    uint32_t checked; /* the version its checks saw */
    uint32_t made;    /* attempts of its increment that have failed */
    bool absent;      /* what it read was not there */
};

/* A first-come first-served line in front of `servers` equal servers (0: no limit). */
struct station {
    uint32_t servers, busy, waiting, head, tail;
};

/* All stations of one kind, summed. The time integral of the number inside is n now - sum(enter) + sum(leave). */
struct account {
    uint64_t entered, started, left;
    cc_wide enter_sum, start_sum, leave_sum;
    cc_wide sojourn; /* of the requests that left, each measured by itself: Little's law is checked against it */
    uint32_t waiting, most_waiting;
};

struct cache_entry {
    cc_time expire; /* valid while now < expire */
    uint32_t key;
    uint32_t newer, older; /* order of use (LRU) or of writing (FIFO); `older` also chains free cells */
    uint32_t reads_left;   /* CC_NONE: no limit */
};

/* More about an entry of a cache with limited room. */
struct entry_mark {
    cc_time touched; /* last read or write */
    uint32_t bytes;
    uint32_t count; /* the policy's */
    uint8_t list;   /* that it lies in, or EVICTION_FREE */
};

struct entry_list {
    uint32_t newest, oldest;
    uint64_t weight; /* where the cache has marks */
};

struct eviction;

/* More about an entry, in a run where values matter. */
struct entry_note {
    struct value value;
    cc_time fresh_until; /* its TTL's end: `expire` adds what it is kept for beyond */
    cc_time refresh_at;
    cc_time took; /* its load */
};

/* A TTL cache: open-addressing table over a pool of entries that lie in eviction order. */
struct cache {
    const struct cc_cache_rules *rules;
    uint32_t *slots; /* entry + 1, 0 empty */
    struct cache_entry *entries;
    struct entry_mark *marks; /* one for each entry where room is limited, else NULL */
    struct entry_note *notes; /* one for each entry, or NULL */
    uint32_t *known;          /* newest version of each published key that it has heard of, or NULL */
    uint32_t slot_bits;       /* 2^slot_bits slots, half as many entries */
    uint32_t size, free;
    struct entry_list lists[3]; /* the first one has all, unless the policy uses others too */
    uint64_t weight, limit;     /* entries or bytes; limit 0: none */
    const struct eviction *eviction;
    void *policy; /* its state */
};

struct flight {
    uint64_t id;   /* scope, instance and key */
    cc_time lease; /* scope cluster: when another may lead; CC_NEVER: never */
    uint32_t leader;
    uint32_t head, tail, waiters;
    uint32_t next_free;
};

struct flights {
    uint32_t *slots; /* flight + 1, 0 empty */
    struct flight *pool;
    uint32_t slot_bits, used, free;
};

/* A thread of the operating system on a host: it is blocked, ready to run, or runs. */
enum thread_state { THREAD_BLOCKED, THREAD_READY, THREAD_RUNNING };
struct thread {
    cc_time had;         /* processor time, as the scheduler counts it */
    cc_time burst;       /* left to run */
    cc_time stopped;     /* when it last gave up or lost a core */
    uint32_t host, core; /* where it runs, waits to, or ran last */
    uint8_t state;
};

struct core {
    uint32_t host;
    uint32_t thread, last; /* CC_NONE: idle; ran none */
    cc_time start, until;  /* of the stretch that runs */
    cc_time pausing;       /* since when it changes threads or wakes up; CC_NEVER: it does not */
    cc_time used;          /* by its thread since it got the core */
    cc_time least;         /* that the thread furthest behind here has had: never falls */
    struct cc_queue ready; /* threads that wait for this core, by the time they have had */
    bool yield;            /* its thread was overtaken while it acted */
};

struct host {
    uint32_t first, cores; /* its part of all cores; 0 cores: one for every thread */
};

/* A thread's number: the store's, then the I/O threads of the connections, then one for each request. */
enum stage { STAGE_NONE, STAGE_ENCODE, STAGE_SUBMIT, STAGE_AWAIT, STAGE_DECODE, STAGE_DECODE_L1 };
enum command_kind { COMMAND_SET, COMMAND_GET };

/* What a request has under way on a connection. */
struct command {
    cc_time submitted, deadline;
    uint64_t request_end, reply_end; /* in the connection's two streams of bytes */
    uint32_t connection, next;
    uint8_t kind, stage;
    bool replied, held; /* held: the connection is the request's own, from a pool */
};

enum io_step { IO_TAKE, IO_WRITE, IO_POLL, IO_READ, IO_HAND };
enum { TO_SERVER, TO_CLIENT };

struct connection {
    uint32_t instance;
    uint32_t oldest, newest, unexecuted; /* of the commands under way, which are chained */
    uint32_t queued_count;               /* that the I/O thread has not taken */
    uint32_t under_way;                  /* handed over and not answered */
    uint8_t step;                        /* of the I/O thread */
    bool closed;                         /* its client has given it up, or has not opened it yet */
    bool asleep;                         /* it has found its queue empty: a caller has to signal */
    bool signalled;
    uint32_t turn_reads;
    uint64_t submitted, taken, written, arrived, received; /* request bytes that have come so far */
    uint64_t replied, sent, returned, read;                /* reply bytes */
    uint64_t piece;                                        /* bytes of the step under way */
    cc_time last_arrival[2];
    uint32_t chunk_head[2], chunk_tail[2];
    bool listed[2];   /* in the store's lists of those to read from and to write to */
    uint32_t next[2]; /* there */
};

struct chunk {
    uint64_t bytes;
    uint32_t next;
};

enum server_step { SERVER_SLEEP, SERVER_TURN, SERVER_READ, SERVER_EXECUTE, SERVER_WRITE };
/* Connections in the order in which there was something to do. */
struct server_list {
    uint32_t head, tail, count;
};

enum { TO_READ, TO_WRITE };
struct server {
    uint8_t step;
    uint32_t current; /* connection */
    struct server_list lists[2];
    uint32_t left; /* of a list in this turn */
    uint64_t piece;
};

#define BYTE_DEPTHS 65
#define STEAL_MOST 64

/* What the scenario's one size of value comes to. */
struct coding {
    uint64_t stored;           /* bytes that travel */
    cc_time encode, decode;    /* 0 each without a codec, unless the profile has one named none */
    double set_copy, get_copy; /* more for the caller within the commands */
};

/* What is wrong with a server, each until a time; CC_NEVER: until the end. */
struct fault {
    cc_time stopped, refusing, slow, failing;
    double factor;
    cc_time delay;
    double ratio;
};

/* A change of a key at the origin. Versions are numbers of publications from 1; 0 is none. */
struct publication {
    cc_time at, shown;        /* loads show it from then on */
    cc_time seen, last_stale; /* the first answer that showed it; the last one that showed the one before it */
    cc_time reach, first;     /* freshness_sync: the last answer older than it, the first not older */
    uint32_t key;
    uint32_t before, after; /* of the same key */
};

/* An invalidation on its way to an instance. */
struct message {
    uint32_t instance, key, version, next;
};

struct lock {
    uint64_t holder; /* its token; 0: none */
    cc_time until;
};

enum breaker_state { BREAKER_CLOSED, BREAKER_OPEN, BREAKER_HALF_OPEN };
struct breaker {
    uint8_t state;
    uint32_t failures; /* in a row */
    uint32_t probing;
    cc_time until;
};

struct instance {
    struct station threads, cpu, pool, connections;
    uint32_t *free_connections; /* pool mode */
    uint32_t free_connection_count;
    bool stalled;
    struct cache l1;
    uint32_t outstanding;
    bool retired;
    bool replaces;    /* an older one, when it is ready */
    uint32_t warming; /* keys still to load before it takes requests */
    struct breaker breaker;
    struct instance_counts counts, counts_before; /* since the open measure began, and until then */
};

/* A stretch of the arrival plan: the rate changes linearly in it. */
struct rate_stretch {
    cc_time start, end;
    double rate, slope; /* per second at the start, per second squared */
};

/* What lies in a tier. */
struct census {
    uint64_t entries, expired, stale, bytes;
};

/* What is measured from one phase mark to the next. Counters and sums are differences of the run's. */
struct measure {
    const char *name; /* "" for the warm-up and for an unnamed whole */
    cc_time from, to;
    bool begun; /* the run has reached it; else it has no figures */
    uint64_t counters[COUNTERS];
    cc_wide in_system[STATIONS], busy[STATIONS]; /* time integrals */
    cc_wide in_flight;
    cc_wide instances_present; /* time integral of the instances that take requests or still work */
    uint32_t most_waiting[STATIONS];
    uint32_t most_in_flight;
    uint64_t peak_loads, peak_length; /* the interval with most loads a second: loads in it, its length */
    struct instance_counts *instances;
    struct cc_histogram latency[OUTCOMES + 1]; /* the last one: OUTCOME_ALL, filled by measure_sync */
    struct cc_histogram wait[STATIONS];
    struct cc_histogram *client;  /* observed: latencies as a load generator counts them, or NULL */
    uint64_t *buckets;            /* the same in the observer's buckets */
    struct cc_histogram *ages;    /* with publications: AGE_ANSWER and so on; else NULL */
    struct census census[2];      /* of L1 and L2, at the measure's end */
    cc_time unchecked;            /* longest from when a publication shows to an answer whose checks were before that */
    struct cc_histogram *command; /* SET, GET: from handing it over to having the reply; NULL without a connection */
};

enum age { AGE_ANSWER /* of stale answers */, AGE_PROPAGATED, AGE_FIRST, AGES };

/* Where the open measure began, to take differences from. */
struct measure_start {
    uint64_t counters[COUNTERS];
    cc_wide in_system[STATIONS], busy[STATIONS], in_flight, instances_present;
};

enum series_column {
    SERIES_REQUESTS,
    SERIES_COMPLETED,
    SERIES_FAILED,
    SERIES_DROPPED,
    SERIES_L1_HITS,
    SERIES_L2_HITS,
    SERIES_JOINED,
    SERIES_LOADS,
    SERIES_TRANSACTIONS,
    SERIES_IN_FLIGHT,
    SERIES_P50,
    SERIES_P99,
    SERIES_BREAKERS, /* open at the end, probing ones too */
    SERIES_STALE,    /* stale answers */
    SERIES_COLUMNS
};

struct series_row {
    cc_time start, end;
    uint64_t values[SERIES_COLUMNS];
};

/* What of an instance is scraped. */
enum scraped { SCRAPED_REQUESTS, SCRAPED_MISSES, SCRAPED_LOADS, SCRAPED };
struct scrape {
    int64_t at; /* ns; before 0: of instances that were there before the run, and idle */
    uint64_t values[SCRAPED];
};

struct point {
    cc_time at;
    double rates[SCRAPED]; /* rate[w], summed over the instances */
    double p99;            /* ms; NaN: no request in the window */
};

struct observer {
    const cc_time *bounds;
    uint32_t bound_count;
    uint32_t scrape_limit;
    uint32_t old;            /* instances whose counters do not begin at zero */
    struct scrape **scrapes; /* of each instance */
    uint32_t *scrape_count;
    uint64_t *counts;  /* answers in each bucket */
    uint64_t *history; /* the same at the last `kept` points */
    uint32_t kept;
    struct point *points;
    uint32_t point_count;
};

struct cc_run {
    const struct cc_scenario *scenario;
    cc_allocator allocator;
    struct cc_arena arena;
    struct cc_queue queue;
    cc_time now;
    uint64_t replication, events, hash;
    bool ended, out_of_memory;

    struct cc_random arrivals, keys, balancing, cpu, response_cpu, think, loads, checks, inserts, gets, sets, l1_ttl,
        l2_ttl, trips, stalls, bursts, timeouts, backoffs, failures, early, evictions, operations, thinking, serving,
        publishing, lags, messaging, scraping;

    /* workload */
    struct rate_stretch *plan;
    uint32_t plan_count, plan_at;
    double plan_level; /* arrivals since the stretch began */
    struct cc_alias popularity;
    uint64_t next_key;     /* sequential */
    uint64_t *client_sent; /* closed: requests so far */
    uint32_t clients_active;
    cc_time circling_since; /* closed: a moment, and the requests sent in it */
    uint64_t circling;
    bool going_on; /* a client sends from within the end of its last request: the next one must wait for an event */
    struct request *requests;
    struct request_more *more; /* as many, or NULL */
    uint32_t request_capacity, request_used, request_free;
    uint32_t in_flight, delayed_head, delayed_tail, delayed;
    uint32_t admitting;                        /* delayed ones whose room is free, on their way in */
    double retry_tokens[2];                    /* of the clients, and of the callers of L2 */
    const struct cc_timeline_event *admission; /* that holds, or NULL */
    double admission_due;                      /* nanoseconds; when the next request would be let in at an even pace */

    /* balancer, instances */
    struct instance *instances;
    uint32_t instance_count; /* ever started */
    uint32_t instance_limit; /* that the scenario may start */
    uint32_t *up;            /* those that take requests */
    uint32_t up_count, turn;
    uint32_t present_count;               /* those, and the retired ones that still work */
    cc_wide present_enter, present_leave; /* sums of the times of starting and of having finished */

    /* host, connection, wire, server */
    struct host *hosts;
    uint32_t host_count, core_count;
    struct core *cores_of_hosts;
    struct cc_event stolen[STEAL_MOST]; /* host.c: threads that a core looking for work passes over */
    struct thread *threads;             /* thread_base, then as many as request_capacity */
    struct cc_variate spread;           /* of bursts, with mean SPREAD_UNIT in host.c */
    uint32_t thread_base, acting;       /* the thread whose burst's end is handled, or CC_NONE */
    struct connection *connections;
    uint32_t connection_count, connections_each; /* of an instance, with those to replace others */
    uint32_t *lines;                             /* shared mode: the open connections of each instance */
    struct command *commands;                    /* as many as request_capacity */
    struct chunk *chunks;
    uint32_t chunk_capacity, chunk_used, chunk_free;
    cc_time link_end[2];
    struct cc_byte_costs byte_costs[BYTE_DEPTHS]; /* [i]: with i commands under way; the last: with more */
    struct server server;
    struct coding coding;

    struct flights flights;
    struct cache l2;

    /* refresh, freshness */
    bool valued; /* more is kept of requests and entries than most runs need */
    struct publication *publications;
    uint32_t publication_count, publication_capacity;
    uint32_t published_keys;                /* the first so many keys can change; 0: none */
    uint32_t *first_version, *last_version; /* of each of them */
    struct message *messages;
    uint32_t message_count, message_capacity, message_free;
    uint64_t memory_taken;    /* of L2 */
    cc_time messages_stopped; /* until then */
    uint64_t synced;          /* run->events + 1 when the census and the ages were taken last */

    struct station cores;
    struct station store; /* its threads */
    struct cc_command_costs command_costs[STORE_COMMANDS];
    struct cc_variate command_spread[STORE_COMMANDS]; /* with mean 1e9 */
    uint64_t *shard_commands;
    struct lock *locks;
    uint64_t revisions;
    bool counted;               /* commands of L2 have costs, threads or writers: they are told apart */
    struct fault *store_faults; /* of each shard; NULL: none can come */
    struct fault origin_fault;
    bool origin_fails;     /* it can */
    uint32_t *deploy_left; /* of each event: instances still to replace */
    uint8_t *warm_keys;    /* origin: one bit a key, set when its first load ends; NULL without cold loads */

    struct observer *observer; /* or NULL */

    /* measure */
    uint64_t counters[COUNTERS];
    uint32_t most_in_flight;
    cc_wide in_flight_enter, in_flight_leave;
    struct account accounts[STATIONS];
    struct measure *measures; /* [0] is the warm-up when there is one */
    uint32_t measure_count, measure_at;
    struct measure *total; /* of the measured ones; the only one itself where there is one */
    struct measure_start *start;
    struct cc_histogram *interval, *interval_before; /* latencies of the interval that runs and of the one before */
    uint64_t interval_start[COUNTERS];
    cc_time last_tick;
    struct series_row *series;
    uint32_t series_count, series_capacity;
};

static inline void schedule(struct cc_run *run, cc_time delay, enum event_type type, uint32_t argument)
{
    cc_queue_push(&run->queue, run->now + delay, type, argument);
}

/* workload.c */
bool workload_start(struct cc_run *run);
void workload_arrival(struct cc_run *run);
void workload_client(struct cc_run *run, uint32_t client);
void workload_admit(struct cc_run *run, uint32_t r);
void workload_done(struct cc_run *run, uint32_t r); /* the request's end, with its outcome set */
void workload_deadline(struct cc_run *run, uint32_t r);
void workload_attempt(struct cc_run *run, uint32_t r);
void workload_abandon(struct cc_run *run, uint32_t r); /* its client has its answer: a failure */
uint32_t request_take(struct cc_run *run);             /* a free one, or CC_NONE when memory is out */
void request_release(struct cc_run *run, uint32_t r);
/* The pause before a retry, or CC_NEVER when there is to be none; `made` so far. */
enum retry_budget { BUDGET_CLIENT, BUDGET_L2 };
cc_time retry_pause(struct cc_run *run, const struct cc_retry *rules, uint32_t made, enum retry_budget budget);
cc_time retry_backoff(struct cc_run *run, const struct cc_retry *rules, uint32_t made);
static inline void retry_earn(struct cc_run *run, const struct cc_retry *rules, enum retry_budget budget)
{
    double most = rules->budget * 100 + 1, tokens = run->retry_tokens[budget] + rules->budget;
    run->retry_tokens[budget] = tokens < most ? tokens : most;
}

/* balancer.c */
void balancer_route(struct cc_run *run, uint32_t r);

/* instance.c */
/* Starts one, which takes requests `ready_after` later and once the most popular keys are in its L1. */
bool instance_start(struct cc_run *run, cc_time ready_after, uint32_t warm_keys, bool replaces);
void instance_ready(struct cc_run *run, uint32_t instance);
void instance_retire(struct cc_run *run);           /* the newest takes no more requests and finishes those it has */
void instance_crash(struct cc_run *run);            /* the newest goes at once, with all it was doing */
void instance_fail(struct cc_run *run, uint32_t r); /* the request ends without a value, and who waits for it too */
void instance_enter(struct cc_run *run, uint32_t r);
void instance_thread(struct cc_run *run, uint32_t r);
void instance_cpu_done(struct cc_run *run, uint32_t r);
void instance_respond(struct cc_run *run, uint32_t r); /* its value is there: outcome is set */
void instance_finish(struct cc_run *run, uint32_t r);  /* the response is written */

/* station.c: true when the request is served at once; the one served next, or CC_NONE */
bool station_enter(struct cc_run *run, enum station_kind kind, struct station *station, uint32_t r);
uint32_t station_leave(struct cc_run *run, enum station_kind kind, struct station *station, uint32_t r);

/* cache.c */
bool cache_start(struct cc_run *run, struct cache *cache, const struct cc_cache_rules *rules);
void cache_end(struct cc_run *run, struct cache *cache);
void cache_flush(struct cc_run *run, struct cache *cache);
/* A hit for request r: uses up a read, renews the entry's recency. */
bool cache_read(struct cc_run *run, struct cache *cache, uint32_t r);
/* Writes request r's value at `now`; true when a valid entry was there. `reads` of the entry are used already. */
bool cache_write(struct cc_run *run, struct cache *cache, uint32_t r, struct cc_random *ttl, uint64_t reads,
                 enum counter evictions);
/* Whether the cache keeps such values at all. */
bool cache_keeps(const struct cc_cache_rules *rules, const struct value *value);
/* Lets entries go until what is there fits. */
void cache_fit(struct cc_run *run, struct cache *cache, enum counter evictions);
void cache_expire_cycle(struct cc_run *run);
uint32_t cache_entry_of(const struct cache *cache, uint32_t key); /* expired ones too; CC_NONE */
struct census cache_census(const struct cc_run *run, const struct cache *cache);
uint64_t cache_value_bytes(const struct cc_run *run, uint32_t key);
const struct value *cache_peek(const struct cc_run *run, struct cache *cache, uint32_t key); /* NULL: not there */
void cache_delete(struct cc_run *run, struct cache *cache, uint32_t key, uint32_t version);
void cache_lookup(struct cc_run *run, uint32_t r);  /* L1, then on to whatever lies below */
void cache_arrived(struct cc_run *run, uint32_t r); /* a value came up to L1: store, release who joined, respond */

/* refresh.c */
/* Whether the request may be answered with that entry; notes in the request what else is to be done. */
bool refresh_allows(struct cc_run *run, const struct cache *cache, uint32_t entry, struct request *request);
/* How long an entry of that value stays fresh: now + `ttl` unless the value is special. */
cc_time refresh_fresh_until(const struct cc_run *run, const struct cc_cache_rules *rules, const struct value *value,
                            cc_time fresh_until);
cc_time refresh_kept_until(const struct cc_cache_rules *rules, const struct value *value, cc_time fresh_until);
bool refresh_is_used(const struct cc_scenario *scenario);

/* flight.c */
enum flight_scope { SCOPE_L1, SCOPE_L2_INSTANCE, SCOPE_L2_CLUSTER };
/* Loads anew behind the back of request `of`, unless that is under way in the scope. */
void refresh_start(struct cc_run *run, uint32_t of, enum flight_scope scope, bool coalesce);
bool flights_start(struct cc_run *run);
bool flight_runs(const struct cc_run *run, enum flight_scope scope, uint32_t r);
void flights_end(struct cc_run *run);
/* CC_NONE when request r joined a running flight; else the new flight, which r leads. */
uint32_t flight_join_or_lead(struct cc_run *run, enum flight_scope scope, uint32_t r);
/* Ends the flight: the requests that joined, chained by `next`, or CC_NONE. */
uint32_t flight_land(struct cc_run *run, uint32_t flight);
/* The first request that waits and whose client does too leads from now on: it is returned, or CC_NONE after the flight
 * has ended. Those before it end. */
uint32_t flight_hand_over(struct cc_run *run, uint32_t flight);
void flight_fail(struct cc_run *run, uint32_t r);    /* ends the flights it leads; who joined fails */
void flight_abandon(struct cc_run *run, uint32_t r); /* its client has given up */

/* store.c */
void store_get(struct cc_run *run, uint32_t r);
void store_get_again(struct cc_run *run, uint32_t r);
bool store_start(struct cc_run *run);
void store_command(struct cc_run *run, uint32_t r); /* a writer's */
void store_arrived(struct cc_run *run, uint32_t r, enum command_kind kind);
void store_served(struct cc_run *run, uint32_t r);
void store_execute_get(struct cc_run *run, uint32_t r);
void store_reply(struct cc_run *run, uint32_t r);
void store_set(struct cc_run *run, uint32_t r);
void store_execute_set(struct cc_run *run, uint32_t r);
void store_set_reply(struct cc_run *run, uint32_t r);
void store_failed(struct cc_run *run, uint32_t r, enum command_kind kind);
void store_timeout(struct cc_run *run, uint32_t r, enum command_kind kind);
void store_heir(struct cc_run *run, uint32_t flight); /* the lease goes to the next one, who is told so */
void store_nothing(struct cc_run *run, uint32_t r);   /* the value is not for L2 */
void store_lease_begins(struct cc_run *run, uint32_t flight);
void store_lease(struct cc_run *run, uint32_t flight); /* may be over */
void store_orphan(struct cc_run *run, uint32_t r);     /* its instance is gone: the lease stays until it runs out */
struct fault *store_fault(struct cc_run *run, uint32_t key); /* what is wrong with the key's shard, or NULL */

/* freshness.c */
bool freshness_start(struct cc_run *run);
void freshness_plan(struct cc_run *run); /* the first events */
void freshness_end(struct cc_run *run);
void freshness_publish(struct cc_run *run, uint32_t argument);
void freshness_message(struct cc_run *run, uint32_t message);
void freshness_reconnect(struct cc_run *run);
uint32_t freshness_commit(struct cc_run *run, uint32_t key); /* a version that a request of the workload makes */
struct value freshness_load(const struct cc_run *run, uint32_t key); /* what a load that reads now brings */
uint32_t freshness_newer(const struct cc_run *run, uint32_t key, uint32_t version); /* the next one, or 0 */
void freshness_answered(struct cc_run *run, const struct request *request);
void freshness_sync(struct cc_run *run); /* fills the measures' ages of publications */

/* writer.c */
bool writer_start(struct cc_run *run);
enum operation writer_draw(struct cc_run *run);
void writer_begin(struct cc_run *run, uint32_t r);
void writer_committed(struct cc_run *run, uint32_t r);
void writer_execute(struct cc_run *run, uint32_t r);
void writer_reply(struct cc_run *run, uint32_t r);
void writer_done(struct cc_run *run, uint32_t r);

/* breaker.c */
bool breaker_lets_pass(struct cc_run *run, uint32_t instance);
uint32_t breakers_open(const struct cc_run *run); /* of the instances that take requests; probing ones too */
void breaker_count(struct cc_run *run, uint32_t instance, bool success);

/* origin.c */
void origin_checks(struct cc_run *run, uint32_t r);
void origin_load(struct cc_run *run, uint32_t r);
void origin_write(struct cc_run *run, uint32_t r);
void origin_inserts(struct cc_run *run, uint32_t r);
void origin_transaction_done(struct cc_run *run, uint32_t r);
void origin_refused(struct cc_run *run, uint32_t r);

/* host.c */
bool host_start(struct cc_run *run);
void host_end(struct cc_run *run);
bool host_grow(struct cc_run *run, uint32_t had, uint32_t wanted); /* room for as many requests */
void host_settle(struct cc_run *run);                              /* counts processor time up to now */
/* The thread runs for `time` more: wakes it where it is blocked. */
void host_run(struct cc_run *run, uint32_t thread, cc_time time);
void host_spend(struct cc_run *run, uint32_t thread, double nanoseconds); /* a cost of the profile, with its spread */
void host_core(struct cc_run *run, uint32_t core);
void host_balance(struct cc_run *run, uint32_t core);
void host_burst(struct cc_run *run, uint32_t thread);
static inline bool host_is_blocked(const struct cc_run *run, uint32_t thread)
{
    return run->threads[thread].state == THREAD_BLOCKED;
}

/* codec.c */
struct coding codec_of(const struct cc_scenario *scenario);
/* What a byte costs with so many commands under way. */
void codec_bytes(struct cc_run *run);
static inline const struct cc_byte_costs *byte_costs_of(const struct cc_run *run, const struct connection *connection)
{
    return &run->byte_costs[connection->under_way < BYTE_DEPTHS ? connection->under_way : BYTE_DEPTHS - 1];
}

/* connection.c: the client's side */
static inline uint32_t connections_each(const struct cc_scenario *scenario)
{
    const struct cc_connection_rules *rules = &scenario->l2.connection;
    return rules->count * (rules->on_timeout == CC_RESET_CONNECTION ? 2 : 1);
}
bool connection_start(struct cc_run *run);
void connection_end(struct cc_run *run);
void connection_stall(struct cc_run *run, uint32_t instance);
void connection_timeout(struct cc_run *run, uint32_t r);
void connection_give_up(struct cc_run *run, uint32_t r); /* the operation has failed: back to the pool */
void connection_command(struct cc_run *run, uint32_t r, enum command_kind kind);
void connection_decode(struct cc_run *run, uint32_t r);  /* of what L1 holds, then on to the response */
void connection_caller(struct cc_run *run, uint32_t r);  /* a burst of the request's thread is done */
void connection_io(struct cc_run *run, uint32_t c);      /* a burst of the I/O thread is done */
void connection_arrived(struct cc_run *run, uint32_t c); /* reply bytes have come, or room in the socket */

/* wire.c */
void wire_send(struct cc_run *run, uint32_t c, int direction, uint64_t bytes);
void wire_deliver(struct cc_run *run, uint32_t argument);

/* server.c */
#define SERVER_THREAD 0u
void server_arrived(struct cc_run *run, uint32_t c); /* request bytes have come */
void server_step(struct cc_run *run);                /* a burst of the store's thread is done */
void server_reply(struct cc_run *run, uint32_t r);   /* the command is executed */
void server_resume(struct cc_run *run);

/* timeline.c */
void timeline_start(struct cc_run *run);
void timeline_act(struct cc_run *run, uint32_t event);
void timeline_deploy(struct cc_run *run, uint32_t event);
void timeline_recovered(struct cc_run *run, uint32_t event);

/* measure.c */
bool measure_start(struct cc_run *run);
void measure_tick(struct cc_run *run);
void measure_phase(struct cc_run *run);
void measure_outcome(struct cc_run *run, const struct request *request);
void measure_sync(const struct cc_run *constant); /* brings `measures` and `total` up to now */
void measure_close(struct cc_run *run);           /* the run has ended: the last, perhaps shorter interval */
bool measure_lawful(const struct cc_run *run, char *message, size_t size); /* conservation and Little's law */
/* The measure of that phase (NULL: the whole measured time), or NULL. */
const struct measure *measure_find(const struct cc_run *run, const char *phase);
double metric_value(const struct cc_run *run, const struct measure *m, size_t index);

/* observe.c */
enum panel { PANEL_AREA, PANEL_MEAN, PANEL_MOST };
bool observe_start(struct cc_run *run);
bool observe_instance(struct cc_run *run, uint32_t instance); /* has started */
void observe_scrape(struct cc_run *run, uint32_t instance);
void observe_point(struct cc_run *run);
void observe_answer(struct cc_run *run, const struct request *request);
void observe_close(struct cc_run *run);
/* Of the points within the measure: their area, mean or maximum. */
double observe_panel(const struct cc_run *run, const struct measure *measure, enum scraped what, enum panel panel);
double observe_quantile(const struct cc_run *run, const struct measure *measure, double q); /* ms */

/* recovery.c */
struct recovery {
    bool known; /* there were events, a time before them, and one after */
    bool recovered;
    cc_time time; /* from the last event's end */
};
struct recovery recovery_of(const struct cc_run *run);

/* A command whose caller has gone on without it: its answer is for nobody. */
static inline bool is_orphan(const struct request *request) { return request->background && request->dropped; }

static inline struct request_more *more_of(const struct cc_run *run, const struct request *request)
{
    return &run->more[request - run->requests];
}

/* Request r has got what request `from` got. */
static inline void value_share(struct cc_run *run, uint32_t from, uint32_t r)
{
    if (CC_RARE(run->valued))
        run->more[r].value = run->more[from].value;
}

static inline struct measure *measure_now(struct cc_run *run) { return &run->measures[run->measure_at]; }

#endif
