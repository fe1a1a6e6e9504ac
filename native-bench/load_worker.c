/* A worker: encode, SET, GET, decode, again and again. */
#include "load_worker.h"

#include <hiredis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "clock.h"
#include "engine/variate.h"

#define CHECK_EVERY 64 /* one value of so many is compared byte by byte, all are in size */

static size_t common_divisor(size_t a, size_t b)
{
    while (b != 0) {
        size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

bool load_worker_prepare(struct load_worker *worker)
{
    const struct load_settings *settings = worker->settings;
    const struct codec *none = codec_find("none");
    size_t most = settings->payloads->most, count = settings->payloads->count;
    if (!caller_start(&worker->caller))
        return false;
    worker->codec = codec_state_new(settings->codec);
    worker->plain = codec_state_new(none);
    worker->room = codec_bound(settings->codec, most);
    if (worker->room < codec_bound(none, most))
        worker->room = codec_bound(none, most);
    worker->encoded = malloc(worker->room);
    worker->decoded = malloc(most);
    worker->parts = calloc(LOAD_PARTS, sizeof *worker->parts);
    if (worker->codec == NULL || worker->plain == NULL || worker->encoded == NULL || worker->decoded == NULL ||
        worker->parts == NULL) {
        load_worker_release(worker);
        return false;
    }
    /* Each thread goes through all payloads in an order of its own. */
    cc_random_start(&worker->random, settings->seed, 0, "bench.worker", worker->number);
    worker->payload = cc_random_below(&worker->random, count);
    do
        worker->stride = 1 + cc_random_below(&worker->random, count);
    while (common_divisor(worker->stride, count) != 1);
    return true;
}

void load_worker_release(struct load_worker *worker)
{
    codec_state_free(worker->codec);
    codec_state_free(worker->plain);
    free(worker->encoded);
    free(worker->decoded);
    free(worker->parts);
    caller_end(&worker->caller);
}

static bool give_up(struct load_worker *worker, const char *what, const char *why)
{
    pthread_mutex_lock(&worker->gate->lock);
    if (atomic_exchange(worker->failed, 1) == 0)
        snprintf(worker->gate->problem, sizeof worker->gate->problem, "%s: %s", what, why);
    pthread_mutex_unlock(&worker->gate->lock);
    return false;
}

static bool ended(const struct load_worker *worker)
{
    return atomic_load_explicit(worker->failed, memory_order_relaxed) != 0 ||
           (worker->settings->stop != NULL && atomic_load_explicit(worker->settings->stop, memory_order_relaxed) != 0);
}

/* ---- one operation ---------------------------------------------------------------------------------------------- */

static void record(struct load_worker *worker, enum load_part part, uint64_t from, uint64_t to)
{
    cc_histogram_record(&worker->parts[part], to - from);
}

static void record_command(struct load_worker *worker, const struct command *command, enum load_part whole,
                           enum load_part wait)
{
    record(worker, whole, command->submitted, command->awake);
    record(worker, wait, command->submitted, command->written);
    record(worker, wait + 1, command->written, command->parsed);
    record(worker, wait + 2, command->parsed, command->awake);
}

static bool call(struct load_worker *worker, struct connection *connection, struct command *command, const char *verb,
                 int type)
{
    if (!connection_call(connection, &worker->caller, command, 1))
        return give_up(worker, "the connection to the server failed", client_problem(worker->client));
    if (command->reply->type == type)
        return true;
    give_up(worker, verb, command->reply->type == REDIS_REPLY_ERROR ? command->reply->str : "the value is not there");
    command_free_reply(command);
    return false;
}

static bool exchange(struct load_worker *worker, struct command *set, struct command *get)
{
    struct connection *connection = client_acquire(worker->client, worker->number);
    bool done = call(worker, connection, set, "SET", REDIS_REPLY_STATUS);
    if (done) {
        command_free_reply(set);
        command_word(get, "GET", worker->key);
        done = call(worker, connection, get, "GET", REDIS_REPLY_STRING);
    }
    client_release(worker->client, connection);
    return done;
}

static bool operate(struct load_worker *worker, uint64_t due, bool measured)
{
    const struct payload *payload = &worker->settings->payloads->items[worker->payload];
    struct codec_state *codec = payload->size < worker->settings->threshold ? worker->plain : worker->codec;
    struct command set, get;
    worker->payload = (worker->payload + worker->stride) % worker->settings->payloads->count;

    uint64_t began = clock_wall();
    size_t stored = codec_compress(codec, payload->bytes, payload->size, worker->encoded, worker->room);
    uint64_t encoded = clock_wall();
    if (stored == 0)
        return give_up(worker, codec_name(worker->settings->codec), "compressing failed");
    command_set(&set, worker->key, worker->encoded, stored);
    if (!exchange(worker, &set, &get))
        return false;
    uint64_t got = clock_wall();
    bool right = codec_decompress(codec, get.reply->str, get.reply->len, worker->decoded, payload->size);
    uint64_t end = clock_wall();
    bool check = worker->operations % CHECK_EVERY == 0;
    if (right && check)
        right = memcmp(worker->decoded, payload->bytes, payload->size) == 0;
    right = right && get.reply->len == stored;
    command_free_reply(&get);
    if (!right)
        return give_up(worker, "GET", "other bytes than were SET");
    atomic_fetch_add_explicit(&worker->operations, 1, memory_order_relaxed);
    if (!measured)
        return true;
    worker->checked += check;
    worker->payload_bytes += payload->size;
    worker->stored_bytes += stored;
    record(worker, LOAD_TOTAL, due != 0 ? due : began, end);
    record(worker, LOAD_ENCODE, began, encoded);
    record(worker, LOAD_DECODE, got, end);
    if (due != 0)
        record(worker, LOAD_LATE, due, began);
    if (worker->settings->mode == CLIENT_POOL)
        record(worker, LOAD_CHECKOUT, encoded, set.submitted);
    record_command(worker, &set, LOAD_SET, LOAD_SET_WAIT);
    record_command(worker, &get, LOAD_GET, LOAD_GET_WAIT);
    return true;
}

/* ---- the phases ------------------------------------------------------------------------------------------------- */

/* A tenth of the measured phase. */
static void warm_up(struct load_worker *worker)
{
    const struct load_settings *settings = worker->settings;
    uint64_t until = settings->operations == 0 ? clock_wall() + settings->duration / 10 : UINT64_MAX;
    size_t count = settings->operations == 0 ? SIZE_MAX : (settings->operations + 9) / 10;
    for (size_t i = 0; i < count && (i == 0 || clock_wall() < until) && !ended(worker); i++)
        if (!operate(worker, 0, false))
            return;
}

static void wait_at_gate(struct load_worker *worker)
{
    struct load_gate *gate = worker->gate;
    pthread_mutex_lock(&gate->lock);
    gate->ready++;
    pthread_cond_signal(&gate->progressed);
    while (!gate->open)
        pthread_cond_wait(&gate->opened, &gate->lock);
    pthread_mutex_unlock(&gate->lock);
}

static void closed_loop(struct load_worker *worker)
{
    const struct load_settings *settings = worker->settings;
    uint64_t until = settings->operations == 0 ? worker->gate->start + settings->duration : UINT64_MAX;
    size_t count = settings->operations == 0 ? SIZE_MAX : settings->operations;
    for (size_t i = 0; i < count && (settings->operations != 0 || clock_wall() < until) && !ended(worker); i++)
        if (!operate(worker, 0, true))
            return;
}

/* The streams of the threads together are a Poisson process, or evenly paced. What is due is done, however late; only
 * a run for a duration is cut after twice that. */
static void open_loop(struct load_worker *worker)
{
    const struct load_settings *settings = worker->settings;
    double interval = 1e9 * (double)settings->threads / settings->rate, at = 0;
    uint64_t start = worker->gate->start;
    size_t count = settings->operations == 0 ? SIZE_MAX : settings->operations;
#ifdef __linux__
    prctl(PR_SET_TIMERSLACK, 1UL); /* else each sleep ends up to 50 us late */
#endif
    if (settings->arrivals == LOAD_PACED)
        at = interval * (double)worker->number / (double)settings->threads;
    for (size_t i = 0; i < count; i++) {
        if (settings->arrivals == LOAD_POISSON)
            at += interval * cc_exponential(&worker->random);
        else if (i > 0)
            at += interval;
        if (settings->operations == 0 && at >= (double)settings->duration)
            return;
        uint64_t due = start + (uint64_t)at;
        /* In short sleeps, so that an interruption does not wait for a rare arrival. */
        for (uint64_t now; (now = clock_wall()) < due && !ended(worker);)
            clock_sleep_until(due - now > 100000000 ? now + 100000000 : due);
        if (settings->operations == 0 && clock_wall() > start + 2 * settings->duration) {
            worker->overloaded = true;
            return;
        }
        if (ended(worker) || !operate(worker, due, true))
            return;
    }
}

void *load_worker_run(void *context)
{
    struct load_worker *worker = context;
    for (size_t i = 0; i < LOAD_PARTS; i++)
        cc_histogram_clear(&worker->parts[i]);
    warm_up(worker);
    wait_at_gate(worker);
    uint64_t cpu = clock_thread_cpu();
    if (!ended(worker)) {
        if (worker->settings->rate > 0)
            open_loop(worker);
        else
            closed_loop(worker);
    }
    worker->cpu = clock_thread_cpu() - cpu;
    worker->end = clock_wall();
    pthread_mutex_lock(&worker->gate->lock);
    worker->gate->finished++;
    pthread_cond_signal(&worker->gate->progressed);
    pthread_mutex_unlock(&worker->gate->lock);
    return NULL;
}
