/* What the steps of reading a scenario share: where in the document they are and how they complain.
 *
 * Steps return false after they have complained; the first complaint stands. */
#ifndef CC_IO_READER_H
#define CC_IO_READER_H

#include <jansson.h>

#include "io/fields.h"

/* Of jansson's hash tables: a constant, so that nothing depends on chance. */
#define CC_HASH_SEED 0x63616368

/* A value that was laid over the document: errors in it are told at its source. */
struct cc_laid {
    const char *target; /* pointer into the document as read */
    const char *source; /* pointer into the text: a variant's value; NULL: from outside */
    const char *origin; /* "--set l1.ttl=2": a value from outside */
    const char *made;   /* pointer to the outermost object that had to be made on the way to target; NULL: none */
};

struct cc_reader {
    cc_error *error;
    bool failed;
    const char *text;
    size_t length;
    struct cc_arena scratch;
    struct cc_scenario *scenario;
    char at[1024]; /* pointer to the value being read */
    size_t at_length;
    struct cc_laid *laid;
    size_t laid_count;
    size_t variant_count;          /* 0 without variants */
    size_t variant, common_expect; /* expect lines from common_expect on are the variant's */
};

/* Steps into a key or element; returns what to give to cc_reader_back. */
size_t cc_reader_enter(struct cc_reader *reader, const char *key);
size_t cc_reader_enter_index(struct cc_reader *reader, size_t index);
void cc_reader_back(struct cc_reader *reader, size_t length);

/* Complains about the value at hand, or with `key` about its key: "POINTER: sentence". Always false. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
bool cc_reader_fail(struct cc_reader *reader, bool key, const char *format, ...);
/* The same about the value of another pointer. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
bool cc_reader_fail_at(struct cc_reader *reader, const char *pointer, const char *format, ...);
bool cc_reader_no_memory(struct cc_reader *reader);

/* One line of valid UTF-8 of at most size - 1 bytes. */
void cc_one_line(char *out, size_t size, const char *text);
bool cc_is_utf8(const char *text);

/* The nearest of count names, or NULL when none is near. */
const char *cc_nearest_name(const char *word, const char *(*name)(const void *context, size_t index),
                            const void *context, size_t count);

/* read.c: the table's groups; check.c: what spans several fields, and what is computed from them. */
bool cc_read_group(struct cc_reader *reader, const struct cc_group *group, json_t *json, void *object);
/* Only that the keys are known, what is required is there, and strings are strings. */
bool cc_read_keys(struct cc_reader *reader, const struct cc_group *group, json_t *json);
bool cc_check_scenario(struct cc_reader *reader);

#endif
