#include "codec_plain.h"

#include <lz4.h>
#include <snappy-c.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef CACHECAST_ZSTD
#include <zstd.h>
#endif

#include "codec.h"

enum library { SNAPPY, LZ4, ZSTD, UNKNOWN };

struct codec_plain {
    enum library library;
    const struct payload_set *set, *packed;
    char *out;
    size_t room, stored;
#ifdef CACHECAST_ZSTD
    ZSTD_CCtx *compressor;
    ZSTD_DCtx *decompressor;
#endif
};

static enum library library_of(const char *codec)
{
#ifdef CACHECAST_ZSTD
    if (strcmp(codec, "zstd:1") == 0)
        return ZSTD;
#endif
    return strcmp(codec, "snappy") == 0 ? SNAPPY : strcmp(codec, "lz4") == 0 ? LZ4 : UNKNOWN;
}

bool codec_plain_knows(const char *codec) { return library_of(codec) != UNKNOWN; }

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

/* Compresses all payloads into the one output. */
static bool compress_all(struct codec_plain *plain)
{
    size_t stored = 0;
    const struct payload *items = plain->set->items;
    bool good = true;
    for (size_t i = 0; i < plain->set->count; i++) {
        size_t size = plain->room;
        if (plain->library == SNAPPY) {
            good &= snappy_compress((const char *)items[i].bytes, items[i].size, plain->out, &size) == SNAPPY_OK;
        } else if (plain->library == LZ4) {
            int made =
                LZ4_compress_default((const char *)items[i].bytes, plain->out, (int)items[i].size, (int)plain->room);
            good &= made > 0;
            size = (size_t)made;
        } else {
#ifdef CACHECAST_ZSTD
            size = ZSTD_compressCCtx(plain->compressor, plain->out, plain->room, items[i].bytes, items[i].size, 1);
            good &= !ZSTD_isError(size);
#endif
        }
        stored += size;
    }
    plain->stored = stored;
    return good;
}

static bool decompress_all(struct codec_plain *plain)
{
    const struct payload *items = plain->set->items, *packed = plain->packed->items;
    bool good = true;
    for (size_t i = 0; i < plain->set->count; i++) {
        size_t size = items[i].size;
        if (plain->library == SNAPPY) {
            good &= snappy_uncompress((const char *)packed[i].bytes, packed[i].size, plain->out, &size) == SNAPPY_OK;
        } else if (plain->library == LZ4) {
            good &= LZ4_decompress_safe((const char *)packed[i].bytes, plain->out, (int)packed[i].size, (int)size) ==
                    (int)size;
        } else {
#ifdef CACHECAST_ZSTD
            good &= ZSTD_decompressDCtx(plain->decompressor, plain->out, size, packed[i].bytes, packed[i].size) == size;
#endif
        }
    }
    return good;
}

struct codec_plain *codec_plain_new(const char *codec, const struct payload_set *set, const struct payload_set *packed)
{
    struct codec_plain *plain = calloc(1, sizeof *plain);
    if (!plain)
        return NULL;
    plain->library = library_of(codec);
    plain->set = set;
    plain->packed = packed;
    plain->room = set->most + set->most / 6 + 1024; /* more than any of the three can give */
    plain->out = codec_output_new(plain->room);
    bool good = plain->library != UNKNOWN && packed->count == set->count && plain->out;
#ifdef CACHECAST_ZSTD
    plain->compressor = ZSTD_createCCtx();
    plain->decompressor = ZSTD_createDCtx();
    good = good && plain->compressor && plain->decompressor;
#endif
    if (good && compress_all(plain))
        return plain;
    codec_plain_free(plain);
    return NULL;
}

void codec_plain_free(struct codec_plain *plain)
{
    if (!plain)
        return;
#ifdef CACHECAST_ZSTD
    ZSTD_freeCCtx(plain->compressor);
    ZSTD_freeDCtx(plain->decompressor);
#endif
    free(plain->out);
    free(plain);
}

size_t codec_plain_stored(const struct codec_plain *plain) { return plain->stored; }

double codec_plain_compress(struct codec_plain *plain, size_t passes)
{
    bool good = true;
    double began = now();
    for (size_t i = 0; i < passes; i++)
        good &= compress_all(plain);
    double taken = now() - began;
    return good ? taken / (double)(passes * plain->set->count) : -1;
}

double codec_plain_decompress(struct codec_plain *plain, size_t passes)
{
    bool good = true;
    double began = now();
    for (size_t i = 0; i < passes; i++)
        good &= decompress_all(plain);
    double taken = now() - began;
    return good ? taken / (double)(passes * plain->set->count) : -1;
}
