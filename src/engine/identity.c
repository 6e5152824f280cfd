#include "engine/identity.h"

#include <float.h>
#include <math.h>

#include "kernels/elements.h"

/* Holds an element of any dtype. Its members have the types of kernels/elements.h. */
typedef union identity {
#define MEMBER(CONSTANT, name, suffix, bits) suffix suffix;
    MEMBER(BOOL, bool, b8, 1) STREW_INTEGER_DTYPES(MEMBER) STREW_FLOAT_DTYPES(MEMBER) STREW_COMPLEX_DTYPES(MEMBER)
#undef MEMBER
} identity;

/*
 * X + -0 is X for every X, while -0 + 0 is 0. So -0 is the identity of a float sum, and a first update of -0 stays
 * -0. Subtraction has no identity and starts from 0. Halves are written as their bits. Complex numbers have no
 * least and no greatest value; these entries are 0. So are those of STREW_DTYPE_NONE, which stands for dtypes that
 * are only moved.
 */
#define ROW(T, zero, minus_zero, one, least, greatest)                                                             \
    {                                                                                                              \
        [STREW_REDUCTION_SUM].T = minus_zero, [STREW_REDUCTION_SUB].T = zero, [STREW_REDUCTION_PROD].T = one,      \
        [STREW_REDUCTION_MIN].T = greatest, [STREW_REDUCTION_MAX].T = least, [STREW_REDUCTION_MEAN].T = minus_zero \
    }
#define PARTS(re, im) \
    {                 \
        re, im        \
    }

static const identity identities[STREW_DTYPE_COMPLEX128 + 1][STREW_REDUCTION_COUNT] = {
    [STREW_DTYPE_BOOL] = ROW(b8, 0, 0, 1, 0, 1),
    [STREW_DTYPE_INT8] = ROW(i8, 0, 0, 1, INT8_MIN, INT8_MAX),
    [STREW_DTYPE_INT16] = ROW(i16, 0, 0, 1, INT16_MIN, INT16_MAX),
    [STREW_DTYPE_INT32] = ROW(i32, 0, 0, 1, INT32_MIN, INT32_MAX),
    [STREW_DTYPE_INT64] = ROW(i64, 0, 0, 1, INT64_MIN, INT64_MAX),
    [STREW_DTYPE_UINT8] = ROW(u8, 0, 0, 1, 0, UINT8_MAX),
    [STREW_DTYPE_UINT16] = ROW(u16, 0, 0, 1, 0, UINT16_MAX),
    [STREW_DTYPE_UINT32] = ROW(u32, 0, 0, 1, 0, UINT32_MAX),
    [STREW_DTYPE_UINT64] = ROW(u64, 0, 0, 1, 0, UINT64_MAX),
    [STREW_DTYPE_FLOAT16] = ROW(f16, 0x0000, 0x8000, 0x3c00, 0xfc00, 0x7c00),
    [STREW_DTYPE_BFLOAT16] = ROW(bf16, 0x0000, 0x8000, 0x3f80, 0xff80, 0x7f80),
    [STREW_DTYPE_FLOAT32] = ROW(f32, 0.0f, -0.0f, 1.0f, -INFINITY, INFINITY),
    [STREW_DTYPE_FLOAT64] = ROW(f64, 0.0, -0.0, 1.0, -(f64)INFINITY, (f64)INFINITY),
    [STREW_DTYPE_COMPLEX64] = ROW(c64, PARTS(0, 0), PARTS(-0.0f, -0.0f), PARTS(1, 0), PARTS(0, 0), PARTS(0, 0)),
    [STREW_DTYPE_COMPLEX128] = ROW(c128, PARTS(0, 0), PARTS(-0.0, -0.0), PARTS(1, 0), PARTS(0, 0), PARTS(0, 0)),
};

const void *strew_identity(strew_dtype dtype, strew_reduction reduction)
{
    return &identities[dtype <= STREW_DTYPE_COMPLEX128 ? dtype : STREW_DTYPE_NONE][reduction];
}

/* Subtraction starts from 0. */
const void *strew_zero(strew_dtype dtype)
{
    return strew_identity(dtype, STREW_REDUCTION_SUB);
}

const void *strew_lowest(strew_dtype dtype)
{
    static const identity halves[] = {{.f16 = 0xfbff}, {.bf16 = 0xff7f}};
    static const identity floats[] = {{.f32 = -FLT_MAX}, {.f64 = -DBL_MAX}};
    switch (dtype) {
    case STREW_DTYPE_FLOAT16: return &halves[0];
    case STREW_DTYPE_BFLOAT16: return &halves[1];
    case STREW_DTYPE_FLOAT32: return &floats[0];
    case STREW_DTYPE_FLOAT64: return &floats[1];
    default: return strew_identity(dtype, STREW_REDUCTION_MAX);
    }
}
