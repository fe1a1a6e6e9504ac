/* Finds a free port, forks the watcher, waits for the server's PONG. */
#include "spawn.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <hiredis.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "clock.h"

#define ATTEMPTS 5                        /* another program may take the free port first */
#define START_LIMIT UINT64_C(10000000000) /* nanoseconds until the server has to answer */
#define STOP_LIMIT 2000                   /* milliseconds until SIGTERM is followed by SIGKILL */
#define PATH_SIZE 1024

struct spawn {
    unsigned port;
    pid_t watcher, server;
    int life; /* the pipe whose end tells the watcher that this program is gone */
    int log;  /* the server's output: a file without a name */
    char directory[PATH_SIZE];
    char program[PATH_SIZE];
};

static struct spawn *running; /* for the end of the program */

bool spawn_find(char *path, size_t size)
{
    const char *at = getenv("PATH");
    while (at != NULL && *at != '\0') {
        int length = (int)strcspn(at, ":");
        int used = snprintf(path, size, "%.*s/redis-server", length, length > 0 ? at : ".");
        if (used > 0 && (size_t)used < size && access(path, X_OK) == 0)
            return true;
        at += length;
        at += *at == ':';
    }
    return false;
}

/* ---- the watcher ------------------------------------------------------------------------------------------------ */

static void pause_ms(long milliseconds)
{
    struct timespec pause = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    nanosleep(&pause, NULL);
}

static void stop_server(pid_t server)
{
    kill(server, SIGTERM);
    for (int waited = 0; waited < STOP_LIMIT; waited += 5) {
        if (waitpid(server, NULL, WNOHANG) != 0)
            return;
        pause_ms(5);
    }
    kill(server, SIGKILL);
    waitpid(server, NULL, 0);
}

static _Noreturn void run_server(const struct spawn *spawn, pid_t watcher)
{
    char port[16];
    snprintf(port, sizeof port, "%u", spawn->port);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* should someone kill even the watcher */
#endif
    if (getppid() != watcher)
        _exit(1);
    dup2(spawn->log, STDOUT_FILENO);
    dup2(spawn->log, STDERR_FILENO);
    execl(spawn->program, "redis-server", "--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
          "--daemonize", "no", "--dir", spawn->directory, "--logfile", "", (char *)NULL);
    fprintf(stderr, "%s: %s\n", spawn->program, strerror(errno));
    fflush(stderr);
    _exit(127);
}

/* Until the program is gone, or the server. */
static _Noreturn void watch(const struct spawn *spawn, int life, int report)
{
    /* A session of its own: ^C on the terminal must not stop the server in the middle of the last cell. */
    setsid();
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    int null = open("/dev/null", O_RDWR);
    dup2(null, STDIN_FILENO); /* and let go of a pipe that somebody reads to its end */
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    pid_t watcher = getpid(), server = fork();
    if (server == 0)
        run_server(spawn, watcher);
    if (write(report, &server, sizeof server) != (ssize_t)sizeof server && server > 0)
        kill(server, SIGTERM);
    close(report);
    struct pollfd polled = {.fd = life, .events = POLLIN};
    while (server > 0) {
        if (waitpid(server, NULL, WNOHANG) != 0)
            break;
        int found = poll(&polled, 1, 200); /* so long a crash of the server may go unnoticed */
        if (found > 0) {
            stop_server(server);
            break;
        }
    }
    rmdir(spawn->directory); /* without persistence the server writes nothing into it */
    _exit(0);
}

/* ---- starting --------------------------------------------------------------------------------------------------- */

static unsigned free_port(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int file = socket(AF_INET, SOCK_STREAM, 0);
    unsigned port = 0;
    if (file >= 0 && bind(file, (struct sockaddr *)&address, sizeof address) == 0 &&
        getsockname(file, (struct sockaddr *)&address, &size) == 0)
        port = ntohs(address.sin_port);
    if (file >= 0)
        close(file);
    return port;
}

static bool make_directory(struct spawn *spawn)
{
    const char *base = getenv("TMPDIR");
    int used = snprintf(spawn->directory, sizeof spawn->directory, "%s/cachecast-redis-XXXXXX",
                        base != NULL && *base != '\0' ? base : "/tmp");
    if (used < 0 || (size_t)used >= sizeof spawn->directory) {
        errno = ENAMETOOLONG;
        return false;
    }
    return mkdtemp(spawn->directory) != NULL;
}

