/* Every refused call, with its error. */
#include "refusal_cases.h"

#include "test.h"

/* ---- What a tensor is ---------------------------------------------------------------------------- */

static const refusal no_tensors[] = {
    {"gather_nd", spoil_by_forgetting, DATA, 0, 0, INVALID, "data is NULL"},
    {"gather_nd", spoil_by_forgetting, INDICES, 0, 0, INVALID, "indices is NULL"},
    {"gather_nd", spoil_by_forgetting, OUTPUT, 0, 0, INVALID, "output is NULL"},
    {"gather_elements", spoil_by_forgetting, DATA, 0, 0, INVALID, "data is NULL"},
    {"gather_elements", spoil_by_forgetting, INDICES, 0, 0, INVALID, "indices is NULL"},
    {"gather_elements", spoil_by_forgetting, OUTPUT, 0, 0, INVALID, "output is NULL"},
    {"scatter_nd", spoil_by_forgetting, UPDATES, 0, 0, INVALID, "updates is NULL"},
    {"scatter_nd", spoil_by_forgetting, OUTPUT, 0, 0, INVALID, "output is NULL"},
    {"scatter_elements", spoil_by_forgetting, DATA, 0, 0, INVALID, "data is NULL"},
    {"scatter_elements", spoil_by_forgetting, INDICES, 0, 0, INVALID, "indices is NULL"},
    {"scatter_elements", spoil_by_forgetting, UPDATES, 0, 0, INVALID, "updates is NULL"},
    {"ScatterND-18", spoil_by_forgetting, UPDATES, 0, 0, INVALID, "updates is NULL"},
    {"GatherND-13", spoil_by_forgetting, OUTPUT, 0, 0, INVALID, "output is NULL"},

    {"gather_nd", spoil_rank, DATA, 0, -1, INVALID, "data has rank -1, outside [0, 32]"},
    {"gather_nd", spoil_rank, DATA, 0, 33, INVALID, "data has rank 33, outside [0, 32]"},
    {"gather_elements", spoil_rank, INDICES, 0, -1, INVALID, "indices has rank -1, outside [0, 32]"},
    {"gather_elements", spoil_rank, INDICES, 0, 33, INVALID, "indices has rank 33, outside [0, 32]"},
    {"scatter_nd", spoil_rank, UPDATES, 0, INT32_MIN, INVALID, "updates has rank -2147483648, outside [0, 32]"},
    {"scatter_nd", spoil_rank, UPDATES, 0, 33, INVALID, "updates has rank 33, outside [0, 32]"},
    {"scatter_elements", spoil_rank, OUTPUT, 0, -3, INVALID, "output has rank -3, outside [0, 32]"},
    {"scatter_elements", spoil_rank, OUTPUT, 0, INT32_MAX, INVALID, "output has rank 2147483647, outside [0, 32]"},

    {"scatter_nd", spoil_shape_pointer, DATA, 0, 0, INVALID, "data has rank 3, but its shape is NULL"},
    {"scatter_nd", spoil_shape_pointer, INDICES, 0, 0, INVALID, "indices has rank 2, but its shape is NULL"},
    {"scatter_nd", spoil_shape_pointer, UPDATES, 0, 0, INVALID, "updates has rank 2, but its shape is NULL"},
    {"gather_nd", spoil_shape_pointer, OUTPUT, 0, 0, INVALID, "output has rank 3, but its shape is NULL"},

    {"gather_nd", spoil_size, DATA, 2, -1, INVALID, "dimension 2 of data is -1; a size is 0 or more"},
    {"gather_elements", spoil_size, INDICES, 0, -4, INVALID, "dimension 0 of indices is -4; a size is 0 or more"},
    {"scatter_elements", spoil_size, UPDATES, 1, INT64_MIN, INVALID,
     "dimension 1 of updates is -9223372036854775808; a size is 0 or more"},
    {"scatter_nd", spoil_size, OUTPUT, 2, -4, INVALID, "dimension 2 of output is -4; a size is 0 or more"},

    {"gather_nd", spoil_data_pointer, DATA, 0, 0, INVALID, "data has elements, but its data pointer is NULL"},
    {"gather_elements", spoil_data_pointer, INDICES, 0, 0, INVALID,
     "indices has elements, but its data pointer is NULL"},
    {"scatter_nd", spoil_data_pointer, UPDATES, 0, 0, INVALID,
     "updates has elements, but its data pointer is NULL"},
    {"scatter_elements", spoil_data_pointer, UPDATES, 0, 0, INVALID,
     "updates has elements, but its data pointer is NULL"},
    {"scatter_elements", spoil_data_pointer, OUTPUT, 0, 0, INVALID,
     "output has elements, but its data pointer is NULL"},
    {"gather_nd", spoil_data_pointer, OUTPUT, 0, 0, INVALID, "output has elements, but its data pointer is NULL"},
};

