/* The users: when requests come, for which keys, and what becomes of those that find no room.
 *
 * Open arrivals follow a plan of stretches in each of which the rate changes linearly. The n-th paced arrival is where
 * the integral of the rate reaches n (k6's constant- and ramping-arrival-rate); a Poisson arrival is where it has grown
 * by a unit exponential (time change of a unit Poisson process; Cox and Isham, Point Processes, 1980). Closed clients
 * send, wait for the answer, think, and send again. */
#include "model/sim.h"

#include <math.h>

/* The plan: rate and stages, overlaid by the timeline's set_rate events in their order. */

static double rate_at(const struct rate_stretch *s, cc_time t) { return s->rate + s->slope * cc_seconds(t - s->start); }

static void plan_overlay(struct rate_stretch *plan, uint32_t *count, cc_time from, cc_time to, double rate)
{
    /* Cut every stretch at `from` and `to`, then replace what lies between. */
    const cc_time cuts[2] = {from, to};
    for (int c = 0; c < 2; c++) {
        for (uint32_t i = 0; i < *count; i++) {
            if (cuts[c] <= plan[i].start || cuts[c] >= plan[i].end)
                continue;
            for (uint32_t j = *count; j > i + 1; j--)
                plan[j] = plan[j - 1];
            plan[i + 1] = plan[i];
            plan[i + 1].start = cuts[c];
            plan[i + 1].rate = rate_at(&plan[i], cuts[c]);
            plan[i].end = cuts[c];
            ++*count;
            break;
        }
    }
    for (uint32_t i = 0; i < *count; i++) {
        if (plan[i].start >= from && plan[i].end <= to) {
            plan[i].rate = rate;
            plan[i].slope = 0;
        }
    }
}

static bool plan_build(struct cc_run *run)
{
    const struct cc_scenario *scenario = run->scenario;
    const struct cc_arrivals *arrivals = &scenario->arrivals;
    size_t most = 1 + (size_t)arrivals->stage_count + 2 * (size_t)scenario->event_count;
    struct rate_stretch *plan = run->plan = cc_arena_take(&run->arena, most, sizeof *plan);
    if (!plan)
        return false;
    uint32_t count = 0;
    cc_time at = 0;
    double rate = arrivals->rate;
    for (uint32_t i = 0; i < arrivals->stage_count; i++) {
        const struct cc_stage *stage = &arrivals->stages[i];
        if (stage->duration > 0) {
            double slope = (stage->rate - rate) / cc_seconds(stage->duration);
            plan[count++] = (struct rate_stretch){at, at + stage->duration, rate, slope};
        }
        at += stage->duration;
        rate = stage->rate;
    }
    plan[count++] = (struct rate_stretch){at, CC_NEVER, rate, 0}; /* the last rate holds */
    for (uint32_t i = 0; i < scenario->event_count; i++) {
        const struct cc_timeline_event *event = &scenario->events[i];
        if (event->action == CC_SET_RATE)
            plan_overlay(plan, &count, event->at, event->duration ? event->at + event->duration : CC_NEVER,
                         event->rate);
    }
    run->plan_count = count;
    return true;
}

/* Schedules the arrival after the present one: the integral of the rate grows by `need`. */
static void schedule_arrival(struct cc_run *run, double need)
{
    for (; run->plan_at < run->plan_count; run->plan_at++, run->plan_level = 0) {
        const struct rate_stretch *s = &run->plan[run->plan_at];
        double area = s->rate > 0 ? (double)INFINITY : 0;
        if (s->end != CC_NEVER) {
            double length = cc_seconds(s->end - s->start);
            area = (s->rate + s->slope * length / 2) * length;
        }
        double level = run->plan_level + need;
        if (level >= area) {
            need = level - area;
            continue;
        }
        run->plan_level = level;
        double after; /* nanoseconds into the stretch */
        if (s->slope == 0) {
            after = level * 1e9 / s->rate;
        } else {
            double root = s->rate * s->rate + 2 * s->slope * level;
            double sum = s->rate + sqrt(root > 0 ? root : 0);
            after = sum > 0 ? 2e9 * level / sum : 0; /* a ramp that starts from nothing, at its start */
        }
        cc_time time = s->start + cc_nearest_time(after);
        if (time < run->scenario->duration)
            cc_queue_push(&run->queue, time < run->now ? run->now : time, EVENT_ARRIVAL, 0);
        return;
    }
}

