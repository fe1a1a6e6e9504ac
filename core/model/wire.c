/* The network between clients and store: bytes each way.
 *
 * Both ways have a link at the store's end that all connections share, first come, first served by pieces of up to
 * 64 KiB; then half a round trip passes. A connection's bytes never overtake one another. Without bandwidth and round
 * trip bytes are there at once, as on a loopback. */
#include "model/sim.h"

static uint32_t wire_chunk(struct cc_run *run)
{
    if (run->chunk_free != CC_NONE) {
        uint32_t chunk = run->chunk_free;
        run->chunk_free = run->chunks[chunk].next;
        return chunk;
    }
    if (run->chunk_used == run->chunk_capacity) {
        uint32_t wanted = run->chunk_capacity > 0 ? run->chunk_capacity * 2 : 64;
        struct chunk *grown = wanted > run->chunk_capacity
                                  ? cc_resize(&run->allocator, run->chunks, run->chunk_capacity, wanted, sizeof *grown)
                                  : NULL;
        if (!grown) {
            run->out_of_memory = true;
            return CC_NONE;
        }
        run->chunks = grown;
        run->chunk_capacity = wanted;
    }
    return run->chunk_used++;
}

/* Later than any run lasts, and still far from overflowing. */
#define WIRE_NEVER (UINT64_C(1) << 62)

static cc_time wire_later(cc_time time, cc_time more) { return time + more < WIRE_NEVER ? time + more : WIRE_NEVER; }

static void wire_arrive(struct cc_run *run, uint32_t c, int direction, uint64_t bytes)
{
    run->counters[direction == TO_SERVER ? COUNT_BYTES_SENT : COUNT_BYTES_RECEIVED] += bytes;
    if (direction == TO_SERVER) {
        run->connections[c].arrived += bytes;
        server_arrived(run, c);
    } else {
        run->connections[c].returned += bytes;
        connection_arrived(run, c);
    }
}

void wire_send(struct cc_run *run, uint32_t c, int direction, uint64_t bytes)
{
    const struct cc_connection_rules *rules = &run->scenario->l2.connection;
    struct connection *connection = &run->connections[c];
    if (rules->bandwidth == 0 && cc_variate_is_zero(&rules->round_trip.variate)) {
        wire_arrive(run, c, direction, bytes);
        return;
    }
    cc_time end = run->now;
    if (rules->bandwidth > 0) {
        if (run->link_end[direction] > end)
            end = run->link_end[direction];
        end = wire_later(end, cc_nearest_time(1e9 * (double)bytes / (double)rules->bandwidth));
        run->link_end[direction] = end;
    }
    end = wire_later(end, cc_variate_draw(&rules->round_trip.variate, &run->trips) / 2);
    if (end < connection->last_arrival[direction])
        end = connection->last_arrival[direction];
    connection->last_arrival[direction] = end;
    uint32_t chunk = wire_chunk(run);
    if (chunk == CC_NONE)
        return;
    run->chunks[chunk] = (struct chunk){bytes, CC_NONE};
    if (connection->chunk_head[direction] == CC_NONE)
        connection->chunk_head[direction] = chunk;
    else
        run->chunks[connection->chunk_tail[direction]].next = chunk;
    connection->chunk_tail[direction] = chunk;
    cc_queue_push(&run->queue, end, EVENT_DELIVER, 2 * c + (uint32_t)direction);
}

void wire_deliver(struct cc_run *run, uint32_t argument)
{
    uint32_t c = argument / 2, chunk = run->connections[c].chunk_head[argument % 2];
    uint64_t bytes = run->chunks[chunk].bytes;
    run->connections[c].chunk_head[argument % 2] = run->chunks[chunk].next;
    run->chunks[chunk].next = run->chunk_free;
    run->chunk_free = chunk;
    wire_arrive(run, c, (int)(argument % 2), bytes);
}

#undef WIRE_NEVER
