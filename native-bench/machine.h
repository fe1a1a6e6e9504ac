/* What a measurement was taken on. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

struct machine {
    char cpu[128];                         /* the model's name */
    unsigned cores;                        /* logical processors that may run the process */
    unsigned performance, efficiency;      /* cores of each kind where the system tells (Apple Silicon), or 0 */
    char os[128], kernel[128];             /* "Debian GNU/Linux 12 (bookworm)", "Linux 6.1.0 x86_64" */
    char compiler[128], flags[256];        /* of this program */
    char governor[64], virtualisation[64]; /* where readable, or "" */
    char date[32];                         /* UTC, ISO 8601, to the second */
};

void machine_read(struct machine *machine);
/* The calling thread would like the fastest cores: on macOS, which has no pinning, by its class of service. Elsewhere
 * nothing needs doing. False when it was refused. */
bool machine_prefer_fast_cores(void);

#endif
