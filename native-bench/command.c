/* Commands in Redis' protocol (RESP2). A value is sent from where it lies. */
#include "command.h"

#include <hiredis.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>

bool caller_start(struct caller *caller)
{
    caller->pending = 0;
    if (pthread_mutex_init(&caller->lock, NULL) != 0)
        return false;
    if (pthread_cond_init(&caller->answered, NULL) == 0)
        return true;
    pthread_mutex_destroy(&caller->lock);
    return false;
}

void caller_end(struct caller *caller)
{
    pthread_cond_destroy(&caller->answered);
    pthread_mutex_destroy(&caller->lock);
}

void caller_wait(struct caller *caller)
{
    pthread_mutex_lock(&caller->lock);
    while (caller->pending > 0)
        pthread_cond_wait(&caller->answered, &caller->lock);
    pthread_mutex_unlock(&caller->lock);
}

void caller_answer(struct caller *caller)
{
    pthread_mutex_lock(&caller->lock);
    bool last = --caller->pending == 0;
    pthread_mutex_unlock(&caller->lock);
    if (last)
        pthread_cond_signal(&caller->answered);
}

void command_set(struct command *command, const char *key, const void *value, size_t bytes)
{
    int length = snprintf(command->head, sizeof command->head, "*3\r\n$3\r\nSET\r\n$%zu\r\n%s\r\n$%zu\r\n", strlen(key),
                          key, bytes);
    command->head_size = (size_t)length;
    command->value = value;
    command->value_size = bytes;
    command->has_value = true;
    command->reply = NULL;
}

void command_word(struct command *command, const char *verb, const char *word)
{
    int length = word == NULL
                     ? snprintf(command->head, sizeof command->head, "*1\r\n$%zu\r\n%s\r\n", strlen(verb), verb)
                     : snprintf(command->head, sizeof command->head, "*2\r\n$%zu\r\n%s\r\n$%zu\r\n%s\r\n", strlen(verb),
                                verb, strlen(word), word);
    command->head_size = (size_t)length;
    command->value = NULL;
    command->value_size = 0;
    command->has_value = false;
    command->reply = NULL;
}

void command_free_reply(struct command *command)
{
    freeReplyObject(command->reply);
    command->reply = NULL;
}

size_t command_size(const struct command *command)
{
    return command->head_size + (command->has_value ? command->value_size + 2 : 0);
}

int command_pieces(const struct command *command, size_t skip, struct iovec *pieces)
{
    static const char end[] = "\r\n";
    const void *starts[COMMAND_PIECES] = {command->head, command->value, end};
    size_t sizes[COMMAND_PIECES] = {command->head_size, command->value_size, 2};
    int count = 0;
    for (int i = 0; i < (command->has_value ? COMMAND_PIECES : 1); i++) {
        if (skip >= sizes[i]) {
            skip -= sizes[i];
            continue;
        }
        pieces[count].iov_base = (void *)(uintptr_t)((const char *)starts[i] + skip); /* writev only reads */
        pieces[count++].iov_len = sizes[i] - skip;
        skip = 0;
    }
    return count;
}
