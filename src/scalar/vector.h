/*
 * The scalar vocabulary: how two elements of each dtype are combined. It defines the result of every reduction.
 * Every other instruction set must give the same bits (NaN payloads aside).
 *
 *   T T_sum(T data, T update), T_sub, T_prod, T_min, T_max
 *   T T_divided(T sum, u64 count)    of floats, for means
 */
#ifndef STREW_SCALAR_VECTOR_H
#define STREW_SCALAR_VECTOR_H

#include <string.h>

#include "base/arithmetic.h"
#include "kernels/vocabulary.h"

/* bool: any non-zero byte is true. Results are 0 or 1. */

COMBINATION(b8, b8_sum, (data | update) != 0)
COMBINATION(b8, b8_sub, (data != 0) != (update != 0))
COMBINATION(b8, b8_prod, (data != 0) & (update != 0))
COMBINATION(b8, b8_min, b8_prod(data, update))
COMBINATION(b8, b8_max, b8_sum(data, update))

/*
 * Integers wrap. They are computed in an unsigned type no narrower than unsigned int, because narrower types are
 * promoted to int, whose overflow is undefined.
 */
#define INTEGER(T, WRAPPING)                                         \
    COMBINATION(T, T##_sum, (T)((WRAPPING)data + (WRAPPING)update))  \
    COMBINATION(T, T##_sub, (T)((WRAPPING)data - (WRAPPING)update))  \
    COMBINATION(T, T##_prod, (T)((WRAPPING)data * (WRAPPING)update)) \
    COMBINATION(T, T##_min, update < data ? update : data)           \
    COMBINATION(T, T##_max, update > data ? update : data)
INTEGER(i8, u32)
INTEGER(i16, u32)
INTEGER(i32, u32)
INTEGER(i64, u64)
INTEGER(u8, u32)
INTEGER(u16, u32)
INTEGER(u32, u32)
INTEGER(u64, u64)
#undef INTEGER

/*
 * Floats. If two floats differ, the minimum is the same in whichever order they are compared. If one is NaN or
 * both are zeros, the comparison returns the second one. So both orders together hold both NaNs or both zeros: OR
 * keeps a NaN a NaN, and gives -0 if either zero is negative. For a maximum the zeros need AND, which may lose a
 * NaN; the sum of both is then used, which is NaN.
 */
#define BITS(T, BITS_OF_T)                        \
    static inline BITS_OF_T T##_bits(T value)     \
    {                                             \
        BITS_OF_T bits;                           \
        memcpy(&bits, &value, sizeof bits);       \
        return bits;                              \
    }                                             \
    static inline T T##_from_bits(BITS_OF_T bits) \
    {                                             \
        T value;                                  \
        memcpy(&value, &bits, sizeof value);      \
        return value;                             \
    }
BITS(f32, u32)
BITS(f64, u64)
#undef BITS

#define FLOAT(T)                                                        \
    COMBINATION(T, T##_sum, data + update)                              \
    COMBINATION(T, T##_sub, data - update)                              \
    COMBINATION(T, T##_prod, (data * update))                           \
    static inline T T##_divided(T sum, u64 count)                       \
    {                                                                   \
        return sum / (T)(i64)count;                                     \
    }                                                                   \
    static inline T T##_min(T data, T update)                           \
    {                                                                   \
        const T one = data < update ? data : update;                    \
        const T other = update < data ? update : data;                  \
        return T##_from_bits(T##_bits(one) | T##_bits(other));          \
    }                                                                   \
    static inline T T##_max(T data, T update)                           \
    {                                                                   \
        const T one = data > update ? data : update;                    \
        const T other = update > data ? update : data;                  \
        const T both = T##_from_bits(T##_bits(one) & T##_bits(other));  \
        return data != data || update != update ? data + update : both; \
    }
FLOAT(f32)
FLOAT(f64)
#undef FLOAT

/*
 * Converts float16 to float32, exactly. A half that is shifted into place has an exponent that is 112 too small
 * for a float, so 112 is added; for infinity and NaN it is added twice, which makes 255 of 31. A subnormal half
 * has no implicit leading one. It is given the exponent of 2^-14, which adds a leading one, and subtracting 2^-14
 * removes that again.
 */
static inline f32 f32_from_f16(f16 half)
{
    const u32 sign = (u32)(half & 0x8000u) << 16;
    const u32 exponent = half & 0x7c00u;
    const u32 shifted = (u32)(half & 0x7fffu) << 13;
    const u32 bias = 112u << 23;
    const u32 subnormal = f32_bits(f32_from_bits(shifted + bias + (1u << 23)) - f32_from_bits(113u << 23));
    const u32 normal = shifted + bias + (exponent == 0x7c00u ? bias : 0);
    return f32_from_bits(sign | (exponent == 0 ? subnormal : normal));
}

/*
 * Converts float32 to float16, to nearest even. For a normal result the bias of 112 is subtracted, and half a unit
 * in the last place, less one, is added, plus the bit that makes ties even. A carry runs into the exponent, up to
 * infinity, as it should. For a result below 2^-14, 0.5 is added: the last place of the float then is that of a
 * subnormal half, 2^-24, so that the addition rounds.
 */
static inline f16 f16_from_f32(f32 value)
{
    const u32 bits = f32_bits(value);
    const u32 sign = bits >> 16 & 0x8000u;
    const u32 rest = bits & 0x7fffffffu;
    const u32 nearest = (rest - (112u << 23) + 0xfffu + (rest >> 13 & 1u)) >> 13;
    const u32 subnormal = f32_bits(f32_from_bits(rest) + 0.5f) - f32_bits(0.5f);
    const u32 finite = rest < 113u << 23 ? subnormal : nearest;
    const u32 special = rest > 255u << 23 ? 0x7e00u : 0x7c00u;
    return (f16)(sign | (rest >= 143u << 23 ? special : finite));
}

static inline f32 f32_from_bf16(bf16 half)
{
    return f32_from_bits((u32)half << 16);
}

/*
 * Converts float32 to bfloat16, to nearest even. A NaN is made quiet, so that it does not become an infinity when
 * its lower half is dropped.
 */
static inline bf16 bf16_from_f32(f32 value)
{
    const u32 bits = f32_bits(value);
    const u32 nearest = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
    return (bf16)(value != value ? bits >> 16 | 0x40u : nearest);
}

#define HALF(combination)                                                                                          \
    COMBINATION(f16, f16_##combination, f16_from_f32(f32_##combination(f32_from_f16(data), f32_from_f16(update)))) \
    COMBINATION(bf16, bf16_##combination,                                                                          \
                bf16_from_f32(f32_##combination(f32_from_bf16(data), f32_from_bf16(update))))
HALF(sum)
HALF(sub)
HALF(prod)
HALF(min)
HALF(max)
#undef HALF

/* Complex numbers: the plain formulas, with one rounding for each operation. */
#define COMPLEX(T, PART)                                                                                  \
    static inline PART T##_product_of_parts(PART data, PART update)                                       \
    {                                                                                                     \
        PART product = data * update;                                                                     \
        STREW_KEEP_ROUNDED(product);                                                                      \
        return product;                                                                                   \
    }                                                                                                     \
    COMBINATION(T, T##_sum, ((T){data.re + update.re, data.im + update.im}))                              \
    COMBINATION(T, T##_sub, ((T){data.re - update.re, data.im - update.im}))                              \
    COMBINATION(T, T##_prod,                                                                              \
                ((T){T##_product_of_parts(data.re, update.re) - T##_product_of_parts(data.im, update.im), \
                     T##_product_of_parts(data.re, update.im) + T##_product_of_parts(data.im, update.re)}))
COMPLEX(c64, f32)
COMPLEX(c128, f64)
#undef COMPLEX

#endif
