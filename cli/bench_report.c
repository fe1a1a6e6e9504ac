/* The tables of bench codec: every cell, the cheapest codec of each size, where the order changes, threads. */
#include "bench_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

#define PAYLOADS_WANTED 64u
#define BYTES_WANTED ((size_t)2 << 20)

/* "±1.2 %": the side of the interval that lies farther from the median. */
static void spread_cell(struct table *table, const struct codec_cell *cell)
{
    double spread = fmax(cell->interval.high - cell->median, cell->median - cell->interval.low) / cell->median;
    if (isnan(spread))
        table_cell(table, "-");
    else
        table_cell(table, "±%.1f%%", 100 * spread);
}

static void ns_cell(struct table *table, double ns)
{
    char words[NUMBER_SIZE];
    double digits = ns < 100 ? 10 : 1; /* more digits than the machine repeats say nothing */
    table_cell(table, "%s", number_text(words, round(ns * digits) / digits));
}

static void speed_cell(struct table *table, double speed)
{
    char words[NUMBER_SIZE];
    table_cell(table, "%s", number_text(words, round(speed)));
}

static void cells_table(struct text *out, const struct codec_bench *bench, bool cold)
{
    static const char *const headings[] = {"codec", "ratio",         "compress ns", "95 %",
                                           "MB/s",  "decompress ns", "95 %",        "MB/s"};
    struct table table;
    char bytes[NUMBER_SIZE], line[160];
    table_start(&table, sizeof headings / sizeof *headings);
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        table_cell(&table, "%s", headings[i]);
    for (size_t set = 0; set < bench->plan.set_count; set++) {
        const struct payload_set *payloads = &bench->plan.sets[set];
        snprintf(line, sizeof line, "%s bytes (%zu payloads)", number_text(bytes, round(codec_mean_bytes(bench, set))),
                 payloads->count);
        table_note(&table, line);
        for (size_t codec = 0; codec < bench->plan.codec_count; codec++) {
            table_cell(&table, "%s", codec_name(bench->plan.codecs[codec]));
            table_cell(&table, "%.2f", codec_mean_bytes(bench, set) / codec_mean_stored(bench, codec, set));
            for (int direction = CODEC_COMPRESS; direction <= CODEC_DECOMPRESS; direction++) {
                const struct codec_cell *cell =
                    codec_bench_cell(bench, codec, set, (enum codec_direction)direction, cold);
                ns_cell(&table, cell->median);
                spread_cell(&table, cell);
                speed_cell(&table, cell_speed(bench, cell));
            }
        }
    }
    table_print(&table, out, true);
}

/* ---- which codec ------------------------------------------------------------------------------------------------ */

static bool compresses(const struct codec_bench *bench, size_t codec)
{
    return strcmp(codec_name(bench->plan.codecs[codec]), "none") != 0;
}

static double pair_ns(const struct codec_bench *bench, size_t codec, size_t set)
{
    return codec_bench_cell(bench, codec, set, CODEC_COMPRESS, false)->median +
           codec_bench_cell(bench, codec, set, CODEC_DECOMPRESS, false)->median;
}

/* Of those that compress, other than `except`; SIZE_MAX where there is none. */
static size_t cheapest(const struct codec_bench *bench, size_t set, size_t except)
{
    size_t best = SIZE_MAX;
    for (size_t codec = 0; codec < bench->plan.codec_count; codec++)
        if (compresses(bench, codec) && codec != except &&
            (best == SIZE_MAX || pair_ns(bench, codec, set) < pair_ns(bench, best, set)))
            best = codec;
    return best;
}

/* One call each way on every payload, against the time that the saved bytes would have taken on a wire. */
static void cheapest_table(struct text *out, const struct codec_bench *bench)
{
    struct table table;
    char words[NUMBER_SIZE];
    table_start(&table, 6);
    table_cell(&table, "mean bytes");
    table_cell(&table, "cheapest");
    table_cell(&table, "both ways ns");
    table_cell(&table, "next");
    table_cell(&table, "dearer by");
    table_cell(&table, "pays below MB/s");
    for (size_t set = 0; set < bench->plan.set_count; set++) {
        size_t best = cheapest(bench, set, SIZE_MAX), next = cheapest(bench, set, best);
        double ns = pair_ns(bench, best, set);
        double saved = codec_mean_bytes(bench, set) - codec_mean_stored(bench, best, set);
        table_cell(&table, "%s", number_text(words, round(codec_mean_bytes(bench, set))));
        table_cell(&table, "%s", codec_name(bench->plan.codecs[best]));
        ns_cell(&table, ns);
        table_cell(&table, "%s", next == SIZE_MAX ? "-" : codec_name(bench->plan.codecs[next]));
        if (next == SIZE_MAX)
            table_cell(&table, "-");
        else
            table_cell(&table, "%.0f %%", 100 * (pair_ns(bench, next, set) / ns - 1));
        if (saved > 0)
            speed_cell(&table, 1e3 * saved / ns);
        else
            table_cell(&table, "never");
    }
    text_say(out, "\nCheapest codec, one compression and one decompression. A wire slower than the\n"
                  "last column would take longer for the saved bytes than the codec takes:\n");
    table_print(&table, out, true);
}

/* -1 where `one` is cheaper than `other`, 1 where it is dearer, 0 where their intervals leave that open. */
static int order_of(const struct codec_bench *bench, size_t one, size_t other, size_t set)
{
    double low[2] = {0, 0}, high[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        for (int direction = CODEC_COMPRESS; direction <= CODEC_DECOMPRESS; direction++) {
            const struct codec_cell *cell =
                codec_bench_cell(bench, i == 0 ? one : other, set, (enum codec_direction)direction, false);
            low[i] += cell->interval.low;
            high[i] += cell->interval.high;
        }
    }
    return high[0] < low[1] ? -1 : low[0] > high[1] ? 1 : 0;
}

