/*
 * The MPI calls of a call: indices and rows travel once, a plan's indices never again; and a failing call of MPI is
 * reported. This file intercepts MPI through its profiling interface.
 */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

static struct {
    int64_t bytes[8];                    /* that this rank sent by the first calls of MPI_Alltoallv */
    int exchanges, others, calls, fails; /* fails: the number of the call that fails; -1 for none */
} seen;

static void forget_all(int fails)
{
    memset(&seen, 0, sizeof seen);
    seen.fails = fails;
}

static bool must_fail(void)
{
    return seen.calls++ == seen.fails;
}

int MPI_Alltoallv(const void *sent, const int counts[], const int starts[], MPI_Datatype type, void *received,
                  const int other_counts[], const int other_starts[], MPI_Datatype other_type, MPI_Comm comm)
{
    if (must_fail())
        return MPI_ERR_OTHER;
    int size, unit;
    PMPI_Comm_size(comm, &size);
    PMPI_Type_size(type, &unit);
    for (int rank = 0; rank < size && seen.exchanges < 8; rank++)
        seen.bytes[seen.exchanges] += (int64_t)counts[rank] * unit;
    seen.exchanges++;
    return PMPI_Alltoallv(sent, counts, starts, type, received, other_counts, other_starts, other_type, comm);
}

int MPI_Alltoall(const void *sent, int count, MPI_Datatype type, void *received, int other_count,
                 MPI_Datatype other_type, MPI_Comm comm)
{
    seen.others++;
    return must_fail() ? MPI_ERR_OTHER : PMPI_Alltoall(sent, count, type, received, other_count, other_type, comm);
}

int MPI_Allreduce(const void *sent, void *received, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    seen.others++;
    return must_fail() ? MPI_ERR_OTHER : PMPI_Allreduce(sent, received, count, type, op, comm);
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    seen.others++;
    return must_fail() ? MPI_ERR_OTHER : PMPI_Bcast(buffer, count, type, root, comm);
}

/* ---- A table [ROWS][WIDTH] of floats, and a list in which each row stands twice ------------------ */

enum { ROWS = 24, WIDTH = 5, COUNT = 2 * ROWS, ROW_BYTES = WIDTH * sizeof(float), INDEX_BYTES = sizeof(int32_t) };

static strew_mpi_context *context;
static float rows[ROWS * WIDTH], values[COUNT * WIDTH];
static int16_t list[COUNT];
static strew_mpi_error error;

static const strew_mpi_table table = {rows, STREW_DTYPE_FLOAT32, 2, (const int64_t[]){ROWS, WIDTH}, 1};
static const strew_tensor indices = {list, STREW_DTYPE_INT16, 2, (const int64_t[]){COUNT, 1}, NULL};
static const strew_tensor operand = {values, STREW_DTYPE_FLOAT32, 2, (const int64_t[]){COUNT, WIDTH}, NULL};

static strew_mpi_options options_with(uint32_t flags)
{
    strew_mpi_options options = STREW_MPI_OPTIONS_INIT;
    options.flags = flags;
    options.error = &error;
    return options;
}

static void check_traffic(int exchanges, int others, int64_t first, int64_t second)
{
    CHECK(seen.exchanges == exchanges && seen.others == others);
    CHECK(seen.bytes[0] == first && seen.bytes[1] == second);
    forget_all(-1);
}

