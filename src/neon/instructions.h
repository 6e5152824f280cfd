/* Includes the instructions of NEON: those of the compiler, or SIMDe's emulation if STREW_EMULATED is defined. */
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
#else
#include <arm_neon.h>
#endif

/*
 * Compares lanes of 64 bits, which 32-bit ARM cannot: a > b if b - a is negative. The difference saturates, so it
 * cannot overflow.
 */
#if !defined(STREW_EMULATED) && defined(__arm__)
static inline uint64x2_t strew_vcgtq_s64(int64x2_t a, int64x2_t b)
{
    return vreinterpretq_u64_s64(vshrq_n_s64(vqsubq_s64(b, a), 63));
}
#define vcgtq_s64 strew_vcgtq_s64
#endif

#endif
