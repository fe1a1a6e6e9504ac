/* Single-flight: requests that miss while a load of their key runs in the same scope wait for it instead of loading.
 *
 * Scopes: an instance's L1 (Caffeine's get(key, loader)), an instance above L2 (a coalescing group after the GET), the
 * whole cluster (a lease taken at the store; Nishtala et al., "Scaling Memcache at Facebook", NSDI 2013). */
#include "model/sim.h"

#include <string.h>

static uint64_t flight_id(enum flight_scope scope, const struct request *request)
{
    uint64_t instance = scope == SCOPE_L2_CLUSTER ? 0 : request->instance;
    return (uint64_t)scope << 56 | instance << 32 | request->key;
}

static uint32_t flight_home(const struct flights *flights, uint64_t id)
{
    return (uint32_t)(cc_scatter(id + 1) >> (64 - flights->slot_bits));
}

/* The slot that holds `id`, or the empty one where it belongs. */
static uint32_t flight_slot(const struct flights *flights, uint64_t id)
{
    uint32_t mask = (1u << flights->slot_bits) - 1, slot = flight_home(flights, id);
    while (flights->slots[slot] != 0 && flights->pool[flights->slots[slot] - 1].id != id)
        slot = (slot + 1) & mask;
    return slot;
}

static bool flights_reserve(struct cc_run *run, uint32_t bits)
{
    struct flights *flights = &run->flights;
    uint32_t had = flights->slots ? 1u << flights->slot_bits : 0, count = 1u << bits;
    uint32_t *slots = cc_resize(&run->allocator, NULL, 0, count, sizeof *slots);
    struct flight *pool = slots ? cc_resize(&run->allocator, flights->pool, had / 2, count / 2, sizeof *pool) : NULL;
    if (!pool) {
        cc_release(&run->allocator, slots, count, sizeof *slots);
        run->out_of_memory = true;
        return false;
    }
    memset(slots, 0, count * sizeof *slots);
    uint32_t *old = flights->slots;
    flights->slots = slots;
    flights->pool = pool;
    flights->slot_bits = bits;
    for (uint32_t i = 0; i < had; i++)
        if (old[i] != 0)
            slots[flight_slot(flights, pool[old[i] - 1].id)] = old[i];
    cc_release(&run->allocator, old, had, sizeof *old);
    return true;
}

bool flights_start(struct cc_run *run)
{
    run->flights.free = CC_NONE;
    return flights_reserve(run, 6);
}

void flights_end(struct cc_run *run)
{
    size_t count = run->flights.slots ? (size_t)1 << run->flights.slot_bits : 0;
    cc_release(&run->allocator, run->flights.slots, count, sizeof *run->flights.slots);
    cc_release(&run->allocator, run->flights.pool, count / 2, sizeof *run->flights.pool);
}

bool flight_runs(const struct cc_run *run, enum flight_scope scope, uint32_t r)
{
    return run->flights.slots[flight_slot(&run->flights, flight_id(scope, &run->requests[r]))] != 0;
}

uint32_t flight_join_or_lead(struct cc_run *run, enum flight_scope scope, uint32_t r)
{
    struct flights *flights = &run->flights;
    uint64_t id = flight_id(scope, &run->requests[r]);
    uint32_t slot = flight_slot(flights, id);
    if (flights->slots[slot] != 0) {
        struct flight *flight = &flights->pool[flights->slots[slot] - 1];
        run->requests[r].next = CC_NONE;
        if (flight->waiters++ == 0)
            flight->head = r;
        else
            run->requests[flight->tail].next = r;
        flight->tail = r;
        return CC_NONE;
    }
    uint32_t f = flights->free;
    if (f != CC_NONE) {
        flights->free = flights->pool[f].next_free;
    } else {
        if (flights->used == 1u << (flights->slot_bits - 1)) {
            if (flights->slot_bits >= 30 || !flights_reserve(run, flights->slot_bits + 1))
                return CC_NONE; /* the run stops with "out of memory" */
            slot = flight_slot(flights, id);
        }
        f = flights->used++;
    }
    flights->pool[f] = (struct flight){.id = id, .lease = CC_NEVER, .leader = r, .head = CC_NONE, .tail = CC_NONE};
    flights->slots[slot] = f + 1;
    return f;
}

