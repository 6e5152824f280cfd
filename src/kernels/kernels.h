/*
 * The contract between the engine and the kernels: what each family of kernels does, and the table that holds all
 * of them. A kernel depends on nothing but its arguments.
 *
 * A kernel works on two tensors. The *dense* tensor has a row for each entry of the indices, one after the other:
 * the output of a gather, the updates of a scatter. The *addressed* tensor has the rows that indices name: the
 * data of a gather, the output of a scatter. Pointers may have any alignment. Steps and strides are in bytes and
 * may be zero or negative.
 */
#ifndef STREW_KERNELS_KERNELS_H
#define STREW_KERNELS_KERNELS_H

#include "base/choice.h"
#include "base/compiler.h"
#include "base/lists.h"

/* Makes the name of a kernel, such as strew_gather_x32_avx2. */
#ifdef STREW_PREFIX
#define STREW_KERNEL(family, operand, isa) STREW_SYMBOL(strew_##family##_##operand##_##isa)
#else
#define STREW_KERNEL(family, operand, isa) strew_##family##_##operand##_##isa
#endif

/* ---- Indices ------------------------------------------------------------------------------------- */

/* The dimension of the addressed tensor that a coordinate selects from. */
typedef struct strew_coordinate {
    int64_t size;
    int64_t stride; /* in the addressed tensor */
} strew_coordinate;

typedef struct strew_coordinates {
    int32_t count; /* coordinates of a tuple; 0: every entry names the same row */
    bool wrap;     /* a negative index i means size + i */
    int64_t step;  /* bytes in the indices from one coordinate of a tuple to the next */
    strew_coordinate each[STREW_MAX_RANK];
} strew_coordinates;

/* The most entries that are resolved at once. Their offsets, 4 KiB, stay in the first-level cache. */
enum { STREW_TILE_POSITIONS = 512 };

/*
 * The offsets begin on a cache line. Otherwise every vector of 64 bytes, and half of those of 32, would cross into
 * the next line.
 */
typedef STREW_ALIGNED(64) int64_t strew_tile_offsets[STREW_TILE_POSITIONS];

/*
 * Resolves tuples of indices. Tuple i begins at indices + i * index_step:
 *
 *   for i in 0..count:
 *       offsets[i] = bases[i] + sum over c of wrapped(tuple i [c]) * each[c].stride
 *
 * Each coordinate is checked against its size by itself. Returns whether every index was within its size; if not,
 * the offsets must not be used.
 */
typedef bool strew_resolve_kernel(const char *indices, int64_t index_step, size_t count,
                                  const strew_coordinates *coordinates, const int64_t *bases, int64_t *offsets);

/*
 * Resolves tuples in which some index is bad, under any policy but REFUSE. CLAMP and WRAP name another row
 * instead; no size may be 0 then. With every other policy the offset of such a tuple is STREW_NO_ROW.
 */
typedef void strew_amend_kernel(const char *indices, int64_t index_step, size_t count,
                                const strew_coordinates *coordinates, const int64_t *bases, int64_t *offsets,
                                strew_bounds bounds);
#define STREW_NO_ROW INT64_MIN

/* ---- Tables -------------------------------------------------------------------------------------- */

/*
 * Tables of elements that a single coordinate selects from. The elements of a table follow each other. The same
 * number of positions selects from each table.
 */
typedef struct strew_element_table {
    char *elements;     /* of the first table; a lookup only reads them */
    int64_t size;       /* elements of each table; 0: the indices are int64_t offsets in bytes, and all are right */
    int64_t dense_step; /* bytes from one dense element to the next; lookups and puts need the size of an element */
    bool wrap;          /* a negative index i means size + i */
    bool is_narrow;     /* indices are int32_t, otherwise int64_t */
    size_t tables;      /* how many tables there are */
    const int64_t *bases; /* where they begin: table t at elements + bases[t * count] */
} strew_element_table;

/*
 * Moves elements between a dense tensor and tables, in one pass:
 *
 *   for t in 0..tables, for i in t*count..(t+1)*count, where named is element wrapped(index i) of table t:
 *       lookup    dense element i = named
 *       put       named = dense element i
 *       combine   named = named (combined with) dense element i, rounded
 *
 * The order is that of i. Only combine takes offsets for indices. Returns how many positions are done: all, or
 * those before the first bad index, and nothing else has been written.
 *
 * Lookups and puts are named after the bits of an element.
 */
typedef size_t strew_table_kernel(char *dense, const char *indices, size_t count, const strew_element_table *table);

/* ---- Rows ---------------------------------------------------------------------------------------- */

