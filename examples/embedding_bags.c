/* Sums of rows of a table, in three ways to say which go together. */
#include <stdio.h>
#include <strew/strew.h>

enum { ROWS = 4, COLUMNS = 3, BAGS = 3 };

static int32_t table[ROWS][COLUMNS] = {{0, 1, 2}, {10, 11, 12}, {20, 21, 22}, {30, 31, 32}};
static int32_t sums[BAGS][COLUMNS];
static const strew_tensor data = {table, STREW_DTYPE_INT32, 2, (const int64_t[]){ROWS, COLUMNS}, NULL};
static const strew_tensor output = {sums, STREW_DTYPE_INT32, 2, (const int64_t[]){BAGS, COLUMNS}, NULL};

static strew_status print_sums(strew_status status)
{
    for (int b = 0; b < BAGS; b++)
        printf("%d %d %d\n", sums[b][0], sums[b][1], sums[b][2]);
    return status;
}

/* Consecutive bags. The second is empty. */
static strew_status sum_by_offsets(void)
{
    int64_t rows[5] = {2, 0, 3, 3, 1}, begins[BAGS] = {0, 2, 2};
    const strew_tensor indices = {rows, STREW_DTYPE_INT64, 1, (int64_t[]){5}, NULL};
    const strew_tensor offsets = {begins, STREW_DTYPE_INT64, 1, (int64_t[]){BAGS}, NULL};
    return print_sums(
        strew_embedding_bag_offsets(&data, &indices, &offsets, NULL, STREW_REDUCTION_SUM, -1, &output, NULL));
}

/* Bags of two rows. */
static strew_status sum_packed(void)
{
    int64_t rows[BAGS][2] = {{2, 0}, {1, 1}, {3, 0}};
    const strew_tensor indices = {rows, STREW_DTYPE_INT64, 2, (int64_t[]){BAGS, 2}, NULL};
    return print_sums(strew_embedding_bag_packed(&data, &indices, NULL, STREW_REDUCTION_SUM, &output, NULL));
}

/* Each row goes to the row of the output that its id names. The second gets row 1 of the table. */
static strew_status sum_by_segments(void)
{
    int64_t rows[4] = {2, 0, 3, 1}, segments[4] = {0, 0, 2, 2};
    const strew_tensor indices = {rows, STREW_DTYPE_INT64, 1, (int64_t[]){4}, NULL};
    const strew_tensor segment_ids = {segments, STREW_DTYPE_INT64, 1, (int64_t[]){4}, NULL};
    return print_sums(
        strew_embedding_segments(&data, &indices, &segment_ids, NULL, STREW_REDUCTION_SUM, 1, &output, NULL));
}

int main(void)
{
    return sum_by_offsets() || sum_packed() || sum_by_segments();
}
