/* The libraries behind the interface. A call adds one branch to the library's own function, some nanoseconds at most. */
#include "codec.h"

#include <dlfcn.h>
#include <lz4.h>
#include <pthread.h>
#include <snappy-c.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef CACHECAST_ZSTD
#include <zstd.h>
#endif

enum kind { NONE, SNAPPY, LZ4, ZSTD };

struct codec {
    char name[16];
    enum kind kind;
    int level; /* LZ4: acceleration, 0 for LZ4_compress_default; zstd: level */
};

struct codec_state {
    const struct codec *codec;
#ifdef CACHECAST_ZSTD
    ZSTD_CCtx *compressor;
    ZSTD_DCtx *decompressor;
#endif
};

#define PAGE 4096u
#define ACCELERATION_MOST 65537 /* LZ4_ACCELERATION_MAX; more is the same */

static const struct codec builtin[] = {
    {"none", NONE, 0},   {"snappy", SNAPPY, 0}, {"lz4", LZ4, 0}, {"lz4:8", LZ4, 8},
#ifdef CACHECAST_ZSTD
    {"zstd:1", ZSTD, 1}, {"zstd:3", ZSTD, 3},
#endif
};
#define BUILTIN_COUNT (sizeof builtin / sizeof *builtin)

const struct codec *codec_at(size_t index) { return index < BUILTIN_COUNT ? &builtin[index] : NULL; }

/* ---- codecs by name --------------------------------------------------------------------------------------------- */

/* Accelerations that were asked for live as long as the program: whoever has a codec need not give it back. */
struct made {
    struct codec codec;
    struct made *next;
};
static struct made *made;
static pthread_mutex_t made_lock = PTHREAD_MUTEX_INITIALIZER;

static const struct codec *find_made(const char *name, int level)
{
    pthread_mutex_lock(&made_lock);
    struct made *one = made;
    while (one && one->codec.level != level)
        one = one->next;
    if (!one && (one = malloc(sizeof *one)) != NULL) {
        one->codec = (struct codec){"", LZ4, level};
        snprintf(one->codec.name, sizeof one->codec.name, "%s", name);
        one->next = made;
        made = one;
    }
    pthread_mutex_unlock(&made_lock);
    return one ? &one->codec : NULL;
}

const struct codec *codec_find(const char *name)
{
    for (size_t i = 0; i < BUILTIN_COUNT; i++)
        if (strcmp(builtin[i].name, name) == 0)
            return &builtin[i];
    if (strncmp(name, "lz4:", 4) != 0)
        return NULL;
    const char *digits = name + 4;
    size_t length = strspn(digits, "0123456789");
    if (digits[0] < '1' || digits[0] > '9' || digits[length] != '\0' || length > 5)
        return NULL;
    long level = strtol(digits, NULL, 10);
    return level <= ACCELERATION_MOST ? find_made(name, (int)level) : NULL;
}

const char *codec_name(const struct codec *codec) { return codec->name; }

/* ---- where the code comes from ---------------------------------------------------------------------------------- */

/* A function that the dynamic linker knows lives in a shared object; one that was linked in statically it does not know,
 * or finds in the program itself. */
static const char *linkage(const char *function)
{
    Dl_info where;
    void *place = dlsym(RTLD_DEFAULT, function);
    bool shared = place && dladdr(place, &where) != 0 && where.dli_fname &&
                  (strstr(where.dli_fname, ".so") || strstr(where.dli_fname, ".dylib"));
    return shared ? "shared" : "static";
}

static char libraries[ZSTD + 1][64];
static pthread_once_t libraries_once = PTHREAD_ONCE_INIT;

static void name_libraries(void)
{
    snprintf(libraries[NONE], sizeof *libraries, "memcpy of the C library");
    snprintf(libraries[SNAPPY], sizeof *libraries, "libsnappy %s, %s", CACHECAST_SNAPPY, linkage("snappy_compress"));
    snprintf(libraries[LZ4], sizeof *libraries, "liblz4 %s, %s", LZ4_versionString(), linkage("LZ4_versionString"));
#ifdef CACHECAST_ZSTD
    snprintf(libraries[ZSTD], sizeof *libraries, "libzstd %s, %s", ZSTD_versionString(), linkage("ZSTD_versionString"));
#endif
}

