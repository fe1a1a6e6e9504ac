/* The simulator's answer to what `cachecast bench redis` measures: threads that put values to a store and get them back
 * over shared connections, at the costs of a profile. */
#ifndef CLI_FORECAST_H
#define CLI_FORECAST_H

#include "arguments.h"
#include "text.h"

struct forecast_setting {
    size_t bytes, threads, connections;
    const char *codec;
    bool pool;
    size_t threshold;
    uint64_t round_trip; /* nanoseconds */
    double bandwidth;    /* bytes a second each way; 0: unlimited */
    size_t cores;        /* of the host, or of each of both; 0: those of the profile */
    bool apart;          /* client and store on hosts of their own */
};

struct forecast { /* microseconds */
    double p50, p95, p99, set_p50, get_p50, throughput, client_cpu, server_cpu, codec_cpu, stored;
    double host, connection, store; /* utilizations */
};

/* `profile` is the JSON text of `file`. Ends the program when it is no profile that can forecast this. */
void forecast_run(const char *file, const struct text *profile, const struct forecast_setting *setting,
                  struct forecast *forecast);

#endif
