/*
 * The AVX2 vocabulary. A vector is 32 bytes, whatever its elements are. Loads and stores are therefore the same
 * for every dtype, and a dtype adds only its combinations:
 *
 *   vector T_sum(vector data, vector update), T_sub, T_prod, T_min, T_max
 *
 * Each gives the same bits, element by element, as the scalar vocabulary (NaN payloads aside).
 */
#ifndef STREW_AVX2_VECTOR_H
#define STREW_AVX2_VECTOR_H

#include "avx2/instructions.h"
#include "kernels/vocabulary.h"

typedef __m256i vector;

enum { VECTOR_BYTES = 32, OFFSET_LANES = VECTOR_BYTES / 8 };
/* How many of the 16 registers hold the row that is combined. The others hold what is combined into it. */
enum { BAG_VECTORS = 12, f16_BAG_VECTORS = 12, bf16_BAG_VECTORS = 4 };
enum { BAG_FEW = 4, f16_BAG_FEW = 4, bf16_BAG_FEW = 4 };

static inline vector load(const char *source)
{
    return _mm256_loadu_si256((const void *)source);
}
static inline void store(char *target, vector value)
{
    _mm256_storeu_si256((void *)target, value);
}

/* Writes a whole line by non-temporal stores. Writing it in parts would be slow. */
#define STREAM_BYTES 64
static inline void stream(char *target, const char *source)
{
    const vector low = load(source), high = load(source + VECTOR_BYTES);
    _mm256_stream_si256((void *)target, low);
    _mm256_stream_si256((void *)(target + VECTOR_BYTES), high);
}
/* Write an aligned part of a line, which other stores complete. */
enum { STREAM_PART_BYTES = 16, STREAM_LEAST_BYTES = 4 };
static inline void stream_part(char *target, const char *source)
{
    _mm_stream_si128((void *)target, _mm_loadu_si128((const void *)source));
}
static inline void stream_least(char *target, const char *source)
{
    _mm_stream_si32((void *)target, *(const i32_at *)source);
}

/*
 * Load and store a row shorter than a vector, by its first and its last bytes. Each of these two parts is as long
 * as the largest power of two that fits into the row. Both may hold the same elements from the middle, which then
 * have the same results. No byte outside the row is accessed.
 */
static inline vector load_part(const char *source, size_t bytes)
{
    if (bytes == 16)
        return _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)source));
    if (bytes > 16)
        return _mm256_loadu2_m128i((const void *)(source + bytes - 16), (const void *)source);
    if (bytes == 8)
        return _mm256_zextsi128_si256(_mm_loadl_epi64((const void *)source));
    if (bytes > 8)
        return _mm256_set_epi64x(0, 0, *(const i64_at *)(source + bytes - 8), *(const i64_at *)source);
    return _mm256_set_epi64x(0, 0, 0, (i64)load_few(source, bytes));
}
static inline void store_part(char *target, vector value, size_t bytes)
{
    const __m128i low = _mm256_castsi256_si128(value);
    if (bytes >= 16) {
        _mm_storeu_si128((void *)target, low);
        if (bytes > 16)
            _mm_storeu_si128((void *)(target + bytes - 16), _mm256_extracti128_si256(value, 1));
        return;
    }
    const u64 first = (u64)_mm_cvtsi128_si64(low);
    if (bytes == 8) {
        *(u64_at *)target = first;
    } else if (bytes > 8) {
        *(u64_at *)target = first;
        *(u64_at *)(target + bytes - 8) = (u64)_mm_extract_epi64(low, 1);
    } else {
        store_few(target, first, bytes);
    }
}

/* Stores the first 4 or 8 bytes. `bytes` is a constant. */
static inline void store_word(char *target, vector value, size_t bytes)
{
    const __m128i low = _mm256_castsi256_si128(value);
    if (bytes == 8)
        _mm_storel_epi64((void *)target, low);
    else
        *(i32_at *)target = _mm_cvtsi128_si32(low);
}

