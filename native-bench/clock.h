/* The clocks of a measurement.
 *
 * The value of a codec's call is the processor time of the calling thread; wall time beside it tells whether the thread
 * was disturbed. Linux: CLOCK_MONOTONIC and CLOCK_THREAD_CPUTIME_ID. macOS: CLOCK_UPTIME_RAW (mach_absolute_time in
 * nanoseconds) and CLOCK_THREAD_CPUTIME_ID. */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

#include <stdint.h>

uint64_t clock_wall(void);       /* nanoseconds since some fixed moment; never goes back */
uint64_t clock_thread_cpu(void); /* nanoseconds of processor time that the calling thread has had */
const char *clock_wall_name(void);
const char *clock_thread_cpu_name(void);
/* What one reading costs, in nanoseconds: the median of many. */
double clock_wall_cost(void);
double clock_thread_cpu_cost(void);
void clock_sleep_until(uint64_t wall); /* returns at once when it has passed */

#endif
