/* Reads inputs in full and writes outputs under a temporary name that is renamed at the end. */
#include "files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

const char *file_label(const char *path) { return strcmp(path, "-") == 0 ? "<stdin>" : path; }

struct text file_read(const char *path)
{
    struct text text = {0};
    const char *label = file_label(path);
    int file = STDIN_FILENO;
    struct stat status;
    if (strcmp(path, "-") != 0) {
        file = open(path, O_RDONLY | O_CLOEXEC);
        if (file < 0)
            die(EXIT_BAD_INPUT, "%s: %s", label, strerror(errno));
    }
    if (fstat(file, &status) == 0) {
        if (S_ISDIR(status.st_mode))
            die(EXIT_BAD_INPUT, "%s: is a directory, not a file", label);
        if (S_ISREG(status.st_mode) && status.st_size > (off_t)INPUT_LIMIT)
            die(EXIT_BAD_INPUT, "%s: larger than 16 MiB, the limit", label);
    }
    text_add(&text, "", 0);
    static char block[1 << 16];
    for (;;) {
        ssize_t got = read(file, block, sizeof block);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            die(EXIT_BAD_INPUT, "%s: %s", label, strerror(errno));
        if (got == 0)
            break;
        text_add(&text, block, (size_t)got);
        if (text.length > INPUT_LIMIT)
            die(EXIT_BAD_INPUT, "%s: larger than 16 MiB, the limit", label);
    }
    if (file != STDIN_FILENO)
        close(file);
    return text;
}

static void add_name(struct paths *paths, char *name)
{
    paths->names = grow(paths->names, paths->count + 1, sizeof *paths->names);
    paths->names[paths->count++] = name;
}

static int by_name(const void *left, const void *right) { return strcmp(*(char *const *)left, *(char *const *)right); }

static char *join(const char *directory, const char *name)
{
    struct text path = {0};
    size_t length = strlen(directory);
    text_format(&path, "%s%s%s", directory, length > 0 && directory[length - 1] == '/' ? "" : "/", name);
    return path.start;
}

/* Links to directories are not followed: they could lead round in circles. */
static void add_directory(struct paths *paths, const char *path)
{
    DIR *directory = opendir(path);
    if (directory == NULL)
        die(EXIT_BAD_INPUT, "%s: %s", path, strerror(errno));
    struct paths entries = {0};
    for (;;) {
        errno = 0;
        struct dirent *entry = readdir(directory);
        if (entry == NULL)
            break;
        if (entry->d_name[0] != '.')
            add_name(&entries, copy_text(entry->d_name));
    }
    if (errno != 0)
        die(EXIT_BAD_INPUT, "%s: %s", path, strerror(errno));
    closedir(directory);
    if (entries.count > 0)
        qsort(entries.names, entries.count, sizeof *entries.names, by_name);
    for (size_t i = 0; i < entries.count; i++) {
        const char *name = entries.names[i];
        char *inside = join(path, name);
        struct stat link, status;
        if (lstat(inside, &link) != 0 || stat(inside, &status) != 0)
            die(EXIT_BAD_INPUT, "%s: %s", inside, strerror(errno));
        size_t length = strlen(name);
        if (S_ISDIR(status.st_mode)) {
            if (!S_ISLNK(link.st_mode) && strcmp(name, "profiles") != 0)
                add_directory(paths, inside);
        } else if (S_ISREG(status.st_mode) && length > 5 && strcmp(name + length - 5, ".json") == 0) {
            add_name(paths, inside);
            inside = NULL;
        }
        free(inside);
    }
    paths_free(&entries);
}

void paths_add(struct paths *paths, const char *path, bool directories)
{
    struct stat status;
    if (directories && strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        size_t before = paths->count;
        add_directory(paths, path);
        if (paths->count == before)
            die(EXIT_BAD_INPUT, "%s: no scenario (*.json) in this directory", path);
        return;
    }
    if (strcmp(path, "-") == 0)
        for (size_t i = 0; i < paths->count; i++)
            if (strcmp(paths->names[i], "-") == 0)
                die(EXIT_BAD_INPUT, "\"-\" (standard input) can be read only once");
    add_name(paths, copy_text(path));
}

void paths_free(struct paths *paths)
{
    for (size_t i = 0; i < paths->count; i++)
        free(paths->names[i]);
    free(paths->names);
    paths->names = NULL;
    paths->count = 0;
}

/* ---- output ---------------------------------------------------------------------------------------------------- */

static char *directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return copy_text(".");
    char *directory = copy_text(path);
    directory[slash == path ? 1 : slash - path] = '\0';
    return directory;
}