static const refusal too_large_tensors[] = {
    {"gather_nd", spoil_size, DATA, 1, INT64_MAX, INVALID, TOO_FAR("data", "1")},
    {"gather_nd", spoil_size, DATA, 2, INT64_MAX / 16, INVALID, TOO_FAR("data", "2")},
    {"gather_elements", spoil_size, INDICES, 1, INT64_MAX / 8, INVALID, TOO_FAR("indices", "1")},
    {"scatter_nd", spoil_size, UPDATES, 0, INT64_MAX, INVALID, TOO_FAR("updates", "0")},
    {"scatter_elements", spoil_size, OUTPUT, 0, INT64_MAX / 4 + 1, INVALID, TOO_FAR("output", "0")},
    /* a tensor without elements, whose other dimensions would be too many */
    {"gather_nd", spoil_size_of_empty, DATA, 1, INT64_MAX, INVALID, TOO_FAR("data", "1")},

    /* in bytes; times the steps; summed with what the dimensions before it reach; to both sides */
    {"gather_nd", spoil_stride, DATA, 2, INT64_MAX / 4 + 1, INVALID, TOO_FAR("data", "2")},
    {"gather_elements", spoil_stride, INDICES, 1, INT64_MAX / 16, INVALID, TOO_FAR("indices", "1")},
    {"scatter_nd", spoil_stride, UPDATES, 0, INT64_MAX / 12, INVALID, TOO_FAR("updates", "0")},
    {"scatter_elements", spoil_stride, OUTPUT, 1, INT64_MAX / 8, INVALID, TOO_FAR("output", "1")},
    {"scatter_nd", spoil_stride, DATA, 0, INT64_MIN / 4, INVALID, TOO_FAR("data", "0")},
    {"scatter_nd", spoil_stride, DATA, 1, INT64_MIN / 8, INVALID, TOO_FAR("data", "1")},
    {"scatter_nd", spoil_stride, OUTPUT, 2, INT64_MIN, INVALID, TOO_FAR("output", "2")},
};

/* ---- Where an output lies ------------------------------------------------------------------------ */

