/* What cachecast bench redis measures, cell by cell, and how it is told. */
#ifndef CLI_BENCH_REDIS_H
#define CLI_BENCH_REDIS_H

#include "arguments.h"
#include "control.h"
#include "load.h"
#include "text.h"

struct redis_payloads {
    struct payload_set set;
    char label[32]; /* the size that was asked for; of the user's files the mean */
};

struct redis_cell {
    const struct redis_payloads *payloads;
    const struct codec *codec;
    size_t threads, connections;
    struct load_result *runs; /* of the repeats that finished */
    size_t done;
};

struct redis_bench {
    const char *host;
    size_t port;
    bool spawn;
    struct argument_list threads, sizes, connections;
    struct argument_words codecs;
    unsigned mode, arrivals;
    size_t operations, repeats, threshold, seed;
    uint64_t duration;
    double rate;
    const char *directory, *output;
    bool json, csv, quiet, calibrate, check;
    const char *profile; /* to add to, or to forecast from */

    struct redis_payloads *payloads;
    size_t payload_count;
    struct redis_cell *cells;
    size_t cell_count;
    struct server_identity server;
    size_t finished; /* runs */
};

struct redis_cost {
    const char *key;
    double nanoseconds;
};

struct spawn;
/* Stops the server. `spawn` may be NULL. */
enum exit_code redis_calibrate(const struct redis_bench *bench, struct spawn *spawn, const atomic_int *stop);
/* Ends the program where the profile cannot forecast the cells. */
void redis_check_profile(const struct redis_bench *bench);
/* What the profile forecasts for each cell, beside what was measured. */
void redis_check(struct text *out, const struct redis_bench *bench);

extern const char *const redis_modes[], *const redis_arrivals[]; /* NULL at the end */

/* The median over the cell's runs of the double at `offset` in struct load_result. */
double redis_median(const struct redis_cell *cell, size_t offset);
void redis_report(struct text *out, const struct redis_bench *bench);
void redis_json(struct text *out, const struct redis_bench *bench);
void redis_csv(struct text *out, const struct redis_bench *bench);

#endif
