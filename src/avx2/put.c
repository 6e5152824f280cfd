/* The AVX2 sums of halves by table: the shared body, eight of which are widened at a time. */
#include "avx2/kernels.h"
#include "avx2/vector.h"

#define STREW_ISA avx2
#define STREW_BODY "kernels/put_halves.inc"
#define STREW_T_KINDS KINDS_OF_HALVES
#include "kernels/each_dtype.inc"