static const refusal overlaps[] = {
    /* exactly, by one byte at either end */
    {"gather_nd", spoil_place, OUTPUT, DATA, 0, INVALID, "output overlaps data; it must lie apart from it"},
    {"gather_nd", spoil_place, OUTPUT, DATA, 95, INVALID, "output overlaps data; it must lie apart from it"},
    {"gather_nd", spoil_place, OUTPUT, DATA, -63, INVALID, "output overlaps data; it must lie apart from it"},
    {"gather_nd", spoil_place, OUTPUT, INDICES, 31, INVALID, "output overlaps indices; it must lie apart from it"},
    {"gather_elements", spoil_place, OUTPUT, DATA, 4, INVALID, "output overlaps data; it must lie apart from it"},
    {"gather_elements", spoil_place, OUTPUT, INDICES, 0, INVALID,
     "output overlaps indices; it must lie apart from it"},
    {"scatter_nd", spoil_place, OUTPUT, INDICES, 79, INVALID, "output overlaps indices; it must lie apart from it"},
    {"scatter_nd", spoil_place, OUTPUT, UPDATES, -4, INVALID, "output overlaps updates; it must lie apart from it"},
    {"scatter_elements", spoil_place, OUTPUT, INDICES, 319, INVALID,
     "output overlaps indices; it must lie apart from it"},
    {"scatter_elements", spoil_place, OUTPUT, UPDATES, 0, INVALID,
     "output overlaps updates; it must lie apart from it"},
    {"scatter_nd", spoil_place_backwards, OUTPUT, UPDATES, 127, INVALID,
     "output overlaps updates; it must lie apart from it"},

    /* data would do for a scatter in place: the same place, but not a part of it */
    {"scatter_nd", spoil_place, OUTPUT, DATA, 4, INVALID,
     "output overlaps data; it must lie apart from it, or have the same pointer, shape and strides"},
    {"scatter_elements", spoil_place, OUTPUT, DATA, -95, INVALID,
     "output overlaps data; it must lie apart from it, or have the same pointer, shape and strides"},
    {"scatter_elements", spoil_place_transposed, OUTPUT, DATA, 0, INVALID,
     "output overlaps data; it must lie apart from it, or have the same pointer, shape and strides"},

    /* in place, the other inputs must lie apart from data as well */
    {"scatter_nd", spoil_place_in_place, UPDATES, DATA, 95, INVALID,
     "output overlaps updates; it must lie apart from it"},
    {"scatter_elements", spoil_place_in_place, INDICES, DATA, -319, INVALID,
     "output overlaps indices; it must lie apart from it"},

    {"scatter_nd", spoil_place_intricately, OUTPUT, DATA, 28, INVALID,
     "output interleaves with data in too intricate a way to tell that no byte is shared; it must lie apart from "
     "it"},

    {"gather_nd", spoil_stride, OUTPUT, 0, 0, INVALID,
     "output overlaps itself: the stride of dimension 0 is 0, and must step over 1 elements"},
    {"gather_elements", spoil_stride, OUTPUT, 1, 3, INVALID,
     "output overlaps itself: the stride of dimension 1 is 3, and must step over 4 elements"},
    {"scatter_nd", spoil_stride, OUTPUT, 0, -11, INVALID,
     "output overlaps itself: the stride of dimension 0 is -11, and must step over 12 elements"},
    {"scatter_elements", spoil_stride, OUTPUT, 2, 4, INVALID,
     "output overlaps itself: the stride of dimension 2 is 4, and must step over 9 elements"},
};

/* ---- Dtypes -------------------------------------------------------------------------------------- */

