/*
 * All ranks refuse a call alike, in the same words, and write nothing: for bad indices, arguments that are wrong on
 * one rank, arguments that differ from rank to rank, and a rank without memory. Needs two ranks.
 */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 10, WIDTH = 3, MOST = 8 };

static strew_mpi_context *context;

/* A table [ROWS][WIDTH] of floats, and a list of row indices, as every test begins. */
struct setting {
    float rows[ROWS * WIDTH], updates[MOST * WIDTH];
    int64_t indices[MOST], shape[2], list_shape[2], row_shape[2];
    strew_mpi_table table;
    strew_tensor list, values;
    strew_reduction reduction;
    strew_mpi_error error;
    strew_mpi_options options;
};

static void set_up(struct setting *s)
{
    memset(s, 0, sizeof *s);
    for (int i = 0; i < ROWS * WIDTH; i++)
        s->rows[i] = (float)(100 + i);
    for (int i = 0; i < MOST * WIDTH; i++)
        s->updates[i] = (float)(1 + i);
    for (int i = 0; i < MOST; i++)
        s->indices[i] = i % ROWS;
    s->shape[0] = ROWS, s->shape[1] = WIDTH;
    s->list_shape[0] = 4, s->list_shape[1] = 1;
    s->row_shape[0] = 4, s->row_shape[1] = WIDTH;
    s->table = (strew_mpi_table){s->rows, STREW_DTYPE_FLOAT32, 2, s->shape, 1};
    s->list = (strew_tensor){s->indices, STREW_DTYPE_INT64, 2, s->list_shape, NULL};
    s->values = (strew_tensor){s->updates, STREW_DTYPE_FLOAT32, 2, s->row_shape, NULL};
    s->reduction = STREW_REDUCTION_SUM;
    s->options = (strew_mpi_options)STREW_MPI_OPTIONS_INIT;
    s->options.error = &s->error;
}

static bool is_untouched(const struct setting *s)
{
    struct setting fresh;
    set_up(&fresh);
    return memcmp(fresh.rows, s->rows, sizeof fresh.rows) == 0 &&
           memcmp(fresh.updates, s->updates, sizeof fresh.updates) == 0;
}

/* If the refusal is about the indices or the table, checks also a plan, and a gather into the updates. */
static void refuses(struct setting *s, strew_status status, const char *message, bool by_all)
{
    CHECK_REFUSED(strew_mpi_scatter(context, &s->table, &s->list, &s->values, s->reduction, &s->options), &s->error,
                  status, message);
    CHECK(is_untouched(s));
    if (!by_all)
        return;
    strew_mpi_plan *plan = (strew_mpi_plan *)(uintptr_t)1;
    CHECK_REFUSED(strew_mpi_gather(context, &s->table, &s->list, &s->values, &s->options), &s->error, status,
                  message);
    CHECK(is_untouched(s));
    CHECK_REFUSED(strew_mpi_plan_create(context, &s->table, &s->list, &plan, &s->options), &s->error, status,
                  message);
    CHECK(!plan);
}

static const char *message_of(const strew_mpi_error *error)
{
    static char words[256];
    strew_mpi_error_message(error, words, sizeof words);
    return words;
}

/* Whether the message begins so, and ends somehow. */
static bool says(const strew_mpi_error *error, const char *begin)
{
    return strncmp(message_of(error), begin, strlen(begin)) == 0;
}

static void succeeds(struct setting *s)
{
    CHECK_OK(strew_mpi_scatter(context, &s->table, &s->list, &s->values, s->reduction, &s->options), &s->error);
    CHECK(world_rank > 0 || !is_untouched(s)); /* row 0 is in all lists */
}

/* ---- Indices ------------------------------------------------------------------------------------- */

