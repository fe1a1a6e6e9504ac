#include "bench_check.h"

#include <math.h>

#include "bench_profile.h"
#include "codec_plain.h"
#include "table.h"

#define SPEED_LIMIT 0.05

struct comparison {
    double bench_ns, plain_ns; /* medians */
    double ratio;              /* bench to plain, pair by pair: the median */
    struct interval interval;
    size_t pairs;
};

static double plain_passes(struct codec_plain *plain, enum codec_direction direction, size_t passes)
{
    double ns =
        direction == CODEC_COMPRESS ? codec_plain_compress(plain, passes) : codec_plain_decompress(plain, passes);
    if (ns <= 0)
        die(EXIT_TROUBLE, "a call of the plain loop failed");
    return ns;
}

/* Which of the two is first alternates too. */
static struct comparison compare(struct codec_bench *bench, struct codec_cell *cell, struct codec_plain *plain)
{
    double benches[ROUNDS_MOST], plains[ROUNDS_MOST], ratios[ROUNDS_MOST];
    struct comparison result = {.pairs = 0};
    /* About as long as the bench's batch: of two passes in a row the second is faster, by what the first has learnt. */
    size_t payloads = bench->plan.sets[cell->set].count, passes = (cell->calls + payloads / 2) / payloads;
    passes = passes > 0 ? passes : 1;
    plain_passes(plain, cell->direction, passes);
    while (result.pairs < bench->plan.rounds && !codec_bench_stopped(bench)) {
        struct codec_sample sample;
        double plain_ns = 0;
        size_t i = result.pairs++;
        if (i % 2 == 0)
            plain_ns = plain_passes(plain, cell->direction, passes);
        if (!codec_bench_sample(bench, cell, &sample))
            die(EXIT_TROUBLE, "a call of the bench failed");
        if (i % 2 == 1)
            plain_ns = plain_passes(plain, cell->direction, passes);
        benches[i] = sample.ns;
        plains[i] = plain_ns;
        ratios[i] = sample.ns / plain_ns;
    }
    estimate_sort(benches, result.pairs);
    estimate_sort(plains, result.pairs);
    estimate_sort(ratios, result.pairs);
    result.bench_ns = estimate_quantile(benches, result.pairs, 0.5);
    result.plain_ns = estimate_quantile(plains, result.pairs, 0.5);
    result.ratio = estimate_quantile(ratios, result.pairs, 0.5);
    result.interval = estimate_median_interval(ratios, result.pairs, bench->plan.seed);
    return result;
}

static bool check_cell(struct table *table, struct codec_bench *bench, size_t codec, size_t set,
                       enum codec_direction direction, struct codec_plain *plain)
{
    struct comparison result = compare(bench, codec_bench_cell(bench, codec, set, direction, false), plain);
    bool same_size = codec_bench_stored(bench, codec, set)->total == codec_plain_stored(plain);
    bool good = same_size && fabs(result.ratio - 1) <= SPEED_LIMIT;
    char words[NUMBER_SIZE];
    table_cell(table, "%s %s", codec_name(bench->plan.codecs[codec]), direction_name(direction));
    table_cell(table, "%s", number_text(words, round(codec_mean_bytes(bench, set))));
    table_cell(table, "%s", same_size ? "equal" : "differ");
    table_cell(table, "%.1f", result.plain_ns);
    table_cell(table, "%.1f", result.bench_ns);
    table_cell(table, "%.3f", result.ratio);
    table_cell(table, "%.3f .. %.3f", result.interval.low, result.interval.high);
    table_cell(table, "%s", good ? "PASS" : "FAIL");
    return good;
}

enum exit_code check_codecs(struct text *out, struct codec_bench *bench)
{
    static const char *const headings[] = {"call", "bytes", "sizes", "plain ns", "bench ns", "ratio", "95 % of it", ""};
    struct table table;
    size_t failed = 0, all = 0;
    table_start(&table, sizeof headings / sizeof *headings);
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        table_cell(&table, "%s", headings[i]);
    if (!codec_bench_warm(bench))
        die(EXIT_TROUBLE, "a call of the bench failed");
    for (size_t codec = 0; codec < bench->plan.codec_count; codec++) {
        for (size_t set = 0; set < bench->plan.set_count && !codec_bench_stopped(bench); set++) {
            const struct codec_stored *stored = codec_bench_stored(bench, codec, set);
            struct codec_plain *plain =
                codec_plain_new(codec_name(bench->plan.codecs[codec]), &bench->plan.sets[set], &stored->packed);
            if (plain == NULL)
                die(EXIT_TROUBLE, "out of memory");
            for (int direction = CODEC_COMPRESS; direction <= CODEC_DECOMPRESS; direction++, all++)
                failed += !check_cell(&table, bench, codec, set, (enum codec_direction)direction, plain);
            codec_plain_free(plain);
        }
    }
    table_print(&table, out, true);
    if (codec_bench_stopped(bench))
        return EXIT_INTERRUPTED;
    text_format(out, "\n%zu of %zu within %.0f %% of a plain loop over the same payloads.\n", all - failed, all,
                100 * SPEED_LIMIT);
    return failed > 0 ? EXIT_EXPECTATION : EXIT_OK;
}
