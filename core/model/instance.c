/* An instance of the service: an optional limit of threads, each held for a request's whole stay, and cores that serve
 * CPU bursts first come, first served: one before the caches (cpu), one before the answer (response_cpu). */
#include "model/sim.h"

bool instance_start(struct cc_run *run)
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
    run->up[run->up_count++] = i;
    run->present_count++;
    run->present_enter += run->now;
    return true;
}

/* A retired instance goes when its last request has left. */
static void instance_go(struct cc_run *run, const struct instance *instance)
{
    if (!instance->retired || instance->outstanding > 0)
        return;
    run->present_count--;
    run->present_leave += run->now;
}

void instance_retire(struct cc_run *run)
{
    if (run->up_count == 0)
        return;
    struct instance *instance = &run->instances[run->up[--run->up_count]];
    instance->retired = true;
    instance_go(run, instance);
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
