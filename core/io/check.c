/* What spans several fields of a scenario, and what follows from them. */
#include "io/reader.h"
#include "io/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WARM_ENTRIES_MAX UINT64_C(20000000)

static bool check_times(struct cc_reader *reader)
{
    struct cc_scenario *scenario = reader->scenario;
    char shown[CC_DURATION_TEXT], limit[CC_DURATION_TEXT];
    cc_duration_text(scenario->duration, limit);
    if (scenario->warmup >= scenario->duration) {
        cc_duration_text(scenario->warmup, shown);
        return cc_reader_fail_at(reader, "/warmup", "\"%s\" is out of range; allowed: less than duration, \"%s\"",
                                 shown, limit);
    }
    if (scenario->interval == 0) {
        static const uint64_t steps[] = {1, 2, 5};
        uint64_t unit = 1000000;
        for (unsigned i = 0; scenario->interval == 0; i++) {
            if (i == 3) {
                i = 0;
                unit *= 10;
            }
            uint64_t step = steps[i] * unit;
            if ((scenario->duration + step - 1) / step <= 300)
                scenario->interval = step;
        }
    }
    uint64_t points = (scenario->duration + scenario->interval - 1) / scenario->interval;
    if (points > CC_SERIES_MAX) {
        cc_duration_text(scenario->interval, shown);
        return cc_reader_fail_at(reader, "/interval", "\"%s\" gives %" PRIu64 " points in %s; allowed: at most %u",
                                 shown, points, limit, CC_SERIES_MAX);
    }
    return true;
}

static bool check_is_zero(const struct cc_duration_law *law)
{
    switch (law->kind) {
    case CC_CONSTANT:
        return law->value == 0;
    case CC_UNIFORM:
        return law->high == 0;
    case CC_EMPIRICAL:
        for (uint32_t i = 0; i < law->value_count; i++)
            if (law->values[i] > 0 && (law->weight_count == 0 || law->weights[i] > 0))
                return false;
        return true;
    default:
        return false;
    }
}

/* Whether entries live, so that reads can go on without a load. */
static bool check_keeps(const struct cc_cache_rules *rules)
{
    bool lives = !rules->ttl_present || rules->jitter > 0 || !check_is_zero(&rules->ttl);
    return lives && rules->reads_per_load == 0;
}

/* Whether an endless closed workload can circle without time passing: such a run would not end. */
static bool check_is_idle(const struct cc_scenario *scenario)
{
    const struct cc_arrivals *arrivals = &scenario->arrivals;
    const struct cc_origin_rules *origin = &scenario->origin;
    if (arrivals->process != CC_CLOSED || arrivals->requests_per_client > 0 || scenario->mix_present)
        return false; /* a mix is watched as it runs */
    if (!check_is_zero(&arrivals->think) || !check_is_zero(&scenario->instances.cpu) ||
        !check_is_zero(&scenario->instances.response_cpu) ||
        (origin->checks_per_request > 0 && !check_is_zero(&origin->check)) ||
        (origin->inserts_per_response > 0 && !check_is_zero(&origin->insert)))
        return false;
    bool reads = scenario->operation == CC_READ;
    bool decodes = scenario->l1_present && scenario->l1.form == CC_ENCODED;
    if (scenario->l1_present && reads && !decodes && check_keeps(&scenario->l1))
        return true;
    if (scenario->l2_present) {
        /* What commands cost is seen when they are sent. */
        if (scenario->l2.connection_present || scenario->profile.command_count > 0 || !check_is_zero(&scenario->l2.get))
            return false;
        if (!reads)
            return check_is_zero(&scenario->l2.set);
        if (check_keeps(&scenario->l2))
            return true;
    }
    return check_is_zero(&origin->load);
}

