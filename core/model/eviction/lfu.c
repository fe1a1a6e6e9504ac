/* LFU: the entry goes that was read least often since it was written, of equals the one whose last read is longest ago.
 *
 * Entries lie in one list, in order of their counts and, of equal counts, of their last read; for each count it is known
 * where its entries end, so that an entry moves behind them in constant time (after Shah, Mitra and Matani, "An O(1)
 * algorithm for implementing the LFU cache eviction scheme", 2010). */
#include "model/eviction.h"

#define COUNT_MOST (UINT32_C(1) << 20) /* greater counts are equal */

struct lfu {
    uint32_t *ends; /* of each count: its entry nearest the newest end, or CC_NONE */
    uint32_t room;
};

static bool lfu_room(struct cc_run *run, struct lfu *lfu, uint32_t wanted)
{
    uint32_t *grown = cc_resize(&run->allocator, lfu->ends, lfu->room, wanted, sizeof *grown);
    if (!grown)
        return false;
    for (uint32_t i = lfu->room; i < wanted; i++)
        grown[i] = CC_NONE;
    lfu->ends = grown;
    lfu->room = wanted;
    return true;
}

static bool lfu_start(struct cc_run *run, struct cache *cache)
{
    struct lfu *lfu = cc_resize(&run->allocator, NULL, 0, 1, sizeof *lfu);
    cache->policy = lfu;
    if (!lfu)
        return false;
    *lfu = (struct lfu){0};
    return lfu_room(run, lfu, 16);
}

static void lfu_end(struct cc_run *run, struct cache *cache)
{
    struct lfu *lfu = cache->policy;
    if (lfu)
        cc_release(&run->allocator, lfu->ends, lfu->room, sizeof *lfu->ends);
    cc_release(&run->allocator, lfu, 1, sizeof *lfu);
}

static void lfu_clear(struct cache *cache)
{
    struct lfu *lfu = cache->policy;
    for (uint32_t i = 0; i < lfu->room; i++)
        lfu->ends[i] = CC_NONE;
}

static void lfu_remove(struct cache *cache, uint32_t e)
{
    struct lfu *lfu = cache->policy;
    uint32_t count = cache->marks[e].count, older = cache->entries[e].older;
    if (lfu->ends[count] == e)
        lfu->ends[count] = older != CC_NONE && cache->marks[older].count == count ? older : CC_NONE;
    eviction_take_out(cache, e);
}

/* Right behind `after` in the direction of the newest; CC_NONE: at the oldest end. */
static void lfu_place(struct cache *cache, uint32_t e, uint32_t after)
{
    struct entry_list *list = &cache->lists[0];
    uint32_t newer = after == CC_NONE ? list->oldest : cache->entries[after].newer;
    if (newer == CC_NONE) {
        eviction_add(cache, 0, e);
        return;
    }
    cache->entries[e].newer = newer;
    cache->entries[e].older = after;
    cache->entries[newer].older = e;
    if (after == CC_NONE)
        list->oldest = e;
    else
        cache->entries[after].newer = e;
    cache->marks[e].list = 0;
    list->weight += eviction_weight(cache, e);
}

static void lfu_insert(struct cc_run *run, struct cache *cache, uint32_t e)
{
    (void)run;
    struct lfu *lfu = cache->policy;
    cache->marks[e].count = 0;
    lfu_place(cache, e, lfu->ends[0]);
    lfu->ends[0] = e;
}

static void lfu_hit(struct cc_run *run, struct cache *cache, uint32_t e)
{
    struct lfu *lfu = cache->policy;
    uint32_t count = cache->marks[e].count, next = count < COUNT_MOST ? count + 1 : count;
    if (next >= lfu->room && !lfu_room(run, lfu, lfu->room * 2)) {
        run->out_of_memory = true;
        return;
    }
    uint32_t after = lfu->ends[next] != CC_NONE ? lfu->ends[next] : lfu->ends[count];
    if (after == e)
        after = cache->entries[e].older;
    lfu_remove(cache, e);
    cache->marks[e].count = next;
    lfu_place(cache, e, after);
    lfu->ends[next] = e;
}

static uint32_t lfu_victim(struct cc_run *run, struct cache *cache, uint32_t key)
{
    (void)run;
    (void)key;
    return cache->lists[0].oldest;
}

const struct eviction eviction_lfu = {.start = lfu_start,
                                      .end = lfu_end,
                                      .clear = lfu_clear,
                                      .insert = lfu_insert,
                                      .hit = lfu_hit,
                                      .remove = lfu_remove,
                                      .victim = lfu_victim};

#undef COUNT_MOST
