/* INFO, read field by field. */
#include "control.h"

#include <errno.h>
#include <hiredis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECONDS 10 /* a server under load may take its time */

struct control {
    redisContext *context;
    char problem[160];
};

struct control *control_new(const char *host, unsigned port, char *problem, size_t problem_size)
{
    struct control *control = calloc(1, sizeof *control);
    if (control == NULL) {
        snprintf(problem, problem_size, "out of memory");
        return NULL;
    }
    control->context = redisConnectWithTimeout(host, (int)port, (struct timeval){.tv_sec = 5});
    if (control->context == NULL || control->context->err != 0) {
        snprintf(problem, problem_size, "cannot connect to %s:%u: %s", host, port,
                 control->context == NULL ? "out of memory" : control->context->errstr);
        control_free(control);
        return NULL;
    }
    redisSetTimeout(control->context, (struct timeval){.tv_sec = SECONDS});
    return control;
}

void control_free(struct control *control)
{
    if (control == NULL)
        return;
    if (control->context != NULL)
        redisFree(control->context);
    free(control);
}

/* The reply, of type `type`; NULL with the problem noted. */
static redisReply *expect(struct control *control, redisReply *reply, int type)
{
    if (reply != NULL && reply->type == type)
        return reply;
    bool silent = reply == NULL && control->context->err == REDIS_ERR_IO && (errno == EAGAIN || errno == EWOULDBLOCK);
    snprintf(control->problem, sizeof control->problem, "%s",
             silent                             ? "no answer within 10 s; is it a Redis?"
             : reply == NULL                    ? control->context->errstr
             : reply->type == REDIS_REPLY_ERROR ? reply->str
                                                : "the server gave another kind of reply than expected");
    freeReplyObject(reply);
    return NULL;
}

static redisReply *info(struct control *control, const char *section)
{
    return expect(control, redisCommand(control->context, "INFO %s", section), REDIS_REPLY_STRING);
}

/* What stands behind "name:" at the start of a line, or NULL. */
static const char *field(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, length) == 0 && line[length] == ':')
            return line + length + 1;
    }
    return NULL;
}

/* Seconds with six digits; false when the field is missing. */
static bool add_seconds(const char *text, const char *name, uint64_t *nanoseconds)
{
    const char *value = field(text, name);
    if (value == NULL)
        return false;
    *nanoseconds += (uint64_t)(strtod(value, NULL) * 1e9 + 0.5);
    return true;
}

bool control_cpu(struct control *control, struct server_cpu *cpu)
{
    *cpu = (struct server_cpu){0};
    redisReply *reply = info(control, "cpu");
    if (reply == NULL)
        return false;
    bool found =
        add_seconds(reply->str, "used_cpu_sys", &cpu->all) && add_seconds(reply->str, "used_cpu_user", &cpu->all);
    cpu->has_main_thread = add_seconds(reply->str, "used_cpu_sys_main_thread", &cpu->main_thread) &&
                           add_seconds(reply->str, "used_cpu_user_main_thread", &cpu->main_thread);
    freeReplyObject(reply);
    if (!found)
        snprintf(control->problem, sizeof control->problem, "the server does not tell its processor time");
    return found;
}

bool control_reads(struct control *control, uint64_t *reads)
{
    redisReply *reply = info(control, "stats");
    if (reply == NULL)
        return false;
    const char *found = field(reply->str, "total_reads_processed");
    *reads = found != NULL ? strtoull(found, NULL, 10) : 0;
    freeReplyObject(reply);
    if (found == NULL)
        snprintf(control->problem, sizeof control->problem, "the server does not tell how often it reads");
    return found != NULL;
}

static void copy_line(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%.*s", from != NULL ? (int)strcspn(from, "\r\n") : 0, from != NULL ? from : "");
    for (char *at = to; *at != '\0'; at++)
        if ((unsigned char)*at < ' ' || (unsigned char)*at > '~')
            *at = '?'; /* a server's words do not steer the terminal */
}

bool control_identity(struct control *control, struct server_identity *identity)
{
    redisReply *reply = info(control, "server");
    if (reply == NULL)
        return false;
    copy_line(identity->version, sizeof identity->version, field(reply->str, "redis_version"));
    copy_line(identity->os, sizeof identity->os, field(reply->str, "os"));
    freeReplyObject(reply);
    identity->io_threads = 1; /* a server may forbid CONFIG, or not know this parameter */
    reply = redisCommand(control->context, "CONFIG GET io-threads");
    if (reply != NULL && reply->type == REDIS_REPLY_ARRAY && reply->elements == 2 &&
        reply->element[1]->type == REDIS_REPLY_STRING) {
        unsigned long threads = strtoul(reply->element[1]->str, NULL, 10);
        identity->io_threads = threads >= 1 && threads <= 1024 ? (unsigned)threads : 1;
    }
    freeReplyObject(reply);
    return true;
}

bool control_delete(struct control *control, const char *key)
{
    redisReply *reply = expect(control, redisCommand(control->context, "DEL %s", key), REDIS_REPLY_INTEGER);
    bool done = reply != NULL;
    freeReplyObject(reply);
    return done;
}

const char *control_problem(const struct control *control) { return control->problem; }
