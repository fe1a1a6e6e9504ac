/* Who changes values: writes to the origin with a strategy for the caches, deletions, and increments of a value that
 * lives in the store: read it, work out the new one, write it back under some condition.
 *
 * A value has a content, which conditions may compare, and a revision, which every write renews: where a content came
 * back meanwhile (A, B, A), a comparison of contents succeeds and one of revisions does not. Semantics are those of
 * Redis 8.4: IFEQ and IFDEQ fail on a key that is not there, EXEC when the key was touched since WATCH. What was read as
 * absent is written only if it still is (NX). An unconditional SET overwrites what others wrote since the GET: those
 * updates are lost. */
#include "model/sim.h"

bool writer_start(struct cc_run *run)
{
    const struct cc_scenario *scenario = run->scenario;
    if (!scenario->mix_present || scenario->increments.method != CC_METHOD_LOCK)
        return true;
    run->locks = cc_arena_take(&run->arena, scenario->keys.count, sizeof *run->locks);
    return run->locks != NULL;
}

enum operation writer_draw(struct cc_run *run)
{
    const struct cc_mix *mix = &run->scenario->mix;
    double x = cc_random_unit(&run->operations) * (mix->read + mix->write + mix->increment + mix->remove);
    if (x < mix->read)
        return OPERATION_READ;
    if (x < mix->read + mix->write)
        return OPERATION_WRITE;
    return x < mix->read + mix->write + mix->increment ? OPERATION_INCREMENT : OPERATION_DELETE;
}

static void send_command(struct cc_run *run, uint32_t r, enum store_command command)
{
    run->requests[r].command = (uint8_t)command;
    store_command(run, r);
}

static void send_later(struct cc_run *run, uint32_t r, enum store_command command, cc_time pause)
{
    run->requests[r].command = (uint8_t)command;
    if (pause == 0)
        store_command(run, r);
    else
        schedule(run, pause, EVENT_WRITER, r);
}

static void delete_own(struct cc_run *run, uint32_t r)
{
    const struct request *request = &run->requests[r];
    if (run->scenario->l1_present)
        cache_delete(run, &run->instances[request->instance].l1, request->key, more_of(run, request)->value.version);
}

static void attempt_increment(struct cc_run *run, uint32_t r, cc_time pause)
{
    static const enum store_command first[] = {
        [CC_METHOD_SET] = STORE_GET,   [CC_METHOD_WATCH] = STORE_WATCH_GET,   [CC_METHOD_LUA] = STORE_GET,
        [CC_METHOD_IFEQ] = STORE_GET,  [CC_METHOD_IFDEQ] = STORE_GET,         [CC_METHOD_VERSION] = STORE_GET,
        [CC_METHOD_LOCK] = STORE_LOCK, [CC_METHOD_IN_STORE] = STORE_IN_STORE,
    };
    send_later(run, r, first[run->scenario->increments.method], pause);
}

void writer_begin(struct cc_run *run, uint32_t r)
{
    run->more[r].made = 0;
    run->more[r].missed = run->now;
    switch ((enum operation)run->requests[r].operation) {
    case OPERATION_WRITE:
        origin_write(run, r);
        break;
    case OPERATION_DELETE:
        delete_own(run, r);
        if (run->scenario->l2_present)
            send_command(run, r, STORE_DEL);
        else
            writer_done(run, r);
        break;
    default:
        attempt_increment(run, r, 0);
    }
}

void writer_done(struct cc_run *run, uint32_t r)
{
    run->requests[r].outcome = OUTCOME_WRITTEN;
    instance_respond(run, r);
}

/* The origin has the write: it is a new version, and the caches are dealt with. */
void writer_committed(struct cc_run *run, uint32_t r)
{
    const struct cc_scenario *scenario = run->scenario;
    uint32_t version = freshness_commit(run, run->requests[r].key);
    run->more[r].value = (struct value){.asked = run->now, .version = version};
    if (scenario->write_strategy == CC_WRITE_AROUND) {
        writer_done(run, r);
        return;
    }
    bool through = scenario->write_strategy == CC_WRITE_THROUGH;
    if (!through)
        delete_own(run, r);
    else if (scenario->l1_present)
        cache_write(run, &run->instances[run->requests[r].instance].l1, r, &run->l1_ttl, 0, COUNT_L1_EVICTIONS);
    if (scenario->l2_present)
        send_command(run, r, through ? STORE_SET : STORE_DEL);
    else
        writer_done(run, r);
}

static void store_write(struct cc_run *run, uint32_t r)
{
    struct request *request = &run->requests[r];
    more_of(run, request)->value.revision = ++run->revisions;
    run->counters[COUNT_L2_SETS]++;
    if (cache_write(run, &run->l2, r, &run->l2_ttl, 0, COUNT_L2_EVICTIONS))
        run->counters[COUNT_L2_DUPLICATE_SETS]++;
}

/* One more than what was read, whatever is there by now. */
static void store_increment(struct cc_run *run, uint32_t r)
{
    struct request *request = &run->requests[r];
    const struct value *now = cache_peek(run, &run->l2, request->key);
    /* Less where others have set it back: what is lost in all is what there is less than was added. */
    if (now)
        run->counters[COUNT_LOST_UPDATES] += now->content - more_of(run, request)->read.content;
    if (now && now->revision != more_of(run, request)->read.revision &&
        now->content == more_of(run, request)->read.content)
        run->counters[COUNT_ABA]++;
    more_of(run, request)->value =
        (struct value){.asked = run->now, .content = more_of(run, request)->read.content + 1};
    store_write(run, r);
}

