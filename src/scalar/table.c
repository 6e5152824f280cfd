#include "scalar/kernels.h"

const strew_kernels strew_kernels_scalar = {
#define KERNEL(type, family, operand, cell) .cell = STREW_KERNEL(family, operand, scalar),
#include "scalar/kernels.inc"
#undef KERNEL
};
