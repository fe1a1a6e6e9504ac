/* The TTL cache, for both tiers, and the look-up in L1.
 *
 * An entry is valid while now < expire; its TTL (and a jitter drawn for each write) counts from the write, which is the
 * end of the load. Entries lie in a table of open addressing over a pool that also keeps the order of eviction; expired
 * entries leave when they are asked for, when they are evicted, or all at once before the table would grow, so that
 * memory follows the live entries and not the length of the run. */
#include "model/eviction.h"

#include <string.h>

#define LISTS (sizeof((struct cache *)NULL)->lists / sizeof(struct entry_list))

static uint32_t cache_home(const struct cache *cache, uint32_t key)
{
    return (key * UINT32_C(2654435769)) >> (32 - cache->slot_bits); /* Fibonacci hashing */
}

static uint32_t cache_slot(const struct cache *cache, uint32_t key)
{
    uint32_t mask = (UINT32_C(1) << cache->slot_bits) - 1, slot = cache_home(cache, key);
    while (cache->slots[slot] != 0 && cache->entries[cache->slots[slot] - 1].key != key)
        slot = (slot + 1) & mask;
    return slot;
}

static void chain_free(struct cache *cache)
{
    uint32_t count = UINT32_C(1) << (cache->slot_bits - 1);
    for (uint32_t i = 0; i < count; i++)
        cache->entries[i].older = i + 1 < count ? i + 1 : CC_NONE;
    cache->free = 0;
    cache->size = 0;
    cache->weight = 0;
    for (size_t i = 0; i < LISTS; i++)
        cache->lists[i] = (struct entry_list){.newest = CC_NONE, .oldest = CC_NONE};
    for (uint32_t i = 0; cache->marks && i < count; i++)
        cache->marks[i].list = EVICTION_FREE;
    if (cache->policy && cache->eviction->clear)
        cache->eviction->clear(cache);
}

static void cache_remove(struct cache *cache, uint32_t hole)
{
    uint32_t e = cache->slots[hole] - 1, mask = (UINT32_C(1) << cache->slot_bits) - 1;
    if (cache->marks) {
        cache->weight -= eviction_weight(cache, e);
        cache->eviction->remove(cache, e);
        cache->marks[e].list = EVICTION_FREE;
    } else {
        eviction_take_out(cache, e);
    }
    for (uint32_t at = (hole + 1) & mask; cache->slots[at] != 0; at = (at + 1) & mask) {
        uint32_t wanted = cache_home(cache, cache->entries[cache->slots[at] - 1].key);
        if (((at - wanted) & mask) >= ((at - hole) & mask)) {
            cache->slots[hole] = cache->slots[at];
            hole = at;
        }
    }
    cache->slots[hole] = 0;
    cache->entries[e].older = cache->free;
    cache->free = e;
    cache->size--;
}

/* The cells' arrays, from one count to another; all or nothing. */
static bool resize_cells(struct cc_run *run, struct cache *cache, uint32_t from, uint32_t to)
{
    void *grown = cc_resize(&run->allocator, cache->entries, from, to, sizeof *cache->entries);
    if (!grown)
        return false;
    cache->entries = grown;
    if (cache->marks) {
        grown = cc_resize(&run->allocator, cache->marks, from, to, sizeof *cache->marks);
        if (!grown) {
            cache->entries = cc_resize(&run->allocator, cache->entries, to, from, sizeof *cache->entries);
            return false;
        }
        cache->marks = grown;
    }
    if (cache->notes) {
        grown = cc_resize(&run->allocator, cache->notes, from, to, sizeof *cache->notes);
        if (!grown) {
            cache->entries = cc_resize(&run->allocator, cache->entries, to, from, sizeof *cache->entries);
            if (cache->marks)
                cache->marks = cc_resize(&run->allocator, cache->marks, to, from, sizeof *cache->marks);
            return false;
        }
        cache->notes = grown;
    }
    return true;
}

