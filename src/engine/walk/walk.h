/*
 * The walk: the one loop nest behind every operator, over coalesced dimensions (neighbours that step as one are
 * one).
 *
 * A walk goes over positions. Each position has a tuple of coordinates in the indices, a row in the
 * dense tensor (the output of a gather, the updates of a scatter) and a base in the addressed tensor (the data of a
 * gather, the output of a scatter); the coordinates, resolved, and the base say which row of the addressed tensor
 * the position names. Both forms of operator, rows named by tuples and elements along an axis, are walks:
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
#ifndef STREW_ENGINE_WALK_WALK_H
#define STREW_ENGINE_WALK_WALK_H

#include <assert.h>

#include "kernels/kernels.h"

typedef enum strew_direction {
    STREW_GATHERS, /* reads the addressed tensor */
    STREW_SCATTERS /* writes it: assigning, or combining if there is a reduction */
} strew_direction;

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
    return strew_multiply(count, smaller, &product) && step == product;
}

/* Every position has a row in the dense tensor: no walk has more dimensions than that. */
enum { STREW_WALK_DIMS = STREW_MAX_RANK };

typedef struct strew_walk {
    const strew_kernels *kernels;
    strew_dtype index_dtype, amended_dtype; /* of indices as they are resolved, and as wrong ones are amended */
    strew_bounds bounds;                    /* what becomes of an index out of bounds */
    int64_t element_bytes;
    int64_t row_bytes;
    uint32_t shares; /* of what number of owners the indices list the rows (engine/inspection.h); 0: of none */
    int32_t dims;
    strew_dim dim[STREW_WALK_DIMS]; /* outermost first */
    strew_coordinates coordinates;
} strew_walk;

/*
 * Where a position begins in the three tensors. Passed by pointer: it does not fit into registers, and loading as
 * vectors what has just been stored as pointers stalls.
 */
typedef struct strew_pointers {
    const char *indices;
    char *addressed;
    char *dense;
    const char *fill; /* the element that a gather writes for each of a row that is skipped; NULL is zero */
} strew_pointers;

/* A walk without dimensions or coordinates, over rows of one element, that refuses what is out of bounds. */
void strew_walk_begin(strew_walk *walk, const strew_kernels *kernels, strew_dtype index_dtype,
                      int64_t element_bytes);

/*
 * What becomes of an index out of bounds of a dimension of this size. If it is empty, there is no other index to go
 * on with, but for leaving entries out.
 */
static inline strew_bounds strew_walk_bounds(int64_t size, strew_bounds bounds)
{
    return size > 0 || bounds == STREW_BOUNDS_SKIP ? bounds : STREW_BOUNDS_REFUSE;
}

static inline void strew_walk_add_dim(strew_walk *walk, strew_dim dim)
{
    assert(walk->dims < STREW_WALK_DIMS);
    walk->dim[walk->dims++] = dim;
}

static inline void strew_coordinates_add(strew_coordinates *coordinates, strew_coordinate coordinate)
{
    assert(coordinates->count < STREW_MAX_RANK);
    coordinates->each[coordinates->count++] = coordinate;
}

/*
 * Makes one of the last coordinate and one that follows it, if one number can stand for both: what selects from
 * them as from one dimension, and has 32 bits. Otherwise adds it.
 */
void strew_coordinates_join(strew_coordinates *coordinates, strew_coordinate coordinate);

/*
 * The dtype that indices are to be resolved as: of unsigned ones the signed one of as many bits, many of which
 * kernels resolve at a time, if it has all sizes. What is negative as such is beyond them, and as wrong, for then
 * none counts from the end.
 */
strew_dtype strew_coordinates_read_as(strew_coordinates *coordinates, strew_dtype dtype);

/* Leaves out dimensions of size 1, and makes one of neighbours that step as one. */
void strew_walk_coalesce(strew_walk *walk);

/*
 * Takes inner dimensions into the row that are contiguous and along which the indices do not move. To be called
 * once the dimensions are coalesced, and only if there are positions. Neither changes the order.
 */
void strew_walk_fold(strew_walk *walk);

bool strew_walk_is_empty(const strew_walk *walk);
int64_t strew_walk_positions(const strew_walk *walk);

/* Whether one tile holds all indices there are, though not all positions: tiles repeat it, and are not resolved
 * again. */
bool strew_walk_repeats_one_tile(const strew_walk *walk);

/* How many bytes of the addressed tensor the coordinates select from, at one base. */
uint64_t strew_walk_reach(const strew_walk *walk);

static inline strew_resolve_kernel *strew_walk_resolve_kernel(const strew_walk *walk)
{
    return walk->kernels->resolve[STREW_INDEX_SLOT(walk->index_dtype)];
}

/* Whether all indices are within their sizes. */
bool strew_walk_check(const strew_walk *walk, const char *indices);

/* The pointers after `count` steps along a dimension. */
static inline strew_pointers strew_pointers_along(const strew_pointers *pointers, const strew_dim *dim,
                                                  int64_t count)
{
    strew_pointers moved = *pointers;
    moved.indices += count * dim->index_step;
    moved.addressed += count * dim->base_step;
    moved.dense += count * dim->dense_step;
    return moved;
}

#endif
