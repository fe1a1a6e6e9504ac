/* The client: K connections to one Redis, shared by the callers or checked out by one at a time. */
#ifndef BENCH_CLIENT_H
#define BENCH_CLIENT_H

#include "connection.h"

enum client_mode {
    CLIENT_SHARED, /* caller i always uses connection i mod K, with the others */
    CLIENT_POOL,   /* a caller has a connection to itself; who waits longest gets the next free one */
};

struct client;

/* NULL on failure, with one line of why in `problem`. */
struct client *client_new(const char *host, unsigned port, size_t connections, enum client_mode mode, char *problem,
                          size_t problem_size);
void client_free(struct client *client);
/* A connection for the caller of that number: at once when shared, perhaps after waiting when pooled. */
struct connection *client_acquire(struct client *client, size_t number);
void client_release(struct client *client, struct connection *connection);
/* Acquires, sends, waits, releases. False when the connection failed; `problem` then says why. */
bool client_command(struct client *client, size_t number, struct caller *caller, struct command *command);
/* Of all connections together; largest_batch is the largest of any. */
struct connection_counts client_counts(struct client *client);
/* Why the first connection that failed did so, or "". */
const char *client_problem(const struct client *client);

#endif
