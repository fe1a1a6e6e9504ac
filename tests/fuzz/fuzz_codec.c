/* Any bytes through the codecs. As a payload, perhaps repeated, they come back as they were; as compressed data, of whatever
 * claimed size, they are refused or decompressed within the room that there is, and so is a payload's compressed form with
 * one byte changed. */
#include "codec.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLAIM_MOST 65536u
#define REPEATS_MOST 16u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition)                                                            \
    do {                                                                              \
        if (!(condition)) {                                                           \
            fprintf(stderr, "%s:%d: violated: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                  \
        }                                                                             \
    } while (0)

/* The libraries are not instrumented: a guard behind the block tells what was written beyond it. */
static const unsigned char guard[16] = "0123456789abcde";

static unsigned char *guarded(size_t size)
{
    unsigned char *block = malloc(size + sizeof guard);
    REQUIRE(block);
    memcpy(block + size, guard, sizeof guard);
    return block;
}

static void release(unsigned char *block, size_t size)
{
    REQUIRE(memcmp(block + size, guard, sizeof guard) == 0);
    free(block);
}

static void try_round_trip(const struct codec *codec, struct codec_state *state, const uint8_t *data, size_t size)
{
    size_t room = codec_bound(codec, size);
    unsigned char *packed = guarded(room), *back = guarded(size);
    size_t stored = codec_compress(state, data, size, packed, room);
    REQUIRE(stored > 0 && stored <= room);
    REQUIRE(codec_decompress(state, packed, stored, back, size) && memcmp(back, data, size) == 0);
    /* One byte changed, at a place and to a value that the payload's first bytes say. */
    packed[(size_t)(data[0] << 8 | data[size - 1]) % stored] ^= data[size / 2];
    codec_decompress(state, packed, stored, back, size);
    release(packed, room);
    release(back, size);
    /* With too little room compressing fails, or fits all the same. */
    packed = guarded(stored - 1);
    REQUIRE(codec_compress(state, data, size, packed, stored - 1) < stored);
    release(packed, stored - 1);
}

static void try_hostile(struct codec_state *state, const uint8_t *data, size_t size, size_t claim)
{
    unsigned char *back = guarded(claim);
    codec_decompress(state, data, size, back, claim);
    release(back, claim);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct codec_state *states[16]; /* kept, as the bench keeps them: nothing may pass from call to call */
    if (size < 5)
        return 0;
    const struct codec *codec = NULL;
    size_t count = 0, claim = ((size_t)data[1] << 8 | data[2]) % CLAIM_MOST, repeats = 1u + data[3] % REPEATS_MOST;
    while (codec_at(count))
        count++;
    size_t which = data[0] % count;
    codec = codec_at(which);
    if (!states[which])
        states[which] = codec_state_new(codec);
    REQUIRE(states[which]);
    data += 4;
    size -= 4;
    try_hostile(states[which], data, size, claim);
    unsigned char *payload = guarded(repeats * size);
    for (size_t i = 0; i < repeats; i++)
        memcpy(payload + i * size, data, size);
    try_round_trip(codec, states[which], payload, repeats * size);
    release(payload, repeats * size);
    return 0;
}