const char *codec_library(const struct codec *codec)
{
    pthread_once(&libraries_once, name_libraries);
    return libraries[codec->kind];
}

/* ---- calls ------------------------------------------------------------------------------------------------------ */

struct codec_state *codec_state_new(const struct codec *codec)
{
    struct codec_state *state = calloc(1, sizeof *state);
    if (!state)
        return NULL;
    state->codec = codec;
#ifdef CACHECAST_ZSTD
    if (codec->kind == ZSTD) {
        state->compressor = ZSTD_createCCtx();
        state->decompressor = ZSTD_createDCtx();
        if (!state->compressor || !state->decompressor) {
            codec_state_free(state);
            return NULL;
        }
    }
#endif
    return state;
}

void codec_state_free(struct codec_state *state)
{
    if (!state)
        return;
#ifdef CACHECAST_ZSTD
    ZSTD_freeCCtx(state->compressor);
    ZSTD_freeDCtx(state->decompressor);
#endif
    free(state);
}

void *codec_output_new(size_t room)
{
    size_t size = (room / PAGE + 1) * PAGE;
    void *out = aligned_alloc(PAGE, size);
    return out ? memset(out, 1, size) : NULL;
}

size_t codec_bound(const struct codec *codec, size_t bytes)
{
    switch (codec->kind) {
    case NONE:
        return bytes;
    case SNAPPY:
        return bytes <= UINT32_MAX ? snappy_max_compressed_length(bytes) : 0;
    case LZ4:
        return bytes <= LZ4_MAX_INPUT_SIZE ? (size_t)LZ4_compressBound((int)bytes) : 0;
    case ZSTD:
        break;
    }
#ifdef CACHECAST_ZSTD
    return ZSTD_compressBound(bytes);
#else
    return 0;
#endif
}

static size_t compress_lz4(const struct codec *codec, const void *in, size_t bytes, void *out, size_t room)
{
    if (bytes > LZ4_MAX_INPUT_SIZE)
        return 0;
    int most = room < INT32_MAX ? (int)room : INT32_MAX;
    int stored = codec->level == 0 ? LZ4_compress_default(in, out, (int)bytes, most)
                                   : LZ4_compress_fast(in, out, (int)bytes, most, codec->level);
    return stored > 0 ? (size_t)stored : 0;
}

size_t codec_compress(struct codec_state *state, const void *in, size_t bytes, void *out, size_t room)
{
    const struct codec *codec = state->codec;
    switch (codec->kind) {
    case NONE:
        if (room < bytes)
            return 0;
        memcpy(out, in, bytes);
        return bytes;
    case SNAPPY: {
        size_t stored = room;
        return bytes <= UINT32_MAX && snappy_compress(in, bytes, out, &stored) == SNAPPY_OK ? stored : 0;
    }
    case LZ4:
        return compress_lz4(codec, in, bytes, out, room);
    case ZSTD:
        break;
    }
#ifdef CACHECAST_ZSTD
    size_t stored = ZSTD_compressCCtx(state->compressor, out, room, in, bytes, codec->level);
    return ZSTD_isError(stored) ? 0 : stored;
#else
    return 0;
#endif
}

bool codec_decompress(struct codec_state *state, const void *in, size_t stored, void *out, size_t bytes)
{
    switch (state->codec->kind) {
    case NONE:
        if (stored != bytes)
            return false;
        memcpy(out, in, bytes);
        return true;
    case SNAPPY: {
        size_t size = bytes; /* refuses more than there is room for; tells the true size */
        return snappy_uncompress(in, stored, out, &size) == SNAPPY_OK && size == bytes;
    }
    case LZ4:
        return stored <= INT32_MAX && bytes <= INT32_MAX &&
               LZ4_decompress_safe(in, out, (int)stored, (int)bytes) == (int)bytes;
    case ZSTD:
        break;
    }
#ifdef CACHECAST_ZSTD
    return ZSTD_decompressDCtx(state->decompressor, out, bytes, in, stored) == bytes;
#else
    return false;
#endif
}