/* Doubles the table; entries keep their cells, so that the order of eviction stays. */
static bool cache_grow(struct cc_run *run, struct cache *cache)
{
    uint32_t had = UINT32_C(1) << cache->slot_bits, count = had * 2;
    uint32_t *slots = cache->slot_bits < 28 ? cc_resize(&run->allocator, NULL, 0, count, sizeof *slots) : NULL;
    if (!slots || !resize_cells(run, cache, had / 2, had)) {
        cc_release(&run->allocator, slots, count, sizeof *slots);
        run->out_of_memory = true;
        return false;
    }
    cc_release(&run->allocator, cache->slots, had, sizeof *slots);
    memset(slots, 0, count * sizeof *slots);
    cache->slots = slots;
    cache->slot_bits++;
    for (uint32_t i = had / 2; i < had; i++) {
        cache->entries[i].older = cache->free;
        cache->free = i;
        if (cache->marks)
            cache->marks[i].list = EVICTION_FREE;
    }
    for (size_t list = 0; list < LISTS; list++)
        for (uint32_t e = cache->lists[list].oldest; e != CC_NONE; e = cache->entries[e].newer)
            slots[cache_slot(cache, cache->entries[e].key)] = e + 1;
    return true;
}

static void cache_purge(const struct cc_run *run, struct cache *cache)
{
    for (uint32_t e = cache->lists[0].oldest, newer; e != CC_NONE; e = newer) {
        newer = cache->entries[e].newer;
        if (run->now >= cache->entries[e].expire)
            cache_remove(cache, cache_slot(cache, cache->entries[e].key));
    }
}

uint32_t cache_entry_of(const struct cache *cache, uint32_t key)
{
    return cache->slots[cache_slot(cache, key)] - 1; /* an empty slot: CC_NONE */
}

uint64_t cache_value_bytes(const struct cc_run *run, uint32_t key)
{
    const struct cc_keys *keys = &run->scenario->keys;
    return keys->size_count > 0 ? (uint64_t)keys->sizes[key % keys->size_count] : run->scenario->value_size;
}

static uint64_t entry_bytes(const struct cc_run *run, const struct cache *cache, uint32_t key)
{
    return cache_value_bytes(run, key) + cache->rules->overhead;
}

static void evict(struct cc_run *run, struct cache *cache, uint32_t e, enum counter evictions)
{
    run->counters[evictions]++;
    run->counters[evictions == COUNT_L1_EVICTIONS ? COUNT_L1_EVICTION_AGE : COUNT_L2_EVICTION_AGE] +=
        (run->now - cache->marks[e].touched) / 1000;
    cache_remove(cache, cache_slot(cache, cache->entries[e].key));
}

/* Whether there is room for so much more, after whoever is to go for it has gone. */
static bool make_room(struct cc_run *run, struct cache *cache, uint32_t key, uint64_t weight, enum counter evictions)
{
    while (cache->weight + weight > cache->limit) {
        uint32_t e = cache->size > 0 && weight <= cache->limit ? cache->eviction->victim(run, cache, key) : CC_NONE;
        if (e == CC_NONE) {
            run->counters[evictions == COUNT_L1_EVICTIONS ? COUNT_L1_REFUSED : COUNT_L2_REFUSED]++;
            return false;
        }
        evict(run, cache, e, evictions);
    }
    return true;
}

void cache_fit(struct cc_run *run, struct cache *cache, enum counter evictions)
{
    while (cache->weight > cache->limit && cache->size > 0) {
        uint32_t e = cache->eviction->victim(run, cache, CC_NONE);
        if (e == CC_NONE)
            break; /* nothing is to go: what is there stays, and nothing new comes */
        evict(run, cache, e, evictions);
    }
}

#define CYCLE (CC_SECOND / 10)
#define CYCLE_SAMPLES 20u
#define CYCLE_MOST 1000 /* draws in a row: as much as a quarter of the cycle's time may bring */

/* The slot of an entry that has a TTL, drawn at random; CC_NONE when many draws have found none. */
static uint32_t draw_volatile(struct cc_run *run, const struct cache *cache)
{
    for (int draw = 0; draw < 64; draw++) {
        uint32_t slot = (uint32_t)cc_random_below(&run->evictions, UINT64_C(1) << cache->slot_bits);
        if (cache->slots[slot] != 0 && cache->entries[cache->slots[slot] - 1].expire != CC_NEVER)
            return slot;
    }
    return CC_NONE;
}

