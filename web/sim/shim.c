/* The simulator as a WebAssembly module: the C library's calls with numbers and addresses only, for sim.mjs.
 *
 * A module instance holds one scenario and one run at a time; the page starts one instance a worker. */
#include "cachecast.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>

#include "io/reader.h"

#define EXPORT(name) __attribute__((export_name(name)))

EXPORT("sim_alloc") void *sim_alloc(size_t size);
EXPORT("sim_free") void sim_free(void *block);
/* The number of variants in the text; 0 on an error. */
EXPORT("sim_variants") size_t sim_variants(const char *text, size_t length);
/* Starts a run with the values of a JSON object, {path: value} ("": none), laid over the text; 1 when it stands ready. */
EXPORT("sim_open")
int sim_open(const char *text, size_t length, const char *sets, size_t sets_length, size_t variant, double replication);
/* A cc_status. */
EXPORT("sim_advance") int sim_advance(double events);
EXPORT("sim_progress") double sim_progress(void);
/* A text to be freed with sim_free, or 0 on an error. */
EXPORT("sim_report") char *sim_report(void);
EXPORT("sim_digest") uint32_t sim_digest(void);
EXPORT("sim_link_read") char *sim_link_read(const char *link, size_t length);
EXPORT("sim_link_write") char *sim_link_write(const char *state, size_t length);
EXPORT("sim_error") const char *sim_error(void);
EXPORT("sim_error_line") unsigned sim_error_line(void);
EXPORT("sim_error_column") unsigned sim_error_column(void);
EXPORT("sim_close") void sim_close(void);

static cc_scenario *scenario;
static cc_run *run;
static cc_error error;

void *sim_alloc(size_t size) { return malloc(size); }

void sim_free(void *block) { free(block); }

size_t sim_variants(const char *text, size_t length) { return cc_scenario_variants(text, length, NULL, &error); }

void sim_close(void)
{
    cc_run_free(run);
    cc_scenario_free(scenario);
    run = NULL;
    scenario = NULL;
}

/* The scenario with the object's values, each written as the text of an override. */
static cc_scenario *parse(const char *text, size_t length, json_t *sets, size_t variant)
{
    size_t count = 0;
    cc_override *overrides = calloc(json_object_size(sets) + 1, sizeof *overrides);
    cc_scenario *parsed = NULL;
    bool good = overrides != NULL;
    const char *path;
    json_t *value;
    if (good)
        json_object_foreach(sets, path, value)
        {
            char *words = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
            good = good && words;
            overrides[count++] = (cc_override){.path = path, .value = words, .origin = path};
        }
    if (good)
        parsed = cc_scenario_parse(
            text, length, &(cc_parse_options){.variant = variant, .overrides = overrides, .override_count = count},
            &error);
    else
        error = (cc_error){.status = CC_OUT_OF_MEMORY, .message = "out of memory"};
    for (size_t i = 0; i < count; i++)
        free((void *)overrides[i].value);
    free(overrides);
    return parsed;
}

int sim_open(const char *text, size_t length, const char *sets, size_t sets_length, size_t variant, double replication)
{
    sim_close();
    json_object_seed(CC_HASH_SEED); /* before the first object: else a clock and a random device are asked for */
    json_t *json = sets_length > 0 ? json_loadb(sets, sets_length, JSON_REJECT_DUPLICATES, NULL) : NULL;
    if (sets_length > 0 && !json_is_object(json))
        error = (cc_error){.status = CC_BAD_INPUT, .message = "the values to lay over the scenario are no JSON object"};
    else
        scenario = parse(text, length, json, variant);
    json_decref(json);
    if (scenario)
        run = cc_run_new(scenario, (uint64_t)replication, &error);
    return run != NULL;
}

int sim_advance(double events) { return (int)cc_run_advance(run, (uint64_t)events, &error); }
double sim_progress(void) { return run ? cc_run_progress(run) : 0; }
char *sim_report(void) { return run ? cc_run_report(run, &error) : NULL; }
uint32_t sim_digest(void) { return run ? cc_run_digest(run) : 0; }
char *sim_link_read(const char *link, size_t length) { return cc_link_read(link, length, NULL, &error); }
char *sim_link_write(const char *state, size_t length) { return cc_link_write(state, length, NULL, &error); }
const char *sim_error(void) { return error.message; }
unsigned sim_error_line(void) { return error.line; }
unsigned sim_error_column(void) { return error.column; }
