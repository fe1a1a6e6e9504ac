/* Text that grows: what a command prints is made in full before the first byte of it is written. */
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__GNUC__)
#define CLI_PRINTF(words, first) __attribute__((format(printf, words, first)))
#else
#define CLI_PRINTF(words, first)
#endif

enum exit_code {
    EXIT_OK = 0,
    EXIT_EXPECTATION = 1,
    EXIT_BAD_INPUT = 2,
    EXIT_TROUBLE = 3, /* out of memory, a write error, a bug */
    EXIT_INTERRUPTED = 130
};

struct text {
    char *start; /* ends with a NUL once something was added */
    size_t length, size;
    bool color; /* it goes to a terminal that shows colours */
};

/* Prints "cachecast: ..." as one line on standard error and ends the program. */
_Noreturn void die(enum exit_code code, const char *format, ...) CLI_PRINTF(2, 3);
/* realloc that ends the program when out of memory. Main thread only. */
void *grow(void *block, size_t count, size_t size);
char *copy_text(const char *words);

void text_add(struct text *text, const char *characters, size_t length);
void text_say(struct text *text, const char *words);
void text_format(struct text *text, const char *format, ...) CLI_PRINTF(2, 3);
void text_spaces(struct text *text, size_t count);
void text_free(struct text *text);

/* Puts '?' in place of what a terminal would obey: control characters and changes of the writing direction; a line break
 * becomes a space. */
void text_tame(char *words);

/* Terminal styles; "" without colours. */
const char *style_bold(const struct text *text);
const char *style_dim(const struct text *text);
const char *style_good(const struct text *text);
const char *style_bad(const struct text *text);
const char *style_end(const struct text *text);

/* JSON and CSV pieces. Numbers in the fewest digits that read back as the same number. */
void text_json_string(struct text *text, const char *words);
void text_json_number(struct text *text, double number); /* null where not finite */
void text_csv(struct text *text, const char *words);
void text_csv_number(struct text *text, double number); /* empty where not finite */

#endif
