/* Changes at the origin: who publishes them, which caches hear of them, and how old the answers are.
 *
 * Every publication of a key is a version. A load shows the version of the moment it begins at the origin, so that one
 * which began before a publication may store what is outdated (a refill race). An answer is stale when a newer version
 * was published before it; its age counts from the first such publication. A publication has propagated with the last
 * answer that is older than it. Publications form a chain for each key, in which answers leave their marks:
 * `last_stale` at the publication that made them stale, `seen` at the one they show; freshness_sync carries the marks
 * along the chains. */
#include "model/sim.h"

static struct publication *version_of(const struct cc_run *run, uint32_t version)
{
    return &run->publications[version - 1];
}

/* How many keys change by themselves. */
static uint32_t changed_keys(const struct cc_run *run)
{
    uint32_t keys = run->scenario->publications.keys;
    return keys < run->published_keys ? keys : run->published_keys;
}

static void schedule_next(struct cc_run *run)
{
    double rate = run->scenario->publications.rate * changed_keys(run);
    if (rate > 0)
        schedule(run, cc_nearest_time(cc_exponential(&run->publishing) * 1e9 / rate), EVENT_PUBLISH, 0);
}

bool freshness_start(struct cc_run *run)
{
    const struct cc_publications *rules = &run->scenario->publications;
    run->message_free = CC_NONE;
    bool writes = run->scenario->mix_present && run->scenario->mix.write > 0;
    if (!run->scenario->publications_present && !writes)
        return true;
    uint32_t keys = run->scenario->keys.count;
    run->published_keys = rules->keys < keys && !writes ? rules->keys : keys;
    run->first_version = cc_arena_take(&run->arena, run->published_keys, sizeof *run->first_version);
    run->last_version = cc_arena_take(&run->arena, run->published_keys, sizeof *run->last_version);
    if (!run->first_version || !run->last_version)
        return false;
    return true;
}

void freshness_plan(struct cc_run *run)
{
    if (!run->scenario->publications_present)
        return;
    const struct cc_publications *rules = &run->scenario->publications;
    for (uint32_t i = 0; i < rules->at_count; i++)
        cc_queue_push(&run->queue, rules->at[i], EVENT_PUBLISH, i + 1);
    schedule_next(run);
}

void freshness_end(struct cc_run *run)
{
    cc_release(&run->allocator, run->publications, run->publication_capacity, sizeof *run->publications);
    cc_release(&run->allocator, run->messages, run->message_capacity, sizeof *run->messages);
}

struct value freshness_load(const struct cc_run *run, uint32_t key)
{
    const struct cc_keys *keys = &run->scenario->keys;
    struct value value = {.asked = run->now};
    if (key >= keys->count - keys->absent)
        value.kind = VALUE_ABSENT;
    else if (key >= keys->count - keys->absent - keys->uncacheable)
        value.kind = VALUE_UNCACHEABLE;
    if (key < run->published_keys) {
        value.version = run->last_version[key];
        while (value.version > 0 && run->now < version_of(run, value.version)->shown)
            value.version = version_of(run, value.version)->before;
    }
    return value;
}

uint32_t freshness_newer(const struct cc_run *run, uint32_t key, uint32_t version)
{
    if (key >= run->published_keys)
        return 0;
    return version == 0 ? run->first_version[key] : version_of(run, version)->after;
}

/* The new version's number, or 0 when memory is out. */
static uint32_t append(struct cc_run *run, uint32_t key)
{
    if (run->publication_count == run->publication_capacity) {
        uint32_t had = run->publication_capacity, wanted = had > 0 ? had * 2 : 64;
        struct publication *grown =
            had < CC_NONE / 4 ? cc_resize(&run->allocator, run->publications, had, wanted, sizeof *grown) : NULL;
        if (!grown) {
            run->out_of_memory = true;
            return 0;
        }
        run->publications = grown;
        run->publication_capacity = wanted;
    }
    uint32_t version = ++run->publication_count, before = run->last_version[key];
    cc_time lag = 0;
    if (run->scenario->publications_present)
        lag = cc_variate_draw(&run->scenario->publications.lag.variate, &run->lags);
    *version_of(run, version) =
        (struct publication){.at = run->now, .shown = run->now + lag, .seen = CC_NEVER, .key = key, .before = before};
    if (before == 0)
        run->first_version[key] = version;
    else
        version_of(run, before)->after = version;
    run->last_version[key] = version;
    return version;
}

uint32_t freshness_commit(struct cc_run *run, uint32_t key)
{
    uint32_t version = append(run, key);
    run->counters[COUNT_PUBLICATIONS] += version > 0;
    return version;
}

