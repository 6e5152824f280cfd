/*
 * Declares the AVX-512 kernels and their table. Where AVX-512 has no kernel, the table has that of AVX2 or else
 * the scalar one.
 */
#ifndef STREW_AVX512_KERNELS_H
#define STREW_AVX512_KERNELS_H

#include "kernels/kernels.h"

#define KERNEL(type, family, operand, cell) type STREW_KERNEL(family, operand, avx512);
#define LEFT_OUT_KERNEL(type, family, operand) type STREW_KERNEL(family, operand, avx512);
#include "avx512/kernels.inc"
#undef LEFT_OUT_KERNEL
#undef KERNEL

extern const strew_kernels strew_kernels_avx512;

#endif
