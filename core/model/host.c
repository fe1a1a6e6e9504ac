/* The machines: threads share the cores of their host.
 *
 * A thread runs in bursts. It starts one by itself when it ends another, or is woken for it. Each core shares its time
 * fairly among the threads that wait for it: the one that has had least processor time comes next, a running one gives
 * way when its slice is used up and another has had less, and a woken thread takes its core at once when it is behind the
 * running one by more than a lead. A thread that slept is put no further behind than one slice. A woken thread goes to an
 * idle core, its last one if that is idle; where none is, it waits at its last core or at the waker's, whichever has
 * fewer waiting. A core with nothing to do takes a thread from the others, but not one that ran there a moment ago,
 * whose data that core's caches hold: so one core may idle while threads wait at another. Changing threads costs a core
 * some time; a thread woken on an idle core starts after a latency, and waking it costs the one who does. (Linux: CFS
 * and EEVDF, kernel documentation "scheduler"; the costs come from a profile.)
 *
 * Without "host" in the scenario every thread has a core of its own. */
#include "model/sim.h"

#include <math.h>

static void host_switch(struct cc_run *run, uint32_t c, uint32_t t, double delay);

#define SPREAD_UNIT 1e6
#define BURST_MOST (UINT64_C(1) << 60) /* longer than any run */

static struct cc_host_costs host_costs(const struct cc_run *run) { return run->scenario->profile.host; }

bool host_grow(struct cc_run *run, uint32_t had, uint32_t wanted)
{
    const struct cc_scenario *scenario = run->scenario;
    uint32_t base = run->thread_base;
    if (!run->hosts)
        return true;
    struct thread *threads =
        cc_resize(&run->allocator, run->threads, had > 0 ? base + had : 0, base + wanted, sizeof *threads);
    if (!threads)
        return false;
    run->threads = threads;
    for (uint32_t t = had > 0 ? base + had : 0; t < base + wanted; t++)
        threads[t] = (struct thread){.core = CC_NONE};
    if (!scenario->l2_present || !scenario->l2.connection_present)
        return true;
    struct command *commands = cc_resize(&run->allocator, run->commands, had, wanted, sizeof *commands);
    if (!commands)
        return false;
    run->commands = commands;
    for (uint32_t r = had; r < wanted; r++)
        commands[r] = (struct command){.connection = CC_NONE, .next = CC_NONE};
    return true;
}

bool host_start(struct cc_run *run)
{
    const struct cc_scenario *scenario = run->scenario;
    const struct cc_host_rules *rules = &scenario->host;
    bool connected = scenario->l2_present && scenario->l2.connection_present;
    run->acting = CC_NONE;
    if (!scenario->host_present && !connected)
        return true;
    bool each = scenario->host_present && rules->layout == CC_EACH_APART;
    bool apart = !scenario->host_present || rules->layout != CC_ONE_HOST;
    uint32_t instance_hosts = each ? run->instance_limit : 1, cores = 0;
    run->host_count = instance_hosts + (apart ? 1 : 0);
    run->hosts = cc_arena_take(&run->arena, run->host_count, sizeof *run->hosts);
    if (!run->hosts)
        return false;
    for (uint32_t h = 0; h < run->host_count; h++) {
        struct host *host = &run->hosts[h];
        host->first = cores;
        if (scenario->host_present)
            host->cores = apart && h == instance_hosts ? rules->store_cores : rules->cores;
        cores += host->cores;
    }
    uint32_t home = 0;
    run->cores_of_hosts = cc_arena_take(&run->arena, cores, sizeof *run->cores_of_hosts);
    if (!run->cores_of_hosts)
        return false;
    for (; run->core_count < cores; run->core_count++) {
        struct core *core = &run->cores_of_hosts[run->core_count];
        while (run->core_count >= run->hosts[home].first + run->hosts[home].cores)
            home++;
        *core = (struct core){.host = home, .thread = CC_NONE, .last = CC_NONE, .pausing = CC_NEVER};
        if (!cc_queue_start(&core->ready, 16, &run->allocator))
            return false;
    }
    run->spread = cc_variate_lognormal(SPREAD_UNIT, scenario->profile.host.spread);
    run->thread_base = connected ? 1 + run->instance_limit * connections_each(scenario) : 0;
    return true;
}

void host_end(struct cc_run *run)
{
    for (uint32_t c = 0; c < run->core_count; c++)
        cc_queue_end(&run->cores_of_hosts[c].ready);
    if (run->threads)
        cc_release(&run->allocator, run->threads, run->thread_base + run->request_capacity, sizeof *run->threads);
    if (run->commands)
        cc_release(&run->allocator, run->commands, run->request_capacity, sizeof *run->commands);
}

