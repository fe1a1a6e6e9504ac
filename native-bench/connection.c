/* The I/O thread: take, write, sleep, read, answer. */
#include "connection.h"

#include <errno.h>
#include <fcntl.h>
#include <hiredis.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/eventfd.h>
#endif

#include "clock.h"

#define READ_SIZE ((size_t)64 << 10)
#define READS_PER_TURN 16     /* then writes have their turn, as in Netty */
#define PIECES_PER_WRITE 1023 /* IOV_MAX is 1024 on Linux and macOS */
#define CONNECT_SECONDS 5
#define ANSWER_SECONDS 10

struct fifo {
    struct command *first, *last;
};

enum count { COMMANDS, WRITES, BATCHES, LARGEST, READS, SLEEPS, WAKE_UPS, BYTES_WRITTEN, BYTES_READ, STRAYS, COUNTS };

struct connection {
    redisContext *context; /* owns the socket */
    redisReader *reader;
    pthread_t thread;
    int wake_read, wake_write; /* an eventfd, twice, or the ends of a pipe */

    pthread_mutex_t lock; /* for what follows down to `problem` */
    struct fifo queue;
    bool asleep; /* or about to be: a caller has to wake the I/O thread */
    bool stopping;
    bool failed;
    char problem[160];

    /* The I/O thread's own. */
    struct fifo writing;  /* taken from the queue; the first may have been written in part */
    size_t written;       /* bytes of the first */
    struct fifo awaiting; /* written in full */
    bool blocked;         /* the socket takes no more bytes at present */
    char *block;          /* READ_SIZE bytes */

    _Atomic uint64_t counts[COUNTS];
    _Atomic uint64_t cpu;
};

/* Written by one thread at a time, read by any. */
static void count_up(struct connection *connection, enum count which, uint64_t by)
{
    uint64_t now = atomic_load_explicit(&connection->counts[which], memory_order_relaxed);
    atomic_store_explicit(&connection->counts[which], now + by, memory_order_relaxed);
}

static void append(struct fifo *fifo, struct fifo more)
{
    if (more.first == NULL)
        return;
    if (fifo->first == NULL)
        fifo->first = more.first;
    else
        fifo->last->next = more.first;
    fifo->last = more.last;
}

static struct command *take_first(struct fifo *fifo)
{
    struct command *command = fifo->first;
    if (command != NULL)
        fifo->first = command->next;
    return command;
}

/* ---- the I/O thread --------------------------------------------------------------------------------------------- */

static void answer_all(struct fifo *fifo)
{
    for (struct command *command; (command = take_first(fifo)) != NULL;) {
        command->reply = NULL;
        caller_answer(command->caller);
    }
}

/* Everybody who waits, and everybody who comes, gets no reply. */
static void fail(struct connection *connection, const char *what, const char *why)
{
    pthread_mutex_lock(&connection->lock);
    snprintf(connection->problem, sizeof connection->problem, "%s: %s", what, why);
    connection->failed = true;
    struct fifo queue = connection->queue;
    connection->queue = (struct fifo){0};
    pthread_mutex_unlock(&connection->lock);
    answer_all(&connection->awaiting);
    answer_all(&connection->writing);
    answer_all(&queue);
}

/* Moves the queue behind what is being written; false when there was nothing. An idle thread goes to sleep then. */
static bool take(struct connection *connection, bool idle)
{
    pthread_mutex_lock(&connection->lock);
    struct fifo taken = connection->queue;
    connection->queue = (struct fifo){0};
    connection->asleep = idle && taken.first == NULL;
    pthread_mutex_unlock(&connection->lock);
    if (taken.first == NULL)
        return false;
    uint64_t size = 0;
    for (const struct command *command = taken.first; command != NULL; command = command->next)
        size++;
    count_up(connection, BATCHES, 1);
    if (size > atomic_load_explicit(&connection->counts[LARGEST], memory_order_relaxed))
        atomic_store_explicit(&connection->counts[LARGEST], size, memory_order_relaxed);
    append(&connection->writing, taken);
    return true;
}

