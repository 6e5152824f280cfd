/*
 * A mover holds the kernels that move the rows of a walk, and how they access memory. One of three functions makes
 * it: strew_mover_assign, strew_mover_combine or strew_mover_fill.
 */
#ifndef STREW_ENGINE_WALK_MOVER_H
#define STREW_ENGINE_WALK_MOVER_H

#include <stdatomic.h>

#include "base/prefetch.h"
#include "engine/walk/walk.h"

typedef struct strew_mover {
    strew_move_kernel *kernel;   /* moves rows of the walk's row_bytes */
    strew_move_kernel *join;     /* moves a joined row (join.h) of any length; NULL if joining does not pay */
    strew_table_kernel *table;   /* moves elements that single coordinates name (tables.h), or NULL */
    strew_table_kernel *combine; /* combines elements at offsets, in place of `kernel`, or NULL */
    char *constant_row;          /* the dense row of every position; NULL: each position has its own */
    strew_direction direction;
    bool holds_runs;      /* rows that repeat may stay in registers: they are short, and have several elements */
    bool computes_floats; /* depends on the CPU's floating-point mode (base/float_state.h) */
    strew_access access;
} strew_mover;

/* Makes a mover that copies rows. `bytes` is the number of bytes that all moves together write. */
void strew_mover_assign(strew_mover *mover, const strew_walk *walk, strew_direction direction, int64_t bytes);

/* Makes a mover that combines rows element by element into the addressed tensor. A mean is combined as a sum. */
void strew_mover_combine(strew_mover *mover, const strew_walk *walk, strew_reduction reduction);

/* Whether the mover writes rows past the caches in whole cache lines, which the CPU need not load first. */
bool strew_mover_streams_lines(const strew_mover *mover, const char *row, int64_t row_bytes);

/* Makes this row the dense row of every position. */
void strew_mover_set_constant_row(strew_mover *mover, const void *row);

/* Makes a mover that sets every element of every row to this one. `bytes` is the number of bytes that are written
 * in all. */
void strew_mover_fill(strew_mover *mover, const strew_walk *walk, const void *element, int64_t bytes);

/* Guesses from 16 rows whether half of all repeat the row before them. Returns false for up to 16 rows. */
bool strew_rows_repeat(const int64_t *rows, size_t count);

/* Moves `count` rows. Their dense rows begin at `rows`, `step` bytes apart. A kernel that combines elements takes
 * the offsets as indices into a table of bytes. */
static inline void strew_mover_move(const strew_mover *mover, char *addressed, const int64_t *offsets, size_t count,
                                    char *rows, int64_t step, int64_t row_bytes)
{
    static const int64_t no_base = 0;
    if (mover->constant_row) {
        rows = mover->constant_row;
        step = 0;
    }
    if (mover->combine) {
        const strew_element_table bytes = {
            .elements = addressed, .dense_step = step, .tables = 1, .bases = &no_base};
        mover->combine(rows, (const char *)offsets, count, &bytes);
        return;
    }
    strew_dense dense = {.rows = rows, .step = step, .row_bytes = (size_t)row_bytes, .access = mover->access};
    if (strew_mover_streams_lines(mover, addressed + offsets[0], row_bytes))
        dense.access.rows_ahead = 0;
    dense.access.has_runs = mover->holds_runs && strew_rows_repeat(offsets, count);
    mover->kernel(addressed, offsets, count, &dense);
}

/* Makes writes past the caches visible to other threads. Each thread that moved rows must call it. */
static inline void strew_mover_end(const strew_mover *mover)
{
    if (mover->access.stream_pages > 0)
        atomic_thread_fence(memory_order_seq_cst);
}

/* Returns which kernels move rows of this many bytes. */
strew_move_size strew_move_size_of(int64_t row_bytes);

#endif
