#include "io/locate.h"

#include <string.h>

struct locate_cursor {
    const char *at, *end;
};

static void locate_space(struct locate_cursor *cursor)
{
    while (cursor->at < cursor->end && strchr(" \t\r\n", *cursor->at) && *cursor->at)
        cursor->at++;
}

static void locate_skip_string(struct locate_cursor *cursor)
{
    for (cursor->at++; cursor->at < cursor->end && *cursor->at != '"'; cursor->at++)
        if (*cursor->at == '\\')
            cursor->at++;
    if (cursor->at < cursor->end)
        cursor->at++;
    else
        cursor->at = cursor->end;
}

static void locate_skip_value(struct locate_cursor *cursor)
{
    size_t depth = 0;
    while (cursor->at < cursor->end) {
        char c = *cursor->at;
        if (c == '"') {
            locate_skip_string(cursor);
        } else if (c == '{' || c == '[') {
            depth++;
            cursor->at++;
            continue;
        } else if (c == '}' || c == ']') {
            if (depth == 0)
                return;
            depth--;
            cursor->at++;
        } else if (depth > 0) {
            cursor->at++;
            continue;
        } else {
            while (cursor->at < cursor->end && !strchr(",]} \t\r\n", *cursor->at))
                cursor->at++;
        }
        if (depth == 0)
            return;
    }
}

static unsigned locate_hex(const char *c)
{
    unsigned value = 0;
    for (int i = 0; i < 4; i++) {
        unsigned digit = (unsigned char)c[i];
        value = value * 16 + (digit <= '9' ? digit - '0' : (digit | 32) - 'a' + 10);
    }
    return value;
}

/* The characters that the next element of a JSON string stands for, as UTF-8. */
static size_t locate_character(const char **at, const char *end, char out[4])
{
    const char *c = *at;
    if (*c != '\\' || end - c < 2) {
        *at = c + 1;
        out[0] = *c;
        return 1;
    }
    static const char names[] = "bfnrt", values[] = "\b\f\n\r\t";
    if (c[1] != 'u' || end - c < 6) {
        const char *name = strchr(names, c[1]);
        out[0] = name && *name ? values[name - names] : c[1];
        *at = c + 2;
        return 1;
    }
    unsigned code = locate_hex(c + 2);
    *at = c + 6;
    if (code >= 0xd800 && code < 0xdc00 && end - c >= 12) {
        code = 0x10000 + ((code - 0xd800) << 10) + ((locate_hex(c + 8) - 0xdc00) & 0x3ff);
        *at = c + 12;
    }
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t count = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = count - 1; i > 0; i--, code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)((count == 2 ? 0xc0u : count == 3 ? 0xe0u : 0xf0u) | code);
    return count;
}

/* Whether the JSON string between two quotes equals the pointer's step. */
static bool locate_equal(const char *string, const char *end, const char *step, size_t length)
{
    size_t i = 0;
    while (string < end) {
        char out[4];
        size_t count = locate_character(&string, end, out);
        for (size_t j = 0; j < count; j++) {
            if (i >= length)
                return false;
            char c = step[i++];
            if (c == '~' && i < length)
                c = step[i++] == '1' ? '/' : '~';
            if (c != out[j])
                return false;
        }
    }
    return i == length;
}

void cc_locate_byte(const char *text, size_t length, size_t byte, unsigned *line, unsigned *column)
{
    *line = *column = 1;
    for (size_t i = 0; i < byte && i < length; i++) {
        if (text[i] == '\n') {
            ++*line;
            *column = 1;
        } else if (((unsigned char)text[i] & 0xc0) != 0x80) {
            ++*column;
        }
    }
}

void cc_locate(const char *text, size_t length, const char *pointer, bool key, unsigned *line, unsigned *column)
{
    struct locate_cursor cursor = {text, text + length};
    locate_space(&cursor);
    const char *place = cursor.at;
    while (*pointer == '/') {
        const char *step = ++pointer;
        size_t step_length = strcspn(step, "/");
        pointer += step_length;
        if (cursor.at >= cursor.end || (*cursor.at != '{' && *cursor.at != '['))
            break;
        bool object = *cursor.at == '{', found = false;
        cursor.at++;
        for (uint64_t index = 0; !found; index++) {
            locate_space(&cursor);
            if (cursor.at >= cursor.end || *cursor.at == '}' || *cursor.at == ']')
                break;
            const char *name = cursor.at;
            if (object) {
                locate_skip_string(&cursor);
                found = locate_equal(name + 1, cursor.at - 1, step, step_length);
                locate_space(&cursor);
                cursor.at++; /* the colon */
                locate_space(&cursor);
            } else {
                uint64_t wanted = 0;
                for (size_t i = 0; i < step_length && i < 9; i++)
                    wanted = wanted * 10 + (uint64_t)((unsigned char)step[i] - '0');
                found = wanted == index;
            }
            if (found) {
                place = key && object && *pointer == 0 ? name : cursor.at;
                break;
            }
            locate_skip_value(&cursor);
            locate_space(&cursor);
            if (cursor.at < cursor.end && *cursor.at == ',')
                cursor.at++;
        }
        if (!found)
            break;
    }
    cc_locate_byte(text, length, (size_t)(place - text), line, column);
}