char *file_beside(const char *path, const char *name)
{
    struct stat status;
    char *directory = strcmp(path, "-") == 0 ? copy_text(".") : directory_of(path);
    char *beside = name[0] == '/' ? copy_text(name) : join(directory, name);
    free(directory);
    if (stat(beside, &status) == 0 && S_ISREG(status.st_mode))
        return beside;
    free(beside);
    return NULL;
}

/* Where the links of `path` end, so that renaming replaces the file and not the link. */
static char *follow(const char *path)
{
    char *at = copy_text(path);
    /* The links of /dev/fd and /proc name what is no path: a pipe has to be written where it is. */
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return at;
    for (int links = 0; links < 40; links++) {
        char target[4096];
        ssize_t length = readlink(at, target, sizeof target - 1);
        if (length < 0)
            break;
        target[length] = '\0';
        char *directory = directory_of(at);
        char *next = target[0] == '/' ? copy_text(target) : join(directory, target);
        free(directory);
        free(at);
        at = next;
    }
    return at;
}

void output_check(const char *path)
{
    if (path == NULL)
        return;
    if (*path == '\0')
        die(EXIT_BAD_INPUT, "--output needs the name of a file");
    struct stat status;
    if (stat(path, &status) != 0 && errno != ENOENT)
        die(EXIT_TROUBLE, "%s: %s", path, strerror(errno)); /* a name too long, links in a circle */
    char *end = follow(path);
    if (stat(end, &status) == 0 && !S_ISREG(status.st_mode)) {
        if (S_ISDIR(status.st_mode))
            die(EXIT_BAD_INPUT, "%s: is a directory; --output needs the name of a file", path);
    } else {
        char *directory = directory_of(end);
        if (access(directory, W_OK | X_OK) != 0)
            die(EXIT_TROUBLE, "%s: cannot write into %s: %s", path, directory, strerror(errno));
        free(directory);
    }
    free(end);
}

bool output_color(const char *path)
{
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return path == NULL && (no_color == NULL || *no_color == '\0') && terminal != NULL &&
           strcmp(terminal, "dumb") != 0 && isatty(STDOUT_FILENO) != 0;
}

/* 0 or the error. */
static int write_all(int file, const struct text *text)
{
    for (size_t done = 0; done < text->length;) {
        ssize_t wrote = write(file, text->start + done, text->length - done);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) { /* a pipe that does not block: wait for room */
            struct pollfd room = {.fd = file, .events = POLLOUT};
            poll(&room, 1, -1);
            continue;
        }
        if (wrote < 0)
            return errno;
        done += (size_t)wrote;
    }
    return 0;
}

static void write_in_place(const char *label, int file, const struct text *text)
{
    int error = write_all(file, text);
    if (close(file) != 0 && error == 0 && errno != EINTR)
        error = errno;
    if (error != 0 && error != EPIPE)
        die(EXIT_TROUBLE, "%s: %s", label, strerror(error));
}

void output_write(const char *path, const struct text *text)
{
    if (path == NULL) {
        if (text->length > 0)
            write_in_place("standard output", STDOUT_FILENO, text);
        return;
    }
    char *end = follow(path);
    struct stat status;
    bool there = stat(end, &status) == 0;
    if (there && !S_ISREG(status.st_mode)) { /* a device or pipe cannot be replaced */
        int file = open(end, O_WRONLY | O_CLOEXEC);
        if (file < 0)
            die(EXIT_TROUBLE, "%s: %s", path, strerror(errno));
        write_in_place(path, file, text);
        free(end);
        return;
    }
    mode_t mask = umask(0);
    umask(mask);
    struct text name = {0};
    char *directory = directory_of(end);
    text_format(&name, "%s/.cachecast-XXXXXX", directory);
    free(directory);
    int file = mkstemp(name.start);
    if (file < 0)
        die(EXIT_TROUBLE, "%s: %s", path, strerror(errno));
    int error = write_all(file, text);
    if (error == 0 && fchmod(file, there ? status.st_mode & 07777 : 0666 & ~mask) != 0)
        error = errno;
    if (error == 0 && fsync(file) != 0 && errno != EINVAL)
        error = errno;
    if (close(file) != 0 && error == 0)
        error = errno;
    if (error == 0 && rename(name.start, end) != 0)
        error = errno;
    if (error != 0) {
        unlink(name.start);
        die(EXIT_TROUBLE, "%s: %s", path, strerror(error));
    }
    text_free(&name);
    free(end);
}