/* Which thread is whose. */
static uint32_t host_home(const struct cc_run *run, uint32_t t)
{
    bool each = run->scenario->host_present && run->scenario->host.layout == CC_EACH_APART;
    if (run->thread_base > 0 && t == SERVER_THREAD)
        return run->host_count - 1;
    if (!each)
        return 0;
    return t < run->thread_base ? run->connections[t - 1].instance : run->requests[t - run->thread_base].instance;
}

static void host_account(struct cc_run *run, uint32_t t, cc_time time)
{
    bool server = run->thread_base > 0 && t == SERVER_THREAD;
    run->counters[server ? COUNT_SERVER_NS : t < run->thread_base ? COUNT_IO_NS : COUNT_CALLER_NS] += time;
}

static void host_act(struct cc_run *run, uint32_t t)
{
    run->acting = t;
    if (t >= run->thread_base) {
        uint32_t r = t - run->thread_base;
        if (run->requests[r].computing)
            instance_cpu_done(run, r);
        else if (run->commands)
            connection_caller(run, r); /* or it has only woken another, and sleeps */
    } else if (t == SERVER_THREAD) {
        server_step(run);
    } else {
        connection_io(run, t - 1);
    }
    run->acting = CC_NONE;
}

/* The core's thread has run up to now. */
static void host_charge(struct cc_run *run, struct core *core)
{
    struct thread *thread = &run->threads[core->thread];
    /* Changing threads or waking up comes first, and is counted as it passes. */
    if (core->pausing != CC_NEVER) {
        cc_time end = run->now < core->start ? run->now : core->start;
        run->counters[COUNT_SWITCH_NS] += end - core->pausing;
        core->pausing = end < core->start ? end : CC_NEVER;
    }
    if (run->now <= core->start)
        return;
    cc_time ran = run->now - core->start;
    if (ran > thread->burst)
        ran = thread->burst;
    thread->burst -= ran;
    thread->had += ran;
    core->used += ran;
    core->start = run->now;
    host_account(run, core->thread, ran);
}

static uint32_t host_waiting(const struct core *core) { return cc_queue_pending(&core->ready); }

static cc_time host_slice_left(const struct cc_run *run, const struct core *core)
{
    cc_time slice = (cc_time)host_costs(run).slice;
    return slice - core->used % slice;
}

static void host_continue(struct cc_run *run, uint32_t c)
{
    struct core *core = &run->cores_of_hosts[c];
    const struct thread *thread = &run->threads[core->thread];
    /* A slice has an end only where others wait for it. */
    cc_time left = host_slice_left(run, core);
    core->until = core->start + (thread->burst < left || host_waiting(core) == 0 ? thread->burst : left);
    cc_queue_push(&run->queue, core->until, EVENT_CORE, c);
}

static void host_switch(struct cc_run *run, uint32_t c, uint32_t t, double delay)
{
    struct core *core = &run->cores_of_hosts[c];
    struct thread *thread = &run->threads[t];
    if (core->last != t)
        delay += host_costs(run).turn_over;
    cc_time pause = cc_nearest_time(delay);
    thread->state = THREAD_RUNNING;
    thread->core = c;
    core->thread = core->last = t;
    core->start = run->now + pause;
    core->pausing = run->now;
    core->used = 0;
    core->yield = false;
    host_continue(run, c);
}

/* The thread waits for core c. */
static void host_make_ready(struct cc_run *run, uint32_t t, uint32_t c)
{
    run->threads[t].state = THREAD_READY;
    run->threads[t].core = c;
    struct core *core = &run->cores_of_hosts[c];
    cc_queue_push(&core->ready, run->threads[t].had, 0, t);
    if (core->thread == CC_NONE || core->until <= run->now)
        return;
    host_charge(run, core);
    cc_time end = core->start + host_slice_left(run, core);
    if (end < core->until) {
        core->until = end;
        cc_queue_push(&run->queue, end, EVENT_CORE, c);
    }
}

/* A running thread loses its core and waits for it. */
static void host_put_back(struct cc_run *run, uint32_t c)
{
    uint32_t t = run->cores_of_hosts[c].thread;
    run->threads[t].stopped = run->now;
    host_make_ready(run, t, c);
}

