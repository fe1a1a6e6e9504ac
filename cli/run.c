/* cachecast run: a summary, the report, all metrics or the series of every scenario. */
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "stats.h"
#include "table.h"

/* "" stands between groups. */
static const char *const shown[] = {"requests",
                                    "completed",
                                    "errors",
                                    "dropped",
                                    "throughput_per_s",
                                    "",
                                    "latency.mean_ms",
                                    "latency.p50_ms",
                                    "latency.p95_ms",
                                    "latency.p99_ms",
                                    "latency.max_ms",
                                    "",
                                    "l1.hit_ratio",
                                    "l2.hit_ratio",
                                    "origin.loads",
                                    "origin.loads_per_s",
                                    "origin.peak_loads_per_s",
                                    "origin.transactions_per_s",
                                    "cpu.utilization",
                                    "",
                                    "freshness.stale_answers",
                                    "freshness.stale_ratio",
                                    "freshness.propagation_mean_s",
                                    "freshness.propagation_p95_s",
                                    "",
                                    "breaker.opened",
                                    "recovery.recovered",
                                    "recovery.time_s"};

/* What happened, and what a dashboard shows of it. */
static const struct {
    const char *happened, *observed;
} observed[] = {
    {"origin.loads", "observed.loads"},    {"origin.peak_loads_per_s", "observed.peak_loads_per_s"},
    {"l1.misses", "observed.l1_misses"},   {"latency.p50_ms", "observed.p50_ms"},
    {"latency.p95_ms", "observed.p95_ms"}, {"latency.p99_ms", "observed.p99_ms"},
};

static void write_observed(struct text *out, const struct jobs *jobs, const struct item *item)
{
    struct table table;
    char happened[NUMBER_SIZE], shows[NUMBER_SIZE];
    table_start(&table, 3);
    for (size_t i = 0; i < sizeof observed / sizeof *observed; i++) {
        struct stats is = item_stats(jobs, item, cc_metric_find(observed[i].happened));
        struct stats seems = item_stats(jobs, item, cc_metric_find(observed[i].observed));
        if (is.count == 0 || seems.count == 0)
            continue;
        if (table.count == 0) {
            table_cell(&table, "  %-26s", "");
            table_cell(&table, "%12s", "true");
            table_cell(&table, "%14s", "your dashboard");
        }
        number_text(happened, is.mean);
        number_text(shows, seems.mean);
        table_cell(&table, "  %-26s", observed[i].happened);
        table_cell(&table, "%12s", happened);
        table_cell(&table, "%14s", shows);
    }
    size_t cells = table.count;
    table_print(&table, out, false);
    if (cells > 0)
        text_say(out, "\n");
}

static void write_text(struct text *out, const struct jobs *jobs, const struct item *item)
{
    char *label = item_label(item), mean[NUMBER_SIZE], half[NUMBER_SIZE];
    const struct result *first = &jobs->results[item->first];
    text_say(out, style_bold(out));
    text_wrap(out, label, 0);
    text_say(out, style_end(out));
    free(label);
    if (first->partial)
        text_format(out, "interrupted: what follows is of the part that was simulated\n");
    if (item_stats(jobs, item, cc_metric_find("requests")).count == 0)
        text_say(out, "ended within the warm-up: nothing was measured\n");
    text_say(out, "\n");
    struct table table;
    table_start(&table, 2);
    for (size_t i = 0; i <= sizeof shown / sizeof *shown; i++) {
        if (i == sizeof shown / sizeof *shown || *shown[i] == '\0') {
            size_t before = table.count;
            table_print(&table, out, false);
            if (before > 0)
                text_say(out, "\n");
            continue;
        }
        size_t metric = cc_metric_find(shown[i]);
        if (metric == SIZE_MAX)
            continue;
        struct stats stats = item_stats(jobs, item, metric);
        if (stats.count == 0)
            continue;
        /* Names padded, so that the groups stand in line. */
        table_cell(&table, "  %-26s", shown[i]);
        number_text(mean, stats.mean);
        if (item->replications > 1)
            table_cell(&table, "%12s ± %s", mean, isnan(stats.half_width) ? "-" : number_text(half, stats.half_width));
        else
            table_cell(&table, "%12s", mean);
    }
    write_observed(out, jobs, item);
    text_say(out, style_dim(out));
    if (item->replications > 1)
        text_format(out, "mean ± half width of the 95 %% interval of %zu replications", item->done);
    else
        text_format(out, "%" PRIu64 " events, hash %016" PRIx64, first->events, first->hash);
    text_format(out, "%s\n", style_end(out));
}

static void write_json(struct text *out, const struct jobs *jobs, const struct item *item)
{
    const struct result *results = jobs->results + item->first;
    if (item->replications == 1) {
        text_say(out, results[0].report);
        return;
    }
    text_say(out, "{\n  \"name\": ");
    text_json_string(out, cc_scenario_name(item->scenario));
    text_say(out, ",\n  \"variant\": ");
    text_json_string(out, cc_scenario_variant(item->scenario));
    text_format(out, ",\n  \"replications\": %zu,\n  \"event_hash\": [", item->done);
    for (size_t i = 0; i < item->done; i++)
        text_format(out, "%s\"%016" PRIx64 "\"", i > 0 ? ", " : "", results[i].hash);
    text_say(out, "],\n  \"summary\": ");
    item_summary_json(out, jobs, item, "  ");
    text_say(out, "\n}\n");
}

