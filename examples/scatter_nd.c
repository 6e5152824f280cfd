/* Rows scattered into a matrix, two of them to the same place: assigned, then added. */
#include <stdio.h>
#include <strew/strew.h>

enum { ROWS = 4, COLUMNS = 3, UPDATES = 3 };

static strew_status scatter(strew_reduction reduction)
{
    int32_t table[ROWS][COLUMNS] = {{1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {4, 4, 4}};
    int64_t tuples[UPDATES][1] = {{2}, {0}, {-2}};
    int32_t rows[UPDATES][COLUMNS] = {{10, 11, 12}, {20, 21, 22}, {30, 31, 32}};
    const strew_tensor data = {table, STREW_DTYPE_INT32, 2, (int64_t[]){ROWS, COLUMNS}, NULL};
    const strew_tensor indices = {tuples, STREW_DTYPE_INT64, 2, (int64_t[]){UPDATES, 1}, NULL};
    const strew_tensor updates = {rows, STREW_DTYPE_INT32, 2, (int64_t[]){UPDATES, COLUMNS}, NULL};
    const strew_status status = strew_scatter_nd(&data, &indices, &updates, reduction, &data, NULL);
    for (int r = 0; r < ROWS; r++)
        printf("%d %d %d\n", table[r][0], table[r][1], table[r][2]);
    return status;
}

int main(void)
{
    return scatter(STREW_REDUCTION_NONE) || scatter(STREW_REDUCTION_SUM);
}
