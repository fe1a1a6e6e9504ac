/* What a call costs when several threads compress at once: they share caches, memory and perhaps a core's units. */
#ifndef BENCH_CODEC_THREADS_H
#define BENCH_CODEC_THREADS_H

#include "codec_rounds.h"

#define THREADS_MOST 64u

struct threads_row {
    const struct codec_cell *cell; /* which codec, size and direction */
    size_t threads;
    double ns;     /* processor time of one call: the median over the repetitions */
    double factor; /* of that to one thread, repetition by repetition: the median */
    struct interval factor_interval;
    double calls_per_s; /* by the wall clock, all threads together: the median; NaN where they never ran at once */
};

/* Fills one row per count of `counts`; a single thread is measured beside each repetition. Every thread has its own state,
 * output and place in the set; only batches count that began and ended while all of them were running. False when a
 * thread could not start, a call failed or the plan was stopped; `problem` says which, "" when stopped. */
bool codec_threads_measure(const struct codec_bench *bench, const struct codec_cell *cell, const size_t *counts,
                           size_t count, size_t repetitions, uint64_t span_ns, struct threads_row *rows, char *problem,
                           size_t size);

#endif
