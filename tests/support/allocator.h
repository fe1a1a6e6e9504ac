/* An allocator that counts what is live and fails once a given number of requests has been served. */
#ifndef CC_TESTS_ALLOCATOR_H
#define CC_TESTS_ALLOCATOR_H

#include "cachecast.h"

#include <stdlib.h>

struct counted {
    size_t live;   /* bytes, by the sizes that the caller states */
    size_t served; /* requests for memory */
    size_t limit;  /* requests that succeed */
};

static inline void *counted_resize(void *context, void *block, size_t old_size, size_t size)
{
    struct counted *counted = context;
    if (size == 0) {
        counted->live -= old_size;
        free(block);
        return NULL;
    }
    if (counted->served == counted->limit)
        return NULL;
    counted->served++;
    void *result = realloc(block, size);
    if (result)
        counted->live += size - old_size;
    return result;
}

static inline cc_allocator counted_allocator(struct counted *counted)
{
    return (cc_allocator){counted_resize, counted};
}

#endif
