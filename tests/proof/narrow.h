/*
 * Integers of few bits that replace int64_t and uint64_t, so that a proof can try every value. A source of the
 * library, included after this header as C++, is compiled with them: an overflow, a division by zero or a shift too
 * far ends the proof. Conversions from the real integers (ranks, dtypes, literals) are not checked: these have half
 * the bits of int64_t.
 *
 *   BITS           of int64_t and uint64_t
 *   POINTER_BITS   of ptrdiff_t; BITS by default
 */
#ifndef STREW_PROOF_NARROW_H
#define STREW_PROOF_NARROW_H

#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <type_traits>

#ifndef POINTER_BITS
#define POINTER_BITS BITS
#endif

/* The current case, which a failure prints. */
static char proof_case[512];

[[noreturn]] static void proof_fail(const char *what)
{
    printf("refuted: %s\n%s\n", what, proof_case);
    exit(1);
}

#define PROVE(condition)            \
    do {                            \
        if (!(condition))           \
            proof_fail(#condition); \
    } while (0)

template <int bits, bool is_signed> struct narrow;

template <int bits> using narrow_signed = narrow<bits, true>;
template <int bits> using narrow_unsigned = narrow<bits, false>;

/* `exact` is the value that an operation has without limits. A signed one must fit, an unsigned one wraps. */
template <int bits, bool is_signed> struct narrow {
    static const int modulus = 1 << bits;
    static const int least = is_signed ? -modulus / 2 : 0;
    static const int greatest = least + modulus - 1;
    int16_t value;

    narrow() = default;
    template <class T, class = std::enable_if_t<std::is_integral<T>::value || std::is_enum<T>::value>>
    narrow(T given) : value(wrapped((long)given))
    {
    }
    template <int other_bits, bool other_signed>
    explicit narrow(narrow<other_bits, other_signed> other) : value(wrapped(other.value))
    {
    }
    /* Conversions that the sources write out are meant, and widening ones never change the value. */
    template <class T, class = std::enable_if_t<std::is_arithmetic<T>::value>> explicit operator T() const
    {
        return (T)value;
    }

    static int16_t wrapped(long exact)
    {
        const long place = exact & (modulus - 1);
        return (int16_t)(place > greatest ? place - modulus : place);
    }
    static narrow of(long exact)
    {
        narrow result;
        result.value = wrapped(exact);
        if (is_signed && result.value != exact)
            proof_fail("a signed integer overflows");
        return result;
    }
    static narrow divided(narrow a, narrow b, bool wants_remainder)
    {
        if (b.value == 0)
            proof_fail("a division by zero");
        const narrow quotient = of(a.value / b.value);
        return wants_remainder ? of(a.value % b.value) : quotient;
    }
    /* A shift by 63 is one to the highest bit, which these have elsewhere. */
    static narrow shifted(narrow a, long count)
    {
        return of((is_signed ? a.value : a.value & (modulus - 1)) >> (count == 63 ? bits - 1 : count));
    }

    friend narrow operator+(narrow a, narrow b)
    {
        return of((long)a.value + b.value);
    }
    friend narrow operator-(narrow a, narrow b)
    {
        return of((long)a.value - b.value);
    }
    friend narrow operator*(narrow a, narrow b)
    {
        return of((long)a.value * b.value);
    }
    friend narrow operator/(narrow a, narrow b)
    {
        return divided(a, b, false);
    }
    friend narrow operator%(narrow a, narrow b)
    {
        return divided(a, b, true);
    }
    friend narrow operator&(narrow a, narrow b)
    {
        return of(a.value & b.value);
    }
    friend narrow operator|(narrow a, narrow b)
    {
        return of(a.value | b.value);
    }
    friend narrow operator>>(narrow a, int count)
    {
        return shifted(a, count);
    }
    narrow operator-() const
    {
        return of(-(long)value);
    }
    narrow operator~() const
    {
        return of(~(long)value);
    }
    friend narrow &operator+=(narrow &a, narrow b)
    {
        return a = a + b;
    }
    friend narrow &operator-=(narrow &a, narrow b)
    {
        return a = a - b;
    }
    friend narrow &operator*=(narrow &a, narrow b)
    {
        return a = a * b;
    }
    friend narrow &operator/=(narrow &a, narrow b)
    {
        return a = a / b;
    }
    friend narrow &operator|=(narrow &a, narrow b)
    {
        return a = a | b;
    }
    narrow &operator++()
    {
        return *this += 1;
    }
    narrow operator++(int)
    {
        const narrow before = *this;
        *this += 1;
        return before;
    }
    friend bool operator==(narrow a, narrow b)
    {
        return a.value == b.value;
    }
    friend bool operator!=(narrow a, narrow b)
    {
        return a.value != b.value;
    }
    friend bool operator<(narrow a, narrow b)
    {
        return a.value < b.value;
    }
    friend bool operator<=(narrow a, narrow b)
    {
        return a.value <= b.value;
    }
    friend bool operator>(narrow a, narrow b)
    {
        return a.value > b.value;
    }
    friend bool operator>=(narrow a, narrow b)
    {
        return a.value >= b.value;
    }
    template <class T> friend T *operator+(T *pointer, narrow distance)
    {
        return pointer + distance.value;
    }
    template <class T> friend T *&operator+=(T *&pointer, narrow distance)
    {
        return pointer += distance.value;
    }
};

typedef narrow_signed<BITS> proof_int64;
typedef narrow_unsigned<BITS> proof_uint64;

/* The functions of base/compiler.h for these types, which have no builtins. */
static inline bool proof_kept(long exact, proof_int64 *result)
{
    result->value = proof_int64::wrapped(exact);
    return result->value == exact;
}
static inline bool __builtin_narrow_add(proof_int64 a, proof_int64 b, proof_int64 *sum)
{
    return !proof_kept((long)a.value + b.value, sum);
}
static inline bool __builtin_narrow_mul(proof_int64 a, proof_int64 b, proof_int64 *product)
{
    return !proof_kept((long)a.value * b.value, product);
}
#define __builtin_add_overflow __builtin_narrow_add
#define __builtin_mul_overflow __builtin_narrow_mul
#define __builtin_ctzll(bits) __builtin_ctz((unsigned)(bits))

#define int64_t proof_int64
#define uint64_t proof_uint64
#undef INT64_MAX
#undef INT64_MIN
#undef INT32_MAX
#undef PTRDIFF_MAX
#undef INT64_C
#undef UINT64_C
#define INT64_MAX proof_int64(proof_int64::greatest)
#define INT64_MIN proof_int64(proof_int64::least)
#define INT32_MAX proof_int64(narrow_signed<BITS / 2 + 1>::greatest)
#define PTRDIFF_MAX proof_int64(narrow_signed<POINTER_BITS>::greatest)
#define INT64_C(literal) proof_int64(literal)
#define UINT64_C(literal) proof_uint64(literal)

#endif
