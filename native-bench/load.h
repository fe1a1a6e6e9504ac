/* The load: worker threads that set and get compressed values through the client, and what that took.
 *
 * An operation is SET of a value and GET of it: encode, (check a connection out,) SET, GET, decode. In the closed loop a
 * worker begins its next operation when the last one has ended. In the open loop operations are due at times that do
 * not depend on the server, and latency counts from then: waiting for a busy worker is part of it. */
#ifndef BENCH_LOAD_H
#define BENCH_LOAD_H

#include <stdatomic.h>

#include "client.h"
#include "codec.h"
#include "payload.h"

enum load_part {
    LOAD_TOTAL, /* the whole operation: from its beginning, or from when it was due, until decoded */
    LOAD_SET,   /* SET submitted until its caller is awake with the reply */
    LOAD_GET,
    LOAD_ENCODE,
    LOAD_DECODE,
    LOAD_LATE,     /* open loop: due until begun */
    LOAD_CHECKOUT, /* pool: until there was a connection */
    /* The parts of SET and of GET: submitted until written; written until the reply is parsed; parsed until awake. */
    LOAD_SET_WAIT,
    LOAD_SET_SERVER,
    LOAD_SET_WAKE,
    LOAD_GET_WAIT,
    LOAD_GET_SERVER,
    LOAD_GET_WAKE,
    LOAD_PARTS
};

enum load_arrivals { LOAD_POISSON, LOAD_PACED };

struct load_settings {
    const char *host;
    unsigned port;
    const struct payload_set *payloads;
    const struct codec *codec;
    size_t threshold; /* smaller values stay uncompressed */
    size_t threads, connections;
    enum client_mode mode;
    size_t operations; /* of each thread; 0: for `duration` */
    uint64_t duration; /* nanoseconds */
    double rate;       /* operations per second of all threads; 0: closed loop */
    enum load_arrivals arrivals;
    uint64_t seed;
    const atomic_int *stop;                    /* not 0: end soon; may be NULL */
    void (*tick)(void *context, double share); /* some times a second, on the calling thread; may be NULL */
    void *context;
};

struct load_figures { /* microseconds */
    double mean, p50, p95, p99, most;
};

struct load_result {
    uint64_t operations;
    double seconds;    /* from the first operation's beginning to the last one's end, without warm-up */
    double throughput; /* operations per second */
    struct load_figures parts[LOAD_PARTS];
    /* Microseconds of processor time per operation. */
    double worker_cpu, io_cpu, server_cpu, server_main_cpu; /* the last is NaN where the server does not tell */
    double payload_bytes, stored_bytes;                     /* mean */
    double batch_mean;                                      /* commands that the I/O thread took at once */
    uint64_t batch_most;
    double writes, reads, sleeps, wake_ups; /* system calls of the client per operation */
    uint64_t checked;                       /* values that were compared byte by byte */
    bool overloaded; /* open loop for a duration: after twice the duration operations were still due and not begun */
};

enum load_status { LOAD_OK, LOAD_STOPPED, LOAD_FAILED };

const char *load_part_name(enum load_part part); /* "total", "set", ... as in JSON and CSV */
/* On LOAD_FAILED one line of why is in `problem`. The keys of the run are deleted from the server in any case. */
enum load_status load_run(const struct load_settings *settings, struct load_result *result, char *problem,
                          size_t problem_size);

#endif
