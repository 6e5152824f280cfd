/*
 * The AVX-512 vocabulary: indices and offsets, in eight lanes of 64 bits, floats, and halves. AVX2 does the rest,
 * because it is as fast or faster.
 */
#ifndef STREW_AVX512_VECTOR_H
#define STREW_AVX512_VECTOR_H

#include "avx512/instructions.h"
#include "kernels/vocabulary.h"

typedef __m512i vector;

enum { VECTOR_BYTES = 64, OFFSET_LANES = VECTOR_BYTES / 8 };
/* How many of the 32 registers hold the row that is combined. The others hold what is combined into it. */
enum { BAG_VECTORS = 16, f16_BAG_VECTORS = 16, bf16_BAG_VECTORS = 8 };
enum { BAG_FEW = 2, f16_BAG_FEW = 2, bf16_BAG_FEW = 2 };

static inline vector load(const char *source)
{
    return _mm512_loadu_si512((const void *)source);
}
static inline void store(char *target, vector value)
{
    _mm512_storeu_si512((void *)target, value);
}

/* ---- Indices ---- */

static inline vector offsets_repeated(i64 value)
{
    return _mm512_set1_epi64(value);
}
/*
 * T_load_indices loads eight contiguous indices, T_load_strided eight that are `step` bytes apart. T_load_fours
 * loads vector v of contiguous fours of coordinates that are `step` bytes apart; a vector holds two fours. A
 * uint64 above INT64_MAX becomes negative. SIMDe does not emulate the conversions to eight lanes (as of 0.7.4).
 */
