/* cachecast bench redis: threads that share connections to a real Redis, cell by cell. */
#include "bench_redis.h"
#include "bench.h"

#ifdef CACHECAST_MEASURES

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/random.h"
#include "files.h"
#include "interrupt.h"
#include "io/units.h"
#include "progress.h"
#include "spawn.h"

static const char usage[] = "Usage: cachecast bench redis [OPTION...]\n"
                            "\n"
                            "Worker threads SET and GET compressed values in a real Redis over connections\n"
                            "that they share, each with one I/O thread, as Lettuce does. Measures latency,\n"
                            "its parts and processor time for every combination of the lists below.\n"
                            "\n"
                            "Server:\n"
                            "      --spawn            start a private redis-server on loopback and stop it\n"
                            "                         afterwards (default)\n"
                            "      --host HOST        use this server; only keys cachecast:bench:* are\n"
                            "                         written, and deleted at the end\n"
                            "      --port PORT        its port (6379)\n"
                            "\n"
                            "Cells:\n"
                            "      --threads LIST     worker threads (1,8,32)\n"
                            "      --sizes LIST       bytes of a payload (1KiB,50KiB,500KiB)\n"
                            "      --codecs LIST      of none, snappy, lz4, lz4:N, zstd:1, zstd:3\n"
                            "                         (none,lz4,snappy)\n"
                            "      --connections LIST connections (1)\n"
                            "      --mode MODE        shared: all threads use them together (default);\n"
                            "                         pool: checked out by one thread at a time\n"
                            "      --threshold BYTES  leave smaller payloads uncompressed (0B)\n"
                            "      --payloads DIR     the files there, in up to three classes of size\n"
                            "\n"
                            "Load:\n"
                            "      --operations N     set+get of each thread and run (200), after a warm-up\n"
                            "                         of a tenth of that\n"
                            "      --duration TIME    run for that time instead\n"
                            "      --rate R           open loop: R operations a second in all; latency counts\n"
                            "                         from when an operation is due\n"
                            "      --arrivals KIND    of the open loop: poisson (default) or paced\n"
                            "      --repeats N        runs of each cell, interleaved (3); figures are medians\n"
                            "      --seed N           of the payloads, the order of the runs, arrivals (1)\n"
                            "\n"
                            "Profiles:\n"
                            "      --calibrate        instead of cells, measure with one thread what a\n"
                            "                         profile needs; with --profile FILE, added to that one\n"
                            "      --check            the forecast from --profile FILE beside every cell\n"
                            "\n"
                            "Output:\n"
                            "      --json, --csv      everything, times in microseconds\n"
                            "  -o, --output FILE      write there\n"
                            "  -q, --quiet            no progress\n"
                            "  -h, --help             this\n"
                            "\n"
                            "Examples:\n"
                            "  cachecast bench redis --calibrate --profile codecs.json -o here.json\n"
                            "  cachecast bench redis --check --profile here.json --threads 8,32\n"
                            "  cachecast bench redis --threads 8 --sizes 50KiB --codecs none,lz4\n";

const char *const redis_modes[] = {"shared", "pool", NULL};
const char *const redis_arrivals[] = {"poisson", "paced", NULL};

#define PAYLOADS_LEAST 64u
#define PAYLOAD_BYTES ((size_t)8 << 20) /* in all, of each size: more than a core's caches hold */
#define CLASSES 3u                      /* of the user's files */

/* ---- options ---------------------------------------------------------------------------------------------------- */

static void default_list(struct argument_list *list, size_t count, const size_t *values)
{
    if (list->count > 0)
        return;
    memcpy(list->values, values, count * sizeof *values);
    list->count = count;
}

static void exclude(bool first, bool second, const char *names)
{
    if (first && second)
        die(EXIT_BAD_INPUT, "%s exclude each other", names);
}

