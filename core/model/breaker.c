/* The circuit breaker of an instance: after some failures of L2 in a row it lets no command pass for a time, then a few
 * as probes, of which a success closes it and a failure opens it again (Nygard, Release It!, 2007). */
#include "model/sim.h"

static void breaker_open(struct cc_run *run, struct breaker *breaker)
{
    run->counters[COUNT_BREAKER_OPENED]++;
    breaker->state = BREAKER_OPEN;
    breaker->until = run->now + run->scenario->l2.breaker.open;
}

uint32_t breakers_open(const struct cc_run *run)
{
    uint32_t open = 0;
    if (run->scenario->l2_present && run->scenario->l2.breaker_present)
        for (uint32_t i = 0; i < run->up_count; i++)
            open += run->instances[run->up[i]].breaker.state != BREAKER_CLOSED;
    return open;
}

bool breaker_lets_pass(struct cc_run *run, uint32_t i)
{
    struct breaker *breaker = &run->instances[i].breaker;
    if (breaker->state == BREAKER_CLOSED)
        return true;
    if (breaker->state == BREAKER_OPEN && run->now >= breaker->until) {
        breaker->state = BREAKER_HALF_OPEN;
        breaker->probing = 0;
    }
    return breaker->state == BREAKER_HALF_OPEN && breaker->probing++ < run->scenario->l2.breaker.probes;
}

void breaker_count(struct cc_run *run, uint32_t i, bool success)
{
    struct breaker *breaker = &run->instances[i].breaker;
    if (!run->scenario->l2.breaker_present || breaker->state == BREAKER_OPEN)
        return; /* the answer to a command sent before it opened */
    if (success) {
        breaker->state = BREAKER_CLOSED;
        breaker->failures = 0;
    } else if (breaker->state == BREAKER_HALF_OPEN || ++breaker->failures >= run->scenario->l2.breaker.failures) {
        breaker->failures = 0;
        breaker_open(run, breaker);
    }
}
