/* The refused calls, by their faults. */
#ifndef STREW_TESTS_REFUSAL_CASES_H
#define STREW_TESTS_REFUSAL_CASES_H

#include "refusal.h"

/* Short names for those of strew.h. */
#define SHAPE STREW_STATUS_SHAPE_MISMATCH
#define DTYPE STREW_STATUS_DTYPE_MISMATCH
#define UNSUPPORTED STREW_STATUS_UNSUPPORTED_DTYPE
#define NO_REDUCTION STREW_STATUS_UNSUPPORTED_REDUCTION
#define BOUNDS STREW_STATUS_INDEX_OUT_OF_BOUNDS

#if PTRDIFF_MAX == INT64_MAX
#define GREATEST "9223372036854775807"
#else
#define GREATEST "2147483647"
#endif

#define TOO_FAR(operand, dimension) \
    "the shape or the strides of " operand " reach further than " GREATEST " bytes, at dimension " dimension

/* The dtypes that an operator takes, for the message about another one. */
#define TAKES "; this operator takes "
#define INT32_AND_INT64 "int32, int64"
#define INTEGERS "int8, int16, int32, int64, uint8, uint16, uint32, uint64"
#define OTHER_NUMBERS ", float32, float64, complex64, complex128"
#define NUMBERS INTEGERS ", float16, bfloat16" OTHER_NUMBERS

typedef struct refusal_list {
    size_t count;
    const refusal *refusals;
} refusal_list;

extern const refusal_list refusals_of_no_tensors;
extern const refusal_list refusals_of_too_large_tensors;
extern const refusal_list refusals_of_overlaps;
extern const refusal_list refusals_of_dtypes;
extern const refusal_list refusals_of_shapes;
extern const refusal_list refusals_of_attributes;
extern const refusal_list refusals_of_options;
extern const refusal_list refusals_of_indices;
extern const refusal_list refusals_of_axes;       /* by strew_axis_read */
extern const refusal_list refusals_along_an_axis; /* for all of strew_gather and strew_scatter */
extern const refusal_list refusals_of_bags;       /* for all operators that combine rows */

#endif
