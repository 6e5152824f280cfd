/* Progress on a terminal: one line on standard error, shown only for long work and removed at the end. */
#ifndef STREW_TOOLS_PROGRESS_H
#define STREW_TOOLS_PROGRESS_H

#include <stddef.h>

typedef struct progress {
    const char *doing; /* "reading", ... */
    const char *what;
    double begun; /* seconds; negative where standard error is no terminal */
    double shown;
} progress;

progress progress_begin(const char *doing, const char *what);
/* An npy_progress. */
void progress_show(void *progress, size_t done, size_t total);
void progress_end(progress *progress);

#endif
