/* The origin (a database): transactions on a connection of the instance's pool and a core of the shared server.
 *
 * A transaction waits for a connection, then, holding it, for a core, first come, first served at each. Every request
 * makes its checks before the caches and its inserts before its answer, one after another; a load reads the value. With
 * cold_load, a key's loads take that long until its first load has ended (and again after the origin is flushed). */
#include "model/sim.h"

static bool is_cold(const struct cc_run *run, uint32_t key)
{
    return run->warm_keys && !(run->warm_keys[key / 8] >> key % 8 & 1);
}

/* A load shows the origin as it is when it begins there. */
static void see_origin(struct cc_run *run, uint32_t r)
{
    if (CC_RARE(run->valued))
        run->more[r].value = freshness_load(run, run->requests[r].key);
}

static void execute(struct cc_run *run, uint32_t r)
{
    const struct cc_origin_rules *rules = &run->scenario->origin;
    const struct request *request = &run->requests[r];
    cc_time time = 0;
    switch ((enum transaction)request->transaction) {
    case TRANSACTION_CHECK:
        time = cc_variate_draw(&rules->check.variate, &run->checks);
        break;
    case TRANSACTION_LOAD:
        see_origin(run, r);
        run->counters[COUNT_COLD_LOADS] += is_cold(run, request->key);
        time =
            cc_variate_draw(is_cold(run, request->key) ? &rules->cold_load.variate : &rules->load.variate, &run->loads);
        break;
    case TRANSACTION_WRITE:
        time = cc_variate_draw(&rules->write.variate, &run->inserts);
        break;
    case TRANSACTION_INSERT:
        time = cc_variate_draw(&rules->insert.variate, &run->inserts);
        break;
    }
    const struct fault *fault = &run->origin_fault;
    if (run->now < fault->slow)
        time = cc_nearest_time((double)time * fault->factor) + fault->delay;
    if (run->now < fault->stopped) {
        if (fault->stopped == CC_NEVER)
            return; /* it is never done */
        time += fault->stopped - run->now;
    }
    schedule(run, time, EVENT_TRANSACTION, r);
}

static void connected(struct cc_run *run, uint32_t r)
{
    uint32_t limit = run->scenario->origin.queue_limit;
    if (run->cores.servers > 0 && run->cores.busy >= run->cores.servers && run->cores.waiting >= limit)
        schedule(run, 0, EVENT_REFUSED, r);
    else if (station_enter(run, STATION_CORE, &run->cores, r))
        execute(run, r);
}

static void disconnect(struct cc_run *run, uint32_t r)
{
    if (run->scenario->origin.pool == 0)
        return;
    uint32_t next = station_leave(run, STATION_POOL, &run->instances[run->requests[r].instance].pool, r);
    if (next != CC_NONE)
        connected(run, next);
}

void origin_refused(struct cc_run *run, uint32_t r)
{
    run->counters[COUNT_REFUSED]++;
    disconnect(run, r);
    instance_fail(run, r);
}

static void begin_transaction(struct cc_run *run, uint32_t r, enum transaction transaction)
{
    run->requests[r].transaction = (uint8_t)transaction;
    struct instance *instance = &run->instances[run->requests[r].instance];
    if (run->scenario->origin.pool == 0 || station_enter(run, STATION_POOL, &instance->pool, r))
        connected(run, r);
    else if (instance->pool.waiting > instance->counts.pending)
        instance->counts.pending = instance->pool.waiting;
}

/* Without limits a transaction that takes no time needs no event. */
static bool costs_nothing(const struct cc_run *run, const struct cc_duration_law *law)
{
    return cc_variate_is_zero(&law->variate) && !run->origin_fails && run->scenario->origin.pool == 0 &&
           run->scenario->origin.cores == 0;
}