static const refusal dtypes[] = {
    {"gather_nd", spoil_dtype, DATA, 0, STREW_DTYPE_NONE, UNSUPPORTED, "data has an unknown dtype: 0"},
    {"gather_nd", spoil_dtype, DATA, 0, 99, UNSUPPORTED, "data has an unknown dtype: 99"},
    {"scatter_nd", spoil_dtype, DATA, 0, STREW_DTYPE_OPAQUE(0), UNSUPPORTED, "data has an unknown dtype: 0"},
    {"scatter_nd", spoil_dtype, INDICES, 0, STREW_DTYPE_COUNT, UNSUPPORTED, "indices has an unknown dtype: 27"},
    {"gather_elements", spoil_dtype, INDICES, 0, STREW_DTYPE_OPAQUE(0), UNSUPPORTED,
     "indices has an unknown dtype: 0"},
    {"scatter_elements", spoil_dtype, UPDATES, 0, STREW_DTYPE_NONE, UNSUPPORTED, "updates has an unknown dtype: 0"},
    {"scatter_nd", spoil_dtype, UPDATES, 0, 99, UNSUPPORTED, "updates has an unknown dtype: 99"},
    {"gather_elements", spoil_dtype, OUTPUT, 0, 0x7fffffff, UNSUPPORTED, "output has an unknown dtype: 2147483647"},
    {"scatter_elements", spoil_dtype, OUTPUT, 0, STREW_DTYPE_OPAQUE(0), UNSUPPORTED,
     "output has an unknown dtype: 0"},

    {"gather_nd", spoil_dtype, INDICES, 0, STREW_DTYPE_FLOAT32, UNSUPPORTED, "indices is float32" TAKES INTEGERS},
    {"gather_elements", spoil_dtype, INDICES, 0, STREW_DTYPE_BOOL, UNSUPPORTED, "indices is bool" TAKES INTEGERS},
    {"scatter_nd", spoil_dtype, INDICES, 0, STREW_DTYPE_COMPLEX64, UNSUPPORTED,
     "indices is complex64" TAKES INTEGERS},
    {"scatter_elements", spoil_dtype, INDICES, 0, STREW_DTYPE_OPAQUE(8), UNSUPPORTED,
     "indices is opaque of 8 bytes" TAKES INTEGERS},
    {"ScatterNDUpdate-3", spoil_dtype, DATA, 0, STREW_DTYPE_BOOL, UNSUPPORTED, "data is bool" TAKES NUMBERS},
    {"ScatterND-18", spoil_dtype, DATA, 0, STREW_DTYPE_OPAQUE(4), UNSUPPORTED,
     "data is opaque of 4 bytes" TAKES "bool, " NUMBERS ", string"},

    {"gather_nd", spoil_dtype, OUTPUT, 0, STREW_DTYPE_INT32, DTYPE,
     "output is int32; float32 is needed, as in data"},
    {"gather_elements", spoil_dtype, OUTPUT, 0, STREW_DTYPE_OPAQUE(4), DTYPE,
     "output is opaque of 4 bytes; float32 is needed, as in data"},
    {"scatter_nd", spoil_dtype, UPDATES, 0, STREW_DTYPE_FLOAT64, DTYPE,
     "updates is float64; float32 is needed, as in data"},
    {"scatter_nd", spoil_dtype, OUTPUT, 0, STREW_DTYPE_UINT32, DTYPE,
     "output is uint32; float32 is needed, as in data"},
    {"scatter_elements", spoil_dtype, UPDATES, 0, STREW_DTYPE_INT32, DTYPE,
     "updates is int32; float32 is needed, as in data"},
    {"scatter_elements", spoil_dtype, DATA, 0, STREW_DTYPE_INT32, DTYPE,
     "updates is float32; int32 is needed, as in data"},
    {"gather_nd", spoil_dtype, OUTPUT, 0, STREW_DTYPE_FLOAT8E5M2, DTYPE,
     "output is float8e5m2; float32 is needed, as in data"},

    {"gather_elements", spoil_dtype, INDICES, 0, STREW_DTYPE_INT4, UNSUPPORTED, "indices is int4" TAKES INTEGERS},
    {"GatherND-13", spoil_dtype, DATA, 0, STREW_DTYPE_FLOAT8E4M3FN, UNSUPPORTED,
     "data is float8e4m3fn" TAKES "bool, " NUMBERS ", string"},
    {"ScatterElements-18", spoil_dtype, DATA, 0, STREW_DTYPE_UINT4, UNSUPPORTED,
     "data is uint4" TAKES "bool, " NUMBERS ", string"},
    {"gather_nd", spoil_packed_row, DATA, 3, STREW_DTYPE_INT4, UNSUPPORTED,
     "data has rows of 3 packed elements, not whole bytes"},
    {"scatter_nd", spoil_packed_row, DATA, 6, STREW_DTYPE_UINT2, UNSUPPORTED,
     "data has rows of 6 packed elements, not whole bytes"},
    {"gather_elements", spoil_packed_row, DATA, 4, STREW_DTYPE_UINT4, UNSUPPORTED,
     "data has rows of 1 packed elements, not whole bytes"},
    {"scatter_elements", spoil_packed_row, DATA, 4, STREW_DTYPE_FLOAT4E2M1, UNSUPPORTED,
     "data has rows of 1 packed elements, not whole bytes"},
    {"scatter_nd", spoil_packed_stride, DATA, 2, 2, UNSUPPORTED,
     "the stride of dimension 2 of data is 2; packed elements adjoin if it is 1"},
    {"gather_nd", spoil_packed_stride, OUTPUT, 2, -1, UNSUPPORTED,
     "the stride of dimension 2 of output is -1; packed elements adjoin if it is 1"},
    {"gather_nd", spoil_packed_stride, DATA, 1, 5, UNSUPPORTED,
     "the stride of dimension 1 of data is 5 packed elements, not whole bytes"},
    {"scatter_nd", spoil_packed_stride, UPDATES, 0, 7, UNSUPPORTED,
     "the stride of dimension 0 of updates is 7 packed elements, not whole bytes"},
    {"scatter_nd", spoil_packed_stride, OUTPUT, 0, 13, UNSUPPORTED,
     "the stride of dimension 0 of output is 13 packed elements, not whole bytes"},
};

