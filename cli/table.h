/* Text tables within 80 columns. */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "text.h"

#define TEXT_COLUMNS 80u

struct table {
    size_t columns;
    char **cells; /* row by row; a row that is a note has its text in the first cell and NULL in the others */
    size_t count;
};

/* The first column is left-aligned, and wrapped where the table would be too wide; the others are right-aligned. */
void table_start(struct table *table, size_t columns);
void table_cell(struct table *table, const char *format, ...) CLI_PRINTF(2, 3);
/* A dim line of its own below the row. */
void table_note(struct table *table, const char *words);
/* Prints the table, with its first row in bold where `heading`, and frees it. */
void table_print(struct table *table, struct text *out, bool heading);

/* Columns of a terminal that UTF-8 text takes. */
size_t text_width(const char *words);
/* Text wrapped at spaces, every line indented. */
void text_wrap(struct text *out, const char *words, size_t indent);

#define NUMBER_SIZE 48
/* About five digits, thousands set apart, exponents only below 1e-9 and from 1e15; "-" for NaN. */
const char *number_text(char words[NUMBER_SIZE], double number);
/* The same with a sign. */
const char *signed_text(char words[NUMBER_SIZE], double number);
/* A difference, or 0 where it is no more than the rounding of what was subtracted. */
double without_noise(double number, double whole);

#endif
