/* A walk cut into tiles: as many positions as are resolved at once. */
#ifndef STREW_ENGINE_TILING_H
#define STREW_ENGINE_TILING_H

#include "base/prefetch.h"
#include "engine/walk.h"

/* So many bases are computed at once, and so many more than a tile has are room for that. */
enum { STREW_BASES_ROOM = 4 };

/*
 * A tile is a number of runs, steps along the one dimension that is cut; a run is all of the dimensions within that
 * one, and its positions step evenly through the indices and the dense tensor. So all tiles are alike, but for the
 * last along the cut, which may have fewer runs.
 */
typedef struct strew_tiling {
    int32_t cut;                    /* the dimension; -1 if the walk has none, and a single position */
    int64_t runs, entries;          /* of a tile, of a run */
    int64_t index_step, dense_step; /* from one position of a run to the next */
    strew_dim run;                  /* the dimension that is cut: from one run to the next */
    bool even_indices, even_dense;  /* whether the next run begins where one more position would */
    const int64_t *bases;           /* of each position, from the base of the tile; often all of them are 0 */
    /* Where they are kept if they are not. */
    _Alignas(STREW_CACHE_LINE) int64_t own_bases[STREW_TILE_ENTRIES + STREW_BASES_ROOM];
} strew_tiling;

/* Tiles of so many positions at most; STREW_TILE_ENTRIES is the most there can be. */
void strew_walk_tile(const strew_walk *walk, int64_t most, strew_tiling *tiling);

/* The offsets of a tile's positions in the dense tensor, from where the tile begins there. */
void strew_tile_dense_offsets(const strew_tiling *tiling, int64_t *offsets);

/* What is done with a tile. Returns false to stop the walk. */
typedef bool strew_tile_task(void *context, const strew_places *at, int64_t runs);

/* Calls the task for every tile, in order. Returns false if a call did. Other threads may then see what was
 * written. */
bool strew_walk_tiles(const strew_walk *walk, const strew_tiling *tiling, const strew_places *at,
                      strew_tile_task *task, void *context);

/*
 * The CPU fetches what is read in order, but gaps lead it astray: where runs are some lines of indices, one is
 * fetched that many before it is read. Measured with two threads that sum halves of rows (40 indices each), the
 * indices beyond the caches: 0.85 of the time.
 */
enum { STREW_RUNS_AHEAD = 8, STREW_LONGEST_RUN_AHEAD = 1024 };

static inline void strew_fetch_run_ahead(const strew_tiling *tiling, const char *indices)
{
    const uint64_t bytes = (uint64_t)(tiling->entries * tiling->index_step);
    if (bytes >= STREW_CACHE_LINE && bytes <= STREW_LONGEST_RUN_AHEAD)
        strew_prefetch_row(
            (const char *)((uintptr_t)indices + STREW_RUNS_AHEAD * (uintptr_t)tiling->run.index_step),
            (size_t)bytes);
}

/* Resolves a tile; coordinates and bases are those of the walk and its tiling, or others. */
static inline bool strew_tile_resolve(const strew_tiling *tiling, const strew_walk *walk,
                                      const strew_coordinates *coordinates, const char *indices, int64_t runs,
                                      const int64_t *bases, int64_t *offsets)
{
    strew_resolve_kernel *const resolve = walk->kernels->resolve[STREW_INDEX_SLOT(walk->index_dtype)];
    const int64_t entries = tiling->entries;
    if (tiling->even_indices)
        return resolve(indices, tiling->index_step, (size_t)(runs * entries), coordinates, bases, offsets);
    for (int64_t r = 0; r < runs; r++) {
        const char *const run = indices + r * tiling->run.index_step;
        strew_fetch_run_ahead(tiling, run);
        if (!resolve(run, tiling->index_step, (size_t)entries, coordinates, bases + r * entries,
                     offsets + r * entries))
            return false;
    }
    return true;
}

#endif
