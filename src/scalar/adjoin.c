/* Finds where rows stop adjoining, in plain C. */
#include "kernels/glue.h"
#include "scalar/kernels.h"

#define STREW_ISA scalar

/* Compares four rows in one branch. */
INLINE bool four_adjoin(const int64_t *offset, int64_t row_bytes)
{
    return (((offset[0] - offset[-1]) ^ row_bytes) | ((offset[1] - offset[0]) ^ row_bytes) |
            ((offset[2] - offset[1]) ^ row_bytes) | ((offset[3] - offset[2]) ^ row_bytes)) == 0;
}

size_t KERNEL_NAME(adjoin, rows)(ADJOIN_PARAMETERS)
{
    size_t end = begin + 1;
    while (end + 4 <= count && four_adjoin(offsets + end, row_bytes))
        end += 4;
    while (end < count && offsets[end] - offsets[end - 1] == row_bytes)
        end++;
    return end;
}
