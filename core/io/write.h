/* Text that grows, and JSON written onto it: two spaces a level, keys in the order they are written.
 *
 * jansson reads but does not write here: its numbers are not the shortest ones. Running out of memory is remembered, so
 * that callers look once, at cc_text_take. */
#ifndef CC_IO_WRITE_H
#define CC_IO_WRITE_H

#include "engine/memory.h"

#define CC_TEXT_DEPTH 64

struct cc_text {
    cc_allocator allocator;
    char *start;
    size_t length, size;
    bool failed;                       /* out of memory: nothing more is written */
    bool after_key;                    /* the next value stands behind its key */
    unsigned depth;                    /* containers open */
    bool filled[CC_TEXT_DEPTH + 1];    /* the container at this depth has an element */
    bool in_line[CC_TEXT_DEPTH + 1];   /* its elements stand on one line */
    bool is_object[CC_TEXT_DEPTH + 1]; /* it closes with a brace */
};

void cc_text_start(struct cc_text *text, const cc_allocator *allocator);
/* Raw characters. */
void cc_text_add(struct cc_text *text, const char *characters, size_t length);
void cc_text_say(struct cc_text *text, const char *words);
/* The finished text with a final newline: a block of exactly strlen + 1 bytes. NULL, and nothing is left, when memory
 * was out at any point. */
char *cc_text_take(struct cc_text *text);
void cc_text_drop(struct cc_text *text);

void cc_json_object(struct cc_text *text);
void cc_json_inline_object(struct cc_text *text);
void cc_json_end_object(struct cc_text *text);
void cc_json_array(struct cc_text *text);
void cc_json_inline_array(struct cc_text *text); /* its elements, and all within them, stand on one line */
void cc_json_end_array(struct cc_text *text);
void cc_json_key(struct cc_text *text, const char *key);
void cc_json_string(struct cc_text *text, const char *string); /* NULL is null */
void cc_json_uint(struct cc_text *text, uint64_t number);
void cc_json_double(struct cc_text *text, double number); /* not finite: null */
void cc_json_bool(struct cc_text *text, bool value);
void cc_json_null(struct cc_text *text);
void cc_json_raw(struct cc_text *text, const char *json); /* a value that is JSON already */

#define CC_DOUBLE_TEXT 40
/* The shortest of 15, 16 and 17 digits that reads back as the same number; "null" where it is not finite. Returns the
 * length. */
size_t cc_double_text(double number, char words[CC_DOUBLE_TEXT]);

#endif
