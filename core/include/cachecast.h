/* cachecast: a deterministic simulator of cached services, as a C library.
 *
 * A scenario (JSON text) goes in, a report (JSON text) comes out; nothing else does: the library opens no file, reads
 * no clock, starts no thread, prints nothing and never aborts. The same scenario, seed and replication give the same
 * bytes on every machine. Separate objects may be used from separate threads at once. Nothing is kept between calls,
 * but for the hash seed of the JSON library (jansson): the first call that parses sets it for the whole process, to a
 * constant, unless the program has set it before.
 *
 *     cc_error error;
 *     char *report = NULL;
 *     cc_scenario *scenario = cc_scenario_parse(text, length, NULL, &error);
 *     cc_run *run = scenario ? cc_run_new(scenario, 0, &error) : NULL;
 *     if (run) {
 *         cc_status status = CC_MORE;
 *         while (status == CC_MORE)
 *             status = cc_run_advance(run, 1000000, &error);
 *         if (status == CC_OK)
 *             report = cc_run_report(run, &error);
 *     }
 *     if (report)
 *         fputs(report, stdout);
 *     else
 *         fprintf(stderr, "%s\n", error.message);
 *     cc_text_free(report, NULL);
 *     cc_run_free(run);
 *     cc_scenario_free(scenario);
 */
#ifndef CACHECAST_H
#define CACHECAST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "1.2.3". Never freed. */
const char *cc_version(void);

typedef enum {
    CC_OK = 0,
    CC_MORE = 1,          /* cc_run_advance: the run has not ended */
    CC_BAD_INPUT = 2,     /* the scenario is wrong; the error says where */
    CC_OUT_OF_MEMORY = 3, /* or a limit of the library was reached */
    CC_INTERNAL = 4       /* a conservation law was broken: a bug of cachecast */
} cc_status;

typedef struct {
    cc_status status;
    unsigned line, column; /* from 1; 0 where the place is not in the text */
    char pointer[256];     /* RFC 6901 JSON pointer into the text, "" for the whole, cut when too long */
    char message[768];     /* one line of UTF-8: pointer, what was found, what is allowed; without file, line, column */
} cc_error;

/* resize(context, block, old_size, size): like realloc with size > 0 (block may be NULL; NULL when out of memory), like
 * free with size 0. Must return memory aligned for any object. */
typedef struct {
    void *(*resize)(void *context, void *block, size_t old_size, size_t size);
    void *context;
} cc_allocator;

/* One value laid over the scenario before it is checked: path as in "l1.ttl" or "workload.keys.weights.0" (dots between
 * names and array positions), value as JSON text or, where it is not JSON, a plain string ("2s"). Errors in it name
 * `origin` (for example "--set l1.ttl=2") in place of line and column. */
typedef struct {
    const char *path;
    const char *value;
    const char *origin;
} cc_override;

typedef struct cc_scenario cc_scenario;

/* How many variants the text holds: 1 for a scenario without "variants". 0 and *error on bad JSON. */
size_t cc_scenario_variants(const char *text, size_t length, const cc_allocator *allocator, cc_error *error);

/* How to read a scenario; zeros are the defaults. */
typedef struct {
    size_t variant;               /* which one, from 0 */
    const cc_override *overrides; /* laid over the text in their order */
    size_t override_count;
    /* The text of the profile that a scenario names and that is not built in, with *length bytes, or NULL where there is
     * none. It must live until cc_scenario_parse returns. NULL: only the built-in ones. */
    const char *(*find_profile)(void *context, const char *name, size_t *length);
    void *context;
    const cc_allocator *allocator; /* NULL: malloc; serves the scenario and all made from it, and must outlive them */
} cc_parse_options;

/* The scenario, checked in full. NULL and *error when it is wrong. `options` may be NULL. Free with cc_scenario_free. */
cc_scenario *cc_scenario_parse(const char *text, size_t length, const cc_parse_options *options, cc_error *error);
void cc_scenario_free(cc_scenario *scenario);

const char *cc_scenario_name(const cc_scenario *scenario);    /* never NULL; lives as long as the scenario */
const char *cc_scenario_variant(const cc_scenario *scenario); /* "" where the file has no variants */
unsigned cc_scenario_replications(const cc_scenario *scenario);

