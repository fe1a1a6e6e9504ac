/* The codecs: the real libraries behind one small interface.
 *
 * Names as scenarios, profiles and options use them: "none" (memcpy), "snappy" (snappy-c.h), "lz4" (LZ4_compress_default),
 * "lz4:N" (LZ4_compress_fast with acceleration N), "zstd:1", "zstd:3" (where the build found zstd). */
#ifndef BENCH_CODEC_H
#define BENCH_CODEC_H

#include <stdbool.h>
#include <stddef.h>

struct codec; /* immutable; may be used by any thread */

/* The built-in codecs in their fixed order, "none" first; NULL behind the last. */
const struct codec *codec_at(size_t index);
/* The codec of that name (any N of "lz4:N" from 1 to 65537), or NULL. */
const struct codec *codec_find(const char *name);
const char *codec_name(const struct codec *codec);
const char *codec_library(const struct codec *codec); /* "liblz4 1.9.4, shared" */

/* What one thread needs to call a codec again and again (zstd's contexts, lz4's state); others need nothing. NULL when
 * out of memory. One thread at a time. */
struct codec_state *codec_state_new(const struct codec *codec);
void codec_state_free(struct codec_state *state);

/* An output of at least `room` bytes, written over once so that no page is first touched while a clock runs; NULL when out
 * of memory; freed with free. Always at the start of a page: where in a cache line the output starts changes Snappy's
 * decompression of 1 kB by 8 %. */
void *codec_output_new(size_t room);

size_t codec_bound(const struct codec *codec, size_t bytes); /* most bytes that compressing so many can give */
/* Compresses into `out`, which holds codec_bound bytes: the compressed size, 0 on failure. */
size_t codec_compress(struct codec_state *state, const void *in, size_t bytes, void *out, size_t room);
/* Decompresses exactly `bytes` bytes into `out`; false on corrupt input or another size. */
bool codec_decompress(struct codec_state *state, const void *in, size_t stored, void *out, size_t bytes);

#endif
