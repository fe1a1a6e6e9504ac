/* cachecast verify: every expectation of every scenario beside what the simulation gives. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "stats.h"
#include "table.h"

struct verdict {
    cc_expectation expectation;
    struct stats stats;
    bool pass;
};

static struct verdict judge(const struct jobs *jobs, const struct item *item, size_t index)
{
    struct verdict verdict;
    double *numbers = grow(NULL, item->done, sizeof *numbers);
    for (size_t i = 0; i < item->done; i++)
        numbers[i] = jobs->results[item->first + i].expected[index];
    cc_expectation_get(item->scenario, index, &verdict.expectation);
    verdict.stats = stats_of(numbers, item->done);
    /* A NaN in any replication is a metric without meaning there, and fails. */
    verdict.pass = verdict.stats.count == item->done && verdict.stats.mean >= verdict.expectation.low &&
                   verdict.stats.mean <= verdict.expectation.high;
    free(numbers);
    return verdict;
}

static void published_cell(struct table *table, const cc_expectation *expectation)
{
    char low[NUMBER_SIZE], high[NUMBER_SIZE];
    number_text(low, expectation->low);
    number_text(high, expectation->high);
    if (!isnan(expectation->value))
        table_cell(table, "%s", number_text(low, expectation->value));
    else if (isinf(expectation->high))
        table_cell(table, ">= %s", low);
    else if (isinf(expectation->low))
        table_cell(table, "<= %s", high);
    else
        table_cell(table, "%s..%s", low, high);
}

static void difference_cell(struct table *table, const struct verdict *verdict)
{
    const cc_expectation *expectation = &verdict->expectation;
    char number[NUMBER_SIZE];
    double gap = without_noise(verdict->stats.mean - expectation->value, expectation->value);
    size_t length = strlen(expectation->tolerance);
    bool relative = length > 0 && expectation->tolerance[length - 1] == '%';
    if (isnan(gap))
        table_cell(table, "-");
    else if (relative && (expectation->value < 0 || expectation->value > 0))
        table_cell(table, "%+.2f%%", 100 * gap / fabs(expectation->value));
    else
        table_cell(table, "%s", signed_text(number, gap));
}

static void write_text(struct text *out, const struct jobs *jobs, const struct item *item)
{
    char *label = item_label(item), number[NUMBER_SIZE];
    struct text title = {0};
    text_format(&title, "%s (%zu replication%s)", label, item->done, item->done == 1 ? "" : "s");
    text_say(out, style_bold(out));
    text_wrap(out, title.start, 0);
    text_say(out, style_end(out));
    text_free(&title);
    free(label);
    size_t count = cc_expectation_count(item->scenario);
    if (count == 0) {
        text_say(out, "no expectations: ran to its end\n");
        return;
    }
    struct table table;
    table_start(&table, 6);
    static const char *const headings[] = {"metric", "published", "simulated", "differs", "allowed", ""};
    for (size_t i = 0; i < 6; i++)
        table_cell(&table, "%s", headings[i]);
    for (size_t i = 0; i < count; i++) {
        struct verdict verdict = judge(jobs, item, i);
        const cc_expectation *expectation = &verdict.expectation;
        if (expectation->phase != NULL)
            table_cell(&table, "%s in %s", expectation->metric, expectation->phase);
        else
            table_cell(&table, "%s", expectation->metric);
        published_cell(&table, expectation);
        table_cell(&table, "%s", number_text(number, verdict.stats.mean));
        difference_cell(&table, &verdict);
        table_cell(&table, "%s",
                   *expectation->tolerance != '\0'        ? expectation->tolerance
                   : isnan(expectation->value)            ? "range"
                   : expectation->low < expectation->high ? "range"
                                                          : "exact");
        table_cell(&table, verdict.pass ? "PASS" : "FAIL");
        /* One line for all expectations in a row with the same source. */
        bool last = i + 1 == count;
        if (!last) {
            cc_expectation next;
            cc_expectation_get(item->scenario, i + 1, &next);
            last = strcmp(next.source, expectation->source) != 0;
        }
        if (last && *expectation->source != '\0')
            table_note(&table, expectation->source);
    }
    table_print(&table, out, true);
}

