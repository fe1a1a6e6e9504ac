/* The machines: threads share the cores of their host.
 *
 * A thread runs in bursts. It starts one by itself when it ends another, or is woken for it. Each host shares its cores
 * fairly: the ready thread that has had least processor time comes next, a running one gives way when its slice is used
 * up and another has had less, and a woken thread takes a core at once when it is behind the running one by more than a
 * lead. A thread that slept is put no further behind than one slice. Changing threads costs a core some time; a thread
 * woken on an idle core starts after a latency, and waking it costs the one who does. One queue a host, as if balancing
 * between cores were perfect. (Linux: CFS and EEVDF, kernel documentation "scheduler"; the costs come from a profile.)
 *
 * Without "host" in the scenario every thread has a core of its own. */
#include "model/sim.h"

#include <math.h>

static void host_switch(struct cc_run *run, uint32_t c, uint32_t t, double delay);

#define SPREAD_UNIT 1e6

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
        if (host->cores > 0 && !cc_queue_start(&host->ready, 64, &run->allocator))
            return false;
    }
    run->cores_of_hosts = cc_arena_take(&run->arena, cores, sizeof *run->cores_of_hosts);
    if (!run->cores_of_hosts)
        return false;
    for (uint32_t c = 0; c < cores; c++)
        run->cores_of_hosts[c] = (struct core){.thread = CC_NONE, .last = CC_NONE};
    double sigma2 = cc_log(1 + scenario->profile.host.spread);
    run->spread = (struct cc_variate){.kind = CC_LOGNORMAL, .a = cc_log(SPREAD_UNIT) - sigma2 / 2, .b = sqrt(sigma2)};
    run->thread_base = connected ? 1 + run->instance_limit * scenario->l2.connection.count : 0;
    return true;
}

