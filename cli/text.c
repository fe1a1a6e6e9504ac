/* Growing text, the pieces of JSON and CSV, and the way out with an error. */
#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void die(enum exit_code code, const char *format, ...)
{
    char message[8192];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    /* What a file or a server says does not steer the terminal; a server's log has lines. */
    for (char *at = message, *line; at != NULL; at = line) {
        line = strchr(at, '\n');
        if (line != NULL)
            *line = '\0';
        text_tame(at);
        if (line != NULL)
            *line++ = '\n';
    }
    fprintf(stderr, "cachecast: %s\n", message);
    exit((int)code);
}

void *grow(void *block, size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size)
        die(EXIT_TROUBLE, "out of memory");
    void *grown = realloc(block, count * size > 0 ? count * size : 1);
    if (grown == NULL)
        die(EXIT_TROUBLE, "out of memory");
    return grown;
}

char *copy_text(const char *words)
{
    size_t size = strlen(words) + 1;
    return memcpy(grow(NULL, size, 1), words, size);
}

void text_add(struct text *text, const char *characters, size_t length)
{
    if (text->size - text->length <= length) {
        size_t size = text->size < 256 ? 256 : text->size;
        while (size - text->length <= length) {
            if (size > SIZE_MAX / 2)
                die(EXIT_TROUBLE, "out of memory");
            size *= 2;
        }
        text->start = grow(text->start, size, 1);
        text->size = size;
    }
    if (length > 0)
        memcpy(text->start + text->length, characters, length);
    text->length += length;
    text->start[text->length] = '\0';
}

void text_say(struct text *text, const char *words) { text_add(text, words, strlen(words)); }

void text_format(struct text *text, const char *format, ...)
{
    char words[256];
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    if (length < 0)
        die(EXIT_TROUBLE, "out of memory");
    if ((size_t)length < sizeof words) {
        text_add(text, words, (size_t)length);
    } else {
        char *longer = grow(NULL, (size_t)length + 1, 1);
        vsnprintf(longer, (size_t)length + 1, format, again);
        text_add(text, longer, (size_t)length);
        free(longer);
    }
    va_end(again);
}

void text_spaces(struct text *text, size_t count)
{
    for (; count > 0; count--)
        text_add(text, " ", 1);
}

void text_free(struct text *text)
{
    free(text->start);
    text->start = NULL;
    text->length = text->size = 0;
}

void text_tame(char *words)
{
    for (unsigned char *at = (unsigned char *)words; *at != 0; at++) {
        size_t bad = *at < 0x20 || *at == 0x7f ? 1 : *at == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0 ? 2 : 0;
        if (*at == 0xe2 &&
            ((at[1] == 0x80 && at[2] >= 0xaa && at[2] <= 0xae) || (at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9)))
            bad = 3;
        if (bad > 0)
            memset(at, *at == '\n' || *at == '\t' ? ' ' : '?', bad);
    }
}

const char *style_bold(const struct text *text) { return text->color ? "\033[1m" : ""; }
const char *style_dim(const struct text *text) { return text->color ? "\033[2m" : ""; }
const char *style_good(const struct text *text) { return text->color ? "\033[32m" : ""; }
const char *style_bad(const struct text *text) { return text->color ? "\033[1;31m" : ""; }
const char *style_end(const struct text *text) { return text->color ? "\033[0m" : ""; }

void text_json_string(struct text *text, const char *words)
{
    text_say(text, "\"");
    for (const char *at = words; *at != '\0'; at++) {
        unsigned char byte = (unsigned char)*at;
        if (byte == '"' || byte == '\\')
            text_format(text, "\\%c", byte);
        else if (byte < 0x20)
            text_format(text, "\\u%04x", byte);
        else
            text_add(text, at, 1);
    }
    text_say(text, "\"");
}

static void shortest(struct text *text, double number)
{
    char words[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(words, sizeof words, "%.*g", digits, number);
        if (!(strtod(words, NULL) < number) && !(strtod(words, NULL) > number))
            break;
    }
    text_say(text, words);
}

void text_json_number(struct text *text, double number)
{
    if (isfinite(number))
        shortest(text, number);
    else
        text_say(text, "null");
}

void text_csv(struct text *text, const char *words)
{
    if (strpbrk(words, ",\"\r\n") == NULL) {
        text_say(text, words);
        return;
    }
    text_say(text, "\"");
    for (; *words != '\0'; words++)
        text_add(text, *words == '"' ? "\"\"" : words, *words == '"' ? 2 : 1);
    text_say(text, "\"");
}

void text_csv_number(struct text *text, double number)
{
    if (isfinite(number))
        shortest(text, number);
}
