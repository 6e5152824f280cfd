/*
 * Defines the macros that the vocabularies of instruction sets (vector.h) are written with, and loads and stores
 * of rows that are too short for any vector.
 */
#ifndef STREW_KERNELS_VOCABULARY_H
#define STREW_KERNELS_VOCABULARY_H

#include "kernels/elements.h"

/* Makes compilers read an operand once. They would read it from memory for each instruction that uses it. */
#if defined(STREW_HAS_ASM) && !defined(STREW_EMULATED)
#define READ_ONCE(operand) __asm__("" : "+v"(operand))
#else
#define READ_ONCE(operand) (void)0
#endif

/*
 * COMBINATION defines a combination by an expression of `data` and `update`. COMBINATION_OF_READ does the same for
 * an expression that uses them more than once. AS defines one of vectors by an instruction or a function.
 */
#define COMBINATION(type, name, expression)         \
    static inline type name(type data, type update) \
    {                                               \
        return expression;                          \
    }
#define COMBINATION_OF_READ(type, name, expression) \
    static inline type name(type data, type update) \
    {                                               \
        READ_ONCE(data);                            \
        READ_ONCE(update);                          \
        return expression;                          \
    }
#define AS(name, instruction) COMBINATION(vector, name, instruction(data, update))

/* Defines the function that repeats an element in all lanes. */
#define REPEATED(T, expression)                            \
    static inline vector T##_repeated(const char *element) \
    {                                                      \
        return expression;                                 \
    }

/*
 * Defines a combination of a half with a float, which widens the half first and narrows the result to a half. Also
 * defines one of two floats, which rounds the result to a half and keeps it as a float.
 */
#define HALF_AND_FLOAT(T, combination, float_combination, narrowing)                  \
    static inline T T##_##combination##_one(T data, floats update)                    \
    {                                                                                 \
        return T##_##narrowing##_one(float_combination(T##_widen_one(data), update)); \
    }                                                                                 \
    static inline floats T##_##combination##_rounded(floats data, floats update)      \
    {                                                                                 \
        return T##_##narrowing##_kept(float_combination(data, update));               \
    }

/*
 * Load and store one to seven bytes as an integer, in memory's order. Each accesses the first and the last bytes;
 * each of these two parts is as long as the largest power of two that fits. Both may share bytes in the middle. No
 * byte outside is accessed.
 */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define FEW_SHIFT(place, bits) (64 - (place + 1) * bits)
#else
#define FEW_SHIFT(place, bits) (place * bits)
#endif
static inline u64 load_few(const char *source, size_t bytes)
{
    if (bytes == 4)
        return (u64) * (const u32_at *)source << FEW_SHIFT(0, 32);
    if (bytes > 4) {
        const u64 first = *(const u32_at *)source, last = *(const u32_at *)(source + bytes - 4);
        return first << FEW_SHIFT(0, 32) | last << FEW_SHIFT(1, 32);
    }
    if (bytes == 2)
        return (u64) * (const u16_at *)source << FEW_SHIFT(0, 16);
    if (bytes > 2) {
        const u64 first = *(const u16_at *)source, last = *(const u16_at *)(source + bytes - 2);
        return first << FEW_SHIFT(0, 16) | last << FEW_SHIFT(1, 16);
    }
    return (u64) * (const u8_at *)source << FEW_SHIFT(0, 8);
}
static inline void store_few(char *target, u64 few, size_t bytes)
{
    if (bytes >= 4) {
        *(u32_at *)target = (u32)(few >> FEW_SHIFT(0, 32));
        if (bytes > 4)
            *(u32_at *)(target + bytes - 4) = (u32)(few >> FEW_SHIFT(1, 32));
    } else if (bytes >= 2) {
        *(u16_at *)target = (u16)(few >> FEW_SHIFT(0, 16));
        if (bytes > 2)
            *(u16_at *)(target + bytes - 2) = (u16)(few >> FEW_SHIFT(1, 16));
    } else {
        *(u8_at *)target = (u8)(few >> FEW_SHIFT(0, 8));
    }
}
#undef FEW_SHIFT

#endif