static int64_t sum_over_ranks(int64_t bytes)
{
    int64_t sum;
    PMPI_Allreduce(&bytes, &sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

static void test_indices_and_rows_travel_once(void)
{
    strew_mpi_options plain = options_with(0), distinct = options_with(STREW_MPI_FLAG_DISTINCT);
    forget_all(-1);
    CHECK_OK(strew_mpi_scatter(context, &table, &indices, &operand, STREW_REDUCTION_SUM, &plain), &error);
    check_traffic(2, 3, COUNT * INDEX_BYTES, COUNT * ROW_BYTES);
    CHECK_OK(strew_mpi_scatter(context, &table, &indices, &operand, STREW_REDUCTION_SUM, &distinct), &error);
    check_traffic(2, 3, COUNT * INDEX_BYTES, COUNT * ROW_BYTES); /* a float sum */
    CHECK_OK(strew_mpi_scatter(context, &table, &indices, &operand, STREW_REDUCTION_MAX, &distinct), &error);
    check_traffic(2, 3, ROWS * INDEX_BYTES, ROWS * ROW_BYTES);

    CHECK_OK(strew_mpi_gather(context, &table, &indices, &operand, &plain), &error);
    CHECK(sum_over_ranks(seen.bytes[1]) == world_size * COUNT * ROW_BYTES);
    check_traffic(2, 3, COUNT * INDEX_BYTES, seen.bytes[1]);
    CHECK_OK(strew_mpi_gather(context, &table, &indices, &operand, &distinct), &error);
    CHECK(sum_over_ranks(seen.bytes[1]) == world_size * ROWS * ROW_BYTES);
    check_traffic(2, 3, ROWS * INDEX_BYTES, seen.bytes[1]);
}

static void test_a_plan_sends_its_indices_once(void)
{
    strew_mpi_options plain = options_with(0);
    strew_mpi_plan *plan;
    forget_all(-1);
    CHECK_OK(strew_mpi_plan_create(context, &table, &indices, &plan, &plain), &error);
    check_traffic(1, 3, COUNT * INDEX_BYTES, 0);
    for (int run = 0; run < 3; run++) {
        CHECK_OK(strew_mpi_plan_scatter(plan, &table, &operand, STREW_REDUCTION_SUM, &plain), &error);
        check_traffic(1, 1, COUNT * ROW_BYTES, 0);
        CHECK_OK(strew_mpi_plan_gather(plan, &table, &operand, &plain), &error);
        check_traffic(1, 1, seen.bytes[0], 0);
    }
    strew_mpi_plan_destroy(plan);
}

static void test_a_refusal_sends_neither(void)
{
    strew_mpi_options plain = options_with(0);
    const int16_t before = list[7];
    if (world_rank == world_size - 1)
        list[7] = ROWS;
    forget_all(-1);
    CHECK(strew_mpi_scatter(context, &table, &indices, &operand, STREW_REDUCTION_SUM, &plain) ==
          STREW_STATUS_INDEX_OUT_OF_BOUNDS);
    check_traffic(0, 2, 0, 0);
    list[7] = before;
}

/* Fails on all ranks alike, so that none waits for another. */
static void test_calls_of_mpi_that_fail(void)
{
    float untouched[ROWS * WIDTH];
    strew_mpi_options plain = options_with(0);
    memcpy(untouched, rows, sizeof rows);
    int failures = 0;
    for (bool is_done = false; !is_done; failures += !is_done) {
        char words[256], name[32];
        forget_all(failures);
        const strew_status status =
            strew_mpi_scatter(context, &table, &indices, &operand, STREW_REDUCTION_SUM, &plain);
        is_done = status == STREW_STATUS_OK;
        snprintf(name, sizeof name, "rank %d: MPI failed: ", world_rank);
        strew_mpi_error_message(&error, words, sizeof words);
        CHECK(is_done || (status == STREW_MPI_STATUS_MPI_FAILED && strncmp(words, name, strlen(name)) == 0));
        CHECK(is_done || memcmp(untouched, rows, sizeof rows) == 0);
    }
    CHECK(failures == 5); /* two agreements, counts, indices, rows */
    forget_all(-1);
}

int main(int argc, char **argv)
{
    test_begin(&argc, &argv);
    for (int i = 0; i < COUNT; i++)
        list[i] = (int16_t)(i % 2 ? i / 2 : i / 2 - ROWS);
    for (int i = 0; i < COUNT * WIDTH; i++)
        values[i] = (float)(i + 1);
    forget_all(-1);
    CHECK_OK(strew_mpi_context_create(MPI_COMM_WORLD, NULL, &context, &error), &error);
    test_indices_and_rows_travel_once();
    test_a_plan_sends_its_indices_once();
    test_a_refusal_sends_neither();
    test_calls_of_mpi_that_fail();
    strew_mpi_context_destroy(context);
    return test_end("indices and rows travel once");
}
