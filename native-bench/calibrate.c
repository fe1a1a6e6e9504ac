/* From samples of pipelines to the costs of a profile. */
#include "calibrate.h"

#include <math.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "connection.h"
#include "control.h"
#include "estimate.h"
#include "load.h"

#define BATCH_NS UINT64_C(40000000) /* of a round of one sample */
#define ROUNDS 5
#define FLIGHT_MOST ((size_t)16 << 20) /* bytes of a pipeline */

static const size_t SIZES[] = {64, 1024, 10240, 51200, 204800, 512000};
static const size_t DEPTHS[] = {1, 2, 4, 8, 16, 32};
#define SIZE_COUNT (sizeof SIZES / sizeof *SIZES)
#define DEPTH_COUNT (sizeof DEPTHS / sizeof *DEPTHS)
#define DEPTH_MOST 32
/* Nanoseconds that a thread stays with its core: not measured. Linux' own figure is 0.5 ms for its periodic balancing and
 * less for a core that has just run dry; forecasts hardly change between 0.02 and 0.5 ms (docs/accuracy.md). */
#define HOT 5e4
#define SMALL 64 /* bytes whose cost is lost beside that of a command */

struct bench {
    struct connection *connection;
    struct control *control;
    struct caller caller;
    struct command commands[DEPTH_MOST];
    unsigned char *value;
    char *problem;
    size_t problem_size;
};

static const char key[] = "cachecast:bench:calibrate";

static bool give_up(struct bench *bench, const char *why)
{
    snprintf(bench->problem, bench->problem_size, "%s", why);
    return false;
}

/* One pipeline: submit all, wait for all. */
static bool pipeline(struct bench *bench, bool set, size_t bytes, size_t depth)
{
    for (size_t i = 0; i < depth; i++) {
        if (set)
            command_set(&bench->commands[i], key, bench->value, bytes);
        else
            command_word(&bench->commands[i], "GET", key);
    }
    if (!connection_call(bench->connection, &bench->caller, bench->commands, depth))
        return give_up(bench, connection_problem(bench->connection));
    for (size_t i = 0; i < depth; i++)
        command_free_reply(&bench->commands[i]);
    return true;
}

static double over(uint64_t after, uint64_t before, uint64_t count) { return (double)(after - before) / (double)count; }

static double median(double *values, size_t count)
{
    estimate_sort(values, count);
    return estimate_quantile(values, count, 0.5);
}

static bool take_sample(struct bench *bench, bool set, size_t bytes, size_t depth, struct calibration_sample *sample)
{
    double wall[ROUNDS], caller[ROUNDS], io[ROUNDS], server[ROUNDS], reads[ROUNDS];
    *sample = (struct calibration_sample){.set = set, .bytes = bytes, .depth = depth};
    if (!pipeline(bench, true, bytes, 1)) /* GETs find it */
        return false;
    for (int round = 0; round < ROUNDS; round++) {
        struct server_cpu cpu_before, cpu_after;
        uint64_t reads_before, reads_after, commands = 0;
        if (!pipeline(bench, set, bytes, depth) || !control_reads(bench->control, &reads_before) ||
            !control_cpu(bench->control, &cpu_before))
            return bench->problem[0] != 0 ? false : give_up(bench, control_problem(bench->control));
        struct connection_counts before = connection_counts(bench->connection);
        uint64_t began = clock_wall(), caller_began = clock_thread_cpu();
        do {
            if (!pipeline(bench, set, bytes, depth))
                return false;
            commands += depth;
        } while (clock_wall() - began < BATCH_NS);
        uint64_t caller_end = clock_thread_cpu(), end = clock_wall();
        struct connection_counts after = connection_counts(bench->connection);
        if (!control_cpu(bench->control, &cpu_after) || !control_reads(bench->control, &reads_after))
            return give_up(bench, control_problem(bench->control));
        wall[round] = over(end, began, commands);
        caller[round] = over(caller_end, caller_began, commands);
        io[round] = over(after.cpu, before.cpu, commands);
        server[round] = cpu_after.has_main_thread ? over(cpu_after.main_thread, cpu_before.main_thread, commands)
                                                  : over(cpu_after.all, cpu_before.all, commands);
        reads[round] = over(reads_after - 2, reads_before, commands); /* without this control's own */
        sample->writes = over(after.writes, before.writes, commands);
        sample->reads = over(after.reads, before.reads, commands);
        sample->polls = over(after.sleeps, before.sleeps, commands);
        sample->commands += commands;
    }
    sample->wall = median(wall, ROUNDS);
    sample->caller = median(caller, ROUNDS);
    sample->io = median(io, ROUNDS);
    sample->server = median(server, ROUNDS);
    sample->server_reads = median(reads, ROUNDS);
    return true;
}

/* ---- least squares over costs that cannot be negative -------------------------------------------------------------- */

