#include "engine/walk/row_list.h"

/* Rows are collected into a buffer of this size. */
enum { COLLECTED_BYTES = 4096 };

/* Copies short dense rows into a buffer and moves them from there. A constant row need not be copied. */
static void move_collected(const strew_row_list *list, const strew_walk *walk, const strew_pointers *pointers,
                           const strew_mover *mover)
{
    char rows[COLLECTED_BYTES];
    const int64_t row_bytes = walk->row_bytes;
    const size_t most = COLLECTED_BYTES / (size_t)row_bytes;
    strew_move_kernel *const collect = walk->kernels->gather[strew_move_size_of(row_bytes)];
    const strew_dense collected = {.rows = rows, .step = row_bytes, .row_bytes = (size_t)row_bytes};
    if (mover->group_extent > 0)
        strew_prefetch_group(pointers->addressed, list->offsets, list->count, row_bytes, mover->group_extent);
    for (size_t i = 0; i < list->count; i += most) {
        const size_t count = list->count - i < most ? list->count - i : most;
        if (!mover->constant_row)
            collect(pointers->dense, list->dense_offsets + i, count, &collected);
        strew_mover_move(mover, pointers->addressed, list->offsets + i, count, rows, row_bytes, row_bytes);
    }
}

/* Moves longer rows one by one. The CPU cannot predict where they are, so they are prefetched. If they are written
 * past the caches, only the lines that they fill partly are. */
static void move_each(const strew_row_list *list, const strew_walk *walk, const strew_pointers *pointers,
                      const strew_mover *mover)
{
    const int64_t row_bytes = walk->row_bytes;
    const size_t bytes = (size_t)row_bytes, most = strew_tuning_active()->rows_ahead;
    const size_t ahead = row_bytes <= STREW_LONGEST_ROW_AHEAD ? most : 0;
    const bool by_lines =
        mover->access.stream_parts || strew_mover_streams_lines(mover, pointers->addressed, row_bytes);
    for (size_t i = 0; i < list->count; i++) {
        strew_prefetch_row_ahead(pointers->dense, list->dense_offsets, i, list->count, bytes, ahead);
        if (by_lines)
            strew_prefetch_ends_ahead(pointers->addressed, list->offsets, i, list->count, bytes, most);
        else
            strew_prefetch_row_ahead(pointers->addressed, list->offsets, i, list->count, bytes, ahead);
        strew_mover_move(mover, pointers->addressed, list->offsets + i, 1, pointers->dense + list->dense_offsets[i],
                         0, row_bytes);
    }
}

void strew_row_list_move(const strew_row_list *list, const strew_walk *walk, const strew_pointers *pointers,
                         const strew_mover *mover)
{
    if (walk->row_bytes <= STREW_CACHE_LINE)
        move_collected(list, walk, pointers, mover);
    else
        move_each(list, walk, pointers, mover);
}
