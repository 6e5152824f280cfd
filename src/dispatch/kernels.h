/*
 * The contract between the engine and the kernels: what each family of kernels does, and the table through
 * which all of them are reached. A kernel knows nothing but its arguments.
 *
 * Pointers may have any alignment. All steps and strides are in bytes and may be zero or negative.
 */
#ifndef STREW_DISPATCH_KERNELS_H
#define STREW_DISPATCH_KERNELS_H

#include "base/lists.h"

/* One coordinate of a tuple: the dimension of the addressed tensor that it selects from. */
typedef struct strew_coordinate {
    int64_t size;
    int64_t stride; /* of the addressed tensor */
} strew_coordinate;

typedef struct strew_coordinates {
    int32_t count; /* k: 0 means that every entry names the same place */
    bool wrap;     /* a negative index i means size + i */
    int64_t step;  /* from one coordinate of a tuple to the next, in the indices */
    strew_coordinate at[STREW_MAX_RANK];
} strew_coordinates;

/* The most entries that are resolved at once: their offsets, 4 KiB, stay in the first-level cache. */
enum { STREW_TILE_ENTRIES = 512 };

/*
 * On a cache line, or all vectors of 64 bytes, and half of those of 32, would cross into the next one: elements
 * along an inner axis would take 1.1 of the time.
 */
typedef int64_t strew_tile_offsets[STREW_TILE_ENTRIES] __attribute__((aligned(64)));

/*
 * for i in 0..count, where tuple i begins at indices + i * index_step:
 *   offsets[i] = bases[i] + sum over c of wrapped(tuple i [c]) * at[c].stride
 *
 * Returns whether every index was within its size. Each coordinate is checked by itself. If one was not, the
 * offsets must not be used.
 */
typedef bool strew_resolve_kernel(const char *indices, int64_t index_step, size_t count,
                                  const strew_coordinates *coordinates, const int64_t *bases, int64_t *offsets);

/* Whether every index of `count` tuples is within its size: resolving them without need of their offsets. */
typedef bool strew_check_kernel(const char *indices, int64_t index_step, size_t count,
                                const strew_coordinates *coordinates);

/*
 * for i in 0..count: move(addressed + offsets[i], rows + i * row_step), each row_bytes long
 *
 *   gather            rows = addressed
 *   scatter           addressed = rows, in the order of i: the last one wins
 *   reduce_rows       addressed = addressed (combined with) rows, element by element, in the order of i
 *   reduce_elements   the same, for rows of exactly one element
 *
 * The gather and scatter kernels named x8 to x128 serve rows of exactly that many bits. `rows` serve any length,
 * and so does `streamed`, which may write past the caches: for more than the caches hold. What it wrote other
 * threads see for certain only after a sequentially consistent fence. Some CPUs are suited better (tuning.h) by
 * `interleaved`, which is as `streamed`, but writes several pages of a long row at a time; and by the scatter
 * kernels x8_read to x128_read, which are as x8 to x128, but read what is far before they overwrite it. Not one
 * byte outside the rows is touched.
 */
typedef void strew_move_kernel(char *addressed, const int64_t *offsets, size_t count, char *rows, int64_t row_step,
                               size_t row_bytes);

/*
 * for i in 0..count, where n is the uint64_t at counters + counter_offsets[i]:
 *   if n > 0: the element at addressed + offsets[i] is divided by n + extra, and n set to 0
 *
 * An element named several times is so divided once. Integers are rounded toward minus infinity.
 */
typedef void strew_divide_kernel(char *addressed, const int64_t *offsets, size_t count, char *counters,
                                 const int64_t *counter_offsets, uint64_t extra);

/* What one shard of `count` owns: its part of the blocks of memory, dealt out by a hash of their addresses. */
typedef struct strew_ownership {
    uint32_t index, count;
    int32_t block_bits; /* a block is 2 to the power of this many bytes */
} strew_ownership;

#define STREW_OWNERSHIP_HASH UINT32_C(0x9e3779b1)

/* Which of the shards owns a row that begins at this address. */
static inline uint32_t strew_owner(strew_ownership ownership, uintptr_t address)
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

/* What moves is specialised by size: X(name, bytes of a row; 0 for any). */
#define STREW_MOVE_FIXED_SIZES(X) \
    X(x8, 1)                      \
    X(x16, 2)                     \
    X(x32, 4)                     \
    X(x64, 8)                     \
    X(x128, 16)
#define STREW_MOVE_READ_SIZES(X) \
    X(x8_read, 1)                \
    X(x16_read, 2)               \
    X(x32_read, 4)               \
    X(x64_read, 8)               \
    X(x128_read, 16)
