/* Codecs measured in rounds: every codec, direction and size once a round, in an order shuffled anew, so that a slow
 * minute of the machine meets all of them alike. What a call costs is the processor time of the thread. */
#ifndef BENCH_CODEC_ROUNDS_H
#define BENCH_CODEC_ROUNDS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec.h"
#include "estimate.h"
#include "payload.h"

#define ROUNDS_MOST ESTIMATE_SAMPLES_MOST

enum codec_direction { CODEC_COMPRESS, CODEC_DECOMPRESS };

struct codec_plan {
    const struct codec *const *codecs;
    size_t codec_count;
    size_t base; /* the codec that ratios are to */
    const struct payload_set *sets;
    size_t set_count;
    bool cold;         /* measure with inputs that are in no cache too */
    size_t rounds;     /* up to ROUNDS_MOST */
    uint64_t batch_ns; /* how long a sample lasts */
    uint64_t warm_ns;  /* how long each cell runs before */
    uint64_t time_ns;  /* no new round that would end behind it; 0: no limit */
    uint64_t seed;
    const atomic_int *stop;                       /* not 0: end soon, keep the finished rounds */
    void (*progress)(void *context, double done); /* may be NULL; called at least every 50 ms or so */
    void *context;
};

struct codec_sample {
    double ns;                /* per call */
    double wall;              /* wall time over processor time */
    double chain_ns, copy_ns; /* the reference kernels right before it, per step and per copy */
    bool marked;              /* disturbed: left out where enough others are there */
};

/* One codec, direction and size, hot or cold. */
struct codec_cell {
    size_t codec, set;
    enum codec_direction direction;
    bool cold;
    size_t calls;                 /* of one batch */
    size_t position;              /* in the set, carried on from batch to batch */
    size_t step;                  /* from one payload to the next */
    struct codec_sample *samples; /* one a round */
    /* the estimate */
    size_t count, marked; /* samples used; samples marked */
    double min, median, p90;
    struct interval interval;
    double ratio; /* to the base codec, round by round */
    struct interval ratio_interval;
};

/* What one codec made of one set. */
struct codec_stored {
    struct payload_set packed; /* in the order of the set; without items where the codec stores the payload itself */
    size_t total;              /* bytes */
};

struct codec_bench {
    struct codec_plan plan;
    struct codec_state **states; /* per codec */
    struct codec_stored *stored; /* [codec * set_count + set] */
    size_t *copy_calls;          /* of the copying reference, per set */
    size_t *copy_position;       /* in the set */
    unsigned char *out;          /* holds any result */
    size_t room;
    unsigned char *scrub; /* read before a cold sample to empty the caches */
    size_t scrub_size;
    struct codec_cell *cells;
    size_t cell_count;
    size_t *order; /* of the cells in the round */
    size_t chain_steps;
    size_t rounds; /* finished */
    bool interrupted;
    bool noisy;     /* over a third of the samples is marked */
    double taken_s; /* by the rounds */
    double done_ns, all_ns;
};

/* Compresses every payload with every codec and checks that each comes back byte for byte. On failure false and why in
 * `problem`. The plan's codecs and sets must live as long as the bench. Free in either case. */
bool codec_bench_prepare(struct codec_bench *bench, const struct codec_plan *plan, char *problem, size_t size);
/* Runs every cell for the plan's time and finds how many calls fill a batch. False when a call failed. */
bool codec_bench_warm(struct codec_bench *bench);
/* Warms up, then runs the rounds and makes the estimates. False when a call failed that had worked before. */
bool codec_bench_run(struct codec_bench *bench);
void codec_bench_free(struct codec_bench *bench);

/* Marks what was disturbed and makes the estimates from the finished rounds. False when out of memory. */
bool codec_bench_judge(struct codec_bench *bench);
bool codec_bench_stopped(const struct codec_bench *bench);
struct codec_stored *codec_bench_stored(const struct codec_bench *bench, size_t codec, size_t set);

/* One sample as a round takes it, not judged yet. */
bool codec_bench_sample(struct codec_bench *bench, struct codec_cell *cell, struct codec_sample *sample);
/* Runs `calls` calls from *position in the set on. */
bool codec_bench_calls(const struct codec_bench *bench, const struct codec_cell *cell, struct codec_state *state,
                       unsigned char *out, size_t *position, size_t calls);
struct codec_cell *codec_bench_cell(const struct codec_bench *bench, size_t codec, size_t set,
                                    enum codec_direction direction, bool cold);
double codec_mean_bytes(const struct codec_bench *bench, size_t set);
double codec_mean_stored(const struct codec_bench *bench, size_t codec, size_t set);

#endif