static void test_first_wrong_index_in_the_global_order(void)
{
    struct setting s;
    set_up(&s);
    if (world_rank == 1)
        s.indices[2] = ROWS, s.indices[3] = -ROWS - 1;
    if (world_rank == world_size - 1 && world_rank > 1)
        s.indices[0] = 1000;
    refuses(&s, STREW_STATUS_INDEX_OUT_OF_BOUNDS,
            "rank 1: indices[2][0] is 10, outside [-10, 9] for dimension 0 of data", true);
    CHECK(s.error.rank == 1 && s.error.local.position[0] == 2 && s.error.local.value == ROWS);
    CHECK(s.error.local.lower == -ROWS && s.error.local.upper == ROWS - 1);
}

static void test_wrong_index_far_down_a_long_list(void)
{
    enum { LONG = 5000, AT = 4321 };
    struct setting s;
    set_up(&s);
    int32_t *indices = allocate(LONG * 2 * sizeof *indices);
    float *updates = allocate(LONG * sizeof *updates);
    memset(indices, 0, LONG * 2 * sizeof *indices);
    memset(updates, 0, LONG * sizeof *updates);
    if (world_rank == world_size - 1)
        indices[2 * AT + 1] = -4, indices[2 * AT + 2] = 77;
    s.list = (strew_tensor){indices, STREW_DTYPE_INT32, 2, (int64_t[]){LONG, 2}, NULL};
    s.values = (strew_tensor){updates, STREW_DTYPE_FLOAT32, 1, (int64_t[]){LONG}, NULL};
    char message[128];
    snprintf(message, sizeof message, "rank %d: indices[4321][1] is -4, outside [-3, 2] for dimension 1 of data",
             world_size - 1);
    refuses(&s, STREW_STATUS_INDEX_OUT_OF_BOUNDS, message, true);
    free(indices);
    free(updates);
}

static void test_indices_of_64_bits_are_not_cut(void)
{
    struct setting s;
    set_up(&s);
    s.list.dtype = STREW_DTYPE_UINT64;
    if (world_rank == 0)
        s.indices[3] = -1; /* 2^64 - 1 */
    refuses(&s, STREW_STATUS_INDEX_OUT_OF_BOUNDS,
            "rank 0: indices[3][0] is 18446744073709551615, outside [0, 9] for dimension 0 of data", true);
    set_up(&s);
    if (world_rank == 0)
        s.indices[0] = ((int64_t)1 << 32) + 1;
    refuses(&s, STREW_STATUS_INDEX_OUT_OF_BOUNDS,
            "rank 0: indices[0][0] is 4294967297, outside [-10, 9] for dimension 0 of data", true);
}

static void test_negative_indices_that_are_refused(void)
{
    struct setting s;
    set_up(&s);
    s.options.flags = STREW_FLAG_REFUSE_NEGATIVE_INDICES;
    if (world_rank == 1)
        s.indices[1] = -1;
    refuses(&s, STREW_STATUS_INDEX_OUT_OF_BOUNDS,
            "rank 1: indices[1][0] is -1, outside [0, 9] for dimension 0 of data", true);
}

static void test_no_index_fits_a_table_without_rows(void)
{
    struct setting s;
    set_up(&s);
    s.shape[0] = 0;
    s.table.rows = NULL;
    s.list_shape[0] = s.row_shape[0] = world_rank == 1 ? 1 : 0;
    strew_status status = strew_mpi_scatter(context, &s.table, &s.list, &s.values, s.reduction, &s.options);
    CHECK(status == STREW_STATUS_INDEX_OUT_OF_BOUNDS && s.error.rank == 1);
    s.options.bounds = STREW_BOUNDS_CLAMP; /* an empty dimension has no nearest index */
    status = strew_mpi_gather(context, &s.table, &s.list, &s.values, &s.options);
    CHECK(status == STREW_STATUS_INDEX_OUT_OF_BOUNDS && s.error.rank == 1);
    s.list_shape[0] = s.row_shape[0] = 0;
    CHECK_OK(strew_mpi_scatter(context, &s.table, &s.list, &s.values, s.reduction, &s.options), &s.error);
    CHECK_OK(strew_mpi_gather(context, &s.table, &s.list, &s.values, &s.options), &s.error);
}

/* ---- Arguments that are wrong on one rank -------------------------------------------------------- */

