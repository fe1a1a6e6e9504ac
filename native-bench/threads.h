/* What threads cost on this machine: waking one, changing from one to another, and how soon a woken one gets a core that
 * is busy. Measured with the means that the client uses, a mutex and a condition variable. */
#ifndef BENCH_THREADS_H
#define BENCH_THREADS_H

#include <stdbool.h>

struct thread_costs { /* nanoseconds */
    double wake;      /* from waking a thread until it runs on a core that was idle */
    double wake_cost; /* what that costs the waker beyond waking one whose core is busy */
    double turn_over; /* a core changes from one thread to another */
    double signal;    /* waking a thread whose core is busy */
    double lead;      /* from waking a thread until it runs on a core that another keeps busy */
    bool pinned;      /* threads could be bound to cores; else all but `wake` are guesses from it */
};

/* Takes about a second. False when a thread could not be started. */
bool thread_costs_measure(struct thread_costs *costs);

#endif
