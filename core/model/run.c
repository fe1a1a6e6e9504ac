/* One run: takes the events in their order and hands each to the station that it belongs to. */
#include "cachecast.h"
#include "model/sim.h"

#include <stdio.h>
#include <string.h>

#define CIRCLING_MAX UINT64_C(20000000) /* requests of closed clients in one nanosecond: more clients do not exist */

static void fail(cc_error *error, cc_status status, const char *message)
{
    *error = (cc_error){.status = status};
    snprintf(error->message, sizeof error->message, "%s", message);
}

static void start_streams(struct cc_run *run)
{
    struct {
        struct cc_random *stream;
        const char *name;
    } streams[] = {
        {&run->arrivals, "arrivals"},
        {&run->keys, "keys"},
        {&run->balancing, "balancing"},
        {&run->cpu, "cpu"},
        {&run->think, "think"},
        {&run->response_cpu, "response_cpu"},
        {&run->loads, "loads"},
        {&run->checks, "checks"},
        {&run->inserts, "inserts"},
        {&run->gets, "gets"},
        {&run->sets, "sets"},
        {&run->l1_ttl, "l1_ttl"},
        {&run->l2_ttl, "l2_ttl"},
        {&run->trips, "trips"},
        {&run->stalls, "stalls"},
        {&run->bursts, "bursts"},
        {&run->timeouts, "timeouts"},
        {&run->backoffs, "backoffs"},
        {&run->failures, "failures"},
        {&run->early, "early"},
        {&run->evictions, "evictions"},
        {&run->operations, "operations"},
        {&run->thinking, "thinking"},
        {&run->serving, "serving"},
        {&run->publishing, "publishing"},
        {&run->lags, "lags"},
        {&run->messaging, "messaging"},
        {&run->scraping, "scraping"},
    };
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++)
        cc_random_start(streams[i].stream, run->scenario->seed, run->replication, streams[i].name, 0);
}

static bool faults_start(struct cc_run *run)
{
    const struct cc_scenario *scenario = run->scenario;
    bool store = false;
    run->origin_fails = scenario->origin.failure_ratio > 0;
    for (uint32_t i = 0; i < scenario->event_count; i++) {
        enum cc_action action = scenario->events[i].action;
        store |= action == CC_STOP_L2 || action == CC_REFUSE_L2 || action == CC_SLOW_L2;
        run->origin_fails |= action == CC_STOP_ORIGIN || action == CC_SLOW_ORIGIN || action == CC_FAIL_ORIGIN;
    }
    run->deploy_left = cc_arena_take(&run->arena, scenario->event_count + 1, sizeof *run->deploy_left);
    if (store || (scenario->l2_present && scenario->l2.timeout > 0))
        run->store_faults = cc_arena_take(&run->arena, scenario->l2.shards, sizeof *run->store_faults);
    return run->deploy_left && (!store || run->store_faults);
}

