/* W-TinyLFU (Einziger, Friedman and Manes, ACM Transactions on Storage 13(4), 2017), the policy of Caffeine: an LRU window
 * of a hundredth of the room; behind it a segmented LRU, four fifths of which are for entries that were read again there.
 * What leaves the window comes in only if it was asked for more often than what it would push out, as estimated by a
 * count-min sketch of four-bit counters, which are halved after ten accesses for each place. The window's size is
 * Caffeine's first one; its hill climbing is not modelled. */
#include "model/eviction.h"

#include <string.h>

enum { WINDOW, PROBATION, PROTECTED };
#define ROWS 4
#define COUNT_MOST 15
#define WARM 5 /* a candidate that was asked for more often may win by chance: against attacks by collision */

struct tinylfu {
    uint8_t *counters; /* ROWS of 2^bits */
    uint32_t bits;
    uint64_t accesses, sample;
};

static bool tinylfu_start(struct cc_run *run, struct cache *cache)
{
    struct tinylfu *t = cc_resize(&run->allocator, NULL, 0, 1, sizeof *t);
    cache->policy = t;
    if (!t)
        return false;
    const struct cc_cache_rules *rules = cache->rules;
    uint32_t keys = run->scenario->keys.count;
    uint64_t entries = rules->capacity > 0 && rules->capacity < keys ? rules->capacity : keys;
    *t = (struct tinylfu){.bits = 3, .sample = 10 * entries};
    while ((UINT64_C(1) << t->bits) < 2 * entries && t->bits < 26)
        t->bits++;
    t->counters = cc_resize(&run->allocator, NULL, 0, (size_t)ROWS << t->bits, 1);
    if (t->counters)
        memset(t->counters, 0, (size_t)ROWS << t->bits);
    return t->counters != NULL;
}

static void tinylfu_end(struct cc_run *run, struct cache *cache)
{
    struct tinylfu *t = cache->policy;
    if (t)
        cc_release(&run->allocator, t->counters, (size_t)ROWS << t->bits, 1);
    cc_release(&run->allocator, t, 1, sizeof *t);
}

static uint8_t *counter_of(const struct tinylfu *t, uint32_t key, unsigned row)
{
    uint64_t hash = cc_scatter(((uint64_t)row << 32 | key) + 1);
    return &t->counters[((size_t)row << t->bits) + (size_t)(hash >> (64 - t->bits))];
}

static unsigned frequency(const struct tinylfu *t, uint32_t key)
{
    unsigned least = COUNT_MOST;
    for (unsigned row = 0; row < ROWS; row++)
        if (*counter_of(t, key, row) < least)
            least = *counter_of(t, key, row);
    return least;
}

static void count_access(struct tinylfu *t, uint32_t key)
{
    unsigned before = frequency(t, key);
    if (before < COUNT_MOST)
        for (unsigned row = 0; row < ROWS; row++)
            if (*counter_of(t, key, row) == before)
                ++*counter_of(t, key, row); /* only the least ones: a conservative update */
    if (++t->accesses < t->sample)
        return;
    t->accesses /= 2;
    for (size_t i = 0; i < (size_t)ROWS << t->bits; i++)
        t->counters[i] /= 2;
}

static uint64_t window_room(const struct cache *cache) { return cache->limit / 100 > 0 ? cache->limit / 100 : 1; }

static void tinylfu_insert(struct cc_run *run, struct cache *cache, uint32_t e)
{
    (void)run;
    count_access(cache->policy, cache->entries[e].key);
    eviction_add(cache, WINDOW, e);
    while (cache->lists[WINDOW].weight > window_room(cache) && cache->lists[WINDOW].oldest != e)
        eviction_renew(cache, PROBATION, cache->lists[WINDOW].oldest); /* the rest has room for it */
}

static void tinylfu_hit(struct cc_run *run, struct cache *cache, uint32_t e)
{
    (void)run;
    count_access(cache->policy, cache->entries[e].key);
    uint32_t list = cache->marks[e].list;
    eviction_renew(cache, list == WINDOW ? WINDOW : PROTECTED, e);
    uint64_t room = (cache->limit - window_room(cache)) * 4 / 5;
    while (cache->lists[PROTECTED].weight > room && cache->lists[PROTECTED].oldest != e)
        eviction_renew(cache, PROBATION, cache->lists[PROTECTED].oldest);
}

static uint32_t tinylfu_victim(struct cc_run *run, struct cache *cache, uint32_t key)
{
    (void)key;
    struct tinylfu *t = cache->policy;
    const struct entry_list *lists = cache->lists;
    uint32_t candidate = lists[WINDOW].oldest;
    uint32_t victim = lists[PROBATION].oldest != CC_NONE ? lists[PROBATION].oldest : lists[PROTECTED].oldest;
    if (victim == CC_NONE)
        return candidate;
    if (candidate == CC_NONE || lists[WINDOW].weight < window_room(cache))
        return victim;
    unsigned theirs = frequency(t, cache->entries[candidate].key), ours = frequency(t, cache->entries[victim].key);
    bool comes = theirs > ours || (theirs > WARM && (cc_random_below(&run->evictions, 128) == 0));
    if (!comes)
        return candidate;
    eviction_renew(cache, PROBATION, candidate);
    return victim;
}

const struct eviction eviction_w_tinylfu = {.start = tinylfu_start,
                                            .end = tinylfu_end,
                                            .insert = tinylfu_insert,
                                            .hit = tinylfu_hit,
                                            .remove = eviction_take_out,
                                            .victim = tinylfu_victim};

#undef ROWS
#undef COUNT_MOST
#undef WARM
