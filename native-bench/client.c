/* Which caller uses which connection. */
#include "client.h"

#include <stdio.h>
#include <stdlib.h>

/* A caller that waits for a connection. */
struct waiter {
    pthread_cond_t served;
    struct connection *connection;
    struct waiter *next;
};

struct client {
    enum client_mode mode;
    size_t count;
    struct connection **connections;

    pthread_mutex_t lock; /* for the pool */
    struct connection **idle;
    size_t idle_count;
    struct waiter *first, *last;
};

struct client *client_new(const char *host, unsigned port, size_t connections, enum client_mode mode, char *problem,
                          size_t problem_size)
{
    struct client *client = calloc(1, sizeof *client);
    if (client != NULL) {
        client->mode = mode;
        client->connections = calloc(connections, sizeof(struct connection *));
        client->idle = calloc(connections, sizeof(struct connection *));
    }
    if (client == NULL || client->connections == NULL || client->idle == NULL ||
        pthread_mutex_init(&client->lock, NULL) != 0) {
        snprintf(problem, problem_size, "out of memory");
        if (client != NULL) {
            free(client->connections);
            free(client->idle);
        }
        free(client);
        return NULL;
    }
    for (; client->count < connections; client->count++) {
        struct connection *connection = connection_new(host, port, problem, problem_size);
        if (connection == NULL) {
            client_free(client);
            return NULL;
        }
        client->connections[client->count] = client->idle[client->idle_count++] = connection;
    }
    return client;
}

void client_free(struct client *client)
{
    if (client == NULL)
        return;
    for (size_t i = 0; i < client->count; i++)
        connection_free(client->connections[i]);
    pthread_mutex_destroy(&client->lock);
    free(client->connections);
    free(client->idle);
    free(client);
}

struct connection *client_acquire(struct client *client, size_t number)
{
    if (client->mode == CLIENT_SHARED)
        return client->connections[number % client->count];
    pthread_mutex_lock(&client->lock);
    struct connection *connection = NULL;
    if (client->idle_count > 0) { /* then nobody waits */
        connection = client->idle[--client->idle_count];
    } else {
        struct waiter waiter = {.served = PTHREAD_COND_INITIALIZER};
        if (client->first == NULL)
            client->first = &waiter;
        else
            client->last->next = &waiter;
        client->last = &waiter;
        while (waiter.connection == NULL)
            pthread_cond_wait(&waiter.served, &client->lock);
        connection = waiter.connection;
        pthread_cond_destroy(&waiter.served);
    }
    pthread_mutex_unlock(&client->lock);
    return connection;
}

void client_release(struct client *client, struct connection *connection)
{
    if (client->mode == CLIENT_SHARED)
        return;
    pthread_mutex_lock(&client->lock);
    struct waiter *waiter = client->first;
    if (waiter != NULL) { /* handed over: a caller that comes now does not overtake */
        client->first = waiter->next;
        waiter->connection = connection;
        pthread_cond_signal(&waiter->served); /* under the lock: the waiter lies on its caller's stack */
    } else {
        client->idle[client->idle_count++] = connection;
    }
    pthread_mutex_unlock(&client->lock);
}

bool client_command(struct client *client, size_t number, struct caller *caller, struct command *command)
{
    struct connection *connection = client_acquire(client, number);
    bool complete = connection_call(connection, caller, command, 1);
    client_release(client, connection);
    return complete;
}

struct connection_counts client_counts(struct client *client)
{
    struct connection_counts all = {0};
    for (size_t i = 0; i < client->count; i++) {
        struct connection_counts one = connection_counts(client->connections[i]);
        all.commands += one.commands;
        all.writes += one.writes;
        all.batches += one.batches;
        all.largest_batch = one.largest_batch > all.largest_batch ? one.largest_batch : all.largest_batch;
        all.reads += one.reads;
        all.sleeps += one.sleeps;
        all.wake_ups += one.wake_ups;
        all.bytes_written += one.bytes_written;
        all.bytes_read += one.bytes_read;
        all.strays += one.strays;
        all.cpu += one.cpu;
    }
    return all;
}

const char *client_problem(const struct client *client)
{
    for (size_t i = 0; i < client->count; i++)
        if (*connection_problem(client->connections[i]) != '\0')
            return connection_problem(client->connections[i]);
    return "";
}
