#include "engine/walk/tiles.h"

#include <string.h>

/* Writes first, first + step, ... It adds unsigned: the value after the last one may overflow. */
static void count_by(int64_t step, int64_t first, int64_t *offsets, int64_t count)
{
    uint64_t offset = (uint64_t)first;
    for (int64_t i = 0; i < count; i++, offset += (uint64_t)step)
        offsets[i] = (int64_t)offset;
}

/* Computes the bases of all other strips from those of the first one. */
static void repeat_strip(int64_t *bases, int64_t entries, int64_t strips, int64_t base_step)
{
    for (int64_t strip = 1; strip < strips; strip++)
        for (int64_t entry = 0; entry < entries; entry++)
            bases[strip * entries + entry] = bases[entry] + strip * base_step;
}

static void make_bases(strew_tiles *tiles, int64_t strips)
{
    const int64_t base_step = tiles->split.base_step;
    if (!tiles->has_bases && tiles->strip_positions > 1)
        memset(tiles->bases, 0, (size_t)tiles->strip_positions * sizeof *tiles->bases);
    if (tiles->strip_positions == 1)
        count_by(base_step, 0, tiles->bases, strips);
    else
        repeat_strip(tiles->bases, tiles->strip_positions, strips, base_step);
    tiles->has_bases = true;
}

static inline void repeat_bases(strew_tiles *tiles, int64_t strips)
{
    if (tiles->has_bases || tiles->split.base_step != 0)
        make_bases(tiles, strips);
}

static void split_along(strew_tiles *tiles, const strew_dim *dim)
{
    tiles->split = *dim;
    tiles->even_indices = strew_is_multiple(dim->index_step, tiles->strip_positions, tiles->index_step);
    tiles->even_dense = strew_is_multiple(dim->dense_step, tiles->strip_positions, tiles->dense_step);
}

static void begin_split(strew_tiles *tiles)
{
    tiles->left = tiles->split.size;
    tiles->strips = tiles->most_strips;
}

void strew_tiles_restart(strew_tiles *tiles, const strew_pointers *pointers)
{
    tiles->pointers.indices = pointers->indices;
    tiles->pointers.addressed = pointers->addressed;
    tiles->pointers.dense = pointers->dense;
    tiles->pointers.fill = pointers->fill;
    for (int32_t d = 0; d < tiles->outer_dims; d++)
        tiles->steps[d] = 0;
    begin_split(tiles);
}

/* Skips inner dimensions of size 1, which only shards have. */
void strew_tiles_begin(strew_tiles *tiles, const strew_walk *walk, const strew_pointers *pointers)
{
    static const strew_dim once = {1, 0, 0, 0};
    int32_t d = walk->dims - 1;
    while (d > 0 && walk->dim[d].size == 1)
        d--;
    const strew_dim *innermost = d >= 0 ? &walk->dim[d] : &once;
    tiles->walk = walk;
    tiles->strip_positions = 1;
    tiles->has_bases = false;
    tiles->index_step = innermost->index_step;
    tiles->dense_step = innermost->dense_step;
    split_along(tiles, innermost);
    while (d > 0 && tiles->even_indices && tiles->even_dense &&
           tiles->split.size <= STREW_TILE_POSITIONS / tiles->strip_positions) {
        repeat_bases(tiles, tiles->split.size);
        tiles->strip_positions *= tiles->split.size;
        split_along(tiles, &walk->dim[--d]);
    }
    tiles->outer_dims = d > 0 ? d : 0;
    tiles->most_strips = strew_lesser(tiles->split.size, STREW_TILE_POSITIONS / tiles->strip_positions);
    repeat_bases(tiles, tiles->most_strips);
    strew_tiles_restart(tiles, pointers);
}

/* Steps along the innermost outer dimension that has not ended, and resets those inside it. */
static void step_outside(strew_tiles *tiles)
{
    for (int32_t d = tiles->outer_dims; d-- > 0;) {
        const strew_dim *outer = &tiles->walk->dim[d];
        if (++tiles->steps[d] < outer->size) {
            tiles->pointers = strew_pointers_along(&tiles->pointers, outer, 1);
            begin_split(tiles);
            return;
        }
        tiles->pointers = strew_pointers_along(&tiles->pointers, outer, 1 - outer->size);
        tiles->steps[d] = 0;
    }
}

