/* The client's side of a connection to the store: callers hand their commands to an I/O thread and sleep.
 *
 * A caller appends its command to the connection's queue and signals the I/O thread when that has found the queue empty.
 * The I/O thread takes all that is queued into one write, as far as the socket has room; then it asks the system for
 * what there is (and sleeps when there is nothing), reads what has come in pieces, and hands each complete reply to the
 * command that has waited longest, whose caller it wakes. So a write carries one command when there is little to do and
 * many under load: the cost of a command falls before its queue grows. In shared mode an instance's callers share its
 * connections; in pool mode a caller takes one for itself and others wait for one. Structure: Netty's event loop under
 * Lettuce, and the client of `cachecast bench redis`, whose measured costs the profile holds. */
#include "model/sim.h"

/* Bytes of the protocol (RESP) around a key of some 20 bytes and a value. */
#define SET_REQUEST 60u
#define GET_REQUEST 40u
#define SET_REPLY 5u
#define GET_REPLY 12u
#define MISS_REPLY 5u
#define PIECE UINT64_C(65536)
#define READS_A_TURN 16u

static const struct cc_client_costs *client_costs(const struct cc_run *run) { return &run->scenario->profile.client; }

static uint32_t io_thread(uint32_t c) { return 1 + c; }
static uint32_t caller_thread(const struct cc_run *run, uint32_t r) { return run->thread_base + r; }

static uint64_t io_least(uint64_t a, uint64_t b) { return a < b ? a : b; }

static void stall_schedule(struct cc_run *run, uint32_t instance, const struct cc_duration_law *law)
{
    schedule(run, cc_variate_draw(&law->variate, &run->stalls), EVENT_STALL, instance);
}

bool connection_start(struct cc_run *run)
{
    const struct cc_scenario *scenario = run->scenario;
    const struct cc_connection_rules *rules = &scenario->l2.connection;
    run->chunk_free = CC_NONE;
    if (!scenario->l2_present || !scenario->l2.connection_present)
        return true;
    run->coding = codec_of(scenario);
    codec_bytes(run);
    run->connections_each = connections_each(scenario);
    run->connection_count = run->instance_limit * run->connections_each;
    run->connections = cc_arena_take(&run->arena, run->connection_count, sizeof *run->connections);
    run->lines = cc_arena_take(&run->arena, (size_t)run->instance_limit * rules->count, sizeof *run->lines);
    if (!run->connections || !run->lines)
        return false;
    for (uint32_t c = 0; c < run->connection_count; c++)
        run->connections[c] = (struct connection){.instance = c / run->connections_each,
                                                  .closed = c % run->connections_each >= rules->count,
                                                  .oldest = CC_NONE,
                                                  .newest = CC_NONE,
                                                  .unexecuted = CC_NONE,
                                                  .asleep = true,
                                                  .step = IO_POLL,
                                                  .chunk_head = {CC_NONE, CC_NONE}};
    for (uint32_t i = 0; i < run->instance_limit; i++) {
        struct instance *instance = &run->instances[i];
        for (uint32_t j = 0; j < rules->count; j++)
            run->lines[i * rules->count + j] = i * run->connections_each + j;
        if (rules->mode == CC_POOL) {
            instance->connections.servers = rules->count;
            instance->free_connections = cc_arena_take(&run->arena, rules->count, sizeof *instance->free_connections);
            if (!instance->free_connections)
                return false;
            for (uint32_t j = 0; j < rules->count; j++)
                instance->free_connections[instance->free_connection_count++] =
                    i * run->connections_each + rules->count - 1 - j;
        }
        if (rules->stall_present)
            stall_schedule(run, i, &rules->stall.every);
    }
    return true;
}

void connection_end(struct cc_run *run)
{
    cc_release(&run->allocator, run->chunks, run->chunk_capacity, sizeof *run->chunks);
}

void connection_stall(struct cc_run *run, uint32_t i)
{
    const struct cc_connection_rules *rules = &run->scenario->l2.connection;
    struct instance *instance = &run->instances[i];
    instance->stalled = !instance->stalled;
    stall_schedule(run, i, instance->stalled ? &rules->stall.length : &rules->stall.every);
    if (instance->stalled)
        return;
    for (uint32_t c = i * run->connections_each; c < (i + 1) * run->connections_each; c++)
        if (host_is_blocked(run, io_thread(c)))
            host_run(run, io_thread(c), 0);
}

/* ---- the caller ---- */

static void caller_submit(struct cc_run *run, uint32_t r)
{
    run->commands[r].stage = STAGE_SUBMIT;
    run->commands[r].submitted = run->now;
    double copy = run->commands[r].kind == COMMAND_SET ? run->coding.set_copy : 0;
    host_spend(run, caller_thread(run, r), client_costs(run)->submit + copy);
}

