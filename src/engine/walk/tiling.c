#include "engine/walk/tiling.h"

#include <string.h>

#include "base/prefetch.h"

static int64_t at_most(int64_t value, int64_t limit)
{
    return value < limit ? value : limit;
}

/* ---- Making tiles -------------------------------------------------------------------------------- */

/* first, first + step, ...; unsigned, for the one after the last may be more than can be counted. */
static void count_by(int64_t step, int64_t first, int64_t *offsets, int64_t count)
{
    uint64_t offset = (uint64_t)first;
    for (int64_t i = 0; i < count; i++, offset += (uint64_t)step)
        offsets[i] = (int64_t)offset;
}

/*
 * The bases of the first segment, moved, are those of every other one. They are moved a few at a time; what is too
 * many is written again by the next segment, or lies in the room after the last.
 */
static void move_bases(int64_t *bases, int64_t entries, int64_t segments, int64_t base_step)
{
    int64_t *target = bases;
    uint64_t moved[STREW_BASES_ROOM];
    for (int64_t segment = 1; segment < segments; segment++) {
        target += entries;
        for (int64_t entry = 0; entry < entries; entry += STREW_BASES_ROOM) {
            memcpy(moved, bases + entry, sizeof moved);
            for (int64_t i = 0; i < STREW_BASES_ROOM; i++)
                moved[i] += (uint64_t)segment * (uint64_t)base_step;
            memcpy(target + entry, moved, sizeof moved);
        }
    }
}

/* The bases of so many segments in all, each a step further on. */
static void make_bases(strew_tiling *tiling, int64_t segments)
{
    const int64_t base_step = tiling->split.base_step;
    if (!tiling->has_bases && tiling->entries > 1)
        memset(tiling->bases, 0, (size_t)tiling->entries * sizeof *tiling->bases);
    if (tiling->entries == 1)
        count_by(base_step, 0, tiling->bases, segments);
    else
        move_bases(tiling->bases, tiling->entries, segments, base_step);
    tiling->has_bases = true;
}

static inline void repeat_bases(strew_tiling *tiling, int64_t segments)
{
    if (tiling->has_bases || tiling->split.base_step != 0)
        make_bases(tiling, segments);
}

/* Makes it the dimension along which segments follow each other. */
static void split_along(strew_tiling *tiling, const strew_dim *dim)
{
    tiling->split = *dim;
    tiling->even_indices = strew_is_multiple(dim->index_step, tiling->entries, tiling->index_step);
    tiling->even_dense = strew_is_multiple(dim->dense_step, tiling->entries, tiling->dense_step);
}

/* Inner dimensions of size 1, which only shards have, are not stepped along. */
static int32_t innermost(const strew_walk *walk)
{
    int32_t d = walk->dims - 1;
    while (d > 0 && walk->dim[d].size == 1)
        d--;
    return d;
}

void strew_tiling_make(strew_tiling *tiling, const strew_walk *walk, int64_t most)
{
    static const strew_dim once = {1, 0, 0, 0};
    int32_t d = innermost(walk);
    const strew_dim *dim = d >= 0 ? &walk->dim[d] : &once;
    tiling->entries = 1;
    tiling->has_bases = false;
    tiling->index_step = dim->index_step;
    tiling->dense_step = dim->dense_step;
    split_along(tiling, dim);
    while (d > 0 && tiling->even_indices && tiling->even_dense && tiling->split.size <= most / tiling->entries) {
        repeat_bases(tiling, tiling->split.size);
        tiling->entries *= tiling->split.size;
        split_along(tiling, &walk->dim[--d]);
    }
    tiling->outer_dims = d > 0 ? d : 0;
    tiling->segments = at_most(tiling->split.size, most / tiling->entries);
    repeat_bases(tiling, tiling->segments);
}

bool strew_walk_is_one_tile(const strew_walk *walk, int64_t most)
{
    int64_t entries = 1;
    for (int32_t d = 0; d < walk->dims; d++) {
        if (walk->dim[d].size > most)
            return false;
        entries *= walk->dim[d].size;
        if (entries > most)
            return false;
    }
    return walk->dims <= 2;
}

