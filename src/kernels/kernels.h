/*
 * The contract between the engine and the kernels: what each family of kernels does, and the table through which
 * all of them are reached. A kernel knows nothing but its arguments.
 *
 * Two tensors meet in a kernel. The *dense* one has a row for each entry of the indices, one after the other (the
 * output of a gather, the updates of a scatter); the *addressed* one has the rows that indices name (the data of a
 * gather, the output of a scatter). Pointers may have any alignment. Steps and strides are in bytes, and may be
 * zero or negative.
 */
#ifndef STREW_KERNELS_KERNELS_H
#define STREW_KERNELS_KERNELS_H

#include "base/choice.h"
#include "base/compiler.h"
#include "base/lists.h"

/* The name of a kernel: strew_gather_x32_avx2, ... */
#ifdef STREW_PREFIX
#define STREW_KERNEL(family, operand, isa) STREW_SYMBOL(strew_##family##_##operand##_##isa)
#else
#define STREW_KERNEL(family, operand, isa) strew_##family##_##operand##_##isa
#endif

/* ---- Indices ------------------------------------------------------------------------------------- */

/* The dimension of the addressed tensor that a coordinate selects from. */
typedef struct strew_coordinate {
    int64_t size;
    int64_t stride; /* of the addressed tensor */
} strew_coordinate;

typedef struct strew_coordinates {
    int32_t count; /* k: 0 means that every entry names the same row */
    bool wrap;     /* a negative index i means size + i */
    int64_t step;  /* from one coordinate of a tuple to the next, in the indices */
    strew_coordinate each[STREW_MAX_RANK];
} strew_coordinates;

/* The most entries that are resolved at once: their offsets, 4 KiB, stay in the first-level cache. */
enum { STREW_TILE_POSITIONS = 512 };

/* On a cache line, or every vector of 64 bytes, and half of those of 32, would cross into the next one. */
typedef STREW_ALIGNED(64) int64_t strew_tile_offsets[STREW_TILE_POSITIONS];

/*
 * for i in 0..count, where tuple i begins at indices + i * index_step:
 *   offsets[i] = bases[i] + sum over c of wrapped(tuple i [c]) * each[c].stride
 *
 * Returns whether every index was within its size. Each coordinate is checked by itself. If one was not, the
 * offsets must not be used.
 */
typedef bool strew_resolve_kernel(const char *indices, int64_t index_step, size_t count,
                                  const strew_coordinates *coordinates, const int64_t *bases, int64_t *offsets);

/*
 * The same where some index is wrong, as each[c].size says, and the policy is one that goes on: clamp and wrap name
 * another row instead, for which no size may be 0; with any other the entry's offset is STREW_NO_ROW.
 */
typedef void strew_amend_kernel(const char *indices, int64_t index_step, size_t count,
                                const strew_coordinates *coordinates, const int64_t *bases, int64_t *offsets,
                                strew_bounds bounds);
#define STREW_NO_ROW INT64_MIN

/* Whether every index of `count` tuples is within its size: resolving them without need of their offsets. */
typedef bool strew_check_kernel(const char *indices, int64_t index_step, size_t count,
                                const strew_coordinates *coordinates);

/*
 * The first entry after `begin` whose row of so many bytes does not begin where that of the entry before ends;
 * `count` if there is none. `begin` is less than `count`.
 */
typedef size_t strew_adjoin_kernel(const int64_t *offsets, size_t begin, size_t count, int64_t row_bytes);

/* ---- Tables -------------------------------------------------------------------------------------- */

/* Tables whose elements follow each other, each named by as many positions. */
typedef struct strew_table {
    char *elements; /* of the first table. A lookup only reads them */
    int64_t size;   /* how many elements each has. 0: indices are offsets in bytes, int64_t, and all are right */
    int64_t dense_step;   /* from one dense element to the next: their size, but in combinations */
    bool wrap;            /* a negative index i means size + i */
    bool is_narrow;       /* indices are int32_t, otherwise int64_t */
    size_t tables;        /* how many there are */
    const int64_t *bases; /* where they begin: table t at bases[t * count] */
} strew_table;