/* ---- Shapes -------------------------------------------------------------------------------------- */

static const refusal shapes[] = {
    {"gather_nd", spoil_rank, DATA, 0, 0, SHAPE, "data has rank 0; at least 1 is needed"},
    {"gather_nd", spoil_rank, INDICES, 0, 0, SHAPE, "indices has rank 0; at least 1 is needed"},
    {"gather_elements", spoil_rank, DATA, 0, 0, SHAPE, "data has rank 0; at least 1 is needed"},
    {"scatter_nd", spoil_rank, INDICES, 0, 0, SHAPE, "indices has rank 0; at least 1 is needed"},
    {"scatter_elements", spoil_rank, INDICES, 0, 0, SHAPE, "indices has rank 0; at least 1 is needed"},

    {"gather_elements", spoil_rank, INDICES, 0, 2, SHAPE, "indices has rank 2; 3 is needed to fit data"},
    {"scatter_elements", spoil_rank, INDICES, 0, 4, SHAPE, "indices has rank 4; 3 is needed to fit data"},
    {"scatter_nd", spoil_rank, UPDATES, 0, 1, SHAPE, "updates has rank 1; 2 is needed to fit indices"},
    {"scatter_elements", spoil_rank, UPDATES, 0, 0, SHAPE, "updates has rank 0; 3 is needed to fit indices"},
    {"gather_nd", spoil_rank, OUTPUT, 0, 2, SHAPE, "output has rank 2; 3 is needed to fit indices"},
    {"scatter_nd", spoil_rank, OUTPUT, 0, 2, SHAPE, "output has rank 2; 3 is needed to fit data"},
    {"scatter_nd", spoil_updates_of_one, UPDATES, 0, 1, SHAPE, "updates has rank 1; 0 is needed to fit indices"},

    {"gather_nd", spoil_size, INDICES, 0, 1, SHAPE, "dimension 0 of indices is 1; 2 is needed to fit data"},
    {"gather_nd", spoil_size, OUTPUT, 2, 5, SHAPE, "dimension 2 of output is 5; 4 is needed to fit data"},
    {"gather_elements", spoil_size, OUTPUT, 1, 3, SHAPE, "dimension 1 of output is 3; 5 is needed to fit indices"},
    {"scatter_nd", spoil_size, UPDATES, 1, 1, SHAPE, "dimension 1 of updates is 1; 4 is needed to fit data"},
    {"scatter_nd", spoil_size, OUTPUT, 0, 0, SHAPE, "dimension 0 of output is 0; 2 is needed to fit data"},
    {"scatter_elements", spoil_size, UPDATES, 0, 1, SHAPE,
     "dimension 0 of updates is 1; 2 is needed to fit indices"},
    {"scatter_elements", spoil_size, OUTPUT, 1, 5, SHAPE, "dimension 1 of output is 5; 3 is needed to fit data"},

    {"gather_elements", spoil_size, INDICES, 0, 3, SHAPE,
     "dimension 0 of indices is 3; off the axis it is at most 2, as in data"},
    {"scatter_elements", spoil_size, INDICES, 2, 5, SHAPE,
     "dimension 2 of indices is 5; off the axis it is at most 4, as in data"},

    {"gather_nd", spoil_size, INDICES, 2, 3, SHAPE,
     "the tuples of indices have 3 coordinates; data takes at most 2"},
    {"scatter_nd", spoil_size, INDICES, 1, 4, SHAPE,
     "the tuples of indices have 4 coordinates; data takes at most 3"},

    {"gather_nd", spoil_indices_to_ones, INDICES, 0, 32, SHAPE,
     "output would have rank 33; at most 32 is possible"},
    {"scatter_nd", spoil_indices_to_ones, INDICES, 0, 32, SHAPE,
     "updates would have rank 33; at most 32 is possible"},

    {"ScatterNDUpdate-15", spoil_updates_of_one, UPDATES, 0, 2, SHAPE, "updates has 2 elements; one is needed"},
    {"ScatterNDUpdate-3", spoil_updates_of_one, UPDATES, 0, 0, SHAPE, "updates has 0 elements; one is needed"},
};

