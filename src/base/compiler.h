/* Wraps the features that C11 leaves to compilers, for gcc, clang (clang-cl too) and MSVC. */
#ifndef STREW_BASE_COMPILER_H
#define STREW_BASE_COMPILER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) || defined(__clang__)

/* Not inlined where coverage counts the branches of a function once, or where a copy would keep the branches that
 * its constants rule out. */
#if defined(STREW_COUNTED) || !defined(__OPTIMIZE__)
#define STREW_INLINE static inline
#else
#define STREW_INLINE static inline __attribute__((always_inline))
#endif
#define STREW_NOINLINE __attribute__((noinline))
#define STREW_MAYBE_UNUSED __attribute__((unused))
#define STREW_COLD __attribute__((cold))
#ifdef __MINGW32__ /* MinGW's plain printf format is that of old Windows */
#define STREW_PRINTF(pattern, first) __attribute__((format(gnu_printf, pattern, first)))
#else
#define STREW_PRINTF(pattern, first) __attribute__((format(printf, pattern, first)))
#endif
#define STREW_ALIGNED(bytes) __attribute__((aligned(bytes)))
/*
 * Marks a type whose objects may lie at any address and alias any other. It works on a typedef, and on a struct
 * that #pragma pack has packed.
 */
#define STREW_ANYWHERE __attribute__((aligned(1), may_alias))
#define STREW_MAY_ALIAS __attribute__((may_alias))
#define STREW_HAS_ASM
#define STREW_PREFETCH(address) __builtin_prefetch(address)

#elif defined(_MSC_VER)

#include <intrin.h>
#define STREW_INLINE static __forceinline
#define STREW_NOINLINE __declspec(noinline)
#define STREW_MAYBE_UNUSED
#define STREW_COLD
#define STREW_PRINTF(pattern, first)
#define STREW_ALIGNED(bytes) __declspec(align(bytes))
#define STREW_ANYWHERE /* MSVC does no alias analysis by type, and its loads need no alignment */
#define STREW_MAY_ALIAS
#ifdef _M_ARM64
#define STREW_PREFETCH(address) __prefetch(address)
#else
#define STREW_PREFETCH(address) _mm_prefetch((const char *)(address), _MM_HINT_T0)
#endif

#else
#error "strew is written for gcc, clang and MSVC: src/base/compiler.h is where another compiler finds its words"
#endif

/* Whether a small library is worth more than a fast one, as -Os says. */
#ifdef __OPTIMIZE_SIZE__
#define STREW_IS_SMALL 1
#else
#define STREW_IS_SMALL 0
#endif

/*
 * STREW_UNROLLED unrolls a short loop over single elements. STREW_ALL_UNROLLED unrolls a loop over an array of up
 * to 16 registers early enough for the array to stay in them. gcc does neither by itself; clang does.
 */
#if defined(__GNUC__) && !defined(__clang__) && !STREW_IS_SMALL
#define STREW_UNROLLED _Pragma("GCC unroll 4")
#define STREW_ALL_UNROLLED _Pragma("GCC unroll 16")
#else
#define STREW_UNROLLED
#define STREW_ALL_UNROLLED
#endif

/* Tells the compiler that the condition is seldom true, so that the common path has no jump. */
#if defined(__GNUC__)
#define STREW_SELDOM(condition) __builtin_expect(condition, 0)
#else
#define STREW_SELDOM(condition) (condition)
#endif

/* Keeps a loop rolled where unrolling gains nothing. */
#if defined(__GNUC__) && !defined(__clang__)
#define STREW_ROLLED _Pragma("GCC unroll 1")
#elif defined(__clang__)
#define STREW_ROLLED _Pragma("clang loop unroll(disable)")
#else
#define STREW_ROLLED
#endif

/*
 * Hides from the compiler how `value` was computed, so that it neither specialises the code for it nor computes it
 * again.
 */
#ifdef STREW_HAS_ASM
#define STREW_KEEP_APART(value) __asm__("" : "+r"(value))
#else
#define STREW_KEEP_APART(value) (void)0
#endif

/* Returns the place of the lowest bit that is set. At least one bit must be set. */
STREW_INLINE int strew_lowest_bit(uint64_t bits)
{
#if defined(__GNUC__) || defined(__clang__)
    return __builtin_ctzll(bits);
#else
    int place = 0;
    while (!(bits >> place & 1))
        place++;
    return place;
#endif
}

/* Returns how many bits are set. */
STREW_INLINE unsigned strew_count_bits(unsigned bits)
{
#if defined(__GNUC__) || defined(__clang__)
    return (unsigned)__builtin_popcount(bits);
#else
    unsigned count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
#endif
}

/* Each computes a sum or product and returns whether it is exact. On false, ignore the result. */
static inline bool strew_add(int64_t a, int64_t b, int64_t *sum)
{
#if defined(__GNUC__) || defined(__clang__)
    return !__builtin_add_overflow(a, b, sum);
#else
    *sum = (int64_t)((uint64_t)a + (uint64_t)b);
    return (a < 0) != (b < 0) || (*sum < 0) == (a < 0);
#endif
}
static inline bool strew_multiply(int64_t a, int64_t b, int64_t *product)
{
#if defined(__GNUC__) || defined(__clang__)
    return !__builtin_mul_overflow(a, b, product);
#else
    *product = (int64_t)((uint64_t)a * (uint64_t)b);
    return a == 0 || (a == -1 ? b != INT64_MIN : *product / a == b);
#endif
}
static inline bool strew_multiply_sizes(size_t a, size_t b, size_t *product)
{
    *product = a * b;
    return a == 0 || *product / a == b;
}
static inline bool strew_add_sizes(size_t a, size_t b, size_t *sum)
{
    *sum = a + b;
    return *sum >= a;
}

#endif
