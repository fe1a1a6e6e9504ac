/* An instance of the service: an optional limit of threads, each held for a request's whole stay, and cores that serve
 * CPU bursts first come, first served: one before the caches (cpu), one before the answer (response_cpu). */
#include "model/sim.h"

static void take_requests(struct cc_run *run, uint32_t i) { run->up[run->up_count++] = i; }

/* Loads the most popular keys as the service's own requests, all at once. */
static void preload(struct cc_run *run, uint32_t i, uint32_t keys)
{
    run->instances[i].warming += keys;
    for (uint32_t key = 0; key < keys; key++) {
        uint32_t r = request_take(run);
        if (r == CC_NONE)
            return;
        struct request *request = &run->requests[r];
        request->key = key;
        request->client = 0;
        request->instance = i;
        request->live = request->answered = request->background = true;
        run->instances[i].outstanding++;
        cache_lookup(run, r);
    }
}

bool instance_start(struct cc_run *run, cc_time ready_after, uint32_t warm_keys, bool replaces)
{
    const struct cc_scenario *scenario = run->scenario;
    uint32_t i = run->instance_count;
    struct instance *instance = &run->instances[i];
    instance->threads.servers = scenario->instances.threads;
    instance->cpu.servers = scenario->instances.cores;
    instance->pool.servers = scenario->origin.pool;
    if (scenario->l1_present && !cache_start(run, &instance->l1, &scenario->l1))
        return false;
    run->instance_count++;
    if (!observe_instance(run, i))
        return false;
    instance->replaces = replaces;
    run->present_count++;
    run->present_enter += run->now;
    if (ready_after == 0 && warm_keys == 0 && !replaces) {
        take_requests(run, i);
        return true;
    }
    uint32_t keys = run->scenario->keys.count;
    instance->warming = 1; /* the time itself */
    schedule(run, ready_after, EVENT_READY, i);
    if (scenario->l1_present)
        preload(run, i, warm_keys < keys ? warm_keys : keys);
    return !run->out_of_memory;
}

/* A retired instance goes when its last request has left. */
static void instance_go(struct cc_run *run, const struct instance *instance)
{
    if (!instance->retired || instance->outstanding > 0)
        return;
    run->present_count--;
    run->present_leave += run->now;
}

/* The one at that place among those that take requests. */
static void retire(struct cc_run *run, uint32_t place)
{
    struct instance *instance = &run->instances[run->up[place]];
    run->up_count--;
    for (uint32_t i = place; i < run->up_count; i++)
        run->up[i] = run->up[i + 1];
    instance->retired = true;
    instance_go(run, instance);
}

void instance_retire(struct cc_run *run)
{
    if (run->up_count > 0)
        retire(run, run->up_count - 1);
}

void instance_ready(struct cc_run *run, uint32_t i)
{
    struct instance *instance = &run->instances[i];
    if (--instance->warming > 0 || instance->retired)
        return;
    if (instance->replaces && run->up_count > 0)
        retire(run, 0);
    take_requests(run, i);
}

void instance_crash(struct cc_run *run)
{
    if (run->up_count == 0)
        return;
    uint32_t i = run->up[run->up_count - 1], used = run->request_used;
    retire(run, run->up_count - 1);
    if (run->scenario->l1_present)
        cache_flush(run, &run->instances[i].l1);
    for (uint32_t r = 0; r < used; r++)
        if (run->requests[r].live && !run->requests[r].answered && run->requests[r].instance == i)
            workload_abandon(run, r); /* what it has asked of others goes on there */
    for (uint32_t r = 0; r < used && run->scenario->l2.lease.ttl > 0; r++)
        if (run->requests[r].live && run->requests[r].instance == i)
            store_orphan(run, r);
}

/* The service's own request has what it wanted, or not. */
static void end_background(struct cc_run *run, uint32_t r)
{
    uint32_t i = run->requests[r].instance;
    struct instance *instance = &run->instances[i];
    instance->outstanding--;
    instance_go(run, instance);
    request_release(run, r);
    if (instance->warming > 0)
        instance_ready(run, i);
}

void instance_fail(struct cc_run *run, uint32_t r)
{
    flight_fail(run, r);
    struct request *request = &run->requests[r];
    if (CC_RARE(run->valued) && request->fallback && !request->dropped) {
        request->fallback = false;
        more_of(run, request)->value.version = more_of(run, request)->fallback_version;
        request->outcome = OUTCOME_GRACE;
        instance_respond(run, r);
        return;
    }
    request->outcome = OUTCOME_FAILED;
    if (run->requests[r].background)
        end_background(run, r);
    else
        instance_finish(run, r);
}

static struct instance *home(struct cc_run *run, uint32_t r) { return &run->instances[run->requests[r].instance]; }

static void burst(struct cc_run *run, uint32_t r)
{
    const struct cc_instances *rules = &run->scenario->instances;
    cc_time time = run->requests[r].responding ? cc_variate_draw(&rules->response_cpu.variate, &run->response_cpu)
                                               : cc_variate_draw(&rules->cpu.variate, &run->cpu);
    if (run->scenario->host_present) {
        run->requests[r].computing = true;
        host_run(run, run->thread_base + r, time);
    } else {
        schedule(run, time, EVENT_CPU, r);
    }
}

/* On a core of the instance, or on one of the host that it lives on. */
static void compute(struct cc_run *run, uint32_t r)
{
    if (run->scenario->host_present ||
        station_enter(run, STATION_CPU, &run->instances[run->requests[r].instance].cpu, r))
        burst(run, r);
}

void instance_enter(struct cc_run *run, uint32_t r)
{
    struct instance *instance = home(run, r);
    const struct cc_instances *rules = &run->scenario->instances;
    instance->counts.requests++;
    if (rules->threads > 0) {
        if (instance->threads.busy >= rules->threads && instance->threads.waiting >= rules->queue_limit) {
            run->requests[r].outcome = OUTCOME_FAILED;
            workload_done(run, r);
            return;
        }
        instance->outstanding++;
        if (!station_enter(run, STATION_THREAD, &instance->threads, r))
            return;
    } else {
        instance->outstanding++;
    }
    instance_thread(run, r);
}

static void after_cpu(struct cc_run *run, uint32_t r)
{
    if (run->requests[r].responding)
        origin_inserts(run, r);
    else
        origin_checks(run, r);
}

void instance_thread(struct cc_run *run, uint32_t r)
{
    if (cc_variate_is_zero(&run->scenario->instances.cpu.variate))
        after_cpu(run, r);
    else
        compute(run, r);
}

void instance_cpu_done(struct cc_run *run, uint32_t r)
{
    run->requests[r].computing = false;
    if (!run->scenario->host_present) {
        uint32_t next = station_leave(run, STATION_CPU, &home(run, r)->cpu, r);
        if (next != CC_NONE)
            burst(run, next);
    }
    after_cpu(run, r);
}

void instance_respond(struct cc_run *run, uint32_t r)
{
    if (CC_RARE(run->requests[r].background)) {
        end_background(run, r);
        return;
    }
    run->requests[r].responding = true;
    if (cc_variate_is_zero(&run->scenario->instances.response_cpu.variate))
        after_cpu(run, r);
    else
        compute(run, r);
}

void instance_finish(struct cc_run *run, uint32_t r)
{
    struct instance *instance = home(run, r);
    instance->outstanding--;
    instance_go(run, instance);
    if (run->scenario->instances.threads > 0) {
        uint32_t next = station_leave(run, STATION_THREAD, &instance->threads, r);
        if (next != CC_NONE)
            schedule(run, 0, EVENT_THREAD, next);
    }
    workload_done(run, r);
}
