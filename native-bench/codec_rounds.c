/* The method, and what each part is for:
 *
 * - A set has many distinct payloads, taken in turn: a single one repeated is learnt by the branch predictor, and the call
 *   looks up to twice as fast as it is.
 * - A sample is a batch of at least a millisecond, since reading the thread's clock is a system call.
 * - Before each sample run two reference kernels, a chain of dependent arithmetic and a copy of payloads of the same set. A
 *   sample is marked when one of them was more than a tenth over its own median, or when the thread was kept waiting.
 * - Before a cold sample its inputs are flushed from all caches, or, where a program cannot flush, a large block is read;
 *   the batch visits each input once at most. */
#include "codec_rounds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "engine/random.h"

#define REFERENCE_NS 200000u /* how long each reference kernel runs */
#define WALL_LIMIT 1.05
#define REFERENCE_LIMIT 1.10
#if defined(__x86_64__)
#define SCRUB_SIZE 0u /* flushes what it wants to be cold */
#else
#define SCRUB_SIZE ((size_t)96 << 20)
#endif
#define CACHE_LINE 64u

static const char memory_problem[] = "out of memory";

double codec_mean_bytes(const struct codec_bench *bench, size_t set)
{
    const struct payload_set *payloads = &bench->plan.sets[set];
    return (double)payloads->total / (double)payloads->count;
}

static struct codec_stored *stored_of(const struct codec_bench *bench, size_t codec, size_t set)
{
    return &bench->stored[codec * bench->plan.set_count + set];
}

double codec_mean_stored(const struct codec_bench *bench, size_t codec, size_t set)
{
    return (double)stored_of(bench, codec, set)->total / (double)bench->plan.sets[set].count;
}

struct codec_cell *codec_bench_cell(const struct codec_bench *bench, size_t codec, size_t set,
                                    enum codec_direction direction, bool cold)
{
    size_t modes = bench->plan.cold ? 2 : 1;
    size_t index = ((codec * bench->plan.set_count + set) * 2 + (size_t)direction) * modes + (cold ? 1 : 0);
    return &bench->cells[index];
}

static bool stopped(const struct codec_bench *bench)
{
    return bench->plan.stop && atomic_load_explicit(bench->plan.stop, memory_order_relaxed) != 0;
}

static void advance(struct codec_bench *bench, double ns)
{
    bench->done_ns += ns;
    if (bench->plan.progress)
        bench->plan.progress(bench->plan.context, fmin(1, bench->done_ns / bench->all_ns));
}

/* ---- preparation ------------------------------------------------------------------------------------------------ */

static bool is_plain_copy(const struct codec *codec) { return strcmp(codec_name(codec), "none") == 0; }

/* Compresses the set into `stored` and checks the round trip. */
static const char *store_set(struct codec_bench *bench, size_t codec, size_t set, unsigned char *back)
{
    const struct payload_set *payloads = &bench->plan.sets[set];
    const struct codec *which = bench->plan.codecs[codec];
    struct codec_state *state = bench->states[codec];
    struct codec_stored *stored = stored_of(bench, codec, set);
    size_t room = 0, used = 0;
    bool copy = is_plain_copy(which);
    if (!copy && !(stored->packed.items = calloc(payloads->count, sizeof *stored->packed.items)))
        return memory_problem;
    for (size_t i = 0; i < payloads->count && !stopped(bench); i++) {
        struct payload payload = payloads->items[i];
        size_t size = codec_compress(state, payload.bytes, payload.size, bench->out, bench->room);
        memset(back, 0x5a, payload.size);
        if (size == 0 || !codec_decompress(state, bench->out, size, back, payload.size) ||
            memcmp(back, payload.bytes, payload.size) != 0)
            return "a payload did not come back as it was";
        stored->total += size;
        if (copy)
            continue;
        if (used + size > room) {
            room = used + size + (used + size) / 2;
            unsigned char *block = realloc(stored->packed.block, room);
            if (!block)
                return memory_problem;
            stored->packed.block = block;
        }
        memcpy(stored->packed.block + used, bench->out, size);
        stored->packed.items[i].size = size;
        used += size;
    }
    stored->packed.count = copy ? 0 : payloads->count;
    stored->packed.total = used;
    used = 0;
    for (size_t i = 0; i < stored->packed.count; i++) {
        stored->packed.items[i].bytes = stored->packed.block + used;
        used += stored->packed.items[i].size;
    }
    return NULL;
}

