/* Shuffled tasks and real threads. A pool of the former is a random source, of the latter a number. */
#include "parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static void run_shuffled(void *pool, strew_task task, void *context, size_t count)
{
    int64_t *order = calloc(count + 1, sizeof *order);
    if (!order)
        abort();
    random_order(pool, count, order);
    for (size_t i = 0; i < count; i++)
        task(context, (size_t)order[i]);
    free(order);
}

typedef struct job {
    strew_task task;
    void *context;
    size_t count;
    atomic_size_t next;
} job;

static void *work(void *argument)
{
    job *shared = argument;
    for (size_t i = atomic_fetch_add(&shared->next, 1); i < shared->count; i = atomic_fetch_add(&shared->next, 1))
        shared->task(shared->context, i);
    return NULL;
}

static void run_threads(void *pool, strew_task task, void *context, size_t count)
{
    enum { MOST_THREADS = 16 };
    const size_t threads = (size_t)(uintptr_t)pool;
    pthread_t others[MOST_THREADS];
    size_t started = 0;
    job shared = {task, context, count, 0};
    while (started + 1 < threads && started < MOST_THREADS &&
           pthread_create(&others[started], NULL, work, &shared) == 0)
        started++;
    work(&shared);
    for (size_t i = 0; i < started; i++)
        pthread_join(others[i], NULL);
}

strew_parallel parallel_shuffled(size_t threads, random_source *order)
{
    return (strew_parallel){run_shuffled, order, threads};
}

strew_parallel parallel_threads(size_t threads)
{
    return (strew_parallel){run_threads, (void *)(uintptr_t)threads, threads};
}
