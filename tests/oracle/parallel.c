/* Shuffled tasks and real threads. */
#include "parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static void run_shuffled(void *pool, strew_task task, void *context, size_t count)
{
    random_source *source = &((test_pool *)pool)->order;
    size_t *order = calloc(count + 1, sizeof *order);
    if (!order)
        abort();
    for (size_t i = 0; i < count; i++) {
        size_t other = (size_t)random_between(source, 0, (int64_t)i);
        order[i] = order[other];
        order[other] = i;
    }
    for (size_t i = 0; i < count; i++)
        task(context, order[i]);
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
    size_t threads = ((const test_pool *)pool)->threads;
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

strew_parallel parallel_shuffled(test_pool *pool)
{
    return (strew_parallel){run_shuffled, pool, pool->threads};
}

strew_parallel parallel_threads(test_pool *pool)
{
    return (strew_parallel){run_threads, pool, pool->threads};
}
