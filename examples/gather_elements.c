/* GatherElements along each axis of a matrix, with the same indices. */
#include <stdio.h>
#include <strew/strew.h>

enum { ROWS = 2, COLUMNS = 3 };

static strew_status gather(int64_t axis)
{
    int32_t table[3][COLUMNS] = {{0, 1, 2}, {10, 11, 12}, {20, 21, 22}};
    int64_t places[ROWS][COLUMNS] = {{2, 0, 1}, {0, 0, -1}};
    int32_t picked[ROWS][COLUMNS];
    const strew_tensor data = {table, STREW_DTYPE_INT32, 2, (int64_t[]){3, COLUMNS}, NULL};
    const strew_tensor indices = {places, STREW_DTYPE_INT64, 2, (int64_t[]){ROWS, COLUMNS}, NULL};
    const strew_tensor output = {picked, STREW_DTYPE_INT32, 2, (int64_t[]){ROWS, COLUMNS}, NULL};
    const strew_status status = strew_gather_elements(&data, &indices, axis, &output, NULL);
    for (int r = 0; r < ROWS; r++)
        printf("%d %d %d\n", picked[r][0], picked[r][1], picked[r][2]);
    return status;
}

int main(void)
{
    return gather(0) || gather(1);
}