void origin_checks(struct cc_run *run, uint32_t r)
{
    const struct cc_origin_rules *rules = &run->scenario->origin;
    if (run->published_keys > 0)
        run->more[r].checked = freshness_load(run, run->requests[r].key).version;
    if (rules->checks_per_request == 0 || costs_nothing(run, &rules->check)) {
        run->counters[COUNT_CHECKS] += rules->checks_per_request;
        cache_lookup(run, r);
        return;
    }
    run->requests[r].transactions_left = (uint8_t)rules->checks_per_request;
    run->counters[COUNT_CHECKS]++;
    begin_transaction(run, r, TRANSACTION_CHECK);
}

static void warm_up(struct cc_run *run, uint32_t key)
{
    if (run->warm_keys)
        run->warm_keys[key / 8] |= (uint8_t)(1u << key % 8);
}

static void loaded(struct cc_run *run, uint32_t r)
{
    if (CC_RARE(run->requests[r].dropped))
        instance_fail(run, r);
    else if (run->scenario->l2_present && CC_RARE(run->valued) && !cache_keeps(&run->scenario->l2, &run->more[r].value))
        store_nothing(run, r);
    else if (run->scenario->l2_present)
        store_set(run, r);
    else
        cache_arrived(run, r);
}

void origin_load(struct cc_run *run, uint32_t r)
{
    struct request *request = &run->requests[r];
    bool cold = is_cold(run, request->key);
    request->outcome = OUTCOME_LOADED;
    run->counters[COUNT_LOADS]++;
    run->counters[COUNT_EARLY_LOADS] += request->early;
    run->instances[request->instance].counts.loads++;
    if (costs_nothing(run, cold ? &run->scenario->origin.cold_load : &run->scenario->origin.load)) {
        run->counters[COUNT_COLD_LOADS] += cold;
        see_origin(run, r);
        warm_up(run, request->key);
        loaded(run, r);
    } else {
        begin_transaction(run, r, TRANSACTION_LOAD);
    }
}

void origin_write(struct cc_run *run, uint32_t r)
{
    run->counters[COUNT_ORIGIN_WRITES]++;
    if (costs_nothing(run, &run->scenario->origin.write))
        writer_committed(run, r);
    else
        begin_transaction(run, r, TRANSACTION_WRITE);
}

void origin_inserts(struct cc_run *run, uint32_t r)
{
    const struct cc_origin_rules *rules = &run->scenario->origin;
    if (rules->inserts_per_response == 0 || costs_nothing(run, &rules->insert)) {
        run->counters[COUNT_INSERTS] += rules->inserts_per_response;
        instance_finish(run, r);
        return;
    }
    run->requests[r].transactions_left = (uint8_t)rules->inserts_per_response;
    run->counters[COUNT_INSERTS]++;
    begin_transaction(run, r, TRANSACTION_INSERT);
}

static bool load_fails(struct cc_run *run)
{
    if (!run->origin_fails)
        return false;
    const struct fault *fault = &run->origin_fault;
    double ratio = run->now < fault->failing ? fault->ratio : run->scenario->origin.failure_ratio;
    return cc_random_unit(&run->failures) < ratio;
}

void origin_transaction_done(struct cc_run *run, uint32_t r)
{
    enum transaction transaction = (enum transaction)run->requests[r].transaction;
    if (transaction == TRANSACTION_LOAD)
        warm_up(run, run->requests[r].key); /* before the next one in line begins */
    uint32_t next = station_leave(run, STATION_CORE, &run->cores, r);
    if (next != CC_NONE)
        execute(run, next);
    disconnect(run, r);
    if (transaction == TRANSACTION_LOAD && CC_RARE(load_fails(run))) {
        run->counters[COUNT_LOAD_FAILURES]++;
        instance_fail(run, r);
    } else if (transaction == TRANSACTION_LOAD) {
        loaded(run, r);
    } else if (transaction == TRANSACTION_WRITE) {
        writer_committed(run, r);
    } else if (--run->requests[r].transactions_left > 0) {
        run->counters[transaction == TRANSACTION_CHECK ? COUNT_CHECKS : COUNT_INSERTS]++;
        begin_transaction(run, r, transaction);
    } else if (transaction == TRANSACTION_CHECK) {
        cache_lookup(run, r);
    } else {
        instance_finish(run, r);
    }
}