static bool check_workload(struct cc_reader *reader)
{
    struct cc_scenario *scenario = reader->scenario;
    struct cc_keys *keys = &scenario->keys;
    if (keys->popularity == CC_KEYS_WEIGHTS)
        keys->count = keys->weight_count;
    if (keys->popularity == CC_KEYS_CLIENT) {
        if (scenario->arrivals.process != CC_CLOSED)
            return cc_reader_fail_at(reader, "/workload/keys/popularity", "\"client\" is only for process closed");
        keys->count = scenario->arrivals.clients;
    }
    if (keys->popularity == CC_KEYS_HOT_SET && keys->hot_keys >= keys->count)
        return cc_reader_fail_at(reader, "/workload/keys/hot_keys", "%u is out of range; allowed: less than count, %u",
                                 (unsigned)keys->hot_keys, (unsigned)keys->count);
    for (int tier = 1; tier <= 2; tier++) {
        const struct cc_cache_rules *rules = tier == 1 ? &scenario->l1 : &scenario->l2;
        char pointer[64];
        if (!(tier == 1 ? scenario->l1_present : scenario->l2_present))
            continue;
        snprintf(pointer, sizeof pointer, "/l%d/capacity_bytes", tier);
        if (rules->capacity > 0 && rules->capacity_bytes > 0)
            return cc_reader_fail_at(reader, pointer, "not together with capacity; give one of them");
        for (uint32_t i = 0; i < rules->ttl_class_count; i++) {
            snprintf(pointer, sizeof pointer, "/l%d/ttl_classes/%u/last", tier, (unsigned)i);
            if (rules->ttl_classes[i].last < rules->ttl_classes[i].first)
                return cc_reader_fail_at(reader, pointer, "%u is before first, %u",
                                         (unsigned)rules->ttl_classes[i].last, (unsigned)rules->ttl_classes[i].first);
        }
    }
    if (keys->size_count > 0 && scenario->l2_present && scenario->l2.connection_present)
        return cc_reader_fail_at(reader, "/workload/keys/sizes",
                                 "not with l2.connection, where all values have value_size");
    if (keys->absent > keys->count)
        return cc_reader_fail_at(reader, "/workload/keys/absent", "%u is out of range; allowed: at most count, %u",
                                 (unsigned)keys->absent, (unsigned)keys->count);
    if (keys->uncacheable > keys->count - keys->absent)
        return cc_reader_fail_at(reader, "/workload/keys/uncacheable",
                                 "%u is out of range; allowed: at most count less absent, %u",
                                 (unsigned)keys->uncacheable, (unsigned)(keys->count - keys->absent));
    if (scenario->l2_present && scenario->l2.lease_present && scenario->l2.single_flight != CC_FLIGHT_CLUSTER)
        return cc_reader_fail_at(reader, "/l2/lease", "only for single_flight cluster");
    if (scenario->l2_present && scenario->l2.connection_present && scenario->l2.shards > 1)
        return cc_reader_fail_at(reader, "/l2/shards", "%u shards; allowed: 1 with a connection",
                                 (unsigned)scenario->l2.shards);
    if (scenario->origin.cores == 0 && scenario->origin.queue_limit != CC_NONE)
        return cc_reader_fail_at(reader, "/origin/queue_limit", "%u limits nothing without cores; give cores too",
                                 (unsigned)scenario->origin.queue_limit);
    if (scenario->instances.threads == 0 && scenario->instances.queue_limit != CC_NONE)
        return cc_reader_fail_at(reader, "/instances/queue_limit",
                                 "%u limits nothing without threads; give threads too",
                                 (unsigned)scenario->instances.queue_limit);
    if (scenario->l1_present && scenario->l1.start == CC_WARM &&
        (uint64_t)keys->count * scenario->instances.count > WARM_ENTRIES_MAX)
        return cc_reader_fail_at(reader, "/l1/start",
                                 "\"warm\" fills %u keys in %u instances; allowed: at most %" PRIu64 " entries in all",
                                 (unsigned)keys->count, (unsigned)scenario->instances.count, WARM_ENTRIES_MAX);
    if (check_is_idle(scenario))
        return cc_reader_fail_at(reader, "/workload/arrivals",
                                 "clients that neither think nor wait never let time pass; give think, a cpu time or "
                                 "requests_per_client");
    return true;
}

