/* cachecast bench codec: options, payloads, the run, its outputs. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "bench_check.h"
#include "bench_report.h"
#include "clock.h"
#include "codec_plain.h"
#include "files.h"
#include "interrupt.h"
#include "progress.h"

#define PAYLOADS 64u
#define PAYLOAD_BYTES \
    ((size_t)2 << 20) /* fewer and the branch predictor learns them: LZ4 at 10 kB looks 1.8 x faster */
#define SIZES_MOST 16u
#define CLASSES_MOST 14u
#define KIB ((size_t)1 << 10)
#define MILLISECOND UINT64_C(1000000)

static const char help[] = "Usage: cachecast bench codec [OPTION...]\n"
                           "\n"
                           "Measures what compressing and decompressing costs here: Snappy, LZ4, zstd and\n"
                           "plain copying, on JSON documents or on your own payloads. Takes 20 seconds.\n"
                           "\n"
                           "  --codecs A,B,...   none, snappy, lz4, lz4:N (acceleration N), zstd:1, zstd:3\n"
                           "                     (default none,snappy,lz4,lz4:8,zstd:1,zstd:3)\n"
                           "  --sizes A,B,...    bytes of the documents, 128 to 4MiB (default 14 from 128 to\n"
                           "                     1MiB)\n"
                           "  --payloads DIR     the files of a directory instead, by size\n"
                           "  --threads A,B,...  at three sizes with so many threads at once too (default 1)\n"
                           "  --cold             with inputs that are in no cache too\n"
                           "  --rounds N         samples of every cell (default 20)\n"
                           "  --batch TIME       how long a sample lasts (default 2ms)\n"
                           "  --time TIME        no round begins that would end later than this\n"
                           "  --seed N           of the documents and the order (default 1)\n"
                           "  --quick            a few seconds, to see that it works; not for use\n"
                           "  --self-check       holds the figures against a plain loop; exit status 1 when\n"
                           "                     they are over 5 % apart\n"
                           "  --name TEXT        of the profile (default: the processor's)\n"
                           "  -o, --output FILE  write the profile there, in full or not at all\n"
                           "  --json             print the profile instead of the table\n"
                           "  --csv              print the cells as CSV instead\n"
                           "  -q, --quiet        no progress line\n"
                           "  -h, --help         this help\n"
                           "\n"
                           "Interrupted (Ctrl-C), it keeps the finished rounds.\n"
                           "\n"
                           "Examples:\n"
                           "  cachecast bench codec -o this-machine.json\n"
                           "  cachecast bench codec --payloads samples/ --codecs none,lz4 --threads 1,2,4\n";

static const size_t usual_sizes[] = {128,      256,      512,      1024,      2048,      4096,      10 * KIB,
                                     25 * KIB, 60 * KIB, 72 * KIB, 150 * KIB, 300 * KIB, 600 * KIB, 1024 * KIB};
static const size_t quick_sizes[] = {256, 4096, 72 * KIB};
static const size_t check_sizes[] = {1024, 10 * KIB, 100 * KIB};
static const size_t threads_near[] = {1024, 10 * KIB, 100 * KIB};
#define LENGTH(array) (sizeof(array) / sizeof *(array))

struct options {
    struct argument_words codecs;
    struct argument_list sizes, threads;
    const char *payloads, *name, *output;
    size_t rounds, seed;
    uint64_t batch, time;
    bool cold, self_check, quick, json, csv, quiet;
};

