#include "engine/walk/picked.h"

/* So many bytes at a time. */
enum { COLLECTED_BYTES = 4096 };

/* Where every position has the same row, none needs to be collected. */
void strew_picked_move_collected(const strew_picked *picked, const strew_tiles *tiles, const strew_mover *mover)
{
    char rows[COLLECTED_BYTES];
    const strew_pointers *pointers = &tiles->pointers;
    const int64_t row_bytes = tiles->walk->row_bytes;
    const size_t most = COLLECTED_BYTES / (size_t)row_bytes;
    strew_move_kernel *const collect = tiles->walk->kernels->gather[strew_move_size_of(row_bytes)];
    const strew_dense collected = {.rows = rows, .step = row_bytes, .row_bytes = (size_t)row_bytes};
    if (mover->grouping.unless_within > 0)
        strew_prefetch_group(pointers->addressed, picked->offsets, picked->count, row_bytes,
                             mover->grouping.unless_within);
    for (size_t i = 0; i < picked->count; i += most) {
        const size_t count = picked->count - i < most ? picked->count - i : most;
        if (!mover->constant_row)
            collect(pointers->dense, picked->dense_offsets + i, count, &collected);
        strew_mover_move(mover, pointers->addressed, picked->offsets + i, count, rows, row_bytes, row_bytes);
    }
}