/* In pool mode a request keeps its connection from a command to the end of the operation that the command is part of. */
static void caller_connect(struct cc_run *run, uint32_t r)
{
    const struct cc_connection_rules *rules = &run->scenario->l2.connection;
    struct command *command = &run->commands[r];
    struct request *request = &run->requests[r];
    struct instance *instance = &run->instances[request->instance];
    if (rules->mode == CC_SHARED) {
        bool closed = run->scenario->arrivals.process == CC_CLOSED;
        command->connection =
            run->lines[request->instance * rules->count + (closed ? request->client : r) % rules->count];
    } else if (!command->held) {
        if (!station_enter(run, STATION_CONNECTION, &instance->connections, r))
            return;
        command->held = true;
        command->connection = instance->free_connections[--instance->free_connection_count];
    }
    caller_submit(run, r);
}

static void caller_disconnect(struct cc_run *run, uint32_t r)
{
    struct command *command = &run->commands[r];
    if (!command->held)
        return;
    command->held = false;
    struct instance *instance = &run->instances[run->requests[r].instance];
    uint32_t next = station_leave(run, STATION_CONNECTION, &instance->connections, r);
    if (next == CC_NONE) {
        instance->free_connections[instance->free_connection_count++] = command->connection;
        return;
    }
    run->commands[next].held = true;
    run->commands[next].connection = command->connection;
    caller_submit(run, next);
}

void connection_give_up(struct cc_run *run, uint32_t r) { caller_disconnect(run, r); }

void connection_command(struct cc_run *run, uint32_t r, enum command_kind kind)
{
    struct command *command = &run->commands[r];
    command->kind = (uint8_t)kind;
    command->replied = false;
    if (kind == COMMAND_SET && run->coding.encode > 0) {
        command->stage = STAGE_ENCODE;
        run->counters[COUNT_CODEC_NS] += run->coding.encode;
        host_spend(run, caller_thread(run, r), (double)run->coding.encode);
    } else {
        caller_connect(run, r);
    }
}

/* Puts the command into the queue and tells the I/O thread where it has to be told. */
static void caller_enqueue(struct cc_run *run, uint32_t r)
{
    struct command *command = &run->commands[r];
    uint32_t c = command->connection;
    struct connection *connection = &run->connections[c];
    uint64_t bytes = command->kind == COMMAND_SET ? SET_REQUEST + run->coding.stored : GET_REQUEST;
    connection->submitted += bytes;
    connection->under_way++;
    command->request_end = connection->submitted;
    command->reply_end = UINT64_MAX;
    command->next = CC_NONE;
    if (connection->newest == CC_NONE || connection->oldest == CC_NONE)
        connection->oldest = r;
    else
        run->commands[connection->newest].next = r;
    connection->newest = r;
    if (connection->unexecuted == CC_NONE)
        connection->unexecuted = r;
    connection->queued_count++;
    command->stage = STAGE_AWAIT;
    if (run->scenario->l2.timeout > 0) {
        command->deadline = run->now + run->scenario->l2.timeout;
        schedule(run, run->scenario->l2.timeout, EVENT_COMMAND_TIMEOUT, r);
    }
    if (!connection->asleep)
        return;
    connection->asleep = false;
    connection->signalled = true;
    host_spend(run, caller_thread(run, r), client_costs(run)->signal);
    connection_arrived(run, c);
}

static void caller_completed(struct cc_run *run, uint32_t r)
{
    struct command *command = &run->commands[r];
    enum command_kind kind = (enum command_kind)command->kind;
    command->stage = STAGE_NONE;
    if (kind == COMMAND_SET) {
        if (!run->requests[r].putting)
            caller_disconnect(run, r);
        store_set_reply(run, r);
    } else {
        store_reply(run, r);
    }
}

/* The caller gives its command up and goes on, as another request; the command keeps its place among those under way,
 * and its reply, when it comes, is for nobody. */
static void command_give_up(struct cc_run *run, uint32_t r, uint32_t connection)
{
    uint32_t caller = request_take(run);
    if (caller == CC_NONE)
        return;
    struct request *left = &run->requests[r];
    run->requests[caller] = *left;
    if (CC_RARE(run->valued))
        run->more[caller] = run->more[r];
    run->threads[caller_thread(run, caller)] = run->threads[caller_thread(run, r)];
    run->commands[caller] = run->commands[r];
    run->commands[caller].stage = STAGE_NONE;
    run->commands[caller].connection = connection;
    for (int kind = 0; kind < STATIONS; kind++)
        left->entered[kind] = CC_NEVER;
    left->answered = left->background = left->dropped = true;
    left->deadline = CC_NEVER;
    left->l1_flight = left->l2_flight = CC_NONE;
    run->commands[r].held = false;
    run->commands[r].deadline = CC_NEVER;
    if (run->requests[caller].deadline != CC_NEVER)
        schedule(run, run->requests[caller].deadline - run->now, EVENT_DEADLINE, caller);
    store_timeout(run, caller, (enum command_kind)run->commands[r].kind);
}