static void test_arguments_that_are_wrong(void)
{
    static const strew_parallel no_threads = {NULL, NULL, 0};
    const bool is_wrong = world_rank == world_size - 1;
    char message[300], name[24];
    snprintf(name, sizeof name, "rank %d: ", world_size - 1);
    struct setting s;
#define WRONG(change, by_all, status, words)                    \
    do {                                                        \
        set_up(&s);                                             \
        if (is_wrong) {                                         \
            change;                                             \
        }                                                       \
        snprintf(message, sizeof message, "%s%s", name, words); \
        refuses(&s, status, message, by_all);                   \
        set_up(&s);                                             \
        succeeds(&s);                                           \
    } while (false)

    WRONG(s.table.block = -1, true, STREW_STATUS_INVALID_ARGUMENT,
          "the block of the table is -1; it must be at least 0");
    WRONG(s.table.rank = 0, true, STREW_STATUS_SHAPE_MISMATCH, "the table has 0 dimensions; it must have 1 to 32");
    WRONG(s.table.rank = 40, true, STREW_STATUS_SHAPE_MISMATCH,
          "the table has 40 dimensions; it must have 1 to 32");
    WRONG(s.table.shape = NULL, true, STREW_STATUS_INVALID_ARGUMENT, "the shape of the table is NULL");
    WRONG(s.table.rows = NULL, false, STREW_STATUS_INVALID_ARGUMENT, "table->rows is NULL, and has elements");
    WRONG(s.list.data = NULL, true, STREW_STATUS_INVALID_ARGUMENT, "indices is NULL, and has elements");
    WRONG(s.values.data = NULL, false, STREW_STATUS_INVALID_ARGUMENT, "updates is NULL, and has elements");
    WRONG(s.table.dtype = STREW_DTYPE_STRING, false, STREW_STATUS_UNSUPPORTED_DTYPE,
          "strings are pointers, which other processes cannot read");
    WRONG(s.table.dtype = STREW_DTYPE_INT4, false, STREW_STATUS_UNSUPPORTED_DTYPE,
          "the elements of the table are packed, and travel by whole bytes");
    WRONG(s.options.flags = 1u << 30, false, STREW_STATUS_INVALID_ARGUMENT,
          "options->flags are 0x40000000; this call takes 0x30001");
    WRONG(s.options.bounds = STREW_BOUNDS_STOP, true, STREW_STATUS_INVALID_ARGUMENT,
          "options->bounds is stop; refuse, skip, clamp and wrap are possible");
    WRONG(s.options.bounds = STREW_BOUNDS_COUNT, true, STREW_STATUS_INVALID_ARGUMENT,
          "options->bounds is unknown; refuse, skip, clamp and wrap are possible");
    WRONG(s.options.parallel = &no_threads, true, STREW_STATUS_INVALID_ARGUMENT,
          "options->parallel has no run, or no threads");
    WRONG((s.list.rank = 1, s.list_shape[0] = 1, s.values.rank = 1, s.row_shape[0] = WIDTH), false,
          STREW_STATUS_SHAPE_MISMATCH, "indices have 1 dimensions; they must have 2, [n][k]");
    WRONG((s.reduction = STREW_REDUCTION_MEAN, s.table.dtype = s.values.dtype = STREW_DTYPE_BOOL), false,
          STREW_STATUS_UNSUPPORTED_REDUCTION, "there is no mean of bool");
    int64_t shape[3] = {4, ROWS, WIDTH};
    WRONG((s.list_shape[1] = 0, s.values.rank = 3, s.values.shape = shape), false, STREW_STATUS_INVALID_ARGUMENT,
          "indices have no coordinates: k must be at least 1");
#undef WRONG
}

