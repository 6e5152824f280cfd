#include "engine/walk/join.h"

#include <string.h>

#include "base/prefetch.h"

/* So much of a joined row is prefetched while others are looked for. */
enum { MOST_PREFETCHED = 1024 };

/* Positions that follow each other: where their rows are, and the updates. */
typedef struct joined_rows {
    const int64_t *offsets;
    char *dense;
    size_t bytes; /* of all of them, in the dense tensor */
} joined_rows;

/* A span that has had so many more than what pays is not looked through. */
enum { ROWS_TOO_MANY = 4 };

/* Updates of one row are combined with each other, so many bytes at once, until no more than so many are left. */
enum { MERGED_BYTES = 2 * STREW_CACHE_LINE, LEFT_UPDATES = 16 };

/* Fewer rows than this, on average, are not worth joining. */
static int64_t least_joined(const strew_walk *walk, int64_t distance)
{
    const int64_t least_merged = 2 * MERGED_BYTES / walk->row_bytes;
    return distance == 0 && least_merged > STREW_LEAST_JOINED ? least_merged : STREW_LEAST_JOINED;
}

/*
 * Joins the rows of a span that are as far from each other as `distance`. Returns into how many; 0 if it would be
 * more than `most`, as far as that is seen.
 */
static size_t join_span(const strew_walk *walk, int64_t distance, const int64_t *offsets, size_t count, char *dense,
                        joined_rows *joined, size_t most)
{
    const size_t least = (size_t)least_joined(walk, distance);
    size_t found = 0;
    for (size_t begin = 0; begin < count;) {
        if (found == most || found > ROWS_TOO_MANY + begin / least)
            return 0;
        const size_t end = walk->kernels->adjoin(offsets, begin, count, distance);
        joined[found++] = (joined_rows){offsets + begin, dense + (int64_t)begin * walk->row_bytes,
                                        (end - begin) * (size_t)walk->row_bytes};
        begin = end;
    }
    return found;
}

/* Always inlined, or gcc 12 takes it to do nothing. */
STREW_INLINE void prefetch(const char *addressed, const joined_rows *rows, bool both)
{
    const size_t bytes = rows->bytes < MOST_PREFETCHED ? rows->bytes : MOST_PREFETCHED;
    strew_prefetch_row(addressed + rows->offsets[0], bytes);
    if (both)
        strew_prefetch_row(rows->dense, bytes);
}

/* Combines the last updates of one row, so many bytes of them, with the row. */
static void combine_last(const strew_mover *mover, char *addressed, const int64_t *offsets, char *updates,
                         size_t bytes, size_t row_bytes)
{
    const strew_dense dense = {.rows = updates, .step = (int64_t)row_bytes, .row_bytes = row_bytes};
    mover->kernel(addressed, offsets, bytes / row_bytes, &dense);
}

/* Combines rows of these bytes, which follow each other from `updates` on, with the one at `merged`. */
static void merge_rows(const strew_mover *mover, char *merged, char *updates, size_t rows, size_t row_bytes)
{
    static const int64_t one_place[STREW_TILE_POSITIONS];
    mover->merge(merged, one_place, rows,
                 &(strew_dense){.rows = updates, .step = (int64_t)row_bytes, .row_bytes = row_bytes});
}

static void merge_and_combine(const strew_mover *mover, char *addressed, const joined_rows *rows, size_t row_bytes)
{
    _Alignas(STREW_CACHE_LINE) char merged[MERGED_BYTES];
    const size_t whole = rows->bytes / MERGED_BYTES, rest = rows->bytes % MERGED_BYTES;
    if (whole < 2) {
        combine_last(mover, addressed, rows->offsets, rows->dense, rows->bytes, row_bytes);
        return;
    }
    size_t left = MERGED_BYTES;
    memcpy(merged, rows->dense, MERGED_BYTES);
    merge_rows(mover, merged, rows->dense + MERGED_BYTES, whole - 1, MERGED_BYTES);
    for (; left > LEFT_UPDATES * row_bytes; left /= 2)
        merge_rows(mover, merged, merged + left / 2, 1, left / 2);
    combine_last(mover, addressed, rows->offsets, merged, left, row_bytes);
    combine_last(mover, addressed, rows->offsets, rows->dense + whole * MERGED_BYTES, rest, row_bytes);
}

bool strew_tile_join(const strew_tiles *tiles, const strew_mover *mover, const int64_t *offsets)
{
    joined_rows rows[STREW_TILE_POSITIONS / STREW_LEAST_JOINED];
    const strew_pointers *pointers = &tiles->pointers;
    const strew_spans spans = strew_tile_dense_spans(tiles);
    const int64_t distance = offsets[1] - offsets[0];
    const int64_t least = least_joined(tiles->walk, distance), positions = strew_tile_positions(tiles);
    const size_t most = (size_t)(positions / least);
    size_t count = 0;
    if (most == 0 || (distance == 0 && offsets[least - 1] != offsets[0]))
        return false;
    for (int64_t s = 0; s < spans.count; s++) {
        const size_t found =
            join_span(tiles->walk, distance, offsets + s * spans.positions, (size_t)spans.positions,
                      pointers->dense + s * spans.step, rows + count, most - count);
        if (found == 0)
            return false;
        count += found;
    }
    if (distance == 0) {
        for (size_t r = 0; r < count; r++)
            merge_and_combine(mover, pointers->addressed, &rows[r], (size_t)tiles->walk->row_bytes);
        return true;
    }
    for (size_t r = 0; r < count; r++)
        prefetch(pointers->addressed, &rows[r], spans.count > 1);
    for (size_t r = 0; r < count; r++) {
        const strew_dense dense = {.rows = rows[r].dense, .row_bytes = rows[r].bytes};
        mover->join(pointers->addressed, rows[r].offsets, 1, &dense);
    }
    return true;
}
