/* Rows that are named by numbers which are checked as they are used. */
#ifndef STREW_KERNELS_NAMED_ROWS_H
#define STREW_KERNELS_NAMED_ROWS_H

#include "kernels/glue.h"

/* The row that a number stands for which is none as it is, if it is right. */
APART u64 gained_row(u64 number, const strew_named_rows *rows)
{
    return number + (u64)rows->gain;
}

/* Where the row that a number names begins. False if the number is wrong. What is seldom used stays in memory. */
INLINE bool find_named_row(const strew_named_rows *rows, i64 count, i64 step, i64 number, i64 *offset)
{
    u64 row = (u64)number;
    if (STREW_SELDOM(row >= (u64)count)) {
        row = gained_row(row, rows);
        if (row >= (u64)count)
            return false;
    }
    *offset = (i64)row * step;
    return true;
}

/* The same of one that has not been checked, and will only be prefetched: any address will do. */
INLINE const char *named_row_ahead(const char *first, i64 step, i64 number)
{
    const uintptr_t begin = (uintptr_t)first, offset = (uintptr_t)number * (uintptr_t)step;
    return (const char *)(begin + offset);
}

#endif
