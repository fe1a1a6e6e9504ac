/* SIEVE (Zhang et al., NSDI 2024): entries lie in order of writing; a hit marks. A hand moves from the oldest to the
 * newest, unmarks what is marked and evicts the first that is not. */
#include "model/eviction.h"

struct sieve {
    uint32_t hand; /* where it goes on; CC_NONE: at the oldest */
};

static bool sieve_start(struct cc_run *run, struct cache *cache)
{
    struct sieve *sieve = cc_resize(&run->allocator, NULL, 0, 1, sizeof *sieve);
    cache->policy = sieve;
    if (sieve)
        sieve->hand = CC_NONE;
    return sieve != NULL;
}

static void sieve_end(struct cc_run *run, struct cache *cache)
{
    cc_release(&run->allocator, cache->policy, 1, sizeof(struct sieve));
}

static void sieve_clear(struct cache *cache) { ((struct sieve *)cache->policy)->hand = CC_NONE; }

static void sieve_insert(struct cc_run *run, struct cache *cache, uint32_t e)
{
    (void)run;
    cache->marks[e].count = 0;
    eviction_add(cache, 0, e);
}

static void sieve_hit(struct cc_run *run, struct cache *cache, uint32_t e)
{
    (void)run;
    cache->marks[e].count = 1;
}

static void sieve_remove(struct cache *cache, uint32_t e)
{
    struct sieve *sieve = cache->policy;
    if (sieve->hand == e)
        sieve->hand = cache->entries[e].newer;
    eviction_take_out(cache, e);
}

static uint32_t sieve_victim(struct cc_run *run, struct cache *cache, uint32_t key)
{
    (void)run;
    (void)key;
    struct sieve *sieve = cache->policy;
    uint32_t hand = sieve->hand != CC_NONE ? sieve->hand : cache->lists[0].oldest;
    while (cache->marks[hand].count > 0) {
        cache->marks[hand].count = 0;
        hand = cache->entries[hand].newer != CC_NONE ? cache->entries[hand].newer : cache->lists[0].oldest;
    }
    sieve->hand = hand; /* its removal moves the hand on */
    return hand;
}

const struct eviction eviction_sieve = {.start = sieve_start,
                                        .end = sieve_end,
                                        .clear = sieve_clear,
                                        .insert = sieve_insert,
                                        .hit = sieve_hit,
                                        .remove = sieve_remove,
                                        .victim = sieve_victim};
