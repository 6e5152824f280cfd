#include "engine/walk_run.h"

#include "engine/join.h"
#include "engine/near.h"
#include "engine/tiling.h"

/* A tile that has been resolved. */
typedef struct tile {
    strew_places at;
    int64_t runs; /* 0: there is none */
    const int64_t *offsets;
} tile;

/* The offsets of tiles are kept here, for a frame that has to be aligned takes its time. */
typedef struct mover {
    const strew_walk *walk;
    strew_tiling tiling;
    strew_tile_offsets offsets, other_offsets;
    tile fetched; /* of a walk whose rows are fetched, the tile that is to be moved next */
} mover;

static strew_spans spans_of(const strew_tiling *tiling, size_t runs)
{
    const size_t entries = (size_t)tiling->entries;
    return tiling->even_dense ? (strew_spans){1, runs * entries, 0}
                              : (strew_spans){runs, entries, tiling->run.dense_step};
}

static bool begins_adjoining(const mover *with, size_t runs, const int64_t *offsets)
{
    return with->walk->join && with->tiling.dense_step == with->walk->row_bytes &&
           strew_rows_begin_adjoining(offsets, spans_of(&with->tiling, runs).rows, with->walk->row_bytes);
}

static void move_tile(const mover *with, const strew_places *at, size_t runs, const int64_t *offsets)
{
    const strew_tiling *tiling = &with->tiling;
    const size_t entries = (size_t)tiling->entries;
    if (begins_adjoining(with, runs, offsets) && strew_join_rows(with->walk, at, offsets, spans_of(tiling, runs)))
        return;
    if (tiling->even_dense)
        strew_move(with->walk, at->addressed, offsets, runs * entries, at->dense, tiling->dense_step);
    else
        for (size_t r = 0; r < runs; r++)
            strew_move(with->walk, at->addressed, offsets + r * entries, entries,
                       at->dense + (int64_t)r * tiling->run.dense_step, tiling->dense_step);
}

static bool resolve_tile(const mover *with, const strew_places *at, int64_t runs, int64_t *offsets)
{
    return strew_tile_resolve(&with->tiling, with->walk, &with->walk->coordinates, at->indices, runs,
                              with->tiling.bases, offsets);
}

static bool resolve_and_move(void *context, const strew_places *at, int64_t runs)
{
    mover *with = context;
    if (!resolve_tile(with, at, runs, with->offsets))
        return false;
    move_tile(with, at, (size_t)runs, with->offsets);
    return true;
}

static void move_fetched(mover *with)
{
    const tile *fetched = &with->fetched;
    if (fetched->runs > 0)
        move_tile(with, &fetched->at, (size_t)fetched->runs, fetched->offsets);
}

/*
 * The rows of a tile are fetched while those of the one before are moved: measured on a CPU of the Zen 5 generation
 * with elements of 1 to 8 bytes at random from more than the caches, of the time of moving them at once 0.75 to
 * 0.95.
 */
static bool resolve_and_fetch(void *context, const strew_places *at, int64_t runs)
{
    mover *with = context;
    int64_t *const offsets = with->fetched.offsets == with->offsets ? with->other_offsets : with->offsets;
    if (!resolve_tile(with, at, runs, offsets))
        return false;
    if (!begins_adjoining(with, (size_t)runs, offsets))
        strew_fetch_far_rows(at->addressed, offsets, (size_t)(runs * with->tiling.entries),
                             (size_t)with->walk->row_bytes, with->walk->near);
    move_fetched(with);
    with->fetched = (tile){*at, runs, offsets};
    return true;
}

static bool fetch_and_move(mover *with, const strew_places *at)
{
    with->fetched.runs = 0;
    with->fetched.offsets = with->other_offsets;
    const bool done = strew_walk_tiles(with->walk, &with->tiling, at, resolve_and_fetch, with);
    if (done)
        move_fetched(with);
    return done;
}

static bool check_from(const strew_walk *walk, int32_t d, const char *indices)
{
    strew_check_kernel *const check = walk->kernels->check[STREW_INDEX_SLOT(walk->index_dtype)];
    if (d == walk->dims)
        return check(indices, 0, 1, &walk->coordinates);
    const strew_dim *dim = &walk->dim[d];
    if (d == walk->dims - 1)
        return check(indices, dim->index_step, (size_t)dim->size, &walk->coordinates);
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

/*
 * The longer tiles are, the more rows are joined at once; whether any will be, the first tile tells. Where 80
 * elements each name one row, short tiles take 1.3 of the time, where a list is in order 1.5.
 */
static void choose_tiles(mover *with, const strew_places *at)
{
    const strew_walk *walk = with->walk;
    strew_walk_tile(walk, walk->tile, &with->tiling);
    const int64_t runs = with->tiling.runs;
    if (walk->tile < STREW_TILE_ENTRIES && resolve_tile(with, at, runs, with->offsets) &&
        begins_adjoining(with, (size_t)runs, with->offsets))
        strew_walk_tile(walk, STREW_TILE_ENTRIES, &with->tiling);
}

bool strew_walk_run(const strew_walk *walk, const strew_places *at)
{
    if (strew_walk_is_empty(walk))
        return true;
    if (walk->row_bytes == 0)
        return strew_walk_check(walk, at->indices);
    mover with;
    with.walk = walk;
    choose_tiles(&with, at);
    return walk->near > 0 ? fetch_and_move(&with, at)
                          : strew_walk_tiles(walk, &with.tiling, at, resolve_and_move, &with);
}

/* ---- Everything resolved before anything moves ---- */

/* What is held lies on the stack: 32 KiB. */
enum { MOST_HELD = 4096 };

bool strew_walk_can_be_held(const strew_walk *walk)
{
    return walk->row_bytes > 0 && !strew_walk_is_empty(walk) && strew_walk_positions(walk) <= MOST_HELD;
}

typedef struct holder {
    mover mover;
    int64_t *next; /* of the offsets: those of the tile that is next */
    int64_t offsets[MOST_HELD];
} holder;

static int64_t *take_next(holder *with, int64_t runs)
{
    int64_t *const offsets = with->next;
    with->next += runs * with->mover.tiling.entries;
    return offsets;
}

static bool hold(void *context, const strew_places *at, int64_t runs)
{
    holder *with = context;
    return resolve_tile(&with->mover, at, runs, take_next(with, runs));
}

static bool move_held(void *context, const strew_places *at, int64_t runs)
{
    holder *with = context;
    move_tile(&with->mover, at, (size_t)runs, take_next(with, runs));
    return true;
}

bool strew_walk_run_held(const strew_walk *walk, const strew_places *at)
{
    holder with;
    with.mover.walk = walk;
    strew_walk_tile(walk, walk->tile, &with.mover.tiling);
    with.next = with.offsets;
    if (!strew_walk_tiles(walk, &with.mover.tiling, at, hold, &with))
        return false;
    with.next = with.offsets;
    return strew_walk_tiles(walk, &with.mover.tiling, at, move_held, &with);
}