/* strew's messages about shapes and types, after the rank. */
static void test_shapes_and_types_are_checked_by_strew(void)
{
    struct setting s;
    struct {
        strew_status status;
        int32_t rows, width;
        strew_dtype dtype, index_dtype;
        strew_reduction reduction;
    } cases[] = {
        {STREW_STATUS_SHAPE_MISMATCH, 5, WIDTH, STREW_DTYPE_FLOAT32, STREW_DTYPE_INT64, STREW_REDUCTION_SUM},
        {STREW_STATUS_SHAPE_MISMATCH, 4, WIDTH + 1, STREW_DTYPE_FLOAT32, STREW_DTYPE_INT64, STREW_REDUCTION_MEAN},
        {STREW_STATUS_DTYPE_MISMATCH, 4, WIDTH, STREW_DTYPE_INT32, STREW_DTYPE_INT64, STREW_REDUCTION_SUM},
        {STREW_STATUS_UNSUPPORTED_DTYPE, 4, WIDTH, STREW_DTYPE_FLOAT32, STREW_DTYPE_FLOAT64, STREW_REDUCTION_SUM},
        {STREW_STATUS_INVALID_ARGUMENT, 4, WIDTH, STREW_DTYPE_FLOAT32, STREW_DTYPE_INT64, 77},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        set_up(&s);
        if (world_rank == 1) {
            s.row_shape[0] = cases[i].rows;
            s.row_shape[1] = cases[i].width;
            s.values.dtype = cases[i].dtype;
            s.list.dtype = cases[i].index_dtype;
            s.reduction = cases[i].reduction;
        }
        const strew_status status =
            strew_mpi_scatter(context, &s.table, &s.list, &s.values, s.reduction, &s.options);
        CHECK(status == cases[i].status && s.error.status == status && s.error.rank == 1);
        CHECK(is_untouched(&s));
    }
}

static void test_null_on_one_rank(void)
{
    struct setting s;
    const bool is_wrong = world_rank == 1;
    for (int what = 0; what < 4; what++) {
        set_up(&s);
        const strew_mpi_table *table = is_wrong && what == 0 ? NULL : &s.table;
        const strew_tensor *list = is_wrong && what == 1 ? NULL : &s.list;
        const strew_tensor *values = is_wrong && what == 2 ? NULL : &s.values;
        strew_mpi_options options = s.options;
        if (is_wrong && what == 3)
            options.struct_size--; /* so this rank gets no message */
        CHECK(strew_mpi_scatter(context, table, list, values, s.reduction, &options) ==
              STREW_STATUS_INVALID_ARGUMENT);
        CHECK((is_wrong && what == 3) || s.error.rank == 1);
        CHECK(what != 3 || is_wrong || says(&s.error, "rank 1: options->struct_size is "));
        CHECK(strew_mpi_gather(context, table, list, values, &options) == STREW_STATUS_INVALID_ARGUMENT);
        strew_mpi_plan *plan;
        if (what != 2)
            CHECK(strew_mpi_plan_create(context, table, list, &plan, &options) == STREW_STATUS_INVALID_ARGUMENT);
        CHECK(is_untouched(&s));
    }
    set_up(&s);
    strew_mpi_plan *plan = NULL;
    CHECK_REFUSED(strew_mpi_plan_create(context, &s.table, &s.list, is_wrong ? NULL : &plan, &s.options), &s.error,
                  STREW_STATUS_INVALID_ARGUMENT, "rank 1: plan is NULL");
    CHECK(!plan);
    CHECK(strew_mpi_gather(NULL, &s.table, &s.list, &s.values, NULL) == STREW_STATUS_INVALID_ARGUMENT);
    CHECK(strew_mpi_scatter(NULL, &s.table, &s.list, &s.values, 0, NULL) == STREW_STATUS_INVALID_ARGUMENT);
    CHECK(strew_mpi_plan_create(NULL, &s.table, &s.list, &plan, NULL) == STREW_STATUS_INVALID_ARGUMENT);
    CHECK(strew_mpi_plan_gather(NULL, &s.table, &s.values, NULL) == STREW_STATUS_INVALID_ARGUMENT);
    CHECK(strew_mpi_plan_scatter(NULL, &s.table, &s.values, 0, NULL) == STREW_STATUS_INVALID_ARGUMENT);
    strew_mpi_plan_destroy(NULL);
    strew_mpi_context_destroy(NULL);
}

