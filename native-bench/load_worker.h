/* One worker thread of the load and what the workers share. Only load.c and load_worker.c use this. */
#ifndef BENCH_LOAD_WORKER_H
#define BENCH_LOAD_WORKER_H

#include "engine/histogram.h"
#include "engine/random.h"
#include "load.h"

/* All threads begin the measured phase together, after the last of them has warmed up. */
struct load_gate {
    pthread_mutex_t lock;
    pthread_cond_t opened, progressed;
    size_t ready, finished;
    bool open;
    uint64_t start; /* clock_wall when it opened */
    char problem[200];
};

struct load_worker {
    const struct load_settings *settings;
    struct client *client;
    struct load_gate *gate;
    atomic_int *failed; /* of the whole run */
    size_t number;
    pthread_t thread;
    char key[COMMAND_KEY_MAX];

    struct caller caller;
    struct codec_state *codec, *plain;
    unsigned char *encoded, *decoded;
    size_t room; /* of `encoded` */
    size_t payload, stride;
    struct cc_random random;

    struct cc_histogram *parts; /* LOAD_PARTS */
    _Atomic uint64_t operations;
    uint64_t payload_bytes, stored_bytes, checked, cpu, end;
    bool overloaded;
};

bool load_worker_prepare(struct load_worker *worker); /* false when out of memory */
void load_worker_release(struct load_worker *worker);
void *load_worker_run(void *context); /* a load_worker */

#endif
