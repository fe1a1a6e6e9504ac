/* The measurements of cachecast bench. Each takes its own name as arguments[0] and returns the exit code. */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include "text.h"

enum exit_code bench_codec(int count, char **arguments);
enum exit_code bench_redis(int count, char **arguments);
enum exit_code bench_compare(int count, char **arguments);

#endif
