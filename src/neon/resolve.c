/* The NEON resolving of each index dtype. */
#include "neon/vector.h"

#define STREW_ISA_SUFFIX neon
#define STREW_KERNEL_LIST "neon/kernels.inc"
#include "dispatch/kernels.h"
#include "kernels/prototypes.inc"

#define STREW_ISA_SUFFIX neon

#define STREW_T i8
#define STREW_SIGNED 1
#include "kernels/resolve_places.inc"

#define STREW_T i16
#define STREW_SIGNED 1
#include "kernels/resolve_places.inc"

#define STREW_T i32
#define STREW_SIGNED 1
#include "kernels/resolve_places.inc"

#define STREW_T i64
#define STREW_SIGNED 1
#include "kernels/resolve_places.inc"

#define STREW_T u8
#define STREW_SIGNED 0
#include "kernels/resolve_places.inc"

#define STREW_T u16
#define STREW_SIGNED 0
#include "kernels/resolve_places.inc"

#define STREW_T u32
#define STREW_SIGNED 0
#include "kernels/resolve_places.inc"

#define STREW_T u64
#define STREW_SIGNED 0
#include "kernels/resolve_places.inc"
