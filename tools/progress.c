#define _POSIX_C_SOURCE 200809L

#include "progress.h"

#include <stdio.h>
#include <unistd.h>

#include "clock.h"

static const double patience = 0.5; /* seconds before the first line */
static const double interval = 0.1; /* seconds between lines */

progress progress_begin(const char *doing, const char *what)
{
    return (progress){doing, what, isatty(STDERR_FILENO) ? clock_seconds() : -1, 0};
}

void progress_show(void *context, size_t done, size_t total)
{
    progress *self = context;
    if (self->begun < 0)
        return;
    const double time = clock_seconds();
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
