/* cachecast bench: measures this machine. Which measurement, and its help. */
#include "bench.h"

#include <string.h>

#include "commands.h"
#include "files.h"

static const char usage[] = "Usage: cachecast bench MEASUREMENT [OPTION...]\n"
                            "\n"
                            "Measures what compression and a Redis cost on this machine; the result is a\n"
                            "profile that scenarios and forecasts take their costs from.\n"
                            "\n"
                            "Measurements:\n"
                            "  codec            compress and decompress with the real libraries\n"
                            "  redis            threads that share connections to a real Redis\n"
                            "  compare A B      two profiles side by side\n"
                            "\n"
                            "\"cachecast bench MEASUREMENT --help\" shows the options of one.\n";

#ifdef CACHECAST_MEASURES
static const struct {
    const char *name;
    enum exit_code (*call)(int count, char **arguments);
} measurements[] = {
    {"codec", bench_codec},
    {"redis", bench_redis},
    {"compare", bench_compare},
};
#endif

enum exit_code command_bench(int count, char **arguments)
{
    const char *word = count > 1 ? arguments[1] : "--help";
    if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0) {
        struct text out = {0};
        text_say(&out, usage);
        output_write(NULL, &out);
        text_free(&out);
        return count > 1 ? EXIT_OK : EXIT_BAD_INPUT;
    }
#ifdef CACHECAST_MEASURES
    for (size_t i = 0; i < sizeof measurements / sizeof *measurements; i++)
        if (strcmp(measurements[i].name, word) == 0)
            return measurements[i].call(count - 1, arguments + 1);
    die(EXIT_BAD_INPUT, "unknown measurement \"%s\"; allowed: codec, redis or compare", word);
#else
    die(EXIT_BAD_INPUT, "this build cannot measure: it was made without LZ4, Snappy or hiredis. Install them "
                        "(Debian: liblz4-dev libsnappy-dev libzstd-dev libhiredis-dev; Homebrew: lz4 snappy zstd "
                        "hiredis) and build again");
#endif
}
