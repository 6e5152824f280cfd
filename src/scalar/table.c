#include "scalar/kernels.h"

#define LEFT_OUT_KERNEL(type, family, operand)

const strew_kernels strew_kernels_scalar = {
#define KERNEL(type, family, operand, cell) .cell = STREW_KERNEL(family, operand, scalar),
#include "scalar/kernels.inc"
#undef KERNEL
};

#undef LEFT_OUT_KERNEL
