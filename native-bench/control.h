/* A connection beside the measured ones, to ask the server about itself. One thread; each call waits for its answer. */
#ifndef BENCH_CONTROL_H
#define BENCH_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct control;

/* Processor time in nanoseconds since the server's start, of all its threads and of the one that runs commands. */
struct server_cpu {
    uint64_t all, main_thread;
    bool has_main_thread; /* since Redis 6.2 */
};

struct server_identity {
    char version[32];
    char os[96];
    unsigned io_threads; /* 1: the command thread reads and writes too */
};

/* NULL on failure, with one line of why in `problem`. */
struct control *control_new(const char *host, unsigned port, char *problem, size_t problem_size);
void control_free(struct control *control);
bool control_cpu(struct control *control, struct server_cpu *cpu);
bool control_identity(struct control *control, struct server_identity *identity);
/* How often the server has read from a connection since its start. False where it does not tell (before Redis 6). */
bool control_reads(struct control *control, uint64_t *reads);
bool control_delete(struct control *control, const char *key);
/* Why the last call failed. */
const char *control_problem(const struct control *control);

#endif
