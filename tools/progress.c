#define _POSIX_C_SOURCE 200809L

#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>
#ifdef _WIN32
#include <windows.h>
#endif

static const double patience = 0.5; /* seconds before the first line */
static const double interval = 0.1; /* seconds between lines */

static double now(void)
{
#ifdef _WIN32
    return (double)GetTickCount64() * 1e-3;
#else
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
#endif
}

progress progress_begin(const char *doing, const char *what)
{
    return (progress){doing, what, isatty(STDERR_FILENO) ? now() : -1, 0};
}

void progress_show(void *context, size_t done, size_t total)
{
    progress *self = context;
    if (self->begun < 0)
        return;
    const double time = now();
    if (time - self->begun < patience || time - self->shown < interval)
        return;
    self->shown = time;
    fprintf(stderr, "\r\033[K%s %s: %d%%", self->doing, self->what,
            total ? (int)(100.0 * (double)done / (double)total) : 0);
    fflush(stderr);
}

void progress_end(progress *self)
{
    if (self->shown > 0)
        fputs("\r\033[K", stderr);
}
