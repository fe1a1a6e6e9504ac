/* What happens to the service from outside while the run goes on. set_rate is no event of the run: the workload folds it
 * into its plan of rates before the start. */
#include "model/sim.h"

#include <string.h>

void timeline_start(struct cc_run *run)
{
    const struct cc_scenario *scenario = run->scenario;
    for (uint32_t i = 0; i < scenario->event_count; i++)
        if (scenario->events[i].action != CC_SET_RATE)
            cc_queue_push(&run->queue, scenario->events[i].at, EVENT_TIMELINE, i);
}

static cc_time end_of(const struct cc_timeline_event *event)
{
    return event->duration > 0 ? event->at + event->duration : CC_NEVER;
}

static void disturb(struct fault *fault, const struct cc_timeline_event *event)
{
    cc_time end = end_of(event);
    switch (event->action) {
    case CC_STOP_L2:
    case CC_STOP_ORIGIN:
        fault->stopped = end;
        break;
    case CC_REFUSE_L2:
        fault->refusing = end;
        break;
    case CC_FAIL_ORIGIN:
        fault->failing = end;
        fault->ratio = event->ratio;
        break;
    default:
        fault->slow = end;
        fault->factor = event->factor;
        fault->delay = event->delay;
    }
}

static void start_instances(struct cc_run *run, const struct cc_timeline_event *event, bool replaces, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!instance_start(run, event->ready_after, event->warm_keys, replaces))
            run->out_of_memory = true;
}

/* Batch by batch, as many as ran at the start are replaced: each by one that starts cold, the oldest first. */
void timeline_deploy(struct cc_run *run, uint32_t e)
{
    const struct cc_timeline_event *event = &run->scenario->events[e];
    uint32_t *left = &run->deploy_left[e], now = *left < event->batch ? *left : event->batch;
    *left -= now;
    start_instances(run, event, true, now);
    if (*left > 0)
        schedule(run, event->every, EVENT_DEPLOY, e);
}

/* Of L2's room a byte stays, so that it has a limit. */
static void take_memory(struct cc_run *run, int64_t bytes)
{
    uint64_t room = run->scenario->l2.capacity_bytes;
    run->memory_taken += (uint64_t)bytes;
    run->l2.limit = run->memory_taken < room ? room - run->memory_taken : 1;
    cache_fit(run, &run->l2, COUNT_L2_EVICTIONS);
}

void timeline_recovered(struct cc_run *run, uint32_t e)
{
    const struct cc_timeline_event *event = &run->scenario->events[e];
    if (event->action == CC_STOP_L2 && run->scenario->l2.connection_present)
        server_resume(run);
    if (event->action == CC_ADMIT && run->admission == event)
        run->admission = NULL;
    if (event->action == CC_STOP_INVALIDATION)
        freshness_reconnect(run);
    if (event->action == CC_TAKE_MEMORY)
        take_memory(run, -(int64_t)event->bytes);
    if (event->action == CC_CRASH_INSTANCE)
        start_instances(run, event, false, event->count);
}

static void flush(struct cc_run *run, enum cc_flush_target target)
{
    bool all = target == CC_FLUSH_EVERYTHING, caches = all || target == CC_FLUSH_CACHES;
    if ((caches || target == CC_FLUSH_L1) && run->scenario->l1_present)
        for (uint32_t i = 0; i < run->instance_count; i++)
            cache_flush(run, &run->instances[i].l1);
    if ((caches || target == CC_FLUSH_L2) && run->scenario->l2_present)
        cache_flush(run, &run->l2);
    if ((all || target == CC_FLUSH_ORIGIN) && run->warm_keys)
        memset(run->warm_keys, 0, run->scenario->keys.count / 8 + 1);
}

void timeline_act(struct cc_run *run, uint32_t e)
{
    const struct cc_timeline_event *event = &run->scenario->events[e];
    switch (event->action) {
    case CC_FLUSH:
        flush(run, event->target);
        break;
    case CC_ADD_INSTANCE:
        start_instances(run, event, false, event->count);
        break;
    case CC_REMOVE_INSTANCE:
        for (uint32_t i = 0; i < event->count; i++)
            instance_retire(run);
        break;
    case CC_SET_RATE:
        break;
    case CC_STOP_L2:
    case CC_REFUSE_L2:
    case CC_SLOW_L2:
        for (uint32_t i = 0; i < run->scenario->l2.shards; i++)
            if (event->shard == CC_NONE || event->shard == i)
                disturb(&run->store_faults[i], event);
        break;
    case CC_STOP_ORIGIN:
    case CC_SLOW_ORIGIN:
    case CC_FAIL_ORIGIN:
        disturb(&run->origin_fault, event);
        break;
    case CC_ADMIT:
        run->admission = event;
        break;
    case CC_CRASH_INSTANCE:
        for (uint32_t i = 0; i < event->count; i++)
            instance_crash(run);
        break;
    case CC_TAKE_MEMORY:
        take_memory(run, (int64_t)event->bytes);
        break;
    case CC_STOP_INVALIDATION:
        run->messages_stopped = end_of(event);
        break;
    case CC_DEPLOY:
        run->deploy_left[e] = run->up_count;
        timeline_deploy(run, e);
        break;
    }
    if (event->duration > 0 && event->action != CC_SET_RATE)
        schedule(run, event->duration, EVENT_RECOVERED, e);
}
