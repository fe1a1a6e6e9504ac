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
    const struct fault *fault = store_fault(run, 0);
    run->server.step = (uint8_t)step;
    if (fault && run->now < fault->slow)
        nanoseconds = nanoseconds * fault->factor + (step == SERVER_EXECUTE ? (double)fault->delay : 0);
    host_spend(run, SERVER_THREAD, nanoseconds);
}

/* Puts the connection into a list unless it is there or has nothing to be done. */
static void server_add(struct cc_run *run, uint32_t c, int which)
{
    struct server_list *list = &run->server.lists[which];
    struct connection *connection = &run->connections[c];
    bool work = which == TO_READ ? connection->arrived > connection->received : connection->replied > connection->sent;
    if (connection->listed[which] || !work)
        return;
    connection->listed[which] = true;
    connection->next[which] = CC_NONE;
    if (list->count++ == 0)
        list->head = c;
    else
        run->connections[list->tail].next[which] = c;
    list->tail = c;
}

/* The first of a list, which is the current connection from then on. */
static struct connection *server_take(struct cc_run *run, int which)
{
    struct server_list *list = &run->server.lists[which];
    run->server.left--;
    run->server.current = list->head;
    struct connection *connection = &run->connections[list->head];
    list->head = connection->next[which];
    list->count--;
    connection->listed[which] = false;
    return connection;
}

void server_arrived(struct cc_run *run, uint32_t c)
{
    server_add(run, c, TO_READ);
    if (run->server.step == SERVER_SLEEP && host_is_blocked(run, SERVER_THREAD))
        server_begin(run, SERVER_TURN, server_costs(run)->turn);
}

static void server_next_write(struct cc_run *run);

/* Reads from the next connection of the turn, or goes on to the writes. */
static void server_next_read(struct cc_run *run)
{
    struct server *server = &run->server;
    if (server->left == 0) {
        server->left = server->lists[TO_WRITE].count;
        server_next_write(run);
        return;
    }
    const struct connection *connection = server_take(run, TO_READ);
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
    server_add(run, c, TO_READ);
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
        if (server->lists[TO_READ].count > 0 || server->lists[TO_WRITE].count > 0)
            server_begin(run, SERVER_TURN, server_costs(run)->turn);
        return;
    }
    server_take(run, TO_WRITE);
    server_begin_write(run, true);
}

void server_step(struct cc_run *run)
{
    struct server *server = &run->server;
    const struct fault *fault = store_fault(run, 0);
    if (fault && run->now < fault->stopped)
        return; /* the end of the stop wakes it, to do again what it was about to do */
    switch ((enum server_step)server->step) {
    case SERVER_SLEEP: /* it has woken a client, which took time too, and has not slept yet */
        if (server->lists[TO_READ].count > 0)
            server_begin(run, SERVER_TURN, server_costs(run)->turn);
        break;
    case SERVER_TURN:
        server->left = server->lists[TO_READ].count;
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
        server_add(run, c, TO_WRITE);
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

void server_resume(struct cc_run *run)
{
    if (host_is_blocked(run, SERVER_THREAD))
        host_run(run, SERVER_THREAD, 0);
}

#undef READ_MOST
#undef WRITE_PIECE