#define UNKNOWNS_MOST 8

struct equations {
    size_t unknowns, count;
    double a[CALIBRATION_SAMPLES_MOST][UNKNOWNS_MOST], y[CALIBRATION_SAMPLES_MOST];
};

/* Coordinate descent on residuals relative to y: costs span four orders of magnitude. */
static void solve(const struct equations *equations, double *x)
{
    for (size_t j = 0; j < equations->unknowns; j++)
        x[j] = 0;
    for (int sweep = 0; sweep < 20000; sweep++) {
        for (size_t j = 0; j < equations->unknowns; j++) {
            double top = 0, bottom = 0;
            for (size_t i = 0; i < equations->count; i++) {
                double weight = 1 / (equations->y[i] * equations->y[i]), rest = equations->y[i];
                for (size_t k = 0; k < equations->unknowns; k++)
                    rest -= k == j ? 0 : equations->a[i][k] * x[k];
                top += weight * rest * equations->a[i][j];
                bottom += weight * equations->a[i][j] * equations->a[i][j];
            }
            x[j] = bottom > 0 && top > 0 ? top / bottom : 0;
        }
    }
}

static double residual(const struct equations *equations, const double *x)
{
    double residuals[CALIBRATION_SAMPLES_MOST];
    for (size_t i = 0; i < equations->count; i++) {
        double sum = 0;
        for (size_t j = 0; j < equations->unknowns; j++)
            sum += equations->a[i][j] * x[j];
        residuals[i] = fabs(sum / equations->y[i] - 1);
    }
    return median(residuals, equations->count);
}

static void add(struct equations *equations, double y, const double *a)
{
    if (!(y > 0))
        return;
    memcpy(equations->a[equations->count], a, sizeof equations->a[0]);
    equations->y[equations->count++] = y;
}

/* What asking the system costs the I/O thread when there is something to do. */
static double poll_cost(void)
{
    int ends[2];
    if (pipe(ends) != 0)
        return 800;
    double samples[ROUNDS];
    bool ready = write(ends[1], "x", 1) == 1;
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t began = clock_wall();
        for (int j = 0; j < 2000 && ready; j++) {
            struct pollfd polled[2] = {{.fd = ends[0], .events = POLLIN}, {.fd = ends[1], .events = POLLIN}};
            ready = poll(polled, 2, 1000) > 0;
        }
        samples[i] = (double)(clock_wall() - began) / 2000;
    }
    close(ends[0]);
    close(ends[1]);
    return median(samples, ROUNDS);
}

static double signal_cost(void)
{
    int ends[2];
    char bytes[64];
    if (pipe(ends) != 0)
        return 800;
    double samples[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t began = clock_wall();
        bool good = true;
        for (int j = 0; j < 2000 && good; j++)
            good = write(ends[1], "x", 1) == 1 && read(ends[0], bytes, sizeof bytes) == 1;
        samples[i] = (double)(clock_wall() - began) / 4000;
    }
    close(ends[0]);
    close(ends[1]);
    return median(samples, ROUNDS);
}

static const struct calibration_sample *find(const struct calibration *calibration, bool set, size_t bytes,
                                             size_t depth)
{
    for (size_t i = 0; i < calibration->sample_count; i++) {
        const struct calibration_sample *s = &calibration->samples[i];
        if (s->set == set && s->bytes == bytes && s->depth == depth)
            return s;
    }
    return NULL;
}

static double positive(double x) { return x > 0 ? x : 0; }

/* What remains of the samples of larger values is their bytes'. `fixed` are the io thread's costs of a write, a read and
 * a command, then the server's of a read, a SET and a GET. */
static void compute_bytes(struct calibration *calibration, const double fixed[6])
{
    for (size_t i = 0; i < SIZE_COUNT; i++) {
        if (SIZES[i] <= SMALL)
            continue;
        uint32_t b = calibration->byte_count++, depths = 0;
        double bytes = (double)SIZES[i];
        for (size_t j = 0; j < DEPTH_COUNT; j++) {
            const struct calibration_sample *s[2] = {find(calibration, false, SIZES[i], DEPTHS[j]),
                                                     find(calibration, true, SIZES[i], DEPTHS[j])};
            if (s[0] == NULL || s[1] == NULL)
                continue;
            double io[2], server[2];
            for (int set = 0; set < 2; set++) {
                io[set] = s[set]->io - calibration->client.turn * s[set]->polls - fixed[0] * s[set]->writes -
                          fixed[1] * s[set]->reads - fixed[2];
                server[set] = s[set]->server - fixed[3] * s[set]->server_reads - fixed[set ? 4 : 5];
            }
            calibration->depths[b][depths++] = (struct cc_byte_costs){.depth = (double)DEPTHS[j],
                                                                      .client_out = positive(io[1]) / bytes,
                                                                      .client_in = positive(io[0]) / bytes,
                                                                      .server_in = positive(server[1]) / bytes,
                                                                      .server_out = positive(server[0]) / bytes};
        }
        calibration->bytes[b] =
            (struct cc_byte_knot){.bytes = bytes, .depths = calibration->depths[b], .depth_count = depths};
    }
}

