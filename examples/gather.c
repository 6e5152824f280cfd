/* The three ways of Gather: rows along the first axis, columns along the last, and indices for each batch. */
#include <stdio.h>
#include <strew/strew.h>

enum { ROWS = 4, COLUMNS = 3 };

static int32_t table[ROWS][COLUMNS] = {{0, 1, 2}, {10, 11, 12}, {20, 21, 22}, {30, 31, 32}};
static const strew_tensor data = {table, STREW_DTYPE_INT32, 2, (const int64_t[]){ROWS, COLUMNS}, NULL};

static strew_status gather_rows(void)
{
    int64_t words[3] = {2, 0, -1};
    int32_t rows[3][COLUMNS];
    const strew_tensor indices = {words, STREW_DTYPE_INT64, 1, (int64_t[]){3}, NULL};
    const strew_tensor output = {rows, STREW_DTYPE_INT32, 2, (int64_t[]){3, COLUMNS}, NULL};
    const strew_status status = strew_gather(&data, &indices, 0, 0, &output, NULL);
    for (int r = 0; r < 3; r++)
        printf("%d %d %d\n", rows[r][0], rows[r][1], rows[r][2]);
    return status;
}

static strew_status gather_columns(void)
{
    int64_t picks[2] = {2, 0};
    int32_t columns[ROWS][2];
    const strew_tensor indices = {picks, STREW_DTYPE_INT64, 1, (int64_t[]){2}, NULL};
    const strew_tensor output = {columns, STREW_DTYPE_INT32, 2, (int64_t[]){ROWS, 2}, NULL};
    const strew_status status = strew_gather(&data, &indices, 1, 0, &output, NULL);
    for (int r = 0; r < ROWS; r++)
        printf("%d %d\n", columns[r][0], columns[r][1]);
    return status;
}

static strew_status gather_from_each_batch(void)
{
    int64_t picks[ROWS][2] = {{1, 0}, {0, 0}, {2, 1}, {-1, 2}};
    int32_t elements[ROWS][2];
    const strew_tensor indices = {picks, STREW_DTYPE_INT64, 2, (int64_t[]){ROWS, 2}, NULL};
    const strew_tensor output = {elements, STREW_DTYPE_INT32, 2, (int64_t[]){ROWS, 2}, NULL};
    const strew_status status = strew_gather(&data, &indices, 1, 1, &output, NULL);
    for (int r = 0; r < ROWS; r++)
        printf("%d %d\n", elements[r][0], elements[r][1]);
    return status;
}

int main(void)
{
    return gather_rows() || gather_columns() || gather_from_each_batch();
}
