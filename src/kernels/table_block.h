/* What indices name in tables, as many at a time as are moved at once. */
#ifndef STREW_KERNELS_TABLE_BLOCK_H
#define STREW_KERNELS_TABLE_BLOCK_H

#include "base/prefetch.h"
#include "base/threshold.h"
#include "kernels/glue.h"

/* So many as registers hold the places of; where there are fewer than some blocks, they are not worth it. */
enum { TABLE_BLOCK = 8, LEAST_IN_BLOCKS = STREW_THRESHOLD(32, 8) };

/* Across tables; or in one, of whose elements there may be copies, side by side, which positions name by turns. */
typedef enum table_kind { ACROSS_TABLES, IN_TABLE, IN_COPIES } table_kind;
enum { TABLE_COPIES = 4 };

/* Known where the loop over a table is compiled. */
typedef struct table_form {
    table_kind kind;
    bool is_narrow;
} table_form;

#define ONE_TABLE char *dense, const char *indices, size_t count, strew_table table, table_form form
#define THIS_TABLE dense, indices, count, table, form

/* Where the elements of a block are that indices name: each so far from the first, and by as much as its number is
 * of steps. */
typedef struct table_block {
    char *first;
    size_t step;
    i64 offsets[TABLE_BLOCK];
} table_block;

INLINE char *named_in(const table_block *block, size_t n)
{
    return block->first + n * block->step + block->offsets[n];
}

/* Negative ones are beyond any size. */
INLINE u64 plain_index(const char *indices, size_t i, bool is_narrow)
{
    return is_narrow ? (u64)((const i32_at *)indices)[i] : (u64)((const i64_at *)indices)[i];
}

INLINE size_t index_size(bool is_narrow)
{
    return is_narrow ? sizeof(i32) : sizeof(i64);
}

INLINE void prefetch_after_index(const char *indices, size_t i, bool is_narrow)
{
    strew_prefetch_indices(indices + i * index_size(is_narrow), STREW_TABLE_INDICES_AHEAD);
}

/* What is added to those, for which there may be positions. */
INLINE u64 table_gain(const strew_table *table)
{
    return table->wrap ? (u64)table->size : 0;
}

/* Whether two indices are one and the same, and whether the first ones of a block are. */
INLINE bool names_same(const char *indices, size_t i, size_t other, bool is_narrow)
{
    return plain_index(indices, i, is_narrow) == plain_index(indices, other, is_narrow);
}
INLINE bool begins_alike(const table_block *named)
{
    return named->offsets[0] == named->offsets[1] && named->offsets[0] == named->offsets[2] &&
           named->offsets[0] == named->offsets[3];
}

/* A table, and its twin. */
typedef struct twin_tables {
    char *dense[2];
    const char *indices[2];
    strew_table table[2];
} twin_tables;

/* Of a way to move one element and a block of them, loops over either. */
#define MOVE_TABLE(way)                                                        \
    INLINE bool OF(way##_singly)(ONE_TABLE)                                    \
    {                                                                          \
        return OF(move_all)(OF(way##_one), THIS_TABLE);                        \
    }                                                                          \
    INLINE bool OF(way##_in_blocks)(ONE_TABLE)                                 \
    {                                                                          \
        return OF(move_in_blocks)(OF(way##_block), OF(way##_one), THIS_TABLE); \
    }
/* And over those of a table: singly, if it is paced, with indices that are prefetched. */
#define MOVE_IN_TABLE(way)                                                                                         \
    INLINE bool OF(way##_in_table)(ONE_TABLE)                                                                      \
    {                                                                                                              \
        return table.is_paced && !form.is_narrow ? OF(move_some)(OF(way##_one), true, 0, count, THIS_TABLE)        \
                                                 : OF(move_in_blocks)(OF(way##_block), OF(way##_one), THIS_TABLE); \
    }

/* Which it is, as no compiler can tell: or it would make a loop of its own for each answer. */
INLINE bool told_each_time(unsigned is_narrow)
{
    STREW_KEEP_APART(is_narrow);
    return is_narrow != 0;
}

/* The kernel that takes one of these loops, or for single tables another: one for each dtype of indices, or for
 * both where to move takes so long that telling which it is costs nothing. */
#define EACH_TABLE(move, kind, is_narrow) \
    OF(move_each_table)(OF(move), dense, indices, count, *table, (table_form){kind, is_narrow})
#define EACH_INDEX_DTYPE(move, kind)                                               \
    (OF(TAKES_LONG)     ? EACH_TABLE(move, kind, told_each_time(table->is_narrow)) \
     : table->is_narrow ? EACH_TABLE(move, kind, true)                             \
                        : EACH_TABLE(move, kind, false))
#define MOVE_BY_TABLE(way, of_tables)                                         \
    if (table->is_across)                                                     \
        return EACH_INDEX_DTYPE(way##_in_blocks, ACROSS_TABLES);              \
    return count < LEAST_IN_BLOCKS ? EACH_INDEX_DTYPE(way##_singly, IN_TABLE) \
                                   : EACH_INDEX_DTYPE(of_tables, IN_TABLE)
#define EXPORT_TABLE(family, way, of_tables)            \
    bool KERNEL_NAME(family, STREW_T)(TABLE_PARAMETERS) \
    {                                                   \
        MOVE_BY_TABLE(way, of_tables);                  \
    }

#endif
