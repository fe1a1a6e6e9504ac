/* Worker threads take jobs by number; the main thread shows progress and waits. */
#include "jobs.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "interrupt.h"
#include "progress.h"
#include "stats.h"

/* Events between two looks at the interruption: as many as take some 50 ms, since a flush of a large cache takes longer
 * than a million others. */
#define SLICE_MAX 1000000u
#define SLICE_SECONDS 0.05

/* ---- scenarios -------------------------------------------------------------------------------------------------- */

static _Noreturn void die_of(const char *file, const cc_error *error)
{
    enum exit_code code = error->status == CC_BAD_INPUT ? EXIT_BAD_INPUT : EXIT_TROUBLE;
    if (error->line > 0)
        die(code, "%s:%u:%u: %s", file_label(file), error->line, error->column, error->message);
    die(code, "%s: %s", file_label(file), error->message);
}

/* The profile that a scenario names: a file beside the scenario. */
struct beside {
    const char *file;
    struct text text;
};

static const char *find_profile(void *context, const char *name, size_t *length)
{
    struct beside *beside = context;
    char *path = file_beside(beside->file, name);
    if (path == NULL)
        return NULL;
    text_free(&beside->text);
    beside->text = file_read(path);
    free(path);
    *length = beside->text.length;
    return beside->text.start;
}

static cc_scenario *parse_with(const char *file, const struct text *text, size_t variant, const cc_override *overrides,
                               size_t count)
{
    cc_error error = {0};
    struct beside beside = {.file = file};
    cc_scenario *scenario = cc_scenario_parse(text->start, text->length,
                                              &(cc_parse_options){.variant = variant,
                                                                  .overrides = overrides,
                                                                  .override_count = count,
                                                                  .find_profile = find_profile,
                                                                  .context = &beside},
                                              &error);
    text_free(&beside.text);
    if (scenario == NULL)
        die_of(file, &error);
    return scenario;
}

static cc_scenario *parse(const char *file, const struct text *text, size_t variant, const struct options *options)
{
    return parse_with(file, text, variant, options->overrides, options->override_count);
}

/* The variants of the file from *first on that are asked for; *text is the file. */
static size_t choose(const char *file, const struct text *text, const struct options *options, size_t *first)
{
    cc_error error = {0};
    size_t count = cc_scenario_variants(text->start, text->length, NULL, &error);
    if (count == 0)
        die_of(file, &error);
    *first = 0;
    if (options->variant == NULL)
        return count;
    struct text names = {0};
    text_add(&names, "", 0);
    for (size_t i = 0; i < count; i++) {
        cc_scenario *scenario = parse(file, text, i, options);
        const char *name = cc_scenario_variant(scenario);
        bool match = strcmp(name, options->variant) == 0;
        if (*name != '\0' && i < 8)
            text_format(&names, "%s\"%s\"", i > 0 ? ", " : "", name);
        if (i == 8)
            text_say(&names, ", ...");
        cc_scenario_free(scenario);
        if (match) {
            text_free(&names);
            *first = i;
            return 1;
        }
    }
    const char *words = options->variant;
    if (*words != '\0' && strlen(words) < 9 && words[strspn(words, "0123456789")] == '\0') {
        size_t number = (size_t)strtoul(words, NULL, 10);
        if (number >= 1 && number <= count) {
            text_free(&names);
            *first = number - 1;
            return 1;
        }
    }
    if (names.length == 0)
        die(EXIT_BAD_INPUT, "%s: no variant \"%s\": the scenario has none", file_label(file), words);
    die(EXIT_BAD_INPUT, "%s: no variant \"%s\"; it has %s (1 to %zu)", file_label(file), words, names.start, count);
}

cc_scenario *scenario_load(const char *path, const struct options *options)
{
    struct text text = file_read(path);
    size_t first;
    choose(path, &text, options, &first);
    cc_scenario *scenario = parse(path, &text, first, options);
    text_free(&text);
    return scenario;
}

