/* cachecast: forecasts what a cache will do to a service. This file: which command, and its help. */
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "commands.h"
#include "table.h"

struct command_entry {
    const char *name;
    enum command command;
    size_t paths_min, paths_max;
    enum exit_code (*call)(const struct options *options);
    const char *help;
};

static const char usage[] = "Usage: cachecast COMMAND [OPTION...] [FILE...]\n"
                            "\n"
                            "Forecasts what a cache will do to a service, by simulation.\n"
                            "\n"
                            "Commands:\n"
                            "  run FILE...             simulate and print a summary of every scenario\n"
                            "  compare FILE...         scenarios side by side, with differences\n"
                            "  verify [FILE|DIR...]    hold scenarios against their published figures\n"
                            "  explain FILE            the scenario with every default filled in\n"
                            "  link FILE               the link that opens the scenario on the page\n"
                            "  schema                  the JSON Schema of the scenario format\n"
                            "  bench codec             measure what compression costs on this machine\n"
                            "  bench redis             measure what a shared connection to a Redis costs\n"
                            "  forecast                latency with any number of threads, from a profile\n"
                            "  advise codec            from which size compression pays, and with which codec\n"
                            "\n"
                            "Examples:\n"
                            "  cachecast run service.json\n"
                            "  cachecast run service.json --set l1.ttl=2s --reps 10\n"
                            "  cachecast compare before.json after.json --reps 20\n"
                            "  cachecast verify sims/              (in a clone of cachecast)\n"
                            "  cachecast bench redis --calibrate -o here.json\n"
                            "  cachecast forecast --profile here.json --threads 32\n"
                            "\n"
                            "\"cachecast COMMAND --help\" shows a command's options. FILE may be \"-\", standard\n"
                            "input. Exit status: 0 done, 1 an expectation failed, 2 wrong input or usage,\n"
                            "3 out of memory or a write error, 130 interrupted.\n";

#define HELP_SET                                                                         \
    "  --set PATH=VALUE   lay a value over the scenario, as in l1.ttl=2s (repeatable)\n" \
    "  --seed N           the same as --set seed=N\n"
#define HELP_VARIANT "  --variant NAME     only this variant, by name or number (from 1)\n"
#define HELP_JOBS                                                                  \
    "  --jobs N           threads (default: one per core); no effect on results\n" \
    "  -q, --quiet        no progress line\n"
#define HELP_LAST                                               \
    "  -o, --output FILE  write there, in full or not at all\n" \
    "  -h, --help         this help\n"                          \
    "  -V, --version      the version\n"