static void read_options(struct redis_bench *bench, int count, char **arguments)
{
    unsigned arrivals = 2; /* not given */
    const struct argument table[] = {
        {"spawn", 0, ARGUMENT_FLAG, &bench->spawn, 0, 0, NULL},
        {"host", 0, ARGUMENT_WORD, &bench->host, 0, 0, NULL},
        {"port", 0, ARGUMENT_COUNT, &bench->port, 1, 65535, NULL},
        {"threads", 0, ARGUMENT_COUNTS, &bench->threads, 1, 1024, NULL},
        {"sizes", 0, ARGUMENT_SIZES, &bench->sizes, 128, 1 << 26, NULL},
        {"codecs", 0, ARGUMENT_WORDS, &bench->codecs, 0, 0, NULL},
        {"connections", 0, ARGUMENT_COUNTS, &bench->connections, 1, 256, NULL},
        {"mode", 0, ARGUMENT_CHOICE, &bench->mode, 0, 0, redis_modes},
        {"threshold", 0, ARGUMENT_BYTES, &bench->threshold, 0, 1 << 30, NULL},
        {"payloads", 0, ARGUMENT_WORD, &bench->directory, 0, 0, NULL},
        {"operations", 0, ARGUMENT_COUNT, &bench->operations, 1, 1e9, NULL},
        {"duration", 0, ARGUMENT_DURATION, &bench->duration, 1e6, 3600e9, NULL},
        {"rate", 0, ARGUMENT_NUMBER, &bench->rate, 0.01, 1e7, NULL},
        {"arrivals", 0, ARGUMENT_CHOICE, &arrivals, 0, 0, redis_arrivals},
        {"repeats", 0, ARGUMENT_COUNT, &bench->repeats, 1, 1000, NULL},
        {"seed", 0, ARGUMENT_COUNT, &bench->seed, 0, 1e15, NULL},
        {"calibrate", 0, ARGUMENT_FLAG, &bench->calibrate, 0, 0, NULL},
        {"check", 0, ARGUMENT_FLAG, &bench->check, 0, 0, NULL},
        {"profile", 0, ARGUMENT_WORD, &bench->profile, 0, 0, NULL},
        {"json", 0, ARGUMENT_FLAG, &bench->json, 0, 0, NULL},
        {"csv", 0, ARGUMENT_FLAG, &bench->csv, 0, 0, NULL},
        {"output", 'o', ARGUMENT_WORD, &bench->output, 0, 0, NULL},
        {"quiet", 'q', ARGUMENT_FLAG, &bench->quiet, 0, 0, NULL},
        {0},
    };
    if (arguments_parse("bench redis", usage, table, count, arguments) > 0)
        die(EXIT_BAD_INPUT, "\"bench redis\" takes options only, found \"%s\"", arguments[1]);
    exclude(bench->spawn, bench->host != NULL, "--spawn and --host");
    exclude(bench->spawn, bench->port != 0, "--spawn and --port");
    exclude(bench->json, bench->csv, "--json and --csv");
    exclude(bench->calibrate, bench->check, "--calibrate and --check");
    exclude(bench->check, bench->rate > 0, "--check and --rate");
    if (bench->check && bench->profile == NULL)
        die(EXIT_BAD_INPUT, "--check needs --profile");
    exclude(bench->check, bench->json, "--check and --json");
    exclude(bench->check, bench->csv, "--check and --csv");
    if (bench->profile != NULL && !bench->check && !bench->calibrate)
        die(EXIT_BAD_INPUT, "--profile goes with --calibrate or --check");
    exclude(bench->operations != 0, bench->duration != 0, "--operations and --duration");
    exclude(bench->directory != NULL, bench->sizes.count > 0, "--payloads and --sizes");
    if (arrivals != 2 && !(bench->rate > 0))
        die(EXIT_BAD_INPUT, "--arrivals needs --rate: a closed loop has no arrivals");
    bench->arrivals = arrivals == 2 ? 0 : arrivals;
    bench->spawn = bench->host == NULL && bench->port == 0;
    if (bench->host == NULL)
        bench->host = "127.0.0.1";
    if (bench->port == 0)
        bench->port = 6379;
    if (bench->operations == 0 && bench->duration == 0)
        bench->operations = 200;
    default_list(&bench->threads, 3, (const size_t[]){1, 8, 32});
    default_list(&bench->sizes, 3, (const size_t[]){1 << 10, 50 << 10, 500 << 10});
    default_list(&bench->connections, 1, (const size_t[]){1});
    if (bench->codecs.count == 0)
        bench->codecs = (struct argument_words){{copy_text("none"), copy_text("lz4"), copy_text("snappy")}, 3};
    output_check(bench->output);
}

static const struct codec *find_codec(const char *name)
{
    const struct codec *codec = codec_find(name);
    if (codec != NULL)
        return codec;
    struct text allowed = {0};
    for (size_t i = 0; codec_at(i) != NULL; i++)
        text_format(&allowed, "%s, ", codec_name(codec_at(i)));
    die(EXIT_BAD_INPUT, "--codecs: unknown codec \"%s\"; allowed: %slz4:N with N from 1 to 65537", name, allowed.start);
}

/* ---- payloads and cells ----------------------------------------------------------------------------------------- */

