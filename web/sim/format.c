/* The numbers and messages of the C library, written and read by JavaScript (format.mjs), which has all of it already:
 * the C library's own code for this is a tenth of the module. Defined here, these two are linked in the place of its
 * own. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IMPORT(name) __attribute__((import_module("env"), import_name(name)))

/* As vsnprintf; the arguments lie in memory one after the other, each aligned to its own size. */
IMPORT("format_print") int format_print(char *out, size_t size, const char *format, const void *arguments);
IMPORT("format_number") double format_number(const char *text);

int vsnprintf(char *restrict out, size_t size, const char *restrict format, va_list arguments)
{
    return format_print(out, size, format, arguments);
}

/* Is given a number as JSON has it and nothing behind it: the number ends where the text does. */
double strtod(const char *restrict text, char **restrict end)
{
    double number = format_number(text);
    if (isinf(number))
        errno = ERANGE;
    if (end)
        *end = (char *)text + strlen(text);
    return number;
}
