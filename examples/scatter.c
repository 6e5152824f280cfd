/* Columns scattered along axis 1, two of them to the same place: assigned and added; then to a place of each batch.
 */
#include <stdio.h>
#include <strew/strew.h>

enum { ROWS = 3, COLUMNS = 4 };

static strew_status scatter(const strew_tensor *indices, const strew_tensor *updates, int64_t batch_dims,
                            strew_reduction reduction)
{
    int32_t table[ROWS][COLUMNS] = {{1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}};
    const strew_tensor data = {table, STREW_DTYPE_INT32, 2, (int64_t[]){ROWS, COLUMNS}, NULL};
    const strew_status status = strew_scatter(&data, indices, updates, 1, batch_dims, reduction, true, &data, NULL);
    for (int r = 0; r < ROWS; r++)
        printf("%d %d %d %d\n", table[r][0], table[r][1], table[r][2], table[r][3]);
    return status;
}

static strew_status scatter_columns(strew_reduction reduction)
{
    int64_t places[3] = {2, 0, -2};
    int32_t columns[ROWS][3] = {{10, 11, 12}, {20, 21, 22}, {30, 31, 32}};
    const strew_tensor indices = {places, STREW_DTYPE_INT64, 1, (int64_t[]){3}, NULL};
    const strew_tensor updates = {columns, STREW_DTYPE_INT32, 2, (int64_t[]){ROWS, 3}, NULL};
    return scatter(&indices, &updates, 0, reduction);
}

static strew_status scatter_to_each_batch(void)
{
    int64_t places[ROWS][2] = {{1, 3}, {0, -4}, {2, 2}};
    int32_t elements[ROWS][2] = {{10, 11}, {20, 21}, {30, 31}};
    const strew_tensor indices = {places, STREW_DTYPE_INT64, 2, (int64_t[]){ROWS, 2}, NULL};
    const strew_tensor updates = {elements, STREW_DTYPE_INT32, 2, (int64_t[]){ROWS, 2}, NULL};
    return scatter(&indices, &updates, 1, STREW_REDUCTION_SUM);
}

int main(void)
{
    return scatter_columns(STREW_REDUCTION_NONE) || scatter_columns(STREW_REDUCTION_SUM) || scatter_to_each_batch();
}
