/* Any bytes as a scenario: they are refused with a well-formed error, or they are read, explained, read again to the same
 * explanation, run for a while without breaking a law of conservation, and reported. All memory comes back. */
#include "cachecast.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY_LIMIT ((size_t)64 << 20)
#define VARIANTS 4
#define EVENTS 20000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition)                                                            \
    do {                                                                              \
        if (!(condition)) {                                                           \
            fprintf(stderr, "%s:%d: violated: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                  \
        }                                                                             \
    } while (0)

struct block {
    size_t size;
    max_align_t data[];
};

struct memory {
    size_t bytes, blocks;
};

static void *memory_resize(void *context, void *place, size_t old_size, size_t size)
{
    struct memory *memory = context;
    struct block *block = NULL;
    if (place) {
        block = (struct block *)(void *)((char *)place - offsetof(struct block, data));
        REQUIRE(block->size == old_size);
    } else {
        old_size = 0;
    }
    if (size == 0) {
        memory->blocks -= block ? 1 : 0;
        memory->bytes -= old_size;
        free(block);
        return NULL;
    }
    if (size > MEMORY_LIMIT || memory->bytes - old_size > MEMORY_LIMIT - size)
        return NULL;
    struct block *grown = realloc(block, sizeof *grown + size);
    if (!grown)
        return NULL;
    memory->blocks += block ? 0 : 1;
    memory->bytes += size - old_size;
    grown->size = size;
    return grown->data;
}

/* A wrong scenario is told by one line with a place; only memory may run out elsewhere. */
static void require_error(const cc_error *error, cc_status status)
{
    REQUIRE(error->status == status || error->status == CC_OUT_OF_MEMORY);
    REQUIRE(memchr(error->message, 0, sizeof error->message) && memchr(error->pointer, 0, sizeof error->pointer));
    REQUIRE(error->message[0] != 0 && !strchr(error->message, '\n'));
    REQUIRE(error->status != CC_BAD_INPUT || (error->line >= 1 && error->column >= 1));
}

static void try_explained(const cc_scenario *scenario, const cc_allocator *allocator)
{
    char *first = cc_scenario_explain(scenario);
    if (!first)
        return;
    cc_error error;
    cc_scenario *again = cc_scenario_parse(first, strlen(first), &(cc_parse_options){.allocator = allocator}, &error);
    if (again) {
        char *second = cc_scenario_explain(again);
        REQUIRE(!second || strcmp(first, second) == 0);
        cc_text_free(second, allocator);
        cc_scenario_free(again);
    } else {
        REQUIRE(error.status == CC_OUT_OF_MEMORY || strlen(first) > (size_t)16 << 20);
    }
    cc_text_free(first, allocator);
}

static void try_run(const cc_scenario *scenario, const cc_allocator *allocator)
{
    cc_error error;
    cc_run *run = cc_run_new(scenario, 0, &error);
    if (!run) {
        require_error(&error, CC_OUT_OF_MEMORY);
        return;
    }
    cc_status status = cc_run_advance(run, EVENTS, &error);
    REQUIRE(status == CC_OK || status == CC_MORE || status == CC_OUT_OF_MEMORY);
    REQUIRE(cc_run_events(run) <= EVENTS);
    REQUIRE(cc_run_progress(run) >= 0 && cc_run_progress(run) <= 1);
    if (status != CC_OUT_OF_MEMORY) {
        char *report = cc_run_report(run, &error);
        REQUIRE(report || error.status == CC_OUT_OF_MEMORY);
        cc_text_free(report, allocator);
    }
    cc_run_free(run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct memory memory = {0, 0};
    cc_allocator allocator = {memory_resize, &memory};
    cc_error error;
    size_t count = cc_scenario_variants((const char *)data, size, &allocator, &error);
    if (count == 0)
        require_error(&error, CC_BAD_INPUT);
    for (size_t variant = 0; variant < count && variant < VARIANTS; variant++) {
        cc_scenario *scenario = cc_scenario_parse(
            (const char *)data, size, &(cc_parse_options){.variant = variant, .allocator = &allocator}, &error);
        if (scenario) {
            try_explained(scenario, &allocator);
            try_run(scenario, &allocator);
            cc_scenario_free(scenario);
        } else {
            require_error(&error, CC_BAD_INPUT);
        }
    }
    REQUIRE(memory.blocks == 0 && memory.bytes == 0);
    return 0;
}
