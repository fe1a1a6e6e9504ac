/* Counting: phases, the series, and the laws that every run must obey.
 *
 * Counters and sums run from the start of the run; a phase's figures are differences, so that the road pays one addition
 * an event. What happens is counted in the phase in which it happens. Times inside stations come from sums of entering
 * and leaving times: the integral of the number inside up to now is n now - sum(enter) + sum(leave). */
#include "model/sim.h"

#include <stdio.h>
#include <string.h>

static cc_wide integral(uint64_t entered, uint64_t left, cc_wide enter_sum, cc_wide leave_sum, cc_time now)
{
    return (cc_wide)(entered - left) * now - enter_sum + leave_sum;
}

static cc_wide in_system_area(const struct cc_run *run, int kind)
{
    const struct account *a = &run->accounts[kind];
    return integral(a->entered, a->left, a->enter_sum, a->leave_sum, run->now);
}

static cc_wide busy_area(const struct cc_run *run, int kind)
{
    const struct account *a = &run->accounts[kind];
    return integral(a->started, a->left, a->start_sum, a->leave_sum, run->now);
}

static cc_wide in_flight_area(const struct cc_run *run)
{
    return integral(run->in_flight, 0, run->in_flight_enter, run->in_flight_leave, run->now);
}

static cc_wide instances_area(const struct cc_run *run)
{
    return integral(run->present_count, 0, run->present_enter, run->present_leave, run->now);
}

static struct cc_histogram *histograms_clear(struct measure *measure)
{
    for (int i = 0; i <= OUTCOMES; i++)
        cc_histogram_clear(&measure->latency[i]);
    for (int i = 0; i < STATIONS; i++)
        cc_histogram_clear(&measure->wait[i]);
    for (int i = 0; measure->command && i <= COMMAND_GET; i++)
        cc_histogram_clear(&measure->command[i]);
    for (int i = 0; measure->ages && i < AGES; i++)
        cc_histogram_clear(&measure->ages[i]);
    if (measure->client)
        cc_histogram_clear(measure->client);
    return measure->latency;
}

static void open_measure(struct cc_run *run)
{
    host_settle(run);
    struct measure *measure = measure_now(run);
    measure->from = measure->to = run->now;
    measure->begun = true;
    memcpy(run->start->counters, run->counters, sizeof run->counters);
    for (int i = 0; i < STATIONS; i++) {
        run->start->in_system[i] = in_system_area(run, i);
        run->start->busy[i] = busy_area(run, i);
        run->accounts[i].most_waiting = run->accounts[i].waiting;
    }
    run->start->in_flight = in_flight_area(run);
    run->start->instances_present = instances_area(run);
    run->most_in_flight = run->in_flight;
    for (uint32_t i = 0; i < run->instance_limit; i++) {
        struct instance_counts *before = &run->instances[i].counts_before, *counts = &run->instances[i].counts;
        before->requests += counts->requests;
        before->l1_misses += counts->l1_misses;
        before->loads += counts->loads;
        *counts = (struct instance_counts){0};
    }
}

