/* Declares the scalar kernels and their table, which is complete by itself. */
#ifndef STREW_SCALAR_KERNELS_H
#define STREW_SCALAR_KERNELS_H

#include "kernels/kernels.h"

#define KERNEL(type, family, operand, cell) type STREW_KERNEL(family, operand, scalar);
#define LEFT_OUT_KERNEL(type, family, operand) type STREW_KERNEL(family, operand, scalar);
#include "scalar/kernels.inc"
#undef LEFT_OUT_KERNEL
#undef KERNEL

extern const strew_kernels strew_kernels_scalar;

#endif
