/*
 * Defines the macros that the bodies of kernels are written with. A body is a .inc file. The sources of each
 * instruction set include it after their own vocabulary (vector.h), with these parameters:
 *
 *   STREW_ISA      the instruction set: scalar, avx2, ...
 *   STREW_T        in a body that is included once for each dtype (each_dtype.inc): the suffix of the dtype
 *   STREW_T_KIND   its kind
 */
#ifndef STREW_KERNELS_GLUE_H
#define STREW_KERNELS_GLUE_H

#include "base/choice.h"
#include "base/prefetch.h"
#include "kernels/elements.h"
#include "kernels/kernels.h"

#define PASTE_EXPANDED(a, b) a##b
#define PASTE(a, b) PASTE_EXPANDED(a, b)
#define KERNEL_EXPANDED(family, operand, isa) STREW_KERNEL(family, operand, isa)

/* TYPED(sum) is f32_sum where STREW_T is f32. `sum` is not expanded if it is a macro itself. */
#define TYPED(name) PASTE(STREW_T, _##name)

/*
 * KERNEL_OF(reduce_rows_sum, f32, avx2) is strew_reduce_rows_sum_f32_avx2. KERNEL_NAME does the same for
 * STREW_ISA.
 */
#define KERNEL_OF(family, operand, isa) KERNEL_EXPANDED(family, operand, isa)
#define KERNEL_NAME(family, operand) KERNEL_OF(family, operand, STREW_ISA)

/* The parameters of each type of kernel. */
#define RESOLVE_PARAMETERS                                                                       \
    const char *indices, int64_t index_step, size_t count, const strew_coordinates *coordinates, \
        const int64_t *bases, int64_t *offsets
#define AMEND_PARAMETERS                                                                         \
    const char *indices, int64_t index_step, size_t count, const strew_coordinates *coordinates, \
        const int64_t *bases, int64_t *offsets, strew_bounds bounds
#define TABLE_PARAMETERS char *dense, const char *indices, size_t count, const strew_element_table *table
#define MOVE_PARAMETERS char *addressed, const int64_t *offsets, size_t count, const strew_dense *dense
#define BAG_PARAMETERS char *target, const strew_bag_window *window, const strew_bag_entries *entries
#define DIVIDE_PARAMETERS                                                                    \
    char *addressed, const int64_t *offsets, size_t count, size_t row_bytes, char *counters, \
        const int64_t *counter_offsets, uint64_t extra
#define PICK_PARAMETERS                                                                                            \
    const char *addressed, const int64_t *offsets, const int64_t *others, size_t count, strew_ownership ownership, \
        int64_t *picked, int64_t *picked_others

/*
 * The parameters of an inlined part of a move. `dense` is passed by value, so that its fields are loaded once and
 * not again after each store that might alias them.
 */
#define MOVE_PART_PARAMETERS char *addressed, const int64_t *offsets, size_t count, strew_dense dense

#define INLINE STREW_INLINE

/* Returns where a piece of a row begins. Those of the second half are placed from the end, so that those in the
 * middle may share elements. */
INLINE size_t piece_at(size_t p, size_t pieces, size_t piece, size_t bytes)
{
    return p < (pieces + 1) / 2 ? p * piece : bytes - (pieces - p) * piece;
}

/* A function that is not inlined, so that callers on the common path need not save registers for it. */
#define APART STREW_NOINLINE static
/* The same in a header: an instruction set that includes it need not use the function. */
#define APART_OF_SOME STREW_MAYBE_UNUSED APART

/* The kinds of dtypes. STREW_T_KIND is one of them. */
#define KIND_BOOL 1
#define KIND_SIGNED 2
#define KIND_UNSIGNED 4
#define KIND_FLOAT16 8
#define KIND_BFLOAT16 16
#define KIND_FLOAT 32
#define KIND_COMPLEX 64
#define KIND_BITS 128       /* they only move, and are named x8 to x128 */
#define KIND_OF_INDICES 256 /* the integers are indices, whose dtypes are chosen separately (base/choice.h) */
#define KINDS_OF_INTEGERS (KIND_SIGNED | KIND_UNSIGNED)
#define KINDS_OF_INDICES (KINDS_OF_INTEGERS | KIND_OF_INDICES)
#define KINDS_OF_HALVES (KIND_FLOAT16 | KIND_BFLOAT16)
#define KINDS_OF_NUMBERS (KINDS_OF_INTEGERS | KINDS_OF_HALVES | KIND_FLOAT | KIND_COMPLEX)

/* X(sum), X(sub), X(prod), as far as they are built. */
#define EACH_UNORDERED_COMBINATION(X)     \
    STREW_IF(STREW_HAS_SUMS, X(sum))      \
    STREW_IF(STREW_COMBINES(SUB), X(sub)) \
    STREW_IF(STREW_COMBINES(PROD), X(prod))

/* Whether indices of a signed integer are resolved by vectors (STREW_RESOLVED_DTYPES). */
#define IS_RESOLVED_i8 0
#define IS_RESOLVED_i16 0
#define IS_RESOLVED_i32 1
#define IS_RESOLVED_i64 1

/* Sums, differences and products of unsigned integers are computed as those of signed ones. */
#define SIGNED_OF_u8 i8
#define SIGNED_OF_u16 i16
#define SIGNED_OF_u32 i32
#define SIGNED_OF_u64 i64
#define UNSIGNED_OF_i8 u8
#define UNSIGNED_OF_i16 u16
#define UNSIGNED_OF_i32 u32
#define UNSIGNED_OF_i64 u64

#endif
