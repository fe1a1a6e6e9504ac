/* The pipelined client against a private redis-server: replies reach their own callers, in order. */
#include "client.h"
#include "command.h"
#include "engine/random.h"
#include "spawn.h"
#include "support/unit.h"

#include <hiredis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct spawn *server; /* NULL: no redis-server */

static int start_server(void **state)
{
    (void)state;
    char path[1024], problem[1024];
    if (!spawn_find(path, sizeof path)) {
        printf("redis-server is not installed: the tests of the client are skipped\n");
        return 0;
    }
    server = spawn_start(problem, sizeof problem);
    if (server == NULL)
        printf("%s\n", problem);
    return server != NULL ? 0 : -1;
}

static int stop_server(void **state)
{
    (void)state;
    char directory[1024] = "";
    if (server == NULL)
        return 0;
    snprintf(directory, sizeof directory, "%s", spawn_directory(server));
    spawn_stop(server);
    return access(directory, F_OK) != 0 ? 0 : -1;
}

static struct client *connect_client(size_t connections, enum client_mode mode)
{
    char problem[256] = "";
    struct client *client = client_new("127.0.0.1", spawn_port(server), connections, mode, problem, sizeof problem);
    if (client == NULL)
        fail_msg("%s", problem);
    return client;
}

/* ---- many threads ----------------------------------------------------------------------------------------------- */

enum { THREADS = 16, ROUNDS = 150, DEPTH = 32, VALUE_MOST = 200000 };

struct thread {
    struct client *client;
    struct caller caller;
    size_t number;
    unsigned mismatches, missing, disorder;
};

/* Random pipelines of SET, GET and ECHO; every reply has to be the caller's own and the newest value. */
static void *check_replies(void *context)
{
    struct thread *thread = context;
    struct cc_random random;
    char key[32], words[DEPTH][32];
    size_t size = 0;
    struct command *commands = calloc(DEPTH, sizeof *commands);
    unsigned char *value = malloc(VALUE_MOST);
    if (commands == NULL || value == NULL)
        abort();
    cc_random_start(&random, 1, 0, "client", thread->number);
    snprintf(key, sizeof key, "test:%zu", thread->number);
    for (int round = 0; round < ROUNDS; round++) {
        size_t depth = 2 + cc_random_below(&random, DEPTH - 1);
        size = cc_random_below(&random, 20) == 0 ? cc_random_below(&random, VALUE_MOST) : cc_random_below(&random, 300);
        memset(value, (int)cc_random_below(&random, 256), size);
        command_set(&commands[0], key, value, size);
        for (size_t i = 1; i < depth; i++) {
            snprintf(words[i], sizeof words[i], "%zu-%d-%zu", thread->number, round, i);
            if (i % 3 == 1)
                command_word(&commands[i], "GET", key);
            else
                command_word(&commands[i], "ECHO", words[i]);
        }
        struct connection *connection = client_acquire(thread->client, thread->number);
        bool complete = connection_call(connection, &thread->caller, commands, depth);
        client_release(thread->client, connection);
        if (!complete) {
            thread->missing++;
            break;
        }
        for (size_t i = 0; i < depth; i++) {
            const redisReply *reply = commands[i].reply;
            if (i == 0)
                thread->mismatches += reply->type != REDIS_REPLY_STATUS;
            else if (i % 3 == 1)
                thread->mismatches += reply->type != REDIS_REPLY_STRING || reply->len != size ||
                                      (size > 0 && memcmp(reply->str, value, size) != 0);
            else
                thread->mismatches += reply->type != REDIS_REPLY_STRING || strcmp(reply->str, words[i]) != 0;
            thread->disorder += commands[i].submitted > commands[i].written ||
                                commands[i].written > commands[i].parsed || commands[i].parsed > commands[i].awake ||
                                (i > 0 && commands[i - 1].parsed > commands[i].parsed);
            command_free_reply(&commands[i]);
        }
    }
    free(value);
    free(commands);
    return NULL;
}