void strew_tiles_next(strew_tiles *tiles)
{
    const int64_t done = tiles->strips;
    tiles->left -= done;
    tiles->strips = strew_lesser(tiles->left, tiles->most_strips);
    if (tiles->left > 0) {
        tiles->pointers = strew_pointers_along(&tiles->pointers, &tiles->split, done);
    } else if (tiles->outer_dims > 0) {
        tiles->pointers = strew_pointers_along(&tiles->pointers, &tiles->split, done - tiles->split.size);
        step_outside(tiles);
    }
}

void strew_tiles_resize(strew_tiles *tiles, int64_t positions)
{
    tiles->most_strips = strew_lesser(tiles->split.size, positions / tiles->strip_positions);
    tiles->strips = strew_lesser(tiles->left, tiles->most_strips);
}

void strew_tile_dense_offsets(const strew_tiles *tiles, int64_t *offsets)
{
    const strew_spans spans = strew_tile_dense_spans(tiles);
    for (int64_t s = 0; s < spans.count; s++)
        count_by(tiles->dense_step, s * spans.step, offsets + s * spans.positions, spans.positions);
}

/* All spans have the same indices: derives the offsets of the others from those of the first. */
static void repeat_first_span(strew_spans spans, const int64_t *bases, int64_t *offsets)
{
    for (int64_t s = 1; s < spans.count; s++)
        for (int64_t i = 0; i < spans.positions; i++)
            offsets[s * spans.positions + i] = offsets[i] - bases[i] + bases[s * spans.positions + i];
}

/* Resolves the positions of a tile span by span. `amends`: applies the walk's policy to bad indices. */
static bool resolve_spans(const strew_tiles *tiles, bool amends, const strew_coordinates *coordinates,
                          const int64_t *bases, int64_t *offsets)
{
    const strew_walk *walk = tiles->walk;
    strew_resolve_kernel *const resolve = strew_walk_resolve_kernel(walk);
    strew_amend_kernel *const amend = walk->kernels->amend[STREW_INDEX_SLOT(walk->amended_dtype)];
    const strew_spans spans = strew_tile_spans(tiles, tiles->even_indices, tiles->split.index_step);
    const char *indices = tiles->pointers.indices;
    const bool repeats = spans.step == 0 && !amends;
    for (int64_t s = 0; s < (repeats ? 1 : spans.count); s++) {
        if (amends)
            amend(indices, tiles->index_step, (size_t)spans.positions, coordinates, bases, offsets, walk->bounds);
        else if (!resolve(indices, tiles->index_step, (size_t)spans.positions, coordinates, bases, offsets))
            return false;
        indices += spans.step;
        bases += spans.positions;
        offsets += spans.positions;
    }
    if (repeats)
        repeat_first_span(spans, bases - spans.positions, offsets - spans.positions);
    return true;
}

/* Not inlined: most tiles have no bad index. */
STREW_NOINLINE static strew_resolved amend_tile(const strew_tiles *tiles, const strew_coordinates *coordinates,
                                                const int64_t *bases, int64_t *offsets)
{
    const strew_bounds bounds = tiles->walk->bounds;
    if (bounds != STREW_BOUNDS_REFUSE)
        resolve_spans(tiles, true, coordinates, bases, offsets);
    return bounds == STREW_BOUNDS_REFUSE || bounds == STREW_BOUNDS_STOP ? STREW_BAD_INDEX
           : bounds == STREW_BOUNDS_SKIP                                ? STREW_SOME_ROWS
                                                                        : STREW_ALL_ROWS;
}

strew_resolved strew_tile_resolve_other(const strew_tiles *tiles, const strew_coordinates *coordinates,
                                        const int64_t *bases, int64_t *offsets)
{
    return resolve_spans(tiles, false, coordinates, bases, offsets)
               ? STREW_ALL_ROWS
               : amend_tile(tiles, coordinates, bases, offsets);
}

/* Most tiles have one span and no bad index: they are resolved at once. */
strew_resolved strew_tile_resolve(const strew_tiles *tiles, int64_t *offsets)
{
    const strew_walk *walk = tiles->walk;
    const int64_t *const bases = tiles->has_bases ? tiles->bases : strew_no_offsets;
    if (tiles->even_indices &&
        strew_walk_resolve_kernel(walk)(tiles->pointers.indices, tiles->index_step,
                                        (size_t)strew_tile_positions(tiles), &walk->coordinates, bases, offsets))
        return STREW_ALL_ROWS;
    return strew_tile_resolve_other(tiles, &walk->coordinates, bases, offsets);
}
