/* Any bytes as a link: what is accepted is written, and read and written again gives the same link. */
#include "cachecast.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cc_error error;
    char *state = cc_link_read((const char *)data, size, NULL, &error);
    if (!state)
        return 0;
    char *link = cc_link_write(state, strlen(state), NULL, &error);
    /* Coding can make a link too long, and parts too many. */
    if (link) {
        char *again = cc_link_read(link, strlen(link), NULL, &error);
        char *twice = again ? cc_link_write(again, strlen(again), NULL, &error) : NULL;
        if (!twice || strcmp(twice, link) != 0)
            abort();
        cc_text_free(twice, NULL);
        cc_text_free(again, NULL);
    }
    cc_text_free(link, NULL);
    cc_text_free(state, NULL);
    return 0;
}
