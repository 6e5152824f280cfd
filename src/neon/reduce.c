/* The NEON reductions: the shared body over vectors of 16 bytes. */
#include "neon/vector.h"

#define STREW_ISA_SUFFIX neon
#define STREW_KERNEL_LIST "neon/kernels.inc"
#include "dispatch/kernels.h"
#include "kernels/prototypes.inc"

#define STREW_ISA_SUFFIX neon

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

#ifndef __arm__ /* see kernels.inc */

#define STREW_T f16
#define STREW_HALVES
#include "kernels/reduce.inc"

#define STREW_T bf16
#define STREW_HALVES
#include "kernels/reduce.inc"

#define STREW_T f32
#include "kernels/reduce.inc"

#define STREW_T f64
#include "kernels/reduce.inc"

#define STREW_T c64
#define STREW_UNORDERED
#include "kernels/reduce.inc"

#define STREW_T c128
#define STREW_UNORDERED
#include "kernels/reduce.inc"

#endif
