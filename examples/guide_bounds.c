/* Indices out of bounds in a gather and in a scatter in place, under each policy. */
#include <stdio.h>
#include <strew/strew.h>

static void print(const float numbers[4])
{
    printf(" %g %g %g %g\n", numbers[0], numbers[1], numbers[2], numbers[3]);
}

static void print_refusal(const strew_error *error)
{
    char message[256];
    strew_error_message(error, message, sizeof message);
    printf(" %s\n", message);
}

/* Of four indices into four elements the second and the last are wrong. */
static const strew_tensor indices = {(int64_t[]){2, 9, -1, -7}, STREW_DTYPE_INT64, 1, (const int64_t[]){4}, NULL};

static void gather(strew_options *options)
{
    float numbers[4] = {1, 2, 3, 4}, gathered[4];
    const float fill = -100; /* one element of data's dtype, for skipped indices */
    const strew_tensor data = {numbers, STREW_DTYPE_FLOAT32, 1, (int64_t[]){4}, NULL};
    const strew_tensor output = {gathered, STREW_DTYPE_FLOAT32, 1, (int64_t[]){4}, NULL};
    options->fill = &fill;
    if (strew_gather(&data, &indices, 0, 0, &output, options) != STREW_STATUS_OK)
        print_refusal(options->error);
    else
        print(gathered);
}

static void scatter_in_place(strew_options *options)
{
    float numbers[4] = {1, 2, 3, 4}, values[4] = {10, 20, 30, 40};
    const strew_tensor data = {numbers, STREW_DTYPE_FLOAT32, 1, (int64_t[]){4}, NULL};
    const strew_tensor updates = {values, STREW_DTYPE_FLOAT32, 1, (int64_t[]){4}, NULL};
    if (strew_scatter(&data, &indices, &updates, 0, 0, STREW_REDUCTION_SUM, true, &data, options) !=
        STREW_STATUS_OK)
        print_refusal(options->error);
    print(numbers);
}

int main(void)
{
    strew_error error;
    strew_options options = STREW_OPTIONS_INIT;
    options.error = &error;
    for (strew_bounds bounds = STREW_BOUNDS_REFUSE; bounds < STREW_BOUNDS_COUNT; bounds++) {
        options.bounds = bounds;
        printf("gather, %s:", strew_bounds_name(bounds));
        gather(&options);
    }
    for (strew_bounds bounds = STREW_BOUNDS_REFUSE; bounds < STREW_BOUNDS_COUNT; bounds++) {
        options.bounds = bounds;
        printf("scatter, %s:", strew_bounds_name(bounds));
        scatter_in_place(&options);
    }
    return 0;
}