/* Redis's active expiry: 20 entries are drawn, again as long as more than a tenth of them have expired. */
void cache_expire_cycle(struct cc_run *run)
{
    struct cache *cache = &run->l2;
    for (int draws = 0; draws < CYCLE_MOST && cache->size > 0; draws++) {
        uint32_t expired = 0;
        for (uint32_t i = 0; i < CYCLE_SAMPLES && cache->size > 0; i++) {
            uint32_t slot = draw_volatile(run, cache);
            if (slot == CC_NONE || run->now < cache->entries[cache->slots[slot] - 1].expire)
                continue;
            cache_remove(cache, slot);
            expired++;
        }
        if (expired * 10 <= CYCLE_SAMPLES)
            break;
    }
    schedule(run, CYCLE, EVENT_EXPIRE_CYCLE, 0);
}

struct census cache_census(const struct cc_run *run, const struct cache *cache)
{
    struct census census = {0};
    for (size_t list = 0; cache->slots && list < LISTS; list++) {
        for (uint32_t e = cache->lists[list].oldest; e != CC_NONE; e = cache->entries[e].newer) {
            bool fresh = run->now < cache->entries[e].expire;
            census.entries++;
            census.expired += !fresh;
            census.bytes += entry_bytes(run, cache, cache->entries[e].key);
            census.stale +=
                fresh && cache->notes && freshness_newer(run, cache->entries[e].key, cache->notes[e].value.version) > 0;
        }
    }
    return census;
}

/* The valid entry's slot, or CC_NONE; an expired one is removed. */
static uint32_t cache_find(const struct cc_run *run, struct cache *cache, uint32_t key)
{
    uint32_t slot = cache_slot(cache, key);
    if (cache->slots[slot] == 0)
        return CC_NONE;
    if (run->now < cache->entries[cache->slots[slot] - 1].expire)
        return slot;
    cache_remove(cache, slot);
    return CC_NONE;
}

/* Puts `key`, which is not there, if there is room: its entry, or CC_NONE. */
static uint32_t cache_insert(struct cc_run *run, struct cache *cache, uint32_t key, cc_time expire, uint32_t reads_left,
                             enum counter evictions)
{
    uint64_t bytes = 0;
    if (cache->marks) {
        bytes = entry_bytes(run, cache, key);
        if (!make_room(run, cache, key, cache->rules->capacity_bytes > 0 ? bytes : 1, evictions))
            return CC_NONE;
    }
    uint32_t cells = UINT32_C(1) << (cache->slot_bits - 1);
    if (CC_RARE(cache->free == CC_NONE)) {
        if (!cache->marks)
            cache_purge(run, cache);
        if ((cache->marks || cache->size > cells / 2) && !cache_grow(run, cache))
            return CC_NONE;
    }
    uint32_t e = cache->free;
    cache->free = cache->entries[e].older;
    cache->entries[e].key = key;
    cache->entries[e].expire = expire;
    cache->entries[e].reads_left = reads_left;
    cache->slots[cache_slot(cache, key)] = e + 1;
    cache->size++;
    if (cache->marks) {
        cache->marks[e] =
            (struct entry_mark){.touched = run->now, .bytes = (uint32_t)(bytes < UINT32_MAX ? bytes : UINT32_MAX)};
        cache->eviction->insert(run, cache, e);
        cache->weight += eviction_weight(cache, e);
    } else {
        eviction_add(cache, 0, e);
    }
    return e;
}

static cc_time end_of_life(struct cc_run *run, const struct cc_cache_rules *rules, uint32_t key,
                           struct cc_random *random)
{
    const struct cc_variate *law = rules->ttl_present ? &rules->ttl.variate : NULL;
    for (uint32_t i = 0; CC_RARE(i < rules->ttl_class_count); i++)
        if (key >= rules->ttl_classes[i].first && key <= rules->ttl_classes[i].last)
            law = &rules->ttl_classes[i].ttl.variate;
    if (!law)
        return CC_NEVER;
    cc_time ttl = cc_variate_draw(law, random);
    if (rules->jitter > 0)
        ttl += cc_random_below(random, rules->jitter + 1);
    return run->now + ttl;
}

