/* Starts the workers, opens the gate between warm-up and measurement, adds up. */
#include "load.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "control.h"
#include "load_worker.h"

struct load {
    const struct load_settings *settings;
    struct client *client;
    struct control *control;
    struct load_gate gate;
    struct load_worker *workers;
    size_t prepared, started;
    atomic_int failed;
    struct server_cpu server_before, server_after;
    struct connection_counts before, after;
};

const char *load_part_name(enum load_part part)
{
    static const char *const names[LOAD_PARTS] = {
        "total",           "set",      "get",      "encode",          "decode",  "late", "checkout", "set_wait",
        "set_wire_server", "set_wake", "get_wait", "get_wire_server", "get_wake"};
    return names[part];
}

/* ---- beginning and end ------------------------------------------------------------------------------------------ */

static bool prepare(struct load *load, char *problem, size_t problem_size)
{
    const struct load_settings *settings = load->settings;
    load->control = control_new(settings->host, settings->port, problem, problem_size);
    if (load->control == NULL)
        return false;
    load->client =
        client_new(settings->host, settings->port, settings->connections, settings->mode, problem, problem_size);
    if (load->client == NULL)
        return false;
    load->workers = calloc(settings->threads, sizeof *load->workers);
    for (size_t i = 0; load->workers != NULL && i < settings->threads; i++) {
        struct load_worker *worker = &load->workers[i];
        worker->settings = settings;
        worker->client = load->client;
        worker->gate = &load->gate;
        worker->failed = &load->failed;
        worker->number = i;
        snprintf(worker->key, sizeof worker->key, "cachecast:bench:%ld:%zu", (long)getpid(), i);
        if (!load_worker_prepare(worker))
            break;
        load->prepared++;
    }
    if (load->prepared == settings->threads)
        return true;
    snprintf(problem, problem_size, "out of memory");
    return false;
}

static void release(struct load *load)
{
    client_free(load->client); /* before the callers: its threads may still be signalling them */
    for (size_t i = 0; i < load->prepared; i++) {
        if (i < load->started)
            control_delete(load->control, load->workers[i].key);
        load_worker_release(&load->workers[i]);
    }
    control_free(load->control);
    free(load->workers);
    pthread_cond_destroy(&load->gate.opened);
    pthread_cond_destroy(&load->gate.progressed);
    pthread_mutex_destroy(&load->gate.lock);
}

/* Signals are the main thread's. */
static void start_workers(struct load *load)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (; load->started < load->settings->threads; load->started++) {
        struct load_worker *worker = &load->workers[load->started];
        if (pthread_create(&worker->thread, NULL, load_worker_run, worker) != 0) {
            snprintf(load->gate.problem, sizeof load->gate.problem, "cannot start thread %zu", load->started + 1);
            atomic_store(&load->failed, 1);
            break;
        }
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* ---- the run ---------------------------------------------------------------------------------------------------- */

static double share_done(const struct load *load)
{
    const struct load_settings *settings = load->settings;
    uint64_t done = 0;
    if (settings->operations == 0)
        return load->gate.open ? (double)(clock_wall() - load->gate.start) / (double)settings->duration : 0;
    for (size_t i = 0; i < load->started; i++)
        done += atomic_load_explicit(&load->workers[i].operations, memory_order_relaxed);
    return (double)done / ((double)settings->operations * 1.1 * (double)settings->threads);
}

/* Until all workers have got that far; shows progress meanwhile. */
static void wait_for(struct load *load, const size_t *count)
{
    pthread_mutex_lock(&load->gate.lock);
    while (*count < load->started) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 250000000;
        if (until.tv_nsec >= 1000000000) {
            until.tv_nsec -= 1000000000;
            until.tv_sec++;
        }
        pthread_cond_timedwait(&load->gate.progressed, &load->gate.lock, &until);
        if (load->settings->tick != NULL) {
            double share = share_done(load);
            pthread_mutex_unlock(&load->gate.lock);
            load->settings->tick(load->settings->context, share < 1 ? share : 1);
            pthread_mutex_lock(&load->gate.lock);
        }
    }
    pthread_mutex_unlock(&load->gate.lock);
}

static void read_server(struct load *load, struct server_cpu *cpu)
{
    if (control_cpu(load->control, cpu) || atomic_exchange(&load->failed, 1) != 0)
        return;
    snprintf(load->gate.problem, sizeof load->gate.problem, "INFO cpu: %s", control_problem(load->control));
}