static void write_who(struct text *out, const struct item *item, size_t replication)
{
    text_csv(out, cc_scenario_name(item->scenario));
    text_say(out, ",");
    text_csv(out, cc_scenario_variant(item->scenario));
    text_format(out, ",%zu", replication);
}

static void write_csv(struct text *out, const struct jobs *jobs, const struct item *item)
{
    for (size_t i = 0; i < item->done; i++) {
        for (size_t metric = 0; metric < cc_metric_count(); metric++) {
            double value = jobs->results[item->first + i].metrics[metric];
            if (isnan(value))
                continue;
            write_who(out, item, i);
            text_format(out, ",%s,", cc_metric_name(metric));
            text_csv_number(out, value);
            text_say(out, "\n");
        }
    }
}

/* ---- the series, by a scan of the report -------------------------------------------------------------------------- */

struct column {
    const char *name, *at; /* in the report: behind the opening quote; the next number */
    size_t name_length;
};

static const char *skip_string(const char *at)
{
    for (at++; *at != '\0' && *at != '"'; at++)
        if (*at == '\\' && at[1] != '\0')
            at++;
    return *at == '"' ? at + 1 : at;
}

/* Behind the value at `at`. */
static const char *skip_value(const char *at)
{
    size_t depth = 0;
    do {
        if (*at == '"') {
            at = skip_string(at);
            continue;
        }
        if (*at == '[' || *at == '{')
            depth++;
        else if (depth == 0 && strchr(",]} \n", *at) != NULL)
            break;
        else if (*at == ']' || *at == '}')
            depth--;
        if (*at != '\0')
            at++;
    } while (*at != '\0' && (depth > 0 || strchr(",]} \n", *at) == NULL));
    return at;
}

static size_t find_columns(const char *report, struct column **columns)
{
    static const char opening[] = "\n  \"series\": {"; /* no string of JSON holds a line feed */
    size_t count = 0;
    *columns = NULL;
    const char *at = strstr(report, opening);
    if (at == NULL)
        return 0;
    at += sizeof opening - 1;
    for (;;) {
        at += strspn(at, " \n,");
        if (*at != '"')
            return count;
        struct column column = {.name = at + 1};
        at = skip_string(at);
        column.name_length = (size_t)(at - column.name) - 1;
        at += strspn(at, " :\n");
        column.at = at + 1;
        if (*at == '[') {
            *columns = grow(*columns, count + 1, sizeof **columns);
            (*columns)[count++] = column;
        }
        at = skip_value(at);
    }
}

static void write_series(struct text *out, const struct item *item, size_t replication, const char *report,
                         struct text *heading)
{
    struct column *columns;
    size_t count = find_columns(report, &columns);
    struct text names = {0};
    text_say(&names, "name,variant,replication");
    for (size_t i = 0; i < count; i++) {
        text_say(&names, ",");
        text_add(&names, columns[i].name, columns[i].name_length);
    }
    text_say(&names, "\n");
    if (heading->start == NULL || strcmp(heading->start, names.start) != 0) {
        if (heading->start != NULL)
            text_say(out, "\n");
        text_say(out, names.start);
        text_free(heading);
        *heading = names;
    } else {
        text_free(&names);
    }
    for (bool more = count > 0; more;) {
        more = false;
        for (size_t i = 0; i < count; i++) {
            columns[i].at += strspn(columns[i].at, " \n,");
            more = more || (*columns[i].at != ']' && *columns[i].at != '\0');
        }
        if (!more)
            break;
        write_who(out, item, replication);
        for (size_t i = 0; i < count; i++) {
            const char *at = columns[i].at;
            const char *end = *at == ']' || *at == '\0' ? at : skip_value(at);
            text_say(out, ",");
            if (strncmp(at, "null", 4) != 0)
                text_add(out, at, (size_t)(end - at));
            columns[i].at = end;
        }
        text_say(out, "\n");
    }
    free(columns);
}

enum exit_code command_run(const struct options *options)
{
    struct jobs jobs;
    struct text out = {.color = output_color(options->output)}, heading = {0};
    jobs_load(&jobs, options);
    jobs.reports = options->series || (options->json && options->replications <= 1);
    jobs_run(&jobs, options);
    if (options->csv && !options->series)
        text_say(&out, "name,variant,replication,metric,value\n");
    bool first = true;
    for (size_t i = 0; i < jobs.item_count; i++) {
        const struct item *item = &jobs.items[i];
        if (item->done == 0)
            continue;
        if (options->series) {
            for (size_t j = 0; j < item->done; j++)
                write_series(&out, item, j, jobs.results[item->first + j].report, &heading);
        } else if (options->json) {
            write_json(&out, &jobs, item);
        } else if (options->csv) {
            write_csv(&out, &jobs, item);
        } else {
            if (!first)
                text_say(&out, "\n");
            write_text(&out, &jobs, item);
        }
        first = false;
    }
    output_write(options->output, &out);
    for (size_t i = 0; i < jobs.link.sides; i++)
        if (jobs.link.has_digest[i] && jobs.items[i].done > 0 && !jobs.results[jobs.items[i].first].partial &&
            jobs.results[jobs.items[i].first].digest != jobs.link.digest[i])
            fprintf(stderr, "cachecast: the numbers of %s have moved since this link was made\n", i == 0 ? "A" : "B");
    enum exit_code code = jobs.interrupted ? EXIT_INTERRUPTED : EXIT_OK;
    text_free(&out);
    text_free(&heading);
    jobs_free(&jobs);
    return code;
}
