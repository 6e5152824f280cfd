/* Tables of single elements, as kernels go over them. */
#ifndef STREW_KERNELS_TABLE_H
#define STREW_KERNELS_TABLE_H

#include "kernels/glue.h"

/* What names the elements: offsets, or indices of either dtype. */
typedef enum table_form { BY_OFFSETS, BY_INT32, BY_INT64 } table_form;

INLINE table_form table_form_of(const strew_table *table)
{
    return table->size == 0 ? BY_OFFSETS : table->is_narrow ? BY_INT32 : BY_INT64;
}

/* A negative index is more than any size. */
INLINE u64 table_index(const char *indices, size_t i, bool is_narrow)
{
    return is_narrow ? (u64)((const i32_at *)indices)[i] : (u64)((const i64_at *)indices)[i];
}

INLINE size_t table_index_size(bool is_narrow)
{
    return is_narrow ? sizeof(i32) : sizeof(i64);
}

/* Hides from the compiler which it is, or it would make a loop for each. */
INLINE bool told_each_time(unsigned is_narrow)
{
    STREW_KEEP_APART(is_narrow);
    return is_narrow != 0;
}

/* The last element of a table, and what is added to a negative index. No offset is more than the last. */
typedef struct table_bounds {
    u64 last, gain;
} table_bounds;

INLINE table_bounds table_bounds_of(const strew_table *table)
{
    return (table_bounds){(u64)table->size - 1, table->wrap ? (u64)table->size : 0};
}

/* Whether position i and the next ones name the same element. One branch: a CPU could not foresee several. */
INLINE bool begins_run(const char *indices, size_t i, bool is_narrow)
{
    const u64 index = table_index(indices, i, is_narrow);
    return ((table_index(indices, i + 1, is_narrow) ^ index) | (table_index(indices, i + 2, is_narrow) ^ index) |
            (table_index(indices, i + 3, is_narrow) ^ index)) == 0;
}

#endif
