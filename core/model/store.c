/* L2, the cache that all instances share, as its clients see it.
 *
 * Without a connection, a command takes a drawn round trip and is executed half-way through it; with one, it passes
 * connection.c, wire.c and server.c on its way and back. A caller that misses loads and then waits for
 * its SET, so that a key stays absent from the GET's execution to the SET's: without coalescing, every request that asks
 * within that window loads too. With scope cluster the store hands out one lease a key, which may run out, and tells
 * the others or has them ask again; with scope instance the misses of an instance wait for the first of them. */
#include "model/sim.h"

#include <string.h>

struct fault *store_fault(struct cc_run *run, uint32_t key)
{
    if (!run->store_faults)
        return NULL;
    return &run->store_faults[cc_scatter(key + UINT64_C(1)) % run->scenario->l2.shards];
}

/* A caller that gives a SET up goes on; the command itself is executed late. */
static void send_alone(struct cc_run *run, uint32_t of, cc_time delay)
{
    uint32_t r = request_take(run);
    if (r == CC_NONE)
        return;
    struct request *request = &run->requests[r];
    request->key = run->requests[of].key;
    request->instance = run->requests[of].instance;
    request->client = run->requests[of].client;
    value_share(run, of, r);
    request->reply_leg = 0;
    request->live = request->answered = request->background = request->dropped = true;
    run->instances[request->instance].outstanding++;
    schedule(run, delay, EVENT_STORE_SET, r);
}

/* The command's way to a server that may be slow or hang: a command given up while it hangs is lost with its connection,
 * one that is only late is executed all the same. */
static void send_troubled(struct cc_run *run, uint32_t r, enum command_kind kind, cc_time trip)
{
    const struct fault *fault = store_fault(run, run->requests[r].key);
    cc_time timeout = run->scenario->l2.timeout;
    if (run->now < fault->slow)
        trip = cc_nearest_time((double)trip * fault->factor) + fault->delay;
    bool hangs = run->now < fault->stopped;
    cc_time execute = run->now + trip / 2;
    if (hangs && fault->stopped > execute)
        execute = fault->stopped;
    run->requests[r].reply_leg = trip - trip / 2;
    if (timeout > 0 && (execute == CC_NEVER || execute + run->requests[r].reply_leg > run->now + timeout)) {
        if (!hangs && kind == COMMAND_SET)
            send_alone(run, r, execute - run->now);
        schedule(run, timeout, kind == COMMAND_GET ? EVENT_GET_TIMEOUT : EVENT_SET_TIMEOUT, r);
    } else if (execute != CC_NEVER) {
        schedule(run, execute - run->now, kind == COMMAND_GET ? EVENT_STORE_GET : EVENT_STORE_SET, r);
    }
}

/* Whether the command is sent at all: a breaker may hold it back, a server refuse it. */
static bool store_takes(struct cc_run *run, uint32_t r, enum command_kind kind)
{
    if (run->scenario->l2.breaker_present && !breaker_lets_pass(run, run->requests[r].instance)) {
        run->counters[COUNT_L2_SKIPPED]++;
        store_failed(run, r, kind);
        return false;
    }
    const struct fault *fault = store_fault(run, run->requests[r].key);
    if (!fault || run->now >= fault->refusing)
        return true;
    store_timeout(run, r, kind);
    return false;
}

static void store_reply_to(struct cc_run *run, uint32_t r);

static const char *const *command_names(const struct cc_scenario *scenario)
{
    static const char *const names[][STORE_COMMANDS] = {
#define PLAIN(get, set, change)                                                              \
    {get,          set,       "del",         "digest", "set_ifeq", "set_ifdeq", "watch_get", \
     "multi_exec", "lua_cas", "lua_version", "lock",   "unlock",   change}
        PLAIN("get", "set", ""),
        PLAIN("get", "set", ""),
        PLAIN("json_get_root", "json_set_root", "json_numincrby"),
        PLAIN("lua_json_get", "lua_json_set", "lua_json_incr"),
        PLAIN("lua_msgpack_get", "lua_msgpack_set", "lua_msgpack_incr"),
        PLAIN("json_get_path", "json_set_path", "json_numincrby"),
#undef PLAIN
    };
    bool path = scenario->value_form == CC_FORM_JSON && scenario->access == CC_ACCESS_PATH;
    return names[path ? CC_FORM_LUA_MSGPACK + 1 : (int)scenario->value_form];
}

