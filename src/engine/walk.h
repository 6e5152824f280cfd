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

#include <assert.h>

#include "kernels/kernels.h"

/* One dimension of positions; steps in bytes. */
typedef struct strew_dim {
    int64_t size;
    int64_t index_step;
    int64_t dense_step;
    int64_t base_step;
} strew_dim;

/* Whether `step` is as far as `count` steps of `smaller`: further, perhaps, than there is memory. */
static inline bool strew_is_multiple(int64_t step, int64_t count, int64_t smaller)
{
    int64_t product;
    return !__builtin_mul_overflow(count, smaller, &product) && step == product;
}

/* Positions have at most the dimensions of the indices, less one, and of a row. */
enum { STREW_WALK_DIMS = 2 * STREW_MAX_RANK };

typedef struct strew_walk {
    const strew_kernels *kernels;
    strew_dtype index_dtype;
    int64_t row_bytes;
    strew_move_kernel *move; /* of its rows */
    strew_move_kernel *join; /* the same for rows of any length: of adjoining rows at once. NULL if no use */
    bool streams;            /* whether that writes past the caches */
    bool overwrites;         /* rows of the addressed tensor, as assigning does */
    uint64_t near;           /* the rows of a tile that are not within this are fetched first. 0: no rows are */
    int64_t tile;            /* how many positions are resolved at once, STREW_TILE_ENTRIES at most */
    int32_t dims;
    strew_dim dim[STREW_WALK_DIMS]; /* outermost first */
    strew_coordinates coordinates;
} strew_walk;

/*
 * What a walk goes over. Passed by pointer: in registers it has no room, and copying as vectors what has just been
 * stored as pointers stalls (10 to 25 ns a call).
 */
typedef struct strew_places {
    const char *indices;
    char *addressed;
    char *dense;
} strew_places;

/* A walk without dimensions or coordinates, over rows of this many bytes. How they are moved is the caller's to
 * say. */
void strew_walk_begin(strew_walk *walk, const strew_kernels *kernels, strew_dtype index_dtype, int64_t row_bytes);
static inline void strew_walk_add_dim(strew_walk *walk, strew_dim dim)
{
    assert(walk->dims < STREW_WALK_DIMS);
    walk->dim[walk->dims++] = dim;
}
static inline void strew_walk_add_coordinate(strew_walk *walk, int64_t size, int64_t stride)
{
    assert(walk->coordinates.count < STREW_MAX_RANK);
    strew_coordinate *const added = &walk->coordinates.each[walk->coordinates.count++];
    added->size = size;
    added->stride = stride;
}

/* Leaves out dimensions of size 1 and merges dimensions that step as one. */
void strew_walk_merge(strew_walk *walk);
/*
 * Takes inner dimensions into the row that are contiguous and along which the indices do not move. To be called
 * once the dimensions are merged. Neither this nor merging changes the order.
 */
void strew_walk_fold(strew_walk *walk);

bool strew_walk_is_empty(const strew_walk *walk);
int64_t strew_walk_positions(const strew_walk *walk);
/* How many bytes of the addressed tensor the coordinates select from, at one base. */
uint64_t strew_walk_reach(const strew_walk *walk);
/* Whether all indices are resolved before the first row moves. */
bool strew_walk_is_one_tile(const strew_walk *walk);

/* Where the coordinates of a dimension begin: the places after `count` steps along it. */
static inline strew_places strew_places_along(const strew_places *at, const strew_dim *dim, int64_t count)
{
    strew_places there = *at;
    there.indices += count * dim->index_step;
    there.addressed += count * dim->base_step;
    there.dense += count * dim->dense_step;
    return there;
}

#endif
