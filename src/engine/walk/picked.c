#include "engine/walk/picked.h"

/* So many bytes at a time. */
enum { COLLECTED_BYTES = 4096 };

/* Where every position has the same row, none needs to be collected. */
static void move_collected(const strew_picked *picked, const strew_walk *walk, const strew_pointers *pointers,
                           const strew_mover *mover)
{
    char rows[COLLECTED_BYTES];
    const int64_t row_bytes = walk->row_bytes;
    const size_t most = COLLECTED_BYTES / (size_t)row_bytes;
    strew_move_kernel *const collect = walk->kernels->gather[strew_move_size_of(row_bytes)];
    const strew_dense collected = {.rows = rows, .step = row_bytes, .row_bytes = (size_t)row_bytes};
    if (mover->group_unless_within > 0)
        strew_prefetch_group(pointers->addressed, picked->offsets, picked->count, row_bytes,
                             mover->group_unless_within);
    for (size_t i = 0; i < picked->count; i += most) {
        const size_t count = picked->count - i < most ? picked->count - i : most;
        if (!mover->constant_row)
            collect(pointers->dense, picked->dense_offsets + i, count, &collected);
        strew_mover_move(mover, pointers->addressed, picked->offsets + i, count, rows, row_bytes, row_bytes);
    }
}

/* The CPU cannot foresee which rows are picked. Of those that pass the caches only lines that they do not fill are
 * prefetched. */
static void move_each(const strew_picked *picked, const strew_walk *walk, const strew_pointers *pointers,
                      const strew_mover *mover)
{
    const int64_t row_bytes = walk->row_bytes;
    const size_t bytes = (size_t)row_bytes, most = strew_tuning_active()->rows_ahead;
    const size_t ahead = row_bytes <= STREW_LONGEST_ROW_AHEAD ? most : 0;
    const bool by_lines =
        mover->access.stream_parts || strew_mover_streams_lines(mover, pointers->addressed, row_bytes);
    for (size_t i = 0; i < picked->count; i++) {
        strew_prefetch_row_ahead(pointers->dense, picked->dense_offsets, i, picked->count, bytes, ahead);
        if (by_lines)
            strew_prefetch_ends_ahead(pointers->addressed, picked->offsets, i, picked->count, bytes, most);
        else
            strew_prefetch_row_ahead(pointers->addressed, picked->offsets, i, picked->count, bytes, ahead);
        strew_mover_move(mover, pointers->addressed, picked->offsets + i, 1,
                         pointers->dense + picked->dense_offsets[i], 0, row_bytes);
    }
}

void strew_picked_move(const strew_picked *picked, const strew_walk *walk, const strew_pointers *pointers,
                       const strew_mover *mover)
{
    if (walk->row_bytes <= STREW_CACHE_LINE)
        move_collected(picked, walk, pointers, mover);
    else
        move_each(picked, walk, pointers, mover);
}
