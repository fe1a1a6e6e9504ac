/* Payloads to compress: recommendation contexts as JSON, the same bytes for the same seed on every machine, or a
 * directory of the user's own files. */
#ifndef BENCH_PAYLOAD_H
#define BENCH_PAYLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct payload {
    const unsigned char *bytes;
    size_t size;
};

struct payload_set {
    struct payload *items; /* in a fixed shuffled order */
    size_t count;
    size_t total;         /* bytes in all */
    size_t least, most;   /* sizes */
    unsigned char *block; /* holds all of them, or NULL where another set does */
};

/* Distinct documents of whole items, each of at most `bytes` (at least 128) and as near to it as items allow: enough of
 * them for at least `count` and `total` bytes. False when out of memory. Free with payload_set_free. */
bool payload_set_make(struct payload_set *set, size_t bytes, size_t count, size_t total, uint64_t seed);
/* The regular files of a directory, not empty and up to 64 MiB each, in order of name. On failure false and one line of
 * why in `problem`. */
bool payload_set_read(struct payload_set *set, const char *directory, char *problem, size_t problem_size);
/* Splits a set by size into at most `most` (1 or more) classes, small ones first; each in a fixed shuffled order and valid
 * only as long as `set` is. Their number, or 0 when out of memory. Free each with payload_set_free. */
size_t payload_set_classes(const struct payload_set *set, struct payload_set *classes, size_t most);
void payload_set_free(struct payload_set *set);
/* The SHA-256 of all payloads in order, each behind its size as 8 bytes, little-endian: 64 hexadecimal digits. */
void payload_set_digest(const struct payload_set *set, char hex[65]);

#endif
