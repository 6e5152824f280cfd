/* The scalar moves: one size at a time, and rows of any length with the C library's memcpy. */
#include <string.h>

#include "kernels/glue.h"
#include "scalar/kernels.h"

#define STREW_ISA scalar

#define STREW_T x8
#include "kernels/move.inc"
#undef STREW_T
#define STREW_T x16
#include "kernels/move.inc"
#undef STREW_T
#define STREW_T x32
#include "kernels/move.inc"
#undef STREW_T
#define STREW_T x64
#include "kernels/move.inc"
#undef STREW_T
#define STREW_T x128
#include "kernels/move.inc"
#undef STREW_T

/* Nothing is known here of any cache. */
INLINE void gather_rows(MOVE_PART_PARAMETERS)
{
    for (size_t i = 0; i < count; i++)
        memcpy(dense.rows + (int64_t)i * dense.step, addressed + offsets[i], dense.row_bytes);
}

INLINE void scatter_rows(MOVE_PART_PARAMETERS)
{
    for (size_t i = 0; i < count; i++)
        memcpy(addressed + offsets[i], dense.rows + (int64_t)i * dense.step, dense.row_bytes);
}

void strew_gather_rows_scalar(MOVE_PARAMETERS)
{
    gather_rows(addressed, offsets, count, *dense);
}

void strew_scatter_rows_scalar(MOVE_PARAMETERS)
{
    scatter_rows(addressed, offsets, count, *dense);
}
