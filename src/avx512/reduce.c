/* The AVX-512 reductions of rows of halves. */
#include "avx512/vector.h"

#define STREW_ISA_SUFFIX avx512
#define STREW_KERNEL_LIST "avx512/kernels.inc"
#include "dispatch/kernels.h"
#include "kernels/prototypes.inc"

#define STREW_ISA_SUFFIX avx2
#define STREW_KERNEL_LIST "avx2/kernels.inc"
#include "kernels/prototypes.inc"

#define STREW_ISA_SUFFIX avx512
#define STREW_SHORT_ROWS avx2

#define STREW_T f16
#define STREW_WIDENED
#include "kernels/reduce.inc"

#define STREW_T bf16
#include "kernels/reduce.inc"
