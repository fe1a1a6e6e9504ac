/* One getopt_long parser for all commands. */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    RUNS = COMMAND_RUN | COMMAND_COMPARE | COMMAND_VERIFY,
    READS = RUNS | COMMAND_EXPLAIN | COMMAND_LINK,
    ALL = READS | COMMAND_SCHEMA
};
enum {
    OPTION_SET = 1,
    OPTION_SEED,
    OPTION_REPS,
    OPTION_JOBS,
    OPTION_VARIANT,
    OPTION_JSON,
    OPTION_CSV,
    OPTION_SERIES,
    OPTION_METRICS,
    OPTION_LINK
};

static const struct option longs[] = {{"set", required_argument, NULL, OPTION_SET},
                                      {"seed", required_argument, NULL, OPTION_SEED},
                                      {"reps", required_argument, NULL, OPTION_REPS},
                                      {"jobs", required_argument, NULL, OPTION_JOBS},
                                      {"variant", required_argument, NULL, OPTION_VARIANT},
                                      {"json", no_argument, NULL, OPTION_JSON},
                                      {"csv", no_argument, NULL, OPTION_CSV},
                                      {"series", no_argument, NULL, OPTION_SERIES},
                                      {"metrics", required_argument, NULL, OPTION_METRICS},
                                      {"link", required_argument, NULL, OPTION_LINK},
                                      {"output", required_argument, NULL, 'o'},
                                      {"quiet", no_argument, NULL, 'q'},
                                      {"help", no_argument, NULL, 'h'},
                                      {"version", no_argument, NULL, 'V'},
                                      {NULL, 0, NULL, 0}};
/* Who takes the option of the same place. */
static const int takers[] = {READS,
                             READS,
                             RUNS,
                             RUNS,
                             READS,
                             RUNS,
                             COMMAND_RUN | COMMAND_COMPARE,
                             COMMAND_RUN,
                             COMMAND_COMPARE,
                             COMMAND_RUN,
                             ALL,
                             RUNS | COMMAND_LINK,
                             ALL,
                             ALL};
#define OPTION_COUNT (sizeof takers / sizeof *takers)

static size_t distance(const char *left, const char *right)
{
    size_t row[33], width = strlen(right), height = strlen(left);
    if (width > 32 || height > 32)
        return SIZE_MAX;
    for (size_t i = 0; i <= width; i++)
        row[i] = i;
    for (size_t y = 1; y <= height; y++) {
        size_t diagonal = row[0];
        row[0] = y;
        for (size_t x = 1; x <= width; x++) {
            size_t best = diagonal + (left[y - 1] != right[x - 1]);
            if (row[x] + 1 < best)
                best = row[x] + 1;
            if (row[x - 1] + 1 < best)
                best = row[x - 1] + 1;
            diagonal = row[x];
            row[x] = best;
        }
    }
    return row[width];
}

const char *nearest(const char *word, const char *const *candidates, size_t count)
{
    const char *best = NULL;
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        size_t far = distance(word, candidates[i]);
        if (far < least && far <= 1 + strlen(candidates[i]) / 3) {
            least = far;
            best = candidates[i];
        }
    }
    return best;
}

static _Noreturn void unknown_option(const char *command, const char *argument)
{
    const char *names[OPTION_COUNT];
    char word[40];
    for (size_t i = 0; i < OPTION_COUNT; i++)
        names[i] = longs[i].name;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(argument + 2, "="), argument + 2);
    const char *near = nearest(word, names, OPTION_COUNT);
    if (near != NULL && strcmp(near, word) != 0)
        die(EXIT_BAD_INPUT, "unknown option --%s; did you mean --%s?", word, near);
    die(EXIT_BAD_INPUT, "unknown option --%s; see \"cachecast %s --help\"", word, command);
}

static size_t number(const char *option, const char *words, size_t low, size_t high)
{
    size_t value = 0;
    bool good = *words != '\0';
    for (const char *at = words; *at != '\0' && good; at++) {
        good = *at >= '0' && *at <= '9';
        if (good)
            value = value * 10 + (size_t)(*at - '0');
        if (value > high)
            good = false;
    }
    if (!good || value < low)
        die(EXIT_BAD_INPUT, "--%s: expected a whole number from %zu to %zu, found \"%s\"", option, low, high, words);
    return value;
}

/* Takes over `path` and `origin`. */
static void add_override(struct options *options, char *path, const char *value, char *origin)
{
    size_t at = options->override_count++;
    options->overrides = grow(options->overrides, at + 1, sizeof *options->overrides);
    options->override_texts = grow(options->override_texts, 2 * (at + 1), sizeof *options->override_texts);
    options->overrides[at] = (cc_override){.path = path, .value = value, .origin = origin};
    options->override_texts[2 * at] = path;
    options->override_texts[2 * at + 1] = origin;
}

