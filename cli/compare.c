/* cachecast compare: scenarios beside each other. Replications of the same number share their random numbers as far as
 * the scenarios do, so that differences are judged pair by pair. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "stats.h"
#include "table.h"

struct chosen {
    size_t *metrics;
    size_t count;
    bool named; /* by --metrics */
};

static void choose(struct chosen *chosen, const char *names)
{
    static const char usual[] = "requests,completed,errors,dropped,throughput_per_s,latency.mean_ms,latency.p50_ms,"
                                "latency.p95_ms,latency.p99_ms,latency.max_ms,l1.hit_ratio,l2.hit_ratio,origin.loads,"
                                "origin.loads_per_s,origin.peak_loads_per_s,origin.transactions_per_s,cpu.utilization";
    chosen->named = names != NULL;
    for (const char *at = names != NULL ? names : usual;;) {
        size_t length = strcspn(at, ",");
        char *name = grow(NULL, length + 1, 1);
        memcpy(name, at, length);
        name[length] = '\0';
        if (length == 0 && names[0] == '\0')
            die(EXIT_BAD_INPUT, "--metrics needs the names of metrics");
        if (length == 0)
            die(EXIT_BAD_INPUT, "--metrics: a name is missing %s the comma", at > names ? "behind" : "before");
        size_t metric = cc_metric_find(name);
        if (metric == SIZE_MAX && chosen->named) {
            const char **all = grow(NULL, cc_metric_count(), sizeof *all);
            for (size_t i = 0; i < cc_metric_count(); i++)
                all[i] = cc_metric_name(i);
            const char *near = nearest(name, all, cc_metric_count());
            if (near != NULL)
                die(EXIT_BAD_INPUT, "--metrics: unknown metric \"%s\"; did you mean \"%s\"?", name, near);
            die(EXIT_BAD_INPUT, "--metrics: unknown metric \"%s\"; \"cachecast compare --help\" lists them all", name);
        }
        free(name);
        if (metric != SIZE_MAX) {
            chosen->metrics = grow(chosen->metrics, chosen->count + 1, sizeof *chosen->metrics);
            chosen->metrics[chosen->count++] = metric;
        }
        if (at[length] == '\0')
            return;
        at += length + 1;
    }
}

/* Of item minus first, over the replications of both. */
static struct stats difference(const struct jobs *jobs, const struct item *item, const struct item *first,
                               size_t metric)
{
    size_t count = item->done < first->done ? item->done : first->done;
    double *numbers = grow(NULL, count, sizeof *numbers);
    for (size_t i = 0; i < count; i++)
        numbers[i] = jobs->results[item->first + i].metrics[metric] - jobs->results[first->first + i].metrics[metric];
    struct stats stats = stats_of(numbers, count);
    free(numbers);
    return stats;
}

static double percent(double part, double whole) { return whole < 0 || whole > 0 ? 100 * part / fabs(whole) : NAN; }

static void percent_cell(struct table *table, double value)
{
    if (isnan(value))
        table_cell(table, "-");
    else
        table_cell(table, "%+.1f %%", value);
}

static void difference_cells(struct table *table, const struct jobs *jobs, const struct item *item,
                             const struct item *first, size_t metric, bool interval)
{
    struct stats stats = difference(jobs, item, first, metric);
    char number[NUMBER_SIZE], half[NUMBER_SIZE];
    double whole = item_stats(jobs, first, metric).mean, gap = without_noise(stats.mean, whole);
    if (interval && stats.count > 0)
        table_cell(table, "%s ± %s", signed_text(number, gap),
                   number_text(half, without_noise(stats.half_width, whole)));
    else
        table_cell(table, "%s", signed_text(number, gap));
    percent_cell(table, percent(gap, whole));
}

/* What tells the item apart from the others: in `brief` its variant, or the name without one, else both; with the file
 * where others have the same. */
static char *label_among(const struct item *const *items, size_t count, const struct item *item, bool brief)
{
    size_t same_variant = 0, same_label = 0;
    const char *variant = cc_scenario_variant(item->scenario);
    char *label = item_label(item);
    for (size_t i = 0; i < count; i++) {
        bool same = strcmp(cc_scenario_variant(items[i]->scenario), variant) == 0;
        same_variant += same;
        same_label += same && strcmp(cc_scenario_name(items[i]->scenario), cc_scenario_name(item->scenario)) == 0;
    }
    struct text text = {0};
    text_say(&text, brief && *variant != '\0' && same_variant == 1 ? variant : label);
    free(label);
    if (same_label > 1)
        text_format(&text, " (%s)", file_label(item->file));
    text_tame(text.start);
    return text.start;
}