static void read_options(struct options *options, int count, char **arguments)
{
    *options = (struct options){.seed = 1};
    const struct argument table[] = {
        {"codecs", 0, ARGUMENT_WORDS, &options->codecs, 0, 0, NULL},
        {"sizes", 0, ARGUMENT_SIZES, &options->sizes, 128, 4 << 20, NULL},
        {"payloads", 0, ARGUMENT_WORD, &options->payloads, 0, 0, NULL},
        {"threads", 0, ARGUMENT_COUNTS, &options->threads, 1, THREADS_MOST, NULL},
        {"cold", 0, ARGUMENT_FLAG, &options->cold, 0, 0, NULL},
        {"rounds", 0, ARGUMENT_COUNT, &options->rounds, 1, ROUNDS_MOST, NULL},
        {"batch", 0, ARGUMENT_DURATION, &options->batch, MILLISECOND, 1e9, NULL},
        {"time", 0, ARGUMENT_DURATION, &options->time, MILLISECOND, 86400e9, NULL},
        {"seed", 0, ARGUMENT_COUNT, &options->seed, 0, 9007199254740992.0, NULL},
        {"self-check", 0, ARGUMENT_FLAG, &options->self_check, 0, 0, NULL},
        {"quick", 0, ARGUMENT_FLAG, &options->quick, 0, 0, NULL},
        {"name", 0, ARGUMENT_WORD, &options->name, 0, 0, NULL},
        {"output", 'o', ARGUMENT_WORD, &options->output, 0, 0, NULL},
        {"json", 0, ARGUMENT_FLAG, &options->json, 0, 0, NULL},
        {"csv", 0, ARGUMENT_FLAG, &options->csv, 0, 0, NULL},
        {"quiet", 'q', ARGUMENT_FLAG, &options->quiet, 0, 0, NULL},
        {NULL, 0, ARGUMENT_FLAG, NULL, 0, 0, NULL},
    };
    if (arguments_parse("bench codec", help, table, count, arguments) > 0)
        die(EXIT_BAD_INPUT, "bench codec takes no file, found \"%s\"; --payloads names a directory of payloads",
            arguments[1]);
    if (options->json && options->csv)
        die(EXIT_BAD_INPUT, "--json and --csv exclude each other");
    if (options->payloads != NULL && options->sizes.count > 0)
        die(EXIT_BAD_INPUT, "--payloads and --sizes exclude each other: the files have the sizes they have");
    if (options->self_check && (options->json || options->csv || options->output != NULL))
        die(EXIT_BAD_INPUT, "--self-check makes no profile: leave out --json, --csv and --output");
    if (options->rounds == 0)
        options->rounds = options->quick ? 3 : 20;
    if (options->batch == 0)
        options->batch = (options->quick ? 1 : 2) * MILLISECOND;
    output_check(options->output);
}

/* ---- what is measured ------------------------------------------------------------------------------------------- */

static size_t choose_codecs(const struct options *options, const struct codec **codecs)
{
    size_t count = 0;
    for (size_t i = 0; i < options->codecs.count; i++) {
        const char *name = options->codecs.words[i];
        const struct codec *codec = codec_find(name);
        if (codec == NULL && (strcmp(name, "zstd:1") == 0 || strcmp(name, "zstd:3") == 0))
            die(EXIT_BAD_INPUT, "--codecs: this build has no zstd; install libzstd and build again");
        if (codec == NULL)
            die(EXIT_BAD_INPUT,
                "--codecs: unknown codec \"%s\"; allowed: none, snappy, lz4, lz4:N with N from 1 to 65537, zstd:1 or "
                "zstd:3",
                name);
        for (size_t j = 0; j < count; j++)
            if (codecs[j] == codec)
                die(EXIT_BAD_INPUT, "--codecs: \"%s\" is named twice", name);
        codecs[count++] = codec;
    }
    for (size_t i = 0; options->codecs.count == 0 && codec_at(i) != NULL; i++)
        codecs[count++] = codec_at(i);
    if (options->self_check) { /* the plain loop knows only some of them */
        size_t known = 0;
        for (size_t i = 0; i < count; i++)
            if (codec_plain_knows(codec_name(codecs[i])))
                codecs[known++] = codecs[i];
        if (known == 0)
            die(EXIT_BAD_INPUT, "--self-check needs one of the codecs snappy, lz4 and zstd:1");
        count = known;
    }
    return count;
}

/* Ratios are to LZ4, or to the first codec where it is not among them. */
static size_t choose_base(const struct codec *const *codecs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(codec_name(codecs[i]), "lz4") == 0)
            return i;
    return 0;
}

