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
        for (uint32_t i = 0; i < event->count; i++)
            if (!instance_start(run))
                run->out_of_memory = true;
        break;
    case CC_REMOVE_INSTANCE:
        for (uint32_t i = 0; i < event->count; i++)
            instance_retire(run);
        break;
    case CC_SET_RATE:
        break;
    }
}