static size_t common_divisor(size_t a, size_t b)
{
    while (b > 0) {
        size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Hot inputs are taken as they lie, so that they are in the cache by the time of the call, as what was just received or
 * written is. Cold ones far apart, since the processor would fetch a neighbour ahead of the call: the golden ratio comes
 * back near to where it was as late as can be. */
static size_t step_of(size_t count, bool cold)
{
    size_t step = cold ? (size_t)(0.6180339887 * (double)count) : 1;
    while (cold && common_divisor(count, step) != 1) /* else some payloads would have no turn */
        step++;
    return step % count;
}

static bool make_cells(struct codec_bench *bench)
{
    const struct codec_plan *plan = &bench->plan;
    size_t modes = plan->cold ? 2 : 1;
    bench->cell_count = plan->codec_count * plan->set_count * 2 * modes;
    bench->cells = calloc(bench->cell_count, sizeof *bench->cells);
    bench->order = calloc(bench->cell_count, sizeof *bench->order);
    if (!bench->cells || !bench->order)
        return false;
    for (size_t i = 0; i < bench->cell_count; i++) {
        size_t pair = i / modes / 2;
        bench->order[i] = i;
        bench->cells[i] = (struct codec_cell){.codec = pair / plan->set_count,
                                              .set = pair % plan->set_count,
                                              .direction = i / modes % 2 == 0 ? CODEC_COMPRESS : CODEC_DECOMPRESS,
                                              .cold = i % modes == 1};
        bench->cells[i].step = step_of(plan->sets[bench->cells[i].set].count, bench->cells[i].cold);
        bench->cells[i].samples = calloc(plan->rounds, sizeof *bench->cells[i].samples);
        if (!bench->cells[i].samples)
            return false;
    }
    return true;
}

static const char *prepare(struct codec_bench *bench, unsigned char **back)
{
    const struct codec_plan *plan = &bench->plan;
    size_t most = 0;
    for (size_t i = 0; i < plan->set_count; i++)
        most = plan->sets[i].most > most ? plan->sets[i].most : most;
    if (plan->codec_count == 0 || plan->set_count == 0 || plan->rounds == 0 || most == 0)
        return "nothing to measure";
    bench->states = calloc(plan->codec_count, sizeof *bench->states);
    bench->stored = calloc(plan->codec_count * plan->set_count, sizeof *bench->stored);
    bench->copy_calls = calloc(plan->set_count, sizeof *bench->copy_calls);
    bench->copy_position = calloc(plan->set_count, sizeof *bench->copy_position);
    if (!bench->states || !bench->stored || !bench->copy_calls || !bench->copy_position || !make_cells(bench))
        return memory_problem;
    for (size_t i = 0; i < plan->codec_count; i++) {
        size_t bound = codec_bound(plan->codecs[i], most);
        bench->room = bound > bench->room ? bound : bench->room;
        if (!(bench->states[i] = codec_state_new(plan->codecs[i])))
            return memory_problem;
    }
    bench->scrub_size = plan->cold ? SCRUB_SIZE : 0;
    bench->out = codec_output_new(bench->room);
    *back = malloc(most);
    if (!bench->out || !*back || (bench->scrub_size > 0 && !(bench->scrub = malloc(bench->scrub_size))))
        return memory_problem;
    if (bench->scrub)
        memset(bench->scrub, 1, bench->scrub_size);
    for (size_t codec = 0; codec < plan->codec_count; codec++) {
        for (size_t set = 0; set < plan->set_count && !stopped(bench); set++) {
            const char *problem = store_set(bench, codec, set, *back);
            if (problem)
                return problem;
        }
    }
    return NULL;
}

bool codec_bench_prepare(struct codec_bench *bench, const struct codec_plan *plan, char *problem, size_t size)
{
    unsigned char *back = NULL;
    *bench = (struct codec_bench){.plan = *plan, .all_ns = 1};
    const char *words = prepare(bench, &back);
    free(back);
    if (words)
        snprintf(problem, size, "%s", words);
    return words == NULL;
}

void codec_bench_free(struct codec_bench *bench)
{
    for (size_t i = 0; bench->cells && i < bench->cell_count; i++)
        free(bench->cells[i].samples);
    for (size_t i = 0; bench->states && i < bench->plan.codec_count; i++)
        codec_state_free(bench->states[i]);
    for (size_t i = 0; bench->stored && i < bench->plan.codec_count * bench->plan.set_count; i++)
        payload_set_free(&bench->stored[i].packed);
    free(bench->cells);
    free(bench->order);
    free(bench->states);
    free(bench->stored);
    free(bench->copy_calls);
    free(bench->copy_position);
    free(bench->out);
    free(bench->scrub);
    *bench = (struct codec_bench){0};
}

/* ---- kernels ---------------------------------------------------------------------------------------------------- */

static _Atomic uint64_t sink; /* keeps results alive */

/* Each step needs the one before: nothing but the core's clock rate can change how long it takes. */
static void chain(size_t steps)
{
    uint64_t x = atomic_load_explicit(&sink, memory_order_relaxed) | 1;
    for (size_t i = 0; i < steps; i++)
        x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    atomic_store_explicit(&sink, x, memory_order_relaxed);
}

static void copy_payloads(struct codec_bench *bench, size_t set, size_t calls)
{
    const struct payload_set *payloads = &bench->plan.sets[set];
    size_t at = bench->copy_position[set];
    for (size_t i = 0; i < calls; i++) {
        memcpy(bench->out, payloads->items[at].bytes, payloads->items[at].size);
        at = at + 1 == payloads->count ? 0 : at + 1;
    }
    bench->copy_position[set] = at;
    atomic_fetch_add_explicit(&sink, bench->out[0], memory_order_relaxed);
}

static const struct payload *inputs_of(const struct codec_bench *bench, const struct codec_cell *cell)
{
    const struct payload_set *packed = &stored_of(bench, cell->codec, cell->set)->packed;
    return cell->direction == CODEC_DECOMPRESS && packed->items ? packed->items : bench->plan.sets[cell->set].items;
}

static size_t next_place(size_t at, size_t step, size_t count)
{
    at += step;
    return at >= count ? at - count : at;
}

/* Makes the inputs of the cell's next batch cold. */
static void empty_caches(const struct codec_bench *bench, const struct codec_cell *cell)
{
#if defined(__x86_64__)
    const struct payload *inputs = inputs_of(bench, cell);
    size_t at = cell->position, count = bench->plan.sets[cell->set].count;
    for (size_t i = 0; i < cell->calls; i++) {
        for (size_t j = 0; j < inputs[at].size; j += CACHE_LINE)
            __builtin_ia32_clflush(inputs[at].bytes + j);
        __builtin_ia32_clflush(inputs[at].bytes + inputs[at].size - 1);
        at = next_place(at, cell->step, count);
    }
    __builtin_ia32_mfence();
#else
    uint64_t sum = 0;
    (void)cell;
    for (size_t i = 0; i < bench->scrub_size; i += CACHE_LINE)
        sum += bench->scrub[i];
    atomic_fetch_add_explicit(&sink, sum, memory_order_relaxed);
#endif
}

bool codec_bench_calls(const struct codec_bench *bench, const struct codec_cell *cell, struct codec_state *state,
                       unsigned char *out, size_t *position, size_t calls)
{
    const struct payload *payloads = bench->plan.sets[cell->set].items, *inputs = inputs_of(bench, cell);
    size_t at = *position, step = cell->step, count = bench->plan.sets[cell->set].count;
    bool good = true;
    if (cell->direction == CODEC_COMPRESS) {
        for (size_t i = 0; i < calls; i++) {
            good &= codec_compress(state, payloads[at].bytes, payloads[at].size, out, bench->room) != 0;
            at = next_place(at, step, count);
        }
    } else {
        for (size_t i = 0; i < calls; i++) {
            good &= codec_decompress(state, inputs[at].bytes, inputs[at].size, out, payloads[at].size);
            at = next_place(at, step, count);
        }
    }
    *position = at;
    return good;
}

/* ---- samples ---------------------------------------------------------------------------------------------------- */

static double per_call(uint64_t began, size_t calls) { return (double)(clock_thread_cpu() - began) / (double)calls; }

bool codec_bench_sample(struct codec_bench *bench, struct codec_cell *cell, struct codec_sample *sample)
{
    uint64_t began = clock_thread_cpu();
    chain(bench->chain_steps);
    sample->chain_ns = per_call(began, bench->chain_steps);
    began = clock_thread_cpu();
    copy_payloads(bench, cell->set, bench->copy_calls[cell->set]);
    sample->copy_ns = per_call(began, bench->copy_calls[cell->set]);
    if (cell->cold)
        empty_caches(bench, cell);
    uint64_t wall = clock_wall();
    began = clock_thread_cpu();
    bool good = codec_bench_calls(bench, cell, bench->states[cell->codec], bench->out, &cell->position, cell->calls);
    uint64_t cpu = clock_thread_cpu() - began;
    wall = clock_wall() - wall;
    sample->ns = (double)cpu / (double)cell->calls;
    sample->wall = cpu > 0 ? (double)wall / (double)cpu : 1;
    sample->marked = sample->wall > WALL_LIMIT;
    return good;
}

/* How many calls take `wanted` ns when `calls` of them took `taken`; far off, eight times as many are a better try. */
static size_t rescale(size_t calls, uint64_t taken, uint64_t wanted)
{
    if (taken < wanted / 8)
        return 8 * calls;
    double scaled = ceil((double)calls * (double)wanted / (double)taken);
    return scaled < 1 ? 1 : (size_t)scaled;
}

/* Runs the cell for the plan's time and leaves its batch size. */
static bool warm_up(struct codec_bench *bench, struct codec_cell *cell)
{
    uint64_t total = 0, taken = 0;
    bool good = true;
    cell->calls = 1;
    while (good && (total < bench->plan.warm_ns || taken < bench->plan.batch_ns / 2)) {
        uint64_t began = clock_thread_cpu();
        good = codec_bench_calls(bench, cell, bench->states[cell->codec], bench->out, &cell->position, cell->calls);
        taken = clock_thread_cpu() - began;
        total += taken;
        cell->calls = rescale(cell->calls, taken, bench->plan.batch_ns);
    }
    if (cell->cold && cell->calls > bench->plan.sets[cell->set].count)
        cell->calls = bench->plan.sets[cell->set].count; /* a second visit would be a warm one */
    return good;
}

static void calibrate_references(struct codec_bench *bench)
{
    uint64_t taken = 0;
    bench->chain_steps = 1000;
    while (taken < REFERENCE_NS / 2) {
        uint64_t began = clock_thread_cpu();
        chain(bench->chain_steps);
        taken = clock_thread_cpu() - began;
        bench->chain_steps = rescale(bench->chain_steps, taken, REFERENCE_NS);
    }
    for (size_t set = 0; set < bench->plan.set_count; set++) {
        size_t *calls = &bench->copy_calls[set];
        *calls = 1;
        for (taken = 0; taken < REFERENCE_NS / 2;) {
            uint64_t began = clock_thread_cpu();
            copy_payloads(bench, set, *calls);
            taken = clock_thread_cpu() - began;
            *calls = rescale(*calls, taken, REFERENCE_NS);
        }
    }
}

/* ---- estimates -------------------------------------------------------------------------------------------------- */

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
static bool mark(struct codec_bench *bench)
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

/* ---- the run ---------------------------------------------------------------------------------------------------- */

static void shuffle_order(struct codec_bench *bench, size_t round)
{
    struct cc_random random;
    cc_random_start(&random, bench->plan.seed, 0, "rounds", round);
    for (size_t i = bench->cell_count; i > 1; i--) {
        size_t j = (size_t)cc_random_below(&random, i), keep = bench->order[i - 1];
        bench->order[i - 1] = bench->order[j];
        bench->order[j] = keep;
    }
}

/* False when a call failed. An interrupted round is not counted. */
static bool run_round(struct codec_bench *bench, size_t round)
{
    shuffle_order(bench, round);
    for (size_t i = 0; i < bench->cell_count; i++) {
        struct codec_cell *cell = &bench->cells[bench->order[i]];
        if (stopped(bench))
            return true;
        if (!codec_bench_sample(bench, cell, &cell->samples[round]))
            return false;
        advance(bench, (double)bench->plan.batch_ns + 2.0 * REFERENCE_NS);
    }
    bench->rounds = round + 1;
    return true;
}

bool codec_bench_warm(struct codec_bench *bench)
{
    const struct codec_plan *plan = &bench->plan;
    double cells = (double)bench->cell_count, warm = fmax((double)plan->warm_ns, (double)plan->batch_ns);
    bench->all_ns = cells * (warm + (double)plan->rounds * ((double)plan->batch_ns + 2.0 * REFERENCE_NS));
    calibrate_references(bench);
    for (size_t i = 0; i < bench->cell_count && !stopped(bench); i++) {
        if (!warm_up(bench, &bench->cells[i]))
            return false;
        advance(bench, warm);
    }
    return true;
}

bool codec_bench_run(struct codec_bench *bench)
{
    const struct codec_plan *plan = &bench->plan;
    if (!codec_bench_warm(bench))
        return false;
    uint64_t began = clock_wall();
    for (size_t round = 0; round < plan->rounds && !stopped(bench); round++) {
        double taken = (double)(clock_wall() - began);
        if (plan->time_ns > 0 && round > 0 && taken * (double)(round + 1) / (double)round > (double)plan->time_ns)
            break;
        if (!run_round(bench, round))
            return false;
    }
    bench->taken_s = 1e-9 * (double)(clock_wall() - began);
    bench->interrupted = stopped(bench) && bench->rounds < plan->rounds;
    if (bench->rounds == 0)
        return true;
    if (!mark(bench))
        return false;
    for (size_t i = 0; i < bench->cell_count; i++)
        estimate_cell(bench, &bench->cells[i], plan->seed + i);
    return true;
}
