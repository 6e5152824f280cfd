/* Shuffled tasks and real threads. The pool is a random source for the former, a number for the latter. */
#include "parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* The numbers of all tasks, in a random order. */
static int64_t *shuffled_tasks(random_source *source, size_t count)
{
    int64_t *order = calloc(count + 1, sizeof *order);
    if (!order)
        abort();
    random_order(source, count, order);
    return order;
}

static void run_shuffled(void *pool, strew_task task, void *context, size_t count)
{
    int64_t *const order = shuffled_tasks(pool, count);
    for (size_t i = 0; i < count; i++)
        task(context, (size_t)order[i]);
    free(order);
}

/* ---- Real threads -------------------------------------------------------------------------------- */

enum { MOST_THREADS = 16 };
#ifdef STREW_TESTS_HAVE_SMALL_STACKS
enum { SMALL_STACK = 64 << 10 };
#else
enum { SMALL_STACK = 1 << 20 };
#endif

typedef struct job {
    strew_task task;
    void *context;
    int64_t *order;
    size_t count;
    atomic_size_t next;
} job;

static void *work(void *argument)
{
    job *shared = argument;
    for (size_t i = atomic_fetch_add(&shared->next, 1); i < shared->count; i = atomic_fetch_add(&shared->next, 1))
        shared->task(shared->context, (size_t)shared->order[i]);
    return NULL;
}

/* Starts at most so many threads, and returns how many it started. */
static size_t start_threads(pthread_t *threads, size_t most, const pthread_attr_t *attributes, job *shared)
{
    size_t started = 0;
    while (started < most && started < MOST_THREADS &&
           pthread_create(&threads[started], attributes, work, shared) == 0)
        started++;
    return started;
}

static void join_threads(const pthread_t *threads, size_t count)
{
    for (size_t i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

static void run_threads(void *pool, strew_task task, void *context, size_t count)
{
    random_source source = {random_seed() + count};
    job shared = {task, context, shuffled_tasks(&source, count), count, 0};
    pthread_t others[MOST_THREADS];
    const size_t threads = (size_t)(uintptr_t)pool;
    const size_t started = start_threads(others, threads > 0 ? threads - 1 : 0, NULL, &shared);
    work(&shared);
    join_threads(others, started);
    free(shared.order);
}

/* The caller only waits, since its stack has another size. */
static void run_small_threads(void *pool, strew_task task, void *context, size_t count)
{
    random_source source = {random_seed() + count};
    job shared = {task, context, shuffled_tasks(&source, count), count, 0};
    pthread_t threads[MOST_THREADS];
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        abort();
    (void)pthread_attr_setstacksize(&attributes, SMALL_STACK); /* some systems have no stacks this small */
    const size_t started = start_threads(threads, (size_t)(uintptr_t)pool, &attributes, &shared);
    if (started == 0)
        abort();
    join_threads(threads, started);
    pthread_attr_destroy(&attributes);
    free(shared.order);
}

strew_parallel parallel_shuffled(size_t threads, random_source *order)
{
    return (strew_parallel){run_shuffled, order, threads};
}

strew_parallel parallel_threads(size_t threads)
{
    return (strew_parallel){run_threads, (void *)(uintptr_t)threads, threads};
}

strew_parallel parallel_small_threads(size_t threads)
{
    return (strew_parallel){run_small_threads, (void *)(uintptr_t)threads, threads};
}
