/* SHA-256 (FIPS 180-4): tells payload sets apart. */
#ifndef BENCH_SHA256_H
#define BENCH_SHA256_H

#include <stddef.h>
#include <stdint.h>

struct sha256 {
    uint32_t state[8];
    uint64_t length; /* bytes so far */
    unsigned char block[64];
};

void sha256_start(struct sha256 *hash);
void sha256_add(struct sha256 *hash, const void *bytes, size_t count);
/* 64 hexadecimal digits. */
void sha256_end(struct sha256 *hash, char hex[65]);

#endif
