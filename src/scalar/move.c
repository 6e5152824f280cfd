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
void strew_gather_rows_scalar(MOVE_PARAMETERS)
{
    const strew_dense rows = *dense;
    for (size_t i = 0; i < count; i++)
        memcpy(rows.rows + (int64_t)i * rows.step, addressed + offsets[i], rows.row_bytes);
}

void strew_scatter_rows_scalar(MOVE_PARAMETERS)
{
    const strew_dense rows = *dense;
    for (size_t i = 0; i < count; i++)
        memcpy(addressed + offsets[i], rows.rows + (int64_t)i * rows.step, rows.row_bytes);
}
