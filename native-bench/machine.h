/* What a measurement was taken on. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

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

#endif
