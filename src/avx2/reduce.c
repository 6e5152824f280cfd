/* Combines rows with AVX2: the shared body over vectors of 32 bytes. */
#include "avx2/kernels.h"
#include "avx2/vector.h"

#define STREW_ISA avx2
#define STREW_BODY "kernels/reduce.inc"
#define STREW_T_KINDS (KIND_BOOL | KINDS_OF_NUMBERS)
#include "kernels/each_dtype.inc"
