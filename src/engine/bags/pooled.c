#include "engine/bags/pooled.h"

#include <string.h>

#include "engine/bags/ahead.h"

/* So many bags are handed to a kernel at once. */
enum { POOLED_BAGS = 128 };

/* ---- Whether ------------------------------------------------------------------------------------- */

static strew_pool_kernel *kernel_of(const strew_bags_run_state *run)
{
    const strew_reduction reduction = run->bags->reduction;
    const bool sums = reduction == STREW_REDUCTION_SUM || reduction == STREW_REDUCTION_MEAN;
    return sums ? run->walk->kernels->pool[STREW_ELEMENT_SLOT(run->bags->dtype)] : NULL;
}

/* Whether indices are read right as signed ones of 32 or 64 bits: an unsigned one that is not is beyond all rows.
 */
static bool are_indices_plain(const strew_integers *sources)
{
    const bool refuses = sources->bounds == STREW_BOUNDS_REFUSE || sources->bounds == STREW_BOUNDS_STOP;
    if (!refuses || sources->list.step != (int64_t)strew_dtype_size(sources->list.dtype))
        return false;
    switch (sources->list.dtype) {
    case STREW_DTYPE_INT32:
    case STREW_DTYPE_INT64:
    case STREW_DTYPE_UINT64: return true;
    case STREW_DTYPE_UINT32: return sources->coordinates.each[0].size <= INT32_MAX;
    default: return false;
    }
}

static bool are_rows_zero_at_first(const strew_bags *bags)
{
    static const char zero[16]; /* of any dtype */
    const size_t size = strew_dtype_size(bags->dtype);
    return bags->start && memcmp(bags->start, zero, size) == 0 && bags->empty &&
           memcmp(bags->empty, zero, size) == 0 && bags->default_row < 0;
}

bool strew_bags_are_pooled(const strew_bags_run_state *run)
{
    const strew_bags *bags = run->bags;
    const bool has_ends = bags->segments == STREW_OFFSETS || bags->segments == STREW_UNIFORM;
    const bool is_weighted = bags->weights.dtype != STREW_DTYPE_NONE;
    return has_ends && bags->line == bags->entries && !(is_weighted && run->pointers->order) && kernel_of(run) &&
           are_rows_zero_at_first(bags) && are_indices_plain(run->sources);
}

/* ---- How ----------------------------------------------------------------------------------------- */

static strew_pool pool_of(const strew_bags_run_state *run, const char *source, int64_t row_bytes)
{
    const strew_integers *sources = run->sources;
    const strew_coordinate rows = sources->coordinates.each[0];
    const strew_dtype dtype = sources->list.dtype;
    const bool is_signed = dtype == STREW_DTYPE_INT32 || dtype == STREW_DTYPE_INT64;
    const bool is_weighted = run->bags->weights.dtype != STREW_DTYPE_NONE;
    return (strew_pool){
        .source = source,
        .source_step = rows.stride,
        .rows = rows.size,
        .gain = sources->coordinates.wrap && is_signed ? rows.size : 0,
        .row_bytes = (size_t)row_bytes,
        .indices = sources->items,
        .is_narrow = strew_dtype_size(dtype) == sizeof(uint32_t),
        .entries = (size_t)run->bags->entries,
        .rows_ahead = strew_bags_rows_ahead(row_bytes, rows.size),
        .weights = is_weighted ? run->pointers->weights : NULL,
        .weight_step = run->bags->weights.step,
    };
}

/* Where bags end that follow each other from one on; false if an offset is wrong. */
static bool find_ends(const strew_bags_run_state *run, int64_t first, int64_t count, int64_t *ends)
{
    const strew_bags *bags = run->bags;
    if (bags->segments == STREW_UNIFORM) {
        for (int64_t b = 0; b < count; b++)
            ends[b] = (first + b + 1) * bags->uniform;
        return true;
    }
    const int64_t listed = first + count == bags->rows ? count - 1 : count;
    ends[count - 1] = bags->entries;
    return strew_list_resolve(run->rows, first + 1, listed, ends) != STREW_WRONG;
}

static void divide_bags(const strew_bags_run_state *run, char *target, int64_t begin, const int64_t *ends,
                        int64_t count, int64_t row_bytes)
{
    int64_t offsets[POOLED_BAGS], counters[POOLED_BAGS], counter_offsets[POOLED_BAGS];
    for (int64_t b = 0; b < count; begin = ends[b++]) {
        offsets[b] = b * run->bags->row_step;
        counters[b] = ends[b] - begin;
        counter_offsets[b] = b * (int64_t)sizeof *counters;
    }
    run->walk->kernels->divide[STREW_ELEMENT_SLOT(run->bags->dtype)](
        target, offsets, (size_t)count, (size_t)row_bytes, (char *)counters, counter_offsets, 0);
}

bool strew_bags_pool(const strew_bags_run_state *run, strew_part part, const strew_pointers *lane,
                     strew_range bytes)
{
    int64_t ends[POOLED_BAGS];
    const strew_bags *bags = run->bags;
    const int64_t row_bytes = bytes.end - bytes.begin;
    const strew_pool pool = pool_of(run, lane->addressed + bytes.begin, row_bytes);
    strew_pool_kernel *const kernel = kernel_of(run);
    int64_t begin = part.entries.begin;
    for (int64_t row = part.rows.begin, count; row < part.rows.end; row += count) {
        char *const target = lane->dense + bytes.begin + row * bags->row_step;
        count = strew_lesser(part.rows.end - row, POOLED_BAGS);
        if (!find_ends(run, row, count, ends) ||
            !kernel(target, bags->row_step, (size_t)begin, ends, (size_t)count, &pool))
            return false;
        if (bags->reduction == STREW_REDUCTION_MEAN)
            divide_bags(run, target, begin, ends, count, row_bytes);
        begin = ends[count - 1];
    }
    return true;
}