static bool check_event(struct cc_reader *reader, const struct cc_timeline_event *event, uint32_t i)
{
    const struct cc_scenario *scenario = reader->scenario;
    char pointer[64];
    bool messages = scenario->publications_present && scenario->publications.invalidation == CC_INVALIDATE_PUB_SUB;
    if (event->action == CC_STOP_INVALIDATION && !messages) {
        snprintf(pointer, sizeof pointer, "/events/%u/do", (unsigned)i);
        return cc_reader_fail_at(reader, pointer, "there are no messages to stop; give publications with pub_sub");
    }
    if (event->action == CC_TAKE_MEMORY && !(scenario->l2_present && scenario->l2.capacity_bytes > 0)) {
        snprintf(pointer, sizeof pointer, "/events/%u/do", (unsigned)i);
        return cc_reader_fail_at(reader, pointer, "there is no memory to take; give l2.capacity_bytes");
    }
    if (event->action != CC_STOP_L2 && event->action != CC_REFUSE_L2 && event->action != CC_SLOW_L2)
        return true;
    if (!scenario->l2_present) {
        snprintf(pointer, sizeof pointer, "/events/%u/do", (unsigned)i);
        return cc_reader_fail_at(reader, pointer, "there is no l2; give l2, or take the event out");
    }
    if (event->shard == CC_NONE || event->shard < scenario->l2.shards)
        return true;
    snprintf(pointer, sizeof pointer, "/events/%u/shard", (unsigned)i);
    return cc_reader_fail_at(reader, pointer, "%u is out of range; allowed: 0 to %u", (unsigned)event->shard,
                             (unsigned)scenario->l2.shards - 1);
}

static bool check_events(struct cc_reader *reader)
{
    struct cc_scenario *scenario = reader->scenario;
    uint32_t count = scenario->event_count;
    uint64_t instances = scenario->instances.count;
    char pointer[64], shown[CC_DURATION_TEXT], limit[CC_DURATION_TEXT];
    for (uint32_t i = 0; i < count; i++) {
        const struct cc_timeline_event *event = &scenario->events[i];
        if (event->at > scenario->duration) {
            cc_duration_text(event->at, shown);
            cc_duration_text(scenario->duration, limit);
            snprintf(pointer, sizeof pointer, "/events/%u/at", (unsigned)i);
            return cc_reader_fail_at(reader, pointer, "\"%s\" is out of range; allowed: at most duration, \"%s\"",
                                     shown, limit);
        }
        if (event->action == CC_SET_RATE && scenario->arrivals.process == CC_CLOSED) {
            snprintf(pointer, sizeof pointer, "/events/%u/do", (unsigned)i);
            return cc_reader_fail_at(reader, pointer, "\"set_rate\" is only for process paced, poisson");
        }
        if (!check_event(reader, event, i))
            return false;
        instances += cc_event_starts(event, (uint32_t)instances);
        if (instances > CC_INSTANCES_MAX) {
            snprintf(pointer, sizeof pointer, "/events/%u/%s", (unsigned)i,
                     event->action == CC_DEPLOY ? "do" : "count");
            return cc_reader_fail_at(reader, pointer, "%" PRIu64 " instances in all; allowed: at most %u", instances,
                                     CC_INSTANCES_MAX);
        }
    }
    /* Sorted by insertion, which keeps the order of equal times; files list events in order as a rule. The positions
     * move along, since complaints name them. */
    uint32_t *position = cc_arena_take(&reader->scratch, count, sizeof *position);
    if (!position)
        return cc_reader_no_memory(reader);
    for (uint32_t i = 0; i < count; i++) {
        struct cc_timeline_event event = scenario->events[i];
        uint32_t j = i;
        for (; j > 0 && scenario->events[j - 1].at > event.at; j--) {
            scenario->events[j] = scenario->events[j - 1];
            position[j] = position[j - 1];
        }
        scenario->events[j] = event;
        position[j] = i;
    }
    uint64_t running = scenario->instances.count;
    for (uint32_t i = 0; i < count; i++) {
        const struct cc_timeline_event *event = &scenario->events[i];
        if (event->action == CC_ADD_INSTANCE)
            running += event->count;
        if (event->action != CC_REMOVE_INSTANCE && event->action != CC_CRASH_INSTANCE)
            continue;
        if (event->count > running) {
            snprintf(pointer, sizeof pointer, "/events/%u/count", (unsigned)position[i]);
            return cc_reader_fail_at(reader, pointer, "%u instances go where %" PRIu64 " run", (unsigned)event->count,
                                     running);
        }
        running -= cc_event_starts(event, 0) > 0 ? 0 : event->count;
    }
    return true;
}