/* Commands whose last byte is among the `bytes` just written now await their replies. */
static void advance(struct connection *connection, size_t bytes)
{
    uint64_t now = clock_wall();
    connection->written += bytes;
    for (struct command *command; (command = connection->writing.first) != NULL;) {
        size_t size = command_size(command);
        if (connection->written < size)
            return;
        connection->written -= size;
        take_first(&connection->writing);
        command->next = NULL;
        command->written = now;
        append(&connection->awaiting, (struct fifo){command, command});
        count_up(connection, COMMANDS, 1);
    }
}

static bool write_some(struct connection *connection)
{
    struct iovec pieces[PIECES_PER_WRITE];
    int count = 0;
    size_t skip = connection->written, offered = 0;
    for (const struct command *command = connection->writing.first;
         command != NULL && count + COMMAND_PIECES <= PIECES_PER_WRITE; command = command->next) {
        count += command_pieces(command, skip, pieces + count);
        offered += command_size(command) - skip;
        skip = 0;
    }
    ssize_t wrote = writev(connection->context->fd, pieces, count);
    if (wrote < 0 && errno == EINTR)
        return true;
    if (wrote < 0 && errno != EAGAIN && errno != EWOULDBLOCK) {
        fail(connection, "write", strerror(errno));
        return false;
    }
    connection->blocked = wrote < 0 || (size_t)wrote < offered;
    if (wrote > 0) {
        count_up(connection, WRITES, 1);
        count_up(connection, BYTES_WRITTEN, (uint64_t)wrote);
        advance(connection, (size_t)wrote);
    }
    return true;
}

static bool answer(struct connection *connection)
{
    for (;;) {
        void *reply = NULL;
        if (redisReaderGetReply(connection->reader, &reply) != REDIS_OK) {
            fail(connection, "reply", connection->reader->errstr);
            return false;
        }
        if (reply == NULL)
            return true;
        struct command *command = take_first(&connection->awaiting);
        if (command == NULL) {
            count_up(connection, STRAYS, 1);
            freeReplyObject(reply);
            fail(connection, "reply", "one more than commands");
            return false;
        }
        command->parsed = clock_wall();
        command->reply = reply;
        caller_answer(command->caller); /* from here on the command is the caller's */
    }
}

static bool read_some(struct connection *connection)
{
    for (int i = 0; i < READS_PER_TURN; i++) {
        ssize_t got = read(connection->context->fd, connection->block, READ_SIZE);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return true;
        if (got <= 0) {
            fail(connection, "read", got < 0 ? strerror(errno) : "the server closed the connection");
            return false;
        }
        count_up(connection, READS, 1);
        count_up(connection, BYTES_READ, (uint64_t)got);
        if (redisReaderFeed(connection->reader, connection->block, (size_t)got) != REDIS_OK) {
            fail(connection, "reply", "out of memory");
            return false;
        }
        if (!answer(connection))
            return false;
        if ((size_t)got < READ_SIZE)
            return true; /* all that had arrived */
    }
    return true;
}

static void drain_wake_ups(struct connection *connection)
{
    char bytes[64]; /* an eventfd gives 8, a pipe as many as callers wrote */
    while (read(connection->wake_read, bytes, sizeof bytes) < 0 && errno == EINTR)
        ;
}

static bool stopping(struct connection *connection)
{
    pthread_mutex_lock(&connection->lock);
    bool stop = connection->stopping;
    pthread_mutex_unlock(&connection->lock);
    return stop;
}