/* Metrics down, two or three scenarios across. */
static void write_few(struct text *out, const struct jobs *jobs, const struct item *const *items, size_t count,
                      const struct chosen *chosen)
{
    bool interval = items[0]->replications > 1;
    char number[NUMBER_SIZE];
    for (size_t i = 0; i < count; i++) {
        char *label = label_among(items, count, items[i], false);
        struct text line = {0};
        text_format(&line, "%c  %s", (char)('A' + i), label);
        text_wrap(out, line.start, 0);
        text_free(&line);
        free(label);
    }
    text_say(out, "\n");
    /* The values; with three scenarios, whose differences would not fit beside them, then a table for each of these. */
    for (size_t part = 0; part < (count == 2 ? 1 : count); part++) {
        struct table table;
        bool values = part == 0, differences = count == 2 || part > 0;
        size_t other = part > 0 ? part : 1;
        table_start(&table, 1 + (values ? count : 0) + (differences ? 2 : 0));
        table_cell(&table, values ? "metric" : "difference");
        for (size_t i = 0; values && i < count; i++)
            table_cell(&table, "%c", (char)('A' + i));
        if (differences) {
            table_cell(&table, "%c - A", (char)('A' + other));
            table_cell(&table, "%%");
        }
        for (size_t i = 0; i < chosen->count; i++) {
            size_t metric = chosen->metrics[i];
            bool any = false;
            for (size_t j = 0; j < count; j++)
                any = any || item_stats(jobs, items[j], metric).count > 0;
            if (!any)
                continue;
            table_cell(&table, "%s", cc_metric_name(metric));
            for (size_t j = 0; values && j < count; j++)
                table_cell(&table, "%s", number_text(number, item_stats(jobs, items[j], metric).mean));
            if (differences)
                difference_cells(&table, jobs, items[other], items[0], metric, interval);
        }
        if (part > 0)
            text_say(out, "\n");
        table_print(&table, out, true);
    }
}

/* The published value of the metric over the whole run, or NaN. */
static double published(const struct item *item, const char *metric)
{
    for (size_t i = 0; i < cc_expectation_count(item->scenario); i++) {
        cc_expectation expectation;
        cc_expectation_get(item->scenario, i, &expectation);
        if (expectation.phase == NULL && strcmp(expectation.metric, metric) == 0 && !isnan(expectation.value))
            return expectation.value;
    }
    return NAN;
}

struct column {
    const char *heading;
    size_t metric;
    bool published; /* the value published for the metric, not the simulated one */
    bool ratio;
};

static void write_column_tables(struct text *out, const struct jobs *jobs, const struct item *const *items,
                                size_t count, const struct column *columns, size_t column_count)
{
    for (size_t start = 0, end; start < column_count; start = end) {
        size_t width = 0;
        for (end = start; end < column_count; end++) {
            size_t wide = strlen(columns[end].heading) + 2;
            width += wide < 9 ? 9 : wide;
            if (end > start && width > 72)
                break;
        }
        struct table table;
        table_start(&table, 1 + end - start);
        table_cell(&table, "scenario");
        for (size_t i = start; i < end; i++)
            table_cell(&table, "%s", columns[i].heading);
        for (size_t j = 0; j < count; j++) {
            char *label = label_among(items, count, items[j], true);
            table_cell(&table, "%s", label);
            free(label);
            for (size_t i = start; i < end; i++) {
                char number[NUMBER_SIZE];
                double value = columns[i].published ? published(items[j], cc_metric_name(columns[i].metric))
                                                    : item_stats(jobs, items[j], columns[i].metric).mean;
                if (isnan(value) || !columns[i].ratio)
                    table_cell(&table, "%s", number_text(number, value));
                else
                    table_cell(&table, "%.2f %%", 100 * value);
            }
        }
        if (start > 0)
            text_say(out, "\n");
        table_print(&table, out, true);
    }
}

/* A row per scenario, with published values beside the simulated ones. */
static void write_many(struct text *out, const struct jobs *jobs, const struct item *const *items, size_t count,
                       const struct chosen *chosen)
{
    static const struct {
        const char *heading, *metric;
        bool published, ratio;
    } usual[] = {{"loads", "origin.loads", false, false},         {"publ.", "origin.loads", true, false},
                 {"loads/s", "origin.loads_per_s", false, false}, {"L1 hit", "l1.hit_ratio", false, true},
                 {"L2 hit", "l2.hit_ratio", false, true},         {"p50 ms", "latency.p50_ms", false, false},
                 {"p99 ms", "latency.p99_ms", false, false},      {"publ.", "latency.p99_ms", true, false}};
    size_t usual_count = sizeof usual / sizeof *usual, used = 0;
    struct column *columns = grow(NULL, chosen->count + usual_count, sizeof *columns);
    bool beside = false;
    for (size_t i = 0; !chosen->named && i < usual_count; i++) {
        struct column column = {usual[i].heading, cc_metric_find(usual[i].metric), usual[i].published, usual[i].ratio};
        if (column.metric == SIZE_MAX)
            continue;
        bool any = false;
        for (size_t j = 0; j < count; j++)
            any = any || !isnan(column.published ? published(items[j], usual[i].metric)
                                                 : item_stats(jobs, items[j], column.metric).mean);
        if (any)
            columns[used++] = column;
        beside = beside || (any && column.published);
    }
    for (size_t i = 0; chosen->named && i < chosen->count; i++)
        columns[used++] = (struct column){cc_metric_name(chosen->metrics[i]), chosen->metrics[i], false, false};
    const char *name = cc_scenario_name(items[0]->scenario);
    bool same = true;
    for (size_t j = 1; j < count; j++)
        same = same && strcmp(name, cc_scenario_name(items[j]->scenario)) == 0;
    if (same)
        text_format(out, "%s%s%s\n\n", style_bold(out), name, style_end(out));
    write_column_tables(out, jobs, items, count, columns, used);
    if (beside)
        text_format(out, "\n%spubl.: the published value of the column before%s\n", style_dim(out), style_end(out));
    free(columns);
}