bool store_start(struct cc_run *run)
{
    const struct cc_scenario *scenario = run->scenario;
    if (!scenario->l2_present)
        return true;
    run->store.servers = scenario->l2.threads;
    const char *const *names = command_names(scenario);
    for (uint32_t i = 0; i < scenario->profile.command_count; i++)
        for (int command = 0; command < STORE_COMMANDS; command++)
            if (strcmp(scenario->profile.commands[i].name, names[command]) == 0) {
                run->command_costs[command] = scenario->profile.commands[i];
                run->command_spread[command] = cc_variate_lognormal(1e9, scenario->profile.commands[i].spread);
            }
    run->shard_commands = cc_arena_take(&run->arena, scenario->l2.shards, sizeof *run->shard_commands);
    return run->shard_commands != NULL;
}

/* Bytes of the value, or of what stands for it, each way. */
static void count_bytes(struct cc_run *run, enum store_command command, uint64_t bytes)
{
    static const struct {
        uint8_t up, down, more; /* times the value; bytes of a digest */
    } travels[STORE_COMMANDS] = {
        [STORE_GET] = {0, 1, 0},        [STORE_SET] = {1, 0, 0},         [STORE_SET_IFEQ] = {2, 0, 0},
        [STORE_SET_IFDEQ] = {1, 0, 16}, [STORE_WATCH_GET] = {0, 1, 0},   [STORE_EXEC] = {1, 0, 0},
        [STORE_LUA_CAS] = {2, 0, 0},    [STORE_LUA_VERSION] = {1, 0, 0},
    };
    run->counters[COUNT_STORE_COMMANDS]++;
    run->counters[COUNT_BYTES_UP] += travels[command].up * bytes + travels[command].more;
    run->counters[COUNT_BYTES_DOWN] += travels[command].down * bytes + (command == STORE_DIGEST ? 16 : 0);
}

static cc_time cost_of(double each, double byte, uint64_t bytes)
{
    return each + byte > 0 ? cc_nearest_time(each + byte * (double)bytes) : 0;
}

static void execute_command(struct cc_run *run, uint32_t r, bool get)
{
    if (run->requests[r].operation != OPERATION_READ) {
        writer_execute(run, r);
        store_reply_to(run, r);
    } else if (get) {
        store_execute_get(run, r);
    } else {
        store_execute_set(run, r);
    }
}

static void serve(struct cc_run *run, uint32_t r)
{
    const struct cc_command_costs *costs = &run->command_costs[run->requests[r].command];
    uint64_t bytes = cache_value_bytes(run, run->requests[r].key), others = run->store.busy + run->store.waiting - 1;
    cc_time time = cost_of(costs->server, costs->server_byte, bytes) + run->scenario->l2.crowding * others;
    if (costs->spread > 0) {
        const struct cc_variate *law = &run->command_spread[run->requests[r].command];
        time = cc_nearest_time((double)time * (double)cc_variate_draw(law, &run->serving) / 1e9);
    }
    run->counters[COUNT_SERVER_NS] += time;
    schedule(run, time, EVENT_STORE_SERVED, r);
}

/* The command is at the store: it waits for a thread where there are few. */
void store_arrived(struct cc_run *run, uint32_t r, enum command_kind kind)
{
    if (run->scenario->l2.threads == 0) {
        execute_command(run, r, kind == COMMAND_GET);
        return;
    }
    run->requests[r].gets = kind == COMMAND_GET;
    if (station_enter(run, STATION_STORE, &run->store, r))
        serve(run, r);
}

