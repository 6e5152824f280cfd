/*
 * Divides rows by their counters, for mean, in plain C. A division rounds once; integers are rounded toward minus
 * infinity.
 */
#include "scalar/kernels.h"
#include "scalar/vector.h"

/* A count is at least 1 and at most INT64_MAX, because no dimension is longer. */
static inline i64 i64_divided(i64 sum, u64 count)
{
    const i64 quotient = sum / (i64)count;
    return quotient - (sum % (i64)count < 0);
}

#define DIVIDED(T, expression)                    \
    static inline T T##_divided(T sum, u64 count) \
    {                                             \
        return expression;                        \
    }
DIVIDED(u64, sum / count)
/* The quotient of a narrower type is no larger than its dividend, so it fits. */
DIVIDED(i8, (i8)i64_divided(sum, count))
DIVIDED(i16, (i16)i64_divided(sum, count))
DIVIDED(i32, (i32)i64_divided(sum, count))
DIVIDED(u8, (u8)u64_divided(sum, count))
DIVIDED(u16, (u16)u64_divided(sum, count))
DIVIDED(u32, (u32)u64_divided(sum, count))
DIVIDED(f16, f16_from_f32(f32_divided(f32_from_f16(sum), count)))
DIVIDED(bf16, bf16_from_f32(f32_divided(f32_from_bf16(sum), count)))
DIVIDED(c64, ((c64){f32_divided(sum.re, count), f32_divided(sum.im, count)}))
DIVIDED(c128, ((c128){f64_divided(sum.re, count), f64_divided(sum.im, count)}))

#define STREW_ISA scalar
#define STREW_BODY "scalar/divide.inc"
#define STREW_T_KINDS KINDS_OF_NUMBERS
#include "kernels/each_dtype.inc"