static void add_set(struct options *options, const char *argument)
{
    char *path = copy_text(argument), *equals = strchr(path, '=');
    if (equals == NULL || equals == path)
        die(EXIT_BAD_INPUT, "--set: expected path=value, found \"%s\"", argument);
    *equals = '\0';
    struct text origin = {0};
    text_format(&origin, "--set %s", argument);
    add_override(options, path, equals + 1, origin.start);
}

static void add_seed(struct options *options, const char *argument)
{
    if (*argument == '\0' || argument[strspn(argument, "0123456789")] != '\0')
        die(EXIT_BAD_INPUT, "--seed: expected a whole number, found \"%s\"", argument);
    struct text origin = {0};
    text_format(&origin, "--seed %s", argument);
    add_override(options, copy_text("seed"), argument, origin.start);
}

static size_t default_jobs(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > 256 ? 256 : (size_t)cores;
}

void options_parse(struct options *options, enum command command, int count, char **arguments)
{
    *options = (struct options){.command = command, .jobs = default_jobs()};
    opterr = 0;
    optind = 1;
    for (;;) {
        int place = -1;
        int found = getopt_long(count, arguments, ":o:qhV", longs, &place);
        if (found == -1)
            break;
        /* optind has moved behind the argument that holds the option, except within a bundle like -qh. */
        const char *argument = optind > 0 && optind <= count ? arguments[optind - 1] : "";
        if (found == '?' || found == ':') {
            bool is_long = strncmp(argument, "--", 2) == 0 && argument[2] != '\0';
            if (found == ':')
                die(EXIT_BAD_INPUT, "option %s needs a value", is_long ? argument : "-o");
            if (is_long && optopt != 0)
                die(EXIT_BAD_INPUT, "option %.*s takes no value", (int)strcspn(argument, "="), argument);
            if (is_long)
                unknown_option(arguments[0], argument);
            die(EXIT_BAD_INPUT, "unknown option -%c; see \"cachecast %s --help\"", optopt, arguments[0]);
        }
        for (size_t i = 0; i < OPTION_COUNT; i++)
            if (longs[i].val == found && (takers[i] & (int)command) == 0)
                die(EXIT_BAD_INPUT, "--%s does not apply to \"%s\"; see \"cachecast %s --help\"", longs[i].name,
                    arguments[0], arguments[0]);
        switch (found) {
        case OPTION_SET:
            add_set(options, optarg);
            break;
        case OPTION_SEED:
            add_seed(options, optarg);
            break;
        case OPTION_REPS:
            options->replications = number("reps", optarg, 1, 100000);
            break;
        case OPTION_JOBS:
            options->jobs = number("jobs", optarg, 1, 1024);
            break;
        case OPTION_VARIANT:
            options->variant = optarg;
            break;
        case OPTION_JSON:
            options->json = true;
            break;
        case OPTION_CSV:
            options->csv = true;
            break;
        case OPTION_SERIES:
            options->series = true;
            break;
        case OPTION_METRICS:
            options->metrics = optarg;
            break;
        case OPTION_LINK:
            options->link = optarg;
            break;
        case 'o':
            options->output = optarg;
            break;
        case 'q':
            options->quiet = true;
            break;
        case 'h':
            options->help = true;
            return;
        default: /* -V */
        {
            struct text text = {0};
            text_format(&text, "cachecast %s\n", cc_version());
            output_write(NULL, &text);
            exit(EXIT_OK);
        }
        }
    }
    if (options->json && options->csv)
        die(EXIT_BAD_INPUT, "--json and --csv exclude each other");
    if (options->json && options->series)
        die(EXIT_BAD_INPUT, "--series makes CSV; the output of --json holds the series already");
    for (int i = optind; i < count; i++) {
        options->paths.names = grow(options->paths.names, options->paths.count + 1, sizeof *options->paths.names);
        options->paths.names[options->paths.count++] = copy_text(arguments[i]);
    }
    if (options->link && options->paths.count > 0)
        die(EXIT_BAD_INPUT, "--link stands in place of a file, found \"%s\" too", options->paths.names[0]);
    if (options->link && options->variant)
        die(EXIT_BAD_INPUT, "--link names its variant itself (n=); --variant does not apply");
    output_check(options->output);
}

void options_free(struct options *options)
{
    for (size_t i = 0; i < 2 * options->override_count; i++)
        free(options->override_texts[i]);
    free(options->override_texts);
    free(options->overrides);
    paths_free(&options->paths);
}
