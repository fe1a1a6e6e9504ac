/* A private redis-server on loopback: no persistence, a temporary directory, gone when this program is.
 *
 * Between this program and the server stands a watcher, a process that starts the server and waits until the pipe from
 * this program closes, which the system does however the program ends. It then stops the server and removes the
 * directory. So one path serves success, failure, signals and even SIGKILL, on Linux and macOS alike. */
#ifndef BENCH_SPAWN_H
#define BENCH_SPAWN_H

#include <stdbool.h>
#include <stddef.h>

struct spawn;

/* The path of redis-server on PATH into `path`; false when there is none. */
bool spawn_find(char *path, size_t size);
/* Starts the server and waits until it answers. From a program's main thread, before it starts others: the watcher is
 * a fork without exec. NULL on failure, with why in `problem`: one line, and the end of the server's log below it. The
 * server is stopped by spawn_stop or else when the program exits. At most one at a time. */
struct spawn *spawn_start(char *problem, size_t problem_size);
void spawn_stop(struct spawn *spawn); /* returns when the server and its directory are gone */
unsigned spawn_port(const struct spawn *spawn);
long spawn_process(const struct spawn *spawn); /* the server's */
const char *spawn_directory(const struct spawn *spawn);

#endif
