#include "scalar/kernels.h"

const strew_kernels strew_kernels_scalar = {
#define KERNEL(type, family, operand, cell) .cell = strew_##family##_##operand##_scalar,
#include "scalar/kernels.inc"
#undef KERNEL
};