static void check(size_t connections, enum client_mode mode)
{
    if (server == NULL)
        skip();
    struct client *client = connect_client(connections, mode);
    struct thread threads[THREADS] = {{0}};
    pthread_t started[THREADS];
    for (size_t i = 0; i < THREADS; i++) {
        threads[i].client = client;
        threads[i].number = i;
        assert_true(caller_start(&threads[i].caller));
        assert_int_equal(pthread_create(&started[i], NULL, check_replies, &threads[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(started[i], NULL);
    struct connection_counts counts = client_counts(client);
    client_free(client);
    for (size_t i = 0; i < THREADS; i++) {
        caller_end(&threads[i].caller);
        assert_int_equal(threads[i].mismatches, 0);
        assert_int_equal(threads[i].missing, 0);
        assert_int_equal(threads[i].disorder, 0);
    }
    assert_int_equal(counts.strays, 0);
    assert_true(counts.commands >= (uint64_t)THREADS * ROUNDS * 2);
    assert_true(counts.batches <= counts.commands && counts.largest_batch >= 2);
    assert_true(counts.cpu > 0);
}

static void one_shared_connection_keeps_replies_in_order(void **state)
{
    (void)state;
    check(1, CLIENT_SHARED);
}

static void several_shared_connections_keep_replies_in_order(void **state)
{
    (void)state;
    check(3, CLIENT_SHARED);
}

static void a_pool_keeps_replies_in_order(void **state)
{
    (void)state;
    check(3, CLIENT_POOL);
}

/* ---- one thread ------------------------------------------------------------------------------------------------- */

static void one_command_after_another(void **state)
{
    (void)state;
    if (server == NULL)
        skip();
    struct client *client = connect_client(1, CLIENT_POOL);
    struct caller caller;
    struct command command;
    assert_true(caller_start(&caller));
    command_word(&command, "PING", NULL);
    assert_true(client_command(client, 0, &caller, &command));
    assert_string_equal(command.reply->str, "PONG");
    command_free_reply(&command);
    command_set(&command, "test:empty", "", 0);
    assert_true(client_command(client, 0, &caller, &command));
    assert_string_equal(command.reply->str, "OK");
    command_free_reply(&command);
    command_word(&command, "GET", "test:empty");
    assert_true(client_command(client, 0, &caller, &command));
    assert_int_equal(command.reply->type, REDIS_REPLY_STRING);
    assert_int_equal(command.reply->len, 0);
    command_free_reply(&command);
    struct connection_counts counts = client_counts(client);
    assert_int_equal(counts.commands, 3);
    assert_int_equal(counts.batches, 3);
    client_free(client);
    caller_end(&caller);
}

/* The commands under way, and those that come later, return without a reply; nobody waits for ever. */
static void a_lost_connection_is_noticed(void **state)
{
    (void)state;
    if (server == NULL)
        skip();
    struct client *client = connect_client(1, CLIENT_SHARED);
    struct caller caller;
    struct command commands[3];
    assert_true(caller_start(&caller));
    command_word(&commands[0], "PING", NULL);
    command_word(&commands[1], "QUIT", NULL);
    command_word(&commands[2], "PING", NULL);
    assert_false(connection_call(client_acquire(client, 0), &caller, commands, 3));
    assert_null(commands[2].reply);
    for (int i = 0; i < 3; i++)
        command_free_reply(&commands[i]);
    assert_false(client_command(client, 0, &caller, &commands[0]));
    assert_string_not_equal(client_problem(client), "");
    client_free(client);
    caller_end(&caller);
}

static void nobody_listens(void **state)
{
    (void)state;
    char problem[256] = "";
    assert_null(client_new("127.0.0.1", 1, 1, CLIENT_SHARED, problem, sizeof problem));
    assert_string_equal(problem, "cannot connect to 127.0.0.1:1: Connection refused");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_command_after_another),
        cmocka_unit_test(one_shared_connection_keeps_replies_in_order),
        cmocka_unit_test(several_shared_connections_keep_replies_in_order),
        cmocka_unit_test(a_pool_keeps_replies_in_order),
        cmocka_unit_test(a_lost_connection_is_noticed),
        cmocka_unit_test(nobody_listens),
    };
    return cmocka_run_group_tests(tests, start_server, stop_server);
}
