/* The store's command thread: one loop for all connections, as in Redis.
 *
 * Each turn it takes the connections that have bytes, reads once from each (up to 16 KiB, or the rest of a larger value),
 * executes the commands that are complete, in order, and at the turn's end writes the replies of every connection that
 * has some, in pieces. A value that has come in part holds up what follows it on its own connection only; the others are
 * served meanwhile. (Redis, networking.c: readQueryFromClient, beforeSleep, writeToClient.) */
#include "model/sim.h"

#define READ_MOST UINT64_C(16384)
#define WRITE_PIECE UINT64_C(65536)

static const struct cc_server_costs *server_costs(const struct cc_run *run) { return &run->scenario->profile.server; }

static void server_begin(struct cc_run *run, enum server_step step, double nanoseconds)
{
    run->server.step = (uint8_t)step;
    host_spend(run, SERVER_THREAD, nanoseconds);
}

static void server_add_readable(struct cc_run *run, uint32_t c)
{
    struct server *server = &run->server;
    struct connection *connection = &run->connections[c];
    if (connection->readable || connection->arrived == connection->received)
        return;
    connection->readable = true;
    connection->next_readable = CC_NONE;
    if (server->readable_count++ == 0)
        server->readable_head = c;
    else
        run->connections[server->readable_tail].next_readable = c;
    server->readable_tail = c;
}

static void server_add_writable(struct cc_run *run, uint32_t c)
{
    struct server *server = &run->server;
    struct connection *connection = &run->connections[c];
    if (connection->writable || connection->replied == connection->sent)
        return;
    connection->writable = true;
    connection->next_writable = CC_NONE;
    if (server->writable_count++ == 0)
        server->writable_head = c;
    else
        run->connections[server->writable_tail].next_writable = c;
    server->writable_tail = c;
}

void server_arrived(struct cc_run *run, uint32_t c)
{
    server_add_readable(run, c);
    if (run->server.step == SERVER_SLEEP && host_is_blocked(run, SERVER_THREAD))
        server_begin(run, SERVER_TURN, server_costs(run)->turn);
}

static void server_next_write(struct cc_run *run);

/* Reads from the next connection of the turn, or goes on to the writes. */
static void server_next_read(struct cc_run *run)
{
    struct server *server = &run->server;
    if (server->left == 0) {
        server->left = server->writable_count;
        server->current = CC_NONE;
        server_next_write(run);
        return;
    }
    server->left--;
    uint32_t c = server->current = server->readable_head;
    struct connection *connection = &run->connections[c];
    server->readable_head = connection->next_readable;
    server->readable_count--;
    connection->readable = false;
    uint64_t there = connection->arrived - connection->received, most = READ_MOST;
    if (connection->unexecuted != CC_NONE) {
        uint64_t rest = run->commands[connection->unexecuted].request_end - connection->received;
        if (rest > most)
            most = rest;
    }
    server->piece = there < most ? there : most;
    double bytes = (double)server->piece * byte_costs_of(run, connection)->server_in;
    server_begin(run, SERVER_READ, server_costs(run)->read + bytes);
}

/* Executes the connection's next command if it is complete; else the turn goes on. */
static void server_next_command(struct cc_run *run)
{
    uint32_t c = run->server.current, r = run->connections[c].unexecuted;
    if (r != CC_NONE && run->commands[r].request_end <= run->connections[c].received) {
        server_begin(run, SERVER_EXECUTE,
                     run->commands[r].kind == COMMAND_SET ? server_costs(run)->set : server_costs(run)->get);
        return;
    }
    server_add_readable(run, c);
    server_next_read(run);
}

static void server_begin_write(struct cc_run *run, bool first)
{
    struct server *server = &run->server;
    const struct connection *connection = &run->connections[server->current];
    uint64_t left = connection->replied - connection->sent;
    server->piece = left < WRITE_PIECE ? left : WRITE_PIECE;
    double bytes = (double)server->piece * byte_costs_of(run, connection)->server_out;
    server_begin(run, SERVER_WRITE, (first ? server_costs(run)->write : 0) + bytes);
}

static void server_next_write(struct cc_run *run)
{
    struct server *server = &run->server;
    if (server->left == 0) {
        server->step = SERVER_SLEEP;
        if (server->readable_count > 0 || server->writable_count > 0)
            server_begin(run, SERVER_TURN, server_costs(run)->turn);
        return;
    }
    server->left--;
    uint32_t c = server->current = server->writable_head;
    server->writable_head = run->connections[c].next_writable;
    server->writable_count--;
    run->connections[c].writable = false;
    server_begin_write(run, true);
}

void server_step(struct cc_run *run)
{
    struct server *server = &run->server;
    switch ((enum server_step)server->step) {
    case SERVER_SLEEP: /* it has woken a client, which took time too, and has not slept yet */
        if (server->readable_count > 0)
            server_begin(run, SERVER_TURN, server_costs(run)->turn);
        break;
    case SERVER_TURN:
        server->left = server->readable_count;
        server_next_read(run);
        break;
    case SERVER_READ:
        run->connections[server->current].received += server->piece;
        connection_arrived(run, server->current); /* the client's socket has room again */
        server_next_command(run);
        break;
    case SERVER_EXECUTE: {
        uint32_t c = server->current, r = run->connections[c].unexecuted;
        run->connections[c].unexecuted = run->commands[r].next;
        if (run->commands[r].kind == COMMAND_SET)
            store_execute_set(run, r);
        else
            store_execute_get(run, r);
        server_add_writable(run, c);
        server_next_command(run);
        break;
    }
    case SERVER_WRITE: {
        uint32_t c = server->current;
        run->connections[c].sent += server->piece;
        wire_send(run, c, TO_CLIENT, server->piece);
        if (run->connections[c].replied > run->connections[c].sent)
            server_begin_write(run, false);
        else
            server_next_write(run);
        break;
    }
    }
}

#undef READ_MOST
#undef WRITE_PIECE
