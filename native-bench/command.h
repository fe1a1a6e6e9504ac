/* A command to Redis, its reply and its times; and the caller, a thread that waits for replies. */
#ifndef BENCH_COMMAND_H
#define BENCH_COMMAND_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COMMAND_KEY_MAX 64u /* longest key, in bytes */

struct redisReply;

/* What a thread waits on: one for each thread. It must stay until the client that answers it has been freed: the I/O
 * thread signals after it has let go of the lock, so that the woken caller does not run into it. */
struct caller {
    pthread_mutex_t lock;
    pthread_cond_t answered;
    size_t pending; /* commands submitted and not answered */
};

struct command {
    char head[COMMAND_KEY_MAX + 64]; /* everything before the value, or all */
    size_t head_size;
    const void *value; /* the caller's; must stay until the reply is there */
    size_t value_size;
    bool has_value;

    struct redisReply *reply; /* NULL: the connection failed; see connection_problem */
    /* clock_wall: handed to the connection; the last byte written to the socket; the reply parsed; caller awake. The
     * second is read when writev has returned: on loopback the kernel delivers within that call, and the server may
     * answer before it ends. */
    uint64_t submitted, written, parsed, awake;

    struct caller *caller; /* from here on the connection's */
    struct command *next;
};

bool caller_start(struct caller *caller);
void caller_end(struct caller *caller);
/* Until everything that the caller has submitted is answered. */
void caller_wait(struct caller *caller);
/* One reply has come, or will never come. */
void caller_answer(struct caller *caller);

/* A command replaces what was in `command`, but does not free a reply. Keys have at most COMMAND_KEY_MAX bytes. */
void command_set(struct command *command, const char *key, const void *value, size_t bytes);
/* A verb with one word behind it: GET, DEL, ECHO; or none where that is NULL: PING. */
void command_word(struct command *command, const char *verb, const char *word);
void command_free_reply(struct command *command);

enum { COMMAND_PIECES = 3 };
struct iovec;
/* The bytes to send, without the first `skip`, as up to COMMAND_PIECES pieces: how many there are. */
int command_pieces(const struct command *command, size_t skip, struct iovec *pieces);
size_t command_size(const struct command *command);

#endif