void store_served(struct cc_run *run, uint32_t r)
{
    uint32_t next = station_leave(run, STATION_STORE, &run->store, r);
    if (next != CC_NONE)
        serve(run, next);
    execute_command(run, r, run->requests[r].gets);
}

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
    if (CC_RARE(run->counted)) {
        struct request *request = &run->requests[r];
        if (request->operation == OPERATION_READ)
            request->command = get ? STORE_GET : STORE_SET;
        const struct cc_command_costs *costs = &run->command_costs[request->command];
        uint64_t bytes = cache_value_bytes(run, request->key);
        bool queues = rules->threads > 0;
        trip += cost_of(costs->client + (queues ? 0 : costs->server),
                        costs->client_byte + (queues ? 0 : costs->server_byte), bytes);
        count_bytes(run, (enum store_command)request->command, bytes);
        run->shard_commands[cc_scatter(request->key + UINT64_C(1)) % rules->shards]++;
        run->requests[r].reply_leg = trip - trip / 2;
        if (run->store_faults == NULL && rules->timeout == 0) {
            schedule(run, trip / 2, get ? EVENT_STORE_GET : EVENT_STORE_SET, r);
            return false;
        }
    }
    run->requests[r].reply_leg = trip - trip / 2;
    if (CC_RARE(run->store_faults != NULL || rules->timeout > 0)) {
        send_troubled(run, r, kind, trip);
        return false;
    }
    if (cc_variate_is_zero(law))
        return true;
    schedule(run, trip / 2, get ? EVENT_STORE_GET : EVENT_STORE_SET, r);
    return false;
}

void store_get(struct cc_run *run, uint32_t r)
{
    if (run->scenario->l2.retry_present && run->requests[r].tries == 0 && !run->requests[r].waited)
        retry_earn(run, &run->scenario->l2.retry, BUDGET_L2);
    if (store_takes(run, r, COMMAND_GET) && store_send(run, r, COMMAND_GET))
        store_execute_get(run, r);
}

