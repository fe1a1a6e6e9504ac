#include "clock.h"

#include <stdlib.h>
#include <time.h>

#ifdef __APPLE__
#define WALL CLOCK_UPTIME_RAW
#define WALL_NAME "CLOCK_UPTIME_RAW"
#else
#define WALL CLOCK_MONOTONIC
#define WALL_NAME "CLOCK_MONOTONIC"
#endif

static uint64_t read_clock(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t clock_wall(void) { return read_clock(WALL); }
uint64_t clock_thread_cpu(void) { return read_clock(CLOCK_THREAD_CPUTIME_ID); }
const char *clock_wall_name(void) { return WALL_NAME; }
const char *clock_thread_cpu_name(void) { return "CLOCK_THREAD_CPUTIME_ID"; }

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double cost(clockid_t clock)
{
    enum { SAMPLES = 31, READINGS = 200 };
    double samples[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
        uint64_t start = clock_wall();
        for (int j = 0; j < READINGS; j++)
            read_clock(clock);
        samples[i] = (double)(clock_wall() - start) / READINGS;
    }
    qsort(samples, SAMPLES, sizeof *samples, ascending);
    return samples[SAMPLES / 2];
}

double clock_wall_cost(void) { return cost(WALL); }
double clock_thread_cpu_cost(void) { return cost(CLOCK_THREAD_CPUTIME_ID); }

void clock_sleep_until(uint64_t wall)
{
    for (uint64_t now; (now = clock_wall()) < wall;) {
        uint64_t left = wall - now;
        struct timespec pause = {(time_t)(left / 1000000000u), (long)(left % 1000000000u)};
        nanosleep(&pause, NULL);
    }
}