/* Where client and server were not bound to one core, a lone caller's hand-overs wake idle ones: the caller wakes the I/O
 * thread, that the server and, with the last reply, the caller, and the server the I/O thread. So much of the measured
 * times is the waking, once for each pipeline. */
static void compute(struct calibration *calibration)
{
    const struct thread_costs *threads = &calibration->threads;
    double wake_cost = calibration->one_core ? 0 : threads->wake_cost;
    struct cc_client_costs *client = &calibration->client;
    struct equations io = {.unknowns = 3}, server = {.unknowns = 3}, caller = {.unknowns = 2};
    client->turn = poll_cost();
    client->signal = signal_cost();
    for (size_t i = 0; i < calibration->sample_count; i++) {
        struct calibration_sample *s = &calibration->samples[i];
        double pipelines = 1 / (double)s->depth;
        s->io -= 2 * wake_cost * pipelines;
        s->server -= wake_cost * pipelines;
        s->caller -= wake_cost * pipelines;
        if (s->depth == 1)
            add(&caller, s->caller - client->signal, (const double[UNKNOWNS_MOST]){1, s->set ? 0 : (double)s->bytes});
        if (s->bytes > SMALL)
            continue;
        add(&io, s->io - client->turn * s->polls, (const double[UNKNOWNS_MOST]){s->writes, s->reads, 1});
        add(&server, s->server, (const double[UNKNOWNS_MOST]){s->server_reads, s->set, !s->set});
    }
    double fixed[6], x[UNKNOWNS_MOST];
    solve(&io, x);
    memcpy(fixed, x, 3 * sizeof *fixed);
    calibration->client_residual = residual(&io, x);
    /* The last reply of a pipeline wakes the caller; under load each reply does. */
    client->write = positive(x[0] - threads->signal);
    client->read = x[1];
    client->command = x[2] + threads->signal;
    solve(&server, x);
    memcpy(fixed + 3, x, 3 * sizeof *fixed);
    calibration->server_residual = residual(&server, x);
    /* A turn with one connection is one wait, one read and one write; their shares are those of the system calls. */
    calibration->server = (struct cc_server_costs){
        .turn = 0.25 * x[0], .read = 0.25 * x[0], .write = 0.5 * x[0], .set = x[1], .get = x[2]};
    solve(&caller, x);
    client->submit = client->take = x[0] / 2;
    client->take_byte = x[1];
    calibration->host = (struct cc_host_costs){.wake = threads->wake,
                                               .wake_cost = threads->wake_cost,
                                               .turn_over = threads->turn_over,
                                               .slice = 3e6,
                                               .lead = threads->lead,
                                               .scan = true,
                                               .hot = HOT};
    compute_bytes(calibration, fixed);
}

/* ---- how much one operation differs from the next ------------------------------------------------------------------ */

/* A lone caller's operation is SET and GET, four hand-overs each. Bound to one core they cost what the samples say; free,
 * each waits for a core to wake, unless the system puts the woken thread on the waker's core. So the operation tells what
 * a hand-over takes on the whole, in time and in processor time; threads.h measures two bound threads only. */
static void compute_waking(struct calibration *calibration, double free_cpu)
{
    enum { HAND_OVERS = 8 };
    const struct calibration_sample *get = find(calibration, false, 1024, 1), *set = find(calibration, true, 1024, 1);
    if (!calibration->one_core || get == NULL || set == NULL)
        return;
    double bound = get->wall + set->wall;
    double bound_cpu = get->caller + get->io + get->server + set->caller + set->io + set->server;
    calibration->host.wake = positive(1e3 * calibration->one_thread_p50 - bound) / HAND_OVERS;
    calibration->host.wake_cost = positive(1e3 * free_cpu - bound_cpu) / HAND_OVERS;
}

