/* Looks up elements with AVX2. Elements are joined in a vector, so that fewer stores write them. */
#include "avx2/kernels.h"
#include "avx2/vector.h"
#include "kernels/table.h"

#define NAMED(T, n) (*(const T##_at *)named[n])

/*
 * Each joins elements in the lower half of a vector, from element n on: eight bytes in all, or four elements of
 * one byte.
 */
INLINE __m128i join_x8(char *const *named, size_t n)
{
    __m128i joined = _mm_cvtsi32_si128(NAMED(i8, n));
    joined = _mm_insert_epi8(joined, NAMED(i8, n + 1), 1);
    joined = _mm_insert_epi8(joined, NAMED(i8, n + 2), 2);
    return _mm_insert_epi8(joined, NAMED(i8, n + 3), 3);
}
INLINE __m128i join_x16(char *const *named, size_t n)
{
    __m128i joined = _mm_cvtsi32_si128(NAMED(i16, n));
    joined = _mm_insert_epi16(joined, NAMED(i16, n + 1), 1);
    joined = _mm_insert_epi16(joined, NAMED(i16, n + 2), 2);
    return _mm_insert_epi16(joined, NAMED(i16, n + 3), 3);
}
INLINE __m128i join_x32(char *const *named, size_t n)
{
    return _mm_insert_epi32(_mm_cvtsi32_si128(NAMED(i32, n)), NAMED(i32, n + 1), 1);
}
INLINE __m128i join_x64(char *const *named, size_t n)
{
    return _mm_loadl_epi64((const void *)named[n]);
}

INLINE void x8_join_block(char *const *named, char *dense)
{
    _mm_storel_epi64((void *)dense, _mm_unpacklo_epi32(join_x8(named, 0), join_x8(named, 4)));
}

#define LOOKUP_BLOCK(size, elements_joined)                                                                  \
    INLINE void size##_join_block(char *const *named, char *dense)                                           \
    {                                                                                                        \
        for (size_t n = 0; n < 8; n += 2 * (elements_joined)) {                                              \
            const __m128i first = join_##size(named, n), second = join_##size(named, n + (elements_joined)); \
            _mm_storeu_si128((void *)(dense + n * sizeof(size)), _mm_unpacklo_epi64(first, second));         \
        }                                                                                                    \
    }
LOOKUP_BLOCK(x16, 4)
LOOKUP_BLOCK(x32, 2)
LOOKUP_BLOCK(x64, 1)
#undef LOOKUP_BLOCK

#undef NAMED

#define STREW_ISA avx2
#define STREW_BODY "avx2/lookup.inc"
#define STREW_T_KINDS KIND_BITS
#include "kernels/each_dtype.inc"
