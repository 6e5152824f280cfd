/* Moves and fills rows, in plain C: one body for each fixed size, and memcpy for any other size. */
#include <string.h>

#include "scalar/kernels.h"

#define STREW_ISA scalar
#define STREW_BODY "kernels/move.inc"
#define STREW_T_KINDS KIND_BITS
#include "kernels/each_dtype.inc"

#define STREW_BODY "kernels/fill.inc"
#define STREW_T_KINDS KIND_BITS
#include "kernels/each_dtype.inc"

/*
 * These kernels ignore how a move accesses memory. The fields of `dense` are loaded once, not again after each
 * store that might alias them.
 */
void KERNEL_NAME(gather, rows)(MOVE_PARAMETERS)
{
    const strew_dense part = *dense;
    for (size_t i = 0; i < count; i++)
        memcpy(part.rows + (int64_t)i * part.step, addressed + offsets[i], part.row_bytes);
}

void KERNEL_NAME(scatter, rows)(MOVE_PARAMETERS)
{
    const strew_dense part = *dense;
    for (size_t i = 0; i < count; i++)
        memcpy(addressed + offsets[i], part.rows + (int64_t)i * part.step, part.row_bytes);
}

void KERNEL_NAME(fill, rows)(MOVE_PARAMETERS)
{
    const strew_dense part = *dense;
    for (size_t i = 0; i < count; i++) {
        char *const row = addressed + offsets[i];
        for (size_t done = 0; done < part.row_bytes; done += (size_t)part.step) {
            const size_t left = part.row_bytes - done;
            memcpy(row + done, part.rows, left < (size_t)part.step ? left : (size_t)part.step);
        }
    }
}
