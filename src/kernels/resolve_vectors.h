/*
 * Defines what all index dtypes share when a vector of indices is resolved at a time. Included after the
 * vocabulary of an instruction set (vector.h).
 */
#ifndef STREW_KERNELS_RESOLVE_VECTORS_H
#define STREW_KERNELS_RESOLVE_VECTORS_H

#include "kernels/glue.h"

enum { MOST_COORDINATES = 4 };

/*
 * How tuples lie in memory. Packed tuples have no gaps, so that whole vectors can be loaded; others have any
 * steps.
 */
typedef struct tuple_layout {
    int32_t coordinates;
    bool packed;
    int64_t step, coordinate_step;
} tuple_layout;

static inline bool are_packed(int64_t index_step, const strew_coordinates *coordinates, int64_t size)
{
    return index_step == coordinates->count * size && (coordinates->count == 1 || coordinates->step == size);
}

/* Returns whether sizes and strides fit in 32 bits, because offsets_product multiplies 32 bits by 32. */
static inline bool sizes_fit_32_bits(const strew_coordinates *coordinates)
{
    for (int32_t c = 0; c < coordinates->count; c++) {
        const strew_coordinate coordinate = coordinates->each[c];
        if (coordinate.size > INT32_MAX || coordinate.stride > INT32_MAX || coordinate.stride < INT32_MIN)
            return false;
    }
    return true;
}

/* A coordinate in all lanes: what is added to a negative index, the last position, the stride. */
typedef struct coordinate_lanes {
    vector wrap_size, last, stride;
} coordinate_lanes;

INLINE coordinate_lanes make_lanes(strew_coordinate coordinate, bool wraps)
{
    return (coordinate_lanes){offsets_repeated(wraps ? coordinate.size : 0), offsets_repeated(coordinate.size - 1),
                              offsets_repeated(coordinate.stride)};
}

/*
 * Returns the offsets of as many tuples as a vector has lanes. `indices` has a vector for each coordinate. A
 * position is wrong if it, or the last position minus it, is negative; the sign bits of `outside` collect these.
 * With `plain`, negative indices count as wrong too.
 */
INLINE vector tuple_offsets(const vector *indices, int32_t count, const coordinate_lanes *lanes, bool plain,
                            vector *outside)
{
    vector offsets = offsets_repeated(0);
    for (int32_t c = 0; c < count; c++) {
        const vector position = plain ? indices[c] : offsets_wrapped(indices[c], lanes[c].wrap_size);
        *outside = either_of_three(*outside, position, i64_sub(lanes[c].last, position));
        offsets = i64_sum(offsets, offsets_product(position, lanes[c].stride));
    }
    return offsets;
}

/*
 * Returns remainders modulo size, from 0 to size - 1, of indices from -2^31 to 2^31 - 1. For other indices the
 * sign in `beyond` is set. The reciprocal is (2^31 - 1) / size, which makes the quotient too small by at most 1.
 */
INLINE vector offsets_remainder(vector index, vector size, vector reciprocal, vector *beyond)
{
    const vector mirrored = i64_sub(offsets_repeated(-1), index);
    const vector positive = offsets_select(index, mirrored, index);
    *beyond = either_of_three(*beyond, positive, i64_sub(offsets_repeated(INT32_MAX), positive));
    const vector quotient = offsets_shift_right(offsets_product(positive, reciprocal), 31);
    const vector rest = i64_sub(positive, offsets_product(quotient, size)), less = i64_sub(rest, size);
    const vector remainder = offsets_select(less, rest, less);
    const vector from_end = i64_sub(i64_sub(size, offsets_repeated(1)), remainder);
    return offsets_select(index, from_end, remainder);
}

#endif