/*
 * for t in 0..tables, for i in t*count..(t+1)*count, where named is element wrapped(index i) of table t:
 *
 *   lookup    dense element i = named
 *   put       named = dense element i
 *   combine   named = named (combined with) dense element i, rounded
 *
 * in the order of i, in one pass. Only combine knows offsets. Returns how many positions are done: all, or those
 * before the first wrong index, and has written nothing else then. A lookup may count fewer, and have written
 * anything at dense.
 *
 * Lookups and puts are named after the bits of an element.
 */
typedef size_t strew_table_kernel(char *dense, const char *indices, size_t count, const strew_table *table);

/* ---- Rows ---------------------------------------------------------------------------------------- */

/* How a move may go about memory. No result depends on it, and a kernel that has no such way ignores it. */
typedef struct strew_access {
    uint32_t rows_ahead;   /* prefetch the addressed row that comes so many later; 0: none */
    uint16_t stream_pages; /* write past the caches (non-temporal stores): 1 page of a long row after the other, or
                              4 by turns; 0: ordinary stores. Other threads see what was written for certain only
                              after a sequentially consistent fence */
    bool stream_parts;     /* so rows that begin or end within lines as well; rows_ahead is of these lines then */
    bool long_by_vectors;  /* copy rows by vectors that are long enough for the C library's copy */
    bool read_first; /* read each addressed row of a fixed size before overwriting it: loads wait for memory side
                        by side, stores one after the other */
} strew_access;

/* The dense side of a move, and how it may go about memory: row i begins at rows + i * step. A gather writes it,
 * all others only read it. */
typedef struct strew_dense {
    char *rows;
    int64_t step;
    size_t row_bytes;
    strew_access access;
} strew_dense;

/*
 * for i in 0..count: move(addressed + offsets[i], dense->rows + i * dense->step), each dense->row_bytes long
 *
 *   gather            dense = addressed
 *   scatter           addressed = dense, in the order of i: the last one wins
 *   reduce_rows       addressed = addressed (combined with) dense, element by element, in the order of i
 *
 * The gather and scatter kernels named x8 to x128 serve rows of exactly that many bits, `rows` any length. Not one
 * byte outside the rows is touched.
 */
typedef void strew_move_kernel(char *addressed, const int64_t *offsets, size_t count, const strew_dense *dense);

/*
 * for i in 0..count: the row at addressed + offsets[i], dense->row_bytes long, becomes the element at dense->rows
 * again and again, from the row's beginning. The last one may be cut short.
 *
 * The kernels named x8 to x128 repeat elements of exactly that many bits, `rows` those of dense->step bytes.
 */
typedef strew_move_kernel strew_fill_kernel;

/*
 * for i in 0..count, where n is the uint64_t at counters + counter_offsets[i]:
 *   if n > 0: the elements of the row at addressed + offsets[i] are divided by n + extra, and n set to 0
 *
 * A row named several times is so divided once. Integers are rounded toward minus infinity.
 */
typedef void strew_divide_kernel(char *addressed, const int64_t *offsets, size_t count, size_t row_bytes,
                                 char *counters, const int64_t *counter_offsets, uint64_t extra);

/* Whether the same row is named again and again, as far as a few entries tell. */
STREW_INLINE bool strew_rows_repeat(const int64_t *offsets, size_t count)
{
    enum { LEAST_LOOKED_AT = 16, PLACES = 4 };
    if (count < LEAST_LOOKED_AT)
        return false;
    for (size_t i = 1; i < count - 1; i += count / PLACES)
        if (offsets[i] != offsets[i + 1])
            return false;
    return true;
}

/* ---- Bags ---------------------------------------------------------------------------------------- */

/* Bags: entries begins[b] to ends[b] go into the row of the target at targets[b], which is an offset. None of them
 * comes before those of an earlier bag. */
