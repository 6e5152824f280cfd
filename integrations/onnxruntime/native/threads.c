#include "threads.h"

#include <time.h>

enum {
    MOST_THREADS = 256,   /* the search stops here */
    MOST_PARTS = 64,      /* in a gather */
    INDEX_BYTES = 16,     /* an index takes as long as going over so many bytes */
    LEAST_WORK = 1 << 20, /* bytes of a call, or of a part, that is over before a pool has woken: 50 us */
};

/* Nanoseconds without a new thread after which the search ends: half the time of a large call. */
enum { LEAST_PATIENCE = 300 * 1000, MOST_PATIENCE = 5 * 1000 * 1000, BYTES_PER_NANOSECOND = 16 };

/* Tasks that wait for each other: as many as there are threads arrive before one gives up. */
typedef struct roll_call {
    atomic_size_t arrived;
    atomic_bool is_over;
    int64_t patience;
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
        } else if (now - last > roll->patience || now < last) {
            atomic_store(&roll->is_over, true);
        }
    }
}

static int64_t patience_of(size_t work)
{
    const size_t half = work / BYTES_PER_NANOSECOND / 2;
    return half < LEAST_PATIENCE ? LEAST_PATIENCE : half > MOST_PATIENCE ? MOST_PATIENCE : (int64_t)half;
}

static void search(strew_ort_threads *threads, const strew_ort_pool *pool, size_t work)
{
    roll_call roll = {0, false, patience_of(work)};
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

static size_t threads_for(strew_ort_threads *threads, const strew_ort_pool *pool, size_t work)
{
    const size_t call = atomic_fetch_add(&threads->calls, 1) + 1;
    if ((call & (call - 1)) == 0)
        search(threads, pool, work);
    const size_t most = atomic_load(&threads->most);
    return most > 1 ? most : 1;
}

static size_t parts_of(size_t work)
{
    const size_t parts = work / LEAST_WORK + 1;
    return parts < MOST_PARTS ? parts : MOST_PARTS;
}

strew_parallel strew_ort_parallel(strew_ort_threads *threads, const strew_ort_pool *pool,
                                  const strew_ort_work *work)
{
    strew_parallel parallel = {run, (void *)pool, 1};
    const size_t all = work->bytes + INDEX_BYTES * work->indices;
    if (all >= LEAST_WORK)
        parallel.threads = work->scatters ? threads_for(threads, pool, all) : parts_of(all);
    return parallel;
}
