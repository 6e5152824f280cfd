/*
 * A walk is the loop nest behind every operator. It visits all positions in an order in which updates of
 * the same row take effect in the order of `indices`. Its dimensions are coalesced: neighbours that can be walked
 * in one loop are one dimension.
 *
 * A position has three parts: a tuple of coordinates in the indices, a row in the dense tensor, and a base in the
 * addressed tensor. The base plus the resolved coordinates is the row of the addressed tensor that the position
 * names. Operators on rows and operators on elements map to dimensions of a walk as follows:
 *
 *   - A batch dimension, or a dimension other than the axis, moves the base too.
 *   - A dimension of a row that is not contiguous in both tensors is a dimension of positions along which the
 *     indices do not move.
 *   - An inner dimension that is contiguous in both tensors and along which the indices do not move (the caller
 *     expanded them) becomes part of the row.
 */
#ifndef STREW_ENGINE_WALK_WALK_H
#define STREW_ENGINE_WALK_WALK_H

#include <assert.h>

#include "base/layout.h"
#include "kernels/kernels.h"

typedef enum strew_direction {
    STREW_GATHERS, /* reads the addressed tensor */
    STREW_SCATTERS /* writes it: assigns, or combines if there is a reduction */
} strew_direction;

static inline int64_t strew_lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* One dimension of positions. Its steps are in bytes. */
typedef struct strew_dim {
    int64_t size;
    int64_t index_step;
    int64_t dense_step;
    int64_t base_step;
} strew_dim;

/* Whether step == count * smaller. Returns false if the product overflows. */
static inline bool strew_is_multiple(int64_t step, int64_t count, int64_t smaller)
{
    int64_t product;
    return strew_multiply(count, smaller, &product) && step == product;
}

/* Every dimension of a walk is one of the dense tensor, so a walk has no more of them. */
enum { STREW_WALK_DIMS = STREW_MAX_RANK };

/* The dtype of the elements in each tensor, and the bytes of a row. Both differ if elements are widened or narrowed
 * as they move. */
typedef struct strew_row_dtypes {
    strew_dtype addressed, dense;
} strew_row_dtypes;
typedef struct strew_row_bytes {
    int64_t addressed, dense;
} strew_row_bytes;

typedef struct strew_walk {
    const strew_kernels *kernels;
    strew_dtype index_dtype;   /* resolves indices */
    strew_dtype amended_dtype; /* amends bad indices: the caller's dtype */
    strew_bounds bounds;       /* the policy for a bad index */
    int64_t element_bytes;     /* of the element that fills rows */
    strew_row_dtypes dtypes;
    strew_row_bytes row_bytes;
    uint32_t listed_owners; /* the number of owners whose rows an inspection has listed; 0: none are listed */
    int32_t dims;
    strew_dim dim[STREW_WALK_DIMS]; /* outermost first */
    strew_coordinates coordinates;
} strew_walk;

/*
 * Where a position begins in the three tensors. Functions take it by pointer: it does not fit into registers, and a
 * copy would load with vectors the pointers that were just stored, which stalls.
 */
typedef struct strew_pointers {
    const char *indices;
    char *addressed;
    char *dense;
    const char *fill; /* a gather fills skipped rows with this element; NULL: with zeros */
} strew_pointers;

/* Begins a walk that has no dimensions and no coordinates, has rows of one element, and refuses bad indices. Dense
 * elements fill rows. */
void strew_walk_begin(strew_walk *walk, const strew_kernels *kernels, strew_dtype index_dtype,
                      strew_row_dtypes row_dtypes, strew_row_bytes row_bytes);
/* The same for the tensors of two layouts. */
void strew_walk_begin_between(strew_walk *walk, const strew_kernels *kernels, strew_dtype index_dtype,
                              const strew_layout *addressed, const strew_layout *dense);

/*
 * Returns the policy for bad indices into a dimension of this size. An empty dimension has no index to clamp or
 * wrap to: then every policy but SKIP refuses.
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
 * Adds a coordinate. Merges it with the last one if both select as from one dimension whose size fits into 32 bits.
 */
void strew_coordinates_join(strew_coordinates *coordinates, strew_coordinate coordinate);

/*
 * Chooses the dtype as which indices are resolved. Kernels resolve many signed indices at a time, so unsigned ones
 * are read as signed ones of the same width if that holds all sizes. An index that then reads as negative is bad
 * either way, because this turns off counting from the end (wrap).
 */
strew_dtype strew_coordinates_read_as(strew_coordinates *coordinates, strew_dtype dtype);

/* Removes dimensions of size 1 and merges neighbours that step as one. The order stays the same. */
void strew_walk_coalesce(strew_walk *walk);

/*
 * Makes inner dimensions part of the row if they are contiguous and the indices do not move along them. The
 * dimensions must have been coalesced, and there must be positions. The order stays the same.
 */
void strew_walk_fold(strew_walk *walk);

bool strew_walk_is_empty(const strew_walk *walk);
int64_t strew_walk_positions(const strew_walk *walk);

/* Whether all indices fit into one tile and are repeated by others. Only the first tile is then resolved. */
bool strew_walk_repeats_one_tile(const strew_walk *walk);

/* Counts the bytes of the addressed tensor from which the coordinates select, at one base. */
uint64_t strew_walk_reach(const strew_walk *walk);

static inline strew_resolve_kernel *strew_walk_resolve_kernel(const strew_walk *walk)
{
    return walk->kernels->resolve[STREW_INDEX_SLOT(walk->index_dtype)];
}

/* All zero: the offsets of positions that share one base, or that name one row. */
extern strew_tile_offsets strew_no_offsets;

/* Whether all indices are good. */
bool strew_walk_check(const strew_walk *walk, const char *indices);

/* Returns the pointers after `count` steps along a dimension. */
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
