#include "threads.h"

#include <time.h>

enum {
    MOST_THREADS = 256,       /* more are not looked for */
    PATIENCE = 300 * 1000,    /* nanoseconds without another thread, after which no more are waited for */
    LEAST_BYTES = 128 * 1024, /* a call that touches less is over before a pool has woken */
};

/* Tasks that wait for each other: as many as there are threads arrive before one gives up. */
typedef struct roll_call {
    atomic_size_t arrived;
    atomic_bool is_over;
} roll_call;

static int64_t nanoseconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void arrive(void *context, size_t index)
{
    (void)index;
    roll_call *roll = context;
    if (atomic_load(&roll->is_over))
        return;
    size_t seen = atomic_fetch_add(&roll->arrived, 1) + 1;
    int64_t last = nanoseconds();
    while (!atomic_load(&roll->is_over)) {
        const size_t arrived = atomic_load(&roll->arrived);
        const int64_t now = nanoseconds();
        if (arrived != seen) {
            seen = arrived;
            last = now;
        } else if (now - last > PATIENCE || now < last) {
            atomic_store(&roll->is_over, true);
        }
    }
}

static void search(strew_ort_threads *threads, const strew_ort_pool *pool)
{
    roll_call roll = {0, false};
    OrtStatus *status = pool->api->KernelContext_ParallelFor(pool->context, arrive, MOST_THREADS, 0, &roll);
    pool->api->ReleaseStatus(status);
    const size_t arrived = atomic_load(&roll.arrived);
    size_t most = atomic_load(&threads->most);
    while (arrived > most && !atomic_compare_exchange_weak(&threads->most, &most, arrived))
        continue;
}

/* strew_parallel's function. The runtime refuses only a context that is NULL. */
static void run(void *context, strew_task task, void *argument, size_t count)
{
    const strew_ort_pool *pool = context;
    pool->api->ReleaseStatus(pool->api->KernelContext_ParallelFor(pool->context, task, count, 0, argument));
}

strew_parallel strew_ort_parallel(strew_ort_threads *threads, const strew_ort_pool *pool, size_t bytes)
{
    strew_parallel parallel = {run, (void *)pool, 1};
    if (bytes < LEAST_BYTES)
        return parallel;
    const size_t call = atomic_fetch_add(&threads->calls, 1) + 1;
    if ((call & (call - 1)) == 0)
        search(threads, pool);
    const size_t most = atomic_load(&threads->most);
    parallel.threads = most > 1 ? most : 1;
    return parallel;
}