bool measure_start(struct cc_run *run)
{
    const struct cc_scenario *scenario = run->scenario;
    bool warmup = scenario->warmup > 0;
    /* A run without a mark at the start of its measured time has an unnamed first phase. */
    bool unnamed = scenario->phase_count == 0 || scenario->phases[0].at > scenario->warmup;
    run->measure_count = (uint32_t)warmup + (uint32_t)unnamed + scenario->phase_count;
    uint32_t measured = run->measure_count - (uint32_t)warmup;
    uint32_t wanted = run->measure_count + (uint32_t)(measured > 1);
    run->measures = cc_arena_take(&run->arena, wanted, sizeof *run->measures);
    run->start = cc_arena_take(&run->arena, 1, sizeof *run->start);
    run->interval = cc_arena_take(&run->arena, 1, sizeof *run->interval);
    run->interval_before = cc_arena_take(&run->arena, 1, sizeof *run->interval_before);
    run->series_capacity = (uint32_t)((scenario->duration + scenario->interval - 1) / scenario->interval) + 1;
    run->series = cc_arena_take(&run->arena, run->series_capacity, sizeof *run->series);
    if (!run->measures || !run->start || !run->interval || !run->interval_before || !run->series)
        return false;
    for (uint32_t i = 0; i < wanted; i++) {
        run->measures[i].name = "";
        run->measures[i].instances = cc_arena_take(&run->arena, run->instance_limit, sizeof(struct instance_counts));
        if (scenario->l2_present && scenario->l2.connection_present) {
            run->measures[i].command = cc_arena_take(&run->arena, 2, sizeof *run->measures[i].command);
            if (!run->measures[i].command)
                return false;
        }
        if (run->observer) {
            run->measures[i].client = cc_arena_take(&run->arena, 1, sizeof *run->measures[i].client);
            run->measures[i].buckets =
                cc_arena_take(&run->arena, run->observer->bound_count + 1, sizeof *run->measures[i].buckets);
            if (!run->measures[i].client || !run->measures[i].buckets)
                return false;
        }
        if (run->published_keys > 0) {
            run->measures[i].ages = cc_arena_take(&run->arena, AGES, sizeof *run->measures[i].ages);
            if (!run->measures[i].ages)
                return false;
        }
        if (!run->measures[i].instances || !histograms_clear(&run->measures[i]))
            return false;
    }
    for (uint32_t i = 0; i < scenario->phase_count; i++)
        run->measures[run->measure_count - scenario->phase_count + i].name = scenario->phases[i].name;
    run->total = &run->measures[wanted - 1];
    cc_histogram_clear(run->interval);
    cc_histogram_clear(run->interval_before);
    open_measure(run);
    cc_queue_push(&run->queue, scenario->interval, EVENT_TICK, 0);
    if (warmup)
        cc_queue_push(&run->queue, scenario->warmup, EVENT_PHASE, 0);
    for (uint32_t i = 0; i < scenario->phase_count; i++)
        if (scenario->phases[i].at > scenario->warmup)
            cc_queue_push(&run->queue, scenario->phases[i].at, EVENT_PHASE, 0);
    return true;
}

/* Ends the interval of the series that runs now. When the run closes at the very moment of the last tick, what came in
 * that moment belongs to the interval before. */
static void tick(struct cc_run *run, bool closing)
{
    bool again = run->series_count > 0 && run->now == run->last_tick;
    if (again ? !closing : run->series_count == run->series_capacity)
        return;
    struct series_row *row = &run->series[again ? run->series_count - 1 : run->series_count++];
    uint64_t *v = row->values;
    const struct cc_histogram *latency = run->interval;
    if (again) {
        cc_histogram_add(run->interval_before, run->interval);
        latency = run->interval_before;
    } else {
        row->start = run->last_tick;
        row->end = run->last_tick = run->now;
        memset(v, 0, sizeof row->values);
    }
    uint64_t d[COUNTERS];
    for (int i = 0; i < COUNTERS; i++)
        d[i] = run->counters[i] - run->interval_start[i];
    v[SERIES_REQUESTS] += d[COUNT_ARRIVALS];
    v[SERIES_FAILED] += d[COUNT_OUTCOME + OUTCOME_FAILED];
    for (int i = 0; i < OUTCOME_FAILED; i++)
        v[SERIES_COMPLETED] += d[COUNT_OUTCOME + i];
    v[SERIES_DROPPED] += d[COUNT_DROPPED];
    v[SERIES_L1_HITS] += d[COUNT_L1_HITS];
    v[SERIES_L2_HITS] += d[COUNT_L2_HITS];
    v[SERIES_JOINED] += d[COUNT_OUTCOME + OUTCOME_JOINED];
    v[SERIES_LOADS] += d[COUNT_LOADS];
    v[SERIES_TRANSACTIONS] += d[COUNT_LOADS] + d[COUNT_CHECKS] + d[COUNT_INSERTS] + d[COUNT_ORIGIN_WRITES];
    v[SERIES_IN_FLIGHT] = run->in_flight;
    v[SERIES_BREAKERS] = breakers_open(run);
    v[SERIES_STALE] += d[COUNT_STALE_ANSWERS];
    v[SERIES_P50] = cc_histogram_quantile(latency, 50, 100);
    v[SERIES_P99] = cc_histogram_quantile(latency, 99, 100);
    /* A last interval cut short is no burst: its loads are taken over a whole one. */
    struct measure *measure = measure_now(run);
    uint64_t length = row->end - row->start;
    if (run->series_count > 1 && length < run->scenario->interval)
        length = run->scenario->interval;
    if (length > 0 && (measure->peak_length == 0 ||
                       (cc_wide)v[SERIES_LOADS] * measure->peak_length > (cc_wide)measure->peak_loads * length)) {
        measure->peak_loads = v[SERIES_LOADS];
        measure->peak_length = length;
    }
    memcpy(run->interval_start, run->counters, sizeof run->counters);
    struct cc_histogram *spare = run->interval_before;
    run->interval_before = run->interval;
    run->interval = spare;
    cc_histogram_clear(spare);
}