void store_get_again(struct cc_run *run, uint32_t r)
{
    if (run->requests[r].waited && run->requests[r].dropped)
        instance_fail(run, r); /* its instance is gone, and with it the asking */
    else
        store_get(run, r);
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

void store_lease(struct cc_run *run, uint32_t f)
{
    struct flight *flight = &run->flights.pool[f];
    if (flight->lease != run->now)
        return;
    if (flight->leader != CC_NONE)
        run->requests[flight->leader].l2_flight = CC_NONE; /* what it writes is written all the same */
    store_heir(run, f);
}

void store_orphan(struct cc_run *run, uint32_t r)
{
    struct request *request = &run->requests[r];
    request->dropped = true;
    if (request->l2_flight == CC_NONE || run->scenario->l2.single_flight != CC_FLIGHT_CLUSTER)
        return;
    run->flights.pool[request->l2_flight].leader = CC_NONE;
    request->l2_flight = CC_NONE;
}

void store_lease_begins(struct cc_run *run, uint32_t f)
{
    cc_time ttl = run->scenario->l2.lease.ttl;
    if (ttl == 0)
        return;
    if (f > CC_EVENT_ARGUMENT_MAX) {
        run->out_of_memory = true;
        return;
    }
    run->flights.pool[f].lease = run->now + ttl;
    schedule(run, ttl, EVENT_LEASE, f);
}

/* A miss where the store hands out leases: true when there is a reply now. */
static bool lease_take(struct cc_run *run, uint32_t r)
{
    struct request *request = &run->requests[r];
    if (run->scenario->l2.lease.poll > 0 && flight_runs(run, SCOPE_L2_CLUSTER, r)) {
        run->counters[COUNT_POLLS]++;
        request->waits = true;
        return true;
    }
    request->l2_flight = flight_join_or_lead(run, SCOPE_L2_CLUSTER, r);
    if (request->l2_flight == CC_NONE)
        return false; /* the SET that ends the flight sends the reply */
    store_lease_begins(run, request->l2_flight);
    return true;
}

static void store_reply_to(struct cc_run *run, uint32_t r) { reply(run, r); }

void store_command(struct cc_run *run, uint32_t r)
{
    static const bool writes[STORE_COMMANDS] = {
        [STORE_SET] = true,    [STORE_DEL] = true,      [STORE_SET_IFEQ] = true,    [STORE_SET_IFDEQ] = true,
        [STORE_EXEC] = true,   [STORE_LUA_CAS] = true,  [STORE_LUA_VERSION] = true, [STORE_LOCK] = true,
        [STORE_UNLOCK] = true, [STORE_IN_STORE] = true,
    };
    enum command_kind kind = writes[run->requests[r].command] ? COMMAND_SET : COMMAND_GET;
    run->requests[r].tries = 0;
    if (store_takes(run, r, kind) && store_send(run, r, kind))
        store_arrived(run, r, kind);
}

void store_execute_get(struct cc_run *run, uint32_t r)
{
    struct request *request = &run->requests[r];
    bool cluster = run->scenario->l2.single_flight == CC_FLIGHT_CLUSTER;
    run->counters[COUNT_L2_LOOKUPS]++;
    if (CC_RARE(run->valued))
        request->refresh = request->grace = request->passes = false;
    request->found = cache_read(run, &run->l2, r);
    request->outcome = OUTCOME_LOADED;
    if (request->found) {
        request->outcome = OUTCOME_L2_HIT;
        run->counters[COUNT_L2_HITS]++;
        if (CC_RARE(request->waited))
            request->outcome = OUTCOME_JOINED;
        if (CC_RARE(run->valued && request->refresh && cluster)) {
            request->refresh = false;
            refresh_start(run, r, SCOPE_L2_CLUSTER, true);
        }
    } else if (cluster && !request->dropped && !(run->valued && request->passes)) {
        if (!lease_take(run, r))
            return;
    }
    reply(run, r);
}

static void store_answered(struct cc_run *run, uint32_t r);

/* The GET has brought nothing: load, or wait for one who does. */
static void store_missed(struct cc_run *run, uint32_t r)
{
    if (run->scenario->l2.single_flight == CC_FLIGHT_INSTANCE && !(run->valued && run->requests[r].passes)) {
        uint32_t flight = flight_join_or_lead(run, SCOPE_L2_INSTANCE, r);
        run->requests[r].l2_flight = flight;
        if (flight == CC_NONE)
            return;
    }
    origin_load(run, r);
}

void store_failed(struct cc_run *run, uint32_t r, enum command_kind kind)
{
    const struct cc_cache_rules *rules = &run->scenario->l2;
    struct request *request = &run->requests[r];
    if (rules->connection_present)
        connection_give_up(run, r);
    if (request->operation != OPERATION_READ) {
        instance_fail(run, r);
        return;
    }
    if (kind == COMMAND_SET) {
        if (request->putting)
            instance_fail(run, r);
        else
            store_nothing(run, r);
        return;
    }
    cc_time pause = rules->retry_present ? retry_pause(run, &rules->retry, request->tries, BUDGET_L2) : CC_NEVER;
    if (pause != CC_NEVER) {
        request->tries++;
        schedule(run, pause, EVENT_GET_AGAIN, r);
    } else if (rules->on_failure == CC_FAIL_CLOSED || run->scenario->operation == CC_PUT_GET) {
        instance_fail(run, r);
    } else {
        request->found = false;
        request->outcome = OUTCOME_LOADED;
        store_missed(run, r);
    }
}

void store_timeout(struct cc_run *run, uint32_t r, enum command_kind kind)
{
    run->counters[COUNT_L2_FAILURES]++;
    breaker_count(run, run->requests[r].instance, false);
    store_failed(run, r, kind);
}

void store_heir(struct cc_run *run, uint32_t flight)
{
    uint32_t heir = flight_hand_over(run, flight);
    if (heir == CC_NONE)
        return;
    run->requests[heir].l2_flight = flight;
    run->requests[heir].found = false;
    store_lease_begins(run, flight);
    reply(run, heir);
}

void store_reply(struct cc_run *run, uint32_t r)
{
    struct request *request = &run->requests[r];
    if (run->scenario->l2.breaker_present)
        breaker_count(run, request->instance, true);
    if (CC_RARE(request->operation != OPERATION_READ)) {
        writer_reply(run, r);
        return;
    }
    if (run->scenario->operation == CC_PUT_GET) {
        request->outcome = request->found ? OUTCOME_L2_HIT : OUTCOME_FAILED; /* the value was gone already */
        instance_respond(run, r);
        return;
    }
    if (CC_RARE(request->waits)) {
        request->waits = false;
        request->waited = true;
        schedule(run, run->scenario->l2.lease.poll, EVENT_GET_AGAIN, r);
    } else if (request->found) {
        if (CC_RARE(run->valued)) {
            request->outcome = request->grace ? OUTCOME_GRACE : request->outcome;
            if (request->refresh)
                refresh_start(run, r, SCOPE_L2_INSTANCE, run->scenario->l2.single_flight == CC_FLIGHT_INSTANCE);
        }
        cache_arrived(run, r);
    } else {
        store_missed(run, r);
    }
}

void store_set(struct cc_run *run, uint32_t r)
{
    if (store_takes(run, r, COMMAND_SET) && store_send(run, r, COMMAND_SET))
        store_execute_set(run, r);
}

static bool is_uncacheable(const struct cc_run *run, uint32_t r)
{
    return run->valued && run->more[r].value.kind == VALUE_UNCACHEABLE;
}

/* Every request that joined the flight got its value. */
static uint32_t land_l2(struct cc_run *run, uint32_t r)
{
    uint32_t joined = flight_land(run, run->requests[r].l2_flight);
    run->requests[r].l2_flight = CC_NONE;
    for (uint32_t j = joined; j != CC_NONE; j = run->requests[j].next) {
        run->requests[j].outcome = OUTCOME_JOINED;
        value_share(run, r, j);
    }
    return joined;
}

void store_execute_set(struct cc_run *run, uint32_t r)
{
    struct request *request = &run->requests[r];
    run->counters[COUNT_L2_SETS]++;
    if (cache_write(run, &run->l2, r, &run->l2_ttl, 1, COUNT_L2_EVICTIONS))
        run->counters[COUNT_L2_DUPLICATE_SETS]++;
    if (request->l2_flight != CC_NONE && run->scenario->l2.single_flight == CC_FLIGHT_CLUSTER) {
        for (uint32_t j = land_l2(run, r), next; j != CC_NONE; j = next) {
            next = run->requests[j].next;
            run->requests[j].found = !is_uncacheable(run, j);
            run->requests[j].passes = !run->requests[j].found;
            reply(run, j);
        }
    }
    if (run->scenario->l2.connection_present)
        server_reply(run, r);
    else if (is_orphan(&run->requests[r]))
        instance_respond(run, r); /* nobody waits for this answer */
    else if (run->requests[r].reply_leg == 0)
        store_set_reply(run, r);
    else
        schedule(run, run->requests[r].reply_leg, EVENT_SET_REPLY, r);
}

/* The SET is done, or given up: the value goes on up. */
static void store_answered(struct cc_run *run, uint32_t r)
{
    if (run->requests[r].putting) {
        run->requests[r].putting = false;
        store_get(run, r);
        return;
    }
    if (run->requests[r].l2_flight != CC_NONE) {
        for (uint32_t j = land_l2(run, r), next; j != CC_NONE; j = next) {
            next = run->requests[j].next;
            if (is_uncacheable(run, j))
                store_missed(run, j); /* what it waited for is not for it */
            else
                cache_arrived(run, j);
        }
    }
    cache_arrived(run, r);
}

void store_nothing(struct cc_run *run, uint32_t r)
{
    uint32_t lease = run->scenario->l2.single_flight == CC_FLIGHT_CLUSTER ? run->requests[r].l2_flight : CC_NONE;
    if (lease != CC_NONE) {
        run->requests[r].l2_flight = CC_NONE;
        store_heir(run, lease);
    }
    store_answered(run, r);
}

void store_set_reply(struct cc_run *run, uint32_t r)
{
    if (run->scenario->l2.breaker_present)
        breaker_count(run, run->requests[r].instance, true);
    store_answered(run, r);
}
