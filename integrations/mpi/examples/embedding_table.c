/*
 * Trains an embedding table that is dealt to all ranks. Each rank works on its share of every batch: it gathers the
 * rows of its words, wherever they lie, and adds to them what it has learned. What it prints is the same on any
 * number of ranks, to the last bit.
 *
 *   mpirun -n 4 embedding_table
 */
#include <stdio.h>
#include <stdlib.h>
#include <strew_mpi.h>
#include <string.h>

enum { WORDS = 5000, WIDTH = 16, PAIRS = 4096, STEPS = 30 };

static uint32_t mix(uint32_t x)
{
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

/* A word of the text: few words are most of it. */
static int32_t draw_word(uint32_t place)
{
    const uint32_t drawn = mix(place) % WORDS;
    return (int32_t)((uint64_t)drawn * drawn / WORDS);
}

/* Every rank ends here alike: a refusal is the same on all of them. */
static void stop(MPI_Comm comm, const strew_mpi_error *error)
{
    char message[256];
    int rank;
    MPI_Comm_rank(comm, &rank);
    strew_mpi_error_message(error, message, sizeof message);
    if (rank == 0)
        fprintf(stderr, "embedding_table: %s: %s\n", strew_mpi_status_name(error->status), message);
    MPI_Finalize();
    exit(1);
}

/* A pair of words moves closer. rows and updates are [2 * pairs][WIDTH]. */
static void learn(const float *rows, float *updates, int64_t pairs)
{
    for (int64_t i = 0; i < pairs; i++) {
        const float *word = rows + 2 * i * WIDTH, *neighbour = word + WIDTH;
        float *of_word = updates + 2 * i * WIDTH, *of_neighbour = of_word + WIDTH;
        for (int j = 0; j < WIDTH; j++) {
            const float step = 0.01f * (neighbour[j] - word[j]);
            of_word[j] = step;
            of_neighbour[j] = -step;
        }
    }
}

/* A number for all bits of the table. It does not depend on the distribution of the rows. */
static uint64_t checksum(MPI_Comm comm, const strew_mpi_table *table, int ranks, int rank)
{
    const int64_t local = strew_mpi_local_rows(WORDS, table->block, ranks, rank);
    const float *rows = table->rows;
    uint64_t sum = 0, all = 0;
    for (int64_t i = 0; i < local; i++)
        for (int j = 0; j < WIDTH; j++) {
            uint32_t bits,
                place = (uint32_t)strew_mpi_global_row(WORDS, table->block, ranks, rank, i) * WIDTH + (uint32_t)j;
            memcpy(&bits, &rows[i * WIDTH + j], sizeof bits);
            sum += (uint64_t)mix(bits ^ mix(place)) * (mix(place) | 1);
        }
    MPI_Allreduce(&sum, &all, 1, MPI_UINT64_T, MPI_SUM, comm);
    return all;
}

int main(int argc, char **argv)
{
    int ranks, rank;
    MPI_Init(&argc, &argv);
    const MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Comm_size(comm, &ranks);
    MPI_Comm_rank(comm, &rank);

    strew_mpi_error error;
    strew_mpi_context *context;
    if (strew_mpi_context_create(comm, NULL, &context, &error))
        stop(comm, &error);

    /* This rank's rows of the table. The distribution is cyclic, because common words come first. */
    const int64_t shape[] = {WORDS, WIDTH}, block = 1;
    const int64_t local = strew_mpi_local_rows(WORDS, block, ranks, rank);
    float *rows = malloc(((size_t)local * WIDTH + 1) * sizeof *rows);
    for (int64_t i = 0; i < local; i++)
        for (int j = 0; j < WIDTH; j++) {
            const int64_t word = strew_mpi_global_row(WORDS, block, ranks, rank, i);
            rows[i * WIDTH + j] = (float)mix((uint32_t)(word * WIDTH + j)) / 4294967296.0f;
        }
    const strew_mpi_table table = {rows, STREW_DTYPE_FLOAT32, 2, shape, block};

    /* This rank's share of each batch, which is dealt in the order of the ranks: pairs of words, [2 * pairs][1]. */
    const int64_t first = PAIRS * (int64_t)rank / ranks, pairs = PAIRS * (int64_t)(rank + 1) / ranks - first;
    int32_t *words = malloc(((size_t)(2 * pairs) + 1) * sizeof *words);
    float *gathered = malloc(((size_t)(2 * pairs * WIDTH) + 1) * sizeof *gathered);
    float *updates = malloc(((size_t)(2 * pairs * WIDTH) + 1) * sizeof *updates);
    const strew_tensor indices = {words, STREW_DTYPE_INT32, 2, (int64_t[]){2 * pairs, 1}, NULL};
    const strew_tensor output = {gathered, STREW_DTYPE_FLOAT32, 2, (int64_t[]){2 * pairs, WIDTH}, NULL};
    const strew_tensor learned = {updates, STREW_DTYPE_FLOAT32, 2, (int64_t[]){2 * pairs, WIDTH}, NULL};
    strew_mpi_options options = STREW_MPI_OPTIONS_INIT;
    options.error = &error;

    for (int step = 0; step < STEPS; step++) {
        for (int64_t i = 0; i < 2 * pairs; i++)
            words[i] = draw_word((uint32_t)(2 * (step * (int64_t)PAIRS + first) + i));

        /* Sends the words of this step to their ranks once, and uses them twice. */
        strew_mpi_plan *plan;
        if (strew_mpi_plan_create(context, &table, &indices, &plan, &options) ||
            strew_mpi_plan_gather(plan, &table, &output, &options))
            stop(comm, &error);
        learn(gathered, updates, pairs);
        if (strew_mpi_plan_scatter(plan, &table, &learned, STREW_REDUCTION_SUM, &options))
            stop(comm, &error);
        strew_mpi_plan_destroy(plan);
    }
    const uint64_t sum = checksum(comm, &table, ranks, rank);
    if (rank == 0)
        printf("after %d steps: %016llx\n", STEPS, (unsigned long long)sum);

    /* All ranks refuse a bad word of one rank, and the table stays as it was. */
    if (rank == ranks - 1 && pairs > 0)
        words[2 * pairs - 1] = WORDS;
    if (!strew_mpi_scatter(context, &table, &indices, &learned, STREW_REDUCTION_SUM, &options))
        return 1;
    const bool is_untouched = checksum(comm, &table, ranks, rank) == sum;
    if (rank == 0)
        printf("a wrong word: %s, %s\n", strew_mpi_status_name(error.status),
               is_untouched ? "and the table is as it was" : "and the table has changed");

    strew_mpi_context_destroy(context);
    free(rows);
    free(words);
    free(gathered);
    free(updates);
    MPI_Finalize();
    return 0;
}
