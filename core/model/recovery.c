/* Whether the service came back: a system that an incident has pushed into overload may stay there when the incident is
 * over, held down by what the overload itself causes (metastable failures; Bronson et al., HotOS 2021).
 *
 * An interval of the series is healthy when it is hardly worse than before the first event: its share of failed and
 * dropped requests at most one hundredth higher, its median latency at most twice as long and a millisecond. The run has
 * recovered when all of the last tenth of the time after the last event is healthy; how long it took is the end of the
 * last interval that was not. */
#include "model/sim.h"

#define WORSE 0.01
#define LONGER 2
#define LEEWAY (CC_SECOND / 1000)

static double lost_share(const uint64_t *values)
{
    double lost = (double)(values[SERIES_FAILED] + values[SERIES_DROPPED]);
    double all = lost + (double)values[SERIES_COMPLETED];
    return all > 0 ? lost / all : 0;
}

struct recovery recovery_of(const struct cc_run *run)
{
    const struct cc_scenario *scenario = run->scenario;
    struct recovery recovery = {0};
    if (scenario->event_count == 0)
        return recovery;
    cc_time first = scenario->events[0].at, last = 0;
    for (uint32_t i = 0; i < scenario->event_count; i++) {
        const struct cc_timeline_event *event = &scenario->events[i];
        cc_time end = event->at + event->duration;
        if (event->action == CC_DEPLOY)
            end += event->every * ((scenario->instances.count - 1) / event->batch) + event->ready_after;
        last = end > last ? end : last;
    }
    uint64_t before[SERIES_COLUMNS] = {0}, p50 = 0;
    uint32_t i = 0;
    for (; i < run->series_count && run->series[i].end <= first; i++) {
        if (run->series[i].start < scenario->warmup)
            continue;
        for (int column = 0; column < SERIES_COLUMNS; column++)
            before[column] += run->series[i].values[column];
        p50 = run->series[i].values[SERIES_P50] > p50 ? run->series[i].values[SERIES_P50] : p50;
    }
    if (before[SERIES_COMPLETED] == 0 || last >= run->now)
        return recovery;
    recovery.known = true;
    cc_time back = last;
    for (; i < run->series_count; i++) {
        const struct series_row *row = &run->series[i];
        if (row->end > last &&
            (lost_share(row->values) > lost_share(before) + WORSE || row->values[SERIES_P50] > LONGER * p50 + LEEWAY))
            back = row->end;
    }
    recovery.recovered = run->now - back >= (run->now - last) / 10;
    recovery.time = back - last;
    return recovery;
}

#undef WORSE
#undef LONGER
#undef LEEWAY
