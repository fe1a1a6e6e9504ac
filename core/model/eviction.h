/* Which entry goes when a cache is full: the interface between the cache and its policy, and the lists that all policies
 * keep their entries in. Every operation takes constant time (amortised where a policy looks at several entries). */
#ifndef CC_MODEL_EVICTION_H
#define CC_MODEL_EVICTION_H

#include "model/sim.h"

struct eviction {
    bool (*start)(struct cc_run *run, struct cache *cache); /* NULL: nothing to get ready; false: out of memory */
    void (*end)(struct cc_run *run, struct cache *cache);
    void (*clear)(struct cache *cache);                                  /* the cache has been emptied */
    void (*insert)(struct cc_run *run, struct cache *cache, uint32_t e); /* it is new; its mark and key are set */
    void (*hit)(struct cc_run *run, struct cache *cache, uint32_t e);    /* it has been read; NULL: no matter */
    void (*remove)(struct cache *cache, uint32_t e);                     /* it leaves, for whatever reason */
    /* The entry that goes so that `key` may come, which may be told apart from it; CC_NONE: the new one must not come. */
    uint32_t (*victim)(struct cc_run *run, struct cache *cache, uint32_t key);
};

extern const struct eviction eviction_lru, eviction_fifo, eviction_lfu, eviction_w_tinylfu, eviction_s3_fifo,
    eviction_sieve, eviction_redis_lru, eviction_redis_lfu, eviction_volatile_ttl, eviction_random, eviction_none;

#define EVICTION_FREE 255u /* in a mark: the cell holds no entry */

static inline uint64_t eviction_weight(const struct cache *cache, uint32_t e)
{
    return cache->rules->capacity_bytes > 0 ? cache->marks[e].bytes : 1;
}

static inline void eviction_link(struct cache *cache, struct entry_list *list, uint32_t e)
{
    cache->entries[e].newer = CC_NONE;
    cache->entries[e].older = list->newest;
    if (list->newest != CC_NONE)
        cache->entries[list->newest].newer = e;
    else
        list->oldest = e;
    list->newest = e;
}

static inline void eviction_unlink(struct cache *cache, struct entry_list *list, uint32_t e)
{
    const struct cache_entry *entry = &cache->entries[e];
    if (entry->newer != CC_NONE)
        cache->entries[entry->newer].older = entry->older;
    else
        list->newest = entry->older;
    if (entry->older != CC_NONE)
        cache->entries[entry->older].newer = entry->newer;
    else
        list->oldest = entry->newer;
}

/* At the newest end. */
static inline void eviction_add(struct cache *cache, uint32_t which, uint32_t e)
{
    eviction_link(cache, &cache->lists[which], e);
    if (cache->marks) {
        cache->marks[e].list = (uint8_t)which;
        cache->lists[which].weight += eviction_weight(cache, e);
    }
}

static inline void eviction_take_out(struct cache *cache, uint32_t e)
{
    struct entry_list *list = &cache->lists[cache->marks ? cache->marks[e].list : 0];
    eviction_unlink(cache, list, e);
    if (cache->marks)
        list->weight -= eviction_weight(cache, e);
}

/* To the newest end of that list. */
static inline void eviction_renew(struct cache *cache, uint32_t which, uint32_t e)
{
    if (cache->marks[e].list == which) {
        eviction_unlink(cache, &cache->lists[which], e);
        eviction_link(cache, &cache->lists[which], e);
        return;
    }
    eviction_take_out(cache, e);
    eviction_add(cache, which, e);
}

#endif
