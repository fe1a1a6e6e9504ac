/* What is done before any clock runs: outputs and states allocated and touched, payloads compressed, round trips checked. */
#include "codec_rounds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#define SCRUB_SIZE 0u /* flushes what it wants to be cold */
#else
#define SCRUB_SIZE ((size_t)96 << 20)
#endif

static const char memory_problem[] = "out of memory";

static bool is_plain_copy(const struct codec *codec) { return strcmp(codec_name(codec), "none") == 0; }

/* Compresses the set into `stored` and checks the round trip. */
static const char *store_set(struct codec_bench *bench, size_t codec, size_t set, unsigned char *back)
{
    const struct payload_set *payloads = &bench->plan.sets[set];
    const struct codec *which = bench->plan.codecs[codec];
    struct codec_state *state = bench->states[codec];
    struct codec_stored *stored = codec_bench_stored(bench, codec, set);
    size_t room = 0, used = 0;
    bool copy = is_plain_copy(which);
    if (!copy && !(stored->packed.items = calloc(payloads->count, sizeof *stored->packed.items)))
        return memory_problem;
    for (size_t i = 0; i < payloads->count && !codec_bench_stopped(bench); i++) {
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
        for (size_t set = 0; set < plan->set_count && !codec_bench_stopped(bench); set++) {
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

/* ---- looking things up ------------------------------------------------------------------------------------------ */

double codec_mean_bytes(const struct codec_bench *bench, size_t set)
{
    const struct payload_set *payloads = &bench->plan.sets[set];
    return (double)payloads->total / (double)payloads->count;
}

struct codec_stored *codec_bench_stored(const struct codec_bench *bench, size_t codec, size_t set)
{
    return &bench->stored[codec * bench->plan.set_count + set];
}

double codec_mean_stored(const struct codec_bench *bench, size_t codec, size_t set)
{
    return (double)codec_bench_stored(bench, codec, set)->total / (double)bench->plan.sets[set].count;
}

struct codec_cell *codec_bench_cell(const struct codec_bench *bench, size_t codec, size_t set,
                                    enum codec_direction direction, bool cold)
{
    size_t modes = bench->plan.cold ? 2 : 1;
    size_t index = ((codec * bench->plan.set_count + set) * 2 + (size_t)direction) * modes + (cold ? 1 : 0);
    return &bench->cells[index];
}

bool codec_bench_stopped(const struct codec_bench *bench)
{
    return bench->plan.stop && atomic_load_explicit(bench->plan.stop, memory_order_relaxed) != 0;
}