/* The log is a file without a name: it needs no removal, and is there after the server has gone. */
static int open_log(const struct spawn *spawn)
{
    char name[PATH_SIZE + 16];
    snprintf(name, sizeof name, "%s/log", spawn->directory);
    int file = open(name, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
    if (file >= 0)
        unlink(name);
    return file;
}

/* True when this server, and not another that took the port, answers. */
static bool answers(const struct spawn *spawn)
{
    redisContext *context = redisConnectWithTimeout("127.0.0.1", (int)spawn->port, (struct timeval){.tv_sec = 1});
    bool ours = false;
    if (context != NULL && context->err == 0) {
        redisSetTimeout(context, (struct timeval){.tv_sec = 1});
        redisReply *reply = redisCommand(context, "INFO server");
        char field[40];
        snprintf(field, sizeof field, "process_id:%ld\r", (long)spawn->server);
        ours = reply != NULL && reply->type == REDIS_REPLY_STRING && strstr(reply->str, field) != NULL;
        freeReplyObject(reply);
    }
    if (context != NULL)
        redisFree(context);
    return ours;
}

static bool start_watcher(struct spawn *spawn)
{
    int life[2], report[2];
    if (pipe(life) != 0)
        return false;
    if (pipe(report) != 0) {
        close(life[0]);
        close(life[1]);
        return false;
    }
    for (int i = 0; i < 2; i++) {
        fcntl(life[i], F_SETFD, FD_CLOEXEC);
        fcntl(report[i], F_SETFD, FD_CLOEXEC);
    }
    fflush(NULL);
    spawn->watcher = fork();
    if (spawn->watcher == 0) {
        close(life[1]);
        close(report[0]);
        watch(spawn, life[0], report[1]);
    }
    int error = errno;
    close(life[0]);
    close(report[1]);
    spawn->life = life[1];
    ssize_t got = 0;
    if (spawn->watcher > 0)
        do
            got = read(report[0], &spawn->server, sizeof spawn->server);
        while (got < 0 && errno == EINTR);
    close(report[0]);
    errno = error;
    return spawn->watcher > 0 && got == (ssize_t)sizeof spawn->server && spawn->server > 0;
}

static void stop_watcher(struct spawn *spawn)
{
    if (spawn->life >= 0)
        close(spawn->life);
    spawn->life = -1;
    if (spawn->watcher > 0)
        while (waitpid(spawn->watcher, NULL, 0) < 0 && errno == EINTR)
            ;
    spawn->watcher = 0;
}

static bool wait_for_answer(struct spawn *spawn)
{
    uint64_t limit = clock_wall() + START_LIMIT;
    while (clock_wall() < limit) {
        if (answers(spawn))
            return true;
        if (waitpid(spawn->watcher, NULL, WNOHANG) != 0) {
            spawn->watcher = 0; /* the server ended, and so did the watcher */
            return false;
        }
        pause_ms(10);
    }
    return false;
}

/* The last lines of the server's log behind `why`. */
static void explain(const struct spawn *spawn, const char *why, char *problem, size_t size)
{
    char log[601];
    off_t end = lseek(spawn->log, 0, SEEK_END), start = end > 600 ? end - 600 : 0;
    ssize_t got = pread(spawn->log, log, sizeof log - 1, start);
    log[got > 0 ? got : 0] = '\0';
    char *from = start > 0 && strchr(log, '\n') != NULL ? strchr(log, '\n') + 1 : log;
    size_t length = strlen(from);
    while (length > 0 && from[length - 1] == '\n')
        from[--length] = '\0';
    snprintf(problem, size, "%s %s; the end of its log:\n%s", spawn->program, why, length > 0 ? from : "(empty)");
}

static bool port_was_taken(const struct spawn *spawn)
{
    char log[4096];
    ssize_t got = pread(spawn->log, log, sizeof log - 1, 0);
    log[got > 0 ? got : 0] = '\0';
    return strstr(log, "Address already in use") != NULL;
}

static void release(struct spawn *spawn)
{
    stop_watcher(spawn);
    if (spawn->log >= 0)
        close(spawn->log);
    spawn->log = -1;
}

/* False with nothing left behind. */
static bool attempt(struct spawn *spawn, bool *again, char *problem, size_t size)
{
    *again = false;
    spawn->life = spawn->log = -1;
    spawn->port = free_port();
    if (spawn->port == 0) {
        snprintf(problem, size, "no free port on 127.0.0.1: %s", strerror(errno));
        return false;
    }
    if (!make_directory(spawn)) {
        snprintf(problem, size, "cannot make a temporary directory: %s", strerror(errno));
        return false;
    }
    spawn->log = open_log(spawn);
    if (spawn->log < 0 || !start_watcher(spawn)) {
        snprintf(problem, size, "cannot start %s: %s", spawn->program, strerror(errno));
        release(spawn);
        rmdir(spawn->directory);
        return false;
    }
    if (wait_for_answer(spawn))
        return true;
    bool ended = spawn->watcher == 0;
    explain(spawn, ended ? "ended at once" : "did not answer within 10 s", problem, size);
    *again = port_was_taken(spawn);
    release(spawn);
    return false;
}

static void stop_at_exit(void)
{
    if (running != NULL)
        spawn_stop(running);
}

struct spawn *spawn_start(char *problem, size_t problem_size)
{
    static bool registered;
    struct spawn *spawn = calloc(1, sizeof *spawn);
    if (spawn == NULL) {
        snprintf(problem, problem_size, "out of memory");
        return NULL;
    }
    if (!spawn_find(spawn->program, sizeof spawn->program)) {
        snprintf(problem, problem_size, "redis-server is not on PATH");
        free(spawn);
        return NULL;
    }
    bool started = false, again = true;
    for (int i = 0; i < ATTEMPTS && !started && again; i++)
        started = attempt(spawn, &again, problem, problem_size);
    if (!started) {
        free(spawn);
        return NULL;
    }
    if (!registered)
        registered = atexit(stop_at_exit) == 0;
    running = spawn;
    return spawn;
}

void spawn_stop(struct spawn *spawn)
{
    if (spawn == NULL)
        return;
    running = NULL;
    release(spawn);
    rmdir(spawn->directory); /* has gone, unless someone killed the watcher */
    free(spawn);
}

unsigned spawn_port(const struct spawn *spawn) { return spawn->port; }
long spawn_process(const struct spawn *spawn) { return (long)spawn->server; }
const char *spawn_directory(const struct spawn *spawn) { return spawn->directory; }
