/* Where in the text a value stands. jansson keeps no positions of values, so the text, known to be valid JSON, is
 * walked once more when an error needs a place. */
#ifndef CC_IO_LOCATE_H
#define CC_IO_LOCATE_H

#include "engine/base.h"

/* The line and column (from 1, in characters) of what the pointer names: the value, or with `key` its key. Where the
 * pointer leads nowhere: of the innermost value on its way. */
void cc_locate(const char *text, size_t length, const char *pointer, bool key, unsigned *line, unsigned *column);
/* The line and column of a byte. */
void cc_locate_byte(const char *text, size_t length, size_t byte, unsigned *line, unsigned *column);

#endif
