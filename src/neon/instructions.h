/* The instructions of NEON: those of the compiler, or emulated by SIMDe where STREW_EMULATED is defined. */
#ifndef STREW_NEON_INSTRUCTIONS_H
#define STREW_NEON_INSTRUCTIONS_H

#ifdef STREW_EMULATED
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/arm/neon.h>

#include "kernels/elements.h"

/* SIMDe does not emulate divisions (as of 0.7.4). */
#define EMULATED_DIVISION(T, type, lanes)                           \
    static inline type strew_vdivq_##T(type dividend, type divisor) \
    {                                                               \
        T quotients[lanes], divisors[lanes];                        \
        vst1q_##T(quotients, dividend);                             \
        vst1q_##T(divisors, divisor);                               \
        for (int i = 0; i < lanes; i++)                             \
            quotients[i] /= divisors[i];                            \
        return vld1q_##T(quotients);                                \
    }
EMULATED_DIVISION(f32, float32x4_t, 4)
EMULATED_DIVISION(f64, float64x2_t, 2)
#undef EMULATED_DIVISION
#define vdivq_f32 strew_vdivq_f32
#define vdivq_f64 strew_vdivq_f64

/*
 * SIMDe's minima and maxima differ from FMIN and FMAX in NaNs and zeros. Of two elements these clear the one that
 * is greater than the other, and take both by OR: the lesser one, or the negative one of two zeros. If one is a
 * NaN, their sum is that NaN. A maximum is the negative of the minimum of the negatives.
 */
#define EMULATED_EXTREMA(T, type, bits, bits_type)                                               \
    static inline type strew_vminq_##T(type a, type b)                                           \
    {                                                                                            \
        const bits_type lesser_a = vbicq_##bits(vreinterpretq_##bits##_##T(a), vcgtq_##T(a, b)); \
        const bits_type lesser_b = vbicq_##bits(vreinterpretq_##bits##_##T(b), vcgtq_##T(b, a)); \
        const type lesser = vreinterpretq_##T##_##bits(vorrq_##bits(lesser_a, lesser_b));        \
        const bits_type are_numbers = vandq_##bits(vceqq_##T(a, a), vceqq_##T(b, b));            \
        return vbslq_##T(are_numbers, lesser, vaddq_##T(a, b));                                  \
    }                                                                                            \
    static inline type strew_vmaxq_##T(type a, type b)                                           \
    {                                                                                            \
        return vnegq_##T(strew_vminq_##T(vnegq_##T(a), vnegq_##T(b)));                           \
    }
EMULATED_EXTREMA(f32, float32x4_t, u32, uint32x4_t)
EMULATED_EXTREMA(f64, float64x2_t, u64, uint64x2_t)
#undef EMULATED_EXTREMA
#undef vminq_f32
#undef vmaxq_f32
#undef vminq_f64
#undef vmaxq_f64
#define vminq_f32 strew_vminq_f32
#define vmaxq_f32 strew_vmaxq_f32
#define vminq_f64 strew_vminq_f64
#define vmaxq_f64 strew_vmaxq_f64
#else
#include <arm_neon.h>
#endif

/* 32-bit ARM does not compare lanes of 64 bits. a is greater where b - a, which saturates, is negative. */
#if !defined(STREW_EMULATED) && defined(__arm__)
static inline uint64x2_t strew_vcgtq_s64(int64x2_t a, int64x2_t b)
{
    return vreinterpretq_u64_s64(vshrq_n_s64(vqsubq_s64(b, a), 63));
}
#define vcgtq_s64 strew_vcgtq_s64
#endif

#endif
