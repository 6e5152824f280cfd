#include "engine/walk.h"

#include <assert.h>
#include <stdatomic.h>

#include "engine/join.h"

void strew_walk_begin(strew_walk *walk, const strew_kernels *kernels, strew_dtype index_dtype, int64_t row_bytes)
{
    walk->resolve = kernels->resolve[index_dtype];
    walk->check = kernels->check[index_dtype];
    walk->row_bytes = row_bytes;
    walk->move = NULL;
    walk->join = NULL;
    walk->streams = false;
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

/* Repeats the bases of one run: `count` runs in all, each a step further on. */
static void repeat_bases(strew_tiling *tiling, int64_t count, int64_t base_step)
{
    int64_t *to = tiling->bases + tiling->entries;
    for (int64_t run = 1; run < count; run++)
        for (int64_t entry = 0; entry < tiling->entries; entry++)
            *to++ = run * base_step + tiling->bases[entry];
}

/* Makes `run` the dimension along which runs follow each other. */
static void set_run(strew_tiling *tiling, const strew_dim *run)
{
    if (tiling->entries == 1) {
        tiling->index_step = run->index_step;
        tiling->dense_step = run->dense_step;
    }
    tiling->run = *run;
    tiling->even_indices = is_multiple(run->index_step, tiling->entries, tiling->index_step);
    tiling->even_dense = is_multiple(run->dense_step, tiling->entries, tiling->dense_step);
}

void strew_walk_tile(const strew_walk *walk, strew_tiling *tiling)
{
    static const strew_dim once = {1, 0, 0, 0};
    tiling->entries = 1;
    tiling->bases[0] = 0;
    tiling->cut = walk->dims - 1;
    set_run(tiling, walk->dims > 0 ? &walk->dim[tiling->cut] : &once);
    while (tiling->cut > 0 && tiling->even_indices && tiling->even_dense &&
           tiling->run.size <= STREW_TILE_ENTRIES / tiling->entries) {
        repeat_bases(tiling, tiling->run.size, tiling->run.base_step);
        tiling->entries *= tiling->run.size;
        set_run(tiling, &walk->dim[--tiling->cut]);
    }
    tiling->runs = at_most(tiling->run.size, STREW_TILE_ENTRIES / tiling->entries);
    repeat_bases(tiling, tiling->runs, tiling->run.base_step);
}

void strew_tile_dense_offsets(const strew_tiling *tiling, int64_t *offsets)
{
    for (int64_t run = 0; run < tiling->runs; run++)
        for (int64_t entry = 0; entry < tiling->entries; entry++)
            *offsets++ = run * tiling->run.dense_step + entry * tiling->dense_step;
}

static bool cut_into_tiles(const strew_tiling *tiling, strew_places at, strew_tile_task *task, void *context)
{
    for (int64_t r = 0; r < tiling->run.size; r += tiling->runs)
        if (!task(context, strew_places_along(at, &tiling->run, r), at_most(tiling->run.size - r, tiling->runs)))
            return false;
    return true;
}

static bool walk_from(const strew_walk *walk, int32_t d, const strew_tiling *tiling, strew_places at,
                      strew_tile_task *task, void *context)
{
    if (d >= tiling->cut)
        return cut_into_tiles(tiling, at, task, context);
    for (int64_t i = 0; i < walk->dim[d].size; i++)
        if (!walk_from(walk, d + 1, tiling, strew_places_along(at, &walk->dim[d], i), task, context))
            return false;
    return true;
}

bool strew_walk_tiles(const strew_walk *walk, const strew_tiling *tiling, strew_places at, strew_tile_task *task,
                      void *context)
{
    const bool done = walk_from(walk, 0, tiling, at, task, context);
    if (walk->streams)
        atomic_thread_fence(memory_order_seq_cst);
    return done;
}

bool strew_tile_resolve(const strew_tiling *tiling, strew_resolve_kernel *resolve,
                        const strew_coordinates *coordinates, const char *indices, int64_t runs,
                        const int64_t *bases, int64_t *offsets)
{
    const int64_t entries = tiling->entries;
    if (tiling->even_indices)
        return resolve(indices, tiling->index_step, (size_t)(runs * entries), coordinates, bases, offsets);
    for (int64_t r = 0; r < runs; r++)
        if (!resolve(indices + r * tiling->run.index_step, tiling->index_step, (size_t)entries, coordinates,
                     bases + r * entries, offsets + r * entries))
            return false;
    return true;
}

typedef struct mover {
    const strew_walk *walk;
    strew_tiling tiling;
} mover;

static void move_tile(const mover *with, strew_places at, int64_t runs, const int64_t *offsets)
{
    const strew_tiling *tiling = &with->tiling;
    const strew_walk *walk = with->walk;
    const size_t row_bytes = (size_t)walk->row_bytes, entries = (size_t)tiling->entries;
    const size_t count = (size_t)runs * entries;
    const bool adjoining = tiling->even_dense && tiling->dense_step == walk->row_bytes;
    if (walk->join && adjoining && strew_rows_begin_adjoining(offsets, count, walk->row_bytes) &&
        strew_join_rows(walk, at, offsets, count))
        return;
    if (tiling->even_dense)
        walk->move(at.addressed, offsets, count, at.dense, tiling->dense_step, row_bytes);
    else
        for (int64_t r = 0; r < runs; r++)
            walk->move(at.addressed, offsets + (size_t)r * entries, entries, at.dense + r * tiling->run.dense_step,
                       tiling->dense_step, row_bytes);
}

static bool resolve_and_move(void *context, strew_places at, int64_t runs)
{
    const mover *with = context;
    int64_t offsets[STREW_TILE_ENTRIES];
    if (!strew_tile_resolve(&with->tiling, with->walk->resolve, &with->walk->coordinates, at.indices, runs,
                            with->tiling.bases, offsets))
        return false;
    move_tile(with, at, runs, offsets);
    return true;
}

static bool check_from(const strew_walk *walk, int32_t d, const char *indices)
{
    if (d == walk->dims)
        return walk->check(indices, 0, 1, &walk->coordinates);
    const strew_dim *dim = &walk->dim[d];
    if (d == walk->dims - 1)
        return walk->check(indices, dim->index_step, (size_t)dim->size, &walk->coordinates);
    for (int64_t i = 0; i < dim->size; i++)
        if (!check_from(walk, d + 1, indices + i * dim->index_step))
            return false;
    return true;
}

/* Each index once, in as few and long runs as they lie in. */
bool strew_walk_check(const strew_walk *walk, const char *indices)
{
    if (strew_walk_is_empty(walk))
        return true;
    strew_walk once = *walk;
    for (int32_t d = 0; d < once.dims; d++) {
        const strew_dim dim = walk->dim[d];
        once.dim[d] = (strew_dim){dim.index_step == 0 ? 1 : dim.size, dim.index_step, 0, 0};
    }
    strew_walk_merge(&once);
    return check_from(&once, 0, indices);
}

bool strew_walk_run(const strew_walk *walk, strew_places at)
{
    if (strew_walk_is_empty(walk))
        return true;
    if (walk->row_bytes == 0)
        return strew_walk_check(walk, at.indices);
    mover with;
    with.walk = walk;
    strew_walk_tile(walk, &with.tiling);
    return strew_walk_tiles(walk, &with.tiling, at, resolve_and_move, &with);
}