/* Takes over the scenario. */
static void add_item(struct jobs *jobs, const struct options *options, const char *file, cc_scenario *scenario)
{
    jobs->items = grow(jobs->items, jobs->item_count + 1, sizeof *jobs->items);
    struct item *item = &jobs->items[jobs->item_count++];
    *item = (struct item){.file = file, .scenario = scenario};
    item->replications = options->replications > 0            ? options->replications
                         : options->command == COMMAND_VERIFY ? cc_scenario_replications(item->scenario)
                                                              : 1;
    if (item->replications == 0)
        item->replications = 1;
    item->first = jobs->result_count;
    jobs->result_count += item->replications;
}

void jobs_load(struct jobs *jobs, const struct options *options)
{
    *jobs = (struct jobs){0};
    for (size_t i = 0; i < options->paths.count; i++)
        paths_add(&jobs->files, options->paths.names[i], (options->command & (COMMAND_RUN | COMMAND_LINK)) == 0);
    for (size_t i = 0; i < jobs->files.count; i++) {
        const char *file = jobs->files.names[i];
        struct text text = file_read(file);
        size_t first, count = choose(file, &text, options, &first);
        for (size_t variant = first; variant < first + count; variant++)
            add_item(jobs, options, file, parse(file, &text, variant, options));
        if (options->command == COMMAND_LINK)
            jobs->text = text;
        else
            text_free(&text);
    }
    if (options->link != NULL) {
        link_read(&jobs->link, options->link, options->overrides, options->override_count);
        for (size_t i = 0; i < jobs->link.sides; i++) {
            const struct link_side *side = &jobs->link.side[i];
            struct text text = {.start = (char *)jobs->link.text, .length = strlen(jobs->link.text)};
            add_item(jobs, options, "--link", parse_with("--link", &text, side->variant, side->overrides, side->count));
        }
    }
    jobs->results = grow(NULL, jobs->result_count, sizeof *jobs->results);
    for (size_t i = 0; i < jobs->item_count; i++) {
        struct item *item = &jobs->items[i];
        size_t metrics = cc_metric_count(), expected = cc_expectation_count(item->scenario);
        for (size_t j = item->first; j < item->first + item->replications; j++) {
            jobs->results[j] = (struct result){.metrics = grow(NULL, metrics, sizeof(double)),
                                               .expected = grow(NULL, expected, sizeof(double))};
        }
    }
}

/* ---- runs ------------------------------------------------------------------------------------------------------- */

struct live {
    _Atomic uint64_t events;
    _Atomic uint32_t millionths;
};

struct pool {
    struct jobs *jobs;
    struct live *live;           /* per result */
    const struct item **item_of; /* per result */
    atomic_size_t next;
    atomic_size_t failed; /* the first job that failed, or SIZE_MAX: later ones need not run */
    pthread_mutex_t lock; /* for what follows */
    pthread_cond_t ended;
    size_t working;
    cc_error error;
};

