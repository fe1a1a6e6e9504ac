/* The line of progress on a terminal. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    bool shown;
    double began, last;
};

void progress_start(struct progress *progress, bool quiet);
/* `share` of the work is done, with so many events; 0: work that has none. */
void progress_show(struct progress *progress, double share, uint64_t events);
/* The same for other work: `words` say what it is at. */
void progress_say(struct progress *progress, double share, const char *words);
void progress_clear(struct progress *progress);

#endif
