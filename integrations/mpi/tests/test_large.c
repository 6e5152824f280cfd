/*
 * More than 2^31 - 1 bytes from one rank to another in one call: a scatter and a gather. Two ranks and about 7 GiB,
 * so it runs only on request (STREW_MPI_TEST_LARGE).
 */
#include "harness.h"

#include <stdlib.h>

enum { ROWS = 4, WIDTH = 1 << 20, UPDATES = 2100 };

static uint8_t byte_of(int64_t row, int64_t column)
{
    return (uint8_t)(row * 31 + column * 7 + column / 251);
}

int main(int argc, char **argv)
{
    test_begin(&argc, &argv);
    CHECK(world_size == 2);
    strew_mpi_context *context;
    strew_mpi_error error = {0};
    CHECK_OK(strew_mpi_context_create(MPI_COMM_WORLD, NULL, &context, &error), &error);
    strew_mpi_options options = STREW_MPI_OPTIONS_INIT;
    options.error = &error;

    /* All rows lie on rank 0, and all indices on rank 1. Updates are one row, over and over. */
    const int64_t count = world_rank == 1 ? UPDATES : 0;
    uint8_t *rows = calloc(ROWS, WIDTH), *update = calloc(1, WIDTH), *gathered = malloc((size_t)count * WIDTH + 1);
    int32_t indices[UPDATES];
    CHECK(rows && update && gathered);
    for (int64_t i = 0; i < WIDTH; i++)
        update[i] = byte_of(0, i);
    for (int i = 0; i < UPDATES; i++)
        indices[i] = i % ROWS;
    const strew_mpi_table table = {rows, STREW_DTYPE_UINT8, 2, (int64_t[]){ROWS, WIDTH}, ROWS};
    const strew_tensor list = {indices, STREW_DTYPE_INT32, 2, (int64_t[]){count, 1}, NULL};
    const strew_tensor updates = {update, STREW_DTYPE_UINT8, 2, (int64_t[]){count, WIDTH}, (int64_t[]){0, 1}};
    const strew_tensor output = {gathered, STREW_DTYPE_UINT8, 2, (int64_t[]){count, WIDTH}, NULL};

    CHECK_OK(strew_mpi_scatter(context, &table, &list, &updates, STREW_REDUCTION_SUM, &options), &error);
    for (int64_t row = 0; row < ROWS && world_rank == 0; row++)
        for (int64_t i = 0; i < WIDTH; i++) {
            CHECK(rows[row * WIDTH + i] == (uint8_t)(UPDATES / ROWS * byte_of(0, i)));
            rows[row * WIDTH + i] = byte_of(row, i);
        }
    CHECK_OK(strew_mpi_gather(context, &table, &list, &output, &options), &error);
    for (int64_t row = 0; row < count; row++)
        for (int64_t i = 0; i < WIDTH; i++)
            CHECK(gathered[row * WIDTH + i] == byte_of(row % ROWS, i));
    strew_mpi_context_destroy(context);
    free(rows);
    free(update);
    free(gathered);
    return test_end("more than 2^31 - 1 bytes from one rank to another");
}
