/* The event queue against a plain sorted list. */
#include "engine/queue.h"
#include "engine/random.h"
#include "support/unit.h"

#include <stdlib.h>

static int in_order(const void *a, const void *b)
{
    const struct cc_event *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->word < y->word ? -1 : x->word > y->word;
}

/* Random pushes and pops with many ties; each pop must give the least of what a list holds. */
static void check_against_list(uint64_t first_sequence)
{
    struct cc_queue queue;
    struct cc_random random;
    static struct cc_event list[4000];
    size_t count = 0;
    uint64_t order = 0;
    assert_true(cc_queue_start(&queue, 1, NULL));
    queue.sequence = first_sequence;
    cc_random_start(&random, 7, 0, "queue", 0);
    for (int step = 0; step < 20000; step++) {
        bool push = count < 2 || (count < 3990 && cc_random_below(&random, 100) < 52);
        if (push) {
            cc_time time = cc_random_below(&random, 50);
            uint32_t type = (uint32_t)cc_random_below(&random, 64);
            uint32_t argument = (uint32_t)cc_random_below(&random, CC_EVENT_ARGUMENT_MAX + UINT64_C(1));
            cc_queue_push(&queue, time, type, argument);
            list[count++] = (struct cc_event){time, order++ << CC_EVENT_SEQUENCE_SHIFT |
                                                        (uint64_t)type << CC_EVENT_ARGUMENT_BITS | argument};
        } else {
            struct cc_event event = {0};
            qsort(list, count, sizeof *list, in_order);
            assert_true(cc_queue_pop(&queue, &event));
            assert_int_equal(event.time, list[0].time);
            assert_int_equal(cc_event_type(event), cc_event_type(list[0]));
            assert_int_equal(cc_event_argument(event), cc_event_argument(list[0]));
            list[0] = list[--count];
        }
        assert_int_equal(cc_queue_pending(&queue), count);
    }
    cc_queue_end(&queue);
}

static void gives_the_least(void **state)
{
    (void)state;
    check_against_list(0);
}

static void keeps_order_when_sequence_numbers_run_out(void **state)
{
    (void)state;
    check_against_list(CC_EVENT_SEQUENCE_MAX - 5000);
}

static void *refuse(void *context, void *block, size_t old_size, size_t size)
{
    int *left = context;
    (void)old_size;
    if (size == 0) {
        free(block);
        return NULL;
    }
    return (*left)-- > 0 ? realloc(block, size) : NULL;
}

static void reports_that_memory_is_out(void **state)
{
    (void)state;
    int allowed = 1;
    cc_allocator allocator = {refuse, &allowed};
    struct cc_queue queue;
    assert_true(cc_queue_start(&queue, 16, &allocator));
    for (uint32_t i = 0; i < 17; i++)
        cc_queue_push(&queue, i, 0, i);
    assert_true(queue.out_of_memory);
    assert_int_equal(cc_queue_pending(&queue), 16);
    cc_queue_end(&queue);
    allowed = 0;
    assert_false(cc_queue_start(&queue, 16, &allocator));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_the_least),
        cmocka_unit_test(keeps_order_when_sequence_numbers_run_out),
        cmocka_unit_test(reports_that_memory_is_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