static void make_payloads(struct redis_bench *bench)
{
    bench->payload_count = bench->sizes.count;
    bench->payloads = grow(NULL, bench->payload_count, sizeof *bench->payloads);
    for (size_t i = 0; i < bench->payload_count; i++) {
        struct redis_payloads *payloads = &bench->payloads[i];
        char words[CC_DURATION_TEXT];
        cc_bytes_text(bench->sizes.values[i], words);
        snprintf(payloads->label, sizeof payloads->label, "%s", words);
        if (!payload_set_make(&payloads->set, bench->sizes.values[i], PAYLOADS_LEAST, PAYLOAD_BYTES, bench->seed))
            die(EXIT_TROUBLE, "out of memory");
    }
}

/* The files of the directory; `all` holds their bytes. */
static void read_payloads(struct redis_bench *bench, struct payload_set *all)
{
    char problem[512];
    struct payload_set classes[CLASSES];
    if (!payload_set_read(all, bench->directory, problem, sizeof problem))
        die(EXIT_BAD_INPUT, "--payloads: %s", problem);
    bench->payload_count = payload_set_classes(all, classes, CLASSES);
    if (bench->payload_count == 0)
        die(EXIT_TROUBLE, "out of memory");
    bench->payloads = grow(NULL, bench->payload_count, sizeof *bench->payloads);
    for (size_t i = 0; i < bench->payload_count; i++) {
        bench->payloads[i].set = classes[i];
        snprintf(bench->payloads[i].label, sizeof bench->payloads[i].label, "files, mean %zu B",
                 classes[i].total / classes[i].count);
    }
}

static void make_cells(struct redis_bench *bench)
{
    const struct codec *codecs[ARGUMENT_LIST_MAX];
    for (size_t i = 0; i < bench->codecs.count; i++)
        codecs[i] = find_codec(bench->codecs.words[i]);
    size_t count = bench->payload_count * bench->threads.count * bench->connections.count * bench->codecs.count;
    bench->cells = grow(NULL, count, sizeof *bench->cells);
    for (size_t p = 0; p < bench->payload_count; p++)
        for (size_t t = 0; t < bench->threads.count; t++)
            for (size_t k = 0; k < bench->connections.count; k++)
                for (size_t c = 0; c < bench->codecs.count; c++)
                    bench->cells[bench->cell_count++] = (struct redis_cell){
                        .payloads = &bench->payloads[p],
                        .codec = codecs[c],
                        .threads = bench->threads.values[t],
                        .connections = bench->connections.values[k],
                        .runs = grow(NULL, bench->repeats, sizeof(struct load_result)),
                    };
}

/* ---- running ---------------------------------------------------------------------------------------------------- */

struct advance {
    struct progress progress;
    double done, current, all; /* expected work: of the runs that are done, of this one, of all */
    char words[64];
};

static void tick(void *context, double share)
{
    struct advance *advance = context;
    progress_say(&advance->progress, (advance->done + share * advance->current) / advance->all, advance->words);
}

/* A guess in any unit, for the time left only. */
static double work(const struct redis_bench *bench, const struct redis_cell *cell)
{
    double bytes = (double)cell->payloads->set.total / (double)cell->payloads->set.count;
    if (bench->duration != 0 || bench->rate > 0)
        return 1;
    return (double)cell->threads * (50e-6 + 3e-9 * bytes);
}

static enum load_status run_cell(const struct redis_bench *bench, struct redis_cell *cell, struct advance *advance,
                                 uint64_t seed, char *problem, size_t problem_size)
{
    struct load_settings settings = {
        .host = bench->host,
        .port = (unsigned)bench->port,
        .payloads = &cell->payloads->set,
        .codec = cell->codec,
        .threshold = bench->threshold,
        .threads = cell->threads,
        .connections = cell->connections,
        .mode = bench->mode == 0 ? CLIENT_SHARED : CLIENT_POOL,
        .operations = bench->operations,
        .duration = bench->duration,
        .rate = bench->rate,
        .arrivals = bench->arrivals == 0 ? LOAD_POISSON : LOAD_PACED,
        .seed = seed,
        .stop = &interrupted,
        .tick = tick,
        .context = advance,
    };
    snprintf(advance->words, sizeof advance->words, "%s, %s, %zu threads", cell->payloads->label,
             codec_name(cell->codec), cell->threads);
    advance->current = work(bench, cell);
    enum load_status status = load_run(&settings, &cell->runs[cell->done], problem, problem_size);
    advance->done += advance->current;
    if (status == LOAD_OK)
        cell->done++;
    return status;
}

