#include "engine/join.h"

#include "engine/near.h"

/* So much of a joined row is fetched while others are looked for. */
enum { MOST_FETCHED = 1024 };

typedef struct joined {
    int64_t offset;
    char *dense;
    size_t bytes;
} joined;

static bool adjoins(const int64_t *offset, int64_t row_bytes)
{
    return offset[0] - offset[-1] == row_bytes;
}

/* One comparison for four rows. */
static bool four_adjoin(const int64_t *offset, int64_t row_bytes)
{
    return (((offset[0] - offset[-1]) ^ row_bytes) | ((offset[1] - offset[0]) ^ row_bytes) |
            ((offset[2] - offset[1]) ^ row_bytes) | ((offset[3] - offset[2]) ^ row_bytes)) == 0;
}

/* The first row after `begin` that does not adjoin the one before. */
static size_t find_end(const int64_t *offsets, size_t begin, size_t count, int64_t row_bytes)
{
    size_t end = begin + 1;
    while (end + 4 <= count && four_adjoin(offsets + end, row_bytes))
        end += 4;
    while (end < count && adjoins(offsets + end, row_bytes))
        end++;
    return end;
}

/* Joins the rows of a span. Returns into how many; 0 if it would be more than `most`. */
static size_t join_span(const int64_t *offsets, size_t count, char *dense, int64_t row_bytes, joined *into,
                        size_t most)
{
    size_t found = 0;
    for (size_t begin = 0; begin < count;) {
        if (found == most)
            return 0;
        const size_t end = find_end(offsets, begin, count, row_bytes);
        into[found++] =
            (joined){offsets[begin], dense + (int64_t)begin * row_bytes, (end - begin) * (size_t)row_bytes};
        begin = end;
    }
    return found;
}

/* Always inlined, or gcc 12 takes it to do nothing. */
static inline __attribute__((always_inline)) void fetch(const char *addressed, const joined *row, bool dense_too)
{
    const size_t bytes = row->bytes < MOST_FETCHED ? row->bytes : MOST_FETCHED;
    strew_prefetch_row(addressed + row->offset, bytes);
    if (dense_too)
        strew_prefetch_row(row->dense, bytes);
}

bool strew_join_rows(const strew_walk *walk, const strew_places *at, const int64_t *offsets, strew_spans spans)
{
    enum { MOST = STREW_TILE_ENTRIES / STREW_LEAST_JOINED };
    joined rows[MOST];
    const size_t most = spans.count * spans.rows / STREW_LEAST_JOINED;
    size_t count = 0;
    for (size_t s = 0; s < spans.count; s++) {
        const size_t found = join_span(offsets + s * spans.rows, spans.rows, at->dense + (int64_t)s * spans.step,
                                       walk->row_bytes, rows + count, most - count);
        if (found == 0)
            return false;
        count += found;
    }
    for (size_t r = 0; r < count; r++)
        fetch(at->addressed, &rows[r], spans.count > 1);
    for (size_t r = 0; r < count; r++) {
        const strew_dense dense = {rows[r].dense, 0, rows[r].bytes, {0, 0, false}};
        walk->join(at->addressed, &rows[r].offset, 1, &dense);
    }
    return true;
}
