/* What indices of a table name, as many at a time as are moved at once. */
#ifndef STREW_KERNELS_TABLE_BLOCK_H
#define STREW_KERNELS_TABLE_BLOCK_H

#include "base/threshold.h"
#include "kernels/glue.h"

/* The table that is moved by, and all that its moves need. */
#define ONE_TABLE char *dense, const char *indices, size_t count, strew_table table, bool is_narrow
#define THIS_TABLE dense, indices, count, table, is_narrow

/* So many that registers hold their positions; where fewer than some blocks follow each other, they are not worth
 * it. */
enum { TABLE_BLOCK = 8, LEAST_IN_BLOCKS = STREW_THRESHOLD(32, 8) };

/* Which indices are right: those within the size, and if they are not those that the gain brings there. */
typedef struct index_range {
    u64 size, gain;
} index_range;

INLINE index_range range_of(const strew_table *table)
{
    return (index_range){(u64)table->size, table->wrap ? (u64)table->size : 0};
}

/* Which element index i names. False if it names none. */
INLINE bool find_named(u64 *position, const char *indices, size_t i, index_range right, bool is_narrow)
{
    const i64 index = is_narrow ? ((const i32_at *)indices)[i] : ((const i64_at *)indices)[i];
    *position = (u64)index;
    return !STREW_SELDOM(*position >= right.size) || (*position += right.gain) < right.size;
}

INLINE bool find_block(u64 *positions, const char *indices, size_t i, index_range right, bool is_narrow)
{
    for (size_t p = 0; p < TABLE_BLOCK; p++)
        if (!find_named(positions + p, indices, i + p, right, is_narrow))
            return false;
    return true;
}

/* Of a way that tells how one element and a block of them are moved, and the kernel of both. */
#define MOVE_TABLE(way)                                                        \
    INLINE bool OF(way##_singly)(ONE_TABLE)                                    \
    {                                                                          \
        return OF(move_singly)(OF(way##_one), 0, THIS_TABLE);                  \
    }                                                                          \
    INLINE bool OF(way##_in_blocks)(ONE_TABLE)                                 \
    {                                                                          \
        return OF(move_in_blocks)(OF(way##_block), OF(way##_one), THIS_TABLE); \
    }

#define EACH_TABLE(move, is_narrow) OF(move_each_table)(OF(move), dense, indices, count, *table, is_narrow)
#define EXPORT_TABLE(family, singly, in_blocks)                                               \
    bool KERNEL_NAME(family, STREW_T)(TABLE_PARAMETERS)                                       \
    {                                                                                         \
        if (count < LEAST_IN_BLOCKS)                                                          \
            return table->is_narrow ? EACH_TABLE(singly, true) : EACH_TABLE(singly, false);   \
        return table->is_narrow ? EACH_TABLE(in_blocks, true) : EACH_TABLE(in_blocks, false); \
    }

#endif
