#include "engine/join.h"

#include "kernels/fetch.h"

/* So much of where a row of them will be is fetched while the others are looked for. */
enum { MOST_FETCHED = 1024 };

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

/* Where rows begin that do not adjoin the one before, and behind them `count`; 0 if there are more than `most`. */
static size_t find_begins(const int64_t *offsets, size_t count, int64_t row_bytes, uint32_t *begins, size_t most)
{
    size_t found = 1;
    begins[0] = 0;
    for (size_t i = 1; i < count;) {
        if (i + 4 <= count && four_adjoin(offsets + i, row_bytes)) {
            i += 4;
            continue;
        }
        if (!adjoins(offsets + i, row_bytes)) {
            if (found == most)
                return 0;
            begins[found++] = (uint32_t)i;
        }
        i++;
    }
    begins[found] = (uint32_t)count;
    return found;
}

bool strew_join_rows(const strew_walk *walk, strew_places at, const int64_t *offsets, size_t count)
{
    enum { MOST = STREW_TILE_ENTRIES / STREW_LEAST_JOINED };
    uint32_t begins[MOST + 1];
    const int64_t row_bytes = walk->row_bytes;
    const size_t found = find_begins(offsets, count, row_bytes, begins, count / STREW_LEAST_JOINED);
    for (size_t r = 0; r < found; r++) {
        const size_t bytes = (begins[r + 1] - begins[r]) * (size_t)row_bytes;
        strew_fetch_row(at.addressed + offsets[begins[r]], bytes < MOST_FETCHED ? bytes : MOST_FETCHED);
    }
    for (size_t r = 0; r < found; r++)
        walk->join(at.addressed, offsets + begins[r], 1, at.dense + begins[r] * row_bytes, 0,
                   (begins[r + 1] - begins[r]) * (size_t)row_bytes);
    return found > 0;
}
