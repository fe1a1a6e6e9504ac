#include "io/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* An unsigned decimal of up to 18 digits: digits / 10^scale. Returns what follows it, NULL where there is none. */
static const char *units_decimal(const char *words, uint64_t *digits, unsigned *scale, bool *too_long)
{
    *digits = 0;
    *scale = 0;
    *too_long = false;
    if (*words < '0' || *words > '9')
        return NULL;
    for (; *words >= '0' && *words <= '9'; words++) {
        if (*digits >= UINT64_C(1000000000000000))
            *too_long = true;
        else
            *digits = *digits * 10 + (uint64_t)(*words - '0');
    }
    if (*words != '.')
        return words;
    words++;
    if (*words < '0' || *words > '9')
        return NULL;
    const char *end = words;
    while (*end >= '0' && *end <= '9')
        end++;
    const char *last = end;
    while (last > words && last[-1] == '0')
        last--;
    for (; words < last; words++) {
        if (*digits >= UINT64_C(100000000000000000)) {
            *too_long = true;
            break;
        }
        *digits = *digits * 10 + (uint64_t)(*words - '0');
        ++*scale;
    }
    return end;
}

static uint64_t units_power(unsigned scale)
{
    uint64_t power = 1;
    while (scale-- > 0)
        power *= 10;
    return power;
}

struct units_unit {
    const char *name;
    uint64_t size;
};

/* A decimal and a unit of the table, as a whole number of the smallest unit up to `most`. */
static enum cc_unit_error units_parse(const char *words, const struct units_unit *units, size_t count, uint64_t most,
                                      uint64_t *result)
{
    uint64_t digits;
    unsigned scale;
    bool too_long;
    const char *unit = units_decimal(words, &digits, &scale, &too_long);
    if (!unit)
        return CC_UNIT_SYNTAX;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(unit, units[i].name) != 0)
            continue;
        if (too_long)
            return scale > 0 ? CC_UNIT_TOO_FINE : CC_UNIT_TOO_LARGE;
        uint64_t power = units_power(scale);
        cc_wide product = (cc_wide)digits * units[i].size;
        if (product / power > most)
            return CC_UNIT_TOO_LARGE;
        if (product % power != 0)
            return CC_UNIT_TOO_FINE;
        *result = (uint64_t)(product / power);
        return CC_UNIT_OK;
    }
    return CC_UNIT_SYNTAX;
}

enum cc_unit_error cc_duration_parse(const char *words, cc_time *duration)
{
    static const struct units_unit units[] = {
        {"ns", 1},        {"us", 1000},          {"\xc2\xb5s", 1000},     {"\xce\xbcs", 1000},      {"ms", 1000000},
        {"s", CC_SECOND}, {"m", 60 * CC_SECOND}, {"h", 3600 * CC_SECOND}, {"d", 86400 * CC_SECOND},
    };
    return units_parse(words, units, sizeof units / sizeof *units, CC_DURATION_MAX, duration);
}

enum cc_unit_error cc_bytes_parse(const char *words, uint64_t *bytes)
{
    static const struct units_unit units[] = {
        {"", 1},          {"B", 1},         {"kB", 1000},     {"MB", 1000000}, {"GB", 1000000000},
        {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30},
    };
    return units_parse(words, units, sizeof units / sizeof *units, CC_BYTES_MAX, bytes);
}

void cc_bytes_text(uint64_t bytes, char words[CC_DURATION_TEXT])
{
    static const struct units_unit units[] = {{"GiB", 1 << 30},   {"MiB", 1 << 20}, {"KiB", 1 << 10},
                                              {"GB", 1000000000}, {"MB", 1000000},  {"kB", 1000}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (bytes > 0 && bytes % units[i].size == 0) {
            snprintf(words, CC_DURATION_TEXT, "%" PRIu64 "%s", bytes / units[i].size, units[i].name);
            return;
        }
    snprintf(words, CC_DURATION_TEXT, "%" PRIu64 "B", bytes);
}

void cc_duration_text(cc_time duration, char words[CC_DURATION_TEXT])
{
    static const char *const names[] = {"s", "ms", "us", "ns"};
    uint64_t size = CC_SECOND;
    unsigned unit = 0;
    for (; duration % size != 0; size /= 1000)
        unit++;
    snprintf(words, CC_DURATION_TEXT, "%" PRIu64 "%s", duration / size, names[unit]);
}

enum cc_unit_error cc_percent_parse(const char *words, double *percent)
{
    uint64_t digits;
    unsigned scale;
    bool too_long;
    const char *unit = units_decimal(words, &digits, &scale, &too_long);
    if (!unit || strcmp(unit, "%") != 0)
        return CC_UNIT_SYNTAX;
    if (too_long)
        return scale > 0 ? CC_UNIT_TOO_FINE : CC_UNIT_TOO_LARGE;
    *percent = (double)digits / (double)units_power(scale);
    return *percent > 1e6 ? CC_UNIT_TOO_LARGE : CC_UNIT_OK;
}
