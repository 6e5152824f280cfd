/* The AVX2 sums by table: of halves, eight of which are widened at a time, and of floats into few elements. */
#include <string.h>

#include "avx2/kernels.h"
#include "avx2/vector.h"
#include "kernels/table_block.h"
#include "scalar/kernels.h"

/* So many are added at once into elements that vectors hold. */
enum { MOST_OF_A_PIECE = STREW_THRESHOLD(512, 64) };

/* The numbers of the lanes of vector v, one in all of them, and an update in those that have its number. */
INLINE vector f32_numbers(size_t v)
{
    return _mm256_add_epi32(_mm256_set1_epi32(8 * (i32)v), _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0));
}
INLINE vector f64_numbers(size_t v)
{
    return _mm256_add_epi64(_mm256_set1_epi64x(4 * (i64)v), _mm256_set_epi64x(3, 2, 1, 0));
}
INLINE vector f32_number_repeated(u64 number)
{
    return _mm256_set1_epi32((i32)number);
}
INLINE vector f64_number_repeated(u64 number)
{
    return _mm256_set1_epi64x((i64)number);
}
INLINE vector f32_where_equal(vector named, vector numbers, vector update, vector other)
{
    return _mm256_blendv_epi8(other, update, _mm256_cmpeq_epi32(named, numbers));
}
INLINE vector f64_where_equal(vector named, vector numbers, vector update, vector other)
{
    return _mm256_blendv_epi8(other, update, _mm256_cmpeq_epi64(named, numbers));
}

#define STREW_ISA avx2
#define STREW_BODY "avx2/put.inc"
#define STREW_T_KINDS (KINDS_OF_HALVES | KIND_FLOAT)
#include "kernels/each_dtype.inc"
