#include "engine/walk.h"

void strew_walk_begin(strew_walk *walk, const strew_kernels *kernels, strew_dtype index_dtype, int64_t row_bytes)
{
    walk->kernels = kernels;
    walk->index_dtype = index_dtype;
    walk->row_bytes = row_bytes;
    walk->move = NULL;
    walk->join = NULL;
    walk->streams = false;
    walk->overwrites = false;
    walk->near = 0;
    walk->tile = STREW_TILE_ENTRIES;
    walk->dims = 0;
    walk->coordinates.count = 0;
    walk->coordinates.wrap = false;
    walk->coordinates.step = 0;
}

/* Whether a step along `outer` is as far, on every side, as `inner.size` steps along `inner`. */
static bool steps_as_one(const strew_dim *outer, const strew_dim *inner)
{
    return strew_is_multiple(outer->index_step, inner->size, inner->index_step) &&
           strew_is_multiple(outer->dense_step, inner->size, inner->dense_step) &&
           strew_is_multiple(outer->base_step, inner->size, inner->base_step);
}

void strew_walk_merge(strew_walk *walk)
{
    int32_t kept = 0;
    for (int32_t d = 0; d < walk->dims; d++) {
        const strew_dim dim = walk->dim[d];
        if (dim.size == 1)
            continue;
        if (kept > 0 && steps_as_one(&walk->dim[kept - 1], &dim)) {
            const int64_t size = walk->dim[kept - 1].size * dim.size;
            walk->dim[kept - 1] = dim;
            walk->dim[kept - 1].size = size;
        } else {
            walk->dim[kept++] = dim;
        }
    }
    walk->dims = kept;
}

void strew_walk_fold(strew_walk *walk)
{
    if (strew_walk_is_empty(walk))
        return; /* or a row without elements would stay, and positions that have no indices */
    while (walk->dims > 0) {
        const strew_dim *inner = &walk->dim[walk->dims - 1];
        if (inner->index_step != 0 || inner->dense_step != walk->row_bytes || inner->base_step != walk->row_bytes)
            break;
        walk->row_bytes *= inner->size;
        walk->dims--;
    }
}

bool strew_walk_is_empty(const strew_walk *walk)
{
    for (int32_t d = 0; d < walk->dims; d++)
        if (walk->dim[d].size == 0)
            return true;
    return false;
}

/* Each has a row in the dense tensor, whose dimensions, zeros left out, can be multiplied. */
int64_t strew_walk_positions(const strew_walk *walk)
{
    int64_t positions = 1;
    for (int32_t d = 0; d < walk->dims; d++)
        positions *= walk->dim[d].size;
    return positions;
}

/* The tensor has no more bytes than can be counted. */
uint64_t strew_walk_reach(const strew_walk *walk)
{
    uint64_t reach = 0;
    for (int32_t c = 0; c < walk->coordinates.count; c++) {
        const strew_coordinate at = walk->coordinates.each[c];
        reach += (uint64_t)at.size * (uint64_t)(at.stride < 0 ? -at.stride : at.stride);
    }
    return reach;
}

bool strew_walk_is_one_tile(const strew_walk *walk)
{
    int64_t entries = 1;
    for (int32_t d = 0; d < walk->dims; d++) {
        if (walk->dim[d].size > walk->tile)
            return false;
        entries *= walk->dim[d].size;
        if (entries > walk->tile)
            return false;
    }
    return walk->dims <= 2;
}
