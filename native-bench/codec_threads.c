#include "codec_threads.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "machine.h"

#define BATCHES_MOST 512u
#define REPETITIONS_MOST 64u

struct batch {
    uint64_t began, ended; /* wall */
    uint64_t cpu;
};

/* All threads leave this together. There is no pthread_barrier_t on macOS. */
struct start_line {
    atomic_size_t ready;
    atomic_bool open;
};

struct worker {
    pthread_t thread;
    const struct codec_bench *bench;
    const struct codec_cell *cell;
    struct start_line *line;
    struct codec_state *state;
    unsigned char *out;
    size_t position, calls;
    uint64_t span_ns;
    struct batch *batches;
    size_t count;
    bool failed;
};

static void *work(void *context)
{
    struct worker *worker = context;
    machine_prefer_fast_cores();
    worker->failed |= !codec_bench_calls(worker->bench, worker->cell, worker->state, worker->out, &worker->position,
                                         worker->calls); /* to have everything in its caches */
    atomic_fetch_add(&worker->line->ready, 1);
    while (!atomic_load(&worker->line->open))
        sched_yield();
    uint64_t end = clock_wall() + worker->span_ns;
    while (worker->count < BATCHES_MOST && !worker->failed) {
        struct batch *batch = &worker->batches[worker->count++];
        batch->began = clock_wall();
        uint64_t cpu = clock_thread_cpu();
        worker->failed |= !codec_bench_calls(worker->bench, worker->cell, worker->state, worker->out, &worker->position,
                                             worker->calls);
        batch->cpu = clock_thread_cpu() - cpu;
        batch->ended = clock_wall();
        if (batch->ended >= end)
            break;
    }
    return NULL;
}

struct outcome {
    double ns, calls_per_s;
};

static struct outcome judge(const struct worker *workers, size_t threads)
{
    static double values[THREADS_MOST * BATCHES_MOST]; /* one measurement at a time */
    uint64_t first = 0, last = UINT64_MAX;
    for (size_t i = 0; i < threads; i++) {
        uint64_t began = workers[i].batches[0].began, ended = workers[i].batches[workers[i].count - 1].ended;
        first = began > first ? began : first;
        last = ended < last ? ended : last;
    }
    struct outcome outcome = {0, NAN};
    size_t count = 0;
    for (int all = 0; count == 0 && all < 2; all++) { /* none inside: the threads ran one after another; take all */
        for (size_t i = 0; i < threads; i++) {
            for (size_t j = 0; j < workers[i].count; j++) {
                const struct batch *batch = &workers[i].batches[j];
                if (all == 0 && (batch->began < first || batch->ended > last))
                    continue;
                values[count++] = (double)batch->cpu / (double)workers[i].calls;
            }
        }
        if (all == 0 && count > 0)
            outcome.calls_per_s = 1e9 * (double)(count * workers[0].calls) / (double)(last - first);
    }
    estimate_sort(values, count);
    outcome.ns = estimate_quantile(values, count, 0.5);
    return outcome;
}

/* Starts the threads, lets them run together and waits. Why it failed, or NULL. */
static const char *run_together(struct worker *workers, size_t threads, struct outcome *outcome)
{
    struct start_line line;
    const char *problem = NULL;
    size_t started = 0;
    atomic_init(&line.ready, 0);
    atomic_init(&line.open, false);
    for (; started < threads; started++) {
        workers[started].line = &line;
        workers[started].count = 0;
        if (pthread_create(&workers[started].thread, NULL, work, &workers[started]) != 0) {
            problem = "cannot start a thread";
            break;
        }
    }
    while (atomic_load(&line.ready) < started)
        sched_yield();
    atomic_store(&line.open, true);
    for (size_t i = 0; i < started; i++) {
        pthread_join(workers[i].thread, NULL);
        if (workers[i].failed)
            problem = "a call failed";
    }
    if (!problem)
        *outcome = judge(workers, threads);
    return problem;
}

static bool make_workers(struct worker *workers, size_t count, const struct codec_bench *bench,
                         const struct codec_cell *cell, uint64_t span_ns)
{
    size_t payloads = bench->plan.sets[cell->set].count;
    for (size_t i = 0; i < count; i++) {
        workers[i] = (struct worker){.bench = bench,
                                     .cell = cell,
                                     .position = i * payloads / count,
                                     .calls = cell->calls > 1 ? cell->calls / 2 : 1,
                                     .span_ns = span_ns};
        workers[i].state = codec_state_new(bench->plan.codecs[cell->codec]);
        workers[i].out = codec_output_new(bench->room);
        workers[i].batches = malloc(BATCHES_MOST * sizeof *workers[i].batches);
        if (!workers[i].state || !workers[i].out || !workers[i].batches)
            return false;
    }
    return true;
}

static void summarise(struct threads_row *row, double *ns, double *factors, double *rates, size_t count)
{
    size_t rated = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(rates[i]))
            rates[rated++] = rates[i];
    estimate_sort(ns, count);
    estimate_sort(factors, count);
    estimate_sort(rates, rated);
    row->ns = estimate_quantile(ns, count, 0.5);
    row->factor = estimate_quantile(factors, count, 0.5);
    row->factor_interval = estimate_median_interval(factors, count, 1);
    row->calls_per_s = estimate_quantile(rates, rated, 0.5);
}

static const char *measure(struct worker *workers, const struct codec_bench *bench, const size_t *counts, size_t count,
                           size_t repetitions, struct threads_row *rows)
{
    static double ns[THREADS_MOST][REPETITIONS_MOST], factors[THREADS_MOST][REPETITIONS_MOST],
        rates[THREADS_MOST][REPETITIONS_MOST];
    for (size_t repetition = 0; repetition < repetitions; repetition++) {
        struct outcome single = {0, 0}, outcome = {0, 0};
        const char *problem = run_together(workers, 1, &single);
        for (size_t i = 0; !problem && i < count; i++) {
            if (bench->plan.stop && atomic_load(bench->plan.stop) != 0)
                return "";
            outcome = single;
            if (counts[i] > 1)
                problem = run_together(workers, counts[i], &outcome);
            ns[i][repetition] = outcome.ns;
            factors[i][repetition] = outcome.ns / single.ns;
            rates[i][repetition] = outcome.calls_per_s;
        }
        if (problem)
            return problem;
    }
    for (size_t i = 0; i < count; i++) {
        rows[i] = (struct threads_row){.cell = workers[0].cell, .threads = counts[i]};
        summarise(&rows[i], ns[i], factors[i], rates[i], repetitions);
    }
    return NULL;
}

bool codec_threads_measure(const struct codec_bench *bench, const struct codec_cell *cell, const size_t *counts,
                           size_t count, size_t repetitions, uint64_t span_ns, struct threads_row *rows, char *problem,
                           size_t size)
{
    size_t most = 1;
    for (size_t i = 0; i < count; i++)
        most = counts[i] > most ? counts[i] : most;
    struct worker *workers = calloc(most, sizeof *workers);
    const char *words = "out of memory";
    if (workers && make_workers(workers, most, bench, cell, span_ns))
        words = measure(workers, bench, counts, count, repetitions < REPETITIONS_MOST ? repetitions : REPETITIONS_MOST,
                        rows);
    for (size_t i = 0; workers && i < most; i++) {
        codec_state_free(workers[i].state);
        free(workers[i].out);
        free(workers[i].batches);
    }
    free(workers);
    snprintf(problem, size, "%s", words ? words : "");
    return words == NULL;
}