static void json_stats(struct text *out, const char *name, double value, bool last)
{
    text_format(out, "\"%s\": ", name);
    text_json_number(out, value);
    text_say(out, last ? "}" : ", ");
}

static void write_json(struct text *out, const struct jobs *jobs, const struct item *const *items, size_t count,
                       const struct chosen *chosen)
{
    text_say(out, "{\n  \"scenarios\": [");
    for (size_t i = 0; i < count; i++) {
        const struct item *item = items[i];
        text_format(out, "%s\n    {\n      \"file\": ", i > 0 ? "," : "");
        text_json_string(out, file_label(item->file));
        text_say(out, ",\n      \"name\": ");
        text_json_string(out, cc_scenario_name(item->scenario));
        text_say(out, ",\n      \"variant\": ");
        text_json_string(out, cc_scenario_variant(item->scenario));
        text_format(out, ",\n      \"replications\": %zu,\n      \"metrics\": {", item->done);
        for (size_t j = 0; j < chosen->count; j++) {
            size_t metric = chosen->metrics[j];
            struct stats stats = item_stats(jobs, item, metric), gap = difference(jobs, item, items[0], metric);
            text_format(out, "%s\n        \"%s\": {", j > 0 ? "," : "", cc_metric_name(metric));
            json_stats(out, "mean", stats.mean, false);
            json_stats(out, "half_width", stats.half_width, false);
            json_stats(out, "difference", gap.mean, false);
            json_stats(out, "difference_half_width", gap.half_width, false);
            json_stats(out, "difference_percent", percent(gap.mean, item_stats(jobs, items[0], metric).mean), true);
        }
        text_say(out, "\n      }\n    }");
    }
    text_say(out, "\n  ]\n}\n");
}

static void write_csv(struct text *out, const struct jobs *jobs, const struct item *const *items, size_t count,
                      const struct chosen *chosen)
{
    text_say(out, "file,name,variant,replications,metric,mean,half_width,difference,difference_half_width\n");
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < chosen->count; j++) {
            struct stats stats = item_stats(jobs, items[i], chosen->metrics[j]);
            struct stats gap = difference(jobs, items[i], items[0], chosen->metrics[j]);
            text_csv(out, file_label(items[i]->file));
            text_say(out, ",");
            text_csv(out, cc_scenario_name(items[i]->scenario));
            text_say(out, ",");
            text_csv(out, cc_scenario_variant(items[i]->scenario));
            text_format(out, ",%zu,%s,", items[i]->done, cc_metric_name(chosen->metrics[j]));
            text_csv_number(out, stats.mean);
            text_say(out, ",");
            text_csv_number(out, stats.half_width);
            text_say(out, ",");
            text_csv_number(out, gap.mean);
            text_say(out, ",");
            text_csv_number(out, gap.half_width);
            text_say(out, "\n");
        }
    }
}

enum exit_code command_compare(const struct options *options)
{
    struct jobs jobs;
    struct chosen chosen = {0};
    struct text out = {.color = output_color(options->output)};
    choose(&chosen, options->metrics);
    jobs_load(&jobs, options);
    if (jobs.item_count < 2)
        die(EXIT_BAD_INPUT, "compare needs two scenarios or more: two files, or one with variants");
    jobs_run(&jobs, options);
    const struct item **items = grow(NULL, jobs.item_count, sizeof *items);
    size_t count = 0;
    for (size_t i = 0; i < jobs.item_count; i++)
        if (jobs.items[i].done > 0)
            items[count++] = &jobs.items[i];
    if (count > 0) {
        if (options->json)
            write_json(&out, &jobs, items, count, &chosen);
        else if (options->csv)
            write_csv(&out, &jobs, items, count, &chosen);
        else if (count == 2 || count == 3)
            write_few(&out, &jobs, items, count, &chosen);
        else
            write_many(&out, &jobs, items, count, &chosen);
    }
    if (count > 0 && options->replications > 1 && !options->json && !options->csv)
        text_format(&out, "\n%smeans of %zu replications%s%s\n", style_dim(&out), items[0]->done,
                    count == 2 || count == 3 ? "; ± half width of the difference's 95 % interval" : "",
                    style_end(&out));
    output_write(options->output, &out);
    enum exit_code code = jobs.interrupted ? EXIT_INTERRUPTED : EXIT_OK;
    free(items);
    free(chosen.metrics);
    text_free(&out);
    jobs_free(&jobs);
    return code;
}
