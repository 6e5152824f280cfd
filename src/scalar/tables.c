/* The scalar kernels that move by tables: over bits to look up and to put, over the vocabulary to sum. */
#include "scalar/kernels.h"
#include "scalar/vector.h"

#include "kernels/table_block.h"

#define LOOKUP_BLOCK(size, bytes)                                               \
    INLINE void size##_lookup_block(size##_at *dense, const table_block *named) \
    {                                                                           \
        for (size_t i = 0; i < TABLE_BLOCK; i++)                                \
            dense[i] = *(const size##_at *)named_in(named, i);                  \
    }
STREW_MOVE_FIXED_SIZES(LOOKUP_BLOCK)
#undef LOOKUP_BLOCK

#define STREW_ISA scalar
#define STREW_BODY "scalar/tables.inc"
#define STREW_T_KINDS (KIND_BITS | KINDS_OF_NUMBERS)
#include "kernels/each_dtype.inc"