/* Closes the connection and opens another in its place, which is returned. While the one that was closed before is still
 * busy with what is under way on it, the connection stays. */
static uint32_t line_renew(struct cc_run *run, uint32_t c)
{
    uint32_t first = run->connections[c].instance * run->connections_each, spare = first;
    while (spare < first + run->connections_each &&
           !(run->connections[spare].closed && run->connections[spare].under_way == 0))
        spare++;
    if (spare == first + run->connections_each || run->connections[c].closed)
        return c;
    run->connections[c].closed = true;
    run->connections[spare].closed = false;
    uint32_t count = run->scenario->l2.connection.count;
    uint32_t *lines = &run->lines[(size_t)run->connections[c].instance * count];
    for (uint32_t i = 0; i < count; i++)
        if (lines[i] == c)
            lines[i] = spare;
    return spare;
}

void connection_timeout(struct cc_run *run, uint32_t r)
{
    if (!run->requests[r].live || run->commands[r].stage != STAGE_AWAIT || run->commands[r].deadline != run->now)
        return;
    if (!host_is_blocked(run, caller_thread(run, r))) { /* it is still signalling */
        run->commands[r].deadline = run->now + 1000;
        schedule(run, 1000, EVENT_COMMAND_TIMEOUT, r);
        return;
    }
    uint32_t c = run->commands[r].connection, line = c;
    if (run->scenario->l2.connection.on_timeout == CC_RESET_CONNECTION)
        line = line_renew(run, c);
    command_give_up(run, r, line);
    if (line == c)
        return;
    for (uint32_t other = run->connections[c].oldest, next; other != CC_NONE; other = next) {
        const struct command *command = &run->commands[other];
        next = command->next;
        if (command->stage == STAGE_AWAIT && !is_orphan(&run->requests[other]) &&
            host_is_blocked(run, caller_thread(run, other)))
            command_give_up(run, other, line);
    }
}

void connection_decode(struct cc_run *run, uint32_t r)
{
    if (run->coding.decode == 0) {
        instance_respond(run, r);
        return;
    }
    run->commands[r].stage = STAGE_DECODE_L1;
    run->counters[COUNT_CODEC_NS] += run->coding.decode;
    host_spend(run, caller_thread(run, r), (double)run->coding.decode);
}

void connection_caller(struct cc_run *run, uint32_t r)
{
    struct command *command = &run->commands[r];
    switch ((enum stage)command->stage) {
    case STAGE_ENCODE:
        command->stage = STAGE_NONE;
        caller_connect(run, r);
        break;
    case STAGE_SUBMIT:
        caller_enqueue(run, r);
        break;
    case STAGE_AWAIT:
        if (!command->replied)
            break; /* it has signalled, and sleeps */
        cc_histogram_record(&measure_now(run)->command[command->kind], run->now - command->submitted);
        run->counters[COUNT_COMMANDS]++;
        if (command->kind == COMMAND_GET)
            caller_disconnect(run, r);
        if (command->kind == COMMAND_GET && run->requests[r].found && run->coding.decode > 0) {
            command->stage = STAGE_DECODE;
            run->counters[COUNT_CODEC_NS] += run->coding.decode;
            host_spend(run, caller_thread(run, r), (double)run->coding.decode);
            break;
        }
        caller_completed(run, r);
        break;
    case STAGE_DECODE:
        caller_completed(run, r);
        break;
    case STAGE_DECODE_L1:
        command->stage = STAGE_NONE;
        instance_respond(run, r);
        break;
    case STAGE_NONE: /* it waits for a connection or a load, or its request is done */
        break;
    }
}

/* ---- the I/O thread ---- */

static uint64_t io_reply_bytes(const struct cc_run *run, uint32_t r)
{
    if (run->commands[r].kind == COMMAND_SET)
        return SET_REPLY;
    return run->requests[r].found ? GET_REPLY + run->coding.stored : MISS_REPLY;
}

static bool io_may_write(const struct cc_run *run, const struct connection *connection)
{
    uint64_t under_way = connection->written - connection->received;
    return connection->taken > connection->written && under_way < (uint64_t)run->scenario->profile.window;
}

static void io_begin(struct cc_run *run, uint32_t c, enum io_step step, double nanoseconds)
{
    run->connections[c].step = (uint8_t)step;
    host_spend(run, io_thread(c), nanoseconds);
}

