/* What an entry is good for besides plain hits: answers past its TTL, loads before it ends, and marks that stand for no
 * value.
 *
 * refresh_after is Caffeine's refreshAfterWrite; stale-while-revalidate and stale-if-error are those of RFC 5861; xfetch
 * loads early with a chance that grows as the TTL runs out, when -beta took ln(U) exceeds what is left (Vattani,
 * Chierichetti, Lowenstein, "Optimal Probabilistic Cache Stampede Prevention", PVLDB 8(8), 2015). A negative entry says
 * that a key is absent. hit_for_pass (Varnish) says that a value may not be kept, so that requests for it need not wait
 * for one another. */
#include "model/sim.h"

static bool tier_uses(const struct cc_cache_rules *rules)
{
    return rules->refresh_after > 0 || rules->stale_while_revalidate > 0 || rules->stale_if_error > 0 ||
           rules->xfetch > 0;
}

bool refresh_is_used(const struct cc_scenario *scenario)
{
    return scenario->keys.absent > 0 || scenario->keys.uncacheable > 0 ||
           (scenario->l1_present && tier_uses(&scenario->l1)) || (scenario->l2_present && tier_uses(&scenario->l2));
}

cc_time refresh_fresh_until(const struct cc_run *run, const struct cc_cache_rules *rules, const struct value *value,
                            cc_time fresh_until)
{
    if (value->kind == VALUE_ABSENT)
        return run->now + rules->negative_ttl;
    return value->kind == VALUE_UNCACHEABLE ? run->now + rules->hit_for_pass : fresh_until;
}

cc_time refresh_kept_until(const struct cc_cache_rules *rules, const struct value *value, cc_time fresh_until)
{
    if (value->kind != VALUE_PRESENT || fresh_until == CC_NEVER)
        return fresh_until;
    cc_time grace = rules->stale_while_revalidate;
    return fresh_until + (grace > rules->stale_if_error ? grace : rules->stale_if_error);
}

bool refresh_allows(struct cc_run *run, const struct cache *cache, uint32_t e, struct request *request)
{
    const struct entry_note *note = &cache->notes[e];
    const struct cc_cache_rules *rules = cache->rules;
    if (note->value.kind == VALUE_UNCACHEABLE) {
        run->counters[COUNT_PASSED]++;
        request->passes = true;
        return false;
    }
    if (run->now >= note->fresh_until) {
        if (rules->stale_if_error > 0 && run->now < note->fresh_until + rules->stale_if_error) {
            request->fallback = true;
            more_of(run, request)->fallback_version = note->value.version;
        }
        request->grace = request->refresh = run->now < note->fresh_until + rules->stale_while_revalidate;
        if (!request->grace)
            return false;
    } else if (rules->xfetch > 0 && note->fresh_until != CC_NEVER) {
        double lead = (double)note->took * rules->xfetch * cc_exponential(&run->early);
        if (lead >= (double)(note->fresh_until - run->now)) {
            run->counters[rules == &run->scenario->l1 ? COUNT_L1_EARLY : COUNT_L2_EARLY]++;
            request->early = true;
            return false;
        }
    }
    request->refresh |= run->now >= note->refresh_at;
    more_of(run, request)->value = note->value;
    run->counters[COUNT_NEGATIVE_HITS] += note->value.kind == VALUE_ABSENT;
    return true;
}

void refresh_start(struct cc_run *run, uint32_t of, enum flight_scope scope, bool coalesce)
{
    if (coalesce && flight_runs(run, scope, of))
        return;
    uint32_t r = request_take(run);
    if (r == CC_NONE)
        return;
    struct request *request = &run->requests[r];
    request->key = run->requests[of].key;
    request->client = run->requests[of].client;
    request->instance = run->requests[of].instance;
    request->live = request->answered = request->background = true;
    more_of(run, request)->missed = run->now;
    run->instances[request->instance].outstanding++;
    run->counters[scope == SCOPE_L1 ? COUNT_L1_REFRESHES : COUNT_L2_REFRESHES]++;
    uint32_t flight = coalesce ? flight_join_or_lead(run, scope, r) : CC_NONE;
    if (scope != SCOPE_L1) {
        request->l2_flight = flight;
        if (scope == SCOPE_L2_CLUSTER)
            store_lease_begins(run, flight);
        origin_load(run, r);
        return;
    }
    request->l1_flight = flight;
    if (run->scenario->l2_present)
        store_get(run, r);
    else
        origin_load(run, r);
}
