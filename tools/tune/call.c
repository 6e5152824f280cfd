#define _DEFAULT_SOURCE /* madvise */

#include "call.h"

#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#include "clock.h"

/* ---- Memory -------------------------------------------------------------------------------------- */

/* Allocates like large arrays of callers: in huge pages, where the system has them. Its bytes are ones. */
static void *create_pages(size_t bytes)
{
    enum { HUGE_PAGE = 2 << 20 };
    const size_t rounded = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
#ifdef __linux__
    void *const pages = aligned_alloc(HUGE_PAGE, rounded);
    if (pages)
        madvise(pages, rounded, MADV_HUGEPAGE);
#else
    void *const pages = malloc(rounded);
#endif
    if (pages)
        memset(pages, 1, rounded);
    return pages;
}

/* The table, rows and indices of half its size each, and scratch for as many. */
int64_t memory_bytes(int64_t table_bytes)
{
    return table_bytes * 3;
}

bool memory_create(memory *self, int64_t table_bytes)
{
    *self = (memory){.table_bytes = table_bytes, .rows_bytes = table_bytes / 2};
    self->table = create_pages((size_t)self->table_bytes);
    self->rows = create_pages((size_t)self->rows_bytes);
    self->indices = create_pages((size_t)self->rows_bytes);
    return self->table && self->rows && self->indices;
}

void memory_destroy(memory *self)
{
    free(self->table);
    free(self->rows);
    free(self->indices);
    free(self->scratch);
}

bool memory_holds(const memory *self, const call *asked)
{
    const int64_t longest =
        asked->row_bytes > (int64_t)sizeof(int64_t) ? asked->row_bytes : (int64_t)sizeof(int64_t);
    return asked->table_bytes <= self->table_bytes && asked->rows <= self->rows_bytes / longest;
}

static int64_t most_indices(const memory *self)
{
    return self->rows_bytes / (int64_t)sizeof *self->indices;
}

/* Draws with a linear congruential generator (Knuth, MMIX), using the upper bits, which are nearly random. */
void memory_draw(memory *self, const call *asked)
{
    const uint64_t count = (uint64_t)(asked->table_bytes / asked->row_bytes);
    uint64_t state = 1;
    self->next_index = 0;
    for (int64_t i = 0; i < most_indices(self); i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        self->indices[i] = (int64_t)((state >> 32) * count >> 32);
    }
}

static const int64_t *take_indices(memory *self, const call *asked)
{
    if (!asked->moves_on || self->next_index + asked->rows > most_indices(self))
        self->next_index = 0;
    self->next_index += asked->rows;
    return self->indices + (self->next_index - asked->rows);
}

/* Reads one byte of each cache line. */
static void read_rows(const memory *self, const call *asked)
{
    enum { LINE = 64 };
    const volatile char *const rows = self->rows;
    for (int64_t i = 0; i < asked->rows * asked->row_bytes; i += LINE)
        (void)rows[i];
}

static bool grow_scratch(memory *self, size_t bytes)
{
    if (bytes <= self->scratch_bytes)
        return true;
    free(self->scratch);
    self->scratch = create_pages(bytes);
    self->scratch_bytes = self->scratch ? bytes : 0;
    return self->scratch;
}

/* ---- Calls --------------------------------------------------------------------------------------- */

static strew_status plan(strew_plan *planned, const call *asked, strew_error *error)
{
    const int64_t length = asked->row_bytes / (int64_t)sizeof(float);
    const int64_t table_shape[] = {asked->table_bytes / asked->row_bytes, length}, shape[] = {asked->rows, length};
    const strew_tensor table = {NULL, STREW_DTYPE_FLOAT32, 2, table_shape, NULL};
    const strew_tensor rows = {NULL, STREW_DTYPE_FLOAT32, 2, shape, NULL};
    const strew_tensor indices = {NULL, STREW_DTYPE_INT64, 2, (int64_t[]){asked->rows, 1}, NULL};
    const int64_t bag_shape[] = {asked->rows / CALL_BAG, CALL_BAG}, sum_shape[] = {asked->rows / CALL_BAG, length};
    const strew_tensor bags = {NULL, STREW_DTYPE_INT64, 2, bag_shape, NULL};
    const strew_tensor sums = {NULL, STREW_DTYPE_FLOAT32, 2, sum_shape, NULL};
    strew_plan_options options = STREW_PLAN_OPTIONS_INIT;
    options.threads = asked->threads;
    options.error = error;
    if (asked->sums)
        return strew_plan_embedding_bag_packed(planned, &table, &bags, NULL, STREW_REDUCTION_SUM, &sums, &options);
    return asked->scatters
               ? strew_plan_scatter_nd(planned, &table, &indices, &rows, asked->reduction, &table, &options)
               : strew_plan_gather_nd(planned, &table, &indices, 0, &rows, &options);
}

/* Runs long enough for the clock to resolve the time of one run. */
static double time_runs(memory *self, const call *asked, const strew_plan *planned,
                        const strew_run_options *options)
{
    static const double least = 1e-3;
    strew_buffers buffers = {.data = self->table,
                             .updates = asked->scatters ? self->rows : NULL,
                             .output = asked->scatters ? self->table : self->rows};
    const double begun = clock_seconds();
    double seconds;
    int runs = 0;
    do {
        buffers.indices = take_indices(self, asked);
        if (strew_plan_run(planned, &buffers, options) != STREW_STATUS_OK)
            return -1;
        if (asked->reads_result)
            read_rows(self, asked);
        runs++;
        seconds = clock_seconds() - begun;
    } while (seconds < least);
    return seconds / runs;
}

double call_seconds(memory *self, const call *asked, const strew_parallel *parallel, strew_error *error)
{
    strew_plan planned;
    if (plan(&planned, asked, error) != STREW_STATUS_OK)
        return -1;
    strew_run_options options = STREW_RUN_OPTIONS_INIT;
    options.parallel = asked->threads > 1 ? parallel : NULL;
    options.error = error;
    options.scratch_size = asked->has_scratch ? strew_plan_scratch_size(&planned, asked->threads) : 0;
    if (!grow_scratch(self, options.scratch_size)) {
        error->status = STREW_STATUS_OUT_OF_MEMORY;
        return -1;
    }
    options.scratch = options.scratch_size > 0 ? self->scratch : NULL;
    return time_runs(self, asked, &planned, &options);
}
