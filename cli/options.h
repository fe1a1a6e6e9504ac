/* The options of all commands: one parser, and a table of which command takes which. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "cachecast.h"
#include "files.h"

enum command {
    COMMAND_RUN = 1,
    COMMAND_COMPARE = 2,
    COMMAND_VERIFY = 4,
    COMMAND_EXPLAIN = 8,
    COMMAND_SCHEMA = 16,
    COMMAND_LINK = 32
};

struct options {
    enum command command;
    bool help, json, csv, series, quiet;
    size_t replications; /* 0: not given */
    size_t jobs;
    const char *variant, *metrics, *link, *output; /* NULL: not given */
    cc_override *overrides;
    char **override_texts; /* what they point to: two a piece */
    size_t override_count;
    struct paths paths; /* as given */
};

/* Ends the program on a wrong option. `arguments[0]` is the command. */
void options_parse(struct options *options, enum command command, int count, char **arguments);
void options_free(struct options *options);
/* The candidate nearest to `word`, or NULL where none is near. */
const char *nearest(const char *word, const char *const *candidates, size_t count);

#endif
