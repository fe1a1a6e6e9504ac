#include "bench.h"

enum exit_code bench_compare(int count, char **arguments)
{
    (void)count;
    (void)arguments;
    return EXIT_TROUBLE;
}