/* How a move accesses memory. No result depends on it. A kernel ignores what it does not support. */
typedef struct strew_access {
    uint32_t rows_ahead;   /* how many rows ahead addressed rows are prefetched; 0: none */
    uint16_t stream_pages; /* 0: ordinary stores. Otherwise non-temporal stores, which write past the caches: 1: a
                              long row page after page; 4: to four pages by turns. Other threads are sure to see
                              what was written only after a sequentially consistent fence */
    bool stream_parts; /* stream rows that begin or end within cache lines as well; a scatter then prefetches only
                          the lines that they fill in part */
    bool read_first; /* read each addressed row of a fixed size before overwriting it, because loads wait for memory
                        at the same time and stores one after the other */
    bool has_runs;   /* many rows are combined several times in a row: they stay in registers */
} strew_access;

/* The dense side of a move: row i begins at rows + i * step. A gather writes it, all other moves only read it.
 * Addressed rows have as many elements, in the dtype of the kernel. */
typedef struct strew_dense {
    char *rows;
    int64_t step;
    size_t row_bytes;
    strew_access access;
} strew_dense;

/*
 * Moves rows of dense->row_bytes bytes:
 *
 *   for i in 0..count, where addressed is the row at addressed + offsets[i] and dense the row at rows + i * step:
 *       gather            dense = addressed
 *       scatter           addressed = dense, in the order of i: the last one wins
 *       reduce_rows       addressed = addressed (combined with) dense, element by element, in the order of i
 *
 * Gather and scatter kernels named x8 to x128 move rows of exactly that many bits; those named `rows` move rows of
 * any length. No byte outside the rows is accessed.
 */
typedef void strew_move_kernel(char *addressed, const int64_t *offsets, size_t count, const strew_dense *dense);

/*
 * Fills rows of dense->row_bytes bytes with an element:
 *
 *   for i in 0..count:
 *       the row at addressed + offsets[i] = the element at dense->rows, repeated
 *
 * The last repetition may be cut short. Kernels named x8 to x128 repeat elements of exactly that many bits; those
 * named `rows` repeat elements of dense->step bytes.
 */
typedef strew_move_kernel strew_fill_kernel;

/*
 * Divides rows by their counters, for mean:
 *
 *   for i in 0..count, where n is the uint64_t at counters + counter_offsets[i]:
 *       if n > 0: the elements of the row at addressed + offsets[i] are divided by n + extra, and n = 0
 *
 * So a row that is named several times is divided once. Integers are rounded toward minus infinity.
 */
typedef void strew_divide_kernel(char *addressed, const int64_t *offsets, size_t count, size_t row_bytes,
                                 char *counters, const int64_t *counter_offsets, uint64_t extra);

/* ---- Bags ---------------------------------------------------------------------------------------- */

/* Bags that one call combines. Bag b combines the entries begins[b] to begins[b + 1] into target + targets[b]. */
typedef struct strew_bag_window {
    size_t count; /* at least one */
    const int64_t *begins, *targets;
    const int64_t *sources; /* NULL; or each bag has one entry: bag b has entry begins[0] + b, which goes from row
                               sources[b] of the source into row targets[b] of the target */
    int64_t *left_out;      /* where entries may be skipped: the kernel writes here how many of each bag were */
} strew_bag_window;

/*
 * Returns the row that an entry with a wrong index names instead; a negative number if it names none.
 */
typedef int64_t strew_amend_entry(const void *list, int64_t entry);

/*
 * The entries of bags. Each entry names a row of the source, which is multiplied by the weight of the entry. Lists
 * of indices and weights may consist of several lines, a step apart, of `line` items each.
 */
typedef struct strew_bag_entries {
    const char *source;
    int64_t source_step; /* bytes from one row to the next */
    int64_t rows;        /* rows of the source: an index is wrong if it is negative or not less than this */
    int64_t wrap_size;   /* is added to a wrong index before it is checked again: `rows` if negative indices wrap,
                            otherwise 0 */
    size_t source_bytes, target_bytes; /* of a row of either: equally many whole elements, at least one */
    int64_t entries;                   /* in all windows together */
    const char *indices;               /* NULL: entry i names row i */
    strew_dtype index_dtype;
    int64_t index_step, index_line_step;
    const char *weights; /* elements of the same dtype as the rows; NULL: none */
    int64_t weight_step, weight_line_step;
    int64_t line;      /* items of a line */
    const char *order; /* uint32_t for each entry: the number of its weight; the first weight if that is not less
                          than weight_count. NULL: entry i has weight i */
    int64_t weight_count;
    bool is_far;              /* rows are prefetched; only speed depends on it */
    bool leaves_out;          /* entries with a wrong index are skipped */
    strew_amend_entry *amend; /* otherwise: returns the row that such an entry names instead; NULL: none */
    const void *list;
    const char *start;       /* the element that each bag starts with; NULL: it starts with what the target holds */
    const char *empty;       /* the element of rows that nothing goes into; NULL: see starts_are_empty */
    bool starts_are_empty;   /* such rows become `start`; otherwise they stay as they are */
    const char *default_row; /* the row of the source that such rows become; NULL: none */
    bool rounds;  /* halves: each combination is rounded; otherwise each bag is rounded once, at its end */
    bool is_mean; /* halves: each bag is divided by how many entries go into it, and then rounded */
    /* Where a window has sources, rows of the target are named by number as rows of the source are: */
    int64_t target_step, target_rows, target_wrap_size;
    bool drops; /* entries with a wrong row of the target are skipped */
} strew_bag_entries;