/* ---- Going over them ----------------------------------------------------------------------------- */

static void begin_split(strew_tiles *tiles)
{
    tiles->left = tiles->tiling->split.size;
    tiles->segments = at_most(tiles->left, tiles->tiling->segments);
}

void strew_tiles_begin(strew_tiles *tiles, const strew_walk *walk, const strew_tiling *tiling,
                       const strew_pointers *pointers)
{
    tiles->walk = walk;
    tiles->tiling = tiling;
    tiles->pointers.indices = pointers->indices;
    tiles->pointers.addressed = pointers->addressed;
    tiles->pointers.dense = pointers->dense;
    for (int32_t d = 0; d < tiling->outer_dims; d++)
        tiles->steps[d] = 0;
    begin_split(tiles);
}

static void step(strew_tiles *tiles, const strew_dim *dim, int64_t count)
{
    tiles->pointers.indices += count * dim->index_step;
    tiles->pointers.addressed += count * dim->base_step;
    tiles->pointers.dense += count * dim->dense_step;
}

/* Back to the beginning of the split, and on by one along the innermost outer dimension that has not ended. */
static void step_outside(strew_tiles *tiles)
{
    const strew_tiling *tiling = tiles->tiling;
    step(tiles, &tiling->split, tiles->segments - tiling->split.size);
    for (int32_t d = tiling->outer_dims; d-- > 0;) {
        const strew_dim *outer = &tiles->walk->dim[d];
        if (++tiles->steps[d] < outer->size) {
            step(tiles, outer, 1);
            begin_split(tiles);
            return;
        }
        step(tiles, outer, 1 - outer->size);
        tiles->steps[d] = 0;
    }
    tiles->segments = 0;
}

void strew_tiles_step(strew_tiles *tiles)
{
    if (tiles->left == 0) {
        step_outside(tiles);
        return;
    }
    step(tiles, &tiles->tiling->split, tiles->segments);
    tiles->segments = at_most(tiles->left, tiles->tiling->segments);
}

/* ---- Resolving one ------------------------------------------------------------------------------- */

/* The CPU prefetches what is read in order, but gaps lead it astray: of segments that are some lines of indices. */
static void prefetch_segment(const strew_tiling *tiling, const char *indices)
{
    enum { SEGMENTS_AHEAD = 8, LONGEST = 1024 };
    const uint64_t bytes = (uint64_t)(tiling->entries * tiling->index_step);
    if (bytes >= STREW_CACHE_LINE && bytes <= LONGEST)
        strew_prefetch_row(
            (const char *)((uintptr_t)indices + SEGMENTS_AHEAD * (uintptr_t)tiling->split.index_step),
            (size_t)bytes);
}

const strew_tile_offsets strew_no_bases;

static strew_spans index_spans(const strew_tiling *tiling, int64_t segments)
{
    return tiling->even_indices ? (strew_spans){1, segments * tiling->entries, 0}
                                : (strew_spans){segments, tiling->entries, tiling->split.index_step};
}

bool strew_tile_resolve_from(const strew_tiling *tiling, const strew_walk *walk,
                             const strew_coordinates *coordinates, const int64_t *bases, const char *indices,
                             int64_t segments, int64_t *offsets)
{
    strew_resolve_kernel *const resolve = strew_walk_resolve_kernel(walk);
    const strew_spans spans = index_spans(tiling, segments);
    for (int64_t s = 0; s < spans.count; s++) {
        const int64_t first = s * spans.positions;
        if (spans.count > 1)
            prefetch_segment(tiling, indices);
        if (!resolve(indices, tiling->index_step, (size_t)spans.positions, coordinates, bases + first,
                     offsets + first))
            return false;
        indices += spans.step;
    }
    return true;
}

void strew_tile_dense_offsets(const strew_tiling *tiling, int64_t *offsets)
{
    const strew_spans spans = strew_tile_dense_spans(tiling, tiling->segments);
    for (int64_t s = 0; s < spans.count; s++) {
        count_by(tiling->dense_step, s * spans.step, offsets, spans.positions);
        offsets += spans.positions;
    }
}
