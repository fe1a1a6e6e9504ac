/* The queueing station that threads, cores and connections share: first come, first served. */
#include "model/sim.h"

static void begin_service(struct cc_run *run, enum station_kind kind, uint32_t r)
{
    run->accounts[kind].started++;
    run->accounts[kind].start_sum += run->now;
    cc_histogram_record(&measure_now(run)->wait[kind], run->now - run->requests[r].entered[kind]);
}

bool station_enter(struct cc_run *run, enum station_kind kind, struct station *station, uint32_t r)
{
    struct account *account = &run->accounts[kind];
    account->entered++;
    account->enter_sum += run->now;
    run->requests[r].entered[kind] = run->now;
    if (station->servers == 0 || station->busy < station->servers) {
        station->busy++;
        begin_service(run, kind, r);
        return true;
    }
    run->requests[r].next = CC_NONE;
    if (station->waiting++ == 0)
        station->head = r;
    else
        run->requests[station->tail].next = r;
    station->tail = r;
    if (++account->waiting > account->most_waiting)
        account->most_waiting = account->waiting;
    return false;
}

uint32_t station_leave(struct cc_run *run, enum station_kind kind, struct station *station, uint32_t r)
{
    struct account *account = &run->accounts[kind];
    account->left++;
    account->leave_sum += run->now;
    account->sojourn += run->now - run->requests[r].entered[kind];
    run->requests[r].entered[kind] = CC_NEVER;
    if (station->waiting == 0) {
        station->busy--;
        return CC_NONE;
    }
    uint32_t next = station->head;
    station->head = run->requests[next].next;
    station->waiting--;
    account->waiting--;
    begin_service(run, kind, next);
    return next;
}
