/* Options as a table, for the commands that measure and advise: each entry says where its value goes. */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum argument_kind {
    ARGUMENT_FLAG,     /* bool */
    ARGUMENT_COUNT,    /* size_t, low to high */
    ARGUMENT_NUMBER,   /* double, low to high */
    ARGUMENT_WORD,     /* const char *, as given */
    ARGUMENT_CHOICE,   /* unsigned: the position among `choices` */
    ARGUMENT_DURATION, /* uint64_t nanoseconds, low to high: "2s", "150ms", "40us" */
    ARGUMENT_BYTES,    /* size_t, low to high: "100", "1kB", "1KiB" */
    ARGUMENT_COUNTS,   /* struct argument_list: "1,8,32", each low to high */
    ARGUMENT_SIZES,    /* struct argument_list: "1KiB,50KiB", each low to high */
    ARGUMENT_WORDS,    /* struct argument_words: "none,lz4" */
};

#define ARGUMENT_LIST_MAX 64u

struct argument_list {
    size_t values[ARGUMENT_LIST_MAX];
    size_t count; /* 0: not given */
};

struct argument_words {
    char *words[ARGUMENT_LIST_MAX];
    size_t count; /* 0: not given */
};

struct argument {
    const char *name; /* without the dashes; NULL ends the table */
    char letter;      /* its short form, or 0 */
    enum argument_kind kind;
    void *place;
    double low, high;
    const char *const *choices; /* NULL at the end */
};

/* Reads the options; plain words are moved to the front of `arguments`, behind arguments[0], and their number returned.
 * -h and --help print `help` and end the program; a wrong option ends it too, named as one of `command`. */
size_t arguments_parse(const char *command, const char *help, const struct argument *table, int count,
                       char **arguments);

#endif
