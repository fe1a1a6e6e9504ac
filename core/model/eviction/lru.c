/* LRU: the entry goes that was read or written longest ago. FIFO: the one that was written longest ago. */
#include "model/eviction.h"

static void lru_insert(struct cc_run *run, struct cache *cache, uint32_t e)
{
    (void)run;
    eviction_add(cache, 0, e);
}

static void lru_hit(struct cc_run *run, struct cache *cache, uint32_t e)
{
    (void)run;
    if (cache->lists[0].newest != e) {
        eviction_unlink(cache, &cache->lists[0], e);
        eviction_link(cache, &cache->lists[0], e);
    }
}

static uint32_t lru_victim(struct cc_run *run, struct cache *cache, uint32_t key)
{
    (void)run;
    (void)key;
    return cache->lists[0].oldest;
}

const struct eviction eviction_lru = {
    .insert = lru_insert, .hit = lru_hit, .remove = eviction_take_out, .victim = lru_victim};
const struct eviction eviction_fifo = {.insert = lru_insert, .remove = eviction_take_out, .victim = lru_victim};
