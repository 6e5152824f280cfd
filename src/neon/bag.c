/* Combines bags, with NEON: the shared body over vectors of 16 bytes. */
#include "neon/kernels.h"
#include "neon/vector.h"
#include "scalar/kernels.h"

#define STREW_ISA neon
#define STREW_BODY "kernels/bag.inc"
#ifdef __arm__ /* see kernels.inc */
#define STREW_T_KINDS (KIND_BOOL | KINDS_OF_INTEGERS)
#else
#define STREW_T_KINDS (KIND_BOOL | KINDS_OF_NUMBERS)
#endif
#include "kernels/each_dtype.inc"