static void test_an_output_over_the_table(void)
{
    struct setting s;
    set_up(&s);
    strew_tensor output = s.values;
    if (world_rank == 1)
        output.data = s.rows;
    CHECK_REFUSED(strew_mpi_gather(context, &s.table, &s.list, &output, &s.options), &s.error,
                  STREW_STATUS_INVALID_ARGUMENT, "rank 1: the output overlaps the table's rows");
    CHECK(is_untouched(&s));
}

/* ---- Arguments that differ ----------------------------------------------------------------------- */

static void test_arguments_that_differ(void)
{
    struct setting s;
    const bool is_other = world_rank == world_size - 1;
    char message[300];
#define DIFFERENT(change, by_all, words)                                                             \
    do {                                                                                             \
        set_up(&s);                                                                                  \
        if (is_other) {                                                                              \
            change;                                                                                  \
        }                                                                                            \
        snprintf(message, sizeof message, "rank %d: %s on rank 0: it must be the same on all ranks", \
                 world_size - 1, words);                                                             \
        refuses(&s, STREW_MPI_STATUS_RANKS_DIFFER, message, by_all);                                 \
    } while (false)

    DIFFERENT(s.reduction = STREW_REDUCTION_MAX, false, "the reduction is max, but sum");
    DIFFERENT(s.shape[0] = ROWS - 2, true, "dimension 0 of the table is 8, but 10");
    DIFFERENT(s.table.block = 2, true, "the block of the table is 2, but 1");
    DIFFERENT((s.table.dtype = s.values.dtype = STREW_DTYPE_INT32), false,
              "the dtype of the table is int32, but float32");
    DIFFERENT((s.table.dtype = s.values.dtype = STREW_DTYPE_OPAQUE(4), s.reduction = STREW_REDUCTION_NONE), false,
              "the dtype of the table is opaque of 4 bytes, but float32");
    DIFFERENT((s.shape[1] = s.row_shape[1] = 2), true, "dimension 1 of the table is 2, but 3");
    DIFFERENT((s.table.rank = 1, s.values.rank = 1), true, "the number of dimensions of the table is 1, but 2");
    DIFFERENT((s.list_shape[0] = 1, s.list_shape[1] = 2, s.values.rank = 1, s.row_shape[0] = 1), true,
              "the number of coordinates of an index is 2, but 1");
    DIFFERENT(s.options.flags = STREW_MPI_FLAG_DISTINCT, true, "flags is 0x20000, but 0x0");
    DIFFERENT(s.options.bounds = STREW_BOUNDS_SKIP, true,
              "the policy for indices out of bounds is skip, but refuse");
#undef DIFFERENT
}

static void test_calls_that_differ(void)
{
    struct setting s;
    set_up(&s);
    strew_status status;
    if (world_rank == world_size - 1)
        status = strew_mpi_gather(context, &s.table, &s.list, &s.values, &s.options);
    else
        status = strew_mpi_scatter(context, &s.table, &s.list, &s.values, s.reduction, &s.options);
    char message[200];
    snprintf(
        message, sizeof message,
        "rank %d: the call is strew_mpi_gather, but strew_mpi_scatter on rank 0: it must be the same on all ranks",
        world_size - 1);
    CHECK_REFUSED(status, &s.error, STREW_MPI_STATUS_RANKS_DIFFER, message);
    CHECK(is_untouched(&s));

    strew_mpi_plan *plan, *other;
    CHECK_OK(strew_mpi_plan_create(context, &s.table, &s.list, &plan, &s.options), &s.error);
    if (world_rank == 0)
        status = strew_mpi_plan_gather(plan, &s.table, &s.values, &s.options);
    else if (world_rank == 1)
        status = strew_mpi_plan_scatter(plan, &s.table, &s.values, s.reduction, &s.options);
    else
        status = strew_mpi_gather(context, &s.table, &s.list, &s.values, &s.options);
    CHECK_REFUSED(status, &s.error, STREW_MPI_STATUS_RANKS_DIFFER,
                  "rank 1: the call is strew_mpi_plan_scatter, but strew_mpi_plan_gather on rank 0: it must be the "
                  "same on all ranks");
    if (world_rank == 0)
        status = strew_mpi_plan_create(context, &s.table, &s.list, &other, &s.options);
    else
        status = strew_mpi_plan_gather(plan, &s.table, &s.values, &s.options);
    CHECK_REFUSED(status, &s.error, STREW_MPI_STATUS_RANKS_DIFFER,
                  "rank 1: the call is strew_mpi_plan_gather, but strew_mpi_plan_create on rank 0: it must be the "
                  "same on all ranks");
    CHECK(is_untouched(&s));
    strew_mpi_plan_destroy(plan);
}

