/* The identities of reductions, for calls in which the table's own values take no part (strew.h: use_init_val). */
#include "internal.h"

#include <math.h>

union element {
    bool is_true;
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    uint8_t u8;
    uint16_t u16; /* the bits of halves as well */
    uint32_t u32;
    uint64_t u64;
    float f32, c64[2];
    double f64, c128[2];
};

/* Subtracting starts from 0, and so do those that are not there. */
#define IDENTITIES(member, sum, prod, max, min)                                   \
    {                                                                             \
        [STREW_REDUCTION_SUM].member = sum, [STREW_REDUCTION_PROD].member = prod, \
        [STREW_REDUCTION_MAX].member = max, [STREW_REDUCTION_MIN].member = min    \
    }
#define PARTS(re, im) \
    {                 \
        re, im        \
    }

static const union element identities[STREW_DTYPE_COUNT][STREW_REDUCTION_COUNT] = {
    [STREW_DTYPE_BOOL] = IDENTITIES(is_true, false, true, false, true),
    [STREW_DTYPE_INT8] = IDENTITIES(i8, 0, 1, INT8_MIN, INT8_MAX),
    [STREW_DTYPE_INT16] = IDENTITIES(i16, 0, 1, INT16_MIN, INT16_MAX),
    [STREW_DTYPE_INT32] = IDENTITIES(i32, 0, 1, INT32_MIN, INT32_MAX),
    [STREW_DTYPE_INT64] = IDENTITIES(i64, 0, 1, INT64_MIN, INT64_MAX),
    [STREW_DTYPE_UINT8] = IDENTITIES(u8, 0, 1, 0, UINT8_MAX),
    [STREW_DTYPE_UINT16] = IDENTITIES(u16, 0, 1, 0, UINT16_MAX),
    [STREW_DTYPE_UINT32] = IDENTITIES(u32, 0, 1, 0, UINT32_MAX),
    [STREW_DTYPE_UINT64] = IDENTITIES(u64, 0, 1, 0, UINT64_MAX),
    [STREW_DTYPE_FLOAT16] = IDENTITIES(u16, 0x8000, 0x3c00, 0xfc00, 0x7c00),
    [STREW_DTYPE_BFLOAT16] = IDENTITIES(u16, 0x8000, 0x3f80, 0xff80, 0x7f80),
    [STREW_DTYPE_FLOAT32] = IDENTITIES(f32, -0.0f, 1.0f, -INFINITY, INFINITY),
    [STREW_DTYPE_FLOAT64] = IDENTITIES(f64, -0.0, 1.0, -(double)INFINITY, (double)INFINITY),
    [STREW_DTYPE_COMPLEX64] = IDENTITIES(c64, PARTS(-0.0f, -0.0f), PARTS(1, 0), PARTS(0, 0), PARTS(0, 0)),
    [STREW_DTYPE_COMPLEX128] = IDENTITIES(c128, PARTS(-0.0, -0.0), PARTS(1, 0), PARTS(0, 0), PARTS(0, 0)),
};

const void *strew_mpi_identity(strew_reduction reduction, strew_dtype dtype)
{
    return &identities[dtype][reduction];
}
