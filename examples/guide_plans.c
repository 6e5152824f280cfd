/* A layer of static shapes: planned when a model is loaded, run for each request. */
#include <stdio.h>
#include <stdlib.h>
#include <strew/strew.h>

enum { ROWS = 2, COLUMNS = 3, PICKS = 2 };

typedef struct layer {
    strew_plan plan;
    size_t scratch_size;
} layer;

/* Averages updates into the columns that indices name. Pointers are not known yet. */
static strew_status layer_create(layer *self, size_t threads, strew_error *error)
{
    const strew_tensor data = {NULL, STREW_DTYPE_FLOAT32, 2, (int64_t[]){ROWS, COLUMNS}, NULL};
    const strew_tensor indices = {NULL, STREW_DTYPE_INT64, 2, (int64_t[]){ROWS, PICKS}, NULL};
    const strew_tensor updates = {NULL, STREW_DTYPE_FLOAT32, 2, (int64_t[]){ROWS, PICKS}, NULL};
    strew_plan_options options = STREW_PLAN_OPTIONS_INIT;
    options.threads = threads;
    options.error = error;
    const strew_status status = strew_plan_scatter_elements(&self->plan, &data, &indices, &updates, 1,
                                                            STREW_REDUCTION_MEAN, true, &data, &options);
    self->scratch_size = strew_plan_scratch_size(&self->plan, threads);
    return status;
}

/* A stream runs layers one after another, with the scratch of the largest. */
typedef struct stream {
    const strew_parallel *parallel;
    void *scratch;
    size_t scratch_size;
} stream;

static strew_status layer_run(const layer *self, const stream *on, float *data, const int64_t *indices,
                              const float *updates, strew_error *error)
{
    strew_run_options options = STREW_RUN_OPTIONS_INIT;
    options.parallel = on->parallel;
    options.scratch = on->scratch;
    options.scratch_size = on->scratch_size;
    options.error = error;
    const strew_buffers buffers = {.data = data, .indices = indices, .updates = updates, .output = data};
    return strew_plan_run(&self->plan, &buffers, &options);
}

int main(void)
{
    layer mean;
    strew_error error;
    if (layer_create(&mean, 1, &error) != STREW_STATUS_OK)
        return 1;
    const stream serial = {NULL, malloc(mean.scratch_size), mean.scratch_size};
    if (!serial.scratch)
        return 1;

    const int64_t indices[ROWS][PICKS] = {{0, 0}, {2, -2}};
    for (int request = 1; request <= 2; request++) {
        float data[ROWS][COLUMNS] = {{0, 0, 0}, {6, 6, 6}};
        const float updates[ROWS][PICKS] = {{3, 6}, {(float)request, 8}};
        if (layer_run(&mean, &serial, data[0], indices[0], updates[0], &error) != STREW_STATUS_OK)
            return 1;
        printf("request %d: %g %g %g, %g %g %g\n", request, data[0][0], data[0][1], data[0][2], data[1][0],
               data[1][1], data[1][2]);
    }
    free(serial.scratch);

    /* A plan is a value: a copy runs as well as the first. Here it lacks the scratch in which a mean counts. */
    const layer copy = mean;
    const stream without = {NULL, NULL, 0};
    float data[ROWS][COLUMNS] = {{0}};
    const float updates[ROWS][PICKS] = {{0}};
    if (layer_run(&copy, &without, data[0], indices[0], updates[0], &error) == STREW_STATUS_OK)
        return 1;
    char message[256];
    strew_error_message(&error, message, sizeof message);
    puts(message);
    return 0;
}