static void fill_warm(struct cc_run *run, struct cache *cache, struct cc_random *random)
{
    const struct cc_cache_rules *rules = cache->rules;
    uint32_t count = run->scenario->keys.count;
    if (rules->capacity > 0 && rules->capacity < count)
        count = rules->capacity;
    uint64_t bytes = 0;
    for (uint32_t key = 0; rules->capacity_bytes > 0 && key < count; key++) {
        bytes += entry_bytes(run, cache, key);
        if (bytes > rules->capacity_bytes)
            count = key;
    }
    uint32_t reads = rules->reads_per_load > 0 ? rules->reads_per_load : CC_NONE;
    for (uint32_t key = count; key-- > 0 && !run->out_of_memory;) { /* the most popular key is the newest */
        cc_time life = end_of_life(run, rules, key, random), expire = life;
        if (rules->phase == CC_RANDOM_PHASE && expire != CC_NEVER)
            expire = run->now + cc_random_below(random, expire - run->now + 1);
        cc_time kept = run->valued ? refresh_kept_until(rules, &(struct value){0}, expire) : expire;
        uint32_t e = cache_insert(run, cache, key, kept, reads, COUNT_L1_EVICTIONS);
        if (e != CC_NONE && cache->notes) {
            /* As old as what is left of its TTL says. */
            cc_time due = run->now + rules->refresh_after, gone = life - expire;
            cc_time refresh_at = due > gone ? due - gone : 0;
            cache->notes[e] = (struct entry_note){.fresh_until = expire,
                                                  .refresh_at = rules->refresh_after > 0 ? refresh_at : CC_NEVER};
        }
    }
}

bool cache_start(struct cc_run *run, struct cache *cache, const struct cc_cache_rules *rules)
{
    static const struct eviction *const policies[] = {
        [CC_LRU] = &eviction_lru,
        [CC_FIFO] = &eviction_fifo,
        [CC_LFU] = &eviction_lfu,
        [CC_W_TINYLFU] = &eviction_w_tinylfu,
        [CC_S3_FIFO] = &eviction_s3_fifo,
        [CC_SIEVE] = &eviction_sieve,
        [CC_REDIS_LRU] = &eviction_redis_lru,
        [CC_REDIS_LFU] = &eviction_redis_lfu,
        [CC_VOLATILE_TTL] = &eviction_volatile_ttl,
        [CC_RANDOM_EVICTION] = &eviction_random,
        [CC_NO_EVICTION] = &eviction_none,
    };
    bool versioned = run->published_keys > 0 && run->scenario->publications.put == CC_PUT_VERSIONED;
    *cache = (struct cache){.rules = rules, .slot_bits = 4, .eviction = policies[rules->eviction]};
    cache->limit = rules->capacity_bytes > 0 ? rules->capacity_bytes : rules->capacity;
    cache->slots = cc_resize(&run->allocator, NULL, 0, 16, sizeof *cache->slots);
    cache->entries = cc_resize(&run->allocator, NULL, 0, 8, sizeof *cache->entries);
    if (cache->limit > 0)
        cache->marks = cc_resize(&run->allocator, NULL, 0, 8, sizeof *cache->marks);
    if (run->valued)
        cache->notes = cc_resize(&run->allocator, NULL, 0, 8, sizeof *cache->notes);
    if (versioned)
        cache->known = cc_resize(&run->allocator, NULL, 0, run->published_keys, sizeof *cache->known);
    bool started = cache->slots && cache->entries && (cache->limit == 0 || cache->marks) &&
                   (!run->valued || cache->notes) && (!versioned || cache->known);
    if (started && cache->limit > 0 && cache->eviction->start)
        started = cache->eviction->start(run, cache);
    if (!started)
        return false; /* cache_end frees what there is */
    if (versioned)
        memset(cache->known, 0, run->published_keys * sizeof *cache->known);
    memset(cache->slots, 0, 16 * sizeof *cache->slots);
    chain_free(cache);
    /* An instance that joins later, if at 0s, starts empty. */
    if (rules->start == CC_WARM && run->instance_count < run->scenario->instances.count)
        fill_warm(run, cache, rules == &run->scenario->l2 ? &run->l2_ttl : &run->l1_ttl);
    return true;
}

