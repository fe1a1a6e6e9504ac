/* Two threads hand a turn to and fro: bound to one core, each hand-over is a wake-up and a change of threads; bound to
 * two, it is a wake-up of an idle core. Where the system binds no threads (macOS), only the latter is measured. */
#include "threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "estimate.h"

enum { ROUNDS = 9, HAND_OVERS = 2000, YIELDS = 20000, DELAYS = 60 };

struct seesaw {
    pthread_mutex_t lock;
    pthread_cond_t turned[2];
    int turn;
    int cores[2]; /* -1: anywhere */
    uint64_t cpu[2];
};

/* Binds the calling thread; -1: nowhere. */
static bool run_on(int core)
{
#ifdef __linux__
    cpu_set_t set;
    CPU_ZERO(&set);
    if (core >= 0)
        CPU_SET((size_t)core, &set);
    return core < 0 || sched_setaffinity(0, sizeof set, &set) == 0;
#else
    return core < 0;
#endif
}

/* Two processors that this process may use; false where there are not two, or they cannot be told. */
static bool two_cores(int cores[2])
{
#ifdef __linux__
    cpu_set_t set;
    int found = 0;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return false;
    for (int core = 0; core < CPU_SETSIZE && found < 2; core++)
        if (CPU_ISSET((size_t)core, &set))
            cores[found++] = core;
    return found == 2;
#else
    cores[0] = cores[1] = -1;
    return false;
#endif
}

struct seat {
    struct seesaw *seesaw;
    int side;
};

static void *swing(void *context)
{
    struct seat *seat = context;
    struct seesaw *seesaw = seat->seesaw;
    int side = seat->side;
    (void)run_on(seesaw->cores[side]); /* unbound it measures too, if less clearly */
    uint64_t began = clock_thread_cpu();
    for (int i = 0; i < HAND_OVERS; i++) {
        pthread_mutex_lock(&seesaw->lock);
        while (seesaw->turn != side)
            pthread_cond_wait(&seesaw->turned[side], &seesaw->lock);
        seesaw->turn = 1 - side;
        pthread_mutex_unlock(&seesaw->lock);
        pthread_cond_signal(&seesaw->turned[1 - side]);
    }
    seesaw->cpu[side] = clock_thread_cpu() - began;
    return NULL;
}

/* Wall time and processor time of one hand-over. */
static bool hand_over(int first, int second, double *wall, double *cpu)
{
    struct seesaw seesaw = {.lock = PTHREAD_MUTEX_INITIALIZER,
                            .turned = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER},
                            .cores = {first, second}};
    struct seat seats[2] = {{&seesaw, 0}, {&seesaw, 1}};
    pthread_t threads[2];
    uint64_t began = clock_wall();
    if (pthread_create(&threads[0], NULL, swing, &seats[0]) != 0)
        return false;
    if (pthread_create(&threads[1], NULL, swing, &seats[1]) != 0)
        abort(); /* the first waits for ever */
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    *wall = (double)(clock_wall() - began) / (2.0 * HAND_OVERS);
    *cpu = (double)(seesaw.cpu[0] + seesaw.cpu[1]) / (2.0 * HAND_OVERS);
    return true;
}

static bool hand_overs(int first, int second, double *wall, double *cpu)
{
    double walls[ROUNDS], cpus[ROUNDS];
    for (int i = 0; i < ROUNDS; i++)
        if (!hand_over(first, second, &walls[i], &cpus[i]))
            return false;
    estimate_sort(walls, ROUNDS);
    estimate_sort(cpus, ROUNDS);
    *wall = walls[ROUNDS / 2];
    *cpu = cpus[ROUNDS / 2];
    return true;
}

/* ---- changing threads ------------------------------------------------------------------------------------------- */

struct yielder {
    int core;
    atomic_int *here;
    int wanted;
    double wall;
};

static void *yield_often(void *context)
{
    struct yielder *yielder = context;
    (void)run_on(yielder->core); /* unbound it measures too, if less clearly */
    atomic_fetch_add(yielder->here, 1);
    while (atomic_load(yielder->here) < yielder->wanted)
        sched_yield();
    uint64_t began = clock_wall();
    for (int i = 0; i < YIELDS; i++)
        sched_yield();
    yielder->wall = (double)(clock_wall() - began) / YIELDS;
    return NULL;
}

/* One thread's yield costs the call; each of two on one core waits for the other's too, and for two changes. */
static bool measure_turn_over(int core, double *turn_over)
{
    double samples[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        double wall[2] = {0, 0};
        for (int count = 1; count <= 2; count++) {
            atomic_int here = 0;
            struct yielder yielders[2] = {{core, &here, count, 0}, {core, &here, count, 0}};
            pthread_t threads[2];
            int started = 0;
            while (started < count && pthread_create(&threads[started], NULL, yield_often, &yielders[started]) == 0)
                started++;
            if (started < count)
                abort(); /* the others wait for ever */
            for (int j = 0; j < count; j++)
                pthread_join(threads[j], NULL);
            wall[count - 1] = yielders[0].wall;
        }
        samples[i] = wall[1] / 2 - wall[0];
    }
    estimate_sort(samples, ROUNDS);
    *turn_over = samples[ROUNDS / 2] > 0 ? samples[ROUNDS / 2] : 0;
    return true;
}

