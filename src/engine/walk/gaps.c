#include "engine/walk/gaps.h"

#include <string.h>

#include "engine/walk/row_list.h"

static strew_rows rows_from(size_t begin, const int64_t *offsets, size_t count)
{
    while (begin < count && offsets[begin] == STREW_NO_ROW)
        begin++;
    size_t end = begin;
    while (end < count && offsets[end] != STREW_NO_ROW)
        end++;
    return (strew_rows){begin, end};
}

strew_rows strew_rows_first(const int64_t *offsets, size_t count)
{
    return rows_from(0, offsets, count);
}

strew_rows strew_rows_next(strew_rows rows, const int64_t *offsets, size_t count)
{
    return rows_from(rows.end, offsets, count);
}

/* Moves the first `count` positions of a tile. */
static void move_first(const strew_tiles *tiles, const strew_mover *mover, const int64_t *offsets, int64_t count)
{
    const strew_spans spans = strew_tile_dense_spans(tiles);
    for (int64_t s = 0; s < spans.count && count > 0; s++, count -= spans.positions)
        strew_mover_move(mover, tiles->pointers.addressed, offsets + s * spans.positions,
                         (size_t)strew_lesser(count, spans.positions), tiles->pointers.dense + s * spans.step,
                         tiles->dense_step, tiles->walk->row_bytes);
}

/* ---- Gaps that are filled ------------------------------------------------------------------------ */

enum { LONGEST_FILL_ROW = 4096 };

/* Writes a row that fills a gap: the fill element again and again, or zeros. */
static void make_fill_row(const strew_tiles *tiles, char *row)
{
    static const char zero;
    static const int64_t first = 0;
    const strew_walk *walk = tiles->walk;
    const char *fill = tiles->pointers.fill ? tiles->pointers.fill : &zero;
    const int64_t bytes = tiles->pointers.fill ? walk->element_bytes : 1;
    const strew_dense element = {(char *)(uintptr_t)fill, bytes, (size_t)walk->row_bytes, {0}};
    walk->kernels->fill[strew_move_size_of(bytes)](row, &first, 1, &element);
}

/* ---- Long rows: moved run by run between gaps ----------------------------------------------------- */

/* Fills consecutive gaps of a gather. The mover does it, because it may write past the caches. */
static void fill_gap(const strew_tiles *tiles, const strew_mover *mover, char *fill_row, char *dense, size_t count)
{
    const int64_t row_bytes = tiles->walk->row_bytes;
    if (row_bytes <= LONGEST_FILL_ROW)
        strew_mover_move(mover, fill_row, strew_no_offsets, count, dense, tiles->dense_step, row_bytes);
    else
        for (size_t i = 0; i < count; i++)
            make_fill_row(tiles, dense + (int64_t)i * tiles->dense_step);
}

/* Moves the rows of a span. Fills its gaps unless `fill_row` is NULL. */
static void move_span(const strew_tiles *tiles, const strew_mover *mover, const int64_t *offsets, size_t count,
                      char *dense, char *fill_row)
{
    const int64_t step = tiles->dense_step;
    size_t done = 0;
    for (strew_rows rows = strew_rows_first(offsets, count); done < count;
         rows = strew_rows_next(rows, offsets, count)) {
        if (fill_row && done < rows.begin)
            fill_gap(tiles, mover, fill_row, dense + (int64_t)done * step, rows.begin - done);
        if (rows.begin < rows.end)
            strew_mover_move(mover, tiles->pointers.addressed, offsets + rows.begin, rows.end - rows.begin,
                             dense + (int64_t)rows.begin * step, step, tiles->walk->row_bytes);
        done = rows.end;
    }
}

STREW_NOINLINE static void move_run_by_run(const strew_tiles *tiles, const strew_mover *mover,
                                           const int64_t *offsets)
{
    char fill_row[LONGEST_FILL_ROW];
    const bool gathers = mover->direction == STREW_GATHERS;
    const strew_spans spans = strew_tile_dense_spans(tiles);
    if (gathers && tiles->walk->row_bytes <= LONGEST_FILL_ROW)
        make_fill_row(tiles, fill_row);
    for (int64_t s = 0; s < spans.count; s++)
        move_span(tiles, mover, offsets + s * spans.positions, (size_t)spans.positions,
                  tiles->pointers.dense + s * spans.step, gathers ? fill_row : NULL);
}

/* ---- Short rows: going around a gap costs more than moving a row -------------------------------------- */

