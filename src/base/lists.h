/*
 * Lists the values of each enum of the public headers, for everything that is generated from them: names, tables,
 * kernels, tests. The public headers write the same values out for their readers; tests/house/test_lists.c checks
 * that both agree. Each list is in the order of the values.
 */
#ifndef STREW_BASE_LISTS_H
#define STREW_BASE_LISTS_H

#include "strew/strew.h"

/* X(CONSTANT, name) */
#define STREW_STATUSES(X)                           \
    X(OK, ok)                                       \
    X(INVALID_ARGUMENT, invalid_argument)           \
    X(SHAPE_MISMATCH, shape_mismatch)               \
    X(DTYPE_MISMATCH, dtype_mismatch)               \
    X(UNSUPPORTED_DTYPE, unsupported_dtype)         \
    X(UNSUPPORTED_REDUCTION, unsupported_reduction) \
    X(INDEX_OUT_OF_BOUNDS, index_out_of_bounds)     \
    X(OUT_OF_MEMORY, out_of_memory)                 \
    X(IO_ERROR, io_error)                           \
    X(UNSUPPORTED_OPERATOR, unsupported_operator)

/* X(CONSTANT, name) */
#define STREW_OPERANDS(X)           \
    X(CALL, call)                   \
    X(DATA, data)                   \
    X(INDICES, indices)             \
    X(UPDATES, updates)             \
    X(OUTPUT, output)               \
    X(AXIS, axis)                   \
    X(BATCH_DIMS, batch_dims)       \
    X(REDUCTION, reduction)         \
    X(USE_INIT_VAL, use_init_val)   \
    X(OPERATOR, operator)           \
    X(ATTRIBUTES, attributes)       \
    X(PLAN, plan)                   \
    X(BUFFERS, buffers)             \
    X(SHAPE, shape)                 \
    X(RANK, rank)                   \
    X(ISA, isa)                     \
    X(OPTIONS, options)             \
    X(PARALLEL, parallel)           \
    X(SCRATCH, scratch)             \
    X(BOUNDS, bounds)               \
    X(CIRCULAR, circular)           \
    X(SLICE, slice)                 \
    X(OFFSETS, offsets)             \
    X(SEGMENT_IDS, segment_ids)     \
    X(TARGETS, targets)             \
    X(WEIGHTS, weights)             \
    X(DEFAULT_INDEX, default_index) \
    X(EMPTY, empty)                 \
    X(SEGMENT_COUNT, segment_count) \
    X(INSPECTION, inspection)

/* X(CONSTANT, name, suffix, bits of an element). The names of kernels and benchmarks contain the suffix. */
#define STREW_INTEGER_DTYPES(X) \
    X(INT8, int8, i8, 8)        \
    X(INT16, int16, i16, 16)    \
    STREW_RESOLVED_DTYPES(X)    \
    X(UINT8, uint8, u8, 8)      \
    X(UINT16, uint16, u16, 16)  \
    X(UINT32, uint32, u32, 32)  \
    X(UINT64, uint64, u64, 64)
/* The dtypes of indices that have vector kernels. Most indices of uint32 and uint64 are read as these. */
#define STREW_RESOLVED_DTYPES(X) \
    X(INT32, int32, i32, 32)     \
    X(INT64, int64, i64, 64)
#define STREW_FLOAT_DTYPES(X)       \
    X(FLOAT16, float16, f16, 16)    \
    X(BFLOAT16, bfloat16, bf16, 16) \
    X(FLOAT32, float32, f32, 32)    \
    X(FLOAT64, float64, f64, 64)
#define STREW_COMPLEX_DTYPES(X)      \
    X(COMPLEX64, complex64, c64, 64) \
    X(COMPLEX128, complex128, c128, 128)
/* The dtypes below are moved and never combined. float8 elements move as bytes. */
#define STREW_FLOAT8_DTYPES(X)                       \
    X(FLOAT8E4M3FN, float8e4m3fn, f8e4m3fn, 8)       \
    X(FLOAT8E4M3FNUZ, float8e4m3fnuz, f8e4m3fnuz, 8) \
    X(FLOAT8E5M2, float8e5m2, f8e5m2, 8)             \
    X(FLOAT8E5M2FNUZ, float8e5m2fnuz, f8e5m2fnuz, 8) \
    X(FLOAT8E8M0, float8e8m0, f8e8m0, 8)
/* Packed elements move several to a byte, as parts of rows (operators/packed.c). */
#define STREW_PACKED_DTYPES(X)           \
    X(UINT4, uint4, u4, 4)               \
    X(INT4, int4, i4, 4)                 \
    X(FLOAT4E2M1, float4e2m1, f4e2m1, 4) \
    X(UINT2, uint2, u2, 2)               \
    X(INT2, int2, i2, 2)
#define STREW_DTYPES(X)                              \
    X(BOOL, bool, b8, 8)                             \
    STREW_INTEGER_DTYPES(X)                          \
    STREW_FLOAT_DTYPES(X)                            \
    STREW_COMPLEX_DTYPES(X)                          \
    X(STRING, string, str, 8 * sizeof(strew_string)) \
    STREW_FLOAT8_DTYPES(X)                           \
    STREW_PACKED_DTYPES(X)

/* X(CONSTANT, name, other name). A combination takes two elements and gives one. */
#define STREW_COMBINATIONS(X) \
    X(SUM, sum, "add")        \
    X(SUB, sub, "")           \
    X(PROD, prod, "mul")      \
    X(MIN, min, "")           \
    X(MAX, max, "")
#define STREW_REDUCTIONS(X) \
    X(NONE, none, "")       \
    STREW_COMBINATIONS(X)   \
    X(MEAN, mean, "")

/*
 * X(CONSTANT, name): the baseline first, better ones after it. STREW_ISA_BEST comes before them and is not listed.
 */
#define STREW_ISAS(X) \
    X(SCALAR, scalar) \
    X(AVX2, avx2)     \
    X(AVX512, avx512) \
    X(NEON, neon)

/* X(CONSTANT, name) */
#define STREW_ISA_STATES(X)     \
    X(ABSENT, absent)           \
    X(UNAVAILABLE, unavailable) \
    X(EMULATED, emulated)       \
    X(NATIVE, native)

/* X(CONSTANT, name) */
#define STREW_KINDS(X)                              \
    X(GATHER_ND, gather_nd)                         \
    X(GATHER_ELEMENTS, gather_elements)             \
    X(SCATTER_ND, scatter_nd)                       \
    X(SCATTER_ELEMENTS, scatter_elements)           \
    X(GATHER, gather)                               \
    X(SCATTER, scatter)                             \
    X(TENSOR_SCATTER, tensor_scatter)               \
    X(SLICE_SCATTER, slice_scatter)                 \
    X(EMBEDDING_BAG_OFFSETS, embedding_bag_offsets) \
    X(EMBEDDING_BAG_PACKED, embedding_bag_packed)   \
    X(EMBEDDING_SEGMENTS, embedding_segments)       \
    X(SEGMENT_REDUCE, segment_reduce)               \
    X(GATHER_SCATTER, gather_scatter)

/* X(CONSTANT, name): the values of rows that no row goes into */
#define STREW_EMPTIES(X) \
    X(ZERO, zero)        \
    X(LOWEST, lowest)

/* X(CONSTANT, name): the policies for indices out of bounds */
#define STREW_POLICIES(X) \
    X(REFUSE, refuse)     \
    X(STOP, stop)         \
    X(SKIP, skip)         \
    X(CLAMP, clamp)       \
    X(WRAP, wrap)

#endif
