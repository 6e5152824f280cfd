/* The scalar moves: one size at a time, and rows of any length with the C library's memcpy. */
#include <string.h>

#include "kernels/elements.h"

#define STREW_ISA_SUFFIX scalar
#define STREW_KERNEL_LIST "scalar/kernels.inc"
#include "dispatch/kernels.h"
#include "kernels/prototypes.inc"

#define STREW_ISA_SUFFIX scalar

#define STREW_T u8
#define STREW_SIZE x8
#include "kernels/move.inc"

#define STREW_T u16
#define STREW_SIZE x16
#include "kernels/move.inc"

#define STREW_T u32
#define STREW_SIZE x32
#include "kernels/move.inc"

#define STREW_T u64
#define STREW_SIZE x64
#include "kernels/move.inc"

#define STREW_T x128
#define STREW_SIZE x128
#include "kernels/move.inc"

/* Nothing is known here of any cache. */
#define EXPORT_ROWS(size)                                                                                 \
    void strew_gather_##size##_scalar(char *addressed, const int64_t *offsets, size_t count, char *rows,  \
                                      int64_t row_step, size_t row_bytes)                                 \
    {                                                                                                     \
        for (size_t i = 0; i < count; i++)                                                                \
            memcpy(rows + (int64_t)i * row_step, addressed + offsets[i], row_bytes);                      \
    }                                                                                                     \
    void strew_scatter_##size##_scalar(char *addressed, const int64_t *offsets, size_t count, char *rows, \
                                       int64_t row_step, size_t row_bytes)                                \
    {                                                                                                     \
        for (size_t i = 0; i < count; i++)                                                                \
            memcpy(addressed + offsets[i], rows + (int64_t)i * row_step, row_bytes);                      \
    }
EXPORT_ROWS(rows)
EXPORT_ROWS(streamed)
EXPORT_ROWS(interleaved)
