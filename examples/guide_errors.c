/* The error of a refused call, and its unchanged tensor. */
#include <inttypes.h>
#include <stdio.h>
#include <strew/strew.h>
#include <string.h>

/* For people. */
static void print_message(const strew_error *error)
{
    char message[256];
    strew_error_message(error, message, sizeof message);
    printf("%s: %s\n", strew_status_name(error->status), message);
}

/* For programs: the bad index in the input of a model. */
static void print_bad_index(const strew_error *error)
{
    if (error->status != STREW_STATUS_INDEX_OUT_OF_BOUNDS)
        return;
    printf("value %" PRId64 " at", error->value);
    for (int32_t d = 0; d < error->position_rank; d++)
        printf(" %" PRId64, error->position[d]);
    printf(", dimension %" PRId32 ": [%" PRId64 ", %" PRId64 "]\n", error->dimension, error->lower, error->upper);
}

int main(void)
{
    float numbers[2][3] = {{1, 2, 3}, {4, 5, 6}};
    const float as_they_were[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int64_t tuples[3][2] = {{0, 1}, {1, 3}, {9, 9}};
    float values[3] = {10, 20, 30};
    const strew_tensor data = {numbers, STREW_DTYPE_FLOAT32, 2, (int64_t[]){2, 3}, NULL};
    const strew_tensor indices = {tuples, STREW_DTYPE_INT64, 2, (int64_t[]){3, 2}, NULL};
    strew_tensor updates = {values, STREW_DTYPE_FLOAT32, 1, (int64_t[]){3}, NULL};

    strew_error error;
    strew_options options = STREW_OPTIONS_INIT;
    options.error = &error;

    /* Two tuples are bad. The error names the first, and nothing is written, not even by the good one. */
    if (strew_scatter_nd(&data, &indices, &updates, STREW_REDUCTION_NONE, &data, &options) == STREW_STATUS_OK)
        return 1;
    print_message(&error);
    print_bad_index(&error);
    puts(memcmp(numbers, as_they_were, sizeof numbers) == 0 ? "data is as it was" : "data was written");

    /* Shapes and dtypes are compared before anything is read. */
    updates.shape = (int64_t[]){2};
    if (strew_scatter_nd(&data, &indices, &updates, STREW_REDUCTION_NONE, &data, &options) == STREW_STATUS_OK)
        return 1;
    print_message(&error);
    updates.shape = (int64_t[]){3};
    updates.dtype = STREW_DTYPE_INT32;
    if (strew_scatter_nd(&data, &indices, &updates, STREW_REDUCTION_NONE, &data, &options) == STREW_STATUS_OK)
        return 1;
    print_message(&error);
    return 0;
}
