/* The AVX2 resolving of the index dtypes that operators use; the others are left to scalar. */
#include "avx2/vector.h"

#define STREW_ISA_SUFFIX avx2
#define STREW_KERNEL_LIST "avx2/kernels.inc"
#include "dispatch/kernels.h"
#include "kernels/prototypes.inc"

#define STREW_ISA_SUFFIX avx2

#define STREW_T i32
#define STREW_SIGNED 1
#include "kernels/resolve_places.inc"

#define STREW_T i64
#define STREW_SIGNED 1
#include "kernels/resolve_places.inc"
