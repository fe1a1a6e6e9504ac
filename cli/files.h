/* Files in and out: whole inputs with a limit, scenario files under a directory, outputs that are there in full or not
 * at all. All errors end the program. */
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include "text.h"

#define INPUT_LIMIT ((size_t)16 << 20)

struct paths {
    char **names;
    size_t count;
};

/* The file as errors name it: "<stdin>" for "-". */
const char *file_label(const char *path);
/* The file's bytes; "-" is standard input. */
struct text file_read(const char *path);
/* Where `name` lies as seen from the directory of the file `path`; NULL when there is no such file. Free it. */
char *file_beside(const char *path, const char *name);
/* Adds the file, or with `directories` the *.json files below a directory, in order of their names and without
 * directories named "profiles". */
void paths_add(struct paths *paths, const char *path, bool directories);
void paths_free(struct paths *paths);

/* Finds out before a long run that the output cannot be written. NULL is standard output. */
void output_check(const char *path);
/* Whether what is written to `path` should have colours. */
bool output_color(const char *path);
void output_write(const char *path, const struct text *text);

#endif
