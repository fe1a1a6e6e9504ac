#include "bench_profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "sha256.h"

double cell_speed(const struct codec_bench *bench, const struct codec_cell *cell)
{
    return 1e3 * codec_mean_bytes(bench, cell->set) / cell->median;
}

const char *direction_name(enum codec_direction direction)
{
    return direction == CODEC_COMPRESS ? "compress" : "decompress";
}

void json_number6(struct text *out, double number)
{
    char words[32];
    if (!isfinite(number)) {
        text_say(out, "null");
        return;
    }
    snprintf(words, sizeof words, "%.6g", number);
    double rounded = strtod(words, NULL);
    if (fabs(rounded) >= 1e6 && fabs(rounded) < 1e15)
        snprintf(words, sizeof words, "%.0f", rounded);
    text_say(out, words);
}

static void key(struct text *out, const char *name) { text_format(out, "\"%s\": ", name); }

static void number(struct text *out, const char *name, double value)
{
    text_say(out, ", ");
    key(out, name);
    json_number6(out, value);
}

static void line_string(struct text *out, const char *indent, const char *name, const char *value)
{
    text_say(out, indent);
    key(out, name);
    text_json_string(out, value);
    text_say(out, ",\n");
}

static void write_machine(struct text *out, const struct machine *machine)
{
    text_say(out, "  \"machine\": {\n");
    line_string(out, "    ", "cpu", machine->cpu);
    text_format(out, "    \"cores\": %u,\n    \"performance_cores\": %u,\n    \"efficiency_cores\": %u,\n",
                machine->cores, machine->performance, machine->efficiency);
    line_string(out, "    ", "os", machine->os);
    line_string(out, "    ", "kernel", machine->kernel);
    line_string(out, "    ", "compiler", machine->compiler);
    line_string(out, "    ", "flags", machine->flags);
    line_string(out, "    ", "governor", machine->governor);
    line_string(out, "    ", "virtualisation", machine->virtualisation);
#ifdef __APPLE__
    line_string(out, "    ", "qos_class", "user-interactive"); /* which keeps to the performance cores while it can */
#endif
    text_say(out, "    \"date\": ");
    text_json_string(out, machine->date);
    text_say(out, "\n  },\n");
}

static void write_codecs(struct text *out, const struct codec_bench *bench)
{
    const struct codec_plan *plan = &bench->plan;
    text_say(out, "  \"codecs\": [");
    for (size_t codec = 0; codec < plan->codec_count; codec++) {
        text_format(out, "%s\n    {\"name\": ", codec > 0 ? "," : "");
        text_json_string(out, codec_name(plan->codecs[codec]));
        text_say(out, ", \"library\": ");
        text_json_string(out, codec_library(plan->codecs[codec]));
        text_say(out, ", \"knots\": [");
        for (size_t set = 0; set < plan->set_count; set++) {
            text_format(out, "%s\n      {\"bytes\": ", set > 0 ? "," : "");
            json_number6(out, codec_mean_bytes(bench, set));
            number(out, "stored", codec_mean_stored(bench, codec, set));
            number(out, "compress_ns", codec_bench_cell(bench, codec, set, CODEC_COMPRESS, false)->median);
            number(out, "decompress_ns", codec_bench_cell(bench, codec, set, CODEC_DECOMPRESS, false)->median);
            text_say(out, "}");
        }
        text_say(out, "\n    ]}");
    }
    text_say(out, "\n  ],\n");
}

static void write_payloads(struct text *out, const struct profile *profile)
{
    const struct codec_plan *plan = &profile->bench->plan;
    struct sha256 all;
    char hex[65];
    struct text sets = {0};
    sha256_start(&all);
    for (size_t i = 0; i < plan->set_count; i++) {
        const struct payload_set *set = &plan->sets[i];
        payload_set_digest(set, hex);
        sha256_add(&all, hex, 64);
        text_format(&sets, "%s\n        {\"bytes\": ", i > 0 ? "," : "");
        json_number6(&sets, codec_mean_bytes(profile->bench, i));
        text_format(&sets, ", \"count\": %zu, \"total\": %zu, \"least\": %zu, \"most\": %zu, \"sha256\": \"%s\"}",
                    set->count, set->total, set->least, set->most, hex);
    }
    sha256_end(&all, hex);
    text_say(out, "    \"payloads\": {\n");
    if (profile->directory != NULL) {
        line_string(out, "      ", "directory", profile->directory);
    } else {
        line_string(out, "      ", "content", "recommendation contexts");
        text_format(out, "      \"seed\": %llu,\n", (unsigned long long)plan->seed);
    }
    line_string(out, "      ", "sha256", hex);
    text_format(out, "      \"sets\": [%s\n      ]\n    },\n", sets.start);
    text_free(&sets);
}

