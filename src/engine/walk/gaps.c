#include "engine/walk/gaps.h"

#include <string.h>

#include "engine/walk/picked.h"

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

/* ---- Gaps that are filled ------------------------------------------------------------------------ */

enum { LONGEST_FILL_ROW = 4096 };

/* A row of what fills gaps: zeros, if there is no element to fill them with. */
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

/* Gaps of a gather that follow each other: gathered from the row that fills them, past the caches as others are. */
static void fill_gap(const strew_tiles *tiles, const strew_mover *mover, char *fill_row, char *dense, size_t count)
{
    const int64_t row_bytes = tiles->walk->row_bytes;
    if (row_bytes <= LONGEST_FILL_ROW)
        strew_mover_move(mover, fill_row, strew_no_offsets, count, dense, tiles->dense_step, row_bytes);
    else
        for (size_t i = 0; i < count; i++)
            make_fill_row(tiles, dense + (int64_t)i * tiles->dense_step);
}

/* `fill_row` is NULL where gaps are left. */
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

/* Whether there may be a gap: those that are none are rarely negative. */
static inline bool may_have_gaps(const int64_t *offsets)
{
    return (offsets[0] | offsets[1] | offsets[2] | offsets[3] | offsets[4] | offsets[5] | offsets[6] | offsets[7]) <
           0;
}

/* The positions of gaps, for which there is room of one more than positions. Returns how many. */
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
 * In each gap stands the row that comes next, which is gathered and filled over, or overwritten once more by its
 * own update. Gaps that nothing follows are left.
 */
STREW_NOINLINE static void move_with_stand_ins(const strew_tiles *tiles, const strew_mover *mover,
                                               const int64_t *offsets, const int64_t *gaps, size_t gap_count)
{
    strew_tile_offsets rows;
    const strew_spans spans = strew_tile_dense_spans(tiles);
    int64_t left = strew_tile_positions(tiles);
    memcpy(rows, offsets, (size_t)left * sizeof *offsets);
    for (size_t g = gap_count; g-- > 0;) {
        if (gaps[g] + 1 == left)
            left--;
        else
            rows[gaps[g]] = rows[gaps[g] + 1];
    }
    for (int64_t s = 0; s < spans.count && left > 0; s++, left -= spans.positions)
        strew_mover_move(mover, tiles->pointers.addressed, rows + s * spans.positions,
                         (size_t)(left < spans.positions ? left : spans.positions),
                         tiles->pointers.dense + s * spans.step, tiles->dense_step, tiles->walk->row_bytes);
}

/* As a scatter of the row that fills them to where they are in the dense tensor. */
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

/* Of what is combined, the rows that are there, collected. */
STREW_NOINLINE static void combine_picked(const strew_tiles *tiles, const strew_mover *mover,
                                          const int64_t *offsets)
{
    strew_picked picked;
    strew_tile_offsets dense_offsets;
    size_t rows = 0;
    strew_tile_dense_offsets(tiles, dense_offsets);
    for (int64_t i = 0; i < strew_tile_positions(tiles); i++) {
        picked.offsets[rows] = offsets[i];
        picked.dense_offsets[rows] = dense_offsets[i];
        rows += offsets[i] != STREW_NO_ROW;
    }
    picked.count = rows;
    strew_picked_move(&picked, tiles->walk, &tiles->pointers, mover);
}

STREW_NOINLINE void strew_tile_move_between_gaps(const strew_tiles *tiles, const strew_mover *mover,
                                                 const int64_t *offsets)
{
    int64_t gaps[STREW_TILE_POSITIONS + 1];
    if (tiles->walk->row_bytes > STREW_CACHE_LINE) {
        move_run_by_run(tiles, mover, offsets);
    } else if (mover->combines) {
        combine_picked(tiles, mover, offsets);
    } else {
        const size_t gap_count = find_gaps(offsets, (size_t)strew_tile_positions(tiles), gaps);
        move_with_stand_ins(tiles, mover, offsets, gaps, gap_count);
        if (mover->direction == STREW_GATHERS)
            fill_gaps(tiles, gaps, gap_count);
    }
}

void strew_tile_move_to_gap(const strew_tiles *tiles, const strew_mover *mover, const int64_t *offsets)
{
    const strew_spans spans = strew_tile_dense_spans(tiles);
    int64_t left = 0;
    while (left < strew_tile_positions(tiles) && offsets[left] != STREW_NO_ROW)
        left++;
    for (int64_t s = 0; s < spans.count && left > 0; s++, left -= spans.positions)
        move_span(tiles, mover, offsets + s * spans.positions,
                  (size_t)(left < spans.positions ? left : spans.positions), tiles->pointers.dense + s * spans.step,
                  NULL);
}