/* Every cell once, in a random order, then all again: drift of the machine meets all cells alike. */
static enum load_status run_all(struct redis_bench *bench, char *problem, size_t problem_size)
{
    struct cc_random random;
    struct advance advance = {0};
    size_t *order = grow(NULL, bench->cell_count, sizeof *order);
    enum load_status status = LOAD_OK;
    cc_random_start(&random, bench->seed, 0, "bench.order", 0);
    for (size_t i = 0; i < bench->cell_count; i++) {
        order[i] = i;
        advance.all += (double)bench->repeats * work(bench, &bench->cells[i]);
    }
    progress_start(&advance.progress, bench->quiet);
    for (size_t repeat = 0; repeat < bench->repeats && status == LOAD_OK; repeat++) {
        for (size_t i = bench->cell_count - 1; i > 0; i--) {
            size_t other = cc_random_below(&random, i + 1), keep = order[i];
            order[i] = order[other];
            order[other] = keep;
        }
        for (size_t i = 0; i < bench->cell_count && status == LOAD_OK; i++) {
            status = atomic_load(&interrupted) != 0 ? LOAD_STOPPED
                                                    : run_cell(bench, &bench->cells[order[i]], &advance,
                                                               cc_random_next(&random), problem, problem_size);
            bench->finished += status == LOAD_OK;
        }
    }
    progress_clear(&advance.progress);
    free(order);
    return status;
}

static void identify(struct redis_bench *bench)
{
    char problem[256];
    struct control *control = control_new(bench->host, (unsigned)bench->port, problem, sizeof problem);
    if (control == NULL && atomic_load(&interrupted) != 0)
        return;
    if (control == NULL)
        die(EXIT_BAD_INPUT, "%s", problem);
    if (!control_identity(control, &bench->server))
        die(EXIT_BAD_INPUT, "%s:%zu: %s", bench->host, bench->port, control_problem(control));
    control_free(control);
}

static struct spawn *start_server(struct redis_bench *bench)
{
    char problem[2048];
    if (!spawn_find(problem, sizeof problem))
        die(EXIT_BAD_INPUT, "redis-server is not installed (or not on PATH). Install it (Debian: apt-get install "
                            "redis-server; Homebrew: brew install redis), or name a running server with --host");
    struct spawn *spawn = spawn_start(problem, sizeof problem);
    if (spawn == NULL)
        die(EXIT_TROUBLE, "%s", problem);
    bench->port = spawn_port(spawn);
    return spawn;
}

enum exit_code bench_redis(int count, char **arguments)
{
    struct redis_bench bench = {.repeats = 3, .seed = 1};
    struct payload_set files = {0};
    char problem[512] = "";
    read_options(&bench, count, arguments);
    for (size_t i = 0; i < bench.codecs.count; i++)
        find_codec(bench.codecs.words[i]); /* before anything that takes time */
    if (bench.directory != NULL)
        read_payloads(&bench, &files);
    else
        make_payloads(&bench);
    make_cells(&bench);
    if (bench.check)
        redis_check_profile(&bench); /* before anything that takes time */
    interrupt_catch();
    struct spawn *spawn = bench.spawn ? start_server(&bench) : NULL;
    identify(&bench);
    if (bench.calibrate)
        return redis_calibrate(&bench, spawn, &interrupted);
    enum load_status status = run_all(&bench, problem, sizeof problem);
    spawn_stop(spawn);
    if (status == LOAD_FAILED && atomic_load(&interrupted) != 0)
        status = LOAD_STOPPED; /* the signal can break off a connection attempt */
    if (status == LOAD_FAILED)
        die(EXIT_TROUBLE, "%s", problem);
    struct text out = {.color = output_color(bench.output)};
    if (bench.finished > 0) {
        if (bench.json)
            redis_json(&out, &bench);
        else if (bench.csv)
            redis_csv(&out, &bench);
        else
            redis_report(&out, &bench);
        if (bench.check && !bench.json && !bench.csv)
            redis_check(&out, &bench);
        output_write(bench.output, &out);
    }
    if (status == LOAD_STOPPED)
        fprintf(stderr, "cachecast: interrupted: %zu of %zu runs finished\n", bench.finished,
                bench.cell_count * bench.repeats);
    text_free(&out);
    for (size_t i = 0; i < bench.cell_count; i++)
        free(bench.cells[i].runs);
    for (size_t i = 0; i < bench.payload_count; i++)
        payload_set_free(&bench.payloads[i].set);
    for (size_t i = 0; i < bench.codecs.count; i++)
        free(bench.codecs.words[i]);
    payload_set_free(&files);
    free(bench.payloads);
    free(bench.cells);
    return status == LOAD_STOPPED ? EXIT_INTERRUPTED : EXIT_OK;
}

#endif
