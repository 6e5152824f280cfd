/* The AVX2 reductions: the shared body over vectors of 32 bytes. */
#include "avx2/vector.h"

#define STREW_ISA_SUFFIX avx2
#define STREW_KERNEL_LIST "avx2/kernels.inc"
#include "dispatch/kernels.h"
#include "kernels/prototypes.inc"

#define STREW_ISA_SUFFIX avx2

#define STREW_T b8
#include "kernels/reduce.inc"

#define STREW_T i8
#include "kernels/reduce.inc"

#define STREW_T i16
#include "kernels/reduce.inc"

#define STREW_T i32
#include "kernels/reduce.inc"

#define STREW_T i64
#include "kernels/reduce.inc"

#define STREW_T u8
#include "kernels/reduce.inc"

#define STREW_T u16
#include "kernels/reduce.inc"

#define STREW_T u32
#include "kernels/reduce.inc"

#define STREW_T u64
#include "kernels/reduce.inc"

#define STREW_T f16
#define STREW_HALVES
#define STREW_WIDENED
#include "kernels/reduce.inc"

#define STREW_T bf16
#define STREW_HALVES
#include "kernels/reduce.inc"

#define STREW_T f32
#define STREW_FLOATS
#include "kernels/reduce.inc"

#define STREW_T f64
#define STREW_FLOATS
#include "kernels/reduce.inc"

#define STREW_T c64
#define STREW_UNORDERED
#include "kernels/reduce.inc"

#define STREW_T c128
#define STREW_UNORDERED
#include "kernels/reduce.inc"
