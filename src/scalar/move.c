/* The scalar moves and fills: one size at a time, and what has any with the C library's memcpy. */
#include <string.h>

#include "scalar/kernels.h"

#define STREW_ISA scalar
#define STREW_BODY "kernels/move.inc"
#define STREW_T_KINDS KIND_BITS
#include "kernels/each_dtype.inc"

#define STREW_BODY "kernels/fill.inc"
#define STREW_T_KINDS KIND_BITS
#include "kernels/each_dtype.inc"

/* Nothing is known here of any cache. The fields are loaded once, not after each store that may alias. */
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
