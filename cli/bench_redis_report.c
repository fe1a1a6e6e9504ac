/* The results of cachecast bench redis: tables, JSON, CSV. */
#include "bench_redis.h"

#ifdef CACHECAST_MEASURES

#include <math.h>
#include <stdlib.h>

#include "clock.h"
#include "machine.h"
#include "table.h"

/* Figures that are not parts of an operation, as JSON and CSV name them. */
static const struct {
    const char *name;
    size_t offset;
} figures[] = {
    {"seconds", offsetof(struct load_result, seconds)},
    {"throughput_per_s", offsetof(struct load_result, throughput)},
    {"cpu.workers_us", offsetof(struct load_result, worker_cpu)},
    {"cpu.io_threads_us", offsetof(struct load_result, io_cpu)},
    {"cpu.server_us", offsetof(struct load_result, server_cpu)},
    {"cpu.server_main_thread_us", offsetof(struct load_result, server_main_cpu)},
    {"payload_bytes", offsetof(struct load_result, payload_bytes)},
    {"stored_bytes", offsetof(struct load_result, stored_bytes)},
    {"batch_mean", offsetof(struct load_result, batch_mean)},
    {"writes_per_op", offsetof(struct load_result, writes)},
    {"reads_per_op", offsetof(struct load_result, reads)},
    {"polls_per_op", offsetof(struct load_result, sleeps)},
    {"wake_ups_per_op", offsetof(struct load_result, wake_ups)},
};
#define FIGURES (sizeof figures / sizeof *figures)

static const struct {
    const char *name;
    size_t offset;
} statistics[] = {
    {"mean", offsetof(struct load_figures, mean)}, {"p50", offsetof(struct load_figures, p50)},
    {"p95", offsetof(struct load_figures, p95)},   {"p99", offsetof(struct load_figures, p99)},
    {"max", offsetof(struct load_figures, most)},
};
#define STATISTICS (sizeof statistics / sizeof *statistics)

static size_t part_offset(enum load_part part, size_t statistic)
{
    return offsetof(struct load_result, parts) + (size_t)part * sizeof(struct load_figures) + statistic;
}

static double figure(const struct load_result *run, size_t offset)
{
    return *(const double *)(const void *)((const char *)run + offset);
}

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

double redis_median(const struct redis_cell *cell, size_t offset)
{
    double *values = grow(NULL, cell->done, sizeof *values), median = NAN;
    size_t count = 0;
    for (size_t i = 0; i < cell->done; i++)
        if (!isnan(figure(&cell->runs[i], offset)))
            values[count++] = figure(&cell->runs[i], offset);
    if (count > 0) {
        qsort(values, count, sizeof *values, ascending);
        median = (values[(count - 1) / 2] + values[count / 2]) / 2;
    }
    free(values);
    return median;
}

/* ---- tables ----------------------------------------------------------------------------------------------------- */

struct column {
    const char *heading;
    size_t offsets[4]; /* summed */
    size_t count;
};

#define FIGURE(field) offsetof(struct load_result, field)
#define PART(part, statistic) part_offset(part, offsetof(struct load_figures, statistic))

static void write_table(struct text *out, const struct redis_bench *bench, const char *title,
                        const struct column *columns, size_t count)
{
    struct table table;
    text_format(out, "\n%s%s%s\n", style_bold(out), title, style_end(out));
    table_start(&table, 1 + count);
    table_cell(&table, bench->connections.count > 1 ? "size, codec, threads/connections" : "size, codec, threads");
    for (size_t i = 0; i < count; i++)
        table_cell(&table, "%s", columns[i].heading);
    for (size_t i = 0; i < bench->cell_count; i++) {
        const struct redis_cell *cell = &bench->cells[i];
        char number[NUMBER_SIZE];
        if (cell->done == 0)
            continue;
        struct text label = {0};
        text_format(&label, "%s %s %zu", cell->payloads->label, codec_name(cell->codec), cell->threads);
        if (bench->connections.count > 1)
            text_format(&label, "/%zu", cell->connections);
        table_cell(&table, "%s", label.start);
        text_free(&label);
        for (size_t j = 0; j < count; j++) {
            double sum = 0;
            for (size_t k = 0; k < columns[j].count; k++)
                sum += redis_median(cell, columns[j].offsets[k]);
            if (sum >= 1000)
                sum = round(sum);
            else if (sum >= 10)
                sum = round(10 * sum) / 10;
            else
                sum = round(100 * sum) / 100;
            table_cell(&table, "%s", number_text(number, sum));
        }
    }
    table_print(&table, out, true);
}

