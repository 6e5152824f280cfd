/*
 * Refuses to compile with options that would silently change results. strew's build sets the flags that keep
 * floats exact (cmake/StrewExact.cmake); these checks protect every other build.
 */
#ifndef STREW_BASE_ARITHMETIC_H
#define STREW_BASE_ARITHMETIC_H

#include <float.h>
#include <limits.h>
#include <stdint.h>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || defined(_M_FP_FAST)
#error \
    "strew cannot be compiled with -ffast-math, -Ofast, -ffinite-math-only or /fp:fast: NaN, infinity and -0 have their rules"
#endif
#if defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error \
    "strew cannot be compiled with -funsafe-math-optimizations or parts of it: sums keep their order, and -0 its sign"
#endif
#if FLT_EVAL_METHOD != 0
#error \
    "strew needs float and double to be computed as such: on 32-bit x86 -msse2 -mfpmath=sse, elsewhere -fexcess-precision=fast"
#endif

_Static_assert(
    FLT_RADIX == 2 && FLT_MANT_DIG == 24 && DBL_MANT_DIG == 53 && FLT_MAX_EXP == 128 && DBL_MAX_EXP == 1024,
    "float and double are those of IEEE 754: -fsingle-precision-constant, -fshort-double and the like change them");
_Static_assert(sizeof(1.0) == sizeof(double),
               "a constant like 1.0 is a double: not with -fsingle-precision-constant");
_Static_assert(CHAR_BIT == 8 && (int8_t)-1 == ~0, "bytes have 8 bits, and integers are in two's complement");

/*
 * Makes the compiler treat `value` as a new value, so that it fuses no operation across this point.
 * -ffp-contract=off forbids fusing, but gcc's vectoriser fuses products of complex numbers all the same (gcc 12:
 * VFMADDSUB, FCMLA), where it may use such an instruction: on x86 with FMA or AVX-512, on ARM with complex numbers
 * or SVE.
 */
#if defined(__clang__) || defined(_MSC_VER)
#define STREW_KEEP_ROUNDED(value) (void)0
#elif defined(__FMA__) || defined(__FMA4__) || defined(__AVX512F__)
#define STREW_KEEP_ROUNDED(value) __asm__("" : "+x"(value))
#elif defined(__ARM_FEATURE_COMPLEX) || defined(__ARM_FEATURE_SVE)
#define STREW_KEEP_ROUNDED(value) __asm__("" : "+w"(value))
#else
#define STREW_KEEP_ROUNDED(value) (void)0
#endif

#endif
