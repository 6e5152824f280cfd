#include "engine/walk/walk.h"

void strew_walk_begin(strew_walk *walk, const strew_kernels *kernels, strew_dtype index_dtype,
                      strew_row_dtypes row_dtypes, strew_row_bytes row_bytes)
{
    walk->kernels = kernels;
    walk->index_dtype = walk->amended_dtype = index_dtype;
    walk->bounds = STREW_BOUNDS_REFUSE;
    walk->element_bytes = row_bytes.dense;
    walk->dtypes = row_dtypes;
    walk->row_bytes = row_bytes;
    walk->listed_owners = 0;
    walk->dims = 0;
    walk->coordinates.count = 0;
    walk->coordinates.wrap = false;
    walk->coordinates.step = 0;
}

void strew_walk_begin_between(strew_walk *walk, const strew_kernels *kernels, strew_dtype index_dtype,
                              const strew_layout *addressed, const strew_layout *dense)
{
    strew_walk_begin(walk, kernels, index_dtype, (strew_row_dtypes){addressed->dtype, dense->dtype},
                     (strew_row_bytes){addressed->element, dense->element});
}

/* Proved in tests/proof/prove_walk.cpp: merged coordinates name the same rows in the same order. */
void strew_coordinates_join(strew_coordinates *coordinates, strew_coordinate coordinate)
{
    strew_coordinate *const last = &coordinates->each[coordinates->count > 0 ? coordinates->count - 1 : 0];
    int64_t size;
    if (coordinates->count == 0 || !strew_multiply(last->size, coordinate.size, &size) || size > INT32_MAX)
        strew_coordinates_add(coordinates, coordinate);
    else if (last->size == 1 || strew_is_multiple(last->stride, coordinate.size, coordinate.stride))
        *last = (strew_coordinate){size, coordinate.stride};
    else if (coordinate.size != 1) /* the only index into a size of 1 is 0, which adds nothing */
        strew_coordinates_add(coordinates, coordinate);
}

strew_dtype strew_coordinates_read_as(strew_coordinates *coordinates, strew_dtype dtype)
{
    const bool is_narrow = dtype == STREW_DTYPE_UINT32;
    if (!is_narrow && dtype != STREW_DTYPE_UINT64)
        return dtype;
    for (int32_t c = 0; c < coordinates->count; c++)
        if (coordinates->each[c].size > (is_narrow ? INT32_MAX : INT64_MAX - 1))
            return dtype;
    coordinates->wrap = false;
    return is_narrow ? STREW_DTYPE_INT32 : STREW_DTYPE_INT64;
}

/* Whether, in all three tensors, a step along `outer` equals `inner->size` steps along `inner`. */
static bool steps_as_one(const strew_dim *outer, const strew_dim *inner)
{
    return strew_is_multiple(outer->index_step, inner->size, inner->index_step) &&
           strew_is_multiple(outer->dense_step, inner->size, inner->dense_step) &&
           strew_is_multiple(outer->base_step, inner->size, inner->base_step);
}

/* Proved in tests/proof/prove_walk.cpp: the same bytes in the same order. */
void strew_walk_coalesce(strew_walk *walk)
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

/* Proved in tests/proof/prove_walk.cpp: the same bytes in the same order. */
void strew_walk_fold(strew_walk *walk)
{
    while (walk->dims > 0) {
        const strew_dim *inner = &walk->dim[walk->dims - 1];
        const strew_row_bytes row = walk->row_bytes;
        if (inner->index_step != 0 || inner->dense_step != row.dense || inner->base_step != row.addressed)
            break;
        walk->row_bytes = (strew_row_bytes){row.addressed * inner->size, row.dense * inner->size};
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

/* Cannot overflow: each position has a row in the dense tensor, and the product of that tensor's non-zero sizes was
 * checked. */
int64_t strew_walk_positions(const strew_walk *walk)
{
    int64_t positions = 1;
    for (int32_t d = 0; d < walk->dims; d++)
        positions *= walk->dim[d].size;
    return positions;
}

bool strew_walk_repeats_one_tile(const strew_walk *walk)
{
    int64_t listed = 1;
    for (int32_t d = 0; d < walk->dims; d++)
        if (walk->dim[d].index_step != 0)
            listed *= walk->dim[d].size;
    return listed <= STREW_TILE_POSITIONS && listed < strew_walk_positions(walk);
}

/* Cannot overflow: the bytes of the addressed tensor can be counted. */
/* Proved in tests/proof/prove_walk.cpp: at least as many bytes as good indices can add to the base. */
uint64_t strew_walk_reach(const strew_walk *walk)
{
    uint64_t reach = 0;
    for (int32_t c = 0; c < walk->coordinates.count; c++) {
        const strew_coordinate coordinate = walk->coordinates.each[c];
        reach +=
            (uint64_t)coordinate.size * (uint64_t)(coordinate.stride < 0 ? -coordinate.stride : coordinate.stride);
    }
    return reach;
}

strew_tile_offsets strew_no_offsets; /* a constant would take its size in the file */

/* Checks tuples that are `step` bytes apart, a tile at a time. */
static bool check_run(const strew_walk *walk, const char *indices, int64_t step, size_t count)
{
    strew_resolve_kernel *const resolve = strew_walk_resolve_kernel(walk);
    strew_tile_offsets offsets; /* nothing uses them */
    for (size_t i = 0; i < count; i += STREW_TILE_POSITIONS) {
        const size_t some = count - i < STREW_TILE_POSITIONS ? count - i : STREW_TILE_POSITIONS;
        if (!resolve(indices + (int64_t)i * step, step, some, &walk->coordinates, strew_no_offsets, offsets))
            return false;
    }
    return true;
}

static bool check_from(const strew_walk *walk, int32_t d, const char *indices)
{
    if (d == walk->dims)
        return check_run(walk, indices, 0, 1);
    const strew_dim *dim = &walk->dim[d];
    if (d == walk->dims - 1)
        return check_run(walk, indices, dim->index_step, (size_t)dim->size);
    for (int64_t i = 0; i < dim->size; i++)
        if (!check_from(walk, d + 1, indices + i * dim->index_step))
            return false;
    return true;
}

/* Checks each index once, in as few and long runs as possible. */
/* Proved in tests/proof/prove_walk.cpp: every read is within indices. */
bool strew_walk_check(const strew_walk *walk, const char *indices)
{
    strew_walk once = *walk;
    for (int32_t d = 0; d < once.dims; d++) {
        const strew_dim dim = walk->dim[d];
        once.dim[d] = (strew_dim){dim.index_step == 0 ? 1 : dim.size, dim.index_step, 0, 0};
    }
    strew_walk_coalesce(&once);
    return check_from(&once, 0, indices);
}