static bool check_observe(struct cc_reader *reader)
{
    const struct cc_scenario *scenario = reader->scenario;
    const struct cc_observe *observe = &scenario->observe;
    char shown[CC_DURATION_TEXT], pointer[64];
    if (!scenario->observe_present)
        return true;
    cc_duration_text(observe->window, shown);
    if (observe->window / 2 < observe->scrape)
        return cc_reader_fail_at(reader, "/observe/window",
                                 "\"%s\" has no two scrapes in it; allowed: at least twice scrape", shown);
    uint64_t instances = scenario->instances.count;
    for (uint32_t i = 0; i < scenario->event_count; i++)
        instances += cc_event_starts(&scenario->events[i], (uint32_t)instances);
    uint64_t scrapes = scenario->duration / observe->scrape + observe->window / observe->scrape + 4;
    cc_duration_text(observe->scrape, shown);
    if (scrapes > CC_SCRAPES_MAX / instances || observe->window / observe->scrape > 1000)
        return cc_reader_fail_at(reader, "/observe/scrape",
                                 "\"%s\" is too often; allowed: at most %u scrapes in all, 1000 in a window", shown,
                                 CC_SCRAPES_MAX);
    for (uint32_t i = 1; i < observe->bucket_count; i++) {
        snprintf(pointer, sizeof pointer, "/observe/buckets/%u", (unsigned)i);
        if (observe->buckets[i] <= observe->buckets[i - 1])
            return cc_reader_fail_at(reader, pointer, "not more than the one before; bounds must ascend");
    }
    return true;
}

static bool check_phases(struct cc_reader *reader)
{
    struct cc_scenario *scenario = reader->scenario;
    char pointer[64], shown[CC_DURATION_TEXT], low[CC_DURATION_TEXT], high[CC_DURATION_TEXT];
    for (uint32_t i = 0; i < scenario->phase_count; i++) {
        const struct cc_phase_mark *phase = &scenario->phases[i];
        cc_duration_text(phase->at, shown);
        cc_duration_text(scenario->warmup, low);
        cc_duration_text(scenario->duration, high);
        snprintf(pointer, sizeof pointer, "/phases/%u/at", (unsigned)i);
        if (phase->at < scenario->warmup || phase->at >= scenario->duration)
            return cc_reader_fail_at(reader, pointer,
                                     "\"%s\" is out of range; allowed: from warmup, \"%s\", to before "
                                     "duration, \"%s\"",
                                     shown, low, high);
        if (i > 0 && phase->at <= scenario->phases[i - 1].at)
            return cc_reader_fail_at(reader, pointer, "\"%s\" is not after the phase before; phases must ascend",
                                     shown);
        for (uint32_t j = 0; j < i; j++) {
            snprintf(pointer, sizeof pointer, "/phases/%u/name", (unsigned)i);
            if (strcmp(scenario->phases[j].name, phase->name) == 0)
                return cc_reader_fail_at(reader, pointer, "\"%.60s\" is the name of phase %u too; names must differ",
                                         phase->name, (unsigned)j);
        }
    }
    return true;
}

static const char *check_metric(const void *context, size_t index)
{
    (void)context;
    return cc_metric_name(index);
}

static const char *check_phase(const void *context, size_t index)
{
    return ((const struct cc_phase_mark *)context)[index].name;
}

static bool check_names(struct cc_reader *reader, const struct cc_expect_line *line, const char *pointer)
{
    const struct cc_scenario *scenario = reader->scenario;
    char place[96], shown[80];
    if (cc_metric_find(line->metric) == SIZE_MAX) {
        const char *nearest = cc_nearest_name(line->metric, check_metric, NULL, cc_metric_count());
        cc_one_line(shown, sizeof shown, line->metric);
        snprintf(place, sizeof place, "%s/metric", pointer);
        if (nearest)
            return cc_reader_fail_at(reader, place, "\"%s\" is not a metric; did you mean \"%s\"?", shown, nearest);
        return cc_reader_fail_at(reader, place, "\"%s\" is not a metric; a report's summary lists them all", shown);
    }
    if (!line->phase)
        return true;
    for (uint32_t i = 0; i < scenario->phase_count; i++)
        if (strcmp(scenario->phases[i].name, line->phase) == 0)
            return true;
    const char *nearest = cc_nearest_name(line->phase, check_phase, scenario->phases, scenario->phase_count);
    cc_one_line(shown, sizeof shown, line->phase);
    snprintf(place, sizeof place, "%s/phase", pointer);
    if (nearest)
        return cc_reader_fail_at(reader, place, "\"%s\" is not a phase; did you mean \"%s\"?", shown, nearest);
    return cc_reader_fail_at(reader, place, "\"%s\" is not a phase; give the name of one of phases", shown);
}

