/* Calibration: what the stages of a connection cost on this machine, measured with one caller and one connection.
 *
 * One caller sends the same command in pipelines of several depths, for several sizes of value. The processor time of
 * the caller, of the I/O thread and of the server, and the numbers of their system calls, then tell the fixed costs of
 * a call from those of a command and of a byte: the deeper the pipeline, the fewer calls share a command. A lone caller
 * would wake an idle core at every hand-over, which a busy machine does not; so, where the system lets threads be bound,
 * client and server share one core while their costs are measured, and what waking costs is measured apart
 * (threads.h). */
#ifndef BENCH_CALIBRATE_H
#define BENCH_CALIBRATE_H

#include <stdatomic.h>
#include <stdint.h>

#include "model/scenario.h"
#include "threads.h"

struct calibration_sample {
    bool set; /* else GET */
    size_t bytes, depth;
    uint64_t commands;
    double wall, caller, io, server; /* nanoseconds for each command */
    double writes, reads, polls;     /* of the client, for each command */
    double server_reads;
};

#define CALIBRATION_SAMPLES_MOST 128u

struct calibration {
    struct thread_costs threads;
    struct cc_client_costs client;
    struct cc_server_costs server;
    struct cc_host_costs host;
    struct cc_byte_knot bytes[8];
    struct cc_byte_costs depths[8][8];
    uint32_t byte_count;
    struct calibration_sample samples[CALIBRATION_SAMPLES_MOST];
    size_t sample_count;
    bool one_core;                           /* client and server were bound to one */
    double client_residual, server_residual; /* medians, relative */
    char server_version[32];
    double one_thread_p50, one_thread_p95; /* microseconds of SET and GET of 1 KiB, for the spread */
};

enum calibration_status { CALIBRATION_OK, CALIBRATION_STOPPED, CALIBRATION_FAILED };

/* `server` is the process of a server on this machine that may be bound to a core meanwhile, or 0. On failure one line
 * of why in `problem`. `tick` (may be NULL) is told the share done. */
enum calibration_status calibrate(const char *host, unsigned port, long server, const atomic_int *stop,
                                  void (*tick)(void *context, double share), void *context,
                                  struct calibration *calibration, char *problem, size_t problem_size);

#endif