/* Every sample, so that others can judge by their own rule what was disturbed. */
static void write_samples(struct text *out, const struct codec_bench *bench, const struct codec_cell *cell)
{
    bool first = true;
    text_say(out, ", \"samples_ns\": [");
    for (size_t round = 0; round < bench->rounds; round++) {
        text_say(out, round > 0 ? ", " : "");
        json_number6(out, cell->samples[round].ns);
    }
    text_say(out, "], \"marked_rounds\": [");
    for (size_t round = 0; round < bench->rounds; round++) {
        if (!cell->samples[round].marked)
            continue;
        text_format(out, "%s%zu", first ? "" : ", ", round);
        first = false;
    }
    text_say(out, "]");
}

static void write_cell(struct text *out, const struct codec_bench *bench, const struct codec_cell *cell)
{
    const struct codec_plan *plan = &bench->plan;
    double bytes = codec_mean_bytes(bench, cell->set);
    text_say(out, "\n      {\"codec\": ");
    text_json_string(out, codec_name(plan->codecs[cell->codec]));
    text_format(out, ", \"direction\": \"%s\"", direction_name(cell->direction));
    number(out, "bytes", bytes);
    text_format(out, ", \"mode\": \"%s\", \"threads\": 1, \"n\": %zu, \"marked\": %zu", cell->cold ? "cold" : "hot",
                cell->count, cell->marked);
    number(out, "min_ns", cell->min);
    number(out, "median_ns", cell->median);
    number(out, "p90_ns", cell->p90);
    number(out, "low_ns", cell->interval.low);
    number(out, "high_ns", cell->interval.high);
    number(out, "mb_per_s", cell_speed(bench, cell));
    number(out, "ratio", bytes / codec_mean_stored(bench, cell->codec, cell->set));
    number(out, "ratio_to_base", cell->ratio);
    number(out, "ratio_to_base_low", cell->ratio_interval.low);
    number(out, "ratio_to_base_high", cell->ratio_interval.high);
    write_samples(out, bench, cell);
    text_say(out, "}");
}

static void write_fits(struct text *out, const struct codec_bench *bench)
{
    const struct codec_plan *plan = &bench->plan;
    double *bytes = grow(NULL, plan->set_count, sizeof *bytes), *ns = grow(NULL, plan->set_count, sizeof *ns);
    text_say(out, "    \"fits\": [");
    for (size_t i = 0; i < 2 * plan->codec_count; i++) {
        enum codec_direction direction = i % 2 == 0 ? CODEC_COMPRESS : CODEC_DECOMPRESS;
        for (size_t set = 0; set < plan->set_count; set++) {
            bytes[set] = codec_mean_bytes(bench, set);
            ns[set] = codec_bench_cell(bench, i / 2, set, direction, false)->median;
        }
        struct line line = estimate_line(bytes, ns, plan->set_count);
        text_format(out, "%s\n      {\"codec\": ", i > 0 ? "," : "");
        text_json_string(out, codec_name(plan->codecs[i / 2]));
        text_format(out, ", \"direction\": \"%s\"", direction_name(direction));
        number(out, "a_ns", line.a);
        number(out, "b_ns_per_byte", line.b);
        number(out, "residual_median", line.median);
        number(out, "residual_p90", line.p90);
        number(out, "residual_max", line.max);
        text_say(out, "}");
    }
    text_say(out, "\n    ],\n");
    free(bytes);
    free(ns);
}

