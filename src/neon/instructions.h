/* The instructions of NEON: the compiler's, or, where STREW_EMULATED is defined, emulated by SIMDe. */
#ifndef STREW_NEON_INSTRUCTIONS_H
#define STREW_NEON_INSTRUCTIONS_H

#ifdef STREW_EMULATED
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/arm/neon.h>
#else
#include <arm_neon.h>
#endif

/* 32-bit ARM does not compare lanes of 64 bits: a is greater where b - a is negative, however far below. */
#if !defined(STREW_EMULATED) && defined(__arm__)
static inline uint64x2_t strew_vcgtq_s64(int64x2_t a, int64x2_t b)
{
    return vreinterpretq_u64_s64(vshrq_n_s64(vqsubq_s64(b, a), 63));
}
#define vcgtq_s64 strew_vcgtq_s64
#endif

#endif