/* Repeats an element in all lanes. */
REPEATED(b8, _mm256_set1_epi8(*(const i8_at *)element))
REPEATED(i8, _mm256_set1_epi8(*(const i8_at *)element))
REPEATED(u8, _mm256_set1_epi8(*(const i8_at *)element))
REPEATED(i16, _mm256_set1_epi16(*(const i16_at *)element))
REPEATED(u16, _mm256_set1_epi16(*(const i16_at *)element))
REPEATED(i32, _mm256_set1_epi32(*(const i32_at *)element))
REPEATED(u32, _mm256_set1_epi32(*(const i32_at *)element))
REPEATED(f32, _mm256_set1_epi32(*(const i32_at *)element))
REPEATED(i64, _mm256_set1_epi64x(*(const i64_at *)element))
REPEATED(u64, _mm256_set1_epi64x(*(const i64_at *)element))
REPEATED(f64, _mm256_set1_epi64x(*(const i64_at *)element))
REPEATED(c64, _mm256_set1_epi64x(*(const i64_at *)element))
REPEATED(c128, _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)element)))

/* Returns the 64-bit lanes of `negative` where `sign` is negative, and those of `other` elsewhere. */
static inline vector offsets_select(vector sign, vector negative, vector other)
{
    return _mm256_castpd_si256(
        _mm256_blendv_pd(_mm256_castsi256_pd(other), _mm256_castsi256_pd(negative), _mm256_castsi256_pd(sign)));
}

/* ---- bool: 0 or 1 from any bytes ---- */

static inline vector b8_truth(vector any)
{
    return _mm256_min_epu8(any, _mm256_set1_epi8(1));
}
COMBINATION(vector, b8_sum, b8_truth(_mm256_or_si256(data, update)))
COMBINATION(vector, b8_sub, _mm256_xor_si256(b8_truth(data), b8_truth(update)))
COMBINATION(vector, b8_prod, b8_truth(_mm256_min_epu8(data, update)))
AS(b8_min, b8_prod)
AS(b8_max, b8_sum)

/* ---- Integers ---- */

/* Multiplies bytes in lanes of 16 bits: the even bytes, then the odd ones, in the upper halves of the lanes. */
static inline vector product_8(vector data, vector update)
{
    READ_ONCE(data);
    READ_ONCE(update);
    const vector odd_bytes = _mm256_set1_epi16((short)0xff00);
    const vector even = _mm256_mullo_epi16(data, update);
    const vector odd = _mm256_mullo_epi16(_mm256_srli_epi16(data, 8), _mm256_and_si256(update, odd_bytes));
    return _mm256_or_si256(_mm256_andnot_si256(odd_bytes, even), odd);
}

/* Multiplies modulo 2^64: low * low + ((low * high + high * low) << 32). */
static inline vector product_64(vector data, vector update)
{
    READ_ONCE(data);
    READ_ONCE(update);
    const vector crossed = _mm256_mullo_epi32(data, _mm256_shuffle_epi32(update, 0xb1));
    const vector sums = _mm256_add_epi32(crossed, _mm256_slli_epi64(crossed, 32));
    const vector upper = _mm256_and_si256(sums, _mm256_set1_epi64x((i64)0xffffffff00000000));
    return _mm256_add_epi64(_mm256_mul_epu32(data, update), upper);
}

COMBINATION_OF_READ(vector, least_i64, offsets_select(_mm256_cmpgt_epi64(data, update), update, data))
COMBINATION_OF_READ(vector, greatest_i64, offsets_select(_mm256_cmpgt_epi64(data, update), data, update))
/* Compares unsigned numbers. Their order is that of signed numbers with the top bit flipped. */
static inline vector u64_greater(vector a, vector b)
{
    const vector top = _mm256_set1_epi64x(INT64_MIN);
    return _mm256_cmpgt_epi64(_mm256_xor_si256(a, top), _mm256_xor_si256(b, top));
}
COMBINATION_OF_READ(vector, least_u64, offsets_select(u64_greater(data, update), update, data))
COMBINATION_OF_READ(vector, greatest_u64, offsets_select(u64_greater(data, update), data, update))

