/*
 * Tells the code which parts this build leaves out. For each name of base/lists.h that it leaves out, a build
 * defines STREW_WITHOUT_<CONSTANT> as 1 (-DSTREW_WITHOUT_FLOAT64; for a dtype of indices
 * -DSTREW_WITHOUT_INDEX_UINT8). The build systems derive the definitions from STREW_OPERATORS, STREW_DTYPES,
 * STREW_INDEX_DTYPES, STREW_REDUCTIONS and STREW_ISAS.
 */
#ifndef STREW_BASE_CHOICE_H
#define STREW_BASE_CHOICE_H

#include "base/lists.h"
#include "strew/operators.h"

/*
 * STREW_HAS(FLOAT64) is 0 if STREW_WITHOUT_FLOAT64 is defined as 1, otherwise 1. It works in #if, in code and in
 * STREW_IF.
 */
#define STREW_HAS(CONSTANT) STREW_HAS_UNLESS(STREW_WITHOUT_##CONSTANT)
#define STREW_HAS_UNLESS(value) STREW_HAS_PASTED(value)
#define STREW_HAS_PASTED(value) STREW_HAS_FIRST(STREW_LEFT_OUT_##value)
#define STREW_HAS_FIRST(first) STREW_HAS_SECOND(first, 1, 0)
#define STREW_HAS_SECOND(first, second, ...) second
#define STREW_LEFT_OUT_1 0, 0

/* STREW_IF(1, text) expands to the text, STREW_IF(0, text) to nothing. */
#define STREW_IF(has, ...) STREW_IF_VALUE(has, __VA_ARGS__)
#define STREW_IF_VALUE(has, ...) STREW_IF_##has(__VA_ARGS__)
#define STREW_IF_0(...)
#define STREW_IF_1(...) __VA_ARGS__

/* STREW_AND(a, b) is 1 if both are 1. Each must be 0 or 1. */
#define STREW_AND(a, b) STREW_AND_VALUES(a, b)
#define STREW_AND_VALUES(a, b) STREW_AND_##a##b
#define STREW_AND_00 0
#define STREW_AND_01 0
#define STREW_AND_10 0
#define STREW_AND_11 1

/*
 * A dtype of indices is left out separately from the dtype of elements. int32 and int64 always stay, because
 * inspections write them.
 */
#define STREW_HAS_INDEX(CONSTANT) STREW_HAS(INDEX_##CONSTANT)

/* Whether an operator is built that combines rows as it gathers them. */
#if STREW_HAS(EMBEDDING_BAG_OFFSETS) || STREW_HAS(EMBEDDING_BAG_PACKED) || STREW_HAS(EMBEDDING_SEGMENTS) || \
    STREW_HAS(SEGMENT_REDUCE) || STREW_HAS(GATHER_SCATTER)
#define STREW_HAS_BAGS 1
#else
#define STREW_HAS_BAGS 0
#endif

/*
 * Whether the build has kernels that look up, put or combine elements, and sums. A mean needs sums: it divides a
 * sum.
 */
#if STREW_HAS(GATHER) || STREW_HAS(GATHER_ND) || STREW_HAS(GATHER_ELEMENTS)
#define STREW_HAS_LOOKUPS 1
#else
#define STREW_HAS_LOOKUPS 0
#endif
#if STREW_HAS(SCATTER) || STREW_HAS(SCATTER_ND) || STREW_HAS(SCATTER_ELEMENTS)
#define STREW_HAS_PUTS 1
#else
#define STREW_HAS_PUTS 0
#endif
#if STREW_HAS_PUTS || STREW_HAS_BAGS
#define STREW_HAS_COMBINATIONS 1
#else
#define STREW_HAS_COMBINATIONS 0
#endif
#if STREW_HAS_COMBINATIONS && (STREW_HAS(SUM) || STREW_HAS(MEAN))
#define STREW_HAS_SUMS 1
#else
#define STREW_HAS_SUMS 0
#endif
#define STREW_COMBINES(REDUCTION) STREW_AND(STREW_HAS_COMBINATIONS, STREW_HAS(REDUCTION))

#if STREW_HAS(UINT4) || STREW_HAS(INT4) || STREW_HAS(FLOAT4E2M1) || STREW_HAS(UINT2) || STREW_HAS(INT2)
#define STREW_HAS_PACKED_DTYPES 1
#else
#define STREW_HAS_PACKED_DTYPES 0
#endif

/* The same choices as sets of bits. Opaque elements have the bit of STREW_DTYPE_NONE; every build moves them. */
#define STREW_DTYPE_BIT(CONSTANT, name, suffix, bits) | STREW_HAS(CONSTANT) << STREW_DTYPE_##CONSTANT
#define STREW_INDEX_BIT(CONSTANT, name, suffix, bits) | STREW_HAS_INDEX(CONSTANT) << STREW_DTYPE_##CONSTANT
#define STREW_REDUCTION_BIT(CONSTANT, name, other) | STREW_HAS(CONSTANT) << STREW_REDUCTION_##CONSTANT
#define STREW_KIND_BIT(CONSTANT, name) | STREW_HAS(CONSTANT) << STREW_KIND_##CONSTANT
enum {
    STREW_BUILT_DTYPES = 1 << STREW_DTYPE_NONE STREW_DTYPES(STREW_DTYPE_BIT),
    STREW_BUILT_INDEX_DTYPES = 0 STREW_INTEGER_DTYPES(STREW_INDEX_BIT),
    STREW_BUILT_REDUCTIONS = 0 STREW_REDUCTIONS(STREW_REDUCTION_BIT),
    STREW_BUILT_KINDS = 0 STREW_KINDS(STREW_KIND_BIT)
};

#endif