#define STREW_MOVE_ANY_SIZE(X) \
    X(rows, 0)                 \
    X(streamed, 0)             \
    X(interleaved, 0)
#define STREW_MOVE_SIZES(X)   \
    STREW_MOVE_FIXED_SIZES(X) \
    STREW_MOVE_READ_SIZES(X)  \
    STREW_MOVE_ANY_SIZE(X)

typedef enum strew_move_size {
#define STREW_MOVE_CONSTANT(name, bytes) STREW_MOVE_##name,
    STREW_MOVE_SIZES(STREW_MOVE_CONSTANT)
#undef STREW_MOVE_CONSTANT
    /* clang-format off */
    STREW_MOVE_SIZE_COUNT
    /* clang-format on */
} strew_move_size;

typedef struct strew_kernels {
    strew_resolve_kernel *resolve[STREW_DTYPE_COUNT]; /* by the dtype of the indices */
    strew_check_kernel *check[STREW_DTYPE_COUNT];     /* likewise */
    strew_move_kernel *gather[STREW_MOVE_SIZE_COUNT];
    strew_move_kernel *scatter[STREW_MOVE_SIZE_COUNT];
    strew_move_kernel *reduce_rows[STREW_REDUCTION_COUNT][STREW_DTYPE_COUNT];
    strew_move_kernel *reduce_elements[STREW_REDUCTION_COUNT][STREW_DTYPE_COUNT];
    strew_divide_kernel *divide[STREW_DTYPE_COUNT];
    strew_pick_kernel *pick;
} strew_kernels;

/*
 * Each instruction set lists its kernels once, in its kernels.inc, in lines of these forms:
 *
 *   RESOLVE(DTYPE, name, suffix, bytes)                   strew_resolve_<suffix>_<isa>
 *   CHECK(DTYPE, name, suffix, bytes)                     strew_check_<suffix>_<isa>
 *   GATHER(size, bytes)  SCATTER(size, bytes)             strew_gather_<size>_<isa>, strew_scatter_<size>_<isa>
 *   REDUCE_ROWS(REDUCTION, reduction, DTYPE, suffix)      strew_reduce_rows_<reduction>_<suffix>_<isa>
 *   REDUCE_ELEMENTS(REDUCTION, reduction, DTYPE, suffix)  strew_reduce_elements_<reduction>_<suffix>_<isa>
 *   DIVIDE(DTYPE, name, suffix, bytes)                    strew_divide_<suffix>_<isa>
 *   PICK(owned)                                           strew_pick_owned_<isa>
 *
 * The lists of dtypes and sizes can be used as they are, RESOLVE, GATHER and the like being their X. Those below
 * turn a line of a list of dtypes into a line for each combination that the dtype has.
 */
#define REDUCE(REDUCTION, reduction, DTYPE, suffix)  \
    REDUCE_ROWS(REDUCTION, reduction, DTYPE, suffix) \
    REDUCE_ELEMENTS(REDUCTION, reduction, DTYPE, suffix)

#define COMBINATIONS(FORM, DTYPE, suffix) \
    FORM(SUM, sum, DTYPE, suffix)         \
    FORM(SUB, sub, DTYPE, suffix)         \
    FORM(PROD, prod, DTYPE, suffix)
#define ORDERED_COMBINATIONS(FORM, DTYPE, suffix) \
    COMBINATIONS(FORM, DTYPE, suffix)             \
    FORM(MIN, min, DTYPE, suffix)                 \
    FORM(MAX, max, DTYPE, suffix)

#define REDUCE_ORDERED(DTYPE, name, suffix, bytes) ORDERED_COMBINATIONS(REDUCE, DTYPE, suffix)
#define REDUCE_UNORDERED(DTYPE, name, suffix, bytes) COMBINATIONS(REDUCE, DTYPE, suffix)
#define REDUCE_ROWS_ORDERED(DTYPE, name, suffix, bytes) ORDERED_COMBINATIONS(REDUCE_ROWS, DTYPE, suffix)
#define REDUCE_ROWS_UNORDERED(DTYPE, name, suffix, bytes) COMBINATIONS(REDUCE_ROWS, DTYPE, suffix)

/* STREW_KERNEL_NAME(strew_reduce_rows_sum, f32, scalar) is strew_reduce_rows_sum_f32_scalar. */
#define STREW_PASTE(family, operand, isa) family##_##operand##_##isa
#define STREW_KERNEL_NAME(family, operand, isa) STREW_PASTE(family, operand, isa)

#endif