static void json_field(struct text *out, const char *name, double value)
{
    text_format(out, ", \"%s\": ", name);
    text_json_number(out, value);
}

static void write_json(struct text *out, const struct jobs *jobs, const struct item *item)
{
    text_say(out, "    {\n      \"file\": ");
    text_json_string(out, file_label(item->file));
    text_say(out, ",\n      \"name\": ");
    text_json_string(out, cc_scenario_name(item->scenario));
    text_say(out, ",\n      \"variant\": ");
    text_json_string(out, cc_scenario_variant(item->scenario));
    text_format(out, ",\n      \"replications\": %zu,\n      \"expectations\": [", item->done);
    size_t count = cc_expectation_count(item->scenario);
    for (size_t i = 0; i < count; i++) {
        struct verdict verdict = judge(jobs, item, i);
        text_format(out, "%s\n        {\"metric\": ", i > 0 ? "," : "");
        text_json_string(out, verdict.expectation.metric);
        text_say(out, ", \"phase\": ");
        if (verdict.expectation.phase != NULL)
            text_json_string(out, verdict.expectation.phase);
        else
            text_say(out, "null");
        json_field(out, "published", verdict.expectation.value);
        json_field(out, "low", verdict.expectation.low);
        json_field(out, "high", verdict.expectation.high);
        json_field(out, "simulated", verdict.stats.mean);
        json_field(out, "half_width", verdict.stats.half_width);
        json_field(out, "difference", verdict.stats.mean - verdict.expectation.value);
        text_say(out, ", \"tolerance\": ");
        text_json_string(out, verdict.expectation.tolerance);
        text_format(out, ", \"pass\": %s, \"source\": ", verdict.pass ? "true" : "false");
        text_json_string(out, verdict.expectation.source);
        text_say(out, "}");
    }
    text_format(out, "%s]\n    }", count > 0 ? "\n      " : "");
}

enum exit_code command_verify(const struct options *options)
{
    struct jobs jobs;
    struct text out = {.color = output_color(options->output)}, list = {.color = out.color};
    size_t passed = 0, failed = 0, scenarios = 0, files = 0;
    const char *file = NULL;
    jobs_load(&jobs, options);
    jobs_run(&jobs, options);
    for (size_t i = 0; i < jobs.item_count; i++) {
        const struct item *item = &jobs.items[i];
        if (item->done < item->replications || jobs.results[item->first].partial)
            continue; /* interrupted: no verdict on a part */
        for (size_t j = 0; j < cc_expectation_count(item->scenario); j++) {
            if (judge(&jobs, item, j).pass)
                passed++;
            else
                failed++;
        }
        bool new_file = file != item->file;
        file = item->file;
        files += new_file;
        if (options->json) {
            text_say(&list, scenarios > 0 ? ",\n" : "\n");
            write_json(&list, &jobs, item);
        } else {
            if (new_file)
                text_format(&list, "%s\n\n", file_label(file));
            write_text(&list, &jobs, item);
            text_say(&list, "\n");
        }
        scenarios++;
    }
    if (options->json)
        text_format(&out, "{\n  \"passed\": %zu,\n  \"failed\": %zu,\n  \"files\": %zu,\n  \"scenarios\": [%s%s]\n}\n",
                    passed, failed, files, list.start != NULL ? list.start : "", scenarios > 0 ? "\n  " : "");
    else
        text_format(&out, "%sChecked %zu file%s, %zu scenario%s.\n%zu passed, %s%zu failed%s\n",
                    list.start != NULL ? list.start : "", files, files == 1 ? "" : "s", scenarios,
                    scenarios == 1 ? "" : "s", passed, failed > 0 ? style_bad(&out) : "", failed,
                    failed > 0 ? style_end(&out) : "");
    output_write(options->output, &out);
    enum exit_code code = jobs.interrupted ? EXIT_INTERRUPTED : failed > 0 ? EXIT_EXPECTATION : EXIT_OK;
    text_free(&out);
    text_free(&list);
    jobs_free(&jobs);
    return code;
}