/* The scenario as JSON text with every default filled in; parses to the same scenario. NULL when out of memory. Free
 * with cc_text_free. */
char *cc_scenario_explain(const cc_scenario *scenario);
/* The JSON Schema (draft 2020-12) of the scenario format, made from the table that the parser reads by. */
char *cc_schema(void);
void cc_text_free(char *text, const cc_allocator *allocator); /* cc_schema's texts: allocator NULL */

/* The profiles that are built in, in a fixed order: name and JSON text; NULL behind the last. Never freed. */
const char *cc_profile_name(size_t index);
const char *cc_profile_text(size_t index);

/* The metrics of a report's summary, in the report's order. */
size_t cc_metric_count(void);
const char *cc_metric_name(size_t metric); /* "origin.loads_per_s" */
const char *cc_metric_help(size_t metric); /* one sentence */
/* The metric of that name, or SIZE_MAX. */
size_t cc_metric_find(const char *name);

/* What an expectation asks: the metric of a phase (the whole run where phase is NULL) within [low, high]. */
typedef struct {
    const char *metric;
    const char *phase;     /* NULL: the whole measured run */
    double value;          /* the published value; NaN where only a range is given */
    double low, high;      /* accepted, inclusive; infinite where open */
    const char *tolerance; /* as written: "8%", "0.5"; "" where a range or exact */
    const char *source;    /* "" where none is given */
} cc_expectation;
size_t cc_expectation_count(const cc_scenario *scenario);
/* Fills *expectation; its texts live as long as the scenario. */
void cc_expectation_get(const cc_scenario *scenario, size_t index, cc_expectation *expectation);

/* Links (docs/links.md): the fragment of an address, or the whole address, as the state that it stands for, and back.
 * The state is JSON text: {"preset": "four-configurations.table", "variant": 3, "set": {"l1.ttl": "5s"}, "b": {"variant":
 * 4, "set": {...}}, "view": {"chart": "loads"}, "digest": "1a2b3c4d"}; preset, b and digest may be absent. In the "set"
 * that is written, objects are taken apart into paths, behind an empty one where they could lie over another. Without a
 * preset it is laid over {}, and what does not influence a run is left out. NULL and *error on a wrong link or state;
 * nothing is applied in part. Both texts end with a line feed; free them with cc_text_free. */
char *cc_link_read(const char *link, size_t length, const cc_allocator *allocator, cc_error *error);
char *cc_link_write(const char *state, size_t length, const cc_allocator *allocator, cc_error *error);

typedef struct cc_run cc_run;

/* A run of the scenario, which must outlive it. Replications differ in their random streams only. NULL and *error when
 * out of memory. Free with cc_run_free. */
cc_run *cc_run_new(const cc_scenario *scenario, uint64_t replication, cc_error *error);
void cc_run_free(cc_run *run);
/* Handles up to `events` events. CC_MORE while the run goes on, CC_OK when it has ended; else *error is filled. */
cc_status cc_run_advance(cc_run *run, uint64_t events, cc_error *error);
double cc_run_progress(const cc_run *run); /* simulated share of the duration, 0 to 1 */
uint64_t cc_run_events(const cc_run *run); /* handled so far */
uint64_t cc_run_hash(const cc_run *run);   /* of every event so far, in order */
/* Of the run's main figures, for links to tell whether they have moved: FNV-1a over the bits, lowest byte first, of
 * requests, errors, latency.mean_ms, .p50_ms, .p95_ms, .p99_ms, .p999_ms, l1.hit_ratio, l2.hit_ratio, origin.loads,
 * origin.peak_loads_per_s and connection.utilization; NaN counts as the bits of 0x7ff8000000000000. The list does not
 * change when metrics are added. */
uint32_t cc_run_digest(const cc_run *run);
/* A metric of the run so far, over the measured time or one phase of it (by name; NULL: the whole). NaN where the
 * metric has no meaning in this scenario (no L1, no sample) or the phase is unknown. */
double cc_run_metric(const cc_run *run, size_t metric, const char *phase);
/* The report as JSON text with a final newline: summary, phases, instances, series, histograms. May be asked for before
 * the end; "complete" then is false. NULL and *error when out of memory. Free with cc_text_free. */
char *cc_run_report(const cc_run *run, cc_error *error);

#ifdef __cplusplus
}
#endif

#endif
