/* The TTL cache, for both tiers, and the look-up in L1.
 *
 * An entry is valid while now < expire; its TTL (and a jitter drawn for each write) counts from the write, which is the
 * end of the load. Entries lie in a table of open addressing over a pool that also keeps the order of eviction; expired
 * entries leave when they are asked for, when they are evicted, or all at once before the table would grow, so that
 * memory follows the live entries and not the length of the run. */
#include "model/sim.h"

#include <string.h>

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
    cache->newest = cache->oldest = CC_NONE;
}

static void cache_unlink(struct cache *cache, uint32_t e)
{
    struct cache_entry *entry = &cache->entries[e];
    if (entry->newer != CC_NONE)
        cache->entries[entry->newer].older = entry->older;
    else
        cache->newest = entry->older;
    if (entry->older != CC_NONE)
        cache->entries[entry->older].newer = entry->newer;
    else
        cache->oldest = entry->newer;
}

static void cache_link(struct cache *cache, uint32_t e)
{
    cache->entries[e].newer = CC_NONE;
    cache->entries[e].older = cache->newest;
    if (cache->newest != CC_NONE)
        cache->entries[cache->newest].newer = e;
    else
        cache->oldest = e;
    cache->newest = e;
}

static void cache_remove(struct cache *cache, uint32_t hole)
{
    uint32_t e = cache->slots[hole] - 1, mask = (UINT32_C(1) << cache->slot_bits) - 1;
    cache_unlink(cache, e);
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

/* Doubles the table; entries keep their cells, so that the order of eviction stays. */
static bool cache_grow(struct cc_run *run, struct cache *cache)
{
    uint32_t had = UINT32_C(1) << cache->slot_bits, count = had * 2;
    uint32_t *slots = cache->slot_bits < 28 ? cc_resize(&run->allocator, NULL, 0, count, sizeof *slots) : NULL;
    struct cache_entry *entries =
        slots ? cc_resize(&run->allocator, cache->entries, had / 2, had, sizeof *entries) : NULL;
    if (entries)
        cache->entries = entries;
    struct entry_note *notes =
        entries && cache->notes ? cc_resize(&run->allocator, cache->notes, had / 2, had, sizeof *notes) : NULL;
    if (notes)
        cache->notes = notes;
    if (!entries || (cache->notes && !notes)) {
        /* Entries that have grown already count as half as many until the end, which frees them. */
        if (entries)
            cache->entries = cc_resize(&run->allocator, entries, had, had / 2, sizeof *entries);
        cc_release(&run->allocator, slots, count, sizeof *slots);
        run->out_of_memory = true;
        return false;
    }
    cc_release(&run->allocator, cache->slots, had, sizeof *slots);
    memset(slots, 0, count * sizeof *slots);
    cache->slots = slots;
    cache->slot_bits++;
    for (uint32_t i = had / 2; i < had; i++) {
        entries[i].older = cache->free;
        cache->free = i;
    }
    for (uint32_t e = cache->oldest; e != CC_NONE; e = entries[e].newer)
        slots[cache_slot(cache, entries[e].key)] = e + 1;
    return true;
}

static void cache_purge(const struct cc_run *run, struct cache *cache)
{
    for (uint32_t e = cache->oldest, newer; e != CC_NONE; e = newer) {
        newer = cache->entries[e].newer;
        if (run->now >= cache->entries[e].expire)
            cache_remove(cache, cache_slot(cache, cache->entries[e].key));
    }
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

/* Puts `key`, which is not there, with room made for it: its entry, or CC_NONE when memory is out. */
static uint32_t cache_insert(struct cc_run *run, struct cache *cache, uint32_t key, cc_time expire, uint32_t reads_left,
                             enum counter evictions)
{
    uint32_t capacity = cache->rules->capacity;
    if (capacity > 0 && cache->size >= capacity) {
        cache_remove(cache, cache_slot(cache, cache->entries[cache->oldest].key));
        run->counters[evictions]++;
    }
    uint32_t cells = UINT32_C(1) << (cache->slot_bits - 1);
    if (CC_RARE(cache->free == CC_NONE)) {
        if (capacity == 0)
            cache_purge(run, cache);
        if ((capacity > 0 || cache->size > cells / 2) && !cache_grow(run, cache))
            return CC_NONE;
    }
    uint32_t e = cache->free;
    cache->free = cache->entries[e].older;
    cache->entries[e].key = key;
    cache->entries[e].expire = expire;
    cache->entries[e].reads_left = reads_left;
    cache->slots[cache_slot(cache, key)] = e + 1;
    cache_link(cache, e);
    cache->size++;
    return e;
}

static cc_time end_of_life(struct cc_run *run, const struct cc_cache_rules *rules, struct cc_random *random)
{
    if (!rules->ttl_present)
        return CC_NEVER;
    cc_time ttl = cc_variate_draw(&rules->ttl.variate, random);
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
    uint32_t reads = rules->reads_per_load > 0 ? rules->reads_per_load : CC_NONE;
    for (uint32_t key = count; key-- > 0 && !run->out_of_memory;) { /* the most popular key is the newest */
        cc_time life = end_of_life(run, rules, random), expire = life;
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
    *cache = (struct cache){.rules = rules, .slot_bits = 4};
    cache->slots = cc_resize(&run->allocator, NULL, 0, 16, sizeof *cache->slots);
    cache->entries = cc_resize(&run->allocator, NULL, 0, 8, sizeof *cache->entries);
    bool versioned = run->published_keys > 0 && run->scenario->publications.put == CC_PUT_VERSIONED;
    if (run->valued)
        cache->notes = cc_resize(&run->allocator, NULL, 0, 8, sizeof *cache->notes);
    if (versioned)
        cache->known = cc_resize(&run->allocator, NULL, 0, run->published_keys, sizeof *cache->known);
    if (!cache->slots || !cache->entries || (run->valued && !cache->notes) || (versioned && !cache->known)) {
        cc_release(&run->allocator, cache->slots, 16, sizeof *cache->slots);
        cc_release(&run->allocator, cache->entries, 8, sizeof *cache->entries);
        cc_release(&run->allocator, cache->notes, 8, sizeof *cache->notes);
        cc_release(&run->allocator, cache->known, run->published_keys, sizeof *cache->known);
        *cache = (struct cache){0};
        return false;
    }
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
    if (!cache->slots)
        return;
    size_t count = (size_t)1 << cache->slot_bits;
    cc_release(&run->allocator, cache->slots, count, sizeof *cache->slots);
    cc_release(&run->allocator, cache->entries, count / 2, sizeof *cache->entries);
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
    } else if (cache->rules->capacity > 0 && cache->rules->eviction == CC_LRU && cache->newest != e) {
        cache_unlink(cache, e);
        cache_link(cache, e);
    }
    return true;
}

bool cache_keeps(const struct cc_cache_rules *rules, const struct value *value)
{
    return value->kind == VALUE_PRESENT || (value->kind == VALUE_ABSENT && rules->negative_ttl > 0) ||
           (value->kind == VALUE_UNCACHEABLE && rules->hit_for_pass > 0);
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
    if (!cache_keeps(cache->rules, &request->value))
        return false;
    if (cache->known && request->key < run->published_keys) {
        uint32_t *known = &cache->known[request->key];
        if (request->value.version < *known) {
            run->counters[COUNT_REFUSED_WRITES]++;
            return false;
        }
        *known = request->value.version;
    }
    run->counters[COUNT_OUTDATED_WRITES] += freshness_newer(run, request->key, request->value.version) > 0;
    return true;
}

static void note(struct cc_run *run, struct cache *cache, uint32_t e, const struct request *request,
                 cc_time fresh_until)
{
    const struct cc_cache_rules *rules = cache->rules;
    cc_time since = rules == &run->scenario->l1 ? request->missed : request->value.asked;
    cache->notes[e] = (struct entry_note){
        .value = request->value,
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
    cc_time expire = end_of_life(run, rules, ttl), fresh_until = expire;
    uint32_t slot = cache_find(run, cache, key);
    bool was_there = slot != CC_NONE;
    if (CC_RARE(cache->notes != NULL)) {
        if (!takes(run, cache, request))
            return was_there;
        fresh_until = refresh_fresh_until(run, rules, &request->value, expire);
        expire = refresh_kept_until(rules, &request->value, fresh_until);
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
            request->missed = run->now;
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
    const struct value value = run->requests[r].value;
    bool shared = !run->valued || value.kind != VALUE_UNCACHEABLE;
    instance_respond(run, r);
    uint64_t served = 1, most = scenario->l1.reads_per_load > 0 ? scenario->l1.reads_per_load : UINT64_MAX;
    for (uint32_t j = joined, next; j != CC_NONE; j = next) {
        next = run->requests[j].next;
        if (served++ < most && shared) {
            run->requests[j].outcome = OUTCOME_JOINED;
            run->requests[j].value = value;
            instance_respond(run, j);
        } else {
            cache_lookup(run, j); /* the value is used up, or not for others: look again */
        }
    }
}
