/* A sparse matrix times a dense one, and its transpose. */
#include <stdio.h>
#include <strew/strew.h>
#include <string.h>

enum { ROWS = 3, WIDTH = 2, ENTRIES = 3 };

/* The rows 1 0 2, 0 0 0 and 0 3 0. */
static int32_t begins[ROWS + 1] = {0, 2, 2, 3}, places[ENTRIES] = {0, 2, 1};
static float values[ENTRIES] = {1, 2, 3};

static float dense[ROWS][WIDTH] = {{1, 2}, {10, 20}, {100, 200}}, product[ROWS][WIDTH];
static const int64_t offsets_shape[] = {ROWS + 1}, entries_shape[] = {ENTRIES}, shape[] = {ROWS, WIDTH};
static const strew_tensor offsets = {begins, STREW_DTYPE_INT32, 1, offsets_shape, NULL};
static const strew_tensor indices = {places, STREW_DTYPE_INT32, 1, entries_shape, NULL};
static const strew_tensor weights = {values, STREW_DTYPE_FLOAT32, 1, entries_shape, NULL};
static const strew_tensor data = {dense, STREW_DTYPE_FLOAT32, 2, shape, NULL};
static const strew_tensor output = {product, STREW_DTYPE_FLOAT32, 2, shape, NULL};

static strew_status print(strew_status status)
{
    for (int row = 0; row < ROWS; row++)
        printf("%g %g\n", product[row][0], product[row][1]);
    return status;
}

static strew_status multiply(void)
{
    return print(strew_csr_matmul(&offsets, &indices, &weights, &data, STREW_REDUCTION_SUM, &output, NULL));
}

/* The same lists as compressed columns: the transposed matrix. */
static strew_status multiply_transposed(void)
{
    int32_t columns[ENTRIES];
    const strew_tensor expanded = {columns, STREW_DTYPE_INT32, 1, (const int64_t[]){ENTRIES}, NULL};
    if (strew_expand_offsets(&offsets, &expanded, NULL) != STREW_STATUS_OK)
        return STREW_STATUS_INVALID_ARGUMENT;
    memset(product, 0, sizeof product);
    return print(strew_gather_scatter(&output, &data, &expanded, &indices, &weights, STREW_REDUCTION_SUM, true,
                                      &output, NULL));
}

int main(void)
{
    return multiply() != STREW_STATUS_OK || multiply_transposed() != STREW_STATUS_OK;
}
