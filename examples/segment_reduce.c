/* The greatest of each segment: rows of one segment stand together, and one segment has none. */
#include <stdio.h>
#include <strew/strew.h>

enum { ROWS = 5, COLUMNS = 3, SEGMENTS = 4 };

static strew_status reduce(strew_reduction reduction)
{
    int32_t rows[ROWS][COLUMNS] = {{1, 8, 3}, {4, 2, 6}, {7, 5, 9}, {2, 2, 2}, {3, 1, 4}};
    int32_t segments[ROWS] = {0, 0, 1, 3, 3}, reduced[SEGMENTS][COLUMNS];
    const strew_tensor data = {rows, STREW_DTYPE_INT32, 2, (int64_t[]){ROWS, COLUMNS}, NULL};
    const strew_tensor segment_ids = {segments, STREW_DTYPE_INT32, 1, (int64_t[]){ROWS}, NULL};
    const strew_tensor output = {reduced, STREW_DTYPE_INT32, 2, (int64_t[]){SEGMENTS, COLUMNS}, NULL};
    const strew_status status =
        strew_segment_reduce(&data, &segment_ids, reduction, STREW_EMPTY_ZERO, &output, NULL);
    for (int s = 0; s < SEGMENTS; s++)
        printf("%d %d %d\n", reduced[s][0], reduced[s][1], reduced[s][2]);
    return status;
}

int main(void)
{
    return reduce(STREW_REDUCTION_MAX) || reduce(STREW_REDUCTION_SUM);
}
