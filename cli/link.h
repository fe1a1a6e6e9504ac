/* Links as a source of scenarios; the format is the library's (docs/links.md). */
#ifndef CLI_LINK_H
#define CLI_LINK_H

#include <stdint.h>

#include "cachecast.h"
#include "text.h"

/* What a link stands for: a text, and for A and perhaps B a variant of it with values laid over. */
struct link {
    const char *text; /* of the experiment, or "{}" */
    size_t sides;     /* 1: A; 2: A and B */
    struct link_side {
        size_t variant;
        cc_override *overrides; /* B's behind those of A */
        size_t count;
    } side[2];
    bool has_digest[2];
    uint32_t digest[2]; /* of the results when the link was made */
};

/* Ends the program on a wrong link. `more`: overrides laid over both sides. */
void link_read(struct link *link, const char *words, const cc_override *more, size_t more_count);
void link_free(struct link *link);

#endif
