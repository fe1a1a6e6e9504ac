/* One line on standard error, drawn again and again, and taken away at the end; nothing where that is not a terminal. */
#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_start(struct progress *progress, bool quiet)
{
    progress->shown = !quiet && isatty(STDERR_FILENO) != 0;
    progress->began = progress->last = seconds();
}

void progress_say(struct progress *progress, double share, const char *words)
{
    double now = seconds(), taken = now - progress->began;
    if (!progress->shown || now - progress->last < 0.2)
        return;
    progress->last = now;
    fprintf(stderr, "\r%3.0f %%%s%s", 100 * share, *words != '\0' ? "  " : "", words);
    if (share > 0.001) {
        double left = taken / share * (1 - share);
        if (left < 120)
            fprintf(stderr, "  eta %.0f s", left);
        else
            fprintf(stderr, "  eta %.0f min", left / 60);
    }
    fputs("\033[K", stderr);
    fflush(stderr);
}

void progress_show(struct progress *progress, double share, uint64_t events)
{
    char words[48] = "";
    if (events > 0)
        snprintf(words, sizeof words, "%.1f M events/s", (double)events / (seconds() - progress->began) / 1e6);
    progress_say(progress, share, words);
}

void progress_clear(struct progress *progress)
{
    if (progress->shown && progress->last > progress->began) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
}