static bool start(struct cc_run *run)
{
    const struct cc_scenario *scenario = run->scenario;
    start_streams(run);
    run->instance_limit = scenario->instances.count;
    for (uint32_t i = 0; i < scenario->event_count; i++)
        run->instance_limit += cc_event_starts(&scenario->events[i], run->instance_limit);
    run->instances = cc_arena_take(&run->arena, run->instance_limit, sizeof *run->instances);
    run->up = cc_arena_take(&run->arena, run->instance_limit, sizeof *run->up);
    if (!run->instances || !run->up || !cc_queue_start(&run->queue, 64, &run->allocator))
        return false;
    run->cores.servers = scenario->origin.cores;
    if (scenario->origin.cold_load_present) {
        run->warm_keys = cc_arena_take(&run->arena, scenario->keys.count / 8 + 1, 1);
        if (!run->warm_keys)
            return false;
    }
    run->counted = scenario->mix_present || (scenario->l2_present && !scenario->l2.connection_present &&
                                             (scenario->l2.threads > 0 || scenario->profile.command_count > 0));
    run->valued = scenario->publications_present || scenario->mix_present || scenario->observe_present ||
                  refresh_is_used(scenario);
    if (!faults_start(run) || !freshness_start(run) || !store_start(run) || !writer_start(run))
        return false;
    /* Marks and the timeline come first: at equal times they act before the requests. */
    if (!observe_start(run) || !measure_start(run))
        return false;
    timeline_start(run);
    freshness_plan(run);
    if (!host_start(run) || !connection_start(run) || !flights_start(run) ||
        (scenario->l2_present && !cache_start(run, &run->l2, &scenario->l2)))
        return false;
    if (scenario->l2_present && scenario->l2.active_expiry)
        cc_queue_push(&run->queue, 0, EVENT_EXPIRE_CYCLE, 0);
    for (uint32_t i = 0; i < scenario->instances.count; i++)
        if (!instance_start(run, 0, 0, false))
            return false;
    return workload_start(run) && !run->queue.out_of_memory && !run->out_of_memory;
}

cc_run *cc_run_new(const cc_scenario *scenario, uint64_t replication, cc_error *error)
{
    cc_run *run = cc_resize(&scenario->arena.allocator, NULL, 0, 1, sizeof *run);
    if (!run) {
        fail(error, CC_OUT_OF_MEMORY, "out of memory");
        return NULL;
    }
    memset(run, 0, sizeof *run);
    run->scenario = scenario;
    run->allocator = scenario->arena.allocator;
    run->replication = replication;
    cc_arena_start(&run->arena, &run->allocator);
    if (!start(run)) {
        fail(error, CC_OUT_OF_MEMORY, "out of memory");
        cc_run_free(run);
        return NULL;
    }
    return run;
}

void cc_run_free(cc_run *run)
{
    if (!run)
        return;
    for (uint32_t i = 0; run->instances && i < run->instance_limit; i++)
        cache_end(run, &run->instances[i].l1);
    cache_end(run, &run->l2);
    flights_end(run);
    freshness_end(run);
    connection_end(run);
    host_end(run);
    cc_release(&run->allocator, run->requests, run->request_capacity, sizeof *run->requests);
    cc_release(&run->allocator, run->more, run->request_capacity, sizeof *run->more);
    cc_queue_end(&run->queue);
    cc_arena_end(&run->arena);
    cc_allocator allocator = run->allocator;
    cc_release(&allocator, run, 1, sizeof *run);
}

