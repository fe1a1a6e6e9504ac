#include "bench.h"

enum exit_code bench_redis(int count, char **arguments)
{
    (void)count;
    (void)arguments;
    return EXIT_TROUBLE;
}
