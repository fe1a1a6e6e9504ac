/* cachecast bench redis --check: forecast beside measurement. */
#include "bench_redis.h"

#ifdef CACHECAST_MEASURES

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "files.h"
#include "forecast.h"
#include "table.h"

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double middle(double *values, size_t count)
{
    qsort(values, count, sizeof *values, ascending);
    return count == 0 ? NAN : count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static double measured(const struct redis_cell *cell, size_t quantile)
{
    return redis_median(cell,
                        offsetof(struct load_result, parts) + LOAD_TOTAL * sizeof(struct load_figures) + quantile);
}

void redis_check_profile(const struct redis_bench *bench)
{
    struct text profile = file_read(bench->profile);
    for (size_t i = 0; i < bench->codecs.count; i++) {
        struct forecast forecast;
        const struct forecast_setting setting = {
            .bytes = 1024, .threads = 1, .connections = 1, .codec = bench->codecs.words[i]};
        forecast_run(bench->profile, &profile, &setting, &forecast);
    }
    text_free(&profile);
}

void redis_check(struct text *out, const struct redis_bench *bench)
{
    struct text profile = file_read(bench->profile);
    static const char *const names[] = {"cell",  "threads", "conns",    "p50 us", "forecast",
                                        "error", "p95",     "forecast", "error"};
    double *errors[2] = {grow(NULL, bench->cell_count, sizeof(double)), grow(NULL, bench->cell_count, sizeof(double))};
    size_t count = 0;
    struct table table;
    table_start(&table, sizeof names / sizeof *names);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        table_cell(&table, "%s", names[i]);
    for (size_t i = 0; i < bench->cell_count; i++) {
        const struct redis_cell *cell = &bench->cells[i];
        if (cell->done == 0)
            continue;
        struct forecast forecast;
        const struct forecast_setting setting = {
            .bytes = cell->payloads->set.total / cell->payloads->set.count,
            .threads = cell->threads,
            .connections = cell->connections,
            .codec = codec_name(cell->codec),
            .pool = bench->mode == 1,
            .threshold = bench->threshold,
        };
        forecast_run(bench->profile, &profile, &setting, &forecast);
        const double pairs[2][2] = {{measured(cell, offsetof(struct load_figures, p50)), forecast.p50},
                                    {measured(cell, offsetof(struct load_figures, p95)), forecast.p95}};
        table_cell(&table, "%s %s", cell->payloads->label, codec_name(cell->codec));
        table_cell(&table, "%zu", cell->threads);
        table_cell(&table, "%zu", cell->connections);
        for (size_t j = 0; j < 2; j++) {
            char words[NUMBER_SIZE];
            double error = pairs[j][1] / pairs[j][0] - 1;
            errors[j][count] = fabs(error);
            for (size_t k = 0; k < 2; k++)
                table_cell(&table, "%s", number_text(words, round(pairs[j][k])));
            table_cell(&table, "%+.0f %%", 100 * error);
        }
        count++;
    }
    text_say(out, "\n");
    table_print(&table, out, true);
    text_format(out, "median error of %zu cells: p50 %.0f %%, p95 %.0f %%\n", count, 100 * middle(errors[0], count),
                100 * middle(errors[1], count));
    free(errors[0]);
    free(errors[1]);
    text_free(&profile);
}

#endif
