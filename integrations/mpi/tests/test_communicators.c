/* The communicators that work: of one rank, of some, in another order; and those that do not. */
#include "harness.h"

#include <string.h>

enum { ROWS = 11 };

/* Each rank adds its number + 1 to every row of a table of one column, twice: the sum is known. */
static void add_to_all_rows(MPI_Comm comm, int64_t block)
{
    int size, rank;
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    strew_mpi_context *context;
    strew_mpi_error error = {0};
    CHECK_OK(strew_mpi_context_create(comm, NULL, &context, &error), &error);
    CHECK(strew_mpi_context_size(context) == size && strew_mpi_context_rank(context) == rank);
    int32_t rows[ROWS] = {0}, updates[2 * ROWS], gathered[2 * ROWS];
    int16_t indices[2 * ROWS];
    for (int i = 0; i < 2 * ROWS; i++) {
        indices[i] = (int16_t)(i < ROWS ? i : -1 - (i - ROWS));
        updates[i] = rank + 1;
    }
    const strew_mpi_table table = {rows, STREW_DTYPE_INT32, 1, (int64_t[]){ROWS}, block};
    const strew_tensor list = {indices, STREW_DTYPE_INT16, 2, (int64_t[]){2 * ROWS, 1}, NULL};
    const strew_tensor values = {updates, STREW_DTYPE_INT32, 1, (int64_t[]){2 * ROWS}, NULL};
    const strew_tensor output = {gathered, STREW_DTYPE_INT32, 1, (int64_t[]){2 * ROWS}, NULL};
    strew_mpi_options options = STREW_MPI_OPTIONS_INIT;
    options.error = &error;
    CHECK_OK(strew_mpi_scatter(context, &table, &list, &values, STREW_REDUCTION_SUM, &options), &error);
    CHECK_OK(strew_mpi_gather(context, &table, &list, &output, &options), &error);
    for (int i = 0; i < 2 * ROWS; i++)
        CHECK(gathered[i] == size * (size + 1));
    strew_mpi_context_trim(context);
    CHECK_OK(strew_mpi_gather(context, &table, &list, &output, NULL), &error);
    strew_mpi_context_destroy(context);
}

static void test_parts_of_the_world(void)
{
    MPI_Comm part;
    for (int64_t block = 0; block <= ROWS + 2; block++) {
        add_to_all_rows(MPI_COMM_SELF, block);
        add_to_all_rows(MPI_COMM_WORLD, block);
        MPI_Comm_split(MPI_COMM_WORLD, world_rank % 2, -world_rank, &part); /* in reverse */
        add_to_all_rows(part, block);
        MPI_Comm_free(&part);
    }
    MPI_Comm_split(MPI_COMM_WORLD, world_rank == 0 ? MPI_UNDEFINED : 0, 0, &part);
    if (world_rank == 0) {
        strew_mpi_context *context = (strew_mpi_context *)(uintptr_t)1;
        strew_mpi_error error = {0};
        CHECK_REFUSED(strew_mpi_context_create(part, NULL, &context, &error), &error, STREW_STATUS_INVALID_ARGUMENT,
                      "the communicator is MPI_COMM_NULL");
        CHECK(!context);
    } else {
        add_to_all_rows(part, 1);
        MPI_Comm_free(&part);
    }
}

static void test_intercommunicators_are_refused(void)
{
    if (world_size < 2)
        return;
    MPI_Comm half, between;
    MPI_Comm_split(MPI_COMM_WORLD, world_rank % 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - world_rank % 2, 7, &between);
    strew_mpi_context *context;
    strew_mpi_error error = {0};
    CHECK_REFUSED(strew_mpi_context_create(between, NULL, &context, &error), &error, STREW_STATUS_INVALID_ARGUMENT,
                  "the communicator is an intercommunicator: merge its groups first");
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
}

static void test_contexts_that_are_refused(void)
{
    strew_mpi_context *context = NULL;
    strew_mpi_error error = {0};
    const strew_mpi_allocator none = {0};
    const bool is_wrong = world_rank == world_size - 1;
    CHECK(strew_mpi_context_create(MPI_COMM_WORLD, is_wrong ? &none : NULL, &context, &error) ==
          STREW_STATUS_INVALID_ARGUMENT);
    CHECK(error.rank == world_size - 1 && !context);
    CHECK(strew_mpi_context_create(MPI_COMM_WORLD, NULL, is_wrong ? NULL : &context, &error) ==
          STREW_STATUS_INVALID_ARGUMENT);
    CHECK(error.rank == world_size - 1 && !context);
}

static int where_destroyed_late(strew_mpi_context *context)
{
    MPI_Finalize();
    strew_mpi_context_destroy(context);
    return 0;
}

int main(int argc, char **argv)
{
    test_begin(&argc, &argv);
    test_parts_of_the_world();
    test_intercommunicators_are_refused();
    test_contexts_that_are_refused();
    strew_mpi_context *context;
    CHECK_OK(strew_mpi_context_create(MPI_COMM_WORLD, NULL, &context, NULL), NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank == 0)
        printf("%d ranks: communicators of all kinds\n", world_size);
    return where_destroyed_late(context);
}