/* Where the costs of two codecs cross between two sizes, each taken as a power of the size in between. */
static double crossing(const struct codec_bench *bench, size_t one, size_t other, size_t below, size_t above)
{
    double before = log(pair_ns(bench, one, below) / pair_ns(bench, other, below));
    double behind = log(pair_ns(bench, one, above) / pair_ns(bench, other, above));
    double low = log(codec_mean_bytes(bench, below)), high = log(codec_mean_bytes(bench, above));
    return exp(low + (high - low) * before / (before - behind));
}

static void break_even_lines(struct text *out, const struct codec_bench *bench)
{
    char words[NUMBER_SIZE];
    size_t found = 0;
    for (size_t one = 0; one < bench->plan.codec_count; one++) {
        for (size_t other = one + 1; compresses(bench, one) && other < bench->plan.codec_count; other++) {
            size_t last = SIZE_MAX; /* the last size where it was clear which is cheaper */
            for (size_t set = 0; compresses(bench, other) && set < bench->plan.set_count; set++) {
                int order = order_of(bench, one, other, set);
                if (order == 0)
                    continue;
                if (last != SIZE_MAX && order != order_of(bench, one, other, last)) {
                    double bytes = crossing(bench, one, other, last, set), unit = pow(10, floor(log10(bytes)) - 1);
                    text_format(out, "%s  about %s bytes: %s is cheaper below, %s above\n",
                                found++ == 0 ? "\nBreak-even:\n" : "", number_text(words, unit * round(bytes / unit)),
                                codec_name(bench->plan.codecs[order > 0 ? one : other]),
                                codec_name(bench->plan.codecs[order > 0 ? other : one]));
                }
                last = set;
            }
        }
    }
    if (found == 0)
        text_say(out, "\nBreak-even: none; which of two codecs is cheaper is the same at all these sizes.\n");
}

/* ---- the rest --------------------------------------------------------------------------------------------------- */

static void threads_table(struct text *out, const struct profile *profile)
{
    struct table table;
    char words[NUMBER_SIZE];
    table_start(&table, 6);
    table_cell(&table, "codec");
    table_cell(&table, "mean bytes");
    table_cell(&table, "threads");
    table_cell(&table, "ns per call");
    table_cell(&table, "of one thread");
    table_cell(&table, "calls/s in all");
    for (size_t i = 0; i < profile->threads_count; i++) {
        const struct threads_row *row = &profile->threads[i];
        if (row->threads == 1)
            continue;
        table_cell(&table, "%s %s", codec_name(profile->bench->plan.codecs[row->cell->codec]),
                   direction_name(row->cell->direction));
        table_cell(&table, "%s", number_text(words, round(codec_mean_bytes(profile->bench, row->cell->set))));
        table_cell(&table, "%zu", row->threads);
        ns_cell(&table, row->ns);
        table_cell(&table, "%.2f", row->factor);
        table_cell(&table, "%s", number_text(words, round(row->calls_per_s)));
    }
    text_say(out, "\nSeveral threads at once:\n");
    table_print(&table, out, true);
}

static void warn_of_few(struct text *out, const struct profile *profile)
{
    size_t few = 0;
    for (size_t i = 0; i < profile->bench->plan.set_count; i++) {
        const struct payload_set *set = &profile->bench->plan.sets[i];
        few += set->count < PAYLOADS_WANTED || set->total < BYTES_WANTED;
    }
    if (few > 0)
        text_format(out,
                    "%zu of %zu sizes have fewer than %u payloads or 2 MiB: the processor may learn them by\n"
                    "heart, and a call look up to twice as fast as it is.\n",
                    few, profile->bench->plan.set_count, PAYLOADS_WANTED);
}

void report_codecs(struct text *out, const struct profile *profile)
{
    const struct codec_bench *bench = profile->bench;
    const struct machine *machine = &profile->machine;
    size_t marked = 0;
    for (size_t i = 0; i < bench->cell_count; i++)
        marked += bench->cells[i].marked;
    struct text line = {0};
    text_format(&line, "%s, %u core%s; %s; %s", machine->cpu, machine->cores, machine->cores == 1 ? "" : "s",
                machine->os, machine->compiler);
    text_wrap(out, line.start, 0);
    text_free(&line);
    for (size_t i = 0; i < bench->plan.codec_count; i++) {
        const char *library = codec_library(bench->plan.codecs[i]);
        if (compresses(bench, i) && (i == 0 || strcmp(library, codec_library(bench->plan.codecs[i - 1])) != 0))
            text_format(&line, "%s%s", line.length > 0 ? "; " : "", library);
    }
    if (line.length > 0)
        text_wrap(out, line.start, 0);
    text_free(&line);
    text_say(out, "\n");
    cells_table(out, bench, false);
    if (bench->plan.cold) {
        text_say(out, "\nWith inputs that are in no cache:\n");
        cells_table(out, bench, true);
    }
    if (cheapest(bench, 0, SIZE_MAX) != SIZE_MAX) {
        cheapest_table(out, bench);
        break_even_lines(out, bench);
    }
    if (profile->threads_count > 0)
        threads_table(out, profile);
    text_format(out, "\n%zu round%s in %.1f s; %.0f %% of the samples were disturbed%s.\n", bench->rounds,
                bench->rounds == 1 ? "" : "s", bench->taken_s,
                100.0 * (double)marked / (double)(bench->rounds * bench->cell_count),
                bench->noisy ? ": the quality is \"noisy\"" : "");
    warn_of_few(out, profile);
}