void cache_end(struct cc_run *run, struct cache *cache)
{
    if (!cache->rules)
        return; /* it has not been started */
    size_t count = (size_t)1 << cache->slot_bits;
    if (cache->policy)
        cache->eviction->end(run, cache);
    cc_release(&run->allocator, cache->slots, count, sizeof *cache->slots);
    cc_release(&run->allocator, cache->entries, count / 2, sizeof *cache->entries);
    cc_release(&run->allocator, cache->marks, count / 2, sizeof *cache->marks);
    cc_release(&run->allocator, cache->notes, count / 2, sizeof *cache->notes);
    cc_release(&run->allocator, cache->known, run->published_keys, sizeof *cache->known);
}

void cache_flush(struct cc_run *run, struct cache *cache)
{
    if (cache->known)
        memset(cache->known, 0, run->published_keys * sizeof *cache->known);
    memset(cache->slots, 0, ((size_t)1 << cache->slot_bits) * sizeof *cache->slots);
    chain_free(cache);
}

bool cache_read(struct cc_run *run, struct cache *cache, uint32_t r)
{
    struct request *request = &run->requests[r];
    uint32_t slot = cache_find(run, cache, request->key);
    if (slot == CC_NONE)
        return false;
    uint32_t e = cache->slots[slot] - 1;
    if (CC_RARE(cache->notes != NULL) && !refresh_allows(run, cache, e, request))
        return false;
    struct cache_entry *entry = &cache->entries[e];
    if (entry->reads_left != CC_NONE && --entry->reads_left == 0) {
        cache_remove(cache, slot);
    } else if (cache->marks) {
        if (cache->eviction->hit)
            cache->eviction->hit(run, cache, e);
        cache->marks[e].touched = run->now;
    }
    return true;
}

bool cache_keeps(const struct cc_cache_rules *rules, const struct value *value)
{
    return value->kind == VALUE_PRESENT || (value->kind == VALUE_ABSENT && rules->negative_ttl > 0) ||
           (value->kind == VALUE_UNCACHEABLE && rules->hit_for_pass > 0);
}

const struct value *cache_peek(const struct cc_run *run, struct cache *cache, uint32_t key)
{
    uint32_t slot = cache_find(run, cache, key);
    return slot == CC_NONE ? NULL : &cache->notes[cache->slots[slot] - 1].value;
}

void cache_delete(struct cc_run *run, struct cache *cache, uint32_t key, uint32_t version)
{
    if (cache->known && cache->known[key] < version)
        cache->known[key] = version;
    uint32_t slot = cache_find(run, cache, key);
    if (slot != CC_NONE)
        cache_remove(cache, slot);
}

/* Whether the cache takes the request's value: not one that it may not keep or knows to be outdated. */
static bool takes(struct cc_run *run, struct cache *cache, const struct request *request)
{
    if (!cache_keeps(cache->rules, &more_of(run, request)->value))
        return false;
    if (cache->known && request->key < run->published_keys) {
        uint32_t *known = &cache->known[request->key];
        if (more_of(run, request)->value.version < *known) {
            run->counters[COUNT_REFUSED_WRITES]++;
            return false;
        }
        *known = more_of(run, request)->value.version;
    }
    run->counters[COUNT_OUTDATED_WRITES] +=
        freshness_newer(run, request->key, more_of(run, request)->value.version) > 0;
    return true;
}

static void note(struct cc_run *run, struct cache *cache, uint32_t e, const struct request *request,
                 cc_time fresh_until)
{
    const struct cc_cache_rules *rules = cache->rules;
    cc_time since = rules == &run->scenario->l1 ? more_of(run, request)->missed : more_of(run, request)->value.asked;
    cache->notes[e] = (struct entry_note){
        .value = more_of(run, request)->value,
        .fresh_until = fresh_until,
        .refresh_at = rules->refresh_after > 0 ? run->now + rules->refresh_after : CC_NEVER,
        .took = run->now - since,
    };
}

