/* SliceScatter: every other column of a matrix, from the last one backwards. */
#include <stdio.h>
#include <strew/strew.h>

enum { ROWS = 2, COLUMNS = 5, TAKEN = 3 };

int main(void)
{
    int32_t matrix[ROWS][COLUMNS] = {{0}};
    int32_t columns[ROWS][TAKEN] = {{1, 2, 3}, {4, 5, 6}};
    const int64_t start = -1, stop = INT64_MIN, step = -2, axis = 1;
    const strew_slice slice = {1, 0, &start, &stop, &step, &axis};
    const strew_tensor data = {matrix, STREW_DTYPE_INT32, 2, (int64_t[]){ROWS, COLUMNS}, NULL};
    const strew_tensor updates = {columns, STREW_DTYPE_INT32, 2, (int64_t[]){ROWS, TAKEN}, NULL};
    if (strew_slice_scatter(&data, &updates, &slice, &data, NULL) != STREW_STATUS_OK)
        return 1;
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            printf("%d%c", matrix[r][c], c + 1 < COLUMNS ? ' ' : '\n');
    return 0;
}