/* Sums, differences and products have the same bits for signed and unsigned numbers. */
#define INTEGER(T, bits, product, least, greatest) \
    AS(T##_sum, _mm256_add_epi##bits)              \
    AS(T##_sub, _mm256_sub_epi##bits)              \
    AS(T##_prod, product)                          \
    AS(T##_min, least)                             \
    AS(T##_max, greatest)
INTEGER(i8, 8, product_8, _mm256_min_epi8, _mm256_max_epi8)
INTEGER(u8, 8, product_8, _mm256_min_epu8, _mm256_max_epu8)
INTEGER(i16, 16, _mm256_mullo_epi16, _mm256_min_epi16, _mm256_max_epi16)
INTEGER(u16, 16, _mm256_mullo_epi16, _mm256_min_epu16, _mm256_max_epu16)
INTEGER(i32, 32, _mm256_mullo_epi32, _mm256_min_epi32, _mm256_max_epi32)
INTEGER(u32, 32, _mm256_mullo_epi32, _mm256_min_epu32, _mm256_max_epu32)
INTEGER(i64, 64, product_64, least_i64, greatest_i64)
INTEGER(u64, 64, product_64, least_u64, greatest_u64)
#undef INTEGER

/* ---- Indices and offsets: four lanes of 64 bits ---- */

static inline vector offsets_repeated(i64 value)
{
    return _mm256_set1_epi64x(value);
}
/*
 * T_load_indices loads four contiguous indices, T_load_strided four that are `step` bytes apart. T_load_fours
 * loads vector v of contiguous fours of coordinates that are `step` bytes apart; a vector holds one four. A uint64
 * above INT64_MAX becomes negative.
 */
#define INDICES(T, following)                                                                              \
    static inline vector T##_load_indices(const char *source)                                              \
    {                                                                                                      \
        return following;                                                                                  \
    }                                                                                                      \
    static inline vector T##_load_strided(const char *source, i64 step)                                    \
    {                                                                                                      \
        return _mm256_set_epi64x((i64) * (const T##_at *)(source + 3 * step),                              \
                                 (i64) * (const T##_at *)(source + 2 * step),                              \
                                 (i64) * (const T##_at *)(source + step), (i64) * (const T##_at *)source); \
    }                                                                                                      \
    static inline vector T##_load_fours(const char *tuples, int32_t v, i64 step)                           \
    {                                                                                                      \
        return T##_load_indices(tuples + v * step);                                                        \
    }
INDICES(i32, _mm256_cvtepi32_epi64(_mm_loadu_si128((const void *)source)))
INDICES(i64, load(source))
#undef INDICES
/*
 * Transposes four tuples of two to four coordinates. `tuples` holds them as they are in memory, a0 b0 ... a1 b1
 * ..., and is left with one vector for each coordinate. Tuples of three are first blended, so that each vector has
 * the lanes of one coordinate; a permutation then puts them in order.
 */
STREW_INLINE void offsets_transpose(vector *tuples, int32_t coordinates)
{
    const vector v0 = tuples[0], v1 = tuples[1], v2 = tuples[2], v3 = tuples[3];
    if (coordinates == 2) {
        tuples[0] = _mm256_permute4x64_epi64(_mm256_unpacklo_epi64(v0, v1), _MM_SHUFFLE(3, 1, 2, 0));
        tuples[1] = _mm256_permute4x64_epi64(_mm256_unpackhi_epi64(v0, v1), _MM_SHUFFLE(3, 1, 2, 0));
    } else if (coordinates == 3) {
        const vector a0321 = _mm256_blend_epi32(_mm256_blend_epi32(v0, v1, 0x30), v2, 0x0c);
        const vector b1032 = _mm256_blend_epi32(_mm256_blend_epi32(v1, v0, 0x0c), v2, 0x30);
        const vector c2103 = _mm256_blend_epi32(_mm256_blend_epi32(v2, v1, 0x0c), v0, 0x30);
        tuples[0] = _mm256_permute4x64_epi64(a0321, _MM_SHUFFLE(1, 2, 3, 0));
        tuples[1] = _mm256_permute4x64_epi64(b1032, _MM_SHUFFLE(2, 3, 0, 1));
        tuples[2] = _mm256_permute4x64_epi64(c2103, _MM_SHUFFLE(3, 0, 1, 2));
    } else {
        const vector a01c01 = _mm256_unpacklo_epi64(v0, v1), b01d01 = _mm256_unpackhi_epi64(v0, v1);
        const vector a23c23 = _mm256_unpacklo_epi64(v2, v3), b23d23 = _mm256_unpackhi_epi64(v2, v3);
        tuples[0] = _mm256_permute2x128_si256(a01c01, a23c23, 0x20);
        tuples[1] = _mm256_permute2x128_si256(b01d01, b23d23, 0x20);
        tuples[2] = _mm256_permute2x128_si256(a01c01, a23c23, 0x31);
        tuples[3] = _mm256_permute2x128_si256(b01d01, b23d23, 0x31);
    }
}
AS(both, _mm256_and_si256)
AS(either, _mm256_or_si256)
static inline vector either_of_three(vector a, vector b, vector c)
{
    return either(a, either(b, c));
}
/* Adds wrap_size to the negative lanes. */
static inline vector offsets_wrapped(vector offsets, vector wrap_size)
{
    READ_ONCE(offsets);
    const vector negative = _mm256_cmpgt_epi64(_mm256_setzero_si256(), offsets);
    return i64_sum(offsets, _mm256_and_si256(negative, wrap_size));
}
static inline bool offsets_any_negative(vector offsets)
{
    return _mm256_movemask_pd(_mm256_castsi256_pd(offsets)) != 0;
}
/* Products of the lower halves of lanes, signed and unsigned. */
AS(offsets_product, _mm256_mul_epi32)
AS(offsets_unsigned_product, _mm256_mul_epu32)
static inline vector offsets_shift_right(vector offsets, int32_t bits)
{
    return _mm256_srl_epi64(offsets, _mm_cvtsi32_si128(bits));
}
/* A set of lanes: one bit for each, the lowest for the first lane. */
typedef unsigned offsets_mask;
static inline offsets_mask offsets_equal(vector a, vector b)
{
    return (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(a, b)));
}
/* Moves the offsets in the lanes of `kept` to the front, in their order. The other lanes hold anything. */
static inline vector offsets_compressed(vector offsets, offsets_mask kept)
{
    /* For each set of lanes: the 32-bit halves that come first. */
#define FRONT(a, b, c, d)                                                                      \
    {                                                                                          \
        2 * (a), 2 * (a) + 1, 2 * (b), 2 * (b) + 1, 2 * (c), 2 * (c) + 1, 2 * (d), 2 * (d) + 1 \
    }
    static const i32 front[16][8] = {
        FRONT(0, 0, 0, 0), FRONT(0, 0, 0, 0), FRONT(1, 0, 0, 0), FRONT(0, 1, 0, 0),
        FRONT(2, 0, 0, 0), FRONT(0, 2, 0, 0), FRONT(1, 2, 0, 0), FRONT(0, 1, 2, 0),
        FRONT(3, 0, 0, 0), FRONT(0, 3, 0, 0), FRONT(1, 3, 0, 0), FRONT(0, 1, 3, 0),
        FRONT(2, 3, 0, 0), FRONT(0, 2, 3, 0), FRONT(1, 2, 3, 0), FRONT(0, 1, 2, 3),
    };
#undef FRONT
    return _mm256_permutevar8x32_epi32(offsets, load((const char *)front[kept]));
}

/* ---- Floats ---- */

/* Defines a combination by an instruction on floats (ps) or doubles (pd). */
#define ON(name, ps, instruction) \
    COMBINATION(vector, name,     \
                _mm256_cast##ps##_si256(instruction(_mm256_castsi256_##ps(data), _mm256_castsi256_##ps(update))))
/*
 * MINPS returns its second operand if either is NaN or both are zeros. So a minimum is taken in both orders, and
 * the two results hold both NaNs or both zeros. OR keeps a NaN a NaN, and gives -0 if either zero is negative. For
 * a maximum the zeros need AND, which may lose a NaN, so NaN is put back.
 */
#define FLOAT(T, type, ps)                                                                            \
    COMBINATION_OF_READ(type, T##_least,                                                              \
                        _mm256_or_##ps(_mm256_min_##ps(data, update), _mm256_min_##ps(update, data))) \
    COMBINATION_OF_READ(                                                                              \
        type, T##_greatest,                                                                           \
        _mm256_or_##ps(_mm256_and_##ps(_mm256_max_##ps(data, update), _mm256_max_##ps(update, data)), \
                       _mm256_cmp_##ps(data, update, _CMP_UNORD_Q)))                                  \
    ON(T##_sum, ps, _mm256_add_##ps)                                                                  \
    ON(T##_sub, ps, _mm256_sub_##ps)                                                                  \
    ON(T##_prod, ps, _mm256_mul_##ps)                                                                 \
    ON(T##_min, ps, T##_least)                                                                        \
    ON(T##_max, ps, T##_greatest)                                                                     \
    ON(T##_quotient, ps, _mm256_div_##ps)
FLOAT(f32, __m256, ps)
FLOAT(f64, __m256d, pd)
#undef FLOAT

/* Repeats a counter in all lanes. Both parts of a complex number are divided by it. */
#define DIVISOR(T, of)                          \
    static inline vector T##_divisor(u64 count) \
    {                                           \
        return of;                              \
    }
DIVISOR(f32, _mm256_castps_si256(_mm256_set1_ps((f32)count)))
DIVISOR(f64, _mm256_castpd_si256(_mm256_set1_pd((f64)count)))
DIVISOR(c64, f32_divisor(count))
DIVISOR(c128, f64_divisor(count))
#undef DIVISOR

/* Load a single element into the first lane. */
#define ONE_LANE_FLOATS
static inline vector f32_load_one(const char *source)
{
    return _mm256_castsi128_si256(_mm_cvtsi32_si128(*(const i32_at *)source));
}
static inline vector f64_load_one(const char *source)
{
    return _mm256_castsi128_si256(_mm_cvtsi64_si128(*(const i64_at *)source));
}

/*
 * Halves are widened to float32, combined and narrowed. float16 is widened when it is loaded and narrowed when it
 * is stored, half a vector at a time, which saves moves between lanes. A vector of bfloat16 is split into its even
 * and odd elements.
 */
typedef __m256 floats;

static inline floats f16_widen(__m128i halves)
{
    return _mm256_cvtph_ps(halves);
}
static inline floats f16_folded_load(const char *source)
{
    return f16_widen(_mm_loadu_si128((const void *)source));
}
static inline __m128i f16_narrow(floats value)
{
    return _mm256_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT);
}
static inline void f16_folded_store(char *target, floats value)
{
    _mm_storeu_si128((void *)target, f16_narrow(value));
}
static inline floats f16_folded_load_part(const char *source, size_t bytes)
{
    return f16_widen(_mm256_castsi256_si128(load_part(source, bytes)));
}
static inline void f16_folded_store_part(char *target, floats value, size_t bytes)
{
    store_part(target, _mm256_castsi128_si256(f16_narrow(value)), bytes);
}

static inline floats floats_of(vector bits)
{
    return _mm256_castsi256_ps(bits);
}
static inline vector bits_of(floats value)
{
    return _mm256_castps_si256(value);
}
static inline vector bf16_blend(vector even, vector odd)
{
    return _mm256_blend_epi16(even, odd, 0xaa);
}
/* Replaces a NaN by a quiet one. It may have any bits in its lower half, which rounding would carry upward. */
static inline floats bf16_quiet(floats value)
{
    const floats quiet = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fc00000));
    return _mm256_blendv_ps(value, quiet, _mm256_cmp_ps(value, value, _CMP_UNORD_Q));
}

#define VECTOR(operation) _mm256_##operation
#define FLOATS(operation) _mm256_##operation##_ps
#include "avx2/halves.inc"
#undef FLOATS
#undef VECTOR

static inline f16_folded f16_repeated(const char *element)
{
    return f16_widen(_mm_set1_epi16(*(const i16_at *)element));
}
static inline bf16_folded bf16_folded_load_part(const char *source, size_t bytes)
{
    return bf16_widen(load_part(source, bytes));
}
static inline void bf16_folded_store_part(char *target, bf16_folded value, size_t bytes)
{
    store_part(target, bf16_narrow(value), bytes);
}
static inline void bf16_exact_store_part(char *target, bf16_folded value, size_t bytes)
{
    store_part(target, bf16_narrow_exact(value), bytes);
}

/* Combines a single half in the first lane. */
#define HALVES_IN_LANES
static inline floats f16_widen_one(f16 half)
{
    return _mm256_castps128_ps256(_mm_cvtph_ps(_mm_set1_epi16((i16)half)));
}
static inline f16 f16_narrow_one(floats value)
{
    const __m128 first = _mm256_castps256_ps128(value);
    return (f16)_mm_extract_epi16(_mm_cvtps_ph(first, _MM_FROUND_TO_NEAREST_INT), 0);
}
static inline floats f16_narrow_kept(floats value)
{
    const __m128 first = _mm256_castps256_ps128(value);
    return _mm256_castps128_ps256(_mm_cvtph_ps(_mm_cvtps_ph(first, _MM_FROUND_TO_NEAREST_INT)));
}
static inline floats bf16_widen_one(bf16 half)
{
    return _mm256_castps128_ps256(_mm_castsi128_ps(_mm_insert_epi16(_mm_setzero_si128(), (i16)half, 1)));
}
static inline u32 first_bits(floats value)
{
    return (u32)_mm_cvtsi128_si32(_mm_castps_si128(_mm256_castps256_ps128(value)));
}
/*
 * Rounds with a carry: BT puts the lowest bit that stays into the carry flag, and ADC adds it. Compilers do not
 * find this.
 */
static inline bf16 bf16_narrow_one(floats value)
{
    u32 bits = first_bits(value);
#if defined(STREW_HAS_ASM) && !defined(STREW_EMULATED)
    __asm__("bt $16, %0\n\tadc $0x7fff, %0" : "+r"(bits) : : "cc");
#else
    bits += 0x7fffu + (bits >> 16 & 1u);
#endif
    return (bf16)(bits >> 16);
}
static inline bf16 bf16_narrow_exact_one(floats value)
{
    return (bf16)(first_bits(value) >> 16);
}
static inline floats bf16_narrow_kept(floats value)
{
    const __m128i bits = _mm_castps_si128(_mm256_castps256_ps128(value));
    const __m128i odd = _mm_and_si128(_mm_srli_epi32(bits, 16), _mm_set1_epi32(1));
    const __m128i nearest = _mm_add_epi32(_mm_add_epi32(bits, _mm_set1_epi32(0x7fff)), odd);
    return _mm256_castps128_ps256(_mm_castsi128_ps(_mm_and_si128(nearest, _mm_set1_epi32((i32)0xffff0000))));
}
static inline floats bf16_narrow_exact_kept(floats value)
{
    return _mm256_and_ps(value, _mm256_castsi256_ps(_mm256_set1_epi32((i32)0xffff0000)));
}

#define ONE_HALF(combination, float_combination, narrowing)     \
    HALF_AND_FLOAT(f16, combination, float_combination, narrow) \
    HALF_AND_FLOAT(bf16, combination, float_combination, narrowing)
ONE_HALF(sum, _mm256_add_ps, narrow)
ONE_HALF(sub, _mm256_sub_ps, narrow)
ONE_HALF(prod, _mm256_mul_ps, narrow)
ONE_HALF(min, f32_least, narrow_exact)
ONE_HALF(max, f32_greatest, narrow_exact)
#undef ONE_HALF

/* ---- Complex: real and imaginary parts alternate ---- */

AS(c64_quotient, f32_quotient)
AS(c128_quotient, f64_quotient)
AS(c64_sum, f32_sum)
AS(c64_sub, f32_sub)
AS(c128_sum, f64_sum)
AS(c128_sub, f64_sub)

/* Multiplies complex numbers, data (a, b) and update (c, d): (a * c, a * d) minus and plus (b * d, b * c). */
static inline __m256 product_c64(__m256 ab, __m256 cd)
{
    READ_ONCE(ab);
    READ_ONCE(cd);
    const __m256 a_products = _mm256_mul_ps(_mm256_moveldup_ps(ab), cd);
    const __m256 b_products = _mm256_mul_ps(_mm256_movehdup_ps(ab), _mm256_permute_ps(cd, 0xb1));
    return _mm256_addsub_ps(a_products, b_products);
}
static inline __m256d product_c128(__m256d ab, __m256d cd)
{
    READ_ONCE(ab);
    READ_ONCE(cd);
    const __m256d a_products = _mm256_mul_pd(_mm256_movedup_pd(ab), cd);
    const __m256d b_products = _mm256_mul_pd(_mm256_permute_pd(ab, 0xf), _mm256_permute_pd(cd, 0x5));
    return _mm256_addsub_pd(a_products, b_products);
}
ON(c64_prod, ps, product_c64)
ON(c128_prod, pd, product_c128)
#undef ON

#endif
