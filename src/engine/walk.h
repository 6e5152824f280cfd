/*
 * The walk: the one loop nest behind every operator.
 *
 * A walk goes over positions. Each position has an entry in the indices (a tuple of coordinates), a row in the
 * dense tensor (the output of a gather, the updates of a scatter) and a base in the addressed tensor (the data of
 * a gather, the output of a scatter); the coordinates, resolved, and the base say which row of the addressed tensor
 * the position names. Both forms of operator, rows and elements, are walks:
 *
 *   - a batch dimension, or one off the axis, steps along the base as well;
 *   - a dimension of a row that is not contiguous on both sides is one more dimension of positions, along which
 *     the indices do not move;
 *   - and where the caller's indices do not move along inner dimensions that are contiguous on both sides
 *     (indices that were expanded), those dimensions become part of the row.
 *
 * The order is that of the positions, row-major; so updates that name one row take effect in the order of
 * `indices`.
 */
#ifndef STREW_ENGINE_WALK_H
#define STREW_ENGINE_WALK_H

#include "dispatch/kernels.h"

/* One dimension of positions; steps in bytes. */
typedef struct strew_dim {
    int64_t size;
    int64_t index_step;
    int64_t dense_step;
    int64_t base_step;
} strew_dim;

/* Positions have at most the dimensions of the indices, less one, and of a row. */
enum { STREW_WALK_DIMS = 2 * STREW_MAX_RANK };

typedef struct strew_walk {
    strew_resolve_kernel *resolve;
    strew_check_kernel *check;
    int64_t row_bytes;
    strew_move_kernel *move; /* of its rows */
    strew_move_kernel *join; /* the same for rows of any length: of adjoining rows at once. NULL if no use */
    bool streams;            /* whether that writes past the caches */
    int32_t dims;
    strew_dim dim[STREW_WALK_DIMS]; /* outermost first */
    strew_coordinates coordinates;
} strew_walk;

/* What a walk goes over. */
typedef struct strew_places {
    const char *indices;
    char *addressed;
    char *dense;
} strew_places;

/* A walk without dimensions or coordinates, over rows of this many bytes. How they are moved is the caller's to
 * say. */
void strew_walk_begin(strew_walk *walk, const strew_kernels *kernels, strew_dtype index_dtype, int64_t row_bytes);
void strew_walk_add_dim(strew_walk *walk, strew_dim dim);
void strew_walk_add_coordinate(strew_walk *walk, int64_t size, int64_t stride);

/* Leaves out dimensions of size 1 and merges dimensions that step as one. */
void strew_walk_merge(strew_walk *walk);
/*
 * Takes inner dimensions into the row that are contiguous and along which the indices do not move. To be called
 * once the dimensions are merged. Neither this nor merging changes the order.
 */
void strew_walk_fold(strew_walk *walk);

bool strew_walk_is_empty(const strew_walk *walk);
/* Whether all indices are resolved before the first row moves. */
bool strew_walk_is_one_tile(const strew_walk *walk);

/* Where the coordinates of a dimension begin: the places after `count` steps along it. */
strew_places strew_places_along(strew_places at, const strew_dim *dim, int64_t count);

/*
 * A walk cut into tiles of at most STREW_TILE_ENTRIES positions. A tile is a number of runs, steps along the one
 * dimension that is cut; a run is all of the dimensions within that one, and its positions step evenly through the
 * indices and the dense tensor. So all tiles are alike, but for the last along the cut, which may have fewer runs.
 */
typedef struct strew_tiling {
    int32_t cut;                       /* the dimension; -1 if the walk has none, and a single position */
    int64_t runs, entries;             /* of a tile, of a run */
    int64_t index_step, dense_step;    /* from one position of a run to the next */
    strew_dim run;                     /* the dimension that is cut: from one run to the next */
    bool even_indices, even_dense;     /* whether the next run begins where one more position would */
    int64_t bases[STREW_TILE_ENTRIES]; /* of each position, from the base of the tile */
} strew_tiling;

void strew_walk_tile(const strew_walk *walk, strew_tiling *tiling);

/* The offsets of a tile's positions in the dense tensor, from where the tile begins there. */
void strew_tile_dense_offsets(const strew_tiling *tiling, int64_t *offsets);

/* What is done with a tile. Returns false to stop the walk. */
typedef bool strew_tile_task(void *context, strew_places at, int64_t runs);

/* Calls the task for every tile, in order. Returns false if a call did. Other threads may then see what was
 * written. */
bool strew_walk_tiles(const strew_walk *walk, const strew_tiling *tiling, strew_places at, strew_tile_task *task,
                      void *context);

/* Resolves a tile; the bases are those of the tiling or others. */
bool strew_tile_resolve(const strew_tiling *tiling, strew_resolve_kernel *resolve,
                        const strew_coordinates *coordinates, const char *indices, int64_t runs,
                        const int64_t *bases, int64_t *offsets);

/* Whether all indices are within their sizes. */
bool strew_walk_check(const strew_walk *walk, const char *indices);

/* Resolves and moves everything. False if an index is wrong; what was to move before its tile has moved. */
bool strew_walk_run(const strew_walk *walk, strew_places at);

#endif