typedef struct strew_bag_window {
    size_t count; /* one at least */
    const int64_t *begins, *ends, *targets;
    const int64_t *sources; /* NULL, or each bag has one entry, begins[0] + b, which goes from the row of the source
                               of this number into the row of the target whose number is targets[b]: see below */
    int64_t *left_out;      /* a kernel says here how many entries name no row, where some may be left out */
} strew_bag_window;

/* Which row of `list` an entry names whose index is wrong: STREW_NO_ROW if it is left out, otherwise negative if
 * there is none. */
typedef int64_t strew_amend_entry(const void *list, int64_t entry);

/* How bags read rows of a source: each entry names one, which is multiplied by the entry's weight. */
typedef struct strew_bag_entries {
    const char *source;
    int64_t source_step; /* from one row to the next */
    int64_t rows;        /* an index that is negative, or not less than this, is wrong */
    int64_t gain;        /* what a wrong one is given first */
    size_t row_bytes;    /* of a row of the source, and of the target: whole elements, one at least */
    int64_t entries;     /* of all windows */
    const char *indices; /* of each entry, in lines of the same length; NULL: its own number */
    strew_dtype index_dtype;
    int64_t index_step, index_line_step;
    const char *weights; /* likewise, elements; NULL: none */
    int64_t weight_step, weight_line_step;
    int64_t line;
    const char *order; /* the weight of entry i is that of the entry of this number, a uint32, of so many there are
                          weights, or else the first; NULL: its own */
    int64_t weight_count;
    bool is_far;              /* rows are prefetched: how, not what */
    bool leaves_out;          /* entries whose index is wrong are left out */
    strew_amend_entry *amend; /* where they are not: what else they name; NULL: nothing */
    const void *list;
    const char *start;       /* an element with which each bag starts; NULL: what the target holds */
    const char *empty;       /* an element of rows that nothing goes into; NULL: they stay as they are */
    bool starts_are_empty;   /* or they become what bags start with */
    const char *default_row; /* a row of the source that they are given instead; NULL: none */
    bool rounds;             /* of halves: each combination is rounded, otherwise each bag in its end */
    bool is_mean;            /* of halves: each bag is divided by how many entries go into it, and then rounded */
    /* Of bags of one entry, which start with what the target holds, and whose rows are named by number. */
    int64_t target_step, target_rows, target_gain; /* as of the source */
    bool drops;                                    /* those whose row of the target is wrong are left out */
} strew_bag_entries;

/*
 * for b in 0..window->count, if anything goes into bag b:
 *   row = start, or what is at target + targets[b]
 *   for each entry of the bag, in order: row = row (combined with) the row that it names * its weight
 *   what is at target + targets[b] = row
 *
 * element by element, each product and each combination rounded by itself. Rows of float16 and bfloat16 are
 * combined in float32. The target shares no memory with what is only read. Returns false if an index is wrong; some
 * bags have been written then.
 */
typedef bool strew_bag_kernel(char *target, const strew_bag_window *window, const strew_bag_entries *entries);

/* ---- Owners -------------------------------------------------------------------------------------- */

/* What one owner of `count` owns: its part of the blocks of memory, dealt out by a hash of their addresses. */
typedef struct strew_ownership {
    uint32_t index, count;
    int32_t block_bits; /* a block is 2 to the power of this many bytes */
} strew_ownership;

#define STREW_OWNERSHIP_HASH UINT32_C(0x9e3779b1)

/* Which of them owns a row that begins at this address. */
STREW_INLINE uint32_t strew_owner(strew_ownership ownership, uintptr_t address)
{
    const uint32_t block = (uint32_t)(address >> ownership.block_bits);
    const uint32_t hash = block * STREW_OWNERSHIP_HASH;
    return (uint32_t)((uint64_t)hash * ownership.count >> 32);
}

