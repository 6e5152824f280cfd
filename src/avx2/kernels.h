/* Declares the AVX2 kernels and their table. Where AVX2 has no kernel, the table has the scalar one. */
#ifndef STREW_AVX2_KERNELS_H
#define STREW_AVX2_KERNELS_H

#include "kernels/kernels.h"

#define KERNEL(type, family, operand, cell) type STREW_KERNEL(family, operand, avx2);
#define LEFT_OUT_KERNEL(type, family, operand) type STREW_KERNEL(family, operand, avx2);
#include "avx2/kernels.inc"
#undef LEFT_OUT_KERNEL
#undef KERNEL

extern const strew_kernels strew_kernels_avx2;

#endif