void measure_tick(struct cc_run *run)
{
    tick(run, false);
    cc_time next = run->now / run->scenario->interval * run->scenario->interval + run->scenario->interval;
    if (next < run->scenario->duration)
        cc_queue_push(&run->queue, next, EVENT_TICK, 0);
}

static void sync_open(struct cc_run *run)
{
    host_settle(run);
    struct measure *measure = measure_now(run);
    measure->to = run->now;
    for (int i = 0; i < COUNTERS; i++)
        measure->counters[i] = run->counters[i] - run->start->counters[i];
    for (int i = 0; i < STATIONS; i++) {
        measure->in_system[i] = in_system_area(run, i) - run->start->in_system[i];
        measure->busy[i] = busy_area(run, i) - run->start->busy[i];
        measure->most_waiting[i] = run->accounts[i].most_waiting;
    }
    measure->in_flight = in_flight_area(run) - run->start->in_flight;
    measure->instances_present = instances_area(run) - run->start->instances_present;
    measure->most_in_flight = run->most_in_flight;
    for (uint32_t i = 0; i < run->instance_limit; i++)
        measure->instances[i] = run->instances[i].counts;
    struct cc_histogram *all = &measure->latency[OUTCOME_ALL];
    cc_histogram_clear(all);
    for (int i = 0; i < OUTCOME_FAILED; i++)
        cc_histogram_add(all, &measure->latency[i]);
}

/* What lies in the caches of the instances that take requests, and in L2. */
static void take_census(struct cc_run *run)
{
    struct measure *measure = measure_now(run);
    measure->census[0] = measure->census[1] = (struct census){0};
    for (uint32_t i = 0; run->scenario->l1_present && i < run->up_count; i++) {
        struct census one = cache_census(run, &run->instances[run->up[i]].l1);
        measure->census[0].entries += one.entries;
        measure->census[0].expired += one.expired;
        measure->census[0].stale += one.stale;
        measure->census[0].bytes += one.bytes;
    }
    if (run->scenario->l2_present)
        measure->census[1] = cache_census(run, &run->l2);
}

void measure_phase(struct cc_run *run)
{
    if (run->now % run->scenario->interval == 0)
        tick(run, false); /* the interval that ends here belongs to the phase that ends here */
    sync_open(run);
    take_census(run);
    run->measure_at++;
    open_measure(run);
}

void measure_outcome(struct cc_run *run, const struct request *request)
{
    cc_time latency = run->now - request->sent;
    run->counters[COUNT_OUTCOME + request->outcome]++;
    cc_histogram_record(&measure_now(run)->latency[request->outcome], latency);
    if (CC_RARE(run->observer != NULL))
        observe_answer(run, request);
    if (request->outcome != OUTCOME_FAILED) {
        cc_histogram_record(run->interval, latency);
        if (CC_RARE(run->published_keys > 0))
            freshness_answered(run, request);
    }
}

static void add_measure(struct measure *to, const struct measure *from, uint32_t instances, uint32_t buckets)
{
    if (from->client) {
        cc_histogram_add(to->client, from->client);
        for (uint32_t i = 0; i < buckets; i++)
            to->buckets[i] += from->buckets[i];
    }
    to->to = from->to;
    for (int i = 0; i < COUNTERS; i++)
        to->counters[i] += from->counters[i];
    for (int i = 0; i < STATIONS; i++) {
        to->in_system[i] += from->in_system[i];
        to->busy[i] += from->busy[i];
        if (from->most_waiting[i] > to->most_waiting[i])
            to->most_waiting[i] = from->most_waiting[i];
        cc_histogram_add(&to->wait[i], &from->wait[i]);
    }
    to->in_flight += from->in_flight;
    to->instances_present += from->instances_present;
    if (from->most_in_flight > to->most_in_flight)
        to->most_in_flight = from->most_in_flight;
    if (from->peak_length > 0 && (to->peak_length == 0 || (cc_wide)from->peak_loads * to->peak_length >
                                                              (cc_wide)to->peak_loads * from->peak_length)) {
        to->peak_loads = from->peak_loads;
        to->peak_length = from->peak_length;
    }
    for (uint32_t i = 0; i < instances; i++) {
        to->instances[i].requests += from->instances[i].requests;
        to->instances[i].l1_hits += from->instances[i].l1_hits;
        to->instances[i].l1_misses += from->instances[i].l1_misses;
        to->instances[i].loads += from->instances[i].loads;
        if (from->instances[i].pending > to->instances[i].pending)
            to->instances[i].pending = from->instances[i].pending;
    }
    for (int i = 0; i <= OUTCOMES; i++)
        cc_histogram_add(&to->latency[i], &from->latency[i]);
    for (int i = 0; to->command && i <= COMMAND_GET; i++)
        cc_histogram_add(&to->command[i], &from->command[i]);
    for (int i = 0; to->ages && i < AGES; i++)
        cc_histogram_add(&to->ages[i], &from->ages[i]);
    to->census[0] = from->census[0]; /* at the end */
    to->census[1] = from->census[1];
    if (from->unchecked > to->unchecked)
        to->unchecked = from->unchecked;
}

