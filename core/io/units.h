/* Durations, sizes and percentages as people write them. Integer arithmetic throughout: "0.1ms" is 100,000 ns and nothing
 * else, and a locale's decimal point plays no part. */
#ifndef CC_IO_UNITS_H
#define CC_IO_UNITS_H

#include "engine/base.h"

#define CC_DURATION_MAX (UINT64_C(30) * 86400 * CC_SECOND) /* 30 days */
#define CC_DURATION_TEXT 32
#define CC_BYTES_MAX (UINT64_C(1) << 50)

enum cc_unit_error { CC_UNIT_OK, CC_UNIT_SYNTAX, CC_UNIT_TOO_FINE, CC_UNIT_TOO_LARGE };

/* "1.5ms": digits, perhaps a fraction, a unit (ns, us, ms, s, m, h, d). */
enum cc_unit_error cc_duration_parse(const char *words, cc_time *duration);
/* In the largest of s, ms, us, ns in which it is a whole number. */
void cc_duration_text(cc_time duration, char words[CC_DURATION_TEXT]);
/* "1.5KiB", "300kB", "512": a whole number of bytes, with B, kB, MB, GB, KiB, MiB, GiB or no unit. */
enum cc_unit_error cc_bytes_parse(const char *words, uint64_t *bytes);
/* In the largest unit in which it is a whole number. */
void cc_bytes_text(uint64_t bytes, char words[CC_DURATION_TEXT]);
/* "8%" is 8. */
enum cc_unit_error cc_percent_parse(const char *words, double *percent);

#endif
