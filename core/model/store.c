/* L2, the cache that all instances share, as its clients see it.
 *
 * Without a connection, a command takes a drawn round trip and is executed half-way through it; with one, it passes
 * connection.c, wire.c and server.c on its way and back. A caller that misses loads and then waits for
 * its SET, so that a key stays absent from the GET's execution to the SET's: without coalescing, every request that asks
 * within that window loads too. With scope cluster the store hands out one lease a key; with scope instance the misses
 * of an instance wait for the first of them. */
#include "model/sim.h"

/* Sends the command on its way; true when it takes no time and is executed now. */
static bool store_send(struct cc_run *run, uint32_t r, enum command_kind kind)
{
    const struct cc_cache_rules *rules = &run->scenario->l2;
    if (rules->connection_present) {
        connection_command(run, r, kind);
        return false;
    }
    bool get = kind == COMMAND_GET;
    const struct cc_variate *law = get ? &rules->get.variate : &rules->set.variate;
    cc_time trip = cc_variate_draw(law, get ? &run->gets : &run->sets);
    run->requests[r].reply_leg = trip - trip / 2;
    if (cc_variate_is_zero(law))
        return true;
    schedule(run, trip / 2, get ? EVENT_STORE_GET : EVENT_STORE_SET, r);
    return false;
}

void store_get(struct cc_run *run, uint32_t r)
{
    if (store_send(run, r, COMMAND_GET))
        store_execute_get(run, r);
}

static void reply(struct cc_run *run, uint32_t r)
{
    if (run->scenario->l2.connection_present)
        server_reply(run, r);
    else if (run->requests[r].reply_leg == 0)
        store_reply(run, r);
    else
        schedule(run, run->requests[r].reply_leg, EVENT_STORE_REPLY, r);
}

void store_execute_get(struct cc_run *run, uint32_t r)
{
    struct request *request = &run->requests[r];
    run->counters[COUNT_L2_LOOKUPS]++;
    request->found = cache_read(run, &run->l2, request->key);
    request->outcome = OUTCOME_LOADED;
    if (request->found) {
        request->outcome = OUTCOME_L2_HIT;
        run->counters[COUNT_L2_HITS]++;
    } else if (run->scenario->l2.single_flight == CC_FLIGHT_CLUSTER) {
        request->l2_flight = flight_join_or_lead(run, SCOPE_L2_CLUSTER, r);
        if (request->l2_flight == CC_NONE)
            return; /* the SET that ends the flight sends the reply */
    }
    reply(run, r);
}

void store_reply(struct cc_run *run, uint32_t r)
{
    struct request *request = &run->requests[r];
    if (run->scenario->operation == CC_PUT_GET) {
        request->outcome = request->found ? OUTCOME_L2_HIT : OUTCOME_FAILED; /* the value was gone already */
        instance_respond(run, r);
        return;
    }
    if (request->found) {
        cache_arrived(run, r);
        return;
    }
    if (run->scenario->l2.single_flight == CC_FLIGHT_INSTANCE) {
        request->l2_flight = flight_join_or_lead(run, SCOPE_L2_INSTANCE, r);
        if (request->l2_flight == CC_NONE)
            return;
    }
    origin_load(run, r);
}

void store_set(struct cc_run *run, uint32_t r)
{
    if (store_send(run, r, COMMAND_SET))
        store_execute_set(run, r);
}

/* Every request that joined the flight got its value. */
static uint32_t land_l2(struct cc_run *run, uint32_t r)
{
    uint32_t joined = flight_land(run, run->requests[r].l2_flight);
    run->requests[r].l2_flight = CC_NONE;
    for (uint32_t j = joined; j != CC_NONE; j = run->requests[j].next)
        run->requests[j].outcome = OUTCOME_JOINED;
    return joined;
}

void store_execute_set(struct cc_run *run, uint32_t r)
{
    struct request *request = &run->requests[r];
    run->counters[COUNT_L2_SETS]++;
    if (cache_write(run, &run->l2, request->key, &run->l2_ttl, 1, COUNT_L2_EVICTIONS))
        run->counters[COUNT_L2_DUPLICATE_SETS]++;
    if (request->l2_flight != CC_NONE && run->scenario->l2.single_flight == CC_FLIGHT_CLUSTER) {
        for (uint32_t j = land_l2(run, r), next; j != CC_NONE; j = next) {
            next = run->requests[j].next;
            run->requests[j].found = true;
            reply(run, j);
        }
    }
    if (run->scenario->l2.connection_present)
        server_reply(run, r);
    else if (run->requests[r].reply_leg == 0)
        store_set_reply(run, r);
    else
        schedule(run, run->requests[r].reply_leg, EVENT_SET_REPLY, r);
}

void store_set_reply(struct cc_run *run, uint32_t r)
{
    if (run->requests[r].putting) {
        run->requests[r].putting = false;
        store_get(run, r);
        return;
    }
    if (run->requests[r].l2_flight != CC_NONE) {
        for (uint32_t j = land_l2(run, r), next; j != CC_NONE; j = next) {
            next = run->requests[j].next;
            cache_arrived(run, j);
        }
    }
    cache_arrived(run, r);
}