static void write_tables(struct text *out, const struct redis_bench *bench)
{
    const struct column whole[] = {
        {"p50", {PART(LOAD_TOTAL, p50)}, 1},
        {"p95", {PART(LOAD_TOTAL, p95)}, 1},
        {"p99", {PART(LOAD_TOTAL, p99)}, 1},
        {"ops/s", {FIGURE(throughput)}, 1},
        {"CPU/op", {FIGURE(worker_cpu), FIGURE(io_cpu), FIGURE(server_cpu)}, 3},
        {"stored B", {FIGURE(stored_bytes)}, 1},
    };
    const struct column each[] = {
        {"set p50", {PART(LOAD_SET, p50)}, 1}, {"p95", {PART(LOAD_SET, p95)}, 1}, {"p99", {PART(LOAD_SET, p99)}, 1},
        {"get p50", {PART(LOAD_GET, p50)}, 1}, {"p95", {PART(LOAD_GET, p95)}, 1}, {"p99", {PART(LOAD_GET, p99)}, 1},
    };
    const struct column parts[] = {
        {"encode", {PART(LOAD_ENCODE, p50)}, 1},     {"set wait", {PART(LOAD_SET_WAIT, p50)}, 1},
        {"server", {PART(LOAD_SET_SERVER, p50)}, 1}, {"wake", {PART(LOAD_SET_WAKE, p50)}, 1},
        {"get wait", {PART(LOAD_GET_WAIT, p50)}, 1}, {"server", {PART(LOAD_GET_SERVER, p50)}, 1},
        {"wake", {PART(LOAD_GET_WAKE, p50)}, 1},     {"decode", {PART(LOAD_DECODE, p50)}, 1},
    };
    const struct column late[] = {
        {"late p50", {PART(LOAD_LATE, p50)}, 1}, {"p95", {PART(LOAD_LATE, p95)}, 1},
        {"p99", {PART(LOAD_LATE, p99)}, 1},      {"checkout p50", {PART(LOAD_CHECKOUT, p50)}, 1},
        {"p95", {PART(LOAD_CHECKOUT, p95)}, 1},  {"p99", {PART(LOAD_CHECKOUT, p99)}, 1},
    };
    const struct column costs[] = {
        {"workers", {FIGURE(worker_cpu)}, 1}, {"I/O", {FIGURE(io_cpu)}, 1},    {"server", {FIGURE(server_cpu)}, 1},
        {"batch", {FIGURE(batch_mean)}, 1},   {"writes", {FIGURE(writes)}, 1}, {"reads", {FIGURE(reads)}, 1},
        {"wake-ups", {FIGURE(wake_ups)}, 1},
    };
    write_table(out, bench, "set+get, from encoding to decoded", whole, sizeof whole / sizeof *whole);
    write_table(out, bench, "SET and GET, submitted until the caller is awake", each, sizeof each / sizeof *each);
    write_table(out, bench, "Parts, p50", parts, sizeof parts / sizeof *parts);
    if (bench->rate > 0 && bench->mode != 0)
        write_table(out, bench, "Due until begun; until a connection was free", late, 6);
    else if (bench->rate > 0)
        write_table(out, bench, "Due until begun", late, 3);
    else if (bench->mode != 0)
        write_table(out, bench, "Until a connection was free", late + 3, 3);
    write_table(out, bench, "CPU per set+get; commands taken at once; system calls of the client per set+get", costs,
                sizeof costs / sizeof *costs);
}