static void fail(struct pool *pool, size_t index, const cc_error *error)
{
    pthread_mutex_lock(&pool->lock);
    if (index < atomic_load(&pool->failed)) {
        atomic_store(&pool->failed, index);
        pool->error = *error;
    }
    pthread_mutex_unlock(&pool->lock);
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void run_job(struct pool *pool, size_t index)
{
    struct jobs *jobs = pool->jobs;
    struct result *result = &jobs->results[index];
    const struct item *item = pool->item_of[index];
    struct live *live = &pool->live[index];
    cc_error error = {0};
    cc_run *run = cc_run_new(item->scenario, (uint64_t)(index - item->first), &error);
    if (run == NULL) {
        fail(pool, index, &error);
        return;
    }
    cc_status status = CC_MORE;
    uint64_t slice = 100;
    while (status == CC_MORE && atomic_load(&interrupted) == 0 && atomic_load(&pool->failed) > index) {
        double began = seconds_now();
        status = cc_run_advance(run, slice, &error);
        double took = seconds_now() - began;
        if (took < SLICE_SECONDS / 2 && slice < SLICE_MAX)
            slice *= 2;
        else if (took > SLICE_SECONDS * 2 && slice > 1)
            slice = took > SLICE_SECONDS * 20 ? 1 : slice / 2;
        atomic_store(&live->events, cc_run_events(run));
        atomic_store(&live->millionths, (uint32_t)(1e6 * cc_run_progress(run)));
    }
    bool only = jobs->result_count == 1 && status == CC_MORE && atomic_load(&interrupted) != 0;
    if (status == CC_OK || only) {
        for (size_t i = 0; i < cc_metric_count(); i++)
            result->metrics[i] = cc_run_metric(run, i, NULL);
        for (size_t i = 0; i < cc_expectation_count(item->scenario); i++) {
            cc_expectation expectation;
            cc_expectation_get(item->scenario, i, &expectation);
            size_t metric = cc_metric_find(expectation.metric);
            result->expected[i] = metric == SIZE_MAX ? NAN : cc_run_metric(run, metric, expectation.phase);
        }
        result->events = cc_run_events(run);
        result->hash = cc_run_hash(run);
        result->digest = cc_run_digest(run);
        if (jobs->reports) {
            result->report = cc_run_report(run, &error);
            if (result->report == NULL)
                fail(pool, index, &error);
        }
        result->finished = status == CC_OK;
        result->partial = only;
        atomic_store(&live->millionths, 1000000);
    } else if (status != CC_MORE) {
        fail(pool, index, &error);
    }
    cc_run_free(run);
}

static void *work(void *context)
{
    struct pool *pool = context;
    for (;;) {
        size_t index = atomic_fetch_add(&pool->next, 1);
        if (index >= pool->jobs->result_count || index > atomic_load(&pool->failed))
            break;
        /* The first job always starts: an interrupted single run has a report. */
        if (index > 0 && atomic_load(&interrupted) != 0)
            break;
        run_job(pool, index);
    }
    pthread_mutex_lock(&pool->lock);
    pool->working--;
    pthread_cond_signal(&pool->ended);
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static void show(const struct pool *pool, struct progress *progress)
{
    size_t count = pool->jobs->result_count;
    double done = 0;
    uint64_t events = 0;
    for (size_t i = 0; i < count; i++) {
        done += 1e-6 * (double)atomic_load(&pool->live[i].millionths);
        events += atomic_load(&pool->live[i].events);
    }
    progress_show(progress, done / (double)count, events);
}

static void wait_for_end(struct pool *pool, bool quiet)
{
    struct progress progress;
    progress_start(&progress, quiet);
    pthread_mutex_lock(&pool->lock);
    while (pool->working > 0) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 250000000;
        if (until.tv_nsec >= 1000000000) {
            until.tv_nsec -= 1000000000;
            until.tv_sec++;
        }
        pthread_cond_timedwait(&pool->ended, &pool->lock, &until);
        if (progress.shown) {
            pthread_mutex_unlock(&pool->lock);
            show(pool, &progress);
            pthread_mutex_lock(&pool->lock);
        }
    }
    pthread_mutex_unlock(&pool->lock);
    progress_clear(&progress);
}

/* Moves the finished results of every item to its front and counts them. */
static void collect(struct jobs *jobs)
{
    jobs->finished = 0;
    for (size_t i = 0; i < jobs->item_count; i++) {
        struct item *item = &jobs->items[i];
        struct result *results = jobs->results + item->first;
        item->done = 0;
        for (size_t j = 0; j < item->replications; j++) {
            jobs->finished += results[j].finished;
            if (!results[j].finished && !results[j].partial)
                continue;
            struct result keep = results[item->done];
            results[item->done++] = results[j];
            if (item->done - 1 != j)
                results[j] = keep;
        }
    }
}

void jobs_run(struct jobs *jobs, const struct options *options)
{
    size_t count = jobs->result_count, threads = options->jobs < count ? options->jobs : count;
    struct pool pool = {.jobs = jobs, .lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};
    pool.live = grow(NULL, count, sizeof *pool.live);
    pool.item_of = grow(NULL, count, sizeof *pool.item_of);
    for (size_t i = 0; i < jobs->item_count; i++)
        for (size_t j = 0; j < jobs->items[i].replications; j++)
            pool.item_of[jobs->items[i].first + j] = &jobs->items[i];
    for (size_t i = 0; i < count; i++) {
        atomic_init(&pool.live[i].events, 0);
        atomic_init(&pool.live[i].millionths, 0);
    }
    atomic_init(&pool.next, 0);
    atomic_init(&pool.failed, SIZE_MAX);

    interrupt_catch();

    pthread_t *started = grow(NULL, threads, sizeof *started);
    size_t running = 0;
    pool.working = threads;
    for (; running < threads; running++)
        if (pthread_create(&started[running], NULL, work, &pool) != 0)
            break;
    if (running == 0 && count > 0)
        die(EXIT_TROUBLE, "cannot start a thread");
    pthread_mutex_lock(&pool.lock);
    pool.working -= threads - running;
    pthread_mutex_unlock(&pool.lock);
    wait_for_end(&pool, options->quiet);
    for (size_t i = 0; i < running; i++)
        pthread_join(started[i], NULL);
    free(started);

    size_t failed = atomic_load(&pool.failed);
    if (failed != SIZE_MAX)
        die_of(pool.item_of[failed]->file, &pool.error);
    collect(jobs);
    jobs->interrupted = jobs->finished < count;
    if (jobs->interrupted)
        fprintf(stderr, "cachecast: interrupted: %zu of %zu runs finished\n", jobs->finished, count);
    size_t kept = 0;
    for (size_t i = 0; i < jobs->item_count; i++)
        kept += jobs->items[i].done;
    if (jobs->interrupted && (kept == 0 || (jobs->finished == 0 && options->command == COMMAND_VERIFY)))
        exit(EXIT_INTERRUPTED); /* nothing to keep: an older output stays as it is */
    free(pool.live);
    free(pool.item_of);
}

void jobs_free(struct jobs *jobs)
{
    for (size_t i = 0; i < jobs->result_count; i++) {
        free(jobs->results[i].metrics);
        free(jobs->results[i].expected);
        if (jobs->results[i].report != NULL)
            cc_text_free(jobs->results[i].report, NULL);
    }
    for (size_t i = 0; i < jobs->item_count; i++)
        cc_scenario_free(jobs->items[i].scenario);
    free(jobs->results);
    free(jobs->items);
    paths_free(&jobs->files);
    text_free(&jobs->text);
    link_free(&jobs->link);
}

/* ---- results ---------------------------------------------------------------------------------------------------- */

struct stats item_stats(const struct jobs *jobs, const struct item *item, size_t metric)
{
    double *numbers = grow(NULL, item->done, sizeof *numbers);
    for (size_t i = 0; i < item->done; i++)
        numbers[i] = jobs->results[item->first + i].metrics[metric];
    struct stats stats = stats_of(numbers, item->done);
    free(numbers);
    return stats;
}

char *item_label(const struct item *item)
{
    struct text label = {0};
    const char *variant = cc_scenario_variant(item->scenario);
    text_format(&label, "%s%s%s", cc_scenario_name(item->scenario), *variant != '\0' ? " / " : "", variant);
    text_tame(label.start);
    return label.start;
}

void item_summary_json(struct text *out, const struct jobs *jobs, const struct item *item, const char *indent)
{
    text_say(out, "{");
    for (size_t i = 0; i < cc_metric_count(); i++) {
        struct stats stats = item_stats(jobs, item, i);
        text_format(out, "%s\n%s  ", i > 0 ? "," : "", indent);
        text_json_string(out, cc_metric_name(i));
        text_say(out, ": {\"mean\": ");
        text_json_number(out, stats.mean);
        text_say(out, ", \"half_width\": ");
        text_json_number(out, stats.half_width);
        text_say(out, ", \"min\": ");
        text_json_number(out, stats.min);
        text_say(out, ", \"max\": ");
        text_json_number(out, stats.max);
        text_say(out, "}");
    }
    text_format(out, "\n%s}", indent);
}
