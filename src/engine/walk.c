#include "engine/walk.h"

#include <assert.h>

void strew_walk_begin(strew_walk *walk, strew_resolve_kernel *resolve, int64_t row_bytes)
{
    walk->resolve = resolve;
    walk->row_bytes = row_bytes;
    walk->dims = 0;
    walk->coordinates.count = 0;
    walk->coordinates.wrap = false;
    walk->coordinates.step = 0;
}

void strew_walk_add_dim(strew_walk *walk, strew_dim dim)
{
    assert(walk->dims < STREW_WALK_DIMS);
    walk->dim[walk->dims++] = dim;
}

void strew_walk_add_coordinate(strew_walk *walk, int64_t size, int64_t stride)
{
    assert(walk->coordinates.count < STREW_MAX_RANK);
    walk->coordinates.at[walk->coordinates.count++] = (strew_coordinate){size, stride};
}

/* Whether `step` is as far as `count` steps of `smaller`: further, perhaps, than there is memory. */
static bool is_multiple(int64_t step, int64_t count, int64_t smaller)
{
    int64_t product;
    return !__builtin_mul_overflow(count, smaller, &product) && step == product;
}

/* Whether a step along `outer` is as far, on every side, as `inner.size` steps along `inner`. */
static bool steps_as_one(const strew_dim *outer, const strew_dim *inner)
{
    return is_multiple(outer->index_step, inner->size, inner->index_step) &&
           is_multiple(outer->dense_step, inner->size, inner->dense_step) &&
           is_multiple(outer->base_step, inner->size, inner->base_step);
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

bool strew_walk_is_one_tile(const strew_walk *walk)
{
    int64_t entries = 1;
    for (int32_t d = 0; d < walk->dims; d++) {
        if (walk->dim[d].size > STREW_TILE_ENTRIES)
            return false;
        entries *= walk->dim[d].size;
        if (entries > STREW_TILE_ENTRIES)
            return false;
    }
    return walk->dims <= 2;
}

strew_places strew_places_along(strew_places at, const strew_dim *dim, int64_t count)
{
    at.indices += count * dim->index_step;
    at.addressed += count * dim->base_step;
    at.dense += count * dim->dense_step;
    return at;
}

static int64_t at_most(int64_t value, int64_t limit)
{
    return value < limit ? value : limit;
}

/* The two innermost dimensions, cut into tiles: several whole runs, or a part of one. */
static bool walk_plane(const strew_dim *run, const strew_dim *entry, strew_places at, strew_tile_task *task,
                       void *context)
{
    if (entry->size == 0)
        return true;
    const int64_t entries = at_most(entry->size, STREW_TILE_ENTRIES);
    const int64_t runs = STREW_TILE_ENTRIES / entries;
    for (int64_t r = 0; r < run->size; r += runs) {
        const strew_places run_at = strew_places_along(at, run, r);
        for (int64_t e = 0; e < entry->size; e += entries) {
            const strew_tile tile = {at_most(run->size - r, runs),
                                     at_most(entry->size - e, entries),
                                     run->index_step,
                                     entry->index_step,
                                     run->base_step,
                                     entry->base_step};
            if (!task(context, strew_places_along(run_at, entry, e), &tile, run->dense_step, entry->dense_step))
                return false;
        }
    }
    return true;
}

static bool walk_from(const strew_walk *walk, int32_t d, strew_places at, strew_tile_task *task, void *context)
{
    static const strew_dim once = {1, 0, 0, 0};
    const int32_t left = walk->dims - d;
    if (left <= 2)
        return walk_plane(left == 2 ? &walk->dim[d] : &once, left >= 1 ? &walk->dim[walk->dims - 1] : &once, at,
                          task, context);
    for (int64_t i = 0; i < walk->dim[d].size; i++)
        if (!walk_from(walk, d + 1, strew_places_along(at, &walk->dim[d], i), task, context))
            return false;
    return true;
}

bool strew_walk_tiles(const strew_walk *walk, strew_places at, strew_tile_task *task, void *context)
{
    return walk_from(walk, 0, at, task, context);
}

typedef struct mover {
    const strew_walk *walk;
    strew_move_kernel *move;
} mover;

static bool resolve_and_move(void *context, strew_places at, const strew_tile *tile, int64_t run_dense_step,
                             int64_t entry_dense_step)
{
    const mover *with = context;
    int64_t offsets[STREW_TILE_ENTRIES];
    if (!with->walk->resolve(at.indices, &with->walk->coordinates, tile, offsets))
        return false;
    if (!with->move)
        return true;
    const size_t row_bytes = (size_t)with->walk->row_bytes;
    if (tile->runs == 1 || run_dense_step == tile->entries * entry_dense_step) {
        with->move(at.addressed, offsets, (size_t)(tile->runs * tile->entries), at.dense, entry_dense_step,
                   row_bytes);
        return true;
    }
    for (int64_t r = 0; r < tile->runs; r++)
        with->move(at.addressed, offsets + r * tile->entries, (size_t)tile->entries, at.dense + r * run_dense_step,
                   entry_dense_step, row_bytes);
    return true;
}

bool strew_walk_run(const strew_walk *walk, strew_places at, strew_move_kernel *move)
{
    mover with = {walk, walk->row_bytes > 0 ? move : NULL};
    return strew_walk_tiles(walk, at, resolve_and_move, &with);
}