static const struct command_entry commands[] = {
    {"run", COMMAND_RUN, 1, SIZE_MAX, command_run,
     "Usage: cachecast run [OPTION...] FILE...\n"
     "\n"
     "Simulates every variant of every file (\"-\": standard input); prints a summary.\n"
     "\n" HELP_SET "  --reps N           replications (default 1), up to 100,000: means with 95 %\n"
     "                     intervals\n" HELP_VARIANT
     "  --json             the full report; with --reps, statistics of every metric\n"
     "  --csv              name,variant,replication,metric,value\n"
     "  --series           the course over time, as CSV\n"
     "  --link LINK        what a link of the page stands for, in place of files: A,\n"
     "                     and B where it has one\n" HELP_JOBS HELP_LAST "\n"
     "Examples:\n"
     "  cachecast run service.json\n"
     "  cachecast run --link 'v=1&p=four-configurations.table&n=5&l1.ttl=5s'\n"
     "  cachecast run service.json --set l1.ttl=2s --reps 10\n"
     "  cachecast run service.json --series -o series.csv\n"
     "  cachecast run - --json < service.json | jq .summary\n"},
    {"compare", COMMAND_COMPARE, 1, SIZE_MAX, command_compare,
     "Usage: cachecast compare [OPTION...] FILE...\n"
     "\n"
     "Shows all scenarios of the files (or of the *.json below directories) side by\n"
     "side: up to three with their differences from the first, more as one row each,\n"
     "with published values beside simulated ones. One file with variants will do.\n"
     "\n" HELP_SET "  --reps N           replications (default 1), up to 100,000: means; up to three\n"
     "                     scenarios also get 95 % intervals of the differences, on\n"
     "                     common random numbers; --json and --csv have all intervals\n" HELP_VARIANT
     "  --metrics A,B,...  these metrics (default: the usual ones)\n"
     "  --json, --csv      for programs\n" HELP_JOBS HELP_LAST "\n"
     "Examples:\n"
     "  cachecast compare before.json after.json --reps 20\n"
     "  cachecast compare variants.json --metrics origin.loads,latency.p99_ms\n"},
    {"verify", COMMAND_VERIFY, 0, SIZE_MAX, command_verify,
     "Usage: cachecast verify [OPTION...] [FILE|DIR...]\n"
     "\n"
     "Runs all scenarios and holds the means of their replications against their\n"
     "\"expect\" lines; a scenario without any only has to run. Without files: those\n"
     "below the directory sims, as in a clone of cachecast. Exit status 1 when a line\n"
     "fails.\n"
     "\n" HELP_SET "  --reps N           replications (default: what the scenario says)\n" HELP_VARIANT
     "  --json             for programs\n" HELP_JOBS HELP_LAST "\n"
     "Examples:\n"
     "  cachecast verify service.json\n"
     "  cachecast verify                              (in a clone of cachecast)\n"
     "  cachecast verify sims/published --reps 20     (the same)\n"},
    {"explain", COMMAND_EXPLAIN, 1, 1, command_explain,
     "Usage: cachecast explain [OPTION...] FILE\n"
     "\n"
     "Prints the scenario (the first variant, or that of --variant) with every\n"
     "default filled in. The other variants, the variant's name and \"$schema\" are\n"
     "left out.\n"
     "\n" HELP_SET HELP_VARIANT HELP_LAST "\n"
     "Examples:\n"
     "  cachecast explain service.json\n"
     "  cachecast explain service.json --variant \"two tiers\" --set l2.ttl=60s\n"},
    {"link", COMMAND_LINK, 1, 1, command_link,
     "Usage: cachecast link [OPTION...] FILE\n"
     "\n"
     "Simulates the scenario (the first variant, or that of --variant) and prints the\n"
     "link that stands for it, with a digest of its figures: what follows the # in the\n"
     "page's address, and what \"cachecast run --link\" reads.\n"
     "\n" HELP_SET HELP_VARIANT "  -q, --quiet        no progress line\n" HELP_LAST "\n"
     "Examples:\n"
     "  cachecast link service.json\n"
     "  cachecast link service.json --variant \"two tiers\" --set l2.ttl=60s\n"},
    {"schema", COMMAND_SCHEMA, 0, 0, command_schema,
     "Usage: cachecast schema [OPTION...]\n"
     "\n"
     "Prints the JSON Schema (draft 2020-12) of the scenario format.\n"
     "\n" HELP_LAST "\n"
     "Example:\n"
     "  cachecast schema -o scenario.schema.json\n"},
};
#define COMMAND_COUNT (sizeof commands / sizeof *commands)

/* Commands that read their own options. */
static const struct {
    const char *name;
    enum exit_code (*call)(int count, char **arguments);
} others[] = {
    {"bench", command_bench},
    {"forecast", command_forecast},
    {"advise", command_advise},
};
#define OTHER_COUNT (sizeof others / sizeof *others)

static void print(const char *words)
{
    struct text out = {0};
    text_say(&out, words);
    output_write(NULL, &out);
    text_free(&out);
}

