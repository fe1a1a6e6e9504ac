/* What a codec makes of a value: bytes and processor time, interpolated between the knots of the profile.
 *
 * Between two knots the logarithms are interpolated, which fits measured costs within a few per cent; beyond the ends,
 * the line through the last two knots is prolonged, never below nothing. */
#include "model/sim.h"

#include <string.h>

enum quantity { QUANTITY_STORED, QUANTITY_COMPRESS, QUANTITY_DECOMPRESS, QUANTITY_SET_COPY, QUANTITY_GET_COPY };

static double codec_at_knot(const struct cc_codec_knot *knot, enum quantity quantity)
{
    switch (quantity) {
    case QUANTITY_STORED:
        return knot->stored;
    case QUANTITY_COMPRESS:
        return knot->compress;
    case QUANTITY_DECOMPRESS:
        return knot->decompress;
    case QUANTITY_SET_COPY:
        return knot->set_copy;
    case QUANTITY_GET_COPY:
        break;
    }
    return knot->get_copy;
}

static double codec_interpolate(const struct cc_codec *codec, double bytes, enum quantity quantity)
{
    const struct cc_codec_knot *knots = codec->knots;
    uint32_t count = codec->knot_count, i = 1;
    if (count == 1)
        return codec_at_knot(knots, quantity) * bytes / knots->bytes;
    while (i < count - 1 && knots[i].bytes < bytes)
        i++;
    double x0 = knots[i - 1].bytes, x1 = knots[i].bytes;
    double y0 = codec_at_knot(&knots[i - 1], quantity), y1 = codec_at_knot(&knots[i], quantity);
    bool inside = bytes >= x0 && bytes <= x1 && y0 > 0 && y1 > 0;
    if (inside)
        return cc_exp(cc_log(y0) +
                      (cc_log(y1) - cc_log(y0)) * (cc_log(bytes) - cc_log(x0)) / (cc_log(x1) - cc_log(x0)));
    double line = y0 + (y1 - y0) * (bytes - x0) / (x1 - x0);
    return line > 0 ? line : 0;
}

struct coding codec_of(const struct cc_scenario *scenario)
{
    const struct cc_connection_rules *rules = &scenario->l2.connection;
    struct coding coding = {.stored = scenario->value_size + rules->marker};
    /* A value that is not compressed may cost something too: a profile's "none" is a copy. */
    bool none = strcmp(rules->codec, "none") == 0 || scenario->value_size < rules->threshold;
    const char *name = none ? "none" : rules->codec;
    for (uint32_t i = 0; i < scenario->profile.codec_count; i++) {
        const struct cc_codec *codec = &scenario->profile.codecs[i];
        if (scenario->value_size == 0 || strcmp(codec->name, name) != 0)
            continue;
        double bytes = (double)scenario->value_size;
        uint64_t stored = cc_nearest_time(codec_interpolate(codec, bytes, QUANTITY_STORED));
        if (!none)
            coding.stored = (rules->base64 ? (stored + 2) / 3 * 4 : stored) + rules->marker;
        coding.encode = cc_nearest_time(codec_interpolate(codec, bytes, QUANTITY_COMPRESS));
        coding.decode = cc_nearest_time(codec_interpolate(codec, bytes, QUANTITY_DECOMPRESS));
        coding.set_copy = codec_interpolate(codec, bytes, QUANTITY_SET_COPY);
        coding.get_copy = codec_interpolate(codec, bytes, QUANTITY_GET_COPY);
    }
    return coding;
}

/* ---- bytes on their way -------------------------------------------------------------------------------------------- */

static double codec_between(double x, double x0, double x1, double y0, double y1)
{
    return y0 + (y1 - y0) * (cc_log(x) - cc_log(x0)) / (cc_log(x1) - cc_log(x0));
}

static struct cc_byte_costs codec_mix(double x, double x0, double x1, struct cc_byte_costs a, struct cc_byte_costs b)
{
    return (struct cc_byte_costs){.client_out = codec_between(x, x0, x1, a.client_out, b.client_out),
                                  .client_in = codec_between(x, x0, x1, a.client_in, b.client_in),
                                  .server_in = codec_between(x, x0, x1, a.server_in, b.server_in),
                                  .server_out = codec_between(x, x0, x1, a.server_out, b.server_out)};
}

static struct cc_byte_costs codec_at_depth(const struct cc_byte_knot *knot, double depth)
{
    const struct cc_byte_costs *d = knot->depths;
    uint32_t i = 0, last = knot->depth_count - 1;
    while (i < last && d[i].depth < depth)
        i++;
    if (i == 0 || depth >= d[i].depth)
        return d[i]; /* at a knot, or beyond the ends */
    return codec_mix(depth, d[i - 1].depth, d[i].depth, d[i - 1], d[i]);
}

void codec_bytes(struct cc_run *run)
{
    const struct cc_profile *profile = &run->scenario->profile;
    double bytes = (double)(run->coding.stored > 0 ? run->coding.stored : 1);
    uint32_t i = 0, last = profile->byte_count - 1;
    if (profile->byte_count == 0)
        return;
    while (i < last && profile->bytes[i].bytes < bytes)
        i++;
    const struct cc_byte_knot *knot = &profile->bytes[i];
    for (uint32_t depth = 0; depth < BYTE_DEPTHS; depth++) {
        double d = depth > 0 ? depth : 1;
        run->byte_costs[depth] =
            i == 0 || bytes >= knot->bytes
                ? codec_at_depth(knot, d)
                : codec_mix(bytes, knot[-1].bytes, knot->bytes, codec_at_depth(&knot[-1], d), codec_at_depth(knot, d));
    }
}