static bool check_expect(struct cc_reader *reader)
{
    struct cc_scenario *scenario = reader->scenario;
    for (uint32_t i = 0; i < scenario->expect_count; i++) {
        struct cc_expect_line *line = &scenario->expect[i];
        char pointer[64], place[96];
        snprintf(pointer, sizeof pointer, "/expect/%u", (unsigned)i);
        if (!check_names(reader, line, pointer))
            return false;
        bool range = line->min_present || line->max_present;
        if (!line->value_present && !range)
            return cc_reader_fail_at(reader, pointer, "nothing is expected; give value, or min, max or both");
        snprintf(place, sizeof place, "%s/tolerance", pointer);
        if (line->tolerance && (!line->value_present || range))
            return cc_reader_fail_at(reader, place, "only for a value without min and max");
        line->low = line->min_present ? line->min : range ? -(double)INFINITY : line->value;
        line->high = line->max_present ? line->max : range ? (double)INFINITY : line->value;
        if (line->low > line->high)
            return cc_reader_fail_at(reader, pointer, "\"min\" is greater than \"max\"");
        if (!line->tolerance)
            continue;
        double percent, width;
        if (cc_percent_parse(line->tolerance, &percent) == CC_UNIT_OK) {
            width = fabs(line->value) * percent / 100;
        } else {
            /* A number, written by cc_double_text; jansson reads it whatever the locale. */
            json_t *number = json_loads(line->tolerance, JSON_DECODE_ANY, NULL);
            if (!number)
                return cc_reader_no_memory(reader);
            width = json_number_value(number);
            json_decref(number);
        }
        line->low = line->value - width;
        line->high = line->value + width;
    }
    return true;
}

static bool check_byte_costs(struct cc_reader *reader)
{
    const struct cc_profile *profile = &reader->scenario->profile;
    char pointer[96];
    for (uint32_t b = 0; b < profile->byte_count; b++) {
        const struct cc_byte_knot *knot = &profile->bytes[b];
        snprintf(pointer, sizeof pointer, "/profile/bytes/%u/bytes", (unsigned)b);
        if (b > 0 && knot->bytes <= profile->bytes[b - 1].bytes)
            return cc_reader_fail_at(reader, pointer, "not more than those before; sizes must ascend");
        snprintf(pointer, sizeof pointer, "/profile/bytes/%u/depths", (unsigned)b);
        if (knot->depth_count == 0)
            return cc_reader_fail_at(reader, pointer, "0 elements; at least one is needed");
        for (uint32_t d = 1; d < knot->depth_count; d++) {
            snprintf(pointer, sizeof pointer, "/profile/bytes/%u/depths/%u/depth", (unsigned)b, (unsigned)d);
            if (knot->depths[d].depth <= knot->depths[d - 1].depth)
                return cc_reader_fail_at(reader, pointer, "not more than the one before; depths must ascend");
        }
    }
    return true;
}

static bool check_profile(struct cc_reader *reader)
{
    const struct cc_profile *profile = &reader->scenario->profile;
    char pointer[96];
    for (uint32_t c = 0; c < profile->codec_count; c++) {
        const struct cc_codec *codec = &profile->codecs[c];
        char plain[128];
        snprintf(pointer, sizeof pointer, "/profile/codecs/%u/name", (unsigned)c);
        cc_one_line(plain, sizeof plain, codec->name);
        if (strcmp(plain, codec->name) != 0)
            return cc_reader_fail_at(reader, pointer, "a name of up to 120 printable characters is needed");
        snprintf(pointer, sizeof pointer, "/profile/codecs/%u/knots", (unsigned)c);
        if (codec->knot_count == 0)
            return cc_reader_fail_at(reader, pointer, "0 elements; at least one knot is needed");
        for (uint32_t i = 1; i < codec->knot_count; i++) {
            snprintf(pointer, sizeof pointer, "/profile/codecs/%u/knots/%u/bytes", (unsigned)c, (unsigned)i);
            if (codec->knots[i].bytes <= codec->knots[i - 1].bytes)
                return cc_reader_fail_at(reader, pointer, "not more than those before; knots must ascend");
        }
        for (uint32_t i = 0; i < c; i++) {
            snprintf(pointer, sizeof pointer, "/profile/codecs/%u/name", (unsigned)c);
            if (strcmp(codec->name, profile->codecs[i].name) == 0)
                return cc_reader_fail_at(reader, pointer, "\"%.60s\" is the name of codec %u too; names must differ",
                                         codec->name, (unsigned)i);
        }
    }
    return true;
}

