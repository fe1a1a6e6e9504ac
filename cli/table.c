/* Tables: column widths, alignment and wrapping by the columns that UTF-8 text takes on a terminal. */
#include "table.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The code point at `*at`, which moves behind it. A wrong byte counts as a character of its own. */
static uint32_t next_point(const char **at)
{
    const unsigned char *bytes = (const unsigned char *)*at;
    unsigned more = bytes[0] >= 0xF0 ? 3 : bytes[0] >= 0xE0 ? 2 : bytes[0] >= 0xC0 ? 1 : 0;
    uint32_t point = more == 0 ? bytes[0] : bytes[0] & (0x3Fu >> more);
    unsigned used = 1;
    for (; used <= more && (bytes[used] & 0xC0) == 0x80; used++)
        point = point << 6 | (bytes[used] & 0x3F);
    *at += used;
    return point;
}

static size_t point_width(uint32_t point)
{
    if ((point >= 0x300 && point <= 0x36F) || (point >= 0x200B && point <= 0x200F) || point == 0xFEFF ||
        (point >= 0xFE00 && point <= 0xFE0F))
        return 0;
    if ((point >= 0x1100 && point <= 0x115F) || (point >= 0x2E80 && point <= 0xA4CF) ||
        (point >= 0xAC00 && point <= 0xD7A3) || (point >= 0xF900 && point <= 0xFAFF) ||
        (point >= 0xFE30 && point <= 0xFE6F) || (point >= 0xFF00 && point <= 0xFF60) ||
        (point >= 0xFFE0 && point <= 0xFFE6) || (point >= 0x1F300 && point <= 0x1F64F) ||
        (point >= 0x1F900 && point <= 0x1F9FF) || (point >= 0x20000 && point <= 0x3FFFD))
        return 2;
    return 1;
}

size_t text_width(const char *words)
{
    size_t width = 0;
    while (*words != '\0')
        width += point_width(next_point(&words));
    return width;
}

/* Bytes of the longest start of `words` within `width` columns, cut behind a space or hyphen where there is one. */
static size_t line_length(const char *words, size_t width)
{
    const char *at = words, *good = NULL;
    size_t used = 0;
    while (*at != '\0') {
        const char *before = at;
        uint32_t point = next_point(&at);
        used += point_width(point);
        if (point == ' ' && used <= width + 1)
            good = at;
        if (used > width) {
            if (good != NULL)
                return (size_t)(good - words);
            return before > words ? (size_t)(before - words) : (size_t)(at - words);
        }
        if (point == '-' || point == '/' || point == '.' || point == '_')
            good = at;
    }
    return (size_t)(at - words);
}

static size_t without_space(const char *words, size_t length)
{
    while (length > 0 && words[length - 1] == ' ')
        length--;
    return length;
}

void text_wrap(struct text *out, const char *words, size_t indent)
{
    while (*words != '\0') {
        size_t length = line_length(words, TEXT_COLUMNS - indent);
        text_spaces(out, indent);
        text_add(out, words, without_space(words, length));
        text_say(out, "\n");
        words += length;
        words += strspn(words, " ");
    }
}

void table_start(struct table *table, size_t columns)
{
    table->columns = columns;
    table->cells = NULL;
    table->count = 0;
}

static void add_cell(struct table *table, char *cell)
{
    table->cells = grow(table->cells, table->count + 1, sizeof *table->cells);
    table->cells[table->count++] = cell;
}

void table_cell(struct table *table, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    size_t size = length < 0 ? 1 : (size_t)length + 1;
    char *cell = grow(NULL, size, 1);
    cell[0] = '\0';
    vsnprintf(cell, size, format, again);
    va_end(again);
    text_tame(cell);
    add_cell(table, cell);
}

void table_note(struct table *table, const char *words)
{
    char *note = copy_text(words);
    text_tame(note);
    add_cell(table, note);
    for (size_t i = 1; i < table->columns; i++)
        add_cell(table, NULL);
}

static const char *cell_style(const struct text *out, const char *cell)
{
    return strcmp(cell, "PASS") == 0 ? style_good(out) : strcmp(cell, "FAIL") == 0 ? style_bad(out) : "";
}