/*
 * Combines the rows of bags, element by element:
 *
 *   for b in 0..window->count, if anything goes into bag b:
 *       row = start, or the row at target + targets[b]
 *       for each entry of the bag, in order: row = row (combined with) the row that it names * its weight
 *       the row at target + targets[b] = row
 *
 * Each product and each combination is rounded by itself. Rows of float16 and bfloat16 are combined in float32.
 * The target must not overlap anything that is read. Returns false if an index is wrong; some bags have been
 * written then.
 */
typedef bool strew_bag_kernel(char *target, const strew_bag_window *window, const strew_bag_entries *entries);

/* ---- Owners -------------------------------------------------------------------------------------- */

/*
 * Divides memory among `count` owners in blocks of 2^block_bits bytes. A hash of the address decides who owns a
 * block.
 */
typedef struct strew_ownership {
    uint32_t index, count; /* the owner that is meant, and how many there are */
    int32_t block_bits;    /* log2 of the bytes of a block */
} strew_ownership;

#define STREW_OWNERSHIP_HASH UINT32_C(0x9e3779b1)

/* Returns which owner owns a row that begins at this address. */
STREW_INLINE uint32_t strew_owner(strew_ownership ownership, uintptr_t address)
{
    const uint32_t block = (uint32_t)(address >> ownership.block_bits);
    const uint32_t hash = block * STREW_OWNERSHIP_HASH;
    return (uint32_t)((uint64_t)hash * ownership.count >> 32);
}

/*
 * Picks the rows that owner `index` owns:
 *
 *   for i in 0..count, if the row at addressed + offsets[i] is owned:
 *       append offsets[i] to `picked` and others[i] to `picked_others`
 *
 * Both arrays need room for STREW_PICK_ROOM more than `count`. Returns how many rows were picked.
 */
typedef size_t strew_pick_kernel(const char *addressed, const int64_t *offsets, const int64_t *others, size_t count,
                                 strew_ownership ownership, int64_t *picked, int64_t *picked_others);
enum { STREW_PICK_ROOM = 8 };

/* ---- The table ----------------------------------------------------------------------------------- */

/* The sizes for which moves are specialised: X(name, bytes of a row; 0 for any). */
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

/*
 * The slot of an index dtype, of a dtype that kernels compute with, and of a reduction that combines two elements.
 */
#define STREW_INDEX_SLOT(dtype) ((dtype)-STREW_DTYPE_INT8)
#define STREW_ELEMENT_SLOT(dtype) ((dtype)-STREW_DTYPE_BOOL)
#define STREW_COMBINATION_SLOT(reduction) \
    ((reduction) == STREW_REDUCTION_MEAN ? 0 : (reduction)-STREW_REDUCTION_SUM)
enum {
    STREW_INDEX_SLOTS = STREW_INDEX_SLOT(STREW_DTYPE_UINT64) + 1,
    STREW_ELEMENT_SLOTS = STREW_ELEMENT_SLOT(STREW_DTYPE_COMPLEX128) + 1,
    STREW_COMBINATION_SLOTS = STREW_COMBINATION_SLOT(STREW_REDUCTION_MAX) + 1
};

/* Returns whether a dtype is float16 or bfloat16. Both are combined in float32. */
STREW_INLINE bool strew_is_half(strew_dtype dtype)
{
    return dtype == STREW_DTYPE_FLOAT16 || dtype == STREW_DTYPE_BFLOAT16;
}

/*
 * The table of kernels of an instruction set. A cell is NULL if its operation is not defined (extrema of complex
 * numbers, division of bool) or is left out of this build.
 */
typedef struct strew_kernels {
    strew_resolve_kernel *resolve[STREW_INDEX_SLOTS];
    strew_amend_kernel *amend[STREW_INDEX_SLOTS];
    strew_table_kernel *lookup[STREW_MOVE_SIZE_COUNT];
    strew_table_kernel *put[STREW_MOVE_SIZE_COUNT];
    strew_table_kernel *combine[STREW_COMBINATION_SLOTS][STREW_ELEMENT_SLOTS];
    strew_move_kernel *gather[STREW_MOVE_SIZE_COUNT];
    strew_move_kernel *scatter[STREW_MOVE_SIZE_COUNT];
    strew_fill_kernel *fill[STREW_MOVE_SIZE_COUNT];
    strew_move_kernel *reduce_rows[STREW_COMBINATION_SLOTS][STREW_ELEMENT_SLOTS];
    strew_bag_kernel *bag[STREW_COMBINATION_SLOTS][STREW_ELEMENT_SLOTS]; /* by the dtype of the source */
    strew_divide_kernel *divide[STREW_ELEMENT_SLOTS];
    strew_pick_kernel *pick;
} strew_kernels;

#endif