static bool popularity_build(struct cc_run *run)
{
    const struct cc_keys *keys = &run->scenario->keys;
    if (keys->popularity != CC_KEYS_ZIPF && keys->popularity != CC_KEYS_WEIGHTS)
        return true;
    double *weights = cc_resize(&run->allocator, NULL, 0, keys->count, sizeof *weights);
    if (!weights)
        return false;
    for (uint32_t i = 0; i < keys->count; i++)
        weights[i] = keys->popularity == CC_KEYS_ZIPF ? cc_pow((double)i + 1, -keys->s) : keys->weights[i];
    bool built = cc_alias_build(&run->popularity, weights, keys->count, &run->arena);
    cc_release(&run->allocator, weights, keys->count, sizeof *weights);
    return built;
}

static uint32_t draw_key(struct cc_run *run, uint32_t client)
{
    const struct cc_keys *keys = &run->scenario->keys;
    switch (keys->popularity) {
    case CC_KEYS_UNIFORM:
        return (uint32_t)cc_random_below(&run->keys, keys->count);
    case CC_KEYS_HOT_SET: {
        bool hot = cc_random_unit(&run->keys) < keys->hot_share;
        return hot ? (uint32_t)cc_random_below(&run->keys, keys->hot_keys)
                   : keys->hot_keys + (uint32_t)cc_random_below(&run->keys, keys->count - keys->hot_keys);
    }
    case CC_KEYS_SEQUENTIAL:
        return (uint32_t)(run->next_key++ % keys->count);
    case CC_KEYS_CLIENT:
        return client;
    default:
        return cc_alias_draw(&run->popularity, &run->keys);
    }
}

static bool more_grow(struct cc_run *run, uint32_t had, uint32_t wanted)
{
    if (!run->valued)
        return true;
    struct request_more *grown = cc_resize(&run->allocator, run->more, had, wanted, sizeof *grown);
    if (grown)
        run->more = grown;
    return grown != NULL;
}

bool workload_start(struct cc_run *run)
{
    const struct cc_arrivals *arrivals = &run->scenario->arrivals;
    run->request_free = run->delayed_head = run->delayed_tail = CC_NONE;
    run->request_capacity = 64;
    run->requests = cc_resize(&run->allocator, NULL, 0, run->request_capacity, sizeof *run->requests);
    if (!run->requests || !more_grow(run, 0, run->request_capacity) || !host_grow(run, 0, run->request_capacity) ||
        !popularity_build(run))
        return false;
    if (arrivals->process != CC_CLOSED) {
        if (!plan_build(run))
            return false;
        schedule_arrival(run, arrivals->process == CC_PACED ? 0 : cc_exponential(&run->arrivals));
        return true;
    }
    run->clients_active = arrivals->clients;
    run->client_sent = cc_arena_take(&run->arena, arrivals->clients, sizeof *run->client_sent);
    if (!run->client_sent)
        return false;
    for (uint32_t i = 0; i < arrivals->clients; i++)
        schedule(run, (cc_time)((cc_wide)arrivals->ramp_up * i / arrivals->clients), EVENT_CLIENT, i);
    return true;
}

uint32_t request_take(struct cc_run *run)
{
    uint32_t r = run->request_free;
    if (r != CC_NONE) {
        run->request_free = run->requests[r].next;
    } else {
        if (CC_RARE(run->request_used == run->request_capacity)) {
            uint32_t wanted = run->request_capacity * 2;
            struct request *grown = NULL;
            if (wanted <= CC_EVENT_ARGUMENT_MAX + 1)
                grown = cc_resize(&run->allocator, run->requests, run->request_capacity, wanted, sizeof *grown);
            if (grown)
                run->requests = grown;
            if (!grown || !more_grow(run, run->request_capacity, wanted) ||
                !host_grow(run, run->request_capacity, wanted)) {
                run->out_of_memory = true;
                return CC_NONE;
            }
            run->request_capacity = wanted;
        }
        r = run->request_used++;
        for (int kind = 0; kind < STATIONS; kind++)
            run->requests[r].entered[kind] = CC_NEVER;
    }
    struct request *request = &run->requests[r];
    request->sent = run->now;
    request->deadline = CC_NEVER;
    request->instance = request->l1_flight = request->l2_flight = CC_NONE;
    request->responding = request->putting = request->computing = false;
    request->live = request->answered = request->background = request->dropped = false;
    request->attempt = request->tries = 0;
    request->refresh = request->grace = request->passes = request->fallback = false;
    request->waits = request->waited = request->early = false;
    if (CC_RARE(run->valued))
        run->more[r] = (struct request_more){0};
    request->operation = OPERATION_READ;
    return r;
}

