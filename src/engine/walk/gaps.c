#include "engine/walk/gaps.h"

strew_rows strew_rows_from(size_t begin, const int64_t *offsets, size_t count)
{
    while (begin < count && offsets[begin] == STREW_NO_ROW)
        begin++;
    size_t end = begin;
    while (end < count && offsets[end] != STREW_NO_ROW)
        end++;
    return (strew_rows){begin, end};
}

void strew_tile_move_first(const strew_tiles *tiles, const strew_mover *mover, const int64_t *offsets,
                           int64_t count)
{
    const strew_spans spans = strew_tile_dense_spans(tiles);
    for (int64_t s = 0; s < spans.count && count > 0; s++, count -= spans.positions)
        strew_mover_move(mover, tiles->pointers.addressed, offsets + s * spans.positions,
                         (size_t)strew_lesser(count, spans.positions), tiles->pointers.dense + s * spans.step,
                         tiles->dense_step, tiles->walk->row_bytes.dense);
}

/* Writes a row that fills a gap: the fill element again and again, or zeros. */
static void make_fill_row(const strew_tiles *tiles, char *row)
{
    static const char zero;
    static const int64_t first = 0;
    const strew_walk *walk = tiles->walk;
    const char *fill = tiles->pointers.fill ? tiles->pointers.fill : &zero;
    const int64_t bytes = tiles->pointers.fill ? walk->element_bytes : 1;
    const strew_dense element = {(char *)(uintptr_t)fill, bytes, (size_t)walk->row_bytes.dense, {0}};
    walk->kernels->fill[strew_move_size_of(bytes)](row, &first, 1, &element);
}

/*
 * Moves short rows: going around a gap costs more than moving a row. All gaps name one row on the stack. A gather
 * copies it from there. A scatter writes it, and nothing reads it afterwards.
 */
STREW_NOINLINE static void move_over_gaps(const strew_tiles *tiles, const strew_mover *mover,
                                          const int64_t *offsets)
{
    STREW_ALIGNED(STREW_CACHE_LINE) char gap_row[STREW_CACHE_LINE] = {0};
    strew_tile_offsets rows;
    const int64_t count = strew_tile_positions(tiles);
    const int64_t gap = (intptr_t)((uintptr_t)gap_row - (uintptr_t)tiles->pointers.addressed);
    if (mover->direction == STREW_GATHERS)
        make_fill_row(tiles, gap_row);
    for (int64_t i = 0; i < count; i++)
        rows[i] = offsets[i] == STREW_NO_ROW ? gap : offsets[i];
    strew_tile_move_first(tiles, mover, rows, count);
}

/* Moves the rows of a span. A gather fills its gaps. */
static void move_span(const strew_tiles *tiles, const strew_mover *mover, const int64_t *offsets, size_t count,
                      char *dense)
{
    const int64_t step = tiles->dense_step;
    size_t done = 0;
    for (strew_rows rows = strew_rows_from(0, offsets, count); done < count;
         rows = strew_rows_from(rows.end, offsets, count)) {
        for (; mover->direction == STREW_GATHERS && done < rows.begin; done++)
            make_fill_row(tiles, dense + (int64_t)done * step);
        if (rows.begin < rows.end)
            strew_mover_move(mover, tiles->pointers.addressed, offsets + rows.begin, rows.end - rows.begin,
                             dense + (int64_t)rows.begin * step, step, tiles->walk->row_bytes.dense);
        done = rows.end;
    }
}

STREW_NOINLINE void strew_tile_move_between_gaps(const strew_tiles *tiles, const strew_mover *mover,
                                                 const int64_t *offsets)
{
    const strew_spans spans = strew_tile_dense_spans(tiles);
    if (tiles->walk->row_bytes.dense <= STREW_CACHE_LINE) {
        move_over_gaps(tiles, mover, offsets);
        return;
    }
    for (int64_t s = 0; s < spans.count; s++)
        move_span(tiles, mover, offsets + s * spans.positions, (size_t)spans.positions,
                  tiles->pointers.dense + s * spans.step);
}

void strew_tile_move_to_gap(const strew_tiles *tiles, const strew_mover *mover, const int64_t *offsets)
{
    int64_t count = 0;
    while (count < strew_tile_positions(tiles) && offsets[count] != STREW_NO_ROW)
        count++;
    strew_tile_move_first(tiles, mover, offsets, count);
}