/* ---- Plans --------------------------------------------------------------------------------------- */

static void test_plans_and_what_is_not_theirs(void)
{
    struct setting s;
    set_up(&s);
    strew_mpi_plan *first, *second;
    CHECK_OK(strew_mpi_plan_create(context, &s.table, &s.list, &first, &s.options), &s.error);
    CHECK_OK(strew_mpi_plan_create(context, &s.table, &s.list, &second, &s.options), &s.error);

    strew_mpi_plan *mine = world_rank == 0 ? first : second;
    CHECK(strew_mpi_plan_gather(mine, &s.table, &s.values, &s.options) == STREW_MPI_STATUS_RANKS_DIFFER);
    CHECK(says(&s.error, "rank 1: the number of the plan is "));
    CHECK(strew_mpi_plan_scatter(mine, &s.table, &s.values, s.reduction, &s.options) ==
          STREW_MPI_STATUS_RANKS_DIFFER);

    s.row_shape[0] = world_rank == 1 ? 3 : 4;
    CHECK_REFUSED(strew_mpi_plan_scatter(first, &s.table, &s.values, s.reduction, &s.options), &s.error,
                  STREW_STATUS_SHAPE_MISMATCH, "rank 1: updates or output have 3 rows, but the plan has 4 indices");
    s.row_shape[0] = 4;
    s.table.block = 3;
    CHECK_REFUSED(strew_mpi_plan_scatter(first, &s.table, &s.values, s.reduction, &s.options), &s.error,
                  STREW_STATUS_SHAPE_MISMATCH, "rank 0: the block of the table is 3, but 1 in the plan");
    s.table.block = 1;
    s.shape[0] = ROWS + 1;
    CHECK_REFUSED(strew_mpi_plan_gather(first, &s.table, &s.values, &s.options), &s.error,
                  STREW_STATUS_SHAPE_MISMATCH, "rank 0: dimension 0 of the table is 11, but 10 in the plan");
    s.shape[0] = ROWS;
    s.options.flags = STREW_MPI_FLAG_DISTINCT;
    CHECK(strew_mpi_plan_gather(first, &s.table, &s.values, &s.options) == STREW_STATUS_INVALID_ARGUMENT);
    s.options.flags = 0;
    s.options.bounds = STREW_BOUNDS_SKIP;
    CHECK_REFUSED(strew_mpi_plan_gather(first, &s.table, &s.values, &s.options), &s.error,
                  STREW_STATUS_INVALID_ARGUMENT, "rank 0: options->bounds is skip; the plan has settled it");
    s.options.bounds = STREW_BOUNDS_REFUSE;
    CHECK(strew_mpi_plan_gather(first, &s.table, NULL, &s.options) == STREW_STATUS_INVALID_ARGUMENT);
    CHECK(strew_mpi_plan_gather(first, NULL, &s.values, &s.options) == STREW_STATUS_INVALID_ARGUMENT);
    s.table.shape = NULL;
    CHECK_REFUSED(strew_mpi_plan_gather(first, &s.table, &s.values, &s.options), &s.error,
                  STREW_STATUS_INVALID_ARGUMENT, "rank 0: the shape of the table is NULL");
    CHECK(is_untouched(&s));
    strew_mpi_plan_destroy(first);
    strew_mpi_plan_destroy(second);
}