static void write_threads(struct text *out, const struct profile *profile)
{
    const struct codec_plan *plan = &profile->bench->plan;
    text_say(out, "    \"threads\": [");
    for (size_t i = 0; i < profile->threads_count; i++) {
        const struct threads_row *row = &profile->threads[i];
        text_format(out, "%s\n      {\"codec\": ", i > 0 ? "," : "");
        text_json_string(out, codec_name(plan->codecs[row->cell->codec]));
        text_format(out, ", \"direction\": \"%s\"", direction_name(row->cell->direction));
        number(out, "bytes", codec_mean_bytes(profile->bench, row->cell->set));
        text_format(out, ", \"threads\": %zu", row->threads);
        number(out, "ns", row->ns);
        number(out, "factor", row->factor);
        number(out, "factor_low", row->factor_interval.low);
        number(out, "factor_high", row->factor_interval.high);
        number(out, "calls_per_s", row->calls_per_s);
        text_say(out, "}");
    }
    text_format(out, "%s]\n", profile->threads_count > 0 ? "\n    " : "");
}

void profile_json(struct text *out, const struct profile *profile)
{
    const struct codec_bench *bench = profile->bench;
    text_say(out, "{\n  \"profile\": 1,\n");
    line_string(out, "  ", "name", profile->name);
    line_string(out, "  ", "source", "cachecast bench codec " CC_VERSION);
    write_machine(out, &profile->machine);
    write_codecs(out, bench);
    text_say(out, "  \"measured\": {\n");
    text_format(out, "    \"complete\": %s,\n    \"quality\": \"%s\",\n    \"seed\": %llu,\n    \"rounds\": %zu,\n",
                profile->complete ? "true" : "false", bench->noisy ? "noisy" : "good",
                (unsigned long long)bench->plan.seed, bench->rounds);
    text_format(out, "    \"batch_ns\": %llu,\n    \"base\": ", (unsigned long long)bench->plan.batch_ns);
    text_json_string(out, codec_name(bench->plan.codecs[bench->plan.base]));
    text_format(out, ",\n    \"clocks\": {\"value\": \"%s\"", clock_thread_cpu_name());
    number(out, "value_cost_ns", profile->cpu_cost);
    text_format(out, ", \"wall\": \"%s\"", clock_wall_name());
    number(out, "wall_cost_ns", profile->wall_cost);
    text_say(out, "},\n");
    write_payloads(out, profile);
    text_say(out, "    \"cells\": [");
    for (size_t i = 0; i < bench->cell_count; i++) {
        text_say(out, i > 0 ? "," : "");
        write_cell(out, bench, &bench->cells[i]);
    }
    text_say(out, "\n    ],\n");
    write_fits(out, bench);
    write_threads(out, profile);
    text_say(out, "  }\n}\n");
}

static void csv_number6(struct text *out, double value)
{
    text_say(out, ",");
    if (isfinite(value))
        json_number6(out, value);
}

void profile_csv(struct text *out, const struct profile *profile)
{
    const struct codec_bench *bench = profile->bench;
    text_say(out, "codec,direction,bytes,mode,threads,n,marked,min_ns,median_ns,p90_ns,low_ns,high_ns,mb_per_s,ratio,"
                  "ratio_to_base,ratio_to_base_low,ratio_to_base_high\n");
    for (size_t i = 0; i < bench->cell_count; i++) {
        const struct codec_cell *cell = &bench->cells[i];
        double bytes = codec_mean_bytes(bench, cell->set);
        text_csv(out, codec_name(bench->plan.codecs[cell->codec]));
        text_format(out, ",%s", direction_name(cell->direction));
        csv_number6(out, bytes);
        text_format(out, ",%s,1,%zu,%zu", cell->cold ? "cold" : "hot", cell->count, cell->marked);
        csv_number6(out, cell->min);
        csv_number6(out, cell->median);
        csv_number6(out, cell->p90);
        csv_number6(out, cell->interval.low);
        csv_number6(out, cell->interval.high);
        csv_number6(out, cell_speed(bench, cell));
        csv_number6(out, bytes / codec_mean_stored(bench, cell->codec, cell->set));
        csv_number6(out, cell->ratio);
        csv_number6(out, cell->ratio_interval.low);
        csv_number6(out, cell->ratio_interval.high);
        text_say(out, "\n");
    }
}
