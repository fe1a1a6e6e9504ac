/* No eviction: a full cache takes nothing new (Redis's noeviction). */
#include "model/eviction.h"

static void none_insert(struct cc_run *run, struct cache *cache, uint32_t e)
{
    (void)run;
    eviction_add(cache, 0, e);
}

static uint32_t none_victim(struct cc_run *run, struct cache *cache, uint32_t key)
{
    (void)run;
    (void)cache;
    (void)key;
    return CC_NONE;
}

const struct eviction eviction_none = {.insert = none_insert, .remove = eviction_take_out, .victim = none_victim};