static bool check_codec(struct cc_reader *reader)
{
    const struct cc_scenario *scenario = reader->scenario;
    const char *wanted = scenario->l2.connection.codec;
    char all[256] = "none", shown[80];
    if (strcmp(wanted, "none") == 0)
        return true;
    for (uint32_t i = 0; i < scenario->profile.codec_count; i++) {
        const char *name = scenario->profile.codecs[i].name;
        if (strcmp(name, wanted) == 0)
            return true;
        if (strcmp(name, "none") != 0)
            snprintf(all + strlen(all), sizeof all - strlen(all), ", %s", name);
    }
    cc_one_line(shown, sizeof shown, wanted);
    return cc_reader_fail_at(reader, "/l2/connection/codec", "\"%s\" is no codec of the profile; it has %s", shown,
                             all);
}

/* Connection and host need costs, and do without what they replace. */
/* Writers, the store's threads, and what cannot work together. */
static bool check_writers(struct cc_reader *reader)
{
    const struct cc_scenario *scenario = reader->scenario;
    const struct cc_mix *mix = &scenario->mix;
    enum cc_method method = scenario->increments.method;
    bool increments = scenario->mix_present && mix->increment > 0;
    if (scenario->mix_present && scenario->operation != CC_READ)
        return cc_reader_fail_at(reader, "/workload/mix", "only for operation read");
    if (scenario->mix_present && !(mix->read + mix->write + mix->increment + mix->remove > 0))
        return cc_reader_fail_at(reader, "/workload/mix", "all weights are 0; one above is needed");
    if (increments && !scenario->l2_present)
        return cc_reader_fail_at(reader, "/workload/mix/increment", "increments are of values in L2; give l2");
    if (scenario->l2_present && scenario->l2.connection_present && scenario->mix_present)
        return cc_reader_fail_at(reader, "/workload/mix", "not with l2.connection, which carries GET and SET only");
    if (scenario->l2_present && scenario->l2.connection_present && scenario->l2.threads > 0)
        return cc_reader_fail_at(reader, "/l2/threads", "with connection, the store has one thread; leave this out");
    if (scenario->l2_present && scenario->l2.threads > 0 && scenario->l2.timeout > 0)
        return cc_reader_fail_at(reader, "/l2/timeout",
                                 "not with threads, where a command's time is not known when it is sent");
    if (increments && method == CC_METHOD_IN_STORE && scenario->value_form == CC_FORM_COMPRESSED)
        return cc_reader_fail_at(reader, "/workload/value_form",
                                 "a script in the store cannot read a compressed value; allowed with in_store: json, "
                                 "lua_json, lua_msgpack");
    if (increments && method == CC_METHOD_IN_STORE && scenario->value_form == CC_FORM_STRING)
        return cc_reader_fail_at(reader, "/workload/value_form",
                                 "the store cannot work on opaque bytes; allowed with in_store: json, lua_json, "
                                 "lua_msgpack");
    if (increments && scenario->reencoded &&
        (method == CC_METHOD_LUA || method == CC_METHOD_IFEQ || method == CC_METHOD_IFDEQ))
        return cc_reader_fail_at(reader, "/workload/reencoded",
                                 "an old value encoded anew need not have the bytes that the store holds, so comparing "
                                 "them fails; allowed: set, watch, version, lock, in_store");
    return true;
}