void request_release(struct cc_run *run, uint32_t r)
{
    struct request *request = &run->requests[r];
    request->live = false;
    request->deadline = CC_NEVER;
    request->next = run->request_free;
    run->request_free = r;
}

/* A request due now, or CC_NONE when memory is out. */
static uint32_t request_new(struct cc_run *run, uint32_t client)
{
    uint32_t r = request_take(run);
    if (r == CC_NONE)
        return r;
    run->requests[r].client = client;
    run->requests[r].key = draw_key(run, client);
    if (CC_RARE(run->scenario->mix_present))
        run->requests[r].operation = (uint8_t)writer_draw(run);
    return r;
}

/* Requests are let in at an even pace, of which one may be ahead (the leaky bucket as a meter, ITU-T I.371). */
static bool admitted(struct cc_run *run)
{
    const struct cc_timeline_event *rule = run->admission;
    if (!rule)
        return true;
    double rate = rule->rate;
    if (rule->to_present && rule->duration > 0)
        rate += (rule->to - rate) * (double)(run->now - rule->at) / (double)rule->duration;
    if (!(rate > 0))
        return false;
    double now = (double)run->now, due = run->admission_due > now ? run->admission_due : now;
    if (due - now > 1e9 / rate)
        return false;
    run->admission_due = due + 1e9 / rate;
    return true;
}

static void attempt(struct cc_run *run, uint32_t r)
{
    const struct cc_scenario *scenario = run->scenario;
    run->requests[r].live = true;
    if (CC_RARE(!admitted(run))) {
        run->counters[COUNT_SHED]++;
        run->requests[r].outcome = OUTCOME_FAILED;
        workload_done(run, r);
        return;
    }
    if (scenario->timeout_present) {
        cc_time timeout = cc_variate_draw(&scenario->timeout.variate, &run->timeouts);
        run->requests[r].deadline = run->now + timeout;
        schedule(run, timeout, EVENT_DEADLINE, r);
    }
    balancer_route(run, r);
}

static void enter_service(struct cc_run *run, uint32_t r)
{
    if (CC_RARE(run->valued))
        run->more[r].begun = run->now;
    run->in_flight_enter += run->now;
    if (++run->in_flight > run->most_in_flight)
        run->most_in_flight = run->in_flight;
    if (run->scenario->retry_present)
        retry_earn(run, &run->scenario->retry, BUDGET_CLIENT);
    attempt(run, r);
}

void workload_attempt(struct cc_run *run, uint32_t r) { attempt(run, r); }

void workload_arrival(struct cc_run *run)
{
    const struct cc_arrivals *arrivals = &run->scenario->arrivals;
    schedule_arrival(run, arrivals->process == CC_PACED ? 1 : cc_exponential(&run->arrivals));
    run->counters[COUNT_ARRIVALS]++;
    /* First come, first served. */
    bool full = run->in_flight + run->admitting >= arrivals->max_in_flight || run->delayed > 0;
    if (full && (arrivals->when_full == CC_DROP || run->delayed >= CC_IN_FLIGHT_MAX / 2)) {
        draw_key(run, 0); /* the keys of later requests stay what they were */
        run->counters[COUNT_DROPPED]++;
        return;
    }
    uint32_t r = request_new(run, 0);
    if (r == CC_NONE)
        return;
    if (!full) {
        enter_service(run, r);
        return;
    }
    run->requests[r].next = CC_NONE;
    run->delayed++;
    if (run->delayed_head == CC_NONE)
        run->delayed_head = r;
    else
        run->requests[run->delayed_tail].next = r;
    run->delayed_tail = r;
}

void workload_client(struct cc_run *run, uint32_t client)
{
    if (run->now != run->circling_since)
        run->circling = 0;
    run->circling_since = run->now;
    run->circling++;
    run->counters[COUNT_ARRIVALS]++;
    run->client_sent[client]++;
    uint32_t r = request_new(run, client);
    if (r != CC_NONE)
        enter_service(run, r);
}