/* Moves up what the thread furthest behind at this core has had. */
static void host_move_least(struct cc_run *run, struct core *core)
{
    cc_time least = CC_NEVER;
    if (core->thread != CC_NONE) {
        host_charge(run, core);
        least = run->threads[core->thread].had;
    }
    if (core->ready.hole)
        cc_queue_fill_hole(&core->ready);
    if (core->ready.size > 0 && core->ready.heap[0].time < least)
        least = core->ready.heap[0].time;
    if (least != CC_NEVER && least > core->least)
        core->least = least;
}

/* What a thread has had counts from the least of its core: at another core, from that one's. */
static void host_move(struct cc_run *run, uint32_t t, uint32_t from, uint32_t to)
{
    struct thread *thread = &run->threads[t];
    if (from == to || from == CC_NONE)
        return;
    cc_time old = run->cores_of_hosts[from].least, new = run->cores_of_hosts[to].least;
    thread->had =
        thread->had >= old ? thread->had - old + new : new - (old - thread->had < new ? old - thread->had : new);
}

/* Takes the thread that is furthest behind of those that wait at core `from` and have not run for a while; CC_NONE where
 * there is none, and *again then is not later than when there will be. */
static uint32_t host_steal(struct cc_run *run, uint32_t from, cc_time *again)
{
    struct cc_queue *queue = &run->cores_of_hosts[from].ready;
    cc_time hot = (cc_time)host_costs(run).hot;
    uint32_t found = CC_NONE, kept = 0, count = host_waiting(&run->cores_of_hosts[from]);
    struct cc_event event;
    /* The queue has no way to take one from its middle; it is short. Those that stay go back in their order. */
    for (uint32_t i = 0; i < count && cc_queue_pop(queue, &event); i++) {
        uint32_t t = cc_event_argument(event);
        cc_time cold = run->threads[t].stopped + hot;
        if (found == CC_NONE && cold <= run->now) {
            found = t;
            if (queue->hole)
                cc_queue_fill_hole(queue);
            continue;
        }
        if (cold < *again)
            *again = cold;
        if (queue->hole)
            cc_queue_fill_hole(queue);
        run->stolen[kept++] = event;
        if (kept == STEAL_MOST)
            break;
    }
    for (uint32_t i = 0; i < kept; i++)
        cc_queue_push(queue, run->stolen[i].time, 0, cc_event_argument(run->stolen[i]));
    return found;
}

/* A free core takes the next of its threads, or one from another core of its host; else it idles. */
static void host_take_next(struct cc_run *run, uint32_t c, double delay)
{
    struct core *core = &run->cores_of_hosts[c];
    struct cc_event event;
    if (cc_queue_pop(&core->ready, &event)) {
        if (event.time > core->least)
            core->least = event.time;
        host_switch(run, c, cc_event_argument(event), delay);
        return;
    }
    core->thread = CC_NONE;
    const struct host *host = &run->hosts[core->host];
    cc_time again = CC_NEVER;
    for (uint32_t other = host->first; other < host->first + host->cores; other++) {
        if (other == c || host_waiting(&run->cores_of_hosts[other]) == 0)
            continue;
        uint32_t t = host_steal(run, other, &again);
        if (t == CC_NONE)
            continue;
        host_move(run, t, other, c);
        host_switch(run, c, t, delay);
        return;
    }
    if (again != CC_NEVER)
        cc_queue_push(&run->queue, again > run->now ? again : run->now + 1, EVENT_BALANCE, c);
}

void host_balance(struct cc_run *run, uint32_t c)
{
    if (run->cores_of_hosts[c].thread == CC_NONE)
        host_take_next(run, c, host_costs(run).wake);
}

static uint32_t host_idle_core(const struct cc_run *run, const struct host *host, uint32_t favourite)
{
    if (favourite != CC_NONE && run->cores_of_hosts[favourite].thread == CC_NONE)
        return favourite;
    if (favourite != CC_NONE && !host_costs(run).scan)
        return CC_NONE;
    for (uint32_t c = host->first; c < host->first + host->cores; c++)
        if (run->cores_of_hosts[c].thread == CC_NONE)
            return c;
    return CC_NONE;
}

/* A core that idles while a thread waits elsewhere finds it once the thread has waited for as long as it counts as hot. */
static void host_call(struct cc_run *run, uint32_t t, uint32_t c)
{
    const struct host *host = &run->hosts[run->threads[t].host];
    run->threads[t].stopped = run->now;
    for (uint32_t other = host->first; other < host->first + host->cores; other++)
        if (other != c && run->cores_of_hosts[other].thread == CC_NONE) {
            schedule(run, (cc_time)host_costs(run).hot, EVENT_BALANCE, other);
            return;
        }
}

