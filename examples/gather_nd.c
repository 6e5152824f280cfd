/* The three ways of GatherND: rows by one coordinate, elements by all, and a row of each batch. */
#include <stdio.h>
#include <strew/strew.h>

enum { ROWS = 4, COLUMNS = 3 };

static int32_t table[ROWS][COLUMNS] = {{0, 1, 2}, {10, 11, 12}, {20, 21, 22}, {30, 31, 32}};
static const strew_tensor data = {table, STREW_DTYPE_INT32, 2, (const int64_t[]){ROWS, COLUMNS}, NULL};

static strew_status gather_rows(void)
{
    int64_t tuples[3][1] = {{2}, {0}, {-1}};
    int32_t rows[3][COLUMNS];
    const strew_tensor indices = {tuples, STREW_DTYPE_INT64, 2, (int64_t[]){3, 1}, NULL};
    const strew_tensor output = {rows, STREW_DTYPE_INT32, 2, (int64_t[]){3, COLUMNS}, NULL};
    const strew_status status = strew_gather_nd(&data, &indices, 0, &output, NULL);
    for (int r = 0; r < 3; r++)
        printf("%d %d %d\n", rows[r][0], rows[r][1], rows[r][2]);
    return status;
}

static strew_status gather_single_elements(void)
{
    int64_t tuples[3][2] = {{2, 1}, {0, 2}, {-1, 0}};
    int32_t elements[3];
    const strew_tensor indices = {tuples, STREW_DTYPE_INT64, 2, (int64_t[]){3, 2}, NULL};
    const strew_tensor output = {elements, STREW_DTYPE_INT32, 1, (int64_t[]){3}, NULL};
    const strew_status status = strew_gather_nd(&data, &indices, 0, &output, NULL);
    printf("%d %d %d\n", elements[0], elements[1], elements[2]);
    return status;
}

static strew_status gather_from_each_batch(void)
{
    int64_t tuples[ROWS][1] = {{1}, {0}, {2}, {2}};
    int32_t elements[ROWS];
    const strew_tensor indices = {tuples, STREW_DTYPE_INT64, 2, (int64_t[]){ROWS, 1}, NULL};
    const strew_tensor output = {elements, STREW_DTYPE_INT32, 1, (int64_t[]){ROWS}, NULL};
    const strew_status status = strew_gather_nd(&data, &indices, 1, &output, NULL);
    printf("%d %d %d %d\n", elements[0], elements[1], elements[2], elements[3]);
    return status;
}

int main(void)
{
    return gather_rows() || gather_single_elements() || gather_from_each_batch();
}
