/* Defines what both index dtypes share when tuples are resolved by pairs of coordinates (resolve.inc). */
#ifndef STREW_AVX512_PLAIN_TUPLES_H
#define STREW_AVX512_PLAIN_TUPLES_H

#include "avx512/vector.h"
#include "kernels/resolve_vectors.h"

#define STREW_PLAIN_TUPLES
enum { MOST_PLAIN = 6 };
#define PAIRS(k) (((k) + 1) / 2)

/* The coordinate in lane n of vector v, where packed tuples fill vectors of this many lanes. */
#define COORDINATE(lanes, n) (((lanes)*v + (n)) % k)

/* Returns the greatest indices allowed in vector v, for lanes of 64 and of 32 bits. */
INLINE vector i64_plain_lasts(const i64 *lasts, int32_t k, int32_t v)
{
#define OF_LANE(n) COORDINATE(8, n)
    const vector coordinates = _mm512_set_epi64(OF_LANE(7), OF_LANE(6), OF_LANE(5), OF_LANE(4), OF_LANE(3),
                                                OF_LANE(2), OF_LANE(1), OF_LANE(0));
    return _mm512_permutexvar_epi64(coordinates, load((const char *)lasts));
#undef OF_LANE
}
INLINE vector i32_plain_lasts(const i64 *lasts, int32_t k, int32_t v)
{
#define OF_LANE(n) (2 * COORDINATE(16, n))
    const vector lower_halves = _mm512_set_epi32(
        OF_LANE(15), OF_LANE(14), OF_LANE(13), OF_LANE(12), OF_LANE(11), OF_LANE(10), OF_LANE(9), OF_LANE(8),
        OF_LANE(7), OF_LANE(6), OF_LANE(5), OF_LANE(4), OF_LANE(3), OF_LANE(2), OF_LANE(1), OF_LANE(0));
    return _mm512_permutexvar_epi32(lower_halves, load((const char *)lasts));
#undef OF_LANE
}
#undef COORDINATE

/*
 * One or two coordinates of eight tuples: the lanes of their indices in the vectors that hold the tuples, which of
 * these lanes are in the third vector, and the strides.
 */
typedef struct plain_pairs {
    vector places, first_stride, second_stride;
    mask_of_16 beyond_two;
    bool are_two;
} plain_pairs;

INLINE plain_pairs plain_pairs_of(const strew_coordinates *coordinates, int32_t k, int32_t pair)
{
    const vector tuples = _mm512_set_epi32(7, 7, 6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 0, 0);
    const vector halves = _mm512_set_epi32(1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0);
    const vector from_first = _mm512_add_epi32(halves, _mm512_set1_epi32(2 * pair));
    const vector places = _mm512_add_epi32(_mm512_mullo_epi32(tuples, _mm512_set1_epi32(k)), from_first);
    const strew_coordinate *const first = &coordinates->each[2 * pair];
    const bool are_two = 2 * pair + 1 < k;
    return (plain_pairs){
        .places = places,
        .first_stride = offsets_repeated(first->stride),
        .second_stride = offsets_repeated(are_two ? first[1].stride : 0),
        .beyond_two = _mm512_cmpgt_epi32_mask(places, _mm512_set1_epi32(31)),
        .are_two = are_two,
    };
}

/* Returns the offsets of eight tuples along these coordinates. */
INLINE vector plain_pairs_offsets(const vector *narrow, int32_t k, const plain_pairs *pairs)
{
    vector both = narrow[0];
    if (k > 2)
        both = _mm512_permutex2var_epi32(both, pairs->places, narrow[1]);
    if (k > 4)
        both = _mm512_mask_permutexvar_epi32(both, pairs->beyond_two, pairs->places, narrow[2]);
    const vector first = offsets_product(both, pairs->first_stride);
    if (!pairs->are_two)
        return first;
    return i64_sum(first, offsets_product(_mm512_srli_epi64(both, 32), pairs->second_stride));
}

/*
 * Returns whether plain tuples may be resolved by pairs. A dimension of size 0 has no last position, so it is
 * excluded.
 */
INLINE bool may_be_plain(size_t count, int64_t index_step, const strew_coordinates *coordinates, int64_t size)
{
    if (count < OFFSET_LANES || coordinates->count < 2 || coordinates->count > MOST_PLAIN ||
        !are_packed(index_step, coordinates, size) || !sizes_fit_32_bits(coordinates))
        return false;
    for (int32_t c = 0; c < coordinates->count; c++)
        if (coordinates->each[c].size == 0)
            return false;
    return true;
}

#endif
