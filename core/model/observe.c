/* What a monitoring system would have shown of the run, which is not what happened.
 *
 * Counters of each instance are scraped at a period, each instance at its own phase of it. Instances that run from the
 * start have worked and been scraped before, and were idle lately; of one that starts later, what it counts before its
 * first scrape is never seen. rate[w] at a moment is
 * Prometheus's: the increase from the first to the last scrape in the window before it, stretched towards the window's
 * ends by at most 1.1 periods, else by half a period, and never to below zero (promql/functions.go, extrapolatedRate).
 * A burst shows w long and w seconds flat, and what begins within the first window is cut. Points lie at multiples of
 * the scrape period; the area under them (trapezoids, from the first to the last point within a phase) is what such a
 * panel's sum says.
 *
 * Latencies are counted in buckets: Micrometer's for percentile histograms (three to a doubling and a half, from 1 ms to
 * 30 s) or the scenario's own. A quantile is interpolated within its bucket, as histogram_quantile does.
 *
 * A load generator's summary (k6) counts from when a request is sent, not from when it was due, and failed ones too. */
#include "model/sim.h"

#include <math.h>
#include <string.h>

#define MICROMETER_LEAST (CC_SECOND / 1000)
#define MICROMETER_MOST (30 * CC_SECOND)
#define MICROMETER_BUCKETS 128
#define STRETCH 1.1

static uint32_t micrometer(cc_time *bounds)
{
    uint32_t count = 0;
    bounds[count++] = MICROMETER_LEAST;
    for (cc_time power = 4; power <= MICROMETER_MOST; power *= 4)
        for (cc_time bound = power, step = power / 3; bound < power * 4 - step; bound += step)
            if (bound > MICROMETER_LEAST && bound < MICROMETER_MOST)
                bounds[count++] = bound;
    bounds[count++] = MICROMETER_MOST;
    return count;
}

bool observe_start(struct cc_run *run)
{
    const struct cc_observe *rules = &run->scenario->observe;
    if (!run->scenario->observe_present)
        return true;
    struct observer *observer = run->observer = cc_arena_take(&run->arena, 1, sizeof *observer);
    if (!observer)
        return false;
    observer->old = run->scenario->instances.count;
    observer->bound_count = rules->bucket_count;
    observer->bounds = rules->buckets;
    if (rules->bucket_count == 0) {
        cc_time *bounds = cc_arena_take(&run->arena, MICROMETER_BUCKETS, sizeof *bounds);
        if (!bounds)
            return false;
        observer->bound_count = micrometer(bounds);
        observer->bounds = bounds;
    }
    size_t row = (size_t)observer->bound_count + 1;
    observer->kept = (uint32_t)(rules->window / rules->scrape) + 2;
    observer->scrape_limit = (uint32_t)(run->scenario->duration / rules->scrape) + 2 + observer->kept;
    observer->scrapes = cc_arena_take(&run->arena, run->instance_limit, sizeof *observer->scrapes);
    observer->scrape_count = cc_arena_take(&run->arena, run->instance_limit, sizeof *observer->scrape_count);
    observer->counts = cc_arena_take(&run->arena, row, sizeof *observer->counts);
    observer->history = cc_arena_take(&run->arena, row * observer->kept, sizeof *observer->history);
    observer->points = cc_arena_take(&run->arena, observer->scrape_limit, sizeof *observer->points);
    if (!observer->scrapes || !observer->scrape_count || !observer->counts || !observer->history || !observer->points)
        return false;
    cc_queue_push(&run->queue, 0, EVENT_POINT, 0);
    return true;
}

bool observe_instance(struct cc_run *run, uint32_t i)
{
    struct observer *observer = run->observer;
    if (!observer)
        return true;
    observer->scrapes[i] = cc_arena_take(&run->arena, observer->scrape_limit, sizeof **observer->scrapes);
    if (!observer->scrapes[i])
        return false;
    cc_time scrape = run->scenario->observe.scrape, offset = cc_random_below(&run->scraping, scrape);
    if (i < run->scenario->instances.count)
        for (uint32_t back = observer->kept; back > 0; back--)
            observer->scrapes[i][observer->scrape_count[i]++].at = (int64_t)offset - (int64_t)(back * scrape);
    schedule(run, offset, EVENT_SCRAPE, i);
    return true;
}

void observe_scrape(struct cc_run *run, uint32_t i)
{
    struct observer *observer = run->observer;
    const struct instance *instance = &run->instances[i];
    if ((instance->retired && instance->outstanding == 0) || observer->scrape_count[i] == observer->scrape_limit)
        return;
    const struct instance_counts *before = &instance->counts_before, *now = &instance->counts;
    observer->scrapes[i][observer->scrape_count[i]++] = (struct scrape){
        .at = (int64_t)run->now,
        .values = {before->requests + now->requests, before->l1_misses + now->l1_misses, before->loads + now->loads},
    };
    schedule(run, run->scenario->observe.scrape, EVENT_SCRAPE, i);
}