void host_end(struct cc_run *run)
{
    for (uint32_t h = 0; h < run->host_count; h++)
        if (run->hosts && run->hosts[h].cores > 0)
            cc_queue_end(&run->hosts[h].ready);
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

static void host_continue(struct cc_run *run, uint32_t c)
{
    struct core *core = &run->cores_of_hosts[c];
    const struct thread *thread = &run->threads[core->thread];
    cc_time slice = (cc_time)host_costs(run).slice, left = core->used < slice ? slice - core->used : slice;
    if (core->used >= slice)
        core->used = 0;
    core->until = core->start + (thread->burst < left ? thread->burst : left);
    cc_queue_push(&run->queue, core->until, EVENT_CORE, c);
}

static void host_switch(struct cc_run *run, uint32_t c, uint32_t t, double delay)
{
    struct core *core = &run->cores_of_hosts[c];
    struct thread *thread = &run->threads[t];
    if (core->last != t)
        delay += host_costs(run).turn_over;
    cc_time pause = cc_nearest_time(delay);
    run->counters[COUNT_SWITCH_NS] += pause;
    thread->state = THREAD_RUNNING;
    thread->core = c;
    core->thread = core->last = t;
    core->start = run->now + pause;
    core->used = 0;
    core->yield = false;
    host_continue(run, c);
}

static void host_make_ready(struct cc_run *run, uint32_t t)
{
    run->threads[t].state = THREAD_READY;
    cc_queue_push(&run->hosts[run->threads[t].host].ready, run->threads[t].had, 0, t);
}

/* The ready thread that has had least, and what that is; CC_NONE where there is none. */
static uint32_t host_next_ready(struct host *host, cc_time *had)
{
    if (host->ready.hole)
        cc_queue_fill_hole(&host->ready);
    if (host->ready.size == 0)
        return CC_NONE;
    *had = host->ready.heap[0].time;
    return cc_event_argument(host->ready.heap[0]);
}

/* A core that is free takes the next thread. */
static void host_take_next(struct cc_run *run, struct host *host, uint32_t c)
{
    struct cc_event event;
    if (!cc_queue_pop(&host->ready, &event)) {
        run->cores_of_hosts[c].thread = CC_NONE;
        return;
    }
    if (event.time > host->least)
        host->least = event.time;
    host_switch(run, c, cc_event_argument(event), 0);
}

static uint32_t host_idle_core(const struct cc_run *run, const struct host *host, uint32_t favourite)
{
    if (favourite != CC_NONE && favourite >= host->first && favourite < host->first + host->cores &&
        run->cores_of_hosts[favourite].thread == CC_NONE)
        return favourite;
    for (uint32_t c = host->first; c < host->first + host->cores; c++)
        if (run->cores_of_hosts[c].thread == CC_NONE)
            return c;
    return CC_NONE;
}

/* The core whose thread has had most. */
static uint32_t host_foremost(const struct cc_run *run, const struct host *host)
{
    uint32_t best = host->first;
    for (uint32_t c = host->first; c < host->first + host->cores; c++)
        if (run->threads[run->cores_of_hosts[c].thread].had > run->threads[run->cores_of_hosts[best].thread].had)
            best = c;
    return best;
}

/* Moves up what the thread furthest behind has had, of those that run or are ready. */
static void host_move_least(struct cc_run *run, struct host *host)
{
    cc_time least = CC_NEVER, had;
    for (uint32_t c = host->first; c < host->first + host->cores; c++) {
        struct core *core = &run->cores_of_hosts[c];
        if (core->thread == CC_NONE)
            continue;
        host_charge(run, core);
        if (run->threads[core->thread].had < least)
            least = run->threads[core->thread].had;
    }
    if (host_next_ready(host, &had) != CC_NONE && had < least)
        least = had;
    if (least != CC_NEVER && least > host->least)
        host->least = least;
}

static void host_wake(struct cc_run *run, uint32_t t)
{
    struct thread *thread = &run->threads[t];
    const struct cc_host_costs costs = host_costs(run);
    thread->host = host_home(run, t);
    struct host *host = &run->hosts[thread->host];
    bool shared = run->acting != CC_NONE && run->threads[run->acting].host == thread->host;
    if (host->cores == 0) {
        thread->state = THREAD_RUNNING;
        cc_time pause = cc_nearest_time(costs.wake);
        cc_queue_push(&run->queue, run->now + pause + thread->burst, EVENT_BURST, t);
        if (shared)
            run->threads[run->acting].burst += cc_nearest_time(costs.wake_cost);
        return;
    }
    host_move_least(run, host);
    cc_time slice = (cc_time)costs.slice;
    if (host->least > slice && thread->had < host->least - slice)
        thread->had = host->least - slice;
    uint32_t c = host_idle_core(run, host, thread->core);
    if (c != CC_NONE) {
        if (shared)
            run->threads[run->acting].burst += cc_nearest_time(costs.wake_cost);
        host_switch(run, c, t, costs.wake);
        return;
    }
    c = host_foremost(run, host);
    struct core *core = &run->cores_of_hosts[c];
    if (thread->had + (cc_time)costs.lead >= run->threads[core->thread].had) {
        host_make_ready(run, t);
    } else if (core->thread == run->acting) {
        host_make_ready(run, t);
        core->yield = true;
    } else {
        host_make_ready(run, core->thread);
        host_switch(run, c, t, 0);
    }
}

void host_run(struct cc_run *run, uint32_t t, cc_time time)
{
    struct thread *thread = &run->threads[t];
    thread->burst += time > 0 ? time : 1;
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
    struct host *host = &run->hosts[run->threads[t].host];
    host_charge(run, core);
    if (run->threads[t].burst == 0)
        host_act(run, t);
    struct thread *thread = &run->threads[t];
    if (thread->burst == 0) {
        thread->state = THREAD_BLOCKED;
        host_take_next(run, host, c);
        return;
    }
    cc_time least;
    uint32_t next = host_next_ready(host, &least);
    if (next != CC_NONE && (core->yield || (core->used >= (cc_time)host_costs(run).slice && least < thread->had))) {
        host_make_ready(run, t);
        host_take_next(run, host, c);
        return;
    }
    core->yield = false;
    host_continue(run, c);
}

#undef SPREAD_UNIT