static void print_row(const struct table *table, struct text *out, char **row, const size_t *widths, size_t gap,
                      bool bold)
{
    const char *rest = row[0];
    bool first = true;
    do {
        size_t length = line_length(rest, widths[0]), shown = without_space(rest, length);
        if (bold)
            text_say(out, style_bold(out));
        char *part = grow(NULL, shown + 1, 1);
        memcpy(part, rest, shown);
        part[shown] = '\0';
        text_say(out, part);
        if (first && table->columns > 1) {
            size_t used = text_width(part);
            text_spaces(out, widths[0] > used ? widths[0] - used : 0);
            for (size_t i = 1; i < table->columns; i++) {
                used = text_width(row[i]);
                text_spaces(out, gap + (widths[i] > used ? widths[i] - used : 0));
                const char *style = bold ? "" : cell_style(out, row[i]);
                text_format(out, "%s%s%s", style, row[i], *style != '\0' ? style_end(out) : "");
            }
        }
        free(part);
        if (bold)
            text_say(out, style_end(out));
        while (out->length > 0 && out->start[out->length - 1] == ' ')
            out->length--;
        text_say(out, "\n");
        rest += length;
        rest += first || *rest == ' ' ? strspn(rest, " ") : 0;
        first = false;
    } while (*rest != '\0');
}

void table_print(struct table *table, struct text *out, bool heading)
{
    size_t *widths = grow(NULL, table->columns, sizeof *widths);
    memset(widths, 0, table->columns * sizeof *widths);
    size_t rows = table->count / table->columns, gap = 2, others = 0;
    for (size_t row = 0; row < rows; row++) {
        char **cells = table->cells + row * table->columns;
        if (table->columns > 1 && cells[1] == NULL)
            continue;
        for (size_t i = 0; i < table->columns; i++) {
            size_t width = text_width(cells[i]);
            if (width > widths[i])
                widths[i] = width;
        }
    }
    for (size_t i = 1; i < table->columns; i++)
        others += widths[i];
    if (widths[0] + others + gap * (table->columns - 1) > TEXT_COLUMNS)
        gap = others + 2 * (table->columns - 1) + 24 > TEXT_COLUMNS ? 1 : 2; /* wrapping first, then narrow gaps */
    others += gap * (table->columns - 1);
    if (widths[0] + others > TEXT_COLUMNS)
        widths[0] = others + 12 < TEXT_COLUMNS ? TEXT_COLUMNS - others : 12;
    for (size_t row = 0; row < rows; row++) {
        char **cells = table->cells + row * table->columns;
        if (table->columns > 1 && cells[1] == NULL) {
            text_say(out, style_dim(out));
            text_wrap(out, cells[0], 4);
            text_say(out, style_end(out));
        } else {
            print_row(table, out, cells, widths, gap, heading && row == 0);
        }
    }
    for (size_t i = 0; i < table->count; i++)
        free(table->cells[i]);
    free(table->cells);
    free(widths);
    table_start(table, table->columns);
}

const char *number_text(char words[NUMBER_SIZE], double number)
{
    if (!isfinite(number)) {
        snprintf(words, NUMBER_SIZE, "%s", isnan(number) ? "-" : number > 0 ? "inf" : "-inf");
        return words;
    }
    double size = fabs(number);
    bool whole = size < 1e15 && !(floor(size) < size);
    if (size >= 1e15 || (size < 1e-3 && size > 0)) {
        snprintf(words, NUMBER_SIZE, "%.4g", number);
        return words;
    }
    int decimals = whole || size >= 1e4 ? 0 : size >= 1e3 ? 1 : size >= 100 ? 2 : size >= 10 ? 3 : size >= 1 ? 4 : 5;
    char plain[NUMBER_SIZE];
    snprintf(plain, sizeof plain, "%.*f", decimals, number);
    if (decimals > 0) {
        size_t end = strlen(plain);
        while (plain[end - 1] == '0')
            end--;
        if (plain[end - 1] == '.')
            end--;
        plain[end] = '\0';
    }
    size_t start = plain[0] == '-' ? 1 : 0, digits = strspn(plain + start, "0123456789"), to = 0;
    if (start == 1)
        words[to++] = '-';
    for (size_t i = 0; i < digits; i++) {
        if (i > 0 && (digits - i) % 3 == 0)
            words[to++] = ',';
        words[to++] = plain[start + i];
    }
    snprintf(words + to, NUMBER_SIZE - to, "%s", plain + start + digits);
    return words;
}

const char *signed_text(char words[NUMBER_SIZE], double number)
{
    char plain[NUMBER_SIZE];
    number_text(plain, number);
    snprintf(words, NUMBER_SIZE, "%s%.*s", number > 0 ? "+" : "", NUMBER_SIZE - 2, plain);
    return words;
}
