/* The threads of a run. */
#ifndef STREW_TOOLS_THREADS_H
#define STREW_TOOLS_THREADS_H

#include <pthreadpool.h>

/*
 * A pool of so many threads; NULL if the system has no room for them. pthreadpool does not ask: it would wait for
 * ever for a thread that could not be started.
 */
pthreadpool_t threads_create(size_t count);

#endif
