/* The report: what a run found, as JSON with a fixed order of keys. It depends on the scenario, the seed and the
 * replication only, so that the same run gives the same bytes everywhere. */
#include "cachecast.h"
#include "io/write.h"
#include "model/sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define REPORT_FORMAT 1

static void write_summary(struct cc_text *text, const struct cc_run *run, const struct measure *measure)
{
    cc_json_object(text);
    for (size_t i = 0; i < cc_metric_count(); i++) {
        double value = metric_value(run, measure, i);
        if (!isfinite(value))
            continue; /* without meaning in this scenario */
        cc_json_key(text, cc_metric_name(i));
        cc_json_double(text, value);
    }
    cc_json_end_object(text);
}

static void write_phases(struct cc_text *text, const struct cc_run *run)
{
    cc_json_array(text);
    for (uint32_t i = 0; i <= run->measure_at; i++) {
        const struct measure *measure = &run->measures[i];
        if (measure->name[0] == 0)
            continue;
        cc_json_object(text);
        cc_json_key(text, "name");
        cc_json_string(text, measure->name);
        cc_json_key(text, "from_s");
        cc_json_double(text, cc_seconds(measure->from));
        cc_json_key(text, "to_s");
        cc_json_double(text, cc_seconds(measure->to));
        cc_json_key(text, "summary");
        write_summary(text, run, measure);
        cc_json_end_object(text);
    }
    cc_json_end_array(text);
}

static void write_instances(struct cc_text *text, const struct cc_run *run)
{
    cc_json_array(text);
    for (uint32_t i = 0; i < run->instance_count; i++) {
        const struct instance_counts *counts = &run->total->instances[i];
        cc_json_inline_object(text);
        cc_json_key(text, "requests");
        cc_json_uint(text, counts->requests);
        if (run->scenario->l1_present) {
            cc_json_key(text, "l1_hits");
            cc_json_uint(text, counts->l1_hits);
            cc_json_key(text, "l1_misses");
            cc_json_uint(text, counts->l1_misses);
        }
        cc_json_key(text, "loads");
        cc_json_uint(text, counts->loads);
        cc_json_end_object(text);
    }
    cc_json_end_array(text);
}

static void write_series(struct cc_text *text, const struct cc_run *run)
{
    static const char *const NAMES[SERIES_COLUMNS] = {
        "requests", "completed",    "failed",    "dropped", "l1_hits", "l2_hits",       "joined",
        "loads",    "transactions", "in_flight", "p50_ms",  "p99_ms",  "breakers_open", "stale_answers"};
    cc_json_object(text);
    cc_json_key(text, "end_s");
    cc_json_inline_array(text);
    for (uint32_t i = 0; i < run->series_count; i++)
        cc_json_double(text, cc_seconds(run->series[i].end));
    cc_json_end_array(text);
    for (int column = 0; column < SERIES_COLUMNS; column++) {
        cc_json_key(text, NAMES[column]);
        cc_json_inline_array(text);
        for (uint32_t i = 0; i < run->series_count; i++) {
            uint64_t value = run->series[i].values[column];
            if (column == SERIES_P50 || column == SERIES_P99)
                cc_json_double(text, (double)value / 1e6);
            else
                cc_json_uint(text, value);
        }
        cc_json_end_array(text);
    }
    cc_json_end_object(text);
}

/* What the monitoring system's panels show. */
static void write_observed(struct cc_text *text, const struct cc_run *run)
{
    static const char *const NAMES[SCRAPED + 1] = {"requests_per_s", "l1_misses_per_s", "loads_per_s", "p99_ms"};
    const struct observer *observer = run->observer;
    cc_json_object(text);
    cc_json_key(text, "at_s");
    cc_json_inline_array(text);
    for (uint32_t n = 0; n < observer->point_count; n++)
        cc_json_double(text, cc_seconds(observer->points[n].at));
    cc_json_end_array(text);
    for (int what = 0; what <= SCRAPED; what++) {
        cc_json_key(text, NAMES[what]);
        cc_json_inline_array(text);
        for (uint32_t n = 0; n < observer->point_count; n++) {
            double value = what < SCRAPED ? observer->points[n].rates[what] : observer->points[n].p99;
            if (isfinite(value))
                cc_json_double(text, value);
            else
                cc_json_null(text);
        }
        cc_json_end_array(text);
    }
    cc_json_end_object(text);
}

static void write_histogram(struct cc_text *text, const char *name, const struct cc_histogram *histogram)
{
    cc_json_key(text, name);
    cc_json_inline_array(text);
    for (uint32_t i = 0; i < CC_HISTOGRAM_BUCKETS; i++) {
        if (histogram->buckets[i] == 0)
            continue;
        cc_json_inline_array(text);
        cc_json_uint(text, cc_histogram_lower(i));
        cc_json_uint(text, histogram->buckets[i]);
        cc_json_end_array(text);
    }
    cc_json_end_array(text);
}

static void write_histograms(struct cc_text *text, const struct cc_run *run)
{
    static const char *const NAMES[OUTCOMES] = {"l1_hit", "l2_hit", "joined", "loaded", "written", "grace", "failed"};
    cc_json_object(text);
    for (int outcome = 0; outcome < OUTCOMES; outcome++)
        if (run->total->latency[outcome].count > 0)
            write_histogram(text, NAMES[outcome], &run->total->latency[outcome]);
    cc_json_end_object(text);
}

char *cc_run_report(const cc_run *run, cc_error *error)
{
    struct cc_text text;
    char hash[17];
    measure_sync(run);
    const struct cc_scenario *scenario = run->scenario;
    cc_text_start(&text, &run->allocator);
    cc_json_object(&text);
    cc_json_key(&text, "format");
    cc_json_uint(&text, REPORT_FORMAT);
    cc_json_key(&text, "version");
    cc_json_string(&text, cc_version());
    cc_json_key(&text, "name");
    cc_json_string(&text, scenario->name);
    cc_json_key(&text, "variant");
    cc_json_string(&text, scenario->variant);
    cc_json_key(&text, "seed");
    cc_json_uint(&text, scenario->seed);
    cc_json_key(&text, "replication");
    cc_json_uint(&text, run->replication);
    cc_json_key(&text, "complete");
    cc_json_bool(&text, run->ended);
    cc_json_key(&text, "simulated_s");
    cc_json_double(&text, cc_seconds(run->now));
    cc_json_key(&text, "events");
    cc_json_uint(&text, run->events);
    cc_json_key(&text, "event_hash");
    snprintf(hash, sizeof hash, "%08lx%08lx", (unsigned long)(run->hash >> 32),
             (unsigned long)(run->hash & UINT64_C(0xffffffff)));
    cc_json_string(&text, hash);
    cc_json_key(&text, "summary");
    write_summary(&text, run, run->total);
    cc_json_key(&text, "phases");
    write_phases(&text, run);
    cc_json_key(&text, "instances");
    write_instances(&text, run);
    cc_json_key(&text, "series");
    write_series(&text, run);
    if (run->observer) {
        cc_json_key(&text, "observed");
        write_observed(&text, run);
    }
    cc_json_key(&text, "histograms_ns");
    write_histograms(&text, run);
    if (run->total->ages)
        write_histogram(&text, "stale_age_ns", &run->total->ages[AGE_ANSWER]);
    cc_json_end_object(&text);
    char *report = cc_text_take(&text);
    if (!report) {
        *error = (cc_error){.status = CC_OUT_OF_MEMORY};
        snprintf(error->message, sizeof error->message, "out of memory");
    }
    return report;
}

const char *cc_version(void) { return CC_VERSION; }
