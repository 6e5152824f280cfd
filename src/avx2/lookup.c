/* The AVX2 lookups: elements are joined in vectors, which fewer stores write. */
#include "avx2/kernels.h"
#include "avx2/vector.h"
#include "kernels/table_block.h"

/* Elements of eight bytes in all, or four of one byte, in the lower half of a vector. */
INLINE __m128i x8_joined(x8_at *elements, const u64 *positions)
{
    __m128i joined = _mm_cvtsi32_si128(elements[positions[0]]);
    joined = _mm_insert_epi8(joined, elements[positions[1]], 1);
    joined = _mm_insert_epi8(joined, elements[positions[2]], 2);
    return _mm_insert_epi8(joined, elements[positions[3]], 3);
}
INLINE __m128i x16_joined(x16_at *elements, const u64 *positions)
{
    __m128i joined = _mm_cvtsi32_si128(elements[positions[0]]);
    joined = _mm_insert_epi16(joined, elements[positions[1]], 1);
    joined = _mm_insert_epi16(joined, elements[positions[2]], 2);
    return _mm_insert_epi16(joined, elements[positions[3]], 3);
}
INLINE __m128i x32_joined(x32_at *elements, const u64 *positions)
{
    return _mm_insert_epi32(_mm_cvtsi32_si128((i32)elements[positions[0]]), (i32)elements[positions[1]], 1);
}
INLINE __m128i x64_joined(x64_at *elements, const u64 *positions)
{
    return _mm_loadl_epi64((const void *)(elements + positions[0]));
}

INLINE void x8_lookup_block(x8_at *dense, x8_at *elements, const u64 *positions)
{
    const __m128i first = x8_joined(elements, positions), second = x8_joined(elements, positions + 4);
    _mm_storel_epi64((void *)dense, _mm_unpacklo_epi32(first, second));
}

#define LOOKUP_BLOCK(size, elements_joined)                                                      \
    INLINE void size##_lookup_block(size##_at *dense, size##_at *elements, const u64 *positions) \
    {                                                                                            \
        for (size_t i = 0; i < TABLE_BLOCK; i += 2 * (elements_joined)) {                        \
            const __m128i first = size##_joined(elements, positions + i);                        \
            const __m128i second = size##_joined(elements, positions + i + (elements_joined));   \
            _mm_storeu_si128((void *)(dense + i), _mm_unpacklo_epi64(first, second));            \
        }                                                                                        \
    }
LOOKUP_BLOCK(x16, 4)
LOOKUP_BLOCK(x32, 2)
LOOKUP_BLOCK(x64, 1)
#undef LOOKUP_BLOCK

INLINE void x128_lookup_block(x128_at *dense, x128_at *elements, const u64 *positions)
{
    for (size_t i = 0; i < TABLE_BLOCK; i++)
        dense[i] = elements[positions[i]];
}

#define STREW_ISA avx2
#define STREW_BODY "kernels/lookup.inc"
#define STREW_T_KINDS KIND_BITS
#include "kernels/each_dtype.inc"
