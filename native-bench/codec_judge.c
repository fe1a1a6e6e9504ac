/* Which samples were disturbed, and what the others say. */
#include "codec_rounds.h"

#include <stdlib.h>

#define WALL_LIMIT 1.05
#define REFERENCE_LIMIT 1.10

static void mark_cell(const struct codec_bench *bench, struct codec_cell *cell, double chain_limit, double copy_limit)
{
    cell->marked = 0;
    for (size_t round = 0; round < bench->rounds; round++) {
        struct codec_sample *sample = &cell->samples[round];
        sample->marked = sample->wall > WALL_LIMIT || sample->chain_ns > chain_limit || sample->copy_ns > copy_limit;
        cell->marked += sample->marked;
    }
}

/* Against the medians of the references over the run, the copy's for each set by itself. */
static bool mark_all(struct codec_bench *bench)
{
    size_t all = bench->cell_count * bench->rounds, marked = 0;
    double *samples = all > 0 ? calloc(all, sizeof *samples) : NULL;
    if (!samples)
        return all == 0;
    size_t count = 0;
    for (size_t i = 0; i < bench->cell_count; i++)
        for (size_t round = 0; round < bench->rounds; round++)
            samples[count++] = bench->cells[i].samples[round].chain_ns;
    estimate_sort(samples, count);
    double chain_limit = REFERENCE_LIMIT * estimate_quantile(samples, count, 0.5);
    for (size_t set = 0; set < bench->plan.set_count; set++) {
        count = 0;
        for (size_t i = 0; i < bench->cell_count; i++)
            for (size_t round = 0; bench->cells[i].set == set && round < bench->rounds; round++)
                samples[count++] = bench->cells[i].samples[round].copy_ns;
        estimate_sort(samples, count);
        double copy_limit = REFERENCE_LIMIT * estimate_quantile(samples, count, 0.5);
        for (size_t i = 0; i < bench->cell_count; i++) {
            if (bench->cells[i].set == set) {
                mark_cell(bench, &bench->cells[i], chain_limit, copy_limit);
                marked += bench->cells[i].marked;
            }
        }
    }
    bench->noisy = 3 * marked > all;
    free(samples);
    return true;
}

/* Unmarked samples alone where there are enough of them to speak of. */
static bool enough(size_t unmarked, size_t rounds) { return unmarked >= 3 || unmarked == rounds; }

static void estimate_cell(const struct codec_bench *bench, struct codec_cell *cell, uint64_t seed)
{
    const struct codec_cell *base = codec_bench_cell(bench, bench->plan.base, cell->set, cell->direction, cell->cold);
    double samples[ROUNDS_MOST], ratios[ROUNDS_MOST];
    size_t rounds = bench->rounds, count = 0, pairs = 0;
    bool all = !enough(rounds - cell->marked, rounds), all_pairs = false;
    for (size_t round = 0; round < rounds; round++)
        if (all || !cell->samples[round].marked)
            samples[count++] = cell->samples[round].ns;
    for (size_t round = 0; round < rounds; round++)
        pairs += !cell->samples[round].marked && !base->samples[round].marked;
    all_pairs = !enough(pairs, rounds);
    pairs = 0;
    for (size_t round = 0; round < rounds; round++)
        if (all_pairs || (!cell->samples[round].marked && !base->samples[round].marked))
            ratios[pairs++] = cell->samples[round].ns / base->samples[round].ns;
    estimate_sort(samples, count);
    estimate_sort(ratios, pairs);
    cell->count = count;
    cell->min = estimate_quantile(samples, count, 0);
    cell->median = estimate_quantile(samples, count, 0.5);
    cell->p90 = estimate_quantile(samples, count, 0.9);
    cell->interval = estimate_median_interval(samples, count, seed);
    cell->ratio = estimate_quantile(ratios, pairs, 0.5);
    cell->ratio_interval = estimate_median_interval(ratios, pairs, seed);
}

bool codec_bench_judge(struct codec_bench *bench)
{
    if (!mark_all(bench))
        return false;
    for (size_t i = 0; i < bench->cell_count; i++)
        estimate_cell(bench, &bench->cells[i], bench->plan.seed + i);
    return true;
}