static void run(struct load *load)
{
    start_workers(load);
    wait_for(load, &load->gate.ready);
    read_server(load, &load->server_before);
    load->before = client_counts(load->client);
    pthread_mutex_lock(&load->gate.lock);
    load->gate.open = true;
    load->gate.start = clock_wall();
    pthread_cond_broadcast(&load->gate.opened);
    pthread_mutex_unlock(&load->gate.lock);
    wait_for(load, &load->gate.finished);
    load->after = client_counts(load->client);
    if (atomic_load(&load->failed) == 0)
        read_server(load, &load->server_after);
    for (size_t i = 0; i < load->started; i++)
        pthread_join(load->workers[i].thread, NULL);
}

/* ---- the result ------------------------------------------------------------------------------------------------- */

static double microseconds(cc_time nanoseconds) { return (double)nanoseconds / 1e3; }

static bool add_parts(const struct load *load, struct load_result *result)
{
    struct cc_histogram *all = calloc(1, sizeof *all);
    if (all == NULL)
        return false;
    for (size_t part = 0; part < LOAD_PARTS; part++) {
        cc_histogram_clear(all);
        for (size_t i = 0; i < load->started; i++)
            cc_histogram_add(all, &load->workers[i].parts[part]);
        if (part == LOAD_TOTAL)
            result->operations = all->count;
        if (all->count == 0) {
            result->parts[part] = (struct load_figures){NAN, NAN, NAN, NAN, NAN};
            continue;
        }
        result->parts[part] = (struct load_figures){
            .mean = cc_histogram_mean(all) / 1e3,
            .p50 = microseconds(cc_histogram_quantile(all, 50, 100)),
            .p95 = microseconds(cc_histogram_quantile(all, 95, 100)),
            .p99 = microseconds(cc_histogram_quantile(all, 99, 100)),
            .most = microseconds(all->most),
        };
    }
    free(all);
    return true;
}

static bool add_up(const struct load *load, struct load_result *result)
{
    *result = (struct load_result){0};
    if (!add_parts(load, result))
        return false;
    uint64_t cpu = 0, payload = 0, stored = 0, end = 0;
    for (size_t i = 0; i < load->started; i++) {
        const struct load_worker *worker = &load->workers[i];
        cpu += worker->cpu;
        payload += worker->payload_bytes;
        stored += worker->stored_bytes;
        end = worker->end > end ? worker->end : end;
        result->checked += worker->checked;
        result->overloaded = result->overloaded || worker->overloaded;
    }
    const struct connection_counts *before = &load->before, *after = &load->after;
    double operations = (double)result->operations;
    result->seconds = (double)(end - load->gate.start) / 1e9;
    result->throughput = operations / result->seconds;
    result->worker_cpu = microseconds(cpu) / operations;
    result->io_cpu = microseconds(after->cpu - before->cpu) / operations;
    result->server_cpu = microseconds(load->server_after.all - load->server_before.all) / operations;
    result->server_main_cpu =
        load->server_after.has_main_thread
            ? microseconds(load->server_after.main_thread - load->server_before.main_thread) / operations
            : NAN;
    result->payload_bytes = (double)payload / operations;
    result->stored_bytes = (double)stored / operations;
    result->batch_mean = (double)(after->commands - before->commands) / (double)(after->batches - before->batches);
    result->batch_most = after->largest_batch;
    result->writes = (double)(after->writes - before->writes) / operations;
    result->reads = (double)(after->reads - before->reads) / operations;
    result->sleeps = (double)(after->sleeps - before->sleeps) / operations;
    result->wake_ups = (double)(after->wake_ups - before->wake_ups) / operations;
    return true;
}

enum load_status load_run(const struct load_settings *settings, struct load_result *result, char *problem,
                          size_t problem_size)
{
    struct load load = {.settings = settings,
                        .gate = {.lock = PTHREAD_MUTEX_INITIALIZER,
                                 .opened = PTHREAD_COND_INITIALIZER,
                                 .progressed = PTHREAD_COND_INITIALIZER}};
    enum load_status status = LOAD_FAILED;
    if (prepare(&load, problem, problem_size)) {
        run(&load);
        if (atomic_load(&load.failed) != 0)
            snprintf(problem, problem_size, "%s", load.gate.problem);
        else if (settings->stop != NULL && atomic_load(settings->stop) != 0)
            status = LOAD_STOPPED;
        else if (!add_up(&load, result))
            snprintf(problem, problem_size, "out of memory");
        else if (result->operations == 0)
            snprintf(problem, problem_size, "no operation fell due: the run is too short for its rate");
        else
            status = LOAD_OK;
    }
    release(&load);
    return status;
}