static void print_help(const struct command_entry *entry)
{
    struct text out = {0};
    text_say(&out, entry->help);
    if (entry->command == COMMAND_COMPARE) {
        text_say(&out, "\nMetrics:\n");
        size_t widest = 0;
        for (size_t i = 0; i < cc_metric_count(); i++) {
            size_t width = strlen(cc_metric_name(i));
            widest = width > widest ? width : widest;
        }
        for (size_t i = 0; i < cc_metric_count(); i++) {
            size_t line = out.length;
            text_wrap(&out, cc_metric_help(i), widest + 4);
            memcpy(out.start + line + 2, cc_metric_name(i), strlen(cc_metric_name(i)));
        }
    }
    output_write(NULL, &out);
    text_free(&out);
}

static const struct command_entry *find(const char *name)
{
    const char *names[COMMAND_COUNT + OTHER_COUNT];
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        names[i] = commands[i].name;
        if (strcmp(name, names[i]) == 0)
            return &commands[i];
    }
    for (size_t i = 0; i < OTHER_COUNT; i++)
        names[COMMAND_COUNT + i] = others[i].name;
    const char *near = nearest(name, names, COMMAND_COUNT + OTHER_COUNT);
    if (near != NULL)
        die(EXIT_BAD_INPUT, "unknown command \"%s\"; did you mean \"%s\"?", name, near);
    die(EXIT_BAD_INPUT, "unknown command \"%s\"; see \"cachecast --help\"", name);
}

int main(int count, char **arguments)
{
    /* A reader that has had enough is no error worth a word. */
    struct sigaction ignore = {0};
    ignore.sa_handler = SIG_IGN;
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGPIPE, &ignore, NULL);
    sigaction(SIGXFSZ, &ignore, NULL); /* a limit on file sizes is an error of write, whose file then is removed */

    if (count < 2)
        die(EXIT_BAD_INPUT, "no command: run, compare, verify, explain, link, schema, bench, forecast or advise; see "
                            "\"cachecast --help\"");
    const char *word = arguments[1];
    if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0 || (strcmp(word, "help") == 0 && count == 2)) {
        print(usage);
        return EXIT_OK;
    }
    if (strcmp(word, "help") == 0) {
        char *ask[] = {arguments[2], (char[]){"--help"}, NULL};
        for (size_t i = 0; i < OTHER_COUNT; i++)
            if (strcmp(arguments[2], others[i].name) == 0)
                return (int)others[i].call(2, ask);
        print_help(find(arguments[2]));
        return EXIT_OK;
    }
    if (strcmp(word, "-V") == 0 || strcmp(word, "--version") == 0) {
        struct text out = {0};
        text_format(&out, "cachecast %s\n", cc_version());
        output_write(NULL, &out);
        return EXIT_OK;
    }
    if (word[0] == '-')
        die(EXIT_BAD_INPUT, "options stand behind the command, found \"%s\"; see \"cachecast --help\"", word);

    for (size_t i = 0; i < OTHER_COUNT; i++)
        if (strcmp(word, others[i].name) == 0)
            return (int)others[i].call(count - 1, arguments + 1);
    const struct command_entry *entry = find(word);
    struct options options;
    options_parse(&options, entry->command, count - 1, arguments + 1);
    if (options.help) {
        print_help(entry);
        return EXIT_OK;
    }
    if (options.paths.count < entry->paths_min && options.link == NULL)
        die(EXIT_BAD_INPUT, "%s needs a scenario file; see \"cachecast %s --help\"", entry->name, entry->name);
    if (options.paths.count > entry->paths_max)
        die(EXIT_BAD_INPUT, "%s takes %s, found \"%s\"", entry->name,
            entry->paths_max == 0 ? "no file" : "one file only", options.paths.names[entry->paths_max]);
    if (entry->command == COMMAND_VERIFY && options.paths.count == 0) {
        struct stat status;
        if (stat("sims", &status) != 0 || !S_ISDIR(status.st_mode))
            die(EXIT_BAD_INPUT, "there is no directory \"sims\" here; name files or directories to verify");
        paths_add(&options.paths, "sims", false);
    }
    enum exit_code code = entry->call(&options);
    options_free(&options);
    return (int)code;
}
