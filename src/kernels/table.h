/* Reads the indices of positions into tables of elements, and their bounds. */
#ifndef STREW_KERNELS_TABLE_H
#define STREW_KERNELS_TABLE_H

#include "kernels/glue.h"

/* How positions name elements: by offsets, or by indices of either dtype. */
typedef enum table_form { BY_OFFSETS, BY_INT32, BY_INT64 } table_form;

/* Returns the index of position i. A negative index becomes larger than any size. */
INLINE u64 table_index(const char *indices, size_t i, bool is_narrow)
{
    return is_narrow ? (u64)((const i32_at *)indices)[i] : (u64)((const i64_at *)indices)[i];
}

INLINE size_t table_index_size(bool is_narrow)
{
    return is_narrow ? sizeof(i32) : sizeof(i64);
}

/* Reads the indices of positions i and i + 1. One load reads two int32. */
INLINE void table_read_pair(const char *indices, size_t i, bool is_narrow, u64 *pair)
{
    const bool is_joined = is_narrow && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    const u64 both = *(const u64_at *)(indices + i * table_index_size(is_narrow));
    pair[0] = is_joined ? (u64)(i32)both : table_index(indices, i, is_narrow);
    pair[1] = is_joined ? (u64)((i64)both >> 32) : table_index(indices, i + 1, is_narrow);
}

/* Hides is_narrow from the compiler, which would otherwise compile a loop for each of its values. */
INLINE bool hide_from_compiler(unsigned is_narrow)
{
    STREW_KEEP_APART(is_narrow);
    return is_narrow != 0;
}

/* The last element of a table, and what is added to a negative index. No offset exceeds the last element. */
typedef struct table_bounds {
    u64 last, wrap_size;
} table_bounds;

/*
 * Returns whether position i and the next three name the same element. The comparisons make one branch, because a
 * CPU could not predict several.
 */
INLINE bool begins_run(const char *indices, size_t i, bool is_narrow)
{
    const u64 index = table_index(indices, i, is_narrow);
    return ((table_index(indices, i + 1, is_narrow) ^ index) | (table_index(indices, i + 2, is_narrow) ^ index) |
            (table_index(indices, i + 3, is_narrow) ^ index)) == 0;
}

#endif
