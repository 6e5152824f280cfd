/* A rank with more rows than 32 bits count: indices travel as 64 bits. Only a few pages of its memory are ever
 * touched. */
#include "harness.h"

#include <stdlib.h>

enum { NAMED = 5 };

int main(int argc, char **argv)
{
    test_begin(&argc, &argv);
    strew_mpi_context *context;
    strew_mpi_error error = {0};
    CHECK_OK(strew_mpi_context_create(MPI_COMM_WORLD, NULL, &context, &error), &error);
    strew_mpi_options options = STREW_MPI_OPTIONS_INIT;
    options.error = &error;

    /* All rows lie on the first rank. Each rank adds 1 to a few of them. */
    const int64_t rows = ((int64_t)1 << 32) + 10, shape[] = {rows};
    const int64_t named[NAMED] = {0, INT32_MAX, (int64_t)1 << 31, ((int64_t)1 << 32) + 1, -1};
    const uint64_t bits = 0x0101010101010101u;
    uint8_t *table_rows = world_rank == 0 ? calloc((size_t)rows, 1) : NULL;
    uint8_t gathered[NAMED] = {0};
    CHECK(world_rank > 0 || table_rows);
    const strew_mpi_table table = {table_rows, STREW_DTYPE_UINT8, 1, shape, rows};
    const strew_tensor indices = {(void *)(uintptr_t)named, STREW_DTYPE_INT64, 2, (int64_t[]){NAMED, 1}, NULL};
    const strew_tensor ones = {(void *)(uintptr_t)&bits, STREW_DTYPE_UINT8, 1, (int64_t[]){NAMED}, NULL};
    const strew_tensor output = {gathered, STREW_DTYPE_UINT8, 1, (int64_t[]){NAMED}, NULL};
    for (int distinct = 0; distinct < 2; distinct++) {
        options.flags = distinct ? STREW_MPI_FLAG_DISTINCT : 0;
        CHECK_OK(strew_mpi_scatter(context, &table, &indices, &ones, STREW_REDUCTION_SUM, &options), &error);
        CHECK_OK(strew_mpi_gather(context, &table, &indices, &output, &options), &error);
        for (int i = 0; i < NAMED; i++)
            CHECK(gathered[i] == world_size * (distinct + 1));
    }
    CHECK(world_rank > 0 || (table_rows[1] == 0 && table_rows[9] == 0 && table_rows[rows - 1] == gathered[4]));
    strew_mpi_context_destroy(context);
    free(table_rows);
    return test_end("a rank of more than 2^32 rows");
}
