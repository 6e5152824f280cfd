/* The scalar divisions of mean: one rounding, integers toward minus infinity. */
#include "scalar/kernels.h"
#include "scalar/vector.h"

/* A count is at most INT64_MAX, since no dimension is longer, and at least 1. */
static inline i64 i64_divided(i64 sum, u64 count)
{
    const i64 quotient = sum / (i64)count;
    return quotient - (sum % (i64)count < 0);
}
static inline u64 u64_divided(u64 sum, u64 count)
{
    return sum / count;
}
static inline f32 f32_divided(f32 sum, u64 count)
{
    return sum / (f32)count;
}
static inline f64 f64_divided(f64 sum, u64 count)
{
    return sum / (f64)count;
}

/* The quotient of a narrower type is no larger than its dividend, and fits. */
#define THROUGH(T, WIDE)                            \
    static inline T T##_divided(T sum, u64 count)   \
    {                                               \
        return (T)WIDE##_divided((WIDE)sum, count); \
    }
THROUGH(i8, i64)
THROUGH(i16, i64)
THROUGH(i32, i64)
THROUGH(u8, u64)
THROUGH(u16, u64)
THROUGH(u32, u64)
#undef THROUGH

static inline f16 f16_divided(f16 sum, u64 count)
{
    return f16_from_f32(f32_divided(f32_from_f16(sum), count));
}
static inline bf16 bf16_divided(bf16 sum, u64 count)
{
    return bf16_from_f32(f32_divided(f32_from_bf16(sum), count));
}
static inline c64 c64_divided(c64 sum, u64 count)
{
    return (c64){f32_divided(sum.re, count), f32_divided(sum.im, count)};
}
static inline c128 c128_divided(c128 sum, u64 count)
{
    return (c128){f64_divided(sum.re, count), f64_divided(sum.im, count)};
}

#define STREW_ISA scalar
#define STREW_BODY "kernels/divide.inc"
#define STREW_T_KINDS KINDS_OF_NUMBERS
#include "kernels/each_dtype.inc"