static void *io_thread(void *context)
{
    struct connection *connection = context;
    for (;;) {
        bool idle = connection->writing.first == NULL || connection->blocked;
        bool taken = take(connection, idle);
        if (taken || !idle) {
            if (!connection->blocked && !write_some(connection))
                return NULL;
            continue; /* more may have come meanwhile */
        }
        struct pollfd polled[2] = {
            {.fd = connection->context->fd, .events = (short)(POLLIN | (connection->blocked ? POLLOUT : 0))},
            {.fd = connection->wake_read, .events = POLLIN}};
#ifndef __linux__
        atomic_store_explicit(&connection->cpu, clock_thread_cpu(), memory_order_relaxed);
#endif
        count_up(connection, SLEEPS, 1);
        bool waiting = connection->awaiting.first != NULL || connection->writing.first != NULL;
        int ready = poll(polled, 2, waiting ? 1000 * ANSWER_SECONDS : -1);
        if (ready < 0 && errno != EINTR) {
            fail(connection, "poll", strerror(errno));
            return NULL;
        }
        if (ready == 0) {
            fail(connection, "no answer", "the server has been silent for 10 s");
            return NULL;
        }
        if (polled[1].revents != 0) {
            drain_wake_ups(connection);
            if (stopping(connection))
                return NULL;
        }
        if (polled[0].revents & POLLOUT)
            connection->blocked = false;
        if ((polled[0].revents & ~POLLOUT) != 0 && !read_some(connection))
            return NULL;
    }
}

/* ---- callers ---------------------------------------------------------------------------------------------------- */

static void wake(struct connection *connection)
{
    uint64_t one = 1;
    while (write(connection->wake_write, &one, sizeof one) < 0 && errno == EINTR)
        ;
}

void connection_submit(struct connection *connection, struct caller *caller, struct command *commands, size_t count)
{
    if (count == 0)
        return;
    uint64_t now = clock_wall();
    for (size_t i = 0; i < count; i++) {
        commands[i].caller = caller;
        commands[i].reply = NULL;
        commands[i].submitted = commands[i].written = commands[i].parsed = now;
        commands[i].next = i + 1 < count ? &commands[i + 1] : NULL;
    }
    pthread_mutex_lock(&caller->lock);
    caller->pending += count;
    pthread_mutex_unlock(&caller->lock);
    pthread_mutex_lock(&connection->lock);
    bool failed = connection->failed, asleep = connection->asleep;
    if (!failed) {
        append(&connection->queue, (struct fifo){commands, commands + count - 1});
        connection->asleep = false; /* whoever comes next need not wake it again */
        if (asleep)
            count_up(connection, WAKE_UPS, 1);
    }
    pthread_mutex_unlock(&connection->lock);
    if (failed)
        for (size_t i = 0; i < count; i++)
            caller_answer(caller);
    else if (asleep)
        wake(connection);
}

bool connection_call(struct connection *connection, struct caller *caller, struct command *commands, size_t count)
{
    connection_submit(connection, caller, commands, count);
    caller_wait(caller);
    uint64_t now = clock_wall();
    bool complete = true;
    for (size_t i = 0; i < count; i++) {
        commands[i].awake = now;
        complete = complete && commands[i].reply != NULL;
    }
    return complete;
}

