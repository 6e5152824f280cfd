#include "engine/walk/mover.h"

/* Shorter rows gain nothing by going past the caches. */
enum { SHORTEST_STREAMED_ROW = 128 };

/* Rows as long as this are assigned as fast one by one. */
enum { LONGEST_JOINED_ROW = 256 };

strew_move_size strew_move_size_of(int64_t row_bytes)
{
#define RETURN_SIZE(name, bytes) \
    if (row_bytes == (bytes))    \
        return STREW_MOVE_##name;
    STREW_MOVE_FIXED_SIZES(RETURN_SIZE)
#undef RETURN_SIZE
    return STREW_MOVE_rows;
}

/* Rows of the addressed tensor that are read, to gather them or to combine them. */
static void access_to_read(strew_mover *mover, const strew_walk *walk)
{
    const strew_prefetch_distance *distance = &strew_tuning_active()->prefetch.read;
    mover->access = (strew_access){.rows_ahead = strew_prefetch_rows_ahead(distance, walk->row_bytes)};
    mover->access_near = distance->near;
    mover->group_near = strew_prefetch_group_near(walk);
}

/* Rows that are overwritten: a group of them is prefetched only if they are elements. */
static void access_to_overwrite(strew_mover *mover, const strew_walk *walk, strew_move_size size)
{
    const strew_tuning *tuning = strew_tuning_active();
    const bool elements = size != STREW_MOVE_rows;
    const strew_prefetch_distance *distance = &tuning->prefetch.overwritten;
    mover->access = elements ? (strew_access){.read_first = tuning->reads_first}
                             : (strew_access){.rows_ahead = strew_prefetch_rows_ahead(distance, walk->row_bytes)};
    mover->access_near = elements ? tuning->read_first_near : distance->near;
    mover->group_near = elements ? strew_prefetch_group_near(walk) : 0;
}

/* Past the caches what is read is prefetched wherever it lies, and what is overwritten as well, unless by lines. */
static void access_past_caches(strew_mover *mover, const strew_walk *walk)
{
    const strew_tuning *tuning = strew_tuning_active();
    const bool ahead = (uint64_t)walk->row_bytes <= tuning->prefetch.read.longest;
    mover->access = (strew_access){.rows_ahead = ahead ? tuning->prefetch.read.rows_ahead : 0,
                                   .stream_pages = tuning->stream_pages};
    mover->access_near = 0;
}

void strew_mover_assign(strew_mover *mover, const strew_walk *walk, strew_direction direction, int64_t bytes)
{
    strew_move_kernel *const *by_size = direction == STREW_GATHERS ? walk->kernels->gather : walk->kernels->scatter;
    const strew_move_size size = strew_move_size_of(walk->row_bytes);
    mover->move = by_size[size];
    mover->join = walk->row_bytes < LONGEST_JOINED_ROW ? by_size[STREW_MOVE_rows] : NULL;
    mover->constant_row = NULL;
    mover->direction = direction;
    if (direction == STREW_GATHERS)
        access_to_read(mover, walk);
    else
        access_to_overwrite(mover, walk, size);
    if (walk->row_bytes >= SHORTEST_STREAMED_ROW && bytes >= strew_tuning_streamed_bytes())
        access_past_caches(mover, walk);
    mover->tile_entries = strew_prefetch_tile_entries(walk, mover->group_near);
}

void strew_mover_combine(strew_mover *mover, const strew_walk *walk, strew_reduction reduction, strew_dtype dtype)
{
    const size_t combination =
        STREW_COMBINATION_SLOT(reduction == STREW_REDUCTION_MEAN ? STREW_REDUCTION_SUM : reduction);
    const size_t element = STREW_ELEMENT_SLOT(dtype);
    const bool elements = walk->row_bytes == (int64_t)strew_dtype_size(dtype);
    mover->join = walk->kernels->reduce_rows[combination][element];
    mover->move = elements ? walk->kernels->reduce_elements[combination][element] : mover->join;
    mover->constant_row = NULL;
    mover->direction = STREW_SCATTERS;
    access_to_read(mover, walk);
    mover->tile_entries = strew_prefetch_tile_entries(walk, mover->group_near);
}

void strew_mover_repeat(strew_mover *mover, const void *row)
{
    mover->constant_row = (char *)(uintptr_t)row; /* a scatter only reads it */
    mover->join = NULL;
}

bool strew_mover_streams_lines(const strew_mover *mover, const char *row, int64_t row_bytes)
{
    return mover->access.stream_pages > 0 && mover->direction == STREW_SCATTERS &&
           ((uintptr_t)row | (uintptr_t)row_bytes) % STREW_CACHE_LINE == 0;
}

strew_access strew_mover_access(const strew_mover *mover, const char *addressed, const int64_t *offsets,
                                size_t count, int64_t row_bytes)
{
    strew_access access = mover->access;
    if (strew_mover_streams_lines(mover, addressed + offsets[0], row_bytes))
        access.rows_ahead = 0;
    else if (strew_rows_are_near(offsets, count, mover->access_near))
        access = (strew_access){.stream_pages = access.stream_pages};
    return access;
}