static void send(struct cc_run *run, uint32_t instance, uint32_t key, uint32_t version)
{
    const struct cc_publications *rules = &run->scenario->publications;
    cc_time delay = cc_variate_draw(&rules->delay.variate, &run->messaging);
    bool lost = rules->loss > 0 && cc_random_unit(&run->messaging) < rules->loss;
    if (lost || run->now < run->messages_stopped) {
        run->counters[COUNT_LOST_MESSAGES]++;
        return;
    }
    uint32_t m = run->message_free;
    if (m != CC_NONE) {
        run->message_free = run->messages[m].next;
    } else {
        if (run->message_count == run->message_capacity) {
            uint32_t had = run->message_capacity, wanted = had > 0 ? had * 2 : 64;
            struct message *grown = NULL;
            if (wanted <= CC_EVENT_ARGUMENT_MAX + 1)
                grown = cc_resize(&run->allocator, run->messages, had, wanted, sizeof *grown);
            if (!grown) {
                run->out_of_memory = true;
                return;
            }
            run->messages = grown;
            run->message_capacity = wanted;
        }
        m = run->message_count++;
    }
    run->messages[m] = (struct message){instance, key, version, CC_NONE};
    schedule(run, delay, EVENT_INVALIDATE, m);
}

void freshness_message(struct cc_run *run, uint32_t m)
{
    const struct message message = run->messages[m];
    run->messages[m].next = run->message_free;
    run->message_free = m;
    cache_delete(run, &run->instances[message.instance].l1, message.key, message.version);
}

void freshness_reconnect(struct cc_run *run)
{
    if (run->scenario->publications.reconnect == CC_RECONNECT_CLEAR && run->scenario->l1_present)
        for (uint32_t i = 0; i < run->instance_count; i++)
            cache_flush(run, &run->instances[i].l1);
}

static void publish(struct cc_run *run, uint32_t key)
{
    const struct cc_scenario *scenario = run->scenario;
    const struct cc_publications *rules = &scenario->publications;
    uint32_t version = append(run, key), writer = CC_NONE;
    if (version == 0)
        return;
    run->counters[COUNT_PUBLICATIONS]++;
    if (rules->writer == CC_WRITER_INSTANCE && run->up_count > 0)
        writer = run->up[cc_random_below(&run->publishing, run->up_count)];
    if (rules->invalidation == CC_INVALIDATE_NONE)
        return;
    if (scenario->l2_present) {
        const struct fault *fault = store_fault(run, key);
        if (fault && (run->now < fault->stopped || run->now < fault->refusing))
            run->counters[COUNT_LOST_MESSAGES]++;
        else
            cache_delete(run, &run->l2, key, version);
    }
    if (!scenario->l1_present)
        return;
    for (uint32_t i = 0; i < run->instance_count; i++) {
        if (i == writer)
            cache_delete(run, &run->instances[i].l1, key, version);
        else if (rules->invalidation == CC_INVALIDATE_PUB_SUB && !run->instances[i].retired)
            send(run, i, key, version);
    }
}

void freshness_publish(struct cc_run *run, uint32_t argument)
{
    if (argument == 0) {
        publish(run, (uint32_t)cc_random_below(&run->publishing, changed_keys(run)));
        schedule_next(run);
        return;
    }
    for (uint32_t key = 0; key < changed_keys(run); key++)
        publish(run, key);
}

void freshness_answered(struct cc_run *run, const struct request *request)
{
    struct measure *measure = measure_now(run);
    uint32_t version = more_of(run, request)->value.version, newer = freshness_newer(run, request->key, version);
    if (newer > 0) {
        run->counters[COUNT_STALE_ANSWERS]++;
        cc_histogram_record(&measure->ages[AGE_ANSWER], run->now - version_of(run, newer)->at);
        version_of(run, newer)->last_stale = run->now;
    }
    if (version > 0 && version_of(run, version)->seen == CC_NEVER)
        version_of(run, version)->seen = run->now;
    uint32_t unchecked = freshness_newer(run, request->key, more_of(run, request)->checked);
    cc_time shown = unchecked > 0 ? version_of(run, unchecked)->shown : CC_NEVER;
    if (run->now > shown && run->now - shown > measure->unchecked)
        measure->unchecked = run->now - shown;
}

void freshness_sync(struct cc_run *run)
{
    for (uint32_t i = 0; i <= run->measure_at; i++)
        for (int age = AGE_PROPAGATED; age < AGES; age++)
            cc_histogram_clear(&run->measures[i].ages[age]);
    for (uint32_t v = run->publication_count; v > 0; v--) {
        struct publication *p = version_of(run, v);
        cc_time later = p->after > 0 ? version_of(run, p->after)->first : CC_NEVER;
        p->first = p->seen < later ? p->seen : later;
    }
    uint32_t at = 0; /* publications come in the order of time, as measures do */
    for (uint32_t v = 1; v <= run->publication_count; v++) {
        struct publication *p = version_of(run, v);
        cc_time before = p->before > 0 ? version_of(run, p->before)->reach : 0;
        p->reach = p->last_stale > before ? p->last_stale : before;
        while (at < run->measure_at && p->at >= run->measures[at].to)
            at++;
        if (p->first == CC_NEVER)
            continue; /* nobody has asked since */
        cc_histogram_record(&run->measures[at].ages[AGE_PROPAGATED], p->reach > p->at ? p->reach - p->at : 0);
        cc_histogram_record(&run->measures[at].ages[AGE_FIRST], p->first - p->at);
    }
}