/* Whether one of eight positions may be a gap: STREW_NO_ROW is negative, and few other offsets are. */
static inline bool may_have_gaps(const int64_t *offsets)
{
    return (offsets[0] | offsets[1] | offsets[2] | offsets[3] | offsets[4] | offsets[5] | offsets[6] | offsets[7]) <
           0;
}

/* Finds the positions of gaps and returns how many there are. `gaps` must have room for count + 1. */
static size_t find_gaps(const int64_t *offsets, size_t count, int64_t *gaps)
{
    size_t found = 0;
    for (size_t begin = 0; begin < count; begin += 8) {
        const size_t end = begin + 8 < count ? begin + 8 : count;
        if (end == begin + 8 && !may_have_gaps(offsets + begin))
            continue;
        for (size_t i = begin; i < end; i++) {
            gaps[found] = (int64_t)i;
            found += offsets[i] == STREW_NO_ROW;
        }
    }
    return found;
}

/*
 * Moves the tile as if each gap named the row of the next position. A gather is filled over afterwards. A scatter
 * writes that row twice: the second write is the row's own update. Gaps at the end of the tile are not moved.
 */
STREW_NOINLINE static void move_over_gaps(const strew_tiles *tiles, const strew_mover *mover,
                                          const int64_t *offsets, const int64_t *gaps, size_t gap_count)
{
    strew_tile_offsets rows;
    int64_t left = strew_tile_positions(tiles);
    memcpy(rows, offsets, (size_t)left * sizeof *offsets);
    for (size_t g = gap_count; g-- > 0;) {
        if (gaps[g] + 1 == left)
            left--;
        else
            rows[gaps[g]] = rows[gaps[g] + 1];
    }
    move_first(tiles, mover, rows, left);
}

/* Scatters the fill row to the gaps in the dense tensor. Overwrites `gaps`. */
STREW_NOINLINE static void fill_gaps(const strew_tiles *tiles, int64_t *gaps, size_t gap_count)
{
    char fill_row[STREW_CACHE_LINE];
    const strew_walk *walk = tiles->walk;
    const strew_spans spans = strew_tile_dense_spans(tiles);
    const strew_dense fill = {.rows = fill_row, .row_bytes = (size_t)walk->row_bytes};
    for (size_t g = 0; g < gap_count; g++)
        gaps[g] = spans.count == 1
                      ? gaps[g] * tiles->dense_step
                      : gaps[g] / spans.positions * spans.step + gaps[g] % spans.positions * tiles->dense_step;
    make_fill_row(tiles, fill_row);
    walk->kernels->scatter[strew_move_size_of(walk->row_bytes)](tiles->pointers.dense, gaps, gap_count, &fill);
}

/* Lists the rows that are not gaps, and combines them. */
STREW_NOINLINE static void combine_listed(const strew_tiles *tiles, const strew_mover *mover,
                                          const int64_t *offsets)
{
    strew_row_list list;
    strew_tile_offsets dense_offsets;
    size_t rows = 0;
    strew_tile_dense_offsets(tiles, dense_offsets);
    for (int64_t i = 0; i < strew_tile_positions(tiles); i++) {
        list.offsets[rows] = offsets[i];
        list.dense_offsets[rows] = dense_offsets[i];
        rows += offsets[i] != STREW_NO_ROW;
    }
    list.count = rows;
    strew_row_list_move(&list, tiles->walk, &tiles->pointers, mover);
}

STREW_NOINLINE void strew_tile_move_between_gaps(const strew_tiles *tiles, const strew_mover *mover,
                                                 const int64_t *offsets)
{
    int64_t gaps[STREW_TILE_POSITIONS + 1];
    if (tiles->walk->row_bytes > STREW_CACHE_LINE) {
        move_run_by_run(tiles, mover, offsets);
    } else if (mover->combines) {
        combine_listed(tiles, mover, offsets);
    } else {
        const size_t gap_count = find_gaps(offsets, (size_t)strew_tile_positions(tiles), gaps);
        move_over_gaps(tiles, mover, offsets, gaps, gap_count);
        if (mover->direction == STREW_GATHERS)
            fill_gaps(tiles, gaps, gap_count);
    }
}

void strew_tile_move_to_gap(const strew_tiles *tiles, const strew_mover *mover, const int64_t *offsets)
{
    int64_t count = 0;
    while (count < strew_tile_positions(tiles) && offsets[count] != STREW_NO_ROW)
        count++;
    move_first(tiles, mover, offsets, count);
}
