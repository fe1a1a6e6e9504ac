/* The load generator against a private redis-server: what it counts, and that waiting is never left out. */
#include "clock.h"
#include "load.h"
#include "spawn.h"
#include "support/unit.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct spawn *server; /* NULL: no redis-server */
static struct payload_set payloads;

static int start(void **state)
{
    (void)state;
    char path[1024], problem[1024];
    if (!payload_set_make(&payloads, 2000, 16, 40000, 1))
        return -1;
    if (!spawn_find(path, sizeof path)) {
        printf("redis-server is not installed: the tests of the load are skipped\n");
        return 0;
    }
    server = spawn_start(problem, sizeof problem);
    if (server == NULL)
        printf("%s\n", problem);
    return server != NULL ? 0 : -1;
}

static int stop(void **state)
{
    (void)state;
    payload_set_free(&payloads);
    spawn_stop(server);
    return 0;
}

static struct load_settings usual(void)
{
    if (server == NULL)
        skip();
    return (struct load_settings){.host = "127.0.0.1",
                                  .port = spawn_port(server),
                                  .payloads = &payloads,
                                  .codec = codec_find("lz4"),
                                  .threads = 4,
                                  .connections = 1,
                                  .operations = 200,
                                  .seed = 1};
}

static struct load_result run(const struct load_settings *settings)
{
    struct load_result result;
    char problem[256] = "";
    if (load_run(settings, &result, problem, sizeof problem) != LOAD_OK)
        fail_msg("%s", problem);
    return result;
}

static void a_closed_loop_adds_up(void **state)
{
    (void)state;
    struct load_settings settings = usual();
    struct load_result result = run(&settings);
    const struct load_figures *parts = result.parts;
    assert_int_equal(result.operations, 800);
    assert_int_equal(result.checked, 12); /* 3 of each thread: it has warmed up with 20, so numbers 64, 128 and 192 */
    assert_true(result.throughput > 0 && fabs(result.throughput * result.seconds - 800) < 1e-6);
    assert_true(result.stored_bytes < result.payload_bytes);
    assert_true(isnan(parts[LOAD_LATE].mean) && isnan(parts[LOAD_CHECKOUT].mean));
    assert_true(result.batch_mean >= 1 && result.batch_most >= 1 && result.batch_most <= 4);
    assert_true(result.worker_cpu > 0 && result.io_cpu > 0 && result.server_cpu > 0);
    for (int part = LOAD_SET; part <= LOAD_GET; part++) {
        const struct load_figures *first = &parts[part == LOAD_SET ? LOAD_SET_WAIT : LOAD_GET_WAIT];
        assert_true(fabs(parts[part].mean - first[0].mean - first[1].mean - first[2].mean) < 0.01);
    }
    double sum = parts[LOAD_ENCODE].mean + parts[LOAD_SET].mean + parts[LOAD_GET].mean + parts[LOAD_DECODE].mean;
    assert_true(sum <= parts[LOAD_TOTAL].mean && parts[LOAD_TOTAL].mean < sum * 1.5 + 50);
    assert_true(parts[LOAD_TOTAL].p50 <= parts[LOAD_TOTAL].p95 && parts[LOAD_TOTAL].p95 <= parts[LOAD_TOTAL].p99);
}

static void a_small_pool_makes_threads_wait(void **state)
{
    (void)state;
    struct load_settings settings = usual();
    settings.mode = CLIENT_POOL;
    struct load_result result = run(&settings);
    assert_true(result.parts[LOAD_CHECKOUT].p95 > 0);
    assert_int_equal(result.batch_most, 1); /* nobody else is on the connection */
}

static void a_threshold_leaves_values_alone(void **state)
{
    (void)state;
    struct load_settings settings = usual();
    settings.threshold = 100000;
    struct load_result result = run(&settings);
    assert_true(fabs(result.stored_bytes - result.payload_bytes) < 1e-9);
}

static void a_duration_ends_a_run(void **state)
{
    (void)state;
    struct load_settings settings = usual();
    settings.operations = 0;
    settings.duration = 100000000;
    struct load_result result = run(&settings);
    assert_true(result.seconds >= 0.1 && result.operations > 0);
}

static void *hold_the_server(void *context)
{
    (void)context;
    pid_t process = (pid_t)spawn_process(server);
    clock_sleep_until(clock_wall() + 300000000);
    kill(process, SIGSTOP);
    clock_sleep_until(clock_wall() + 400000000);
    kill(process, SIGCONT);
    return NULL;
}

/* For 400 of 1000 ms nothing is answered. Who counts from when a request was sent sees that as one slow operation of each
 * worker, 4 of 500; in truth some 200 were late. */
static void an_open_loop_counts_from_when_an_operation_is_due(void **state)
{
    (void)state;
    struct load_settings settings = usual();
    settings.rate = 500;
    settings.arrivals = LOAD_PACED;
    settings.operations = 125;
    pthread_t holder;
    assert_int_equal(pthread_create(&holder, NULL, hold_the_server, NULL), 0);
    struct load_result result = run(&settings);
    pthread_join(holder, NULL);
    assert_int_equal(result.operations, 500);
    assert_true(result.seconds >= 0.98);
    assert_true(result.parts[LOAD_TOTAL].p95 > 200000);
    assert_true(result.parts[LOAD_SET].p95 < 200000);
}

static void an_open_loop_beyond_capacity_is_cut(void **state)
{
    (void)state;
    struct load_settings settings = usual();
    settings.rate = 5e6;
    settings.operations = 0;
    settings.duration = 50000000;
    struct load_result result = run(&settings);
    assert_true(result.overloaded);
    assert_true(result.parts[LOAD_LATE].p50 > 10000);
}

static void a_run_can_be_stopped_and_can_fail(void **state)
{
    (void)state;
    struct load_settings settings = usual();
    struct load_result result;
    char problem[256] = "";
    atomic_int stopped = 1;
    settings.stop = &stopped;
    assert_int_equal(load_run(&settings, &result, problem, sizeof problem), LOAD_STOPPED);
    settings.port = 1;
    assert_int_equal(load_run(&settings, &result, problem, sizeof problem), LOAD_FAILED);
    assert_string_equal(problem, "cannot connect to 127.0.0.1:1: Connection refused");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_closed_loop_adds_up),
        cmocka_unit_test(a_small_pool_makes_threads_wait),
        cmocka_unit_test(a_threshold_leaves_values_alone),
        cmocka_unit_test(a_duration_ends_a_run),
        cmocka_unit_test(an_open_loop_counts_from_when_an_operation_is_due),
        cmocka_unit_test(an_open_loop_beyond_capacity_is_cut),
        cmocka_unit_test(a_run_can_be_stopped_and_can_fail),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
