#include "io/reader.h"
#include "io/locate.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void reader_add(struct cc_reader *reader, const char *step, bool escape)
{
    for (; *step && reader->at_length + 3 < sizeof reader->at; step++) {
        char c = *step;
        if (escape && (c == '~' || c == '/')) {
            reader->at[reader->at_length++] = '~';
            c = c == '~' ? '0' : '1';
        }
        reader->at[reader->at_length++] = c;
    }
    reader->at[reader->at_length] = 0;
}

size_t cc_reader_enter(struct cc_reader *reader, const char *key)
{
    size_t length = reader->at_length;
    reader_add(reader, "/", false);
    reader_add(reader, key, true);
    return length;
}

size_t cc_reader_enter_index(struct cc_reader *reader, size_t index)
{
    char step[24];
    snprintf(step, sizeof step, "%zu", index);
    return cc_reader_enter(reader, step);
}

void cc_reader_back(struct cc_reader *reader, size_t length)
{
    reader->at_length = length;
    reader->at[length] = 0;
}

/* Bytes of the UTF-8 character at `c`, 0 where it is none (RFC 3629: no overlong form, no surrogate). */
static size_t reader_utf8(const unsigned char *c)
{
    if (*c < 0x80)
        return 1;
    size_t size = *c >= 0xf0 ? 4 : *c >= 0xe0 ? 3 : 2;
    unsigned low = *c == 0xe0 ? 0xa0 : *c == 0xf0 ? 0x90 : 0x80, high = *c == 0xed ? 0x9f : *c == 0xf4 ? 0x8f : 0xbf;
    if (*c < 0xc2 || *c > 0xf4 || c[1] < low || c[1] > high)
        return 0;
    for (size_t i = 2; i < size; i++)
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    return size;
}

bool cc_is_utf8(const char *text)
{
    for (size_t size; *text; text += size)
        if ((size = reader_utf8((const unsigned char *)text)) == 0)
            return false;
    return true;
}

void cc_one_line(char *out, size_t size, const char *text)
{
    size_t length = 0;
    for (size_t bytes; *text; text += bytes ? bytes : 1) {
        bytes = reader_utf8((const unsigned char *)text);
        if (length + (bytes ? bytes : 1) >= size)
            break;
        bool shown = bytes > 1 || (bytes == 1 && (unsigned char)*text >= 0x20 && *text != 0x7f);
        if (!shown) {
            out[length++] = '?';
            continue;
        }
        memcpy(out + length, text, bytes);
        length += bytes;
    }
    out[length] = 0;
}

/* Whether `pointer` is `prefix` or lies within it; *rest then is what follows. */
static bool reader_within(const char *pointer, const char *prefix, const char **rest)
{
    size_t length = strlen(prefix);
    if (strncmp(pointer, prefix, length) != 0 || (pointer[length] != 0 && pointer[length] != '/'))
        return false;
    *rest = pointer + length;
    return true;
}

static bool reader_complain(struct cc_reader *reader, const char *at, bool key, const char *format, va_list arguments)
{
    if (reader->failed)
        return false;
    reader->failed = true;
    char pointer[2200], sentence[800], message[4200];
    const char *rest, *origin = NULL, *inside = NULL;
    snprintf(pointer, sizeof pointer, "%s", at);
    bool laid = false;
    for (size_t i = reader->laid_count; i > 0 && !laid; i--) {
        const struct cc_laid *value = &reader->laid[i - 1];
        laid = reader_within(at, value->target, &rest);
        if (!laid && value->made && reader_within(at, value->made, &rest)) {
            /* The complaint is about an object that exists only because of this value. */
            laid = true;
            if (value->source)
                inside = at;
            rest = "";
        }
        if (laid && value->source) {
            snprintf(pointer, sizeof pointer, "%s%s", value->source, rest);
        } else if (laid) {
            origin = value->origin ? value->origin : "override";
        }
    }
    if (!laid && strncmp(at, "/expect/", 8) == 0 && at[8] >= '0' && at[8] <= '9') {
        char *after;
        size_t index = (size_t)strtoul(at + 8, &after, 10);
        if (index >= reader->common_expect)
            snprintf(pointer, sizeof pointer, "/variants/%zu/expect/%zu%s", reader->variant,
                     index - reader->common_expect, after);
    }
    vsnprintf(sentence, sizeof sentence, format, arguments);
    snprintf(message, sizeof message, "%.400s%s%.300s%s%.300s%s%s", origin ? origin : "", origin ? ": " : "", pointer,
             pointer[0] ? ": " : "", inside ? inside : "", inside ? ": " : "", sentence);
    cc_error *error = reader->error;
    if (!error)
        return false;
    error->status = CC_BAD_INPUT;
    error->line = error->column = 0;
    cc_one_line(error->pointer, sizeof error->pointer, pointer);
    cc_one_line(error->message, sizeof error->message, message);
    if (!origin)
        cc_locate(reader->text, reader->length, pointer, key, &error->line, &error->column);
    return false;
}

bool cc_reader_fail(struct cc_reader *reader, bool key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    reader_complain(reader, reader->at, key, format, arguments);
    va_end(arguments);
    return false;
}

bool cc_reader_fail_at(struct cc_reader *reader, const char *pointer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    reader_complain(reader, pointer, false, format, arguments);
    va_end(arguments);
    return false;
}

bool cc_reader_no_memory(struct cc_reader *reader)
{
    if (reader->failed)
        return false;
    reader->failed = true;
    if (reader->error) {
        memset(reader->error, 0, sizeof *reader->error);
        reader->error->status = CC_OUT_OF_MEMORY;
        snprintf(reader->error->message, sizeof reader->error->message, "out of memory");
    }
    return false;
}

#define NAME_LONGEST 64

/* Edits between two words: insertions, deletions, replacements, swaps of neighbours. */
static unsigned name_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    unsigned rows[3][NAME_LONGEST + 1];
    unsigned *before = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= b_length; j++)
        above[j] = before[j] = (unsigned)j;
    for (size_t i = 1; i <= a_length; i++) {
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b_length; j++) {
            unsigned best = above[j - 1] + (a[i - 1] != b[j - 1]);
            best = above[j] + 1 < best ? above[j] + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            row[j] = best;
        }
        unsigned *spare = before;
        before = above;
        above = row;
        row = spare;
    }
    return above[b_length];
}

const char *cc_nearest_name(const char *word, const char *(*name)(const void *context, size_t index),
                            const void *context, size_t count)
{
    size_t length = strlen(word);
    const char *nearest = NULL;
    unsigned least = 3;
    for (size_t i = 0; i < count && length <= NAME_LONGEST; i++) {
        const char *candidate = name(context, i);
        size_t candidate_length = strlen(candidate);
        if (candidate_length > NAME_LONGEST)
            continue;
        unsigned distance = name_distance(word, length, candidate, candidate_length);
        if (distance < least && distance < length) {
            least = distance;
            nearest = candidate;
        }
    }
    return nearest;
}

#undef NAME_LONGEST