/* ---- a woken thread against a busy one -------------------------------------------------------------------------- */

struct sleeper {
    struct seesaw seesaw;
    uint64_t woken, ran;
    atomic_int stop;
    double delays[DELAYS];
};

static void *spin(void *context)
{
    struct sleeper *sleeper = context;
    (void)run_on(sleeper->seesaw.cores[0]); /* unbound it measures too, if less clearly */
    while (atomic_load_explicit(&sleeper->stop, memory_order_relaxed) == 0)
        ;
    return NULL;
}

static void *sleep_and_wake(void *context)
{
    struct sleeper *sleeper = context;
    struct seesaw *seesaw = &sleeper->seesaw;
    (void)run_on(seesaw->cores[0]); /* unbound it measures too, if less clearly */
    for (int i = 0; i < DELAYS; i++) {
        pthread_mutex_lock(&seesaw->lock);
        while (seesaw->turn != 1)
            pthread_cond_wait(&seesaw->turned[0], &seesaw->lock);
        sleeper->ran = clock_wall();
        sleeper->delays[i] = (double)(sleeper->ran - sleeper->woken);
        seesaw->turn = 0;
        pthread_mutex_unlock(&seesaw->lock);
        pthread_cond_signal(&seesaw->turned[1]);
    }
    return NULL;
}

/* The waker, on the other core, waits some time between two wake-ups: the sleeper has run little, as a thread that
 * waits for replies has. */
static bool measure_lead(const int cores[2], double *lead)
{
    struct sleeper sleeper = {.seesaw = {.lock = PTHREAD_MUTEX_INITIALIZER,
                                         .turned = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER},
                                         .cores = {cores[0], cores[1]}}};
    pthread_t spinner, thread;
    if (pthread_create(&spinner, NULL, spin, &sleeper) != 0)
        return false;
    if (pthread_create(&thread, NULL, sleep_and_wake, &sleeper) != 0)
        abort();
    (void)run_on(cores[1]); /* unbound it measures too, if less clearly */
    for (int i = 0; i < DELAYS; i++) {
        clock_sleep_until(clock_wall() + 1300000);
        pthread_mutex_lock(&sleeper.seesaw.lock);
        sleeper.woken = clock_wall();
        sleeper.seesaw.turn = 1;
        pthread_mutex_unlock(&sleeper.seesaw.lock);
        pthread_cond_signal(&sleeper.seesaw.turned[0]);
        pthread_mutex_lock(&sleeper.seesaw.lock);
        while (sleeper.seesaw.turn != 0)
            pthread_cond_wait(&sleeper.seesaw.turned[1], &sleeper.seesaw.lock);
        pthread_mutex_unlock(&sleeper.seesaw.lock);
    }
    pthread_join(thread, NULL);
    atomic_store(&sleeper.stop, 1);
    pthread_join(spinner, NULL);
    estimate_sort(sleeper.delays, DELAYS);
    *lead = estimate_quantile(sleeper.delays, DELAYS, 0.5);
    return true;
}

/* The measuring threads bind themselves, so the caller's own binding stays what it was. */
static void *measure(void *context)
{
    struct thread_costs *costs = context;
    int cores[2] = {-1, -1};
    double near_wall, near_cpu, far_wall, far_cpu;
    costs->pinned = two_cores(cores);
    if (!hand_overs(cores[0], cores[1], &far_wall, &far_cpu))
        return NULL;
    if (costs->pinned) {
        if (!hand_overs(cores[0], cores[0], &near_wall, &near_cpu) || !measure_turn_over(cores[0], &costs->turn_over) ||
            !measure_lead(cores, &costs->lead))
            return NULL;
        costs->signal = (near_wall - costs->turn_over) / 2;
        costs->wake_cost = far_cpu > near_cpu ? far_cpu - near_cpu : 0;
    } else {
        costs->turn_over = 1500;
        costs->signal = far_cpu / 2;
        costs->lead = 1e6;
    }
    /* Of a hand-over's time the sleeper's own part runs after the wake-up; the waker's goes on beside it. */
    costs->wake = far_wall - (far_cpu - costs->wake_cost);
    if (costs->wake < 0)
        costs->wake = 0;
    return costs;
}

bool thread_costs_measure(struct thread_costs *costs)
{
    pthread_t thread;
    void *done = NULL;
    *costs = (struct thread_costs){0};
    if (pthread_create(&thread, NULL, measure, costs) != 0)
        return false;
    pthread_join(thread, &done);
    return done != NULL;
}