/* ---- Attributes ---------------------------------------------------------------------------------- */

static const refusal attributes[] = {
    {"gather_elements", spoil_axis, AXIS, 0, 3, INVALID, "axis is 3, outside [-3, 2]"},
    {"gather_elements", spoil_axis, AXIS, 0, -4, INVALID, "axis is -4, outside [-3, 2]"},
    {"scatter_elements", spoil_axis, AXIS, 0, INT64_MAX, INVALID, "axis is 9223372036854775807, outside [-3, 2]"},
    {"ScatterElementsUpdate-3", spoil_axis, AXIS, 0, INT64_MIN, INVALID,
     "axis is -9223372036854775808, outside [-3, 2]"},
    {"gather_nd", spoil_batch_dims, BATCH_DIMS, 0, -1, INVALID, "batch_dims is -1, outside [0, 2]"},
    {"gather_nd", spoil_batch_dims, BATCH_DIMS, 0, 3, INVALID, "batch_dims is 3, outside [0, 2]"},
    {"GatherND-5", spoil_batch_dims, BATCH_DIMS, 0, INT64_MAX, INVALID,
     "batch_dims is 9223372036854775807, outside [0, 2]"},
    {"scatter_nd", spoil_reduction, REDUCTION, 0, 7, INVALID, "reduction is 7, outside [0, 6]"},
    {"scatter_elements", spoil_reduction, REDUCTION, 0, 99, INVALID, "reduction is 99, outside [0, 6]"},

    {"GatherND-13", spoil_by_giving, UPDATES, 0, 0, INVALID, "updates was given, and this operator takes none"},
    {"GatherElements-6", spoil_by_giving, UPDATES, 0, 0, INVALID,
     "updates was given, and this operator takes none"},
    {"GatherND-8", spoil_given, AXIS, 0, STREW_ATTRIBUTE_AXIS, INVALID,
     "axis was given, and this operator takes none"},
    {"GatherND-11", spoil_given, BATCH_DIMS, 0, STREW_ATTRIBUTE_BATCH_DIMS, INVALID,
     "batch_dims was given, and this operator takes none"},
    {"GatherElements-13", spoil_given, REDUCTION, 0, STREW_ATTRIBUTE_REDUCTION, INVALID,
     "reduction was given, and this operator takes none"},
    {"ScatterElements-18", spoil_given, USE_INIT_VAL, 0, STREW_ATTRIBUTE_USE_INIT_VAL, INVALID,
     "use_init_val was given, and this operator takes none"},
    {"ScatterElementsUpdate-12", spoil_given, AXIS, STREW_ATTRIBUTE_AXIS, 0, INVALID,
     "axis is required; this version of the operator has no default for it"},

    {"scatter_nd", spoil_reduction, REDUCTION, 0, STREW_REDUCTION_MEAN, NO_REDUCTION,
     "this operator has no reduction mean"},
    {"ScatterElements-16", spoil_reduction, REDUCTION, 0, STREW_REDUCTION_MAX, NO_REDUCTION,
     "this operator has no reduction max"},
    {"scatter_nd", spoil_reduction_of_data, REDUCTION, STREW_DTYPE_COMPLEX64, STREW_REDUCTION_MIN, NO_REDUCTION,
     "min is not defined for complex64"},
    {"scatter_elements", spoil_reduction_of_data, REDUCTION, STREW_DTYPE_BOOL, STREW_REDUCTION_MEAN, NO_REDUCTION,
     "mean is not defined for bool"},
    {"ScatterND-18", spoil_reduction_of_data, REDUCTION, STREW_DTYPE_STRING, STREW_REDUCTION_SUM, NO_REDUCTION,
     "sum is not defined for string"},
    {"scatter_elements", spoil_reduction_of_data, REDUCTION, STREW_DTYPE_OPAQUE(4), STREW_REDUCTION_PROD,
     NO_REDUCTION, "prod is not defined for opaque of 4 bytes"},
    {"scatter_nd", spoil_reduction_of_data, REDUCTION, STREW_DTYPE_FLOAT8E4M3FN, STREW_REDUCTION_SUM, NO_REDUCTION,
     "sum is not defined for float8e4m3fn"},
    {"scatter_nd", spoil_reduction_of_data, REDUCTION, STREW_DTYPE_INT4, STREW_REDUCTION_MAX, NO_REDUCTION,
     "max is not defined for int4"},
};

