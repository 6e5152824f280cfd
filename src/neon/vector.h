/*
 * The NEON vocabulary. A vector is 16 bytes of any elements. All dtypes share its loads and stores. Each dtype adds
 * its combinations:
 *
 *   vector T_sum(vector data, vector update), T_sub, T_prod, T_min, T_max
 *
 * Each gives the same bits as the scalar vocabulary, element by element. Only the payloads of NaNs may differ.
 */
#ifndef STREW_NEON_VECTOR_H
#define STREW_NEON_VECTOR_H

#include "kernels/vocabulary.h"
#include "neon/instructions.h"

typedef uint8x16_t vector;

enum { VECTOR_BYTES = 16, OFFSET_LANES = VECTOR_BYTES / 8 };
/* How many of the 32 registers hold the columns of a bag. The others hold the row that is combined with them. */
enum { BAG_VECTORS = 16, f16_BAG_VECTORS = 8, bf16_BAG_VECTORS = 8 };
enum { BAG_FEW = 2, f16_BAG_FEW = 2, bf16_BAG_FEW = 2 };

static inline vector load(const char *source)
{
    return vld1q_u8((const void *)source);
}
static inline void store(char *target, vector value)
{
    vst1q_u8((void *)target, value);
}
/* Cores that run in order wait for each load: rows are copied by several loads, then several stores.
 */
#define COPIES_FROM_BOTH_ENDS

/*
 * A row shorter than a vector: its first bytes and its last bytes, each the largest power of two that the row
 * holds. Both may hold the same elements of the middle, which come out the same. Nothing outside the row is
 * touched.
 */
static inline vector load_part(const char *source, size_t bytes)
{
    if (bytes >= 8)
        return vcombine_u8(vld1_u8((const void *)source), vld1_u8((const void *)(source + bytes - 8)));
    return vcombine_u8(vcreate_u8(load_few(source, bytes)), vcreate_u8(0));
}
static inline void store_part(char *target, vector value, size_t bytes)
{
    if (bytes >= 8) {
        vst1_u8((void *)target, vget_low_u8(value));
        vst1_u8((void *)(target + bytes - 8), vget_high_u8(value));
    } else {
        store_few(target, vgetq_lane_u64(vreinterpretq_u64_u8(value), 0), bytes);
    }
}

/* Stores the first 4 or 8 bytes. The number is a constant. */
static inline void store_word(char *target, vector value, size_t bytes)
{
    if (bytes == 8)
        vst1_u8((void *)target, vget_low_u8(value));
    else
        *(u32_at *)target = vgetq_lane_u32(vreinterpretq_u32_u8(value), 0);
}

/* Repeats an element in all lanes. */
REPEATED(b8, vdupq_n_u8(*(const u8_at *)element))
REPEATED(i8, vdupq_n_u8(*(const u8_at *)element))
REPEATED(u8, vdupq_n_u8(*(const u8_at *)element))
REPEATED(i16, vreinterpretq_u8_u16(vdupq_n_u16(*(const u16_at *)element)))
REPEATED(u16, vreinterpretq_u8_u16(vdupq_n_u16(*(const u16_at *)element)))
REPEATED(i32, vreinterpretq_u8_u32(vdupq_n_u32(*(const u32_at *)element)))
REPEATED(u32, vreinterpretq_u8_u32(vdupq_n_u32(*(const u32_at *)element)))
REPEATED(f32, vreinterpretq_u8_u32(vdupq_n_u32(*(const u32_at *)element)))
REPEATED(i64, vreinterpretq_u8_u64(vdupq_n_u64(*(const u64_at *)element)))
REPEATED(u64, vreinterpretq_u8_u64(vdupq_n_u64(*(const u64_at *)element)))
REPEATED(f64, vreinterpretq_u8_u64(vdupq_n_u64(*(const u64_at *)element)))
REPEATED(c64, vreinterpretq_u8_u64(vdupq_n_u64(*(const u64_at *)element)))
REPEATED(c128, load(element))