static void io_begin_write(struct cc_run *run, uint32_t c, bool first)
{
    struct connection *connection = &run->connections[c];
    uint64_t room = (uint64_t)run->scenario->profile.window - (connection->written - connection->received);
    connection->piece = io_least(io_least(connection->taken - connection->written, PIECE), room);
    double bytes = (double)connection->piece * byte_costs_of(run, connection)->client_out;
    io_begin(run, c, IO_WRITE, (first ? client_costs(run)->write : 0) + bytes);
}

static void io_begin_read(struct cc_run *run, uint32_t c)
{
    struct connection *connection = &run->connections[c];
    connection->piece = io_least(connection->returned - connection->read, PIECE);
    connection->turn_reads++;
    double bytes = (double)connection->piece * byte_costs_of(run, connection)->client_in;
    io_begin(run, c, IO_READ, client_costs(run)->read + bytes);
}

/* Takes the queue and writes, or asks the system. */
static void io_take(struct cc_run *run, uint32_t c)
{
    struct connection *connection = &run->connections[c];
    bool first = connection->queued_count > 0;
    if (first) {
        run->counters[COUNT_TAKEN] += connection->queued_count;
        run->counters[COUNT_WRITES]++;
        connection->queued_count = 0;
        connection->taken = connection->submitted;
    } else {
        connection->asleep = true;
    }
    connection->turn_reads = 0;
    if (io_may_write(run, connection))
        io_begin_write(run, c, first);
    else
        io_begin(run, c, IO_POLL, client_costs(run)->turn);
}

/* Hands over the oldest command's reply if all of it is read; else what comes after reading. */
static void io_hand_or_go_on(struct cc_run *run, uint32_t c)
{
    struct connection *connection = &run->connections[c];
    if (connection->oldest != CC_NONE && run->commands[connection->oldest].reply_end <= connection->read)
        io_begin(run, c, IO_HAND, client_costs(run)->command);
    else if (connection->returned > connection->read && connection->piece == PIECE &&
             connection->turn_reads < READS_A_TURN)
        io_begin_read(run, c);
    else
        io_take(run, c);
}

static void io_hand(struct cc_run *run, uint32_t c)
{
    struct connection *connection = &run->connections[c];
    uint32_t r = connection->oldest;
    struct command *command = &run->commands[r];
    connection->oldest = command->next;
    command->replied = true;
    command->deadline = CC_NEVER;
    connection->under_way--;
    if (is_orphan(&run->requests[r])) {
        command->stage = STAGE_NONE;
        request_release(run, r); /* its caller has given it up */
        return;
    }
    double bytes = (double)io_reply_bytes(run, r) * client_costs(run)->take_byte;
    double copy = command->kind == COMMAND_GET && run->requests[r].found ? run->coding.get_copy : 0;
    host_spend(run, caller_thread(run, r), client_costs(run)->take + bytes + copy);
}

void connection_io(struct cc_run *run, uint32_t c)
{
    struct connection *connection = &run->connections[c];
    if (run->instances[connection->instance].stalled)
        return; /* the end of the pause wakes it, to do again what it was about to do */
    switch ((enum io_step)connection->step) {
    case IO_TAKE:
        io_take(run, c);
        break;
    case IO_WRITE: {
        uint64_t bytes = connection->piece;
        connection->piece = 0;
        connection->written += bytes;
        wire_send(run, c, TO_SERVER, bytes);
        if (io_may_write(run, connection))
            io_begin_write(run, c, false);
        else
            io_take(run, c);
        break;
    }
    case IO_POLL:
        if (connection->returned > connection->read) {
            connection->signalled = false;
            io_begin_read(run, c);
        } else if (connection->signalled || connection->queued_count > 0 || io_may_write(run, connection)) {
            connection->signalled = false;
            io_take(run, c);
        } /* else it sleeps */
        break;
    case IO_READ:
        connection->read += connection->piece;
        io_hand_or_go_on(run, c);
        break;
    case IO_HAND:
        io_hand(run, c);
        io_hand_or_go_on(run, c);
        break;
    }
}

void connection_arrived(struct cc_run *run, uint32_t c)
{
    if (run->connections[c].step == IO_POLL && host_is_blocked(run, io_thread(c)))
        host_run(run, io_thread(c), 0);
}

/* ---- what the server asks ---- */

void server_reply(struct cc_run *run, uint32_t r)
{
    struct connection *connection = &run->connections[run->commands[r].connection];
    connection->replied += io_reply_bytes(run, r);
    run->commands[r].reply_end = connection->replied;
}

#undef SET_REQUEST
#undef GET_REQUEST
#undef SET_REPLY
#undef GET_REPLY
#undef MISS_REPLY
#undef PIECE
#undef READS_A_TURN
