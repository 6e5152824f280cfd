#include "engine/walk/mover.h"

#include "base/thresholds.h"
#include "dispatch/tuning.h"

strew_move_size strew_move_size_of(int64_t row_bytes)
{
#define RETURN_SIZE(name, bytes) \
    if (row_bytes == (bytes))    \
        return STREW_MOVE_##name;
    STREW_MOVE_FIXED_SIZES(RETURN_SIZE)
#undef RETURN_SIZE
    return STREW_MOVE_rows;
}

/*
 * Chooses how the kernel reaches far rows. Rows that it reads are prefetched: it gathers or combines them. Single
 * elements that it overwrites are read first.
 */
static void choose_access(strew_mover *mover, const strew_walk *walk, bool reads)
{
    const strew_tuning *tuning = strew_tuning_active();
    const int64_t row_bytes = walk->row_bytes.addressed;
    const bool is_element = strew_move_size_of(row_bytes) != STREW_MOVE_rows;
    const bool is_far = strew_walk_reach(walk) >= STREW_SECOND_LEVEL_BYTES;
    mover->access = (strew_access){.rows_ahead = 0};
    if (is_element)
        mover->access.read_first = !reads && is_far && tuning->reads_first > 0;
    else if (reads && is_far && row_bytes <= STREW_LONGEST_ROW_AHEAD)
        mover->access.rows_ahead = (uint32_t)tuning->rows_ahead;
}

/* Writing whole lines reads nothing, so only lines that a row fills partly are prefetched, at any row length. */
static void bypass_caches(strew_mover *mover, const strew_walk *walk)
{
    const strew_tuning *tuning = strew_tuning_active();
    const uint32_t ahead = (uint32_t)tuning->rows_ahead;
    mover->access.stream_pages = (uint16_t)tuning->stream_pages;
    mover->access.stream_parts = tuning->streams_parts > 0;
    const bool by_lines = mover->direction == STREW_SCATTERS && mover->access.stream_parts;
    mover->access.rows_ahead = by_lines || walk->row_bytes.addressed <= STREW_LONGEST_ROW_AHEAD ? ahead : 0;
}

void strew_mover_assign(strew_mover *mover, const strew_walk *walk, strew_direction direction, int64_t bytes)
{
    const bool gathers = direction == STREW_GATHERS;
    const int64_t row_bytes = walk->row_bytes.addressed; /* and of dense rows: they are copied */
    strew_move_kernel *const *by_size = gathers ? walk->kernels->gather : walk->kernels->scatter;
    strew_table_kernel *const *by_table = gathers ? walk->kernels->lookup : walk->kernels->put;
    mover->kernel = by_size[strew_move_size_of(row_bytes)];
    mover->join = row_bytes <= STREW_LONGEST_GROUPED_ROW ? by_size[STREW_MOVE_rows] : NULL;
    mover->table = by_table[strew_move_size_of(row_bytes)];
    mover->combine = NULL;
    mover->constant_row = NULL;
    mover->direction = direction;
    mover->holds_runs = mover->computes_floats = false;
    choose_access(mover, walk, direction == STREW_GATHERS);
    if (row_bytes >= STREW_SHORTEST_STREAMED_ROW && bytes >= strew_tuning_streamed_bytes())
        bypass_caches(mover, walk);
}

void strew_mover_combine(strew_mover *mover, const strew_walk *walk, strew_reduction reduction)
{
    const strew_dtype dtype = walk->dtypes.addressed;
    const size_t combination = (size_t)STREW_COMBINATION_SLOT(reduction);
    const size_t element = STREW_ELEMENT_SLOT(dtype);
    const bool elements = walk->row_bytes.addressed == (int64_t)strew_dtype_size(dtype);
    mover->join = walk->kernels->reduce_rows[combination][element];
    mover->kernel = mover->join;
    mover->combine = elements ? walk->kernels->combine[combination][element] : NULL;
    mover->table = mover->combine;
    mover->constant_row = NULL;
    mover->direction = STREW_SCATTERS;
    mover->holds_runs = !elements && walk->row_bytes.addressed <= STREW_LONGEST_GROUPED_ROW;
    mover->computes_floats = dtype >= STREW_DTYPE_FLOAT16 && dtype <= STREW_DTYPE_COMPLEX128;
    choose_access(mover, walk, true);
}

void strew_mover_set_constant_row(strew_mover *mover, const void *row)
{
    mover->constant_row = (char *)(uintptr_t)row; /* a scatter does not write it */
    mover->join = NULL;
    mover->table = mover->combine; /* assigning tables need a dense row for each position */
}

bool strew_rows_repeat(const int64_t *rows, size_t count)
{
    enum { PLACES = 16 };
    size_t repeated = 0;
    if (count <= PLACES)
        return false;
    STREW_ROLLED
    for (size_t i = 0; i < PLACES; i++)
        repeated += rows[i * count / PLACES] == rows[i * count / PLACES + 1];
    return 2 * repeated >= PLACES;
}

/* A fill kernel reads only the first element of its row. */
void strew_mover_fill(strew_mover *mover, const strew_walk *walk, const void *element, int64_t bytes)
{
    strew_mover_assign(mover, walk, STREW_SCATTERS, bytes);
    strew_mover_set_constant_row(mover, element);
    if (walk->row_bytes.addressed != walk->element_bytes)
        mover->kernel = walk->kernels->fill[strew_move_size_of(walk->element_bytes)];
}

bool strew_mover_streams_lines(const strew_mover *mover, const char *row, int64_t row_bytes)
{
    return mover->access.stream_pages > 0 && mover->direction == STREW_SCATTERS &&
           ((uintptr_t)row | (uintptr_t)row_bytes) % STREW_CACHE_LINE == 0;
}