void measure_sync(const struct cc_run *constant)
{
    /* The measures are results derived from the run; bringing them up to date does not change the run itself. */
    struct cc_run *run = (struct cc_run *)(uintptr_t)constant; /* NOLINT(performance-no-int-to-ptr) */
    sync_open(run);
    if (run->synced != run->events + 1) {
        run->synced = run->events + 1;
        take_census(run);
        if (run->published_keys > 0)
            freshness_sync(run);
    }
    uint32_t first = run->scenario->warmup > 0 ? 1 : 0;
    if (run->total < &run->measures[run->measure_count])
        return;
    struct measure *total = run->total;
    struct instance_counts *instances = total->instances;
    uint32_t buckets = run->observer ? run->observer->bound_count + 1 : 0;
    histograms_clear(total);
    if (buckets > 0)
        memset(total->buckets, 0, buckets * sizeof *total->buckets);
    memset(total->counters, 0, sizeof total->counters);
    memset(total->in_system, 0, sizeof total->in_system);
    memset(total->busy, 0, sizeof total->busy);
    memset(total->most_waiting, 0, sizeof total->most_waiting);
    memset(instances, 0, run->instance_limit * sizeof *instances);
    total->in_flight = 0;
    total->instances_present = 0;
    total->most_in_flight = 0;
    total->peak_loads = total->peak_length = 0;
    total->unchecked = 0;
    total->from = total->to = run->measures[first].from;
    total->begun = run->measures[first].begun;
    for (uint32_t i = first; i <= run->measure_at; i++)
        add_measure(total, &run->measures[i], run->instance_limit, buckets);
}

void measure_close(struct cc_run *run)
{
    tick(run, true);
    observe_close(run);
    measure_sync(run);
}

const struct measure *measure_find(const struct cc_run *run, const char *phase)
{
    if (!phase)
        return run->total;
    for (uint32_t i = 0; i < run->measure_count; i++)
        if (run->measures[i].name[0] != 0 && strcmp(run->measures[i].name, phase) == 0)
            return &run->measures[i];
    return NULL;
}

bool measure_lawful(const struct cc_run *run, char *message, size_t size)
{
    const uint64_t *c = run->counters;
    uint64_t ended = 0;
    for (int i = 0; i < OUTCOMES; i++)
        ended += c[COUNT_OUTCOME + i];
    if (c[COUNT_ARRIVALS] != ended + c[COUNT_DROPPED] + run->in_flight + run->delayed + run->admitting) {
        snprintf(message, size, "arrivals are not completions + failures + dropped + in flight");
        return false;
    }
    if (c[COUNT_L1_HITS] > c[COUNT_L1_LOOKUPS] || c[COUNT_L2_HITS] > c[COUNT_L2_LOOKUPS] ||
        c[COUNT_L2_DUPLICATE_SETS] > c[COUNT_L2_SETS]) {
        snprintf(message, size, "more hits than look-ups");
        return false;
    }
    /* Little's law to the nanosecond: the integral of the number inside is the sum of the sojourns, each request's
     * measured by itself, with what those still inside have spent so far. */
    static const char *const NAMES[STATIONS] = {"thread", "cpu", "pool", "core", "connection", "store"};
    for (int k = 0; k < STATIONS; k++) {
        const struct account *a = &run->accounts[k];
        cc_wide sojourns = a->sojourn;
        uint64_t present = 0;
        for (uint32_t r = 0; r < run->request_used; r++) {
            if (run->requests[r].entered[k] == CC_NEVER)
                continue;
            sojourns += run->now - run->requests[r].entered[k];
            present++;
        }
        if (present != a->entered - a->left || a->waiting != a->entered - a->started || a->left > a->started) {
            snprintf(message, size, "station %s lost or gained a request", NAMES[k]);
            return false;
        }
        if (in_system_area(run, k) != sojourns) {
            snprintf(message, size, "Little's law is broken at station %s", NAMES[k]);
            return false;
        }
    }
    return true;
}
