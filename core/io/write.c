#include "io/write.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cc_text_start(struct cc_text *text, const cc_allocator *allocator)
{
    memset(text, 0, sizeof *text);
    text->allocator = cc_allocator_or_default(allocator);
}

void cc_text_add(struct cc_text *text, const char *characters, size_t length)
{
    if (text->failed || length == 0)
        return;
    if (length > text->size - text->length) {
        size_t size = text->size < 1024 ? 1024 : text->size;
        while (size - text->length < length && size < SIZE_MAX / 4)
            size *= 2;
        char *block =
            size - text->length < length ? NULL : cc_resize(&text->allocator, text->start, text->size, size, 1);
        if (!block) {
            text->failed = true;
            return;
        }
        text->start = block;
        text->size = size;
    }
    memcpy(text->start + text->length, characters, length);
    text->length += length;
}

void cc_text_say(struct cc_text *text, const char *words) { cc_text_add(text, words, strlen(words)); }

void cc_text_drop(struct cc_text *text)
{
    cc_release(&text->allocator, text->start, text->size, 1);
    text->start = NULL;
    text->length = text->size = 0;
}

char *cc_text_take(struct cc_text *text)
{
    cc_text_add(text, "\n", 2);
    char *result = NULL;
    if (!text->failed) {
        result = cc_resize(&text->allocator, text->start, text->size, text->length, 1);
        if (result)
            text->start = NULL;
    }
    cc_text_drop(text);
    return result;
}

void cc_text_free(char *text, const cc_allocator *allocator)
{
    if (!text)
        return;
    cc_allocator owner = cc_allocator_or_default(allocator);
    cc_release(&owner, text, strlen(text) + 1, 1);
}

static void write_line(struct cc_text *text)
{
    cc_text_add(text, "\n", 1);
    for (unsigned i = 0; i < text->depth; i++)
        cc_text_add(text, "  ", 2);
}

/* What stands between the element before, or the bracket, and the next element or key. */
static void write_gap(struct cc_text *text)
{
    if (text->after_key) {
        text->after_key = false;
        return;
    }
    if (text->depth == 0)
        return;
    bool first = !text->filled[text->depth];
    text->filled[text->depth] = true;
    if (!first)
        cc_text_add(text, ",", 1);
    if (!text->in_line[text->depth])
        write_line(text);
    else if (!first)
        cc_text_add(text, " ", 1);
}

static void write_open(struct cc_text *text, bool is_object, bool in_line)
{
    write_gap(text);
    if (text->depth >= CC_TEXT_DEPTH) {
        text->failed = true;
        return;
    }
    cc_text_add(text, is_object ? "{" : "[", 1);
    bool outer = text->depth > 0 && text->in_line[text->depth];
    text->depth++;
    text->filled[text->depth] = false;
    text->in_line[text->depth] = in_line || outer;
    text->is_object[text->depth] = is_object;
}

static void write_close(struct cc_text *text)
{
    if (text->depth == 0)
        return;
    unsigned depth = text->depth--;
    if (text->filled[depth] && !text->in_line[depth])
        write_line(text);
    cc_text_add(text, text->is_object[depth] ? "}" : "]", 1);
}

void cc_json_object(struct cc_text *text) { write_open(text, true, false); }
void cc_json_inline_object(struct cc_text *text) { write_open(text, true, true); }
void cc_json_end_object(struct cc_text *text) { write_close(text); }
void cc_json_array(struct cc_text *text) { write_open(text, false, false); }
void cc_json_inline_array(struct cc_text *text) { write_open(text, false, true); }
void cc_json_end_array(struct cc_text *text) { write_close(text); }

static void write_quoted(struct cc_text *text, const char *string)
{
    cc_text_add(text, "\"", 1);
    const char *plain = string;
    for (const char *c = string; *c; c++) {
        unsigned char byte = (unsigned char)*c;
        if (byte >= 0x20 && byte != '"' && byte != '\\' && byte != 0x7f)
            continue;
        cc_text_add(text, plain, (size_t)(c - plain));
        plain = c + 1;
        char escape[8];
        if (byte == '"' || byte == '\\')
            snprintf(escape, sizeof escape, "\\%c", *c);
        else if (byte == '\n')
            snprintf(escape, sizeof escape, "\\n");
        else if (byte == '\t')
            snprintf(escape, sizeof escape, "\\t");
        else if (byte == '\r')
            snprintf(escape, sizeof escape, "\\r");
        else
            snprintf(escape, sizeof escape, "\\u%04x", (unsigned)byte);
        cc_text_say(text, escape);
    }
    cc_text_say(text, plain);
    cc_text_add(text, "\"", 1);
}

void cc_json_key(struct cc_text *text, const char *key)
{
    write_gap(text);
    write_quoted(text, key);
    cc_text_add(text, ": ", 2);
    text->after_key = true;
}

void cc_json_string(struct cc_text *text, const char *string)
{
    write_gap(text);
    if (string)
        write_quoted(text, string);
    else
        cc_text_say(text, "null");
}

void cc_json_uint(struct cc_text *text, uint64_t number)
{
    char words[24];
    snprintf(words, sizeof words, "%" PRIu64, number);
    write_gap(text);
    cc_text_say(text, words);
}

size_t cc_double_text(double number, char words[CC_DOUBLE_TEXT])
{
    if (!(number - number == 0)) {
        memcpy(words, "null", 5);
        return 4;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(words, CC_DOUBLE_TEXT, "%.*g", digits, number);
        if (strtod(words, NULL) == number)
            break;
    }
    /* A program around the library may have set a locale with another decimal point. */
    size_t length = 0;
    bool point = false;
    for (const char *c = words; *c; c++) {
        bool usual = (*c >= '0' && *c <= '9') || *c == '-' || *c == '+' || *c == 'e';
        if (usual)
            words[length++] = *c;
        else if (!point)
            words[length++] = '.';
        point = !usual;
    }
    words[length] = 0;
    return length;
}

void cc_json_double(struct cc_text *text, double number)
{
    char words[CC_DOUBLE_TEXT];
    size_t length = cc_double_text(number, words);
    write_gap(text);
    cc_text_add(text, words, length);
}

void cc_json_bool(struct cc_text *text, bool value)
{
    write_gap(text);
    cc_text_say(text, value ? "true" : "false");
}

void cc_json_null(struct cc_text *text)
{
    write_gap(text);
    cc_text_say(text, "null");
}

void cc_json_raw(struct cc_text *text, const char *json)
{
    write_gap(text);
    cc_text_say(text, json);
}
