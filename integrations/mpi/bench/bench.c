/*
 * strew_mpi_bench ROWS WIDTH INDICES REPETITIONS: times gathers and scatters on the given ranks, in all and part by
 * part, and with one rank also strew without MPI. The table has ROWS rows of WIDTH floats on all ranks together.
 * Each rank has INDICES indices, also as a plan for repeated calls.
 *
 * Each row of the output is a call: the time of its fastest repetition on the slowest rank, in milliseconds, and
 * the mean over the ranks of each part. The fastest one, since other work on the machine only adds time. The last
 * columns are the most rows that a rank was sent, absolutely and as a multiple of the mean.
 */
#include "strew_mpi.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int ranks, rank;

struct workload {
    int64_t rows, width, count;
    int repetitions;
    bool is_zipf;
    int64_t block;
    uint32_t flags;
};

struct arrays {
    float *table, *values;
    int32_t *indices;
};

static void *allocate(int64_t elements)
{
    void *memory = malloc((size_t)elements * sizeof(float) + 1);
    if (!memory) {
        fprintf(stderr, "strew_mpi_bench: no memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    memset(memory, 0, (size_t)elements * sizeof(float)); /* maps its pages before anything is timed */
    return memory;
}

static double draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* Uniform, or by Zipf's law with exponent 1: row i about 1 / (i + 1) as often as row 0. */
static void draw_indices(const struct workload *work, int32_t *indices)
{
    uint64_t state = 12345 + (uint64_t)rank;
    for (int64_t i = 0; i < work->count; i++) {
        const double u = draw(&state), rows = (double)work->rows;
        const int64_t index = (int64_t)(work->is_zipf ? exp(u * log(rows)) - 1 : u * rows);
        indices[i] = (int32_t)(index < work->rows ? index : work->rows - 1);
    }
}

struct result {
    double seconds;
    strew_mpi_times times;
};

enum call { GATHER, SUM, MAX, MEAN, PLAN, PLANNED_GATHER, PLANNED_SUM, PLANNED_MAX, ALONE_GATHER, ALONE_SUM };

static const char *const names[] = {"gather",         "sum",         "max",         "mean",         "plan",
                                    "planned gather", "planned sum", "planned max", "strew gather", "strew sum"};

static strew_reduction reduction_of(enum call call)
{
    switch (call) {
    case MAX:
    case PLANNED_MAX: return STREW_REDUCTION_MAX;
    case MEAN: return STREW_REDUCTION_MEAN;
    default: return STREW_REDUCTION_SUM;
    }
}

struct bench {
    strew_mpi_context *context;
    strew_mpi_plan *plan;
    strew_mpi_table table;
    strew_tensor indices, values;
    strew_mpi_options options;
};

static strew_status run(struct bench *bench, enum call call)
{
    const strew_tensor data = {bench->table.rows, bench->table.dtype, 2, bench->table.shape, NULL};
    strew_mpi_plan *plan;
    strew_mpi_options planned = bench->options;
    strew_status status;
    planned.flags = 0;
    switch (call) {
    case GATHER:
        return strew_mpi_gather(bench->context, &bench->table, &bench->indices, &bench->values, &bench->options);
    case SUM:
    case MAX:
    case MEAN:
        return strew_mpi_scatter(bench->context, &bench->table, &bench->indices, &bench->values, reduction_of(call),
                                 &bench->options);
    case PLAN:
        status = strew_mpi_plan_create(bench->context, &bench->table, &bench->indices, &plan, &bench->options);
        strew_mpi_plan_destroy(plan);
        return status;
    case PLANNED_GATHER: return strew_mpi_plan_gather(bench->plan, &bench->table, &bench->values, &planned);
    case PLANNED_SUM:
    case PLANNED_MAX:
        return strew_mpi_plan_scatter(bench->plan, &bench->table, &bench->values, reduction_of(call), &planned);
    case ALONE_GATHER: return strew_gather_nd(&data, &bench->indices, 0, &bench->values, NULL);
    default: return strew_scatter_nd(&data, &bench->indices, &bench->values, STREW_REDUCTION_SUM, &data, NULL);
    }
}

static struct result measure(struct bench *bench, enum call call, int repetitions)
{
    struct result best = {0};
    run(bench, call); /* allocates kept memory and connects the ranks */
    for (int i = 0; i < repetitions; i++) {
        struct result result = {0};
        bench->options.times = &result.times;
        MPI_Barrier(MPI_COMM_WORLD);
        const double begin = MPI_Wtime();
        if (run(bench, call))
            MPI_Abort(MPI_COMM_WORLD, 1);
        const double mine = MPI_Wtime() - begin;
        MPI_Allreduce(&mine, &result.seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (i == 0 || result.seconds < best.seconds)
            best = result;
    }
    bench->options.times = NULL;
    MPI_Allreduce(MPI_IN_PLACE, &best.times, 6, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return best;
}

/* The most rows that a rank is sent, and the mean. */
static void count_rows(const struct workload *work, const int32_t *indices, int64_t *most, double *mean)
{
    int64_t *counts = calloc((size_t)ranks, sizeof *counts), local;
    int owner;
    for (int64_t i = 0; i < work->count; i++) {
        strew_mpi_find_row(work->rows, work->block, ranks, indices[i], &owner, &local);
        counts[owner]++;
    }
    MPI_Allreduce(MPI_IN_PLACE, counts, ranks, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    *most = 0;
    for (int i = 0; i < ranks; i++)
        *most = counts[i] > *most ? counts[i] : *most;
    *mean = (double)work->count;
    free(counts);
}

static void report(const struct workload *work, const char *name, const struct result *result, int64_t most,
                   double mean)
{
    const double unit = 1e3 / ranks;
    const strew_mpi_times *t = &result->times;
    if (rank == 0)
        printf("%d %-14s %-7s %-6s %8.2f | %6.2f %6.2f %6.2f %6.2f %6.2f %6.2f | %8lld %5.2f\n", ranks, name,
               work->is_zipf ? "zipf" : "uniform", work->block == 0 ? "block" : "cyclic", result->seconds * 1e3,
               t->route * unit, t->agree * unit, t->indices * unit, t->pack * unit, t->rows * unit, t->apply * unit,
               (long long)most, (double)most / mean);
}

static void run_workload(struct workload *work, strew_mpi_context *context)
{
    const int64_t local = strew_mpi_local_rows(work->rows, work->block, ranks, rank);
    struct arrays arrays = {allocate(local * work->width), allocate(work->count * work->width),
                            allocate(work->count)};
    draw_indices(work, arrays.indices);
    struct bench bench = {context,
                          NULL,
                          {arrays.table, STREW_DTYPE_FLOAT32, 2, (int64_t[]){work->rows, work->width}, work->block},
                          {arrays.indices, STREW_DTYPE_INT32, 2, (int64_t[]){work->count, 1}, NULL},
                          {arrays.values, STREW_DTYPE_FLOAT32, 2, (int64_t[]){work->count, work->width}, NULL},
                          STREW_MPI_OPTIONS_INIT};
    int64_t most;
    double mean;
    count_rows(work, arrays.indices, &most, &mean);
    bench.options.flags = work->flags;
    if (strew_mpi_plan_create(context, &bench.table, &bench.indices, &bench.plan, &bench.options))
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (enum call call = GATHER; call <= (ranks == 1 ? ALONE_SUM : PLANNED_MAX); call++) {
        if (work->flags && (call == SUM || call == MEAN || call == PLANNED_SUM)) /* no effect on floats */
            continue;
        char name[64];
        snprintf(name, sizeof name, "%s%s", names[call], work->flags ? "*" : "");
        const struct result result = measure(&bench, call, work->repetitions);
        report(work, name, &result, most, mean);
    }
    strew_mpi_plan_destroy(bench.plan);
    free(arrays.table);
    free(arrays.values);
    free(arrays.indices);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    strew_mpi_context *context;
    if (argc != 5 || strew_mpi_context_create(MPI_COMM_WORLD, NULL, &context, NULL)) {
        fprintf(stderr, "strew_mpi_bench ROWS WIDTH INDICES REPETITIONS\n");
        return 2;
    }
    struct workload work = {atoll(argv[1]), atoll(argv[2]), atoll(argv[3]), atoi(argv[4]), false, 1, 0};
    if (rank == 0)
        printf(
            "# ranks call, indices, rows: ms | route agree indices pack rows apply | most rows, of the mean; *: "
            "distinct\n");
    for (int zipf = 0; zipf < 2; zipf++)
        for (int distinct = 0; distinct < 2; distinct++) {
            work.is_zipf = zipf;
            work.flags = distinct ? STREW_MPI_FLAG_DISTINCT : 0;
            run_workload(&work, context);
        }
    work.flags = 0;
    work.block = 0;
    run_workload(&work, context);
    strew_mpi_context_destroy(context);
    MPI_Finalize();
    return 0;
}