#ifndef STREW_EMULATED
#define FOLLOWING(T, widened) widened
#else
#define FOLLOWING(T, widened) T##_load_strided(source, (i64)sizeof(T))
#endif
#define INDICES(T, widened, four)                                                                                \
    static inline vector T##_load_strided(const char *source, i64 step)                                          \
    {                                                                                                            \
        i64 offsets[OFFSET_LANES];                                                                               \
        for (int p = 0; p < OFFSET_LANES; p++)                                                                   \
            offsets[p] = (i64) * (const T##_at *)(source + p * step);                                            \
        return load((const char *)offsets);                                                                      \
    }                                                                                                            \
    static inline vector T##_load_indices(const char *source)                                                    \
    {                                                                                                            \
        return FOLLOWING(T, widened);                                                                            \
    }                                                                                                            \
    static inline __m256i T##_load_four(const char *source)                                                      \
    {                                                                                                            \
        return four;                                                                                             \
    }                                                                                                            \
    static inline vector T##_load_fours(const char *tuples, int32_t v, i64 step)                                 \
    {                                                                                                            \
        const __m256i first = T##_load_four(tuples + 2 * v * step);                                              \
        return _mm512_inserti64x4(_mm512_castsi256_si512(first), T##_load_four(tuples + (2 * v + 1) * step), 1); \
    }
INDICES(i32, _mm512_cvtepi32_epi64(_mm256_loadu_si256((const void *)source)),
        _mm256_cvtepi32_epi64(_mm_loadu_si128((const void *)source)))
INDICES(i64, load(source), _mm256_loadu_si256((const void *)source))
#undef INDICES
#undef FOLLOWING

/* Selects lanes of two vectors by their numbers: 0 to 7 are in the first, 8 to 15 in the second. */
#define SELECT(first, second, a, b, c, d, e, f, g, h) \
    _mm512_permutex2var_epi64(first, _mm512_set_epi64(h, g, f, e, d, c, b, a), second)
/*
 * Transposes eight tuples of two to four coordinates. `tuples` holds them as they are in memory, a0 b0 ... a1 b1
 * ..., and is left with one vector for each coordinate.
 */
STREW_INLINE void offsets_transpose(vector *tuples, int32_t coordinates)
{
    const vector v0 = tuples[0], v1 = tuples[1], v2 = tuples[2], v3 = tuples[3];
    if (coordinates == 2) {
        tuples[0] = SELECT(v0, v1, 0, 2, 4, 6, 8, 10, 12, 14);
        tuples[1] = SELECT(v0, v1, 1, 3, 5, 7, 9, 11, 13, 15);
    } else if (coordinates == 3) {
        const vector a012345 = SELECT(v0, v1, 0, 3, 6, 9, 12, 15, 0, 0);
        const vector b01234 = SELECT(v0, v1, 1, 4, 7, 10, 13, 0, 0, 0);
        const vector c01234 = SELECT(v0, v1, 2, 5, 8, 11, 14, 0, 0, 0);
        tuples[0] = SELECT(a012345, v2, 0, 1, 2, 3, 4, 5, 10, 13);
        tuples[1] = SELECT(b01234, v2, 0, 1, 2, 3, 4, 8, 11, 14);
        tuples[2] = SELECT(c01234, v2, 0, 1, 2, 3, 4, 9, 12, 15);
    } else {
        const vector a0123b0123 = SELECT(v0, v1, 0, 4, 8, 12, 1, 5, 9, 13);
        const vector c0123d0123 = SELECT(v0, v1, 2, 6, 10, 14, 3, 7, 11, 15);
        const vector a4567b4567 = SELECT(v2, v3, 0, 4, 8, 12, 1, 5, 9, 13);
        const vector c4567d4567 = SELECT(v2, v3, 2, 6, 10, 14, 3, 7, 11, 15);
        tuples[0] = SELECT(a0123b0123, a4567b4567, 0, 1, 2, 3, 8, 9, 10, 11);
        tuples[1] = SELECT(a0123b0123, a4567b4567, 4, 5, 6, 7, 12, 13, 14, 15);
        tuples[2] = SELECT(c0123d0123, c4567d4567, 0, 1, 2, 3, 8, 9, 10, 11);
        tuples[3] = SELECT(c0123d0123, c4567d4567, 4, 5, 6, 7, 12, 13, 14, 15);
    }
}
#undef SELECT

AS(i64_sum, _mm512_add_epi64)
AS(i64_sub, _mm512_sub_epi64)
AS(both, _mm512_and_si512)
AS(either, _mm512_or_si512)
static inline vector either_of_three(vector a, vector b, vector c)
{
    return _mm512_ternarylogic_epi64(a, b, c, 0xfe);
}
/*
 * Adds wrap_size to the negative lanes. A negative number is the greater one as an unsigned number, so the minimum
 * of both is right in every lane.
 */
static inline vector offsets_wrapped(vector offsets, vector wrap_size)
{
    READ_ONCE(offsets);
    return _mm512_min_epu64(offsets, i64_sum(offsets, wrap_size));
}
/* Returns the lanes of `negative` where `sign` is negative, and those of `other` elsewhere. */
static inline vector offsets_select(vector sign, vector negative, vector other)
{
    return _mm512_mask_blend_epi64(_mm512_movepi64_mask(sign), other, negative);
}
static inline bool offsets_any_negative(vector offsets)
{
    return _mm512_movepi64_mask(offsets) != 0;
}
/* Products of the lower halves of lanes, signed and unsigned. */
AS(offsets_product, _mm512_mul_epi32)
AS(offsets_unsigned_product, _mm512_mul_epu32)

/* ---- Sets of lanes ---- */

static inline vector offsets_shift_right(vector offsets, int32_t bits)
{
    return _mm512_srl_epi64(offsets, _mm_cvtsi32_si128(bits));
}
/*
 * A set of lanes: one bit for each, the lowest for the first lane. It is kept in a general register. gcc 12 counts
 * the bits of all four bytes, but would store only one of them if it had to move a mask register through memory.
 */
typedef unsigned offsets_mask;
static inline offsets_mask offsets_equal(vector a, vector b)
{
    offsets_mask mask = _mm512_cmpeq_epi64_mask(a, b);
#if defined(STREW_HAS_ASM) && !defined(STREW_EMULATED)
    __asm__("" : "+r"(mask));
#endif
    return mask;
}
/* Moves the offsets in the lanes of `kept` to the front, in their order. The other lanes hold 0. */
static inline vector offsets_compressed(vector offsets, offsets_mask kept)
{
    return _mm512_maskz_compress_epi64((mask_of_8)kept, offsets);
}

/* ---- Halves: as in avx2/vector.h ---- */

typedef __m512 floats;

/* SIMDe does not emulate these conversions (as of 0.7.4). */
static inline floats f16_widen(__m256i halves)
{
#ifndef STREW_EMULATED
    return _mm512_cvtph_ps(halves);
#else
    const __m256 low = _mm256_cvtph_ps(_mm256_castsi256_si128(halves));
    const __m256 high = _mm256_cvtph_ps(_mm256_extracti128_si256(halves, 1));
    return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
#endif
}
static inline floats f16_folded_load(const char *source)
{
    return f16_widen(_mm256_loadu_si256((const void *)source));
}
static inline __m256i f16_narrow(floats value)
{
#ifndef STREW_EMULATED
    return _mm512_maskz_cvtps_ph(0xffff, value, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#else
    const __m256 low = _mm512_castps512_ps256(value);
    const __m256 high = _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(value), 1));
    return _mm256_set_m128i(_mm256_cvtps_ph(high, _MM_FROUND_TO_NEAREST_INT),
                            _mm256_cvtps_ph(low, _MM_FROUND_TO_NEAREST_INT));
#endif
}
static inline void f16_folded_store(char *target, floats value)
{
    _mm256_storeu_si256((void *)target, f16_narrow(value));
}

static inline floats floats_of(vector bits)
{
    return _mm512_castsi512_ps(bits);
}
static inline vector bits_of(floats value)
{
    return _mm512_castps_si512(value);
}
static inline vector bf16_blend(vector even, vector odd)
{
    return _mm512_mask_blend_epi16(0xaaaaaaaa, even, odd);
}

/* ---- Floats: as in avx2/vector.h ---- */

#define ON(name, ps, instruction) \
    COMBINATION(vector, name,     \
                _mm512_cast##ps##_si512(instruction(_mm512_castsi512_##ps(data), _mm512_castsi512_##ps(update))))
#define FLOAT(T, type, ps, mask_of_all, epi)                                                               \
    static inline type T##_least(type data, type update)                                                   \
    {                                                                                                      \
        READ_ONCE(update);                                                                                 \
        return _mm512_or_##ps(_mm512_min_##ps(data, update), _mm512_min_##ps(update, data));               \
    }                                                                                                      \
    static inline type T##_greatest(type data, type update)                                                \
    {                                                                                                      \
        READ_ONCE(update);                                                                                 \
        const type both = _mm512_and_##ps(_mm512_max_##ps(data, update), _mm512_max_##ps(update, data));   \
        const vector all_ones = _mm512_set1_epi32(-1);                                                     \
        const mask_of_all unordered = _mm512_cmp_##ps##_mask(data, update, _CMP_UNORD_Q);                  \
        const vector greatest = _mm512_mask_mov_##epi(_mm512_cast##ps##_si512(both), unordered, all_ones); \
        return _mm512_castsi512_##ps(greatest);                                                            \
    }                                                                                                      \
    ON(T##_sum, ps, _mm512_add_##ps)                                                                       \
    ON(T##_sub, ps, _mm512_sub_##ps)                                                                       \
    ON(T##_prod, ps, _mm512_mul_##ps)                                                                      \
    ON(T##_min, ps, T##_least)                                                                             \
    ON(T##_max, ps, T##_greatest)                                                                          \
    ON(T##_quotient, ps, _mm512_div_##ps)
FLOAT(f32, __m512, ps, mask_of_16, epi32)
FLOAT(f64, __m512d, pd, mask_of_8, epi64)
#undef FLOAT
#undef ON

/* Repeat an element in all lanes. */
REPEATED(u16, _mm512_set1_epi16(*(const i16_at *)element))
REPEATED(f32, _mm512_set1_epi32(*(const i32_at *)element))
REPEATED(f64, _mm512_set1_epi64(*(const i64_at *)element))

/* Replaces a NaN by a quiet one. It may have any bits in its lower half, which rounding would carry upward. */
static inline floats bf16_quiet(floats value)
{
    const vector quiet = _mm512_set1_epi32(0x7fc00000);
    const mask_of_16 is_nan = _mm512_cmp_ps_mask(value, value, _CMP_UNORD_Q);
    return _mm512_castsi512_ps(_mm512_mask_mov_epi32(_mm512_castps_si512(value), is_nan, quiet));
}

#define VECTOR(operation) _mm512_##operation
#define FLOATS(operation) _mm512_##operation##_ps
#include "avx2/halves.inc"
#undef FLOATS
#undef VECTOR

static inline f16_folded f16_repeated(const char *element)
{
    return f16_widen(_mm256_set1_epi16(*(const i16_at *)element));
}

#endif
