/* Scenarios and their runs on all cores. A job is one replication of one scenario; its result has its place from the
 * start, so that nothing depends on how many threads there are or which of them is first. */
#ifndef CLI_JOBS_H
#define CLI_JOBS_H

#include "link.h"
#include "options.h"

struct result {
    bool finished;
    bool partial;     /* the only run, interrupted */
    double *metrics;  /* all metrics of the library, in its order */
    double *expected; /* the metric of every expectation of the scenario */
    uint64_t events, hash;
    uint32_t digest;
    char *report; /* NULL unless asked for */
};

/* One variant of one file. */
struct item {
    const char *file;
    cc_scenario *scenario;
    size_t replications;
    size_t first; /* its first result */
    size_t done;  /* results there, after jobs_run; they come first */
};

struct jobs {
    struct paths files;
    struct item *items;
    size_t item_count;
    struct result *results;
    size_t result_count;
    struct text text; /* of cachecast link: its file, which may be standard input */
    struct link link; /* with --link: items 0 and 1 are its A and B */
    bool reports;     /* keep reports */
    bool interrupted;
    size_t finished;
};

/* Reads and checks all scenarios. */
void jobs_load(struct jobs *jobs, const struct options *options);
/* The scenario of `path` that --variant names, or its first. */
cc_scenario *scenario_load(const char *path, const struct options *options);
/* Runs everything; ends the program on an error. After an interruption the finished results of every item are moved
 * together, and a note is on standard error. */
void jobs_run(struct jobs *jobs, const struct options *options);
void jobs_free(struct jobs *jobs);

/* Over the item's results that are there. */
struct stats item_stats(const struct jobs *jobs, const struct item *item, size_t metric);
/* Name and variant as one text of its own, for people. */
char *item_label(const struct item *item);
/* {"latency.mean_ms": {"mean": ...}, ...} with every line behind the first indented. */
void item_summary_json(struct text *out, const struct jobs *jobs, const struct item *item, const char *indent);

#endif