static int by_size(const void *left, const void *right)
{
    size_t a = *(const size_t *)left, b = *(const size_t *)right;
    return (a > b) - (a < b);
}

/* Ascending, each once: the profile's knots are in order of size. */
static size_t choose_sizes(const struct options *options, size_t *sizes)
{
    const size_t *from = options->sizes.values;
    size_t count = options->sizes.count, kept = 0;
    if (count == 0) {
        from = options->self_check ? check_sizes : options->quick ? quick_sizes : usual_sizes;
        count = options->self_check ? LENGTH(check_sizes) : options->quick ? LENGTH(quick_sizes) : LENGTH(usual_sizes);
    }
    if (count > SIZES_MOST)
        die(EXIT_BAD_INPUT, "--sizes: at most %u sizes are allowed", SIZES_MOST);
    memcpy(sizes, from, count * sizeof *sizes);
    qsort(sizes, count, sizeof *sizes, by_size);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || sizes[i] != sizes[kept - 1])
            sizes[kept++] = sizes[i];
    return kept;
}

/* Sizes of documents that are whole items may give equal sets for sizes that are nearly equal; the payloads of a
 * directory are in `all`. */
static size_t make_sets(const struct options *options, struct payload_set *sets, struct payload_set *all)
{
    char problem[512];
    size_t sizes[SIZES_MOST > ARGUMENT_LIST_MAX ? SIZES_MOST : ARGUMENT_LIST_MAX], count;
    if (options->payloads != NULL) {
        if (!payload_set_read(all, options->payloads, problem, sizeof problem))
            die(EXIT_BAD_INPUT, "--payloads: %s", problem);
        count = payload_set_classes(all, sets, CLASSES_MOST);
        if (count == 0)
            die(EXIT_TROUBLE, "out of memory");
        return count;
    }
    count = choose_sizes(options, sizes);
    for (size_t i = 0; i < count; i++)
        if (!payload_set_make(&sets[i], sizes[i], PAYLOADS, PAYLOAD_BYTES, options->seed))
            die(EXIT_TROUBLE, "out of memory");
    for (size_t i = 1; i < count; i++)
        if (sets[i].total * sets[i - 1].count <= sets[i - 1].total * sets[i].count)
            die(EXIT_BAD_INPUT, "--sizes: %zu and %zu are too close: the documents, of whole items, are no larger",
                sizes[i - 1], sizes[i]);
    return count;
}

/* ---- the run ---------------------------------------------------------------------------------------------------- */

static void show(void *context, double done) { progress_show(context, done, 0); }

/* Of several threads, at the sizes nearest to three usual ones. The number of rows; fewer when interrupted. */
static size_t run_threads(const struct options *options, const struct codec_bench *bench, struct threads_row **rows,
                          struct progress *progress)
{
    size_t sets[LENGTH(threads_near)], chosen = 0, done = 0, counts = options->threads.count;
    for (size_t i = 0; i < LENGTH(threads_near); i++) {
        size_t best = 0;
        for (size_t set = 1; set < bench->plan.set_count; set++) {
            double wanted = (double)threads_near[i], here = codec_mean_bytes(bench, set) / wanted,
                   there = codec_mean_bytes(bench, best) / wanted;
            if ((here > 1 ? here : 1 / here) < (there > 1 ? there : 1 / there))
                best = set;
        }
        if (chosen == 0 || sets[chosen - 1] != best)
            sets[chosen++] = best;
    }
    size_t steps = bench->plan.codec_count * chosen * 2;
    *rows = grow(NULL, steps * counts, sizeof **rows);
    progress_start(progress, options->quiet);
    for (; done < steps; done++) {
        char problem[80];
        const struct codec_cell *cell = codec_bench_cell(bench, done / 2 / chosen, sets[done / 2 % chosen],
                                                         done % 2 == 0 ? CODEC_COMPRESS : CODEC_DECOMPRESS, false);
        bool good = codec_threads_measure(bench, cell, options->threads.values, counts, options->quick ? 2 : 5,
                                          (options->quick ? 4 : 20) * MILLISECOND, *rows + done * counts, problem,
                                          sizeof problem);
        if (!good && problem[0] != '\0')
            die(EXIT_TROUBLE, "%s", problem);
        if (!good)
            break;
        progress_show(progress, (double)(done + 1) / (double)steps, 0);
    }
    progress_clear(progress);
    return done * counts;
}

