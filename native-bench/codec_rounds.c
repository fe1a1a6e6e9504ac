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
#include <string.h>

#include "clock.h"
#include "engine/random.h"

#define REFERENCE_NS 200000u /* how long each reference kernel runs */
#define CACHE_LINE 64u

static void advance(struct codec_bench *bench, double ns)
{
    bench->done_ns += ns;
    if (bench->plan.progress)
        bench->plan.progress(bench->plan.context, fmin(1, bench->done_ns / bench->all_ns));
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
    const struct payload_set *packed = &codec_bench_stored(bench, cell->codec, cell->set)->packed;
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
    sample->marked = false; /* judged when all are there */
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
        if (codec_bench_stopped(bench))
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
    for (size_t i = 0; i < bench->cell_count && !codec_bench_stopped(bench); i++) {
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
    for (size_t round = 0; round < plan->rounds && !codec_bench_stopped(bench); round++) {
        double taken = (double)(clock_wall() - began);
        if (plan->time_ns > 0 && round > 0 && taken * (double)(round + 1) / (double)round > (double)plan->time_ns)
            break;
        if (!run_round(bench, round))
            return false;
    }
    bench->taken_s = 1e-9 * (double)(clock_wall() - began);
    bench->interrupted = codec_bench_stopped(bench) && bench->rounds < plan->rounds;
    return bench->rounds == 0 || codec_bench_judge(bench);
}
