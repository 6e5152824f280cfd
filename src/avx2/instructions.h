/*
 * Includes the instructions of AVX2, F16C and FMA: those of the compiler, or SIMDe's emulation if STREW_EMULATED is
 * defined.
 */
#ifndef STREW_AVX2_INSTRUCTIONS_H
#define STREW_AVX2_INSTRUCTIONS_H

#ifdef STREW_EMULATED
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx2.h>
#include <simde/x86/f16c.h>
#include <simde/x86/fma.h>
#else
#include <immintrin.h>
#endif

/* 32-bit x86 has no general register of 64 bits, and compilers lack the intrinsics that would use one. */
#if !defined(STREW_EMULATED) && (defined(__i386__) || defined(_M_IX86))
static inline __m128i strew_mm_cvtsi64_si128(long long value)
{
    return _mm_loadl_epi64((const __m128i *)&value);
}
static inline long long strew_mm_cvtsi128_si64(__m128i vector)
{
    long long value;
    _mm_storel_epi64((__m128i *)&value, vector);
    return value;
}
#define _mm_cvtsi64_si128 strew_mm_cvtsi64_si128
#define _mm_cvtsi128_si64 strew_mm_cvtsi128_si64
#define _mm_extract_epi64(vector, lane) strew_mm_cvtsi128_si64(_mm_srli_si128(vector, 8 * (lane)))
#endif

#endif