static void handle(struct cc_run *run, struct cc_event event)
{
    uint32_t argument = cc_event_argument(event);
    switch ((enum event_type)cc_event_type(event)) {
    case EVENT_ARRIVAL:
        workload_arrival(run);
        break;
    case EVENT_CLIENT:
        workload_client(run, argument);
        break;
    case EVENT_ADMIT:
        workload_admit(run, argument);
        break;
    case EVENT_THREAD:
        instance_thread(run, argument);
        break;
    case EVENT_CPU:
        instance_cpu_done(run, argument);
        break;
    case EVENT_TRANSACTION:
        origin_transaction_done(run, argument);
        break;
    case EVENT_STORE_GET:
        store_arrived(run, argument, COMMAND_GET);
        break;
    case EVENT_STORE_REPLY:
        store_reply(run, argument);
        break;
    case EVENT_STORE_SET:
        store_arrived(run, argument, COMMAND_SET);
        break;
    case EVENT_SET_REPLY:
        store_set_reply(run, argument);
        break;
    case EVENT_CORE:
        host_core(run, argument);
        break;
    case EVENT_BALANCE:
        host_balance(run, argument);
        break;
    case EVENT_BURST:
        host_burst(run, argument);
        break;
    case EVENT_DELIVER:
        wire_deliver(run, argument);
        break;
    case EVENT_STALL:
        connection_stall(run, argument);
        break;
    case EVENT_TIMELINE:
        timeline_act(run, argument);
        break;
    case EVENT_TICK:
        measure_tick(run);
        break;
    case EVENT_PHASE:
        measure_phase(run);
        break;
    case EVENT_GET_TIMEOUT:
    case EVENT_SET_TIMEOUT:
        store_timeout(run, argument, cc_event_type(event) == EVENT_GET_TIMEOUT ? COMMAND_GET : COMMAND_SET);
        break;
    case EVENT_GET_AGAIN:
        store_get_again(run, argument);
        break;
    case EVENT_COMMAND_TIMEOUT:
        connection_timeout(run, argument);
        break;
    case EVENT_DEADLINE:
        workload_deadline(run, argument);
        break;
    case EVENT_ATTEMPT:
        workload_attempt(run, argument);
        break;
    case EVENT_REFUSED:
        origin_refused(run, argument);
        break;
    case EVENT_READY:
        instance_ready(run, argument);
        break;
    case EVENT_DEPLOY:
        timeline_deploy(run, argument);
        break;
    case EVENT_RECOVERED:
        timeline_recovered(run, argument);
        break;
    case EVENT_EXPIRE_CYCLE:
        cache_expire_cycle(run);
        break;
    case EVENT_STORE_SERVED:
        store_served(run, argument);
        break;
    case EVENT_WRITER:
        store_command(run, argument);
        break;
    case EVENT_SCRAPE:
        observe_scrape(run, argument);
        break;
    case EVENT_POINT:
        observe_point(run);
        break;
    case EVENT_LEASE:
        store_lease(run, argument);
        break;
    case EVENT_PUBLISH:
        freshness_publish(run, argument);
        break;
    case EVENT_INVALIDATE:
        freshness_message(run, argument);
        break;
    }
}

static cc_status conclude(struct cc_run *run, cc_time end, cc_error *error)
{
    run->now = end;
    run->ended = true;
    measure_close(run);
    char broken[128];
    if (measure_lawful(run, broken, sizeof broken))
        return CC_OK;
    fail(error, CC_INTERNAL, broken);
    return CC_INTERNAL;
}

cc_status cc_run_advance(cc_run *run, uint64_t events, cc_error *error)
{
    const cc_time duration = run->scenario->duration;
    if (run->ended)
        return CC_OK;
    for (; events > 0; events--) {
        struct cc_event event;
        if (!cc_queue_pop(&run->queue, &event) || event.time >= duration)
            return conclude(run, duration, error);
        run->now = event.time;
        run->hash = (cc_rotate(run->hash, 29) ^ event.time) * UINT64_C(0x9e3779b97f4a7c15) + event.word;
        run->events++;
        handle(run, event);
        if (CC_RARE(run->ended)) /* the last client has had its last answer */
            return conclude(run, run->now, error);
        if (CC_RARE(run->circling > CIRCLING_MAX)) {
            fail(error, CC_BAD_INPUT,
                 "workload.arrivals: clients send, are answered and send again without time passing; give think");
            return CC_BAD_INPUT;
        }
        if (CC_RARE(run->out_of_memory || run->queue.out_of_memory)) {
            fail(error, CC_OUT_OF_MEMORY,
                 "out of memory: too many requests, loads or entries at once; limit workload.arrivals.max_in_flight");
            return CC_OUT_OF_MEMORY;
        }
    }
    return CC_MORE;
}

double cc_run_progress(const cc_run *run)
{
    return run->ended ? 1 : (double)run->now / (double)run->scenario->duration;
}

uint64_t cc_run_events(const cc_run *run) { return run->events; }

uint64_t cc_run_hash(const cc_run *run) { return run->hash; }

double cc_run_metric(const cc_run *run, size_t metric, const char *phase)
{
    measure_sync(run);
    return metric_value(run, measure_find(run, phase), metric);
}

#undef CIRCLING_MAX
