#include "engine/walk/join.h"

#include "base/prefetch.h"

/* So much of a joined row is prefetched while others are looked for. */
enum { MOST_PREFETCHED = 1024 };

typedef struct joined_row {
    int64_t offset;
    char *dense;
    size_t bytes;
} joined_row;

/* A span that has had so many rows more than what pays is not looked through. */
enum { ROWS_TOO_MANY = 4 };

/* Joins the rows of a span. Returns into how many; 0 if it would be more than `most`, as far as that is seen. */
static size_t join_span(strew_adjoin_kernel *adjoin, const int64_t *offsets, size_t count, char *dense,
                        int64_t row_bytes, joined_row *joined, size_t most)
{
    size_t found = 0;
    for (size_t begin = 0; begin < count;) {
        if (found == most || found > ROWS_TOO_MANY + begin / STREW_LEAST_JOINED)
            return 0;
        const size_t end = adjoin(offsets, begin, count, row_bytes);
        joined[found++] =
            (joined_row){offsets[begin], dense + (int64_t)begin * row_bytes, (end - begin) * (size_t)row_bytes};
        begin = end;
    }
    return found;
}

/* Always inlined, or gcc 12 takes it to do nothing. */
STREW_INLINE void prefetch(const char *addressed, const joined_row *row, bool both)
{
    const size_t bytes = row->bytes < MOST_PREFETCHED ? row->bytes : MOST_PREFETCHED;
    strew_prefetch_row(addressed + row->offset, bytes);
    if (both)
        strew_prefetch_row(row->dense, bytes);
}

bool strew_tile_join(const strew_tiles *tiles, strew_move_kernel *join, const int64_t *offsets)
{
    joined_row rows[STREW_TILE_POSITIONS / STREW_LEAST_JOINED];
    const strew_pointers *pointers = &tiles->pointers;
    const strew_spans spans = strew_tile_dense_spans(tiles);
    const size_t most = (size_t)strew_tile_positions(tiles) / STREW_LEAST_JOINED;
    size_t count = 0;
    for (int64_t s = 0; s < spans.count; s++) {
        const size_t found =
            join_span(tiles->walk->kernels->adjoin, offsets + s * spans.positions, (size_t)spans.positions,
                      pointers->dense + s * spans.step, tiles->walk->row_bytes, rows + count, most - count);
        if (found == 0)
            return false;
        count += found;
    }
    for (size_t r = 0; r < count; r++)
        prefetch(pointers->addressed, &rows[r], spans.count > 1);
    for (size_t r = 0; r < count; r++) {
        const strew_dense dense = {.rows = rows[r].dense, .row_bytes = rows[r].bytes};
        join(pointers->addressed, &rows[r].offset, 1, &dense);
    }
    return true;
}
