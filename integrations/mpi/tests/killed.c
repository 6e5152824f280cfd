/*
 * killed FOLDER: writes each rank's process to FOLDER, and scatters until one rank is killed from outside MPI,
 * between calls or during one. killed.sh checks the rest.
 */
#include "harness.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static void note_process(const char *folder)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%d", folder, world_rank);
    FILE *file = fopen(path, "w");
    CHECK(file && fprintf(file, "%ld\n", (long)getpid()) > 0 && fclose(file) == 0);
}

int main(int argc, char **argv)
{
    test_begin(&argc, &argv);
    CHECK(argc == 2);
    note_process(argv[1]);
    MPI_Barrier(MPI_COMM_WORLD);

    float rows[64] = {0}, updates[64] = {1};
    int32_t indices[64] = {0};
    strew_mpi_context *context;
    CHECK_OK(strew_mpi_context_create(MPI_COMM_WORLD, NULL, &context, NULL), NULL);
    const strew_mpi_table table = {rows, STREW_DTYPE_FLOAT32, 1, (int64_t[]){64}, 1};
    const strew_tensor list = {indices, STREW_DTYPE_INT32, 2, (int64_t[]){64, 1}, NULL};
    const strew_tensor values = {updates, STREW_DTYPE_FLOAT32, 1, (int64_t[]){64}, NULL};
    for (int call = 0;; call++) {
        if (call == 20 && world_rank == 1)
            raise(SIGKILL);
        strew_mpi_scatter(context, &table, &list, &values, STREW_REDUCTION_SUM, NULL);
    }
}
