/*
 * Includes the instructions of AVX-512: those of the compiler, or SIMDe's emulation if STREW_EMULATED is defined.
 */
#ifndef STREW_AVX512_INSTRUCTIONS_H
#define STREW_AVX512_INSTRUCTIONS_H

#ifdef STREW_EMULATED
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx512.h>
#include <simde/x86/f16c.h>
typedef simde__mmask8 mask_of_8;
typedef simde__mmask16 mask_of_16;
#else
#include <immintrin.h>
typedef __mmask8 mask_of_8;
typedef __mmask16 mask_of_16;
#endif

#endif
