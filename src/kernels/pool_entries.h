/* What the pools of all dtypes share: which rows entries name. */
#ifndef STREW_KERNELS_POOL_ENTRIES_H
#define STREW_KERNELS_POOL_ENTRIES_H

#include "kernels/fold_vectors.h"

/* Some columns of all rows of a call. */
typedef struct pool_call {
    const strew_pool *pool;
    char *target;
    const char *source;
    size_t bytes;
    int64_t target_step;
    size_t begin;
    const int64_t *ends;
    size_t bags;
} pool_call;

/* Its entries. */
typedef struct pool_entries {
    fold_columns sources;
    int64_t source_step;
    i64 rows, gain;
    const char *indices;
    size_t ahead, last; /* which entry's row is prefetched, but for the last one's */
    size_t last_line;   /* of columns that begin and end within lines: their last byte; otherwise 0 */
    const char *weights;
    int64_t weight_step;
} pool_entries;

INLINE pool_entries pool_entries_of(const pool_call *call, size_t bytes)
{
    const strew_pool *const pool = call->pool;
    return (pool_entries){
        .sources = columns_of(call->source, bytes),
        .source_step = pool->source_step,
        .rows = pool->rows,
        .gain = pool->gain,
        .indices = pool->indices,
        .ahead = pool->rows_ahead,
        .last = pool->entries - 1,
        .last_line = columns_last_line(call->source, pool->source_step, bytes),
        .weights = pool->weights,
        .weight_step = pool->weight_step,
    };
}

INLINE i64 pool_index(const pool_entries *entries, bool is_narrow, size_t i)
{
    return is_narrow ? ((const i32_at *)entries->indices)[i] : ((const i64_at *)entries->indices)[i];
}

/* Of the row that is prefetched, whose index has not been checked: any address will do. */
INLINE fold_columns pool_columns_ahead(const pool_entries *entries, bool is_narrow, size_t i)
{
    const size_t later = fold_least(i + entries->ahead, entries->last);
    const uintptr_t index = (uintptr_t)pool_index(entries, is_narrow, later),
                    offset = index * (uintptr_t)entries->source_step;
    const uintptr_t begin = (uintptr_t)entries->sources.begin, end = (uintptr_t)entries->sources.end;
    return (fold_columns){(char *)(begin + offset), (char *)(end + offset), entries->sources.bytes};
}

#endif
