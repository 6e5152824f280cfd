/* The scalar reductions: the shared body over the vocabulary of one element at a time. */
#include "scalar/vector.h"

#define STREW_ISA_SUFFIX scalar
#define STREW_KERNEL_LIST "scalar/kernels.inc"
#include "dispatch/kernels.h"
#include "kernels/prototypes.inc"

#define STREW_ISA_SUFFIX scalar

#define STREW_T b8
#include "scalar/reduce.inc"

#define STREW_T i8
#include "scalar/reduce.inc"

#define STREW_T i16
#include "scalar/reduce.inc"

#define STREW_T i32
#include "scalar/reduce.inc"

#define STREW_T i64
#include "scalar/reduce.inc"

#define STREW_T u8
#include "scalar/reduce.inc"

#define STREW_T u16
#include "scalar/reduce.inc"

#define STREW_T u32
#include "scalar/reduce.inc"

#define STREW_T u64
#include "scalar/reduce.inc"

#define STREW_T f16
#include "scalar/reduce.inc"

#define STREW_T bf16
#include "scalar/reduce.inc"

#define STREW_T f32
#include "scalar/reduce.inc"

#define STREW_T f64
#include "scalar/reduce.inc"

#define STREW_T c64
#define STREW_UNORDERED
#include "scalar/reduce.inc"

#define STREW_T c128
#define STREW_UNORDERED
#include "scalar/reduce.inc"
