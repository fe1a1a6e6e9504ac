/* S3-FIFO (Yang et al., SOSP 2023): a small queue for what is new, a tenth of the room; a main queue for what was read
 * twice there or comes back soon; and the keys, without values, of what left the small queue lately. In the main queue
 * an entry that was read goes round again. */
#include "model/eviction.h"

#include <string.h>

enum { SMALL, MAIN };
#define READS_MOST 3
#define WAY 4

struct ghost {
    uint32_t key; /* + 1; 0: none */
    uint32_t when;
};

struct s3_fifo {
    struct ghost *ghosts; /* WAY for each of the buckets */
    uint32_t bits;        /* 2^bits buckets */
    uint32_t gone;        /* entries that have left the small queue */
    uint32_t remembered;
};

static bool s3_start(struct cc_run *run, struct cache *cache)
{
    struct s3_fifo *s3 = cc_resize(&run->allocator, NULL, 0, 1, sizeof *s3);
    cache->policy = s3;
    if (!s3)
        return false;
    const struct cc_cache_rules *rules = cache->rules;
    uint32_t keys = run->scenario->keys.count;
    uint64_t entries = rules->capacity > 0 ? rules->capacity : keys;
    *s3 = (struct s3_fifo){.bits = 1, .remembered = (uint32_t)(entries < keys ? entries : keys)};
    while ((UINT64_C(1) << s3->bits) * WAY < 2 * (uint64_t)s3->remembered && s3->bits < 26)
        s3->bits++;
    s3->ghosts = cc_resize(&run->allocator, NULL, 0, (size_t)WAY << s3->bits, sizeof *s3->ghosts);
    if (s3->ghosts)
        memset(s3->ghosts, 0, ((size_t)WAY << s3->bits) * sizeof *s3->ghosts);
    return s3->ghosts != NULL;
}

static void s3_end(struct cc_run *run, struct cache *cache)
{
    struct s3_fifo *s3 = cache->policy;
    if (s3)
        cc_release(&run->allocator, s3->ghosts, (size_t)WAY << s3->bits, sizeof *s3->ghosts);
    cc_release(&run->allocator, s3, 1, sizeof *s3);
}

static void s3_clear(struct cache *cache)
{
    struct s3_fifo *s3 = cache->policy;
    memset(s3->ghosts, 0, ((size_t)WAY << s3->bits) * sizeof *s3->ghosts);
}

static struct ghost *ghosts_of(const struct s3_fifo *s3, uint32_t key)
{
    return &s3->ghosts[(cc_scatter(key + UINT64_C(1)) >> (64 - s3->bits)) * WAY];
}

static bool ghost_returns(struct s3_fifo *s3, uint32_t key)
{
    struct ghost *bucket = ghosts_of(s3, key);
    for (int i = 0; i < WAY; i++)
        if (bucket[i].key == key + 1) {
            bucket[i].key = 0;
            return s3->gone - bucket[i].when <= s3->remembered;
        }
    return false;
}

static void ghost_leave(struct s3_fifo *s3, uint32_t key)
{
    struct ghost *bucket = ghosts_of(s3, key), *oldest = bucket;
    for (int i = 1; i < WAY && oldest->key != 0; i++)
        if (bucket[i].key == 0 || s3->gone - bucket[i].when > s3->gone - oldest->when)
            oldest = &bucket[i];
    *oldest = (struct ghost){key + 1, s3->gone++};
}

static void s3_insert(struct cc_run *run, struct cache *cache, uint32_t e)
{
    (void)run;
    cache->marks[e].count = 0;
    eviction_add(cache, ghost_returns(cache->policy, cache->entries[e].key) ? MAIN : SMALL, e);
}

static void s3_hit(struct cc_run *run, struct cache *cache, uint32_t e)
{
    (void)run;
    if (cache->marks[e].count < READS_MOST)
        cache->marks[e].count++;
}

static uint32_t s3_victim(struct cc_run *run, struct cache *cache, uint32_t key)
{
    (void)run;
    (void)key;
    for (;;) {
        bool small = cache->lists[SMALL].oldest != CC_NONE &&
                     (cache->lists[SMALL].weight * 10 >= cache->limit || cache->lists[MAIN].oldest == CC_NONE);
        uint32_t e = cache->lists[small ? SMALL : MAIN].oldest;
        if (small && cache->marks[e].count > 1) {
            cache->marks[e].count = 0;
            eviction_renew(cache, MAIN, e);
        } else if (small) {
            ghost_leave(cache->policy, cache->entries[e].key);
            return e;
        } else if (cache->marks[e].count > 0) {
            cache->marks[e].count--;
            eviction_renew(cache, MAIN, e);
        } else {
            return e;
        }
    }
}

const struct eviction eviction_s3_fifo = {.start = s3_start,
                                          .end = s3_end,
                                          .clear = s3_clear,
                                          .insert = s3_insert,
                                          .hit = s3_hit,
                                          .remove = eviction_take_out,
                                          .victim = s3_victim};

#undef READS_MOST
#undef WAY
