#include "engine/identity.h"

#include <math.h>

#include "engine/parallel.h"
#include "kernels/elements.h"

/* Wide enough for any element; the members are the types of kernels/elements.h. */
typedef union identity {
    b8 b8;
    i8 i8;
    i16 i16;
    i32 i32;
    i64 i64;
    u8 u8;
    u16 u16;
    u32 u32;
    u64 u64;
    f16 f16;
    bf16 bf16;
    f32 f32;
    f64 f64;
    c64 c64;
    c128 c128;
} identity;

/*
 * X + 0 is X but for X = -0; X + -0 is X for every X. So -0 is the identity of a float sum, and a first update of
 * -0 stays -0. Subtracting has none: it starts from 0. Halves are written as their bits.
 */
#define ROW(DTYPE, T, zero, minus_zero, one, least, greatest)                                                     \
    [STREW_##DTYPE] = {[STREW_SUM].T = minus_zero, [STREW_SUB].T = zero, [STREW_PROD].T = one, [STREW_MIN].T = greatest, \
                       [STREW_MAX].T = least, [STREW_MEAN].T = minus_zero},
#define COMPLEX_ROW(DTYPE, T)                                                                                     \
    [STREW_##DTYPE] = {[STREW_SUM].T = {-0.0f, -0.0f}, [STREW_SUB].T = {0, 0}, [STREW_PROD].T = {1, 0},           \
                       [STREW_MEAN].T = {-0.0f, -0.0f}},

static const identity identities[STREW_DTYPE_COUNT][STREW_REDUCTION_COUNT] = {
    ROW(BOOL, b8, 0, 0, 1, 0, 1)
    ROW(INT8, i8, 0, 0, 1, INT8_MIN, INT8_MAX)
    ROW(INT16, i16, 0, 0, 1, INT16_MIN, INT16_MAX)
    ROW(INT32, i32, 0, 0, 1, INT32_MIN, INT32_MAX)
    ROW(INT64, i64, 0, 0, 1, INT64_MIN, INT64_MAX)
    ROW(UINT8, u8, 0, 0, 1, 0, UINT8_MAX)
    ROW(UINT16, u16, 0, 0, 1, 0, UINT16_MAX)
    ROW(UINT32, u32, 0, 0, 1, 0, UINT32_MAX)
    ROW(UINT64, u64, 0, 0, 1, 0, UINT64_MAX)
    ROW(FLOAT16, f16, 0x0000, 0x8000, 0x3c00, 0xfc00, 0x7c00)
    ROW(BFLOAT16, bf16, 0x0000, 0x8000, 0x3f80, 0xff80, 0x7f80)
    ROW(FLOAT32, f32, 0.0f, -0.0f, 1.0f, -INFINITY, INFINITY)
    ROW(FLOAT64, f64, 0.0, -0.0, 1.0, -(f64)INFINITY, (f64)INFINITY)
    COMPLEX_ROW(COMPLEX64, c64)
    COMPLEX_ROW(COMPLEX128, c128)
};

bool strew_start_from_identity(const strew_plan_body *plan, const strew_walk *walk, strew_places at,
                               const strew_parallel *parallel)
{
    identity element = identities[plan->dtype][plan->reduction];
    strew_walk filling = *walk;
    for (int32_t d = 0; d < filling.dims; d++)
        filling.dim[d].dense_step = 0;
    at.dense = (char *)&element;
    return strew_walk_run_parallel(&filling, at, plan->kernels->scatter[strew_move_size_of(walk->row_bytes)],
                                   STREW_CONFLICTS_WRITES, parallel);
}