/* ---- Memory -------------------------------------------------------------------------------------- */

/* Each request for memory fails in turn on one rank: all ranks report it, and the table stays as it was. */
static void test_a_rank_without_memory(void)
{
    struct counting counting = {0, 0, -1};
    const strew_mpi_allocator allocator = counting_allocator(&counting);
    const int poor = world_size - 1;
    struct setting s;
    int refusals = 0;
    bool is_done = false;
    for (int64_t request = 0; !is_done; request++) {
        strew_mpi_context *own = NULL;
        strew_mpi_plan *plan = NULL;
        set_up(&s);
        s.reduction = STREW_REDUCTION_MEAN;
        s.options.flags = STREW_MPI_FLAG_DISTINCT;
        counting.asked = 0;
        counting.refuses = world_rank == poor ? request : -1;
        strew_status status = strew_mpi_context_create(MPI_COMM_WORLD, &allocator, &own, &s.error);
        if (!status)
            status = strew_mpi_plan_create(own, &s.table, &s.list, &plan, &s.options);
        s.options.flags = 0;
        if (!status)
            status = strew_mpi_plan_scatter(plan, &s.table, &s.values, s.reduction, &s.options);
        is_done = status == STREW_STATUS_OK;
        CHECK(is_done || (status == STREW_STATUS_OUT_OF_MEMORY && s.error.rank == poor && is_untouched(&s)));
        CHECK(is_done || strstr(message_of(&s.error), " bytes could not be allocated"));
        refusals += !is_done;
        strew_mpi_plan_destroy(plan);
        strew_mpi_context_destroy(own);
        CHECK(counting.alive == 0);
    }
    CHECK(refusals > 10);
    for (int64_t request = 0; request < refusals; request++) { /* and without a plan */
        strew_mpi_context *own = NULL;
        set_up(&s);
        counting.asked = 0;
        counting.refuses = world_rank == poor ? request : -1;
        strew_status status = strew_mpi_context_create(MPI_COMM_WORLD, &allocator, &own, &s.error);
        if (!status) {
            status = strew_mpi_scatter(own, &s.table, &s.list, &s.values, s.reduction, &s.options);
            CHECK(!status || (status == STREW_STATUS_OUT_OF_MEMORY && is_untouched(&s)));
            set_up(&s);
            succeeds(&s); /* on another context */
            set_up(&s);
            CHECK(strew_mpi_scatter(own, &s.table, &s.list, &s.values, s.reduction, &s.options) ==
                      STREW_STATUS_OK ||
                  counting.asked <= counting.refuses + 1);
        }
        strew_mpi_context_destroy(own);
        CHECK(counting.alive == 0);
    }
}

