/* A program lends its own threads to a call. A runtime has a pool that keeps its threads; these are started for
 * it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <strew/strew.h>
#include <string.h>

enum { MOST_THREADS = 16 };

typedef struct job {
    strew_task task;
    void *context;
    size_t count;
    atomic_size_t next;
} job;

/* Each thread takes the next task until none is left. */
static void *work(void *argument)
{
    job *self = argument;
    for (size_t i; (i = atomic_fetch_add(&self->next, 1)) < self->count;)
        self->task(self->context, i);
    return NULL;
}

/* The strew_parallel's function: the calling thread works too, and returns when every task has. */
static void run_on_threads(void *pool, strew_task task, void *context, size_t count)
{
    const size_t threads = *(const size_t *)pool;
    pthread_t helpers[MOST_THREADS];
    size_t started = 0;
    job shared = {.task = task, .context = context, .count = count};
    while (started + 1 < threads && started + 1 < count &&
           pthread_create(&helpers[started], NULL, work, &shared) == 0)
        started++;
    work(&shared);
    while (started > 0)
        pthread_join(helpers[--started], NULL);
}

enum { WORDS = 1000, WIDTH = 64, BATCH = 20000 };

static float alone[WORDS][WIDTH], shared[WORDS][WIDTH], gradients[BATCH][WIDTH];
static int32_t words[BATCH];

static strew_status add_gradients(float (*table)[WIDTH], const strew_parallel *parallel)
{
    const strew_tensor data = {table, STREW_DTYPE_FLOAT32, 2, (int64_t[]){WORDS, WIDTH}, NULL};
    const strew_tensor indices = {words, STREW_DTYPE_INT32, 2, (int64_t[]){BATCH, 1}, NULL};
    const strew_tensor updates = {gradients, STREW_DTYPE_FLOAT32, 2, (int64_t[]){BATCH, WIDTH}, NULL};
    strew_options options = STREW_OPTIONS_INIT;
    options.parallel = parallel;
    return strew_scatter_nd(&data, &indices, &updates, STREW_REDUCTION_SUM, &data, &options);
}

int main(void)
{
    for (int b = 0; b < BATCH; b++) {
        words[b] = b * 7919 % WORDS;
        for (int e = 0; e < WIDTH; e++)
            gradients[b][e] = 1.0f / (float)(1 + b + e);
    }

    size_t threads = 4;
    const strew_parallel parallel = {run_on_threads, &threads, threads};
    if (add_gradients(alone, NULL) != STREW_STATUS_OK || add_gradients(shared, &parallel) != STREW_STATUS_OK)
        return 1;
    puts(memcmp(alone, shared, sizeof alone) == 0 ? "one thread and four: the same bits" : "bits differ");
    return 0;
}
