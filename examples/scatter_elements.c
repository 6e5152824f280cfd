/* Elements scattered along axis 0, two of a column to the same place: assigned, added, and averaged. */
#include <stdio.h>
#include <strew/strew.h>

enum { ROWS = 3, COLUMNS = 3, UPDATES = 2 };

static strew_status scatter(strew_reduction reduction, bool use_init_val)
{
    int32_t table[ROWS][COLUMNS] = {{1, 1, 1}, {2, 2, 2}, {3, 3, 3}};
    int64_t places[UPDATES][COLUMNS] = {{0, 2, 1}, {0, 1, -1}};
    int32_t values[UPDATES][COLUMNS] = {{10, 11, 12}, {20, 21, 22}};
    const strew_tensor data = {table, STREW_DTYPE_INT32, 2, (int64_t[]){ROWS, COLUMNS}, NULL};
    const strew_tensor indices = {places, STREW_DTYPE_INT64, 2, (int64_t[]){UPDATES, COLUMNS}, NULL};
    const strew_tensor updates = {values, STREW_DTYPE_INT32, 2, (int64_t[]){UPDATES, COLUMNS}, NULL};

    char counters[256]; /* for the counters of a mean; strew_plan_least_scratch_size is 72 here */
    strew_options options = STREW_OPTIONS_INIT;
    options.scratch = counters;
    options.scratch_size = sizeof counters;
    const strew_status status =
        strew_scatter_elements(&data, &indices, &updates, 0, reduction, use_init_val, &data, &options);
    for (int r = 0; r < ROWS; r++)
        printf("%d %d %d\n", table[r][0], table[r][1], table[r][2]);
    return status;
}

int main(void)
{
    return scatter(STREW_REDUCTION_NONE, true) || scatter(STREW_REDUCTION_SUM, true) ||
           scatter(STREW_REDUCTION_MEAN, false);
}