bool cache_write(struct cc_run *run, struct cache *cache, uint32_t r, struct cc_random *ttl, uint64_t reads,
                 enum counter evictions)
{
    const struct cc_cache_rules *rules = cache->rules;
    const struct request *request = &run->requests[r];
    uint32_t key = request->key;
    cc_time expire = end_of_life(run, rules, key, ttl), fresh_until = expire;
    uint32_t slot = cache_find(run, cache, key);
    bool was_there = slot != CC_NONE;
    if (CC_RARE(cache->notes != NULL)) {
        if (!takes(run, cache, request))
            return was_there;
        fresh_until = refresh_fresh_until(run, rules, &more_of(run, request)->value, expire);
        expire = refresh_kept_until(rules, &more_of(run, request)->value, fresh_until);
        was_there = was_there && run->now < cache->notes[cache->slots[slot] - 1].fresh_until;
    }
    if (was_there && rules->write == CC_IF_ABSENT)
        return true;
    if (slot != CC_NONE)
        cache_remove(cache, slot);
    if (rules->reads_per_load > 0 && reads >= rules->reads_per_load)
        return was_there; /* used up by the requests that waited for it */
    uint32_t reads_left = rules->reads_per_load > 0 ? (uint32_t)(rules->reads_per_load - reads) : CC_NONE;
    if (run->now >= expire)
        return was_there;
    uint32_t e = cache_insert(run, cache, key, expire, reads_left, evictions);
    if (CC_RARE(cache->notes != NULL) && e != CC_NONE)
        note(run, cache, e, request, fresh_until);
    return was_there;
}

void cache_lookup(struct cc_run *run, uint32_t r)
{
    struct request *request = &run->requests[r];
    if (CC_RARE(request->operation != OPERATION_READ)) {
        writer_begin(run, r);
        return;
    }
    if (run->scenario->operation == CC_PUT_GET) {
        request->putting = true;
        store_set(run, r);
        return;
    }
    if (run->scenario->l1_present) {
        struct instance *instance = &run->instances[request->instance];
        run->counters[COUNT_L1_LOOKUPS]++;
        if (CC_RARE(run->valued)) {
            request->refresh = request->grace = request->passes = request->fallback = request->early = false;
            more_of(run, request)->missed = run->now;
        }
        if (cache_read(run, &instance->l1, r)) {
            run->counters[COUNT_L1_HITS]++;
            instance->counts.l1_hits++;
            request->outcome = OUTCOME_L1_HIT;
            if (CC_RARE(run->valued)) {
                request->outcome = request->grace ? OUTCOME_GRACE : OUTCOME_L1_HIT;
                if (request->refresh)
                    refresh_start(run, r, SCOPE_L1, run->scenario->l1.single_flight == CC_FLIGHT_INSTANCE);
            }
            if (run->scenario->l1.form == CC_ENCODED)
                connection_decode(run, r);
            else
                instance_respond(run, r);
            return;
        }
        instance->counts.l1_misses++;
        if (run->scenario->l1.single_flight == CC_FLIGHT_INSTANCE && !(run->valued && request->passes)) {
            request->l1_flight = flight_join_or_lead(run, SCOPE_L1, r);
            if (request->l1_flight == CC_NONE)
                return;
        }
    }
    if (run->scenario->l2_present)
        store_get(run, r);
    else
        origin_load(run, r);
}

void cache_arrived(struct cc_run *run, uint32_t r)
{
    const struct cc_scenario *scenario = run->scenario;
    if (!scenario->l1_present) {
        instance_respond(run, r);
        return;
    }
    uint32_t flight = run->requests[r].l1_flight, joined = CC_NONE;
    uint64_t readers = 1;
    if (flight != CC_NONE) {
        readers += run->flights.pool[flight].waiters;
        joined = flight_land(run, flight);
        run->requests[r].l1_flight = CC_NONE;
    }
    struct cache *l1 = &run->instances[run->requests[r].instance].l1;
    cache_write(run, l1, r, &run->l1_ttl, readers, COUNT_L1_EVICTIONS);
    struct value value = {0};
    if (CC_RARE(run->valued))
        value = run->more[r].value;
    bool shared = value.kind != VALUE_UNCACHEABLE;
    instance_respond(run, r);
    uint64_t served = 1, most = scenario->l1.reads_per_load > 0 ? scenario->l1.reads_per_load : UINT64_MAX;
    for (uint32_t j = joined, next; j != CC_NONE; j = next) {
        next = run->requests[j].next;
        if (served++ < most && shared) {
            run->requests[j].outcome = OUTCOME_JOINED;
            if (CC_RARE(run->valued))
                run->more[j].value = value;
            instance_respond(run, j);
        } else {
            cache_lookup(run, j); /* the value is used up, or not for others: look again */
        }
    }
}