uint32_t flight_land(struct cc_run *run, uint32_t f)
{
    struct flights *flights = &run->flights;
    uint32_t mask = (1u << flights->slot_bits) - 1, hole = flight_slot(flights, flights->pool[f].id);
    /* Close the gap: move up whoever may stand in the hole (Knuth, The Art of Computer Programming 3, 6.4, algorithm R). */
    for (uint32_t at = (hole + 1) & mask; flights->slots[at] != 0; at = (at + 1) & mask) {
        uint32_t wanted = flight_home(flights, flights->pool[flights->slots[at] - 1].id);
        if (((at - wanted) & mask) >= ((at - hole) & mask)) {
            flights->slots[hole] = flights->slots[at];
            hole = at;
        }
    }
    flights->slots[hole] = 0;
    uint32_t joined = flights->pool[f].head;
    flights->pool[f].lease = CC_NEVER;
    flights->pool[f].next_free = flights->free;
    flights->free = f;
    return joined;
}

uint32_t flight_hand_over(struct cc_run *run, uint32_t f)
{
    for (;;) {
        struct flight *flight = &run->flights.pool[f];
        uint32_t heir = flight->head;
        if (flight->waiters == 0) {
            flight_land(run, f);
            return CC_NONE;
        }
        flight->head = run->requests[heir].next;
        flight->waiters--;
        flight->leader = heir;
        if (!run->requests[heir].answered)
            return heir;
        instance_fail(run, heir);
    }
}

/* Request r has failed, and with it those who joined: what it could be answered with all the same is theirs too. */
static void fail_joined(struct cc_run *run, uint32_t r, uint32_t joined)
{
    for (uint32_t j = joined, next; j != CC_NONE; j = next) {
        next = run->requests[j].next;
        if (run->valued && run->requests[r].fallback && !run->requests[j].fallback) {
            run->requests[j].fallback = true;
            run->more[j].fallback_version = run->more[r].fallback_version;
        }
        instance_fail(run, j);
    }
}

void flight_fail(struct cc_run *run, uint32_t r)
{
    uint32_t l1 = run->requests[r].l1_flight, l2 = run->requests[r].l2_flight;
    run->requests[r].l1_flight = run->requests[r].l2_flight = CC_NONE;
    if (l2 != CC_NONE && run->scenario->l2.single_flight == CC_FLIGHT_CLUSTER)
        store_heir(run, l2);
    else if (l2 != CC_NONE)
        fail_joined(run, r, flight_land(run, l2));
    if (l1 != CC_NONE)
        fail_joined(run, r, flight_land(run, l1));
}

void flight_abandon(struct cc_run *run, uint32_t r)
{
    enum cc_late_results late = run->scenario->origin.late_results;
    if (late == CC_LATE_STORED)
        return;
    run->requests[r].dropped = true;
    if (late == CC_LATE_DROPPED) {
        flight_fail(run, r);
        return;
    }
    uint32_t l1 = run->requests[r].l1_flight, l2 = run->requests[r].l2_flight;
    run->requests[r].l1_flight = run->requests[r].l2_flight = CC_NONE;
    if (l2 != CC_NONE && run->scenario->l2.single_flight == CC_FLIGHT_CLUSTER) {
        store_heir(run, l2);
    } else if (l2 != CC_NONE) {
        uint32_t heir = flight_hand_over(run, l2);
        if (heir != CC_NONE) {
            run->requests[heir].l2_flight = l2;
            origin_load(run, heir);
        }
    }
    if (l1 != CC_NONE) {
        uint32_t heir = flight_hand_over(run, l1);
        if (heir != CC_NONE) {
            run->requests[heir].l1_flight = l1;
            if (run->scenario->l2_present)
                store_get(run, heir);
            else
                origin_load(run, heir);
        }
    }
}
