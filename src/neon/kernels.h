/* The NEON kernels, and their table, which has scalar kernels where NEON has none. */
#ifndef STREW_NEON_KERNELS_H
#define STREW_NEON_KERNELS_H

#include "kernels/kernels.h"

#define KERNEL(type, family, operand, cell) type STREW_KERNEL(family, operand, neon);
#define LEFT_OUT_KERNEL(type, family, operand) type STREW_KERNEL(family, operand, neon);
#include "neon/kernels.inc"
#undef LEFT_OUT_KERNEL
#undef KERNEL

extern const strew_kernels strew_kernels_neon;

/* A table with kernels for FEAT_FP16, which are left out where size counts. 32-bit ARM has none. */
#if !STREW_IS_SMALL && STREW_HAS(FLOAT16)
#define STREW_NEON_HAS_FP16
extern const strew_kernels strew_kernels_neon_fp16;
#endif

#endif