static bool check_connection(struct cc_reader *reader)
{
    struct cc_scenario *scenario = reader->scenario;
    if (scenario->operation == CC_PUT_GET && scenario->l2_present && scenario->l2.single_flight != CC_FLIGHT_NONE)
        return cc_reader_fail_at(reader, "/l2/single_flight", "\"put_get\" loads nothing; allowed with it: none");
    if (scenario->operation == CC_PUT_GET && !scenario->l2_present)
        return cc_reader_fail_at(reader, "/workload/operation", "\"put_get\" writes to L2 and reads from it; give l2");
    if (scenario->host_present && scenario->instances.cores != 0)
        return cc_reader_fail_at(reader, "/instances/cores", "with host, cores are the machine's; leave this out");
    if (scenario->instances.cores == 0)
        scenario->instances.cores = scenario->host_present ? 0 : 1;
    if (scenario->host_present && scenario->host.cores == 0) {
        if (!scenario->profile_present || scenario->profile.host.cores == 0)
            return cc_reader_fail_at(reader, "/host/cores",
                                     "null needs a profile that says its machine's cores; give cores");
        scenario->host.cores = scenario->profile.host.cores;
    }
    uint64_t most = scenario->instances.count;
    for (uint32_t i = 0; i < scenario->event_count; i++)
        most += scenario->events[i].action == CC_ADD_INSTANCE ? scenario->events[i].count : 0;
    if (scenario->host_present && scenario->host.layout == CC_EACH_APART && most * scenario->host.cores > CC_CORES_MAX)
        return cc_reader_fail_at(reader, "/host/cores", "%u for %" PRIu64 " machines; allowed: at most %u in all",
                                 (unsigned)scenario->host.cores, most, CC_CORES_MAX);
    if (scenario->host_present && scenario->host.layout != CC_ONE_HOST && scenario->host.store_cores == 0)
        scenario->host.store_cores = scenario->host.cores;
    if (!scenario->profile.host_present)
        scenario->profile.host = (struct cc_host_costs){.slice = 3e6, .lead = 1e6, .scan = true, .hot = 5e5};
    if (scenario->l1_present && scenario->l1.form == CC_ENCODED &&
        !(scenario->l2_present && scenario->l2.connection_present))
        return cc_reader_fail_at(reader, "/l1/form", "\"encoded\" holds what comes over l2.connection; give that too");
    if (!scenario->l2_present || !scenario->l2.connection_present)
        return true;
    if (scenario->l2.connection.stall_present && check_is_zero(&scenario->l2.connection.stall.length) &&
        check_is_zero(&scenario->l2.connection.stall.every))
        return cc_reader_fail_at(reader, "/l2/connection/stall",
                                 "pauses without length and distance never end; give every");
    if (!scenario->profile_present || !scenario->profile.client_present || !scenario->profile.server_present)
        return cc_reader_fail_at(reader, "/l2/connection",
                                 "its costs are those of a profile with client and server; give profile");
    if (!check_is_zero(&scenario->l2.get) || !check_is_zero(&scenario->l2.set))
        return cc_reader_fail_at(reader, check_is_zero(&scenario->l2.get) ? "/l2/set" : "/l2/get",
                                 "with connection, the network's share is its round_trip; leave this out");
    if (scenario->l2.single_flight == CC_FLIGHT_CLUSTER)
        return cc_reader_fail_at(reader, "/l2/single_flight",
                                 "\"cluster\" lets replies wait in the store, but a connection answers in order; "
                                 "allowed with l2.connection: none, instance");
    if (most * scenario->l2.connection.count > CC_CONNECTIONS_MAX)
        return cc_reader_fail_at(reader, "/l2/connection/count",
                                 "%u for %" PRIu64 " instances; allowed: at most %u in all",
                                 (unsigned)scenario->l2.connection.count, most, CC_CONNECTIONS_MAX);
    return check_codec(reader);
}

static bool check_playground(struct cc_reader *reader)
{
    const struct cc_playground *playground = &reader->scenario->playground;
    /* A scenario that was taken from one with variants may have kept its positions. */
    if (!reader->scenario->playground_present || reader->variant_count == 0)
        return true;
    for (unsigned i = 0; i < 2; i++) {
        uint32_t position = i == 0 ? playground->a : playground->b;
        if (position != CC_NO_VARIANT && position >= reader->variant_count)
            return cc_reader_fail_at(reader, i == 0 ? "/playground/a" : "/playground/b",
                                     "%u is no position of a variant; allowed: 0 to %zu, or null", (unsigned)position,
                                     reader->variant_count - 1);
    }
    return true;
}

bool cc_check_scenario(struct cc_reader *reader)
{
    return check_times(reader) && check_profile(reader) && check_byte_costs(reader) && check_workload(reader) &&
           check_events(reader) && check_observe(reader) && check_writers(reader) && check_connection(reader) &&
           check_phases(reader) && check_expect(reader) && check_playground(reader);
}

#undef WARM_ENTRIES_MAX
