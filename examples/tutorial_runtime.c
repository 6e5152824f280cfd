/* A node of an ONNX model in a runtime: planned when the model is loaded, run for each request. */
#include <stdio.h>
#include <stdlib.h>
#include <strew/operators.h>

enum { ROWS = 6, WIDTH = 2, PICKS = 3, THREADS = 2 };

/* The runtime keeps one of these for each node. */
typedef struct node {
    strew_plan plan;
    void *scratch;
    size_t scratch_size;
} node;

/* Plans the node under the rules of its version. The tensors have shapes, and no memory yet. */
static bool node_load(node *self, const char *version, const strew_attributes *attributes, strew_error *error)
{
    const strew_tensor data = {NULL, STREW_DTYPE_FLOAT32, 2, (int64_t[]){ROWS, WIDTH}, NULL};
    const strew_tensor indices = {NULL, STREW_DTYPE_INT64, 2, (int64_t[]){PICKS, 1}, NULL};
    const strew_tensor updates = {NULL, STREW_DTYPE_FLOAT32, 2, (int64_t[]){PICKS, WIDTH}, NULL};
    strew_plan_options options = STREW_PLAN_OPTIONS_INIT;
    options.threads = THREADS;
    options.error = error;
    if (strew_operator_plan(&self->plan, strew_operator_find(version), attributes, &data, &indices, &updates, &data,
                            &options) != STREW_STATUS_OK)
        return false;
    self->scratch_size = strew_plan_scratch_size(&self->plan, THREADS);
    self->scratch = malloc(self->scratch_size);
    return true;
}

/* Your pool. Tasks may run on any threads in any order; return when all of them have returned. */
static void pool_run(void *pool, strew_task task, void *context, size_t count)
{
    (void)pool;
    for (size_t i = 0; i < count; i++)
        task(context, i);
}

/* Runs the node in place, on the tensors of a request. */
static bool node_run(const node *self, float *data, const int64_t *indices, const float *updates,
                     strew_error *error)
{
    const strew_parallel parallel = {.run = pool_run, .pool = NULL, .threads = THREADS};
    strew_run_options options = STREW_RUN_OPTIONS_INIT;
    options.parallel = &parallel;
    options.scratch = self->scratch;
    options.scratch_size = self->scratch ? self->scratch_size : 0;
    options.error = error;
    const strew_buffers buffers = {.data = data, .indices = indices, .updates = updates, .output = data};
    return strew_plan_run(&self->plan, &buffers, &options) == STREW_STATUS_OK;
}

static void print_error(const strew_error *error)
{
    char message[256];
    strew_error_message(error, message, sizeof message);
    printf("%s: %s\n", strew_status_name(error->status), message);
}

int main(void)
{
    const strew_attributes sum = {.given = STREW_ATTRIBUTE_REDUCTION, .reduction = STREW_REDUCTION_SUM};
    node scatter;
    strew_error error;

    /* The first version of ScatterND has no reductions. */
    if (node_load(&scatter, "ScatterND-11", &sum, &error))
        return 1;
    print_error(&error);
    if (!node_load(&scatter, "ScatterND-18", &sum, &error))
        return 1;

    float table[ROWS][WIDTH] = {{0}};
    int64_t words[PICKS] = {2, 0, -4}; /* -4 counts from the end, and is word 2 again */
    const float updates[PICKS][WIDTH] = {{1, 2}, {7, 7}, {10, 20}};
    for (int request = 1; request <= 2; request++) {
        if (!node_run(&scatter, table[0], words, updates[0], &error))
            return 1;
        printf("request %d: word 0 is %g %g, word 2 is %g %g\n", request, table[0][0], table[0][1], table[2][0],
               table[2][1]);
    }

    /* A bad index: the request fails, and the table stays as it was. */
    words[1] = ROWS;
    if (node_run(&scatter, table[0], words, updates[0], &error))
        return 1;
    print_error(&error);
    free(scatter.scratch);
    return 0;
}
