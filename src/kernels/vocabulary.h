/*
 * What the vocabularies of instruction sets (each one's vector.h) are written with: a line for a combination that
 * is one expression, and the few bytes that are too short for any vector.
 */
#ifndef STREW_KERNELS_VOCABULARY_H
#define STREW_KERNELS_VOCABULARY_H

#include "kernels/elements.h"

/* A combination, as an expression of `data` and `update`, and as an instruction, or a function, on vectors. */
#define COMBINATION(type, name, expression)         \
    static inline type name(type data, type update) \
    {                                               \
        return expression;                          \
    }
#define AS(name, instruction) COMBINATION(vector, name, instruction(data, update))

/*
 * A half combined with a float, to which it is widened before and from which it is narrowed after; and the same of
 * a half that is kept a float, narrowed as it is.
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
 * One to seven bytes in an integer, in memory's order: the first and the last, each the largest power of two that
 * there are. In between they may be the same bytes. Nothing outside them is touched.
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
