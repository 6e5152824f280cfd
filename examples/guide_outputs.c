/* The output of a scatter: a tensor of its own, or data itself. */
#include <stdio.h>
#include <strew/strew.h>

static void print(const char *name, const float numbers[4])
{
    printf("%s: %g %g %g %g\n", name, numbers[0], numbers[1], numbers[2], numbers[3]);
}

int main(void)
{
    float before[8] = {1, 2, 3, 4}, after[4], ten[1] = {10};
    int64_t last[1] = {-1};
    const int64_t four[] = {4}, one[] = {1};
    const strew_tensor data = {before, STREW_DTYPE_FLOAT32, 1, four, NULL};
    const strew_tensor indices = {last, STREW_DTYPE_INT64, 1, one, NULL};
    const strew_tensor updates = {ten, STREW_DTYPE_FLOAT32, 1, one, NULL};
    const strew_tensor output = {after, STREW_DTYPE_FLOAT32, 1, four, NULL};

    /* Separate: data is copied to the output, which is then updated. */
    if (strew_scatter_elements(&data, &indices, &updates, 0, STREW_REDUCTION_NONE, true, &output, NULL))
        return 1;
    print("before", before);
    print("after", after);

    /* In place: the output is data, and elements that no index names keep their values. */
    if (strew_scatter_elements(&data, &indices, &updates, 0, STREW_REDUCTION_NONE, true, &data, NULL))
        return 1;
    print("in place", before);

    /* Nothing between the two. */
    const strew_tensor shifted = {before + 1, STREW_DTYPE_FLOAT32, 1, four, NULL};
    strew_error error;
    strew_options options = STREW_OPTIONS_INIT;
    options.error = &error;
    if (!strew_scatter_elements(&data, &indices, &updates, 0, STREW_REDUCTION_NONE, true, &shifted, &options))
        return 1;
    char message[256];
    strew_error_message(&error, message, sizeof message);
    puts(message);
    return 0;
}