/* Without memory for scratch that only makes strew faster, calls run without it. */
static void test_a_rank_without_scratch(void)
{
    enum { MANY = 1 << 20, NAMED = 1 << 18 };
    struct counting counting = {0, 0, -1};
    const strew_mpi_allocator allocator = counting_allocator(&counting);
    const int64_t count = world_rank == 1 ? NAMED : 0, shape[] = {MANY};
    uint32_t *rows = world_rank == 0 ? calloc(MANY, sizeof *rows) : NULL;
    uint32_t *indices = allocate(NAMED * sizeof *indices);
    CHECK(world_rank > 0 || rows);
    for (uint32_t i = 0; i < NAMED; i++)
        indices[i] = i * 2654435761u % MANY;
    const strew_mpi_table table = {rows, STREW_DTYPE_UINT32, 1, shape, MANY};
    const strew_tensor list = {indices, STREW_DTYPE_UINT32, 2, (int64_t[]){count, 1}, NULL};
    const strew_tensor values = {indices, STREW_DTYPE_UINT32, 1, (int64_t[]){count}, NULL};
    const strew_tensor data = {NULL, STREW_DTYPE_UINT32, 2, (int64_t[]){MANY, 1}, NULL};
    const strew_tensor received = {NULL, STREW_DTYPE_INT32, 2, (int64_t[]){NAMED, 1}, NULL};
    const strew_tensor updates = {NULL, STREW_DTYPE_UINT32, 2, (int64_t[]){NAMED, 1}, NULL};
    strew_plan plan;
    CHECK(!strew_plan_scatter_nd(&plan, &data, &received, &updates, STREW_REDUCTION_SUM, &data, NULL));
    CHECK(strew_plan_scratch_size(&plan, three_threads.threads) > 0); /* otherwise this tests nothing */

    strew_mpi_error error = {0};
    strew_mpi_options options = STREW_MPI_OPTIONS_INIT;
    options.error = &error;
    options.parallel = &three_threads;
    int64_t calls = 0, requests = 1;
    for (int64_t request = -1; request < requests;
         request++) { /* the first call makes all requests, and counts them */
        strew_mpi_context *own;
        counting.refuses = -1;
        CHECK_OK(strew_mpi_context_create(MPI_COMM_WORLD, &allocator, &own, &error), &error);
        counting.asked = 0;
        counting.refuses = world_rank == 0 ? request : -1;
        const strew_status status = strew_mpi_scatter(own, &table, &list, &values, STREW_REDUCTION_SUM, &options);
        CHECK(status == STREW_STATUS_OK || (status == STREW_STATUS_OUT_OF_MEMORY && error.rank == 0));
        calls += status == STREW_STATUS_OK;
        if (request < 0) {
            requests = counting.asked;
            MPI_Bcast(&requests, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
        }
        strew_mpi_context_destroy(own);
        CHECK(counting.alive == 0);
    }
    CHECK(calls == 2); /* with all, and without scratch */
    for (uint32_t i = 0; i < NAMED && world_rank == 0; i++)
        CHECK(rows[indices[i]] == (uint32_t)calls * indices[i]);
    free(rows);
    free(indices);
}

static void test_messages(void)
{
    char words[16];
    strew_mpi_error none = {0}, unknown = {.status = STREW_STATUS_INVALID_ARGUMENT, .reason = 9999, .rank = -1};
    CHECK(strew_mpi_error_message(NULL, words, sizeof words) == 8 && strcmp(words, "no error") == 0);
    CHECK(strew_mpi_error_message(&none, NULL, 0) == 8);
    CHECK(strew_mpi_error_message(&unknown, words, 4) == 8 && strcmp(words, "no ") == 0);
    CHECK(strcmp(strew_mpi_status_name(STREW_MPI_STATUS_RANKS_DIFFER), "ranks_differ") == 0);
    CHECK(strcmp(strew_mpi_status_name(STREW_MPI_STATUS_MPI_FAILED), "mpi_failed") == 0);
    CHECK(strcmp(strew_mpi_status_name(STREW_STATUS_OUT_OF_MEMORY), "out_of_memory") == 0);
    CHECK(strcmp(strew_mpi_status_name(4711), "unknown") == 0);
}

int main(int argc, char **argv)
{
    strew_mpi_error error = {0};
    CHECK_REFUSED(strew_mpi_context_create(MPI_COMM_WORLD, NULL, &context, &error), &error,
                  STREW_STATUS_INVALID_ARGUMENT, "MPI is not initialised, or is finalised");
    test_begin(&argc, &argv);
    CHECK_OK(strew_mpi_context_create(MPI_COMM_WORLD, NULL, &context, &error), &error);
    test_first_wrong_index_in_the_global_order();
    test_wrong_index_far_down_a_long_list();
    test_indices_of_64_bits_are_not_cut();
    test_negative_indices_that_are_refused();
    test_no_index_fits_a_table_without_rows();
    test_arguments_that_are_wrong();
    test_shapes_and_types_are_checked_by_strew();
    test_null_on_one_rank();
    test_an_output_over_the_table();
    test_arguments_that_differ();
    test_calls_that_differ();
    test_plans_and_what_is_not_theirs();
    test_a_rank_without_memory();
    test_a_rank_without_scratch();
    test_messages();
    strew_mpi_context_destroy(context);
    return test_end("refusals are alike on all ranks, and write nothing");
}