/*
 * for i in 0..count, if the row at addressed + offsets[i] is owned: offsets[i] and others[i] are appended to
 * `picked` and `picked_others`, which have room for STREW_PICK_ROOM more than `count`.
 *
 * Returns how many were picked.
 */
typedef size_t strew_pick_kernel(const char *addressed, const int64_t *offsets, const int64_t *others, size_t count,
                                 strew_ownership ownership, int64_t *picked, int64_t *picked_others);
enum { STREW_PICK_ROOM = 8 };

/* ---- The table ----------------------------------------------------------------------------------- */

/* What moves is specialised by size: X(name, bytes of a row; 0 for any). */
#define STREW_LOOKUP_SIZES(X) \
    X(x8, 1)                  \
    X(x16, 2)                 \
    X(x32, 4)                 \
    X(x64, 8)
#define STREW_MOVE_FIXED_SIZES(X) \
    STREW_LOOKUP_SIZES(X)         \
    X(x128, 16)
#define STREW_MOVE_ANY_SIZE(X) X(rows, 0)
#define STREW_MOVE_SIZES(X)   \
    STREW_MOVE_FIXED_SIZES(X) \
    STREW_MOVE_ANY_SIZE(X)

typedef enum strew_move_size {
#define STREW_MOVE_CONSTANT(name, bytes) STREW_MOVE_##name,
    STREW_MOVE_SIZES(STREW_MOVE_CONSTANT)
#undef STREW_MOVE_CONSTANT
    /* clang-format off */
    STREW_MOVE_SIZE_COUNT
    /* clang-format on */
} strew_move_size;

/* The slot of an index dtype, of a dtype that is computed with, and of a reduction that combines two elements. */
#define STREW_INDEX_SLOT(dtype) ((dtype)-STREW_DTYPE_INT8)
#define STREW_ELEMENT_SLOT(dtype) ((dtype)-STREW_DTYPE_BOOL)
#define STREW_COMBINATION_SLOT(reduction) ((reduction)-STREW_REDUCTION_SUM)
enum {
    STREW_INDEX_SLOTS = STREW_INDEX_SLOT(STREW_DTYPE_UINT64) + 1,
    STREW_ELEMENT_SLOTS = STREW_ELEMENT_SLOT(STREW_DTYPE_COMPLEX128) + 1,
    STREW_COMBINATION_SLOTS = STREW_COMBINATION_SLOT(STREW_REDUCTION_MAX) + 1
};

/* Those that are combined in float32. */
STREW_INLINE bool strew_is_half(strew_dtype dtype)
{
    return dtype == STREW_DTYPE_FLOAT16 || dtype == STREW_DTYPE_BFLOAT16;
}

/* NULL: not defined, as extrema of complex numbers and division of bool, or left out of this build. */
typedef struct strew_kernels {
    strew_resolve_kernel *resolve[STREW_INDEX_SLOTS];
    strew_amend_kernel *amend[STREW_INDEX_SLOTS];
    strew_check_kernel *check[STREW_INDEX_SLOTS];
    strew_adjoin_kernel *adjoin;
    strew_table_kernel *lookup[STREW_MOVE_SIZE_COUNT];
    strew_table_kernel *put[STREW_MOVE_SIZE_COUNT];
    strew_table_kernel *combine[STREW_COMBINATION_SLOTS][STREW_ELEMENT_SLOTS];
    strew_move_kernel *gather[STREW_MOVE_SIZE_COUNT];
    strew_move_kernel *scatter[STREW_MOVE_SIZE_COUNT];
    strew_fill_kernel *fill[STREW_MOVE_SIZE_COUNT];
    strew_move_kernel *reduce_rows[STREW_COMBINATION_SLOTS][STREW_ELEMENT_SLOTS];
    strew_bag_kernel *bag[STREW_COMBINATION_SLOTS][STREW_ELEMENT_SLOTS];
    strew_divide_kernel *divide[STREW_ELEMENT_SLOTS];
    strew_pick_kernel *pick;
} strew_kernels;

#endif