/* Defines a combination by an instruction on vectors of ARM's type `lanes`. */
#define ON(name, lanes, instruction)                                                            \
    static inline vector name(vector data, vector update)                                       \
    {                                                                                           \
        return vreinterpretq_u8_##lanes(                                                        \
            instruction(vreinterpretq_##lanes##_u8(data), vreinterpretq_##lanes##_u8(update))); \
    }
#define vreinterpretq_u8_u8(bytes) bytes /* ARM has none */

/* ---- bool: 0 or 1 from any bytes ---- */

static inline vector b8_truth(vector any)
{
    return vminq_u8(any, vdupq_n_u8(1));
}
COMBINATION(vector, b8_sum, b8_truth(vorrq_u8(data, update)))
COMBINATION(vector, b8_sub, veorq_u8(b8_truth(data), b8_truth(update)))
COMBINATION(vector, b8_prod, b8_truth(vminq_u8(data, update)))
AS(b8_min, b8_prod)
AS(b8_max, b8_sum)

/* ---- Integers ---- */

/* Multiplies modulo 2^64: low * low + ((low * high + high * low) << 32). */
static inline uint64x2_t product_u64(uint64x2_t data, uint64x2_t update)
{
    const uint32x4_t crossed = vmulq_u32(vreinterpretq_u32_u64(data), vrev64q_u32(vreinterpretq_u32_u64(update)));
    const uint64x2_t upper = vshlq_n_u64(vpaddlq_u32(crossed), 32);
    return vmlal_u32(upper, vmovn_u64(data), vmovn_u64(update));
}

COMBINATION(int64x2_t, least_s64, vbslq_s64(vcgtq_s64(data, update), update, data))
COMBINATION(int64x2_t, greatest_s64, vbslq_s64(vcgtq_s64(data, update), data, update))
/* data - update saturates: it is the difference if data is greater, and otherwise 0. */
COMBINATION(uint64x2_t, least_u64, vsubq_u64(data, vqsubq_u64(data, update)))
COMBINATION(uint64x2_t, greatest_u64, vaddq_u64(update, vqsubq_u64(data, update)))

/* Sums, differences and products are the same for signed and unsigned integers. */
#define INTEGER(T, unsigned_lanes, product, lanes, least, greatest) \
    ON(T##_sum, unsigned_lanes, vaddq_##unsigned_lanes)             \
    ON(T##_sub, unsigned_lanes, vsubq_##unsigned_lanes)             \
    ON(T##_prod, unsigned_lanes, product)                           \
    ON(T##_min, lanes, least)                                       \
    ON(T##_max, lanes, greatest)
INTEGER(i8, u8, vmulq_u8, s8, vminq_s8, vmaxq_s8)
INTEGER(u8, u8, vmulq_u8, u8, vminq_u8, vmaxq_u8)
INTEGER(i16, u16, vmulq_u16, s16, vminq_s16, vmaxq_s16)
INTEGER(u16, u16, vmulq_u16, u16, vminq_u16, vmaxq_u16)
INTEGER(i32, u32, vmulq_u32, s32, vminq_s32, vmaxq_s32)
INTEGER(u32, u32, vmulq_u32, u32, vminq_u32, vmaxq_u32)
INTEGER(i64, u64, product_u64, s64, least_s64, greatest_s64)
INTEGER(u64, u64, product_u64, u64, least_u64, greatest_u64)
#undef INTEGER

/* ---- Indices and offsets: two lanes of 64 bits ---- */

static inline vector offsets_pair(i64 first, i64 second)
{
    return vreinterpretq_u8_u64(vcombine_u64(vcreate_u64((u64)first), vcreate_u64((u64)second)));
}
static inline vector offsets_repeated(i64 value)
{
    return vreinterpretq_u8_s64(vdupq_n_s64(value));
}
/*
 * T_load_strided loads two indices that are `step` bytes apart, and T_load_indices two that follow each other. A
 * uint64 beyond int64 becomes negative. T_load_fours loads vector v, half a tuple, of tuples of four that are
 * `step` bytes apart.
 */
#define INDICES(T, following)                                                                         \
    static inline vector T##_load_strided(const char *source, i64 step)                               \
    {                                                                                                 \
        return offsets_pair((i64) * (const T##_at *)source, (i64) * (const T##_at *)(source + step)); \
    }                                                                                                 \
    static inline vector T##_load_indices(const char *source)                                         \
    {                                                                                                 \
        return following;                                                                             \
    }                                                                                                 \
    static inline vector T##_load_fours(const char *tuples, int32_t v, i64 step)                      \
    {                                                                                                 \
        return T##_load_indices(tuples + v / 2 * step + v % 2 * 2 * (i64)sizeof(T));                  \
    }
INDICES(i32, vreinterpretq_u8_s64(vmovl_s32(vreinterpret_s32_u8(vld1_u8((const void *)source)))))
INDICES(i64, load(source))
#undef INDICES
static inline vector lows(vector a, vector b)
{
    return vcombine_u8(vget_low_u8(a), vget_low_u8(b));
}
static inline vector highs(vector a, vector b)
{
    return vcombine_u8(vget_high_u8(a), vget_high_u8(b));
}
/*
 * Transposes two tuples of two to four coordinates. `tuples` holds them as they are in memory, a0 b0 ... a1 b1
 * ..., and is left with one vector for each coordinate.
 */
STREW_INLINE void offsets_transpose(vector *tuples, int32_t coordinates)
{
    const vector v0 = tuples[0], v1 = tuples[1], v2 = tuples[2], v3 = tuples[3];
    if (coordinates == 2) {
        tuples[0] = lows(v0, v1);
        tuples[1] = highs(v0, v1);
    } else if (coordinates == 3) {
        tuples[0] = vcombine_u8(vget_low_u8(v0), vget_high_u8(v1));
        tuples[1] = vcombine_u8(vget_high_u8(v0), vget_low_u8(v2));
        tuples[2] = vcombine_u8(vget_low_u8(v1), vget_high_u8(v2));
    } else {
        tuples[0] = lows(v0, v2);
        tuples[1] = highs(v0, v2);
        tuples[2] = lows(v1, v3);
        tuples[3] = highs(v1, v3);
    }
}
AS(either, vorrq_u8)
static inline vector either_of_three(vector a, vector b, vector c)
{
    return either(a, either(b, c));
}
/* Adds the wrap_size to the negative lanes. */
static inline vector offsets_wrapped(vector offsets, vector wrap_size)
{
    const vector negative = vreinterpretq_u8_s64(vshrq_n_s64(vreinterpretq_s64_u8(offsets), 63));
    return i64_sum(offsets, vandq_u8(negative, wrap_size));
}
/* Takes the lanes of `negative` where the sign is negative, and those of `other` elsewhere. */
static inline vector offsets_select(vector sign, vector negative, vector other)
{
    const vector chosen = vreinterpretq_u8_s64(vshrq_n_s64(vreinterpretq_s64_u8(sign), 63));
    return vbslq_u8(chosen, negative, other);
}
static inline vector offsets_shift_right(vector offsets, int32_t bits)
{
    return vreinterpretq_u8_u64(vshlq_u64(vreinterpretq_u64_u8(offsets), vdupq_n_s64(-bits)));
}
static inline bool offsets_any_negative(vector offsets)
{
    const int64x2_t lanes = vreinterpretq_s64_u8(offsets);
    return (vgetq_lane_s64(lanes, 0) | vgetq_lane_s64(lanes, 1)) < 0;
}
/* The products of the lower halves of the lanes, which are signed. */
static inline int64x2_t product_of_halves(int64x2_t a, int64x2_t b)
{
    return vmull_s32(vmovn_s64(a), vmovn_s64(b));
}
ON(offsets_product, s64, product_of_halves)

/* NEON of 32-bit ARM takes subnormals for zeros and has no float64. Scalar kernels combine all floats there. */
#ifndef __arm__

/* ---- Floats ---- */

/* FMIN and FMAX mean what the scalar vocabulary does: a NaN if either element is one, and -0 is less than +0. */
#define FLOAT(T)               \
    ON(T##_sum, T, vaddq_##T)  \
    ON(T##_sub, T, vsubq_##T)  \
    ON(T##_prod, T, vmulq_##T) \
    ON(T##_min, T, vminq_##T)  \
    ON(T##_max, T, vmaxq_##T)
FLOAT(f32)
FLOAT(f64)
#undef FLOAT

/* A single float in all lanes: FMIN and FMAX are one instruction each, which C has no expression for. */
#define ONE_LANE_FLOATS
#define ONE_LANE(T)                                       \
    static inline vector T##_load_one(const char *source) \
    {                                                     \
        return T##_repeated(source);                      \
    }
ONE_LANE(f32)
ONE_LANE(f64)
#undef ONE_LANE

/*
 * Halves are widened to float32, a vector of halves to two of floats, combined, and narrowed to nearest even.
 * T_narrow_kept is a narrowed float that is widened again.
 */
typedef float32x4_t floats;
typedef struct float_pair {
    floats low, high;
} float_pair;
static inline float32x4_t f16_widen(uint16x4_t halves)
{
    return vcvt_f32_f16(vreinterpret_f16_u16(halves));
}
static inline float_pair f16_widened(vector halves)
{
    const uint16x8_t all = vreinterpretq_u16_u8(halves);
    return (float_pair){f16_widen(vget_low_u16(all)), widen_upper_f16(all)};
}
static inline float32x4_t f16_widen_one(f16 half)
{
    return f16_widen(vdup_n_u16(half));
}
static inline uint16x4_t f16_narrow(float32x4_t value)
{
    return vreinterpret_u16_f16(vcvt_f16_f32(value));
}
static inline vector f16_narrowed(float_pair value)
{
    return vreinterpretq_u8_u16(narrow_to_f16(value.low, value.high));
}
static inline float32x4_t f16_narrow_kept(float32x4_t value)
{
    return vcvt_f32_f16(vcvt_f16_f32(value));
}

/* Zips and comparisons, because some cores shift in one of their pipes alone. */
static inline float_pair bf16_widened(vector halves)
{
    const uint16x8_t all = vreinterpretq_u16_u8(halves), none = vdupq_n_u16(0);
    return (float_pair){vreinterpretq_f32_u16(vzip1q_u16(none, all)), vreinterpretq_f32_u16(vzip2q_u16(none, all))};
}
static inline float32x4_t bf16_widen_one(bf16 half)
{
    const uint32x4_t upper = vdupq_n_u32(0xffff0000);
    return vreinterpretq_f32_u32(vandq_u32(vreinterpretq_u32_u16(vdupq_n_u16(half)), upper));
}
/*
 * Adds the lowest bit that stays: with 0x7fff more the upper half is rounded to even. No NaN comes here that this
 * could carry into the sign: the NaNs of combined bfloat16 have zeros in their lower halves.
 */
static inline uint32x4_t bf16_tied_to_even(float32x4_t value)
{
    const uint32x4_t bits = vreinterpretq_u32_f32(value);
    return vsubq_u32(bits, vtstq_u32(bits, vdupq_n_u32(0x10000)));
}
static inline uint16x4_t bf16_narrow(float32x4_t value)
{
    return vaddhn_u32(bf16_tied_to_even(value), vdupq_n_u32(0x7fff));
}
static inline vector bf16_narrowed(float_pair value)
{
    return vreinterpretq_u8_u16(vcombine_u16(bf16_narrow(value.low), bf16_narrow(value.high)));
}
static inline float32x4_t bf16_narrow_kept(float32x4_t value)
{
    const uint32x4_t nearest = vaddq_u32(bf16_tied_to_even(value), vdupq_n_u32(0x7fff));
    return vreinterpretq_f32_u32(vandq_u32(nearest, vdupq_n_u32(0xffff0000)));
}

/* A single half in all lanes. */
#define HALVES_IN_LANES

#define HALF(T, combination, float_combination)         \
    FOLDED(T##_folded_##combination, float_combination) \
    HALF_AND_FLOAT(T, combination, float_combination, narrow)
#define FOLDED(name, float_combination) \
    COMBINATION(                        \
        float_pair, name,               \
        ((float_pair){float_combination(data.low, update.low), float_combination(data.high, update.high)}))
#define HALVES(T)                                   \
    static inline T T##_narrow_one(floats value)    \
    {                                               \
        return vget_lane_u16(T##_narrow(value), 0); \
    }                                               \
    HALF(T, sum, vaddq_f32)                         \
    HALF(T, sub, vsubq_f32)                         \
    HALF(T, prod, vmulq_f32)                        \
    HALF(T, min, vminq_f32)                         \
    HALF(T, max, vmaxq_f32)
HALVES(f16)
HALVES(bf16)
#undef HALVES
#undef HALF

#define ROWS_OF_HALVES(T)                                                                  \
    typedef float_pair T##_folded;                                                         \
    enum { T##_VECTOR_BYTES = VECTOR_BYTES };                                              \
    FOLDED(T##_folded_quotient, vdivq_f32)                                                 \
    static inline float_pair T##_divisor(u64 count)                                        \
    {                                                                                      \
        return (float_pair){vdupq_n_f32((f32)count), vdupq_n_f32((f32)count)};             \
    }                                                                                      \
    static inline float_pair T##_repeated(const char *element)                             \
    {                                                                                      \
        const floats value = T##_widen_one(*(const u16_at *)element);                      \
        return (float_pair){value, value};                                                 \
    }                                                                                      \
    static inline float_pair T##_folded_load(const char *source)                           \
    {                                                                                      \
        return T##_widened(load(source));                                                  \
    }                                                                                      \
    static inline float_pair T##_folded_load_part(const char *source, size_t bytes)        \
    {                                                                                      \
        return T##_widened(load_part(source, bytes));                                      \
    }                                                                                      \
    static inline void T##_folded_store(char *target, float_pair value)                    \
    {                                                                                      \
        store(target, T##_narrowed(value));                                                \
    }                                                                                      \
    static inline void T##_folded_store_part(char *target, float_pair value, size_t bytes) \
    {                                                                                      \
        store_part(target, T##_narrowed(value), bytes);                                    \
    }                                                                                      \
    static inline float_pair T##_folded_rounded(float_pair value)                          \
    {                                                                                      \
        return (float_pair){T##_narrow_kept(value.low), T##_narrow_kept(value.high)};      \
    }
ROWS_OF_HALVES(f16)
ROWS_OF_HALVES(bf16)
static inline float_pair f16_folded_sum_of_product(float_pair data, float_pair factor, float_pair update)
{
    return (float_pair){vfmaq_f32(data.low, factor.low, update.low),
                        vfmaq_f32(data.high, factor.high, update.high)};
}
#undef ROWS_OF_HALVES
#undef FOLDED

/* ---- Complex numbers: real and imaginary parts alternate ---- */

/*
 * With data (a, b) and update (c, d) the product is (a * c - b * d, a * d + b * c). Adding -(b * d) gives the same
 * bits as subtracting b * d.
 */
static inline float32x4_t product_c64(float32x4_t ab, float32x4_t cd)
{
    const uint32x4_t minus = vtrn1q_u32(vdupq_n_u32(0x80000000), vdupq_n_u32(0));
    const float32x4_t a_products = vmulq_f32(vtrn1q_f32(ab, ab), cd);
    const float32x4_t b_products = vmulq_f32(vtrn2q_f32(ab, ab), vrev64q_f32(cd));
    const uint32x4_t b_signed = veorq_u32(vreinterpretq_u32_f32(b_products), minus);
    return vaddq_f32(a_products, vreinterpretq_f32_u32(b_signed));
}
static inline float64x2_t product_c128(float64x2_t ab, float64x2_t cd)
{
    const uint64x2_t minus = vcombine_u64(vcreate_u64(0x8000000000000000), vcreate_u64(0));
    const float64x2_t dc = vcombine_f64(vget_high_f64(cd), vget_low_f64(cd));
    const float64x2_t a_products = vmulq_f64(vtrn1q_f64(ab, ab), cd);
    const float64x2_t b_products = vmulq_f64(vtrn2q_f64(ab, ab), dc);
    const uint64x2_t b_signed = veorq_u64(vreinterpretq_u64_f64(b_products), minus);
    return vaddq_f64(a_products, vreinterpretq_f64_u64(b_signed));
}

AS(c64_sum, f32_sum)
AS(c64_sub, f32_sub)
ON(c64_prod, f32, product_c64)
AS(c128_sum, f64_sum)
AS(c128_sub, f64_sub)
ON(c128_prod, f64, product_c128)

#endif

#undef ON

#endif
