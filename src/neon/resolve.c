/* The NEON resolving of the index dtypes that operators use; the others are left to scalar. */
#include "neon/vector.h"

#define STREW_ISA_SUFFIX neon
#define STREW_KERNEL_LIST "neon/kernels.inc"
#include "dispatch/kernels.h"
#include "kernels/prototypes.inc"

#define STREW_ISA_SUFFIX neon

#define STREW_T i32
#define STREW_SIGNED 1
#include "kernels/resolve_places.inc"

#define STREW_T i64
#define STREW_SIGNED 1
#include "kernels/resolve_places.inc"