/* ---- Options ------------------------------------------------------------------------------------- */

static const refusal options[] = {
    {"gather_nd", spoil_flags, OPTIONS, 0, 4, INVALID, "options has unknown bits set: 4"},
    {"ScatterND-18", spoil_flags, OPTIONS, 0, 0x80000000, INVALID, "options has unknown bits set: 2147483648"},
    {"gather_elements", spoil_bounds, STREW_OPERAND_BOUNDS, 0, 5, INVALID, "bounds is 5, outside [0, 4]"},
    {"ScatterND-18", spoil_bounds, STREW_OPERAND_BOUNDS, 0, -1, INVALID, "bounds is -1, outside [0, 4]"},
    {"gather_elements", spoil_isa, OPTIONS, 0, 99, INVALID, "the instruction set unknown (99) cannot run here"},
    {"scatter_nd", spoil_threads, PARALLEL, 0, 4, INVALID, "parallel needs a run function and at least one thread"},
    {"scatter_nd", spoil_threads, PARALLEL, 1, 0, INVALID, "parallel needs a run function and at least one thread"},
    /* a counter of 8 bytes for each of the 24 elements of data, for each thread */
    {"scatter_elements", spoil_scratch, SCRATCH, 1, 95, INVALID, "scratch has 95 bytes; this plan needs 192"},
    {"scatter_elements", spoil_scratch, SCRATCH, 2, 96, INVALID, "scratch has 96 bytes; this plan needs 384"},
    {"scatter_elements", spoil_scratch_place, DATA, 0, 192, INVALID,
     "scratch overlaps data; it must lie apart from it"},
    {"scatter_elements", spoil_scratch_place, INDICES, 0, 192, INVALID,
     "scratch overlaps indices; it must lie apart from it"},
    {"scatter_elements", spoil_scratch_place, UPDATES, 0, 192, INVALID,
     "scratch overlaps updates; it must lie apart from it"},
    {"scatter_elements", spoil_scratch_place, OUTPUT, 0, 192, INVALID,
     "scratch overlaps output; it must lie apart from it"},
};

/* ---- Indices ------------------------------------------------------------------------------------- */

