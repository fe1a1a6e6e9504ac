/* What bench codec writes for programs: the profile that scenarios take their costs from, and the cells as CSV. */
#ifndef CLI_BENCH_PROFILE_H
#define CLI_BENCH_PROFILE_H

#include "codec_rounds.h"
#include "codec_threads.h"
#include "machine.h"
#include "text.h"

struct profile {
    const char *name;
    const char *directory; /* of the payloads, or NULL for the built-in ones */
    const struct codec_bench *bench;
    const struct threads_row *threads;
    size_t threads_count;
    bool complete;
    struct machine machine;
    double wall_cost, cpu_cost; /* of reading the clocks, in nanoseconds */
};

/* Megabytes (10^6 bytes) of payload per second of processor time. */
double cell_speed(const struct codec_bench *bench, const struct codec_cell *cell);
const char *direction_name(enum codec_direction direction);
/* At most six significant digits, without an exponent where there is a plain way; null where not finite. */
void json_number6(struct text *out, double number);
void profile_json(struct text *out, const struct profile *profile);
void profile_csv(struct text *out, const struct profile *profile);

#endif