/* Whether a conditional write finds what its caller read. */
static bool holds(struct cc_run *run, uint32_t r, bool by_revision)
{
    const struct request *request = &run->requests[r];
    const struct value *now = cache_peek(run, &run->l2, request->key);
    if (!now || more_of(run, request)->absent) {
        if (!now && !more_of(run, request)->absent)
            run->counters[COUNT_GONE]++;
        return !now && more_of(run, request)->absent;
    }
    return by_revision ? now->revision == more_of(run, request)->read.revision
                       : now->content == more_of(run, request)->read.content;
}

static bool lock_take(struct cc_run *run, uint32_t r)
{
    struct lock *lock = &run->locks[run->requests[r].key];
    cc_time ttl = run->scenario->increments.lock_ttl;
    if (lock->holder != 0 && run->now < lock->until) {
        run->counters[COUNT_LOCK_POLLS]++;
        return false;
    }
    run->more[r].token = ++run->revisions;
    *lock = (struct lock){run->more[r].token, ttl > 0 ? run->now + ttl : CC_NEVER};
    return true;
}

/* The store executes the command. */
void writer_execute(struct cc_run *run, uint32_t r)
{
    struct request *request = &run->requests[r];
    request->found = true;
    switch ((enum store_command)request->command) {
    case STORE_GET:
    case STORE_WATCH_GET:
        run->counters[COUNT_L2_LOOKUPS]++;
        request->found = cache_read(run, &run->l2, r);
        run->counters[COUNT_L2_HITS] += request->found;
        more_of(run, request)->absent = !request->found;
        more_of(run, request)->read = request->found ? more_of(run, request)->value : (struct value){0};
        break;
    case STORE_DIGEST: {
        const struct value *now = cache_peek(run, &run->l2, request->key);
        request->found = now ? !more_of(run, request)->absent && now->content == more_of(run, request)->read.content
                             : more_of(run, request)->absent;
        break;
    }
    case STORE_SET:
        if (request->operation == OPERATION_INCREMENT)
            store_increment(run, r);
        else
            store_write(run, r);
        break;
    case STORE_DEL:
        cache_delete(run, &run->l2, request->key, more_of(run, request)->value.version);
        break;
    case STORE_SET_IFEQ:
    case STORE_SET_IFDEQ:
    case STORE_LUA_CAS:
        request->found = holds(run, r, false);
        if (request->found)
            store_increment(run, r);
        break;
    case STORE_LUA_VERSION:
    case STORE_EXEC:
        request->found = holds(run, r, true);
        if (request->found)
            store_increment(run, r);
        break;
    case STORE_LOCK:
        request->found = lock_take(run, r);
        break;
    case STORE_UNLOCK:
        if (run->locks[request->key].holder == more_of(run, request)->token)
            run->locks[request->key].holder = 0;
        break;
    case STORE_IN_STORE: {
        const struct value *now = cache_peek(run, &run->l2, request->key);
        more_of(run, request)->read = now ? *now : (struct value){0};
        store_increment(run, r);
        break;
    }
    case STORE_COMMANDS:
        break;
    }
}

/* It has not come off: once more from the start, if the rules say so. */
static void again(struct cc_run *run, uint32_t r)
{
    const struct cc_increments *rules = &run->scenario->increments;
    struct request *request = &run->requests[r];
    bool polls = request->command == STORE_LOCK;
    if (rules->retry_present && more_of(run, request)->made >= rules->retry.count) {
        run->counters[COUNT_GIVEN_UP]++;
        instance_fail(run, r);
        return;
    }
    if (!polls)
        run->counters[COUNT_CONFLICTS]++;
    cc_time pause = cc_variate_draw(&rules->again.variate, &run->thinking);
    if (rules->retry_present)
        pause += retry_backoff(run, &rules->retry, more_of(run, request)->made);
    more_of(run, request)->made++;
    attempt_increment(run, r, pause);
}

/* The reply is there. */
void writer_reply(struct cc_run *run, uint32_t r)
{
    static const enum store_command second[] = {
        [CC_METHOD_SET] = STORE_SET,
        [CC_METHOD_WATCH] = STORE_EXEC,
        [CC_METHOD_LUA] = STORE_LUA_CAS,
        [CC_METHOD_IFEQ] = STORE_SET_IFEQ,
        [CC_METHOD_IFDEQ] = STORE_SET_IFDEQ,
        [CC_METHOD_LOCK] = STORE_SET,
        [CC_METHOD_VERSION] = STORE_LUA_VERSION,
        [CC_METHOD_IN_STORE] = STORE_COMMANDS,
    };
    const struct cc_increments *rules = &run->scenario->increments;
    struct request *request = &run->requests[r];
    enum store_command command = (enum store_command)request->command;
    if (request->operation != OPERATION_INCREMENT) {
        writer_done(run, r);
        return;
    }
    if (command == STORE_LOCK && request->found) {
        send_command(run, r, STORE_GET);
    } else if (!request->found && command != STORE_GET && command != STORE_WATCH_GET) {
        again(run, r);
    } else if (command == STORE_GET || command == STORE_WATCH_GET) {
        cc_time think = cc_variate_draw(&rules->think.variate, &run->thinking);
        bool fresh = rules->method == CC_METHOD_IFDEQ && rules->digest == CC_DIGEST_FRESH;
        send_later(run, r, fresh ? STORE_DIGEST : second[rules->method], think);
    } else if (command == STORE_DIGEST) {
        send_command(run, r, STORE_SET_IFDEQ);
    } else {
        if (command != STORE_UNLOCK) {
            run->counters[COUNT_INCREMENTS]++;
            delete_own(run, r);
        }
        if (rules->method == CC_METHOD_LOCK && command != STORE_UNLOCK)
            send_command(run, r, STORE_UNLOCK);
        else
            writer_done(run, r);
    }
}
