/* The load balancer: which instance takes a request. Choosing costs no time. */
#include "model/sim.h"

void balancer_route(struct cc_run *run, uint32_t r)
{
    struct request *request = &run->requests[r];
    if (CC_RARE(run->up_count == 0)) {
        request->instance = CC_NONE;
        request->outcome = OUTCOME_FAILED;
        workload_done(run, r);
        return;
    }
    uint32_t choice = 0;
    switch (run->scenario->instances.balancer) {
    case CC_ROUND_ROBIN:
        if (run->turn >= run->up_count)
            run->turn = 0;
        choice = run->turn++;
        break;
    case CC_RANDOM:
        choice = (uint32_t)cc_random_below(&run->balancing, run->up_count);
        break;
    case CC_LEAST_OUTSTANDING: /* the first of the least loaded */
        for (uint32_t i = 1; i < run->up_count; i++)
            if (run->instances[run->up[i]].outstanding < run->instances[run->up[choice]].outstanding)
                choice = i;
        break;
    case CC_HASH: /* of the key, modulo the instances that are up */
        choice = (uint32_t)(cc_scatter(request->key + UINT64_C(1)) % run->up_count);
        break;
    case CC_RENDEZVOUS: { /* the highest random weight (Thaler and Ravishankar, IEEE/ACM Transactions on Networking 6(1), 1998) */
        uint64_t best = 0;
        for (uint32_t i = 0; i < run->up_count; i++) {
            uint64_t weight = cc_scatter((uint64_t)(run->up[i] + 1) << 32 | request->key);
            if (weight >= best) {
                best = weight;
                choice = i;
            }
        }
        break;
    }
    }
    request->instance = run->up[choice];
    instance_enter(run, r);
}
