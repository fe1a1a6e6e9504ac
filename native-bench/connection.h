/* A pipelined connection to Redis with an I/O thread of its own, as a shared connection of Lettuce has one.
 *
 * Callers append commands to its queue; the I/O thread takes all that are queued into one write, reads what has
 * arrived, and gives each reply to the command that has waited longest. Redis answers in order, so replies are never
 * reordered. Callers wake the I/O thread only when it sleeps: under load a submission costs no system call. */
#ifndef BENCH_CONNECTION_H
#define BENCH_CONNECTION_H

#include "command.h"

struct connection;

struct connection_counts {
    uint64_t commands;      /* written */
    uint64_t writes;        /* calls of writev */
    uint64_t batches;       /* times that the queue was taken with something in it */
    uint64_t largest_batch; /* commands taken at once */
    uint64_t reads;         /* calls of read that gave bytes */
    uint64_t sleeps;        /* calls of poll */
    uint64_t wake_ups;      /* by callers, through the wake-up descriptor */
    uint64_t bytes_written, bytes_read;
    uint64_t strays; /* replies that no command waited for: always 0 unless something is broken */
    uint64_t cpu;    /* nanoseconds of processor time of the I/O thread */
};

/* NULL on failure, with one line of why in `problem`. */
struct connection *connection_new(const char *host, unsigned port, char *problem, size_t problem_size);
/* No caller may be waiting. */
void connection_free(struct connection *connection);

/* Appends the commands, in order and without any other between them. Returns at once; caller_wait waits. */
void connection_submit(struct connection *connection, struct caller *caller, struct command *commands, size_t count);
/* Submits, waits, and stamps when the caller was awake again. False when a reply is missing: the connection failed. */
bool connection_call(struct connection *connection, struct caller *caller, struct command *commands, size_t count);

/* At any time, from any thread. */
struct connection_counts connection_counts(struct connection *connection);
/* Why the connection failed, or "". */
const char *connection_problem(struct connection *connection);

#endif