void redis_report(struct text *out, const struct redis_bench *bench)
{
    struct text line = {0};
    text_format(&line, "Redis %s at %s:%zu%s, %s connections, %s loop", bench->server.version, bench->host, bench->port,
                bench->spawn ? " (private)" : "", redis_modes[bench->mode], bench->rate > 0 ? "open" : "closed");
    if (bench->rate > 0)
        text_format(&line, " (%s, %g/s)", redis_arrivals[bench->arrivals], bench->rate);
    if (bench->operations > 0)
        text_format(&line, ", %zu operations a thread", bench->operations);
    else
        text_format(&line, ", %g s a run", (double)bench->duration / 1e9);
    if (bench->repeats > 1)
        text_format(&line, ", medians of %zu runs", bench->repeats);
    text_wrap(out, line.start, 0);
    text_free(&line);
    write_tables(out, bench);
    text_format(out,
                "\n%sTimes in microseconds. wait: submitted until written; server: written until the\n"
                "reply is parsed, so wire and server; wake: until the caller runs again.%s\n",
                style_dim(out), style_end(out));
    for (size_t i = 0; i < bench->cell_count; i++)
        for (size_t j = 0; j < bench->cells[i].done; j++)
            if (bench->cells[i].runs[j].overloaded) {
                text_say(out, "Overloaded: some runs could not keep up with the rate and were cut after twice their "
                              "duration.\n");
                return;
            }
}

/* ---- JSON and CSV ----------------------------------------------------------------------------------------------- */

static void json_text(struct text *out, const char *name, const char *words)
{
    text_format(out, "\"%s\": ", name);
    text_json_string(out, words);
    text_say(out, ", ");
}

static void json_number(struct text *out, const char *name, double number)
{
    text_format(out, "\"%s\": ", name);
    text_json_number(out, number);
}

/* The median over the runs where `run` is NULL. */
static void json_values(struct text *out, const struct redis_cell *cell, const struct load_result *run)
{
    text_say(out, "{");
    for (size_t i = 0; i < FIGURES; i++) {
        size_t offset = figures[i].offset;
        json_number(out, figures[i].name, run != NULL ? figure(run, offset) : redis_median(cell, offset));
        text_say(out, ", ");
    }
    for (unsigned part = 0; part < LOAD_PARTS; part++) {
        if (isnan(cell->runs[0].parts[part].mean))
            continue;
        text_format(out, "%s\"%s_us\": {", part > 0 ? ", " : "", load_part_name(part));
        for (size_t i = 0; i < STATISTICS; i++) {
            size_t offset = part_offset(part, statistics[i].offset);
            text_say(out, i > 0 ? ", " : "");
            json_number(out, statistics[i].name, run != NULL ? figure(run, offset) : redis_median(cell, offset));
        }
        text_say(out, "}");
    }
    text_say(out, "}");
}

static void json_cell(struct text *out, const struct redis_cell *cell)
{
    text_say(out, "    {");
    json_text(out, "size", cell->payloads->label);
    json_text(out, "codec", codec_name(cell->codec));
    text_format(out, "\"threads\": %zu, \"connections\": %zu,\n     \"median\": ", cell->threads, cell->connections);
    json_values(out, cell, NULL);
    text_say(out, ",\n     \"runs\": [");
    for (size_t i = 0; i < cell->done; i++) {
        const struct load_result *run = &cell->runs[i];
        text_format(out,
                    "%s\n       {\"operations\": %llu, \"checked\": %llu, \"batch_most\": %llu, \"overloaded\": %s, ",
                    i > 0 ? "," : "", (unsigned long long)run->operations, (unsigned long long)run->checked,
                    (unsigned long long)run->batch_most, run->overloaded ? "true" : "false");
        text_say(out, "\"figures\": ");
        json_values(out, cell, run);
        text_say(out, "}");
    }
    text_say(out, "]}");
}