void workload_admit(struct cc_run *run, uint32_t r)
{
    run->admitting--;
    enter_service(run, r);
}

cc_time retry_backoff(struct cc_run *run, const struct cc_retry *rules, uint32_t made)
{
    double pause = (double)rules->backoff, most = (double)rules->max_backoff;
    for (uint32_t i = 0; i < made && pause < most; i++)
        pause *= rules->factor;
    if (pause > most)
        pause = most;
    if (rules->jitter > 0)
        pause *= 1 - rules->jitter * cc_random_unit(&run->backoffs);
    return cc_nearest_time(pause);
}

cc_time retry_pause(struct cc_run *run, const struct cc_retry *rules, uint32_t made, enum retry_budget budget)
{
    if (made >= rules->count || (rules->budget_present && run->retry_tokens[budget] < 1))
        return CC_NEVER;
    run->retry_tokens[budget] -= rules->budget_present ? 1 : 0;
    run->counters[budget == BUDGET_CLIENT ? COUNT_RETRIES : COUNT_L2_RETRIES]++;
    return retry_backoff(run, rules, made);
}

/* True when the client of a request that failed tries again. */
static bool try_again(struct cc_run *run, uint32_t r)
{
    const struct cc_scenario *scenario = run->scenario;
    if (!scenario->retry_present)
        return false;
    cc_time pause = retry_pause(run, &scenario->retry, run->requests[r].attempt, BUDGET_CLIENT);
    if (pause == CC_NEVER)
        return false;
    uint32_t again = request_take(run);
    if (again == CC_NONE)
        return false;
    const struct request *failed = &run->requests[r];
    struct request *request = &run->requests[again];
    request->sent = failed->sent;
    if (CC_RARE(run->valued))
        run->more[again].begun = run->more[r].begun;
    request->key = failed->key;
    request->client = failed->client;
    request->operation = failed->operation;
    request->attempt = (uint8_t)(failed->attempt + 1);
    schedule(run, pause, EVENT_ATTEMPT, again);
    return true;
}

static void answer(struct cc_run *run, uint32_t r);

void workload_abandon(struct cc_run *run, uint32_t r)
{
    run->requests[r].outcome = OUTCOME_FAILED;
    run->requests[r].answered = true;
    run->requests[r].deadline = CC_NEVER;
    if (!try_again(run, r))
        answer(run, r);
}

void workload_deadline(struct cc_run *run, uint32_t r)
{
    if (!run->requests[r].live || run->requests[r].deadline != run->now)
        return;
    run->counters[COUNT_TIMEOUTS]++;
    workload_abandon(run, r);
    flight_abandon(run, r);
}

void workload_done(struct cc_run *run, uint32_t r)
{
    const struct request *request = &run->requests[r];
    bool silent = request->answered || (request->outcome == OUTCOME_FAILED && try_again(run, r));
    if (silent)
        request_release(run, r);
    else
        answer(run, r);
}

/* The client has its answer, and goes on. The request ends with it, unless its client has only given it up. */
static void answer(struct cc_run *run, uint32_t r)
{
    const struct cc_arrivals *arrivals = &run->scenario->arrivals;
    const struct request *request = &run->requests[r];
    measure_outcome(run, request);
    run->in_flight_leave += run->now;
    run->in_flight--;
    uint32_t client = request->client;
    if (!request->answered)
        request_release(run, r);
    if (arrivals->process == CC_CLOSED) {
        if (arrivals->requests_per_client == 0 || run->client_sent[client] < arrivals->requests_per_client) {
            cc_time think = cc_variate_draw(&arrivals->think.variate, &run->think);
            if (think == 0 && run->acting != CC_NONE && !run->going_on) {
                run->going_on = true; /* its thread goes on without giving up its core */
                workload_client(run, client);
                run->going_on = false;
            } else {
                schedule(run, think, EVENT_CLIENT, client);
            }
        } else if (--run->clients_active == 0)
            run->ended = true;
    } else if (run->delayed_head != CC_NONE) {
        uint32_t next = run->delayed_head;
        run->delayed_head = run->requests[next].next;
        run->delayed--;
        run->admitting++;
        schedule(run, 0, EVENT_ADMIT, next);
    }
}