static bool measure_spread(const char *host, unsigned port, const atomic_int *stop, struct calibration *calibration,
                           char *problem, size_t problem_size)
{
    struct payload_set payloads;
    if (!payload_set_make(&payloads, 1024, 64, 1 << 20, 1)) {
        snprintf(problem, problem_size, "out of memory");
        return false;
    }
    struct load_settings settings = {.host = host,
                                     .port = port,
                                     .payloads = &payloads,
                                     .codec = codec_find("none"),
                                     .threads = 1,
                                     .connections = 1,
                                     .operations = 4000,
                                     .seed = 1,
                                     .stop = stop};
    struct load_result result;
    enum load_status status = load_run(&settings, &result, problem, problem_size);
    payload_set_free(&payloads);
    if (status != LOAD_OK)
        return false;
    calibration->one_thread_p50 = result.parts[LOAD_TOTAL].p50;
    calibration->one_thread_p95 = result.parts[LOAD_TOTAL].p95;
    compute_waking(calibration, result.worker_cpu + result.io_cpu +
                                    (isfinite(result.server_main_cpu) ? result.server_main_cpu : result.server_cpu));
    /* A caller that has slept runs at once when it shares a core with the I/O thread: then woken threads stay where they
     * were, and do not look for an idle core. */
    double wake = 0.5e3 * (result.parts[LOAD_SET_WAKE].p50 + result.parts[LOAD_GET_WAKE].p50);
    calibration->host.scan = wake > calibration->threads.wake / 2;
    /* Of a sum of some ten steps, each of which varies by itself. */
    double sigma = log(calibration->one_thread_p95 / calibration->one_thread_p50) / 1.645;
    calibration->host.spread = 10 * (exp(sigma * sigma) - 1);
    return true;
}

static enum calibration_status run(struct bench *bench, const atomic_int *stop,
                                   void (*tick)(void *context, double share), void *context,
                                   struct calibration *calibration)
{
    struct server_identity identity;
    if (!control_identity(bench->control, &identity)) {
        give_up(bench, control_problem(bench->control));
        return CALIBRATION_FAILED;
    }
    snprintf(calibration->server_version, sizeof calibration->server_version, "%s", identity.version);
    size_t total = 2 * SIZE_COUNT * DEPTH_COUNT, done = 0;
    for (size_t i = 0; i < SIZE_COUNT; i++)
        for (size_t j = 0; j < DEPTH_COUNT; j++)
            for (int set = 0; set < 2; set++, done++) {
                if (SIZES[i] * DEPTHS[j] > FLIGHT_MOST)
                    continue;
                if (stop != NULL && atomic_load(stop) != 0)
                    return CALIBRATION_STOPPED;
                if (tick != NULL)
                    tick(context, (double)done / (double)total);
                if (!take_sample(bench, set == 1, SIZES[i], DEPTHS[j],
                                 &calibration->samples[calibration->sample_count]))
                    return CALIBRATION_FAILED;
                calibration->sample_count++;
            }
    control_delete(bench->control, key);
    compute(calibration);
    return CALIBRATION_OK;
}

/* Binds this thread and those that it starts from now on, and the server, to one core, or frees them. */
static bool bind_all(long server, bool one)
{
#ifdef __linux__
    static cpu_set_t before;
    cpu_set_t set;
    if (server == 0)
        return false;
    if (one) {
        int core = 0;
        if (sched_getaffinity(0, sizeof before, &before) != 0)
            return false;
        while (core < CPU_SETSIZE - 1 && !CPU_ISSET((size_t)core, &before))
            core++;
        CPU_ZERO(&set);
        CPU_SET((size_t)core, &set);
    } else {
        set = before;
    }
    return sched_setaffinity((pid_t)server, sizeof set, &set) == 0 && sched_setaffinity(0, sizeof set, &set) == 0;
#else
    (void)server;
    (void)one;
    return false;
#endif
}

enum calibration_status calibrate(const char *host, unsigned port, long server, const atomic_int *stop,
                                  void (*tick)(void *context, double share), void *context,
                                  struct calibration *calibration, char *problem, size_t problem_size)
{
    struct bench bench = {.problem = problem, .problem_size = problem_size};
    enum calibration_status status = CALIBRATION_FAILED;
    *calibration = (struct calibration){0};
    problem[0] = 0;
    if (!thread_costs_measure(&calibration->threads)) {
        give_up(&bench, "cannot start a thread");
        return CALIBRATION_FAILED;
    }
    calibration->one_core = bind_all(server, true);
    bench.value = malloc(SIZES[SIZE_COUNT - 1]);
    bench.connection = connection_new(host, port, problem, problem_size);
    bench.control = bench.connection != NULL ? control_new(host, port, problem, problem_size) : NULL;
    if (bench.value == NULL)
        give_up(&bench, "out of memory");
    else if (bench.control != NULL && caller_start(&bench.caller)) {
        for (size_t i = 0; i < SIZES[SIZE_COUNT - 1]; i++)
            bench.value[i] = (unsigned char)(i * 2654435761u >> 13);
        status = run(&bench, stop, tick, context, calibration);
    }
    connection_free(bench.connection);
    if (bench.control != NULL)
        control_free(bench.control);
    free(bench.value);
    if (calibration->one_core)
        bind_all(server, false);
    if (status == CALIBRATION_OK && !measure_spread(host, port, stop, calibration, problem, problem_size))
        status = stop != NULL && atomic_load(stop) != 0 ? CALIBRATION_STOPPED : CALIBRATION_FAILED;
    return status;
}