static uint32_t bucket_of(const struct observer *observer, cc_time latency)
{
    uint32_t low = 0, high = observer->bound_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (latency <= observer->bounds[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

void observe_answer(struct cc_run *run, const struct request *request)
{
    struct measure *measure = measure_now(run);
    uint32_t bucket = bucket_of(run->observer, run->now - more_of(run, request)->begun);
    run->observer->counts[bucket]++;
    measure->buckets[bucket]++;
    cc_histogram_record(measure->client, run->now - more_of(run, request)->begun);
}

/* In ms; NaN while nothing is counted. */
static double bucket_quantile(const struct observer *observer, const uint64_t *counts, const uint64_t *before, double q)
{
    double all = 0, below = 0;
    for (uint32_t b = 0; b <= observer->bound_count; b++)
        all += (double)(counts[b] - (before ? before[b] : 0));
    if (all == 0)
        return (double)NAN;
    for (uint32_t b = 0; b < observer->bound_count; b++) {
        double here = (double)(counts[b] - (before ? before[b] : 0));
        double low = b > 0 ? (double)observer->bounds[b - 1] : 0, high = (double)observer->bounds[b];
        if (here > 0 && below + here >= q * all)
            return (low + (high - low) * (q * all - below) / here) / 1e6;
        below += here;
    }
    return (double)observer->bounds[observer->bound_count - 1] / 1e6;
}

double observe_quantile(const struct cc_run *run, const struct measure *measure, double q)
{
    return bucket_quantile(run->observer, measure->buckets, NULL, q);
}

/* The increase a second of one counter of one instance, as rate[w] has it at `at`. */
static double rate_of(const struct observer *observer, uint32_t i, enum scraped what, int64_t at, int64_t window)
{
    const struct scrape *scrapes = observer->scrapes[i];
    uint32_t last = observer->scrape_count[i], first;
    while (last > 0 && scrapes[last - 1].at > at)
        last--;
    for (first = last; first > 0 && scrapes[first - 1].at + window > at;)
        first--;
    if (last - first < 2)
        return 0;
    const struct scrape *a = &scrapes[first], *b = &scrapes[last - 1];
    double sampled = (double)(b->at - a->at) / 1e9, period = sampled / (double)(last - first - 1);
    double to_start = (double)(a->at + window - at) / 1e9, to_end = (double)(at - b->at) / 1e9;
    double from = (double)a->values[what], increase = (double)b->values[what] - from;
    if (to_start >= STRETCH * period)
        to_start = period / 2;
    if (i >= observer->old && increase > 0 && sampled * from / increase < to_start)
        to_start = sampled * from / increase;
    if (to_end >= STRETCH * period)
        to_end = period / 2;
    return increase * (sampled + to_start + to_end) / sampled / ((double)window / 1e9);
}

/* A point of the panels: at every multiple of the scrape period. */
void observe_point(struct cc_run *run)
{
    struct observer *observer = run->observer;
    const struct cc_observe *rules = &run->scenario->observe;
    size_t row = (size_t)observer->bound_count + 1;
    if (observer->point_count == observer->scrape_limit)
        return;
    uint32_t n = observer->point_count++;
    struct point *point = &observer->points[n];
    point->at = run->now;
    for (int what = 0; what < SCRAPED; what++) {
        point->rates[what] = 0;
        for (uint32_t i = 0; i < run->instance_count; i++)
            point->rates[what] += rate_of(observer, i, (enum scraped)what, (int64_t)run->now, (int64_t)rules->window);
    }
    uint32_t back = n < observer->kept - 2 ? n : observer->kept - 2; /* as many periods as lie in the window */
    if (back > 0 && (cc_time)back * rules->scrape == rules->window)
        back--; /* the window is open at its start */
    memcpy(&observer->history[n % observer->kept * row], observer->counts, row * sizeof *observer->counts);
    point->p99 =
        bucket_quantile(observer, observer->counts, &observer->history[(n - back) % observer->kept * row], 0.99);
    cc_time next = run->now + rules->scrape;
    if (next < run->scenario->duration)
        cc_queue_push(&run->queue, next, EVENT_POINT, 0);
}

void observe_close(struct cc_run *run)
{
    if (run->observer && run->now % run->scenario->observe.scrape == 0 &&
        (run->observer->point_count == 0 || run->observer->points[run->observer->point_count - 1].at < run->now))
        observe_point(run);
}

double observe_panel(const struct cc_run *run, const struct measure *measure, enum scraped what, enum panel panel)
{
    const struct observer *observer = run->observer;
    double area = 0, sum = 0, most = 0;
    uint32_t count = 0;
    for (uint32_t n = 0; n < observer->point_count; n++) {
        const struct point *point = &observer->points[n];
        if (point->at < measure->from || point->at > measure->to)
            continue;
        double rate = point->rates[what];
        if (count++ > 0)
            area += (rate + point[-1].rates[what]) / 2 * cc_seconds(point->at - point[-1].at);
        sum += rate;
        most = rate > most ? rate : most;
    }
    if (count == 0)
        return (double)NAN;
    return panel == PANEL_AREA ? area : panel == PANEL_MEAN ? sum / count : most;
}

#undef MICROMETER_LEAST
#undef MICROMETER_MOST
#undef MICROMETER_BUCKETS
#undef STRETCH