static const refusal indices[] = {
    {"gather_nd", spoil_index, INDICES, 3, 3, BOUNDS,
     "indices[1][1][0] is 3, outside [-3, 2] for dimension 1 of data"},
    {"gather_elements", spoil_index, INDICES, 39, -4, BOUNDS,
     "indices[1][4][3] is -4, outside [-3, 2] for dimension 1 of data"},
    {"scatter_nd", spoil_index, INDICES, 8, 2, BOUNDS,
     "indices[4][0] is 2, outside [-2, 1] for dimension 0 of data"},
    {"scatter_elements", spoil_index, INDICES, 0, INT64_MIN, BOUNDS,
     "indices[0][0][0] is -9223372036854775808, outside [-3, 2] for dimension 1 of data"},
    {"GatherND-8", spoil_index, INDICES, 0, -1, BOUNDS,
     "indices[0][0][0] is -1, outside [0, 2] for dimension 1 of data"},
    {"ScatterND-18", spoil_negative_index, INDICES, 9, -1, BOUNDS,
     "indices[4][1] is -1, outside [0, 2] for dimension 1 of data"},

    {"gather_nd", spoil_emptied_data, DATA, 1, 0, BOUNDS,
     "indices[0][0][0] is 0, and dimension 1 of data is empty"},
    {"gather_elements", spoil_emptied_data, DATA, 1, 0, BOUNDS,
     "indices[0][0][0] is 0, and dimension 1 of data is empty"},
    {"scatter_nd", spoil_emptied_data, DATA, 1, 0, BOUNDS, "indices[0][1] is 1, and dimension 1 of data is empty"},
    {"scatter_elements", spoil_emptied_data, DATA, 1, 0, BOUNDS,
     "indices[0][0][0] is 0, and dimension 1 of data is empty"},
};

/* ---- An axis that is a tensor -------------------------------------------------------------------- */

static const refusal axes[] = {
    {"gather_elements", spoil_by_forgetting, AXIS, 0, 0, INVALID, "axis is NULL"},
    {"gather_elements", spoil_rank, AXIS, 0, -1, INVALID, "axis has rank -1, outside [0, 32]"},
    {"gather_elements", spoil_rank, AXIS, 0, 33, INVALID, "axis has rank 33, outside [0, 32]"},
    {"gather_elements", spoil_shape_pointer, AXIS, 0, 0, INVALID, "axis has rank 1, but its shape is NULL"},
    {"gather_elements", spoil_size, AXIS, 0, -1, INVALID, "dimension 0 of axis is -1; a size is 0 or more"},
    {"gather_elements", spoil_size, AXIS, 0, INT64_MAX, INVALID, TOO_FAR("axis", "0")},
    {"gather_elements", spoil_data_pointer, AXIS, 0, 0, INVALID, "axis has elements, but its data pointer is NULL"},
    {"gather_elements", spoil_dtype, AXIS, 0, 99, UNSUPPORTED, "axis has an unknown dtype: 99"},
    {"gather_elements", spoil_dtype, AXIS, 0, STREW_DTYPE_FLOAT64, UNSUPPORTED, "axis is float64" TAKES INTEGERS},
    {"gather_elements", spoil_dtype, AXIS, 0, STREW_DTYPE_BOOL, UNSUPPORTED, "axis is bool" TAKES INTEGERS},
    {"gather_elements", spoil_rank, AXIS, 0, 2, SHAPE, "axis has rank 2; at most 1 is allowed"},
    {"gather_elements", spoil_size, AXIS, 0, 2, SHAPE, "axis has 2 elements; one is needed"},
    {"gather_elements", spoil_size, AXIS, 0, 0, SHAPE, "axis has 0 elements; one is needed"},
};

/* ---- The lists ----------------------------------------------------------------------------------- */

const refusal_list refusals_of_no_tensors = {COUNT(no_tensors), no_tensors};
const refusal_list refusals_of_too_large_tensors = {COUNT(too_large_tensors), too_large_tensors};
const refusal_list refusals_of_overlaps = {COUNT(overlaps), overlaps};
const refusal_list refusals_of_dtypes = {COUNT(dtypes), dtypes};
const refusal_list refusals_of_shapes = {COUNT(shapes), shapes};
const refusal_list refusals_of_attributes = {COUNT(attributes), attributes};
const refusal_list refusals_of_options = {COUNT(options), options};
const refusal_list refusals_of_indices = {COUNT(indices), indices};
const refusal_list refusals_of_axes = {COUNT(axes), axes};