static void host_wake(struct cc_run *run, uint32_t t)
{
    struct thread *thread = &run->threads[t];
    const struct cc_host_costs costs = host_costs(run);
    uint32_t home = host_home(run, t);
    if (home != thread->host)
        thread->core = CC_NONE; /* a request's thread of another instance before */
    thread->host = home;
    const struct host *host = &run->hosts[home];
    bool shared = run->acting != CC_NONE && run->threads[run->acting].host == home;
    if (host->cores == 0) {
        thread->state = THREAD_RUNNING;
        cc_time pause = cc_nearest_time(costs.wake);
        cc_queue_push(&run->queue, run->now + pause + thread->burst, EVENT_BURST, t);
        if (shared)
            run->threads[run->acting].burst += cc_nearest_time(costs.wake_cost);
        return;
    }
    uint32_t last = thread->core, c = host_idle_core(run, host, last);
    bool idle = c != CC_NONE;
    if (!idle) {
        c = last != CC_NONE ? last : host->first;
        uint32_t near = shared ? run->threads[run->acting].core : c;
        if (host_waiting(&run->cores_of_hosts[near]) < host_waiting(&run->cores_of_hosts[c]))
            c = near;
    }
    struct core *core = &run->cores_of_hosts[c];
    host_move(run, t, last, c);
    host_move_least(run, core);
    cc_time slice = (cc_time)costs.slice;
    if (core->least > slice && thread->had < core->least - slice)
        thread->had = core->least - slice;
    if (idle) {
        if (shared)
            run->threads[run->acting].burst += cc_nearest_time(costs.wake_cost);
        host_switch(run, c, t, costs.wake);
    } else if (thread->had + (cc_time)costs.lead >= run->threads[core->thread].had) {
        host_make_ready(run, t, c);
        host_call(run, t, c);
    } else if (core->thread == run->acting) {
        host_make_ready(run, t, c);
        host_call(run, t, c);
        core->yield = true;
    } else {
        host_put_back(run, c);
        host_switch(run, c, t, 0);
    }
}

void host_settle(struct cc_run *run)
{
    for (uint32_t c = 0; c < run->core_count; c++)
        if (run->cores_of_hosts[c].thread != CC_NONE)
            host_charge(run, &run->cores_of_hosts[c]);
}

void host_run(struct cc_run *run, uint32_t t, cc_time time)
{
    struct thread *thread = &run->threads[t];
    thread->burst += time > 0 ? time : 1;
    if (thread->burst > BURST_MOST)
        thread->burst = BURST_MOST;
    if (thread->state == THREAD_BLOCKED)
        host_wake(run, t);
}

void host_spend(struct cc_run *run, uint32_t t, double nanoseconds)
{
    if (run->scenario->profile.host.spread > 0)
        nanoseconds *= (double)cc_variate_draw(&run->spread, &run->bursts) / SPREAD_UNIT;
    host_run(run, t, cc_nearest_time(nanoseconds));
}

void host_burst(struct cc_run *run, uint32_t t)
{
    struct thread *thread = &run->threads[t];
    host_account(run, t, thread->burst);
    thread->burst = 0;
    host_act(run, t);
    thread = &run->threads[t]; /* acting may have made room for more threads */
    if (thread->burst > 0)
        cc_queue_push(&run->queue, run->now + thread->burst, EVENT_BURST, t);
    else
        thread->state = THREAD_BLOCKED;
}

void host_core(struct cc_run *run, uint32_t c)
{
    struct core *core = &run->cores_of_hosts[c];
    if (core->thread == CC_NONE || core->until != run->now)
        return; /* the thread was overtaken: this end is no more */
    uint32_t t = core->thread;
    host_charge(run, core);
    if (run->threads[t].burst == 0)
        host_act(run, t);
    struct thread *thread = &run->threads[t];
    if (thread->burst == 0) {
        thread->state = THREAD_BLOCKED;
        thread->stopped = run->now;
        host_take_next(run, c, 0);
        return;
    }
    if (core->ready.hole)
        cc_queue_fill_hole(&core->ready);
    bool used_up = core->used > 0 && core->used % (cc_time)host_costs(run).slice == 0;
    if (core->ready.size > 0 && (core->yield || (used_up && core->ready.heap[0].time < thread->had))) {
        host_put_back(run, c);
        host_take_next(run, c, 0);
        return;
    }
    core->yield = false;
    host_continue(run, c);
}

#undef SPREAD_UNIT
#undef BURST_MOST