static bool several_threads(const struct options *options)
{
    for (size_t i = 0; i < options->threads.count; i++)
        if (options->threads.values[i] > 1)
            return true;
    return false;
}

static enum exit_code measure(const struct options *options, struct codec_bench *bench, struct progress *progress)
{
    struct profile profile = {.name = options->name, .directory = options->payloads, .bench = bench};
    struct threads_row *rows = NULL;
    machine_read(&profile.machine);
    profile.wall_cost = clock_wall_cost();
    profile.cpu_cost = clock_thread_cpu_cost();
    if (profile.name == NULL)
        profile.name = profile.machine.cpu;
    if (!codec_bench_run(bench))
        die(EXIT_TROUBLE, "a codec failed on what it could do before, or out of memory");
    progress_clear(progress);
    if (bench->rounds == 0)
        die(EXIT_INTERRUPTED, "interrupted before the first round ended: there is nothing to keep");
    if (several_threads(options) && atomic_load(&interrupted) == 0)
        profile.threads_count = run_threads(options, bench, &rows, progress);
    profile.threads = rows;
    profile.complete = !bench->interrupted && (!several_threads(options) || atomic_load(&interrupted) == 0);

    struct text out = {.color = !options->json && !options->csv && output_color(NULL)}, json = {0};
    profile_json(&json, &profile);
    if (options->csv)
        profile_csv(&out, &profile);
    else if (!options->json)
        report_codecs(&out, &profile);
    if (options->output != NULL)
        output_write(options->output, &json);
    output_write(NULL, options->json ? &json : &out);
    text_free(&json);
    text_free(&out);
    if (!profile.complete)
        fprintf(stderr, "cachecast: interrupted: %zu of %zu rounds finished\n", bench->rounds, options->rounds);
    free(rows);
    return profile.complete ? EXIT_OK : EXIT_INTERRUPTED;
}

static enum exit_code self_check(struct codec_bench *bench, struct progress *progress)
{
    struct text out = {.color = output_color(NULL)};
    enum exit_code code = check_codecs(&out, bench);
    progress_clear(progress);
    output_write(NULL, &out);
    text_free(&out);
    return code;
}

enum exit_code bench_codec(int count, char **arguments)
{
    struct options options;
    const struct codec *codecs[ARGUMENT_LIST_MAX];
    struct payload_set sets[SIZES_MOST] = {{0}}, all = {0};
    struct codec_bench bench;
    struct progress progress;
    char problem[256];
    read_options(&options, count, arguments);
    size_t codec_count = choose_codecs(&options, codecs);
    interrupt_catch();
    machine_prefer_fast_cores();
    size_t set_count = make_sets(&options, sets, &all);
    progress_start(&progress, options.quiet);
    struct codec_plan plan = {.codecs = codecs,
                              .codec_count = codec_count,
                              .base = choose_base(codecs, codec_count),
                              .sets = sets,
                              .set_count = set_count,
                              .cold = options.cold,
                              .rounds = options.rounds,
                              .batch_ns = options.batch,
                              .warm_ns = (options.quick ? 2u : 20u) * MILLISECOND,
                              .time_ns = options.time,
                              .seed = options.seed,
                              .stop = &interrupted,
                              .progress = show,
                              .context = &progress};
    if (!codec_bench_prepare(&bench, &plan, problem, sizeof problem))
        die(EXIT_TROUBLE, "%s", problem);
    enum exit_code code = options.self_check ? self_check(&bench, &progress) : measure(&options, &bench, &progress);
    codec_bench_free(&bench);
    for (size_t i = 0; i < set_count; i++)
        payload_set_free(&sets[i]);
    payload_set_free(&all);
    for (size_t i = 0; i < options.codecs.count; i++)
        free(options.codecs.words[i]);
    return code;
}
