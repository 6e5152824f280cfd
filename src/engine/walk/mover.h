/*
 * How rows are moved: by which kernel, with what access to memory, how many at once. Made by one of three
 * constructors: assigning, combining and filling.
 */
#ifndef STREW_ENGINE_WALK_MOVER_H
#define STREW_ENGINE_WALK_MOVER_H

#include <stdatomic.h>

#include "engine/walk/prefetch.h"

typedef struct strew_mover {
    strew_move_kernel *kernel;
    strew_move_kernel *join;     /* the same for rows of any length, that adjoin, at once. NULL if no use */
    strew_table_kernel *table;   /* the same for elements that single coordinates name. NULL if there is none */
    strew_table_kernel *combine; /* combines elements by offsets as well, instead of `kernel`; or NULL */
    strew_bag_kernel *fold;      /* the same for rows that are one row again and again. NULL if no use */
    char *constant_row;          /* the row of every position; NULL where each has its own in the dense tensor */
    strew_direction direction;
    bool combines;        /* what it reads with what is there */
    bool computes_floats; /* so that the state of the CPU for them matters (base/float_state.h) */
    strew_access access;
    uint64_t group_unless_within; /* strew_prefetch_group_unless_within; 0 if not of use */
} strew_mover;

/* Rows are copied, of which so many bytes are written in all. */
void strew_mover_assign(strew_mover *mover, const strew_walk *walk, strew_direction direction, int64_t bytes);

/* Rows are combined element by element, into the addressed tensor. A mean adds up. */
void strew_mover_combine(strew_mover *mover, const strew_walk *walk, strew_reduction reduction, strew_dtype dtype);

/* Whether it writes rows past the caches by whole lines, which are not brought into them first. */
bool strew_mover_streams_lines(const strew_mover *mover, const char *row, int64_t row_bytes);

/* Every position gets this row instead of one of its own. */
void strew_mover_repeat(strew_mover *mover, const void *row);

/* Every element of every row becomes this one; so many bytes are written in all. */
void strew_mover_fill(strew_mover *mover, const strew_walk *walk, const void *element, int64_t bytes);

/* Combines rows that are one row again and again, as far as a few tell; others as well. */
void strew_mover_fold(const strew_mover *mover, char *addressed, const int64_t *offsets, size_t count,
                      const char *rows, int64_t step, int64_t row_bytes);

/* Combines elements at these offsets: they are indices of a table whose elements are bytes. */
static inline void strew_mover_combine_elements(const strew_mover *mover, char *addressed, const int64_t *offsets,
                                                size_t count, char *rows, int64_t step)
{
    static const int64_t no_base = 0;
    const bool is_constant = mover->constant_row != NULL;
    const strew_element_table bytes = {
        .elements = addressed, .dense_step = is_constant ? 0 : step, .tables = 1, .bases = &no_base};
    mover->combine(is_constant ? mover->constant_row : rows, (const char *)offsets, count, &bytes);
}

/* Moves rows. The dense ones begin at `rows` and follow each other by `step`. */
static inline void strew_mover_move(const strew_mover *mover, char *addressed, const int64_t *offsets, size_t count,
                                    char *rows, int64_t step, int64_t row_bytes)
{
    if (mover->fold && strew_rows_repeat(offsets, count)) {
        strew_mover_fold(mover, addressed, offsets, count, rows, step, row_bytes);
        return;
    }
    if (mover->combine) {
        strew_mover_combine_elements(mover, addressed, offsets, count, rows, step);
        return;
    }
    strew_dense dense = {
        .rows = mover->constant_row ? mover->constant_row : rows,
        .step = mover->constant_row ? 0 : step,
        .row_bytes = (size_t)row_bytes,
        .access = mover->access,
    };
    if (strew_mover_streams_lines(mover, addressed + offsets[0], row_bytes))
        dense.access.rows_ahead = 0;
    mover->kernel(addressed, offsets, count, &dense);
}

/* To be called by the thread that moved: what went past the caches, others may read then. */
static inline void strew_mover_end(const strew_mover *mover)
{
    if (mover->access.stream_pages > 0)
        atomic_thread_fence(memory_order_seq_cst);
}

/* The kernels of rows of this many bytes. */
strew_move_size strew_move_size_of(int64_t row_bytes);

#endif
