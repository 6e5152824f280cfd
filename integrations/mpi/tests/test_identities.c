/*
 * Rows that start from the identity of a reduction, for every dtype and reduction: if a row has a single update,
 * such as -0 or infinity, it stays as strew_scatter_elements leaves it. Each rank names its own rows.
 */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 4, WIDTH = 61, COUNT = 5 };

static const int64_t own_rows[COUNT] = {0, 2, 1, 2, 3}; /* all but one of them have a single update */

struct operands {
    strew_dtype dtype;
    void *table, *right, *updates;
};

static void scatter_alone(const struct operands *operands, strew_reduction reduction)
{
    static char scratch[(size_t)1 << 19];
    const strew_tensor data = {operands->right, operands->dtype, 2, (int64_t[]){ROWS, WIDTH}, NULL};
    const strew_tensor values = {operands->updates, operands->dtype, 2, (int64_t[]){COUNT, WIDTH}, NULL};
    const strew_tensor indices = {(void *)(uintptr_t)own_rows, STREW_DTYPE_INT64, 2, values.shape,
                                  (int64_t[]){1, 0}};
    strew_options options = STREW_OPTIONS_INIT;
    options.scratch = scratch;
    options.scratch_size = sizeof scratch;
    CHECK(!strew_scatter_elements(&data, &indices, &values, 0, reduction, false, &data, &options));
}

static void scatter_together(strew_mpi_context *context, const struct operands *operands, strew_reduction reduction,
                             uint32_t flags)
{
    const strew_mpi_table table = {operands->table, operands->dtype, 2, (int64_t[]){world_size * ROWS, WIDTH}, 0};
    const strew_tensor values = {operands->updates, operands->dtype, 2, (int64_t[]){COUNT, WIDTH}, NULL};
    int64_t rows[COUNT];
    for (int i = 0; i < COUNT; i++)
        rows[i] = world_rank * ROWS + own_rows[i];
    const strew_tensor indices = {rows, STREW_DTYPE_INT64, 2, (int64_t[]){COUNT, 1}, NULL};
    strew_mpi_error error = {0};
    strew_mpi_options options = STREW_MPI_OPTIONS_INIT;
    options.flags = flags;
    options.error = &error;
    CHECK_OK(strew_mpi_scatter(context, &table, &indices, &values, reduction, &options), &error);
}

static void check(strew_mpi_context *context, strew_dtype dtype, strew_reduction reduction, uint32_t flags)
{
    struct random random = random_of((uint64_t)dtype, (uint64_t)reduction, (uint64_t)world_rank);
    const size_t size = strew_dtype_size(dtype);
    const struct operands operands = {dtype, allocate(ROWS * WIDTH * size), allocate(ROWS * WIDTH * size),
                                      allocate(COUNT * WIDTH * size)};
    random_elements(&random, dtype, operands.table, ROWS * WIDTH);
    random_elements(&random, dtype, operands.updates, COUNT * WIDTH);
    memcpy(operands.right, operands.table, ROWS * WIDTH * size);
    scatter_alone(&operands, reduction);
    scatter_together(context, &operands, reduction, flags);
    CHECK(same_elements(dtype, operands.table, operands.right, ROWS * WIDTH));
    free(operands.table);
    free(operands.right);
    free(operands.updates);
}

int main(int argc, char **argv)
{
    test_begin(&argc, &argv);
    strew_mpi_context *context;
    strew_mpi_error error = {0};
    CHECK_OK(strew_mpi_context_create(MPI_COMM_WORLD, NULL, &context, &error), &error);
    for (strew_dtype dtype = STREW_DTYPE_BOOL; dtype < STREW_DTYPE_COUNT; dtype++)
        for (strew_reduction reduction = 0; reduction < STREW_REDUCTION_COUNT; reduction++) {
            if (dtype == STREW_DTYPE_STRING || strew_dtype_size(dtype) == 0 ||
                !strew_reduction_supports(reduction, dtype))
                continue;
            check(context, dtype, reduction, STREW_MPI_FLAG_IGNORE_INIT_VAL);
            check(context, dtype, reduction, STREW_MPI_FLAG_IGNORE_INIT_VAL | STREW_MPI_FLAG_DISTINCT);
        }
    strew_mpi_context_destroy(context);
    return test_end("rows start from the identity");
}