void redis_json(struct text *out, const struct redis_bench *bench)
{
    struct machine machine;
    machine_read(&machine);
    text_format(out, "{\n  \"measurement\": \"redis\",\n  \"complete\": %s,\n  \"machine\": {",
                bench->finished == bench->cell_count * bench->repeats ? "true" : "false");
    json_text(out, "cpu", machine.cpu);
    text_format(out, "\"cores\": %u, ", machine.cores);
    json_text(out, "os", machine.os);
    json_text(out, "kernel", machine.kernel);
    json_text(out, "compiler", machine.compiler);
    json_text(out, "flags", machine.flags);
    json_text(out, "governor", machine.governor);
    json_text(out, "virtualisation", machine.virtualisation);
    json_text(out, "clock", clock_wall_name());
    json_text(out, "cpu_clock", clock_thread_cpu_name());
    text_say(out, "\"date\": ");
    text_json_string(out, machine.date);
    text_say(out, "},\n  \"server\": {");
    json_text(out, "version", bench->server.version);
    json_text(out, "os", bench->server.os);
    json_text(out, "host", bench->host);
    text_format(out, "\"private\": %s, \"io_threads\": %u},\n  \"settings\": {", bench->spawn ? "true" : "false",
                bench->server.io_threads);
    json_text(out, "mode", redis_modes[bench->mode]);
    json_text(out, "loop", bench->rate > 0 ? "open" : "closed");
    if (bench->rate > 0) {
        json_number(out, "rate_per_s", bench->rate);
        text_say(out, ", ");
        json_text(out, "arrivals", redis_arrivals[bench->arrivals]);
    }
    if (bench->operations > 0)
        text_format(out, "\"operations\": %zu, ", bench->operations);
    else
        text_format(out, "\"duration_s\": %g, ", (double)bench->duration / 1e9);
    text_format(out, "\"repeats\": %zu, \"threshold\": %zu, \"seed\": %zu},\n  \"codecs\": {", bench->repeats,
                bench->threshold, bench->seed);
    for (size_t i = 0; i < bench->codecs.count; i++) {
        text_format(out, "%s\"%s\": ", i > 0 ? ", " : "", bench->codecs.words[i]);
        text_json_string(out, codec_library(codec_find(bench->codecs.words[i])));
    }
    text_say(out, "},\n  \"payloads\": [");
    for (size_t i = 0; i < bench->payload_count; i++) {
        const struct payload_set *set = &bench->payloads[i].set;
        char digest[65];
        payload_set_digest(set, digest);
        text_say(out, i > 0 ? ",\n    {" : "\n    {");
        json_text(out, "size", bench->payloads[i].label);
        text_format(out, "\"count\": %zu, \"bytes\": %zu, \"least\": %zu, \"most\": %zu, \"sha256\": \"%s\"}",
                    set->count, set->total, set->least, set->most, digest);
    }
    text_say(out, "],\n  \"cells\": [\n");
    bool first = true;
    for (size_t i = 0; i < bench->cell_count; i++) {
        if (bench->cells[i].done == 0)
            continue;
        text_say(out, first ? "" : ",\n");
        json_cell(out, &bench->cells[i]);
        first = false;
    }
    text_say(out, "\n  ]\n}\n");
}

static void csv_line(struct text *out, const struct redis_bench *bench, const struct redis_cell *cell, size_t run,
                     const char *part, const char *statistic, size_t offset)
{
    double value = run < cell->done ? figure(&cell->runs[run], offset) : redis_median(cell, offset);
    if (isnan(value))
        return;
    text_csv(out, cell->payloads->label);
    text_format(out, ",%s,%zu,%zu,%s,", codec_name(cell->codec), cell->threads, cell->connections,
                redis_modes[bench->mode]);
    if (run < cell->done)
        text_format(out, "%zu", run);
    else
        text_say(out, "median");
    if (statistic != NULL)
        text_format(out, ",%s.%s_us,", part, statistic);
    else
        text_format(out, ",%s,", part);
    text_csv_number(out, value);
    text_say(out, "\n");
}

void redis_csv(struct text *out, const struct redis_bench *bench)
{
    text_say(out, "size,codec,threads,connections,mode,run,metric,value\n");
    for (size_t i = 0; i < bench->cell_count; i++) {
        const struct redis_cell *cell = &bench->cells[i];
        for (size_t run = 0; cell->done > 0 && run <= cell->done; run++) {
            for (size_t j = 0; j < FIGURES; j++)
                csv_line(out, bench, cell, run, figures[j].name, NULL, figures[j].offset);
            for (unsigned part = 0; part < LOAD_PARTS; part++)
                for (size_t j = 0; j < STATISTICS; j++)
                    csv_line(out, bench, cell, run, load_part_name(part), statistics[j].name,
                             part_offset(part, statistics[j].offset));
        }
    }
}

#endif
