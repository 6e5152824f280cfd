#include "engine/walk/join.h"

/* A span is given up once it has this many joined rows more than pay. */
enum { ROWS_TOO_MANY = 4 };

/* Whether four rows begin where those before them end. Compares them in one branch. */
static inline bool four_join(const int64_t *offset, int64_t row_bytes)
{
    return (((offset[0] - offset[-1]) ^ row_bytes) | ((offset[1] - offset[0]) ^ row_bytes) |
            ((offset[2] - offset[1]) ^ row_bytes) | ((offset[3] - offset[2]) ^ row_bytes)) == 0;
}

/* Returns the first entry after `begin` whose row does not begin where the row before it ends; `count` if there is
 * none. */
static size_t join_until(const int64_t *offsets, size_t begin, size_t count, int64_t row_bytes)
{
    size_t end = begin + 1;
    while (end + 4 <= count && four_join(offsets + end, row_bytes))
        end += 4;
    while (end < count && offsets[end] - offsets[end - 1] == row_bytes)
        end++;
    return end;
}

typedef struct joined_row {
    int64_t offset;
    char *dense;
    size_t bytes;
} joined_row;

/* Joins the rows of a span. Returns the number of joined rows, or 0 if there are too many or more than `most`. */
static size_t join_span(const strew_walk *walk, const int64_t *offsets, size_t count, char *dense,
                        joined_row *joined, size_t most)
{
    size_t found = 0;
    for (size_t begin = 0; begin < count;) {
        if (found == most || found > ROWS_TOO_MANY + begin / STREW_LEAST_JOINED)
            return 0;
        const size_t end = join_until(offsets, begin, count, walk->row_bytes.addressed);
        joined[found++] = (joined_row){offsets[begin], dense + (int64_t)begin * walk->row_bytes.dense,
                                       (end - begin) * (size_t)walk->row_bytes.dense};
        begin = end;
    }
    return found;
}

bool strew_tile_join(const strew_tiles *tiles, const strew_mover *mover, const int64_t *offsets)
{
    joined_row rows[STREW_TILE_POSITIONS / STREW_LEAST_JOINED];
    const strew_pointers *pointers = &tiles->pointers;
    const strew_spans spans = strew_tile_dense_spans(tiles);
    const size_t most = (size_t)(strew_tile_positions(tiles) / STREW_LEAST_JOINED);
    size_t count = 0;
    for (int64_t s = 0; s < spans.count; s++) {
        const size_t found = join_span(tiles->walk, offsets + s * spans.positions, (size_t)spans.positions,
                                       pointers->dense + s * spans.step, rows + count, most - count);
        if (found == 0)
            return false;
        count += found;
    }
    for (size_t r = 0; r < count; r++) {
        const strew_dense dense = {.rows = rows[r].dense, .row_bytes = rows[r].bytes};
        mover->join(pointers->addressed, &rows[r].offset, 1, &dense);
    }
    return true;
}
