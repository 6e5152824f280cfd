#include "engine/walk/gaps.h"

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

/* Without an element to fill them with, rows are filled with zeros, byte by byte. */
static void fill_rows(const strew_tiles *tiles, char *rows, size_t count)
{
    static const char zero = 0;
    static const int64_t here = 0;
    const strew_walk *walk = tiles->walk;
    const char *fill = tiles->pointers.fill ? tiles->pointers.fill : &zero;
    const int64_t bytes = tiles->pointers.fill ? walk->element_bytes : 1;
    const strew_dense element = {(char *)(uintptr_t)fill, bytes, (size_t)walk->row_bytes, {0}};
    for (size_t i = 0; i < count; i++)
        walk->kernels->fill[strew_move_size_of(bytes)](rows + (int64_t)i * tiles->dense_step, &here, 1, &element);
}

static void move_span(const strew_tiles *tiles, const strew_mover *mover, const int64_t *offsets, size_t count,
                      char *dense)
{
    const int64_t step = tiles->dense_step;
    size_t done = 0;
    for (strew_rows rows = strew_rows_first(offsets, count); done < count;
         rows = strew_rows_next(rows, offsets, count)) {
        if (mover->direction == STREW_GATHERS)
            fill_rows(tiles, dense + (int64_t)done * step, rows.begin - done);
        if (rows.begin < rows.end)
            strew_mover_move(mover, tiles->pointers.addressed, offsets + rows.begin, rows.end - rows.begin,
                             dense + (int64_t)rows.begin * step, step, tiles->walk->row_bytes);
        done = rows.end;
    }
}

void strew_tile_move_between_gaps(const strew_tiles *tiles, const strew_mover *mover, const int64_t *offsets)
{
    const strew_spans spans = strew_tile_dense_spans(tiles);
    for (int64_t s = 0; s < spans.count; s++)
        move_span(tiles, mover, offsets + s * spans.positions, (size_t)spans.positions,
                  tiles->pointers.dense + s * spans.step);
}

void strew_tile_move_to_gap(const strew_tiles *tiles, const strew_mover *mover, const int64_t *offsets)
{
    const strew_spans spans = strew_tile_dense_spans(tiles);
    int64_t left = 0;
    while (left < strew_tile_positions(tiles) && offsets[left] != STREW_NO_ROW)
        left++;
    for (int64_t s = 0; s < spans.count && left > 0; s++, left -= spans.positions)
        move_span(tiles, mover, offsets + s * spans.positions,
                  (size_t)(left < spans.positions ? left : spans.positions),
                  tiles->pointers.dense + s * spans.step);
}
