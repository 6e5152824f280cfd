/*
 * A layer of a graph network over more nodes than one machine holds: each node takes the mean of its neighbours'
 * features. Nodes are dealt to ranks in blocks and edges as they come; the graph is planned once, and run for each
 * layer. What it prints is the same on any number of ranks, to the last bit.
 *
 *   mpirun -n 4 graph_layer
 */
#include <stdio.h>
#include <stdlib.h>
#include <strew_mpi.h>
#include <string.h>

enum { NODES = 3001, FEATURES = 8, EDGES = 40000, LAYERS = 4 };

static uint32_t mix(uint32_t x)
{
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

static void require(strew_status status, const strew_mpi_error *error)
{
    char message[256];
    if (status == STREW_STATUS_OK)
        return;
    strew_mpi_error_message(error, message, sizeof message);
    fprintf(stderr, "graph_layer: %s\n", message);
    MPI_Finalize();
    exit(1);
}

int main(int argc, char **argv)
{
    int ranks, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    strew_mpi_error error;
    strew_mpi_context *context;
    require(strew_mpi_context_create(MPI_COMM_WORLD, NULL, &context, &error), &error);

    /* Two tables with one distribution: the features of a layer, and of the next. */
    const int64_t shape[] = {NODES, FEATURES}, local = strew_mpi_local_rows(NODES, 0, ranks, rank);
    const size_t bytes = (size_t)local * FEATURES * sizeof(float);
    float *features = malloc(bytes + 1), *next = malloc(bytes + 1);
    for (int64_t i = 0; i < local * FEATURES; i++) {
        const int64_t node = strew_mpi_global_row(NODES, 0, ranks, rank, i / FEATURES);
        features[i] = (float)(mix((uint32_t)(node * FEATURES + i % FEATURES)) >> 8) / 16777216.0f;
    }

    /* This rank's edges, from a source to a target. */
    const int64_t first = EDGES * (int64_t)rank / ranks, edges = EDGES * (int64_t)(rank + 1) / ranks - first;
    int64_t *sources = malloc(((size_t)edges + 1) * sizeof *sources);
    int64_t *targets = malloc(((size_t)edges + 1) * sizeof *targets);
    for (int64_t i = 0; i < edges; i++) {
        sources[i] = mix((uint32_t)(2 * (first + i))) % NODES;
        targets[i] = mix((uint32_t)(2 * (first + i) + 1)) % NODES;
    }
    float *messages = malloc(((size_t)edges * FEATURES + 1) * sizeof *messages);
    const strew_tensor from = {sources, STREW_DTYPE_INT64, 2, (int64_t[]){edges, 1}, NULL};
    const strew_tensor to = {targets, STREW_DTYPE_INT64, 2, (int64_t[]){edges, 1}, NULL};
    const strew_tensor sent = {messages, STREW_DTYPE_FLOAT32, 2, (int64_t[]){edges, FEATURES}, NULL};

    /* Plans the graph once. Fetches a source once that many edges of a rank share. */
    strew_mpi_table table = {features, STREW_DTYPE_FLOAT32, 2, shape, 0}, table_of_next = table;
    strew_mpi_options options = STREW_MPI_OPTIONS_INIT, planning = STREW_MPI_OPTIONS_INIT;
    options.error = planning.error = &error;
    strew_mpi_plan *gather, *scatter;
    planning.flags = STREW_MPI_FLAG_DISTINCT;
    require(strew_mpi_plan_create(context, &table, &from, &gather, &planning), &error);
    planning.flags = 0;
    require(strew_mpi_plan_create(context, &table, &to, &scatter, &planning), &error);

    for (int layer = 0; layer < LAYERS; layer++) {
        table.rows = features;
        table_of_next.rows = next;
        memcpy(next, features, bytes); /* a node without edges keeps its features, the others count theirs in */
        require(strew_mpi_plan_gather(gather, &table, &sent, &options), &error);
        require(strew_mpi_plan_scatter(scatter, &table_of_next, &sent, STREW_REDUCTION_MEAN, &options), &error);
        float *const before = features;
        features = next;
        next = before;
    }

    uint64_t sum = 0, all = 0;
    for (int64_t i = 0; i < local * FEATURES; i++) {
        uint32_t bits;
        memcpy(&bits, &features[i], sizeof bits);
        sum += (uint64_t)bits * (mix((uint32_t)strew_mpi_global_row(NODES, 0, ranks, rank, i / FEATURES)) | 1);
    }
    MPI_Reduce(&sum, &all, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("after %d layers: %016llx\n", LAYERS, (unsigned long long)all);
    strew_mpi_plan_destroy(gather);
    strew_mpi_plan_destroy(scatter);
    strew_mpi_context_destroy(context);
    free(features);
    free(next);
    free(sources);
    free(targets);
    free(messages);
    MPI_Finalize();
    return 0;
}