struct connection_counts connection_counts(struct connection *connection)
{
    uint64_t counts[COUNTS];
    for (size_t i = 0; i < COUNTS; i++)
        counts[i] = atomic_load_explicit(&connection->counts[i], memory_order_relaxed);
    uint64_t cpu = atomic_load_explicit(&connection->cpu, memory_order_relaxed);
#ifdef __linux__
    clockid_t clock;
    struct timespec time;
    if (pthread_getcpuclockid(connection->thread, &clock) == 0 && clock_gettime(clock, &time) == 0)
        cpu = (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
#endif
    return (struct connection_counts){
        .commands = counts[COMMANDS],
        .writes = counts[WRITES],
        .batches = counts[BATCHES],
        .largest_batch = counts[LARGEST],
        .reads = counts[READS],
        .sleeps = counts[SLEEPS],
        .wake_ups = counts[WAKE_UPS],
        .bytes_written = counts[BYTES_WRITTEN],
        .bytes_read = counts[BYTES_READ],
        .strays = counts[STRAYS],
        .cpu = cpu,
    };
}

const char *connection_problem(struct connection *connection)
{
    pthread_mutex_lock(&connection->lock);
    bool failed = connection->failed; /* from then on the text stays as it is */
    pthread_mutex_unlock(&connection->lock);
    return failed ? connection->problem : "";
}

/* ---- its beginning and end -------------------------------------------------------------------------------------- */

static bool set_flags(int file)
{
    int status = fcntl(file, F_GETFL), descriptor = fcntl(file, F_GETFD);
    return status >= 0 && descriptor >= 0 && fcntl(file, F_SETFL, status | O_NONBLOCK) == 0 &&
           fcntl(file, F_SETFD, descriptor | FD_CLOEXEC) == 0;
}

static bool open_wake(struct connection *connection)
{
#ifdef __linux__
    connection->wake_read = connection->wake_write = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return connection->wake_read >= 0;
#else
    int ends[2];
    if (pipe(ends) != 0)
        return false;
    connection->wake_read = ends[0];
    connection->wake_write = ends[1];
    return set_flags(ends[0]) && set_flags(ends[1]);
#endif
}

static bool open_socket(struct connection *connection, const char *host, unsigned port, char *problem, size_t size)
{
    connection->context = redisConnectWithTimeout(host, (int)port, (struct timeval){.tv_sec = CONNECT_SECONDS});
    if (connection->context == NULL || connection->context->err != 0) {
        snprintf(problem, size, "cannot connect to %s:%u: %s", host, port,
                 connection->context == NULL ? "out of memory" : connection->context->errstr);
        return false;
    }
    int on = 1, socket = connection->context->fd;
    bool ready = setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0 && set_flags(socket);
#ifdef SO_NOSIGPIPE
    ready = ready && setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on) == 0;
#endif
    if (!ready)
        snprintf(problem, size, "cannot set up the socket to %s:%u: %s", host, port, strerror(errno));
    return ready;
}

/* Signals are the main thread's: the I/O thread inherits a mask that lets none through, SIGPIPE included. */
static bool start_thread(struct connection *connection)
{
    sigset_t all, before;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
        return false;
    bool started = pthread_create(&connection->thread, NULL, io_thread, connection) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static void release(struct connection *connection)
{
    if (connection->wake_read >= 0)
        close(connection->wake_read);
    if (connection->wake_write >= 0 && connection->wake_write != connection->wake_read)
        close(connection->wake_write);
    if (connection->reader != NULL)
        redisReaderFree(connection->reader);
    if (connection->context != NULL)
        redisFree(connection->context);
    free(connection->block);
    free(connection);
}

struct connection *connection_new(const char *host, unsigned port, char *problem, size_t problem_size)
{
    struct connection *connection = calloc(1, sizeof *connection);
    if (connection == NULL) {
        snprintf(problem, problem_size, "out of memory");
        return NULL;
    }
    connection->wake_read = connection->wake_write = -1;
    connection->block = malloc(READ_SIZE);
    connection->reader = redisReaderCreate();
    if (connection->block == NULL || connection->reader == NULL) {
        snprintf(problem, problem_size, "out of memory");
        release(connection);
        return NULL;
    }
    connection->reader->maxbuf = 0; /* keep the buffer of a large value for the next one */
    if (!open_socket(connection, host, port, problem, problem_size)) {
        release(connection);
        return NULL;
    }
    if (!open_wake(connection) || pthread_mutex_init(&connection->lock, NULL) != 0) {
        snprintf(problem, problem_size, "cannot make a wake-up descriptor: %s", strerror(errno));
        release(connection);
        return NULL;
    }
    if (!start_thread(connection)) {
        snprintf(problem, problem_size, "cannot start a thread");
        pthread_mutex_destroy(&connection->lock);
        release(connection);
        return NULL;
    }
    return connection;
}

void connection_free(struct connection *connection)
{
    if (connection == NULL)
        return;
    pthread_mutex_lock(&connection->lock);
    connection->stopping = true;
    pthread_mutex_unlock(&connection->lock);
    wake(connection);
    pthread_join(connection->thread, NULL);
    pthread_mutex_destroy(&connection->lock);
    release(connection);
}
