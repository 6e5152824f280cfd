/* Tries to start as many threads as a pool will need: see threads.h. */
#include "threads.h"

#include <stdbool.h>

#ifdef _WIN32 /* where pthreadpool starts others than pthreads */
static bool can_start(size_t count)
{
    return count > 0;
}
#else
#include <pthread.h>
#include <stdlib.h>

/* All threads exist at once: each waits until the last one has been started. */
static void *wait_for(void *last)
{
    pthread_mutex_lock(last);
    pthread_mutex_unlock(last);
    return NULL;
}

static bool can_start(size_t count)
{
    pthread_mutex_t last = PTHREAD_MUTEX_INITIALIZER;
    pthread_t *const threads = calloc(count, sizeof *threads);
    size_t started = 0;
    if (!threads)
        return false;
    pthread_mutex_lock(&last);
    while (started + 1 < count && pthread_create(&threads[started], NULL, wait_for, &last) == 0)
        started++;
    pthread_mutex_unlock(&last);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    return started + 1 == count;
}
#endif

pthreadpool_t threads_create(size_t count)
{
    return can_start(count) ? pthreadpool_create(count) : NULL;
}
