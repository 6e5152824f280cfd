/*
 * Combines rows of float16 by instructions of FEAT_FP16, and has a table with these kernels. One combination of two
 * halves is rounded to the same bits in float32 first or at once: 24 bits are at least two more than twice 11.
 */
#include "kernels/glue.h"
#include "neon/kernels.h"
#include "neon/vector.h"
#include "scalar/kernels.h"

#ifdef STREW_NEON_HAS_FP16

#define LEFT_OUT_KERNEL(type, family, operand)

#ifndef __arm__
typedef f16 fp16;

/* C has no names for the instructions where the compiler may not use them by itself: clang is told that it may in
 * what follows, and the assembler of others. */
#if defined(STREW_EMULATED) || !defined(STREW_HAS_ASM)
#define NATIVE(combination, instruction)    \
    COMBINATION(vector, fp16_##combination, \
                f16_narrowed(f16_folded_##combination(f16_widened(data), f16_widened(update))))
#else
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("fullfp16"))), apply_to = function)
#define ALLOWED
#else
#define ALLOWED ".arch_extension fp16\n\t"
#endif
#define NATIVE(combination, instruction)                                                             \
    static inline vector fp16_##combination(vector data, vector update)                              \
    {                                                                                                \
        vector result;                                                                               \
        __asm__(ALLOWED instruction " %0.8h, %1.8h, %2.8h" : "=w"(result) : "w"(data), "w"(update)); \
        return result;                                                                               \
    }
#endif
NATIVE(sum, "fadd")
NATIVE(sub, "fsub")
NATIVE(prod, "fmul")
NATIVE(min, "fmin")
NATIVE(max, "fmax")
#undef NATIVE

#define KERNEL(type, family, operand, cell) type STREW_KERNEL(family, operand, neon);
REDUCE_ROWS_ORDERED(FLOAT16, float16, fp16, 16)
#undef KERNEL

#define STREW_ISA neon
#define STREW_BODY "kernels/reduce.inc"
#define STREW_T fp16
#define STREW_T_IS_BUILT 1
#define STREW_T_KIND KIND_FLOAT
#define STREW_T_KINDS KIND_FLOAT
#include "kernels/one_dtype.inc"
#undef STREW_T_KIND
#undef STREW_T_KINDS
#undef STREW_BODY
#undef STREW_ISA
#if defined(__clang__) && defined(ALLOWED)
#pragma clang attribute pop
#endif
#undef ALLOWED
#endif

/* The later of two initialisers of one cell counts. */
#pragma GCC diagnostic ignored "-Woverride-init"

const strew_kernels strew_kernels_neon_fp16 = {
#define KERNEL(type, family, operand, cell) .cell = STREW_KERNEL(family, operand, scalar),
#include "scalar/kernels.inc"
#undef KERNEL
#define KERNEL(type, family, operand, cell) .cell = STREW_KERNEL(family, operand, neon),
#include "neon/kernels.inc"
#ifndef __arm__
    REDUCE_ROWS_ORDERED(FLOAT16, float16, fp16, 16)
#endif
#undef KERNEL
};

#undef LEFT_OUT_KERNEL

#endif
