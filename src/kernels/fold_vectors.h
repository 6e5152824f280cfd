/*
 * What the folds of all dtypes share: where vectors of rows are, and where runs end. A vocabulary that can compare
 * offsets defines OFFSETS_MASK: what offsets_equal gives of equal ones.
 */
#ifndef STREW_KERNELS_FOLD_VECTORS_H
#define STREW_KERNELS_FOLD_VECTORS_H

#include "kernels/glue.h"

/*
 * Some columns of a row, which begin and end there. Of the vectors that cover them, a constant, the second half is
 * counted from the end, because those in the middle may share elements. None cover what is a part of one.
 */
typedef struct fold_columns {
    char *begin, *end;
    size_t bytes;
} fold_columns;

INLINE fold_columns columns_at(fold_columns first, int64_t offset)
{
    return (fold_columns){first.begin + offset, first.end + offset, first.bytes};
}

/* Two addresses, from which each vector has a constant distance. */
INLINE fold_columns columns_of(const char *row, size_t bytes)
{
    fold_columns columns = {(char *)(uintptr_t)row, (char *)(uintptr_t)row + bytes, bytes};
    STREW_KEEP_APART(columns.end);
    return columns;
}

INLINE char *column_vector(fold_columns columns, size_t v, size_t vectors, size_t bytes)
{
    return v < (vectors + 1) / 2 ? columns.begin + v * bytes : columns.end - (vectors - v) * bytes;
}

/* The lines in which its vectors begin, and the one of its byte `last`. */
INLINE void columns_prefetch(fold_columns columns, size_t vectors, size_t bytes, size_t last)
{
    for (size_t v = 0; v < vectors; v++)
        if (v * bytes % STREW_CACHE_LINE == 0)
            STREW_PREFETCH(column_vector(columns, v, vectors, bytes));
    if (vectors > 2 || last > 0)
        STREW_PREFETCH(columns.begin + last);
}

/* Where the run that begins with an entry ends. */
INLINE size_t fold_run_end(const int64_t *target_offsets, size_t begin, size_t count, bool apart)
{
    const int64_t run = target_offsets[begin];
    size_t end = begin + 1;
    if (apart || end == count || target_offsets[end] != run)
        return end;
#ifdef OFFSETS_MASK
    const vector runs = offsets_repeated(run);
    while (end + OFFSET_LANES <= count &&
           offsets_equal(load((const char *)(target_offsets + end)), runs) == OFFSETS_MASK)
        end += OFFSET_LANES;
#endif
    while (end < count && target_offsets[end] == run)
        end++;
    return end;
}

INLINE size_t fold_least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* So many vectors hold a row, or 1 the part of one that it is. */
INLINE size_t fold_held(size_t vectors)
{
    return vectors > 0 ? vectors : 1;
}

#endif
