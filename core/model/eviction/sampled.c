/* Redis's policies, which look at a few entries and not at all (redis.io, "Key eviction"): five entries are drawn, and
 * the best candidates of this and earlier draws are kept in a pool of 16, of which the best goes. allkeys-lru takes the
 * one idle longest, allkeys-lfu the one with the least of a logarithmic counter that falls by one a minute, volatile-ttl
 * the one that expires first. Random takes whichever is drawn. */
#include "model/eviction.h"

#define SAMPLES 5
#define POOL 16
#define LFU_START 5u
#define LFU_MOST 255u
#define LFU_FACTOR 10u
#define LFU_DECAY (60 * CC_SECOND)

struct candidate {
    uint64_t score; /* the greater, the sooner it goes */
    uint32_t key;
};

struct sampled {
    struct candidate pool[POOL]; /* ascending */
    uint32_t count;
};

static bool sampled_start(struct cc_run *run, struct cache *cache)
{
    struct sampled *sampled = cc_resize(&run->allocator, NULL, 0, 1, sizeof *sampled);
    cache->policy = sampled;
    if (sampled)
        sampled->count = 0;
    return sampled != NULL;
}

static void sampled_end(struct cc_run *run, struct cache *cache)
{
    cc_release(&run->allocator, cache->policy, 1, sizeof(struct sampled));
}

static void sampled_clear(struct cache *cache) { ((struct sampled *)cache->policy)->count = 0; }

static uint32_t draw_entry(struct cc_run *run, const struct cache *cache)
{
    for (;;) {
        uint32_t e = (uint32_t)cc_random_below(&run->evictions, UINT64_C(1) << (cache->slot_bits - 1));
        if (cache->marks[e].list != EVICTION_FREE)
            return e;
    }
}

static uint32_t decayed(const struct cc_run *run, const struct entry_mark *mark)
{
    uint64_t minutes = (run->now - mark->touched) / LFU_DECAY;
    return minutes < mark->count ? mark->count - (uint32_t)minutes : 0;
}

static uint64_t score_of(const struct cc_run *run, const struct cache *cache, uint32_t e)
{
    if (cache->rules->eviction == CC_REDIS_LRU)
        return run->now - cache->marks[e].touched;
    if (cache->rules->eviction == CC_REDIS_LFU)
        return LFU_MOST - decayed(run, &cache->marks[e]);
    return UINT64_MAX - cache->entries[e].expire;
}

static void consider(struct sampled *sampled, uint64_t score, uint32_t key)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < sampled->count; i++)
        if (sampled->pool[i].key == key)
            return;
    while (at < sampled->count && sampled->pool[at].score < score)
        at++;
    if (sampled->count < POOL) {
        for (uint32_t i = sampled->count++; i > at; i--)
            sampled->pool[i] = sampled->pool[i - 1];
    } else if (at == 0) {
        return; /* worse than all that are kept */
    } else {
        at--;
        for (uint32_t i = 0; i < at; i++)
            sampled->pool[i] = sampled->pool[i + 1];
    }
    sampled->pool[at] = (struct candidate){score, key};
}

static uint32_t sampled_victim(struct cc_run *run, struct cache *cache, uint32_t key)
{
    (void)key;
    struct sampled *sampled = cache->policy;
    for (;;) {
        for (int i = 0; i < SAMPLES; i++) {
            uint32_t e = draw_entry(run, cache);
            consider(sampled, score_of(run, cache, e), cache->entries[e].key);
        }
        while (sampled->count > 0) {
            uint32_t e = cache_entry_of(cache, sampled->pool[--sampled->count].key);
            if (e != CC_NONE)
                return e;
        }
    }
}

static void sampled_insert(struct cc_run *run, struct cache *cache, uint32_t e)
{
    (void)run;
    cache->marks[e].count = LFU_START;
    eviction_add(cache, 0, e);
}

static void lfu_counter_hit(struct cc_run *run, struct cache *cache, uint32_t e)
{
    struct entry_mark *mark = &cache->marks[e];
    mark->count = decayed(run, mark);
    uint32_t above = mark->count > LFU_START ? mark->count - LFU_START : 0;
    if (mark->count < LFU_MOST && cc_random_below(&run->evictions, above * LFU_FACTOR + 1) == 0)
        mark->count++;
}

static uint32_t random_victim(struct cc_run *run, struct cache *cache, uint32_t key)
{
    (void)key;
    return draw_entry(run, cache);
}

const struct eviction eviction_redis_lru = {.start = sampled_start,
                                            .end = sampled_end,
                                            .clear = sampled_clear,
                                            .insert = sampled_insert,
                                            .remove = eviction_take_out,
                                            .victim = sampled_victim};
const struct eviction eviction_redis_lfu = {.start = sampled_start,
                                            .end = sampled_end,
                                            .clear = sampled_clear,
                                            .insert = sampled_insert,
                                            .hit = lfu_counter_hit,
                                            .remove = eviction_take_out,
                                            .victim = sampled_victim};
const struct eviction eviction_volatile_ttl = {.start = sampled_start,
                                               .end = sampled_end,
                                               .clear = sampled_clear,
                                               .insert = sampled_insert,
                                               .remove = eviction_take_out,
                                               .victim = sampled_victim};
const struct eviction eviction_random = {
    .insert = sampled_insert, .remove = eviction_take_out, .victim = random_victim};

#undef SAMPLES
#undef POOL
#undef LFU_START
#undef LFU_MOST
#undef LFU_FACTOR
#undef LFU_DECAY
