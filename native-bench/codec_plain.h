/* A plain loop around the libraries' own functions, written without the rest of the bench: what its figures are held
 * against. Knows "snappy", "lz4" and "zstd:1". */
#ifndef BENCH_CODEC_PLAIN_H
#define BENCH_CODEC_PLAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "payload.h"

struct codec_plain;

bool codec_plain_knows(const char *codec);
/* `packed` holds the compressed payloads in the order of the set, which decompressing reads. NULL when a call failed or out
 * of memory. */
struct codec_plain *codec_plain_new(const char *codec, const struct payload_set *set, const struct payload_set *packed);
void codec_plain_free(struct codec_plain *plain);
size_t
codec_plain_stored(const struct codec_plain *plain); /* bytes of all payloads, as the plain loop compressed them */
/* So many passes over all payloads: processor time per call, in nanoseconds. Negative when a call failed. */
double codec_plain_compress(struct codec_plain *plain, size_t passes);
double codec_plain_decompress(struct codec_plain *plain, size_t passes);

#endif
