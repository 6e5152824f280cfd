/* Lists every refusal with its sentence, and defines the function that refuses. */
#ifndef STREW_BASE_ERROR_H
#define STREW_BASE_ERROR_H

#include "base/compiler.h"
#include "base/lists.h"

/*
 * X(REASON, STATUS, sentence). A sentence may contain fields of strew_error: {operand} {other} {dimension} {value}
 * {lower} {upper} {position}. {dtype}, {reduction}, {kind} and {isa} stand for the name of `value`, {needed_dtype}
 * for the name of `lower`, {dtypes} for the names of the dtypes whose bits are set in `lower`.
 */
#define STREW_REASONS(X)                                                                                       \
    X(NULL_ARGUMENT, INVALID_ARGUMENT, "{operand} is NULL")                                                    \
    X(RANK_OUT_OF_RANGE, INVALID_ARGUMENT, "{operand} has rank {value}, outside [{lower}, {upper}]")           \
    X(NULL_SHAPE, INVALID_ARGUMENT, "{operand} has rank {value}, but its shape is NULL")                       \
    X(NEGATIVE_SIZE, INVALID_ARGUMENT, "dimension {dimension} of {operand} is {value}; a size is 0 or more")   \
    X(TOO_LARGE, INVALID_ARGUMENT,                                                                             \
      "the shape or the strides of {operand} reach further than {upper} bytes, at dimension {dimension}")      \
    X(NULL_DATA, INVALID_ARGUMENT, "{operand} has elements, but its data pointer is NULL")                     \
    X(OVERLAP, INVALID_ARGUMENT, "{operand} overlaps {other}; it must lie apart from it")                      \
    X(OVERLAPS_DATA, INVALID_ARGUMENT,                                                                         \
      "{operand} overlaps {other}; it must lie apart from it, or have the same pointer, shape and strides")    \
    X(INTERLEAVES, INVALID_ARGUMENT,                                                                           \
      "{operand} interleaves with {other} in too intricate a way to tell that no byte is shared; it must "     \
      "lie apart from it")                                                                                     \
    X(OVERLAPS_ITSELF, INVALID_ARGUMENT,                                                                       \
      "{operand} overlaps itself: the stride of dimension {dimension} is {value}, and must step over {lower} " \
      "elements")                                                                                              \
    X(UNEXPECTED, INVALID_ARGUMENT, "{operand} was given, and this operator takes none")                       \
    X(REQUIRED, INVALID_ARGUMENT, "{operand} is required; this version of the operator has no default for it") \
    X(OUT_OF_RANGE, INVALID_ARGUMENT, "{operand} is {value}, outside [{lower}, {upper}]")                      \
    X(WEIGHTED_MEAN, INVALID_ARGUMENT, "{operand} were given beside a mean, which takes none")                 \
    X(OFFSET_OUTSIDE, INVALID_ARGUMENT, "{operand}{position} is {value}, outside [{lower}, {upper}]")          \
    X(DECREASES, INVALID_ARGUMENT, "{operand}{position} is {value}, less than the {lower} before it")          \
    X(DECREASES_AMENDED, INVALID_ARGUMENT,                                                                     \
      "{operand}{position} counts as {value}, less than the {lower} that the one before it counts as")         \
    X(ZERO_STEP, INVALID_ARGUMENT, "the step of {operand} along dimension {dimension} is 0")                   \
    X(REPEATED_AXIS, INVALID_ARGUMENT, "{operand} names dimension {dimension} twice")                          \
    X(UNKNOWN_BITS, INVALID_ARGUMENT, "{operand} has unknown bits set: {value}")                               \
    X(WRONG_STRUCT_SIZE, INVALID_ARGUMENT,                                                                     \
      "the struct_size of {operand} is {value}; the size of its type is {lower}")                              \
    X(ISA_NOT_RUNNABLE, INVALID_ARGUMENT, "the instruction set {isa} ({value}) cannot run here")               \
    X(NO_THREADS, INVALID_ARGUMENT, "{operand} needs a run function and at least one thread")                  \
    X(SCRATCH_TOO_SMALL, INVALID_ARGUMENT, "{operand} has {value} bytes; this plan needs {lower}")             \
    X(NOT_A_PLAN, INVALID_ARGUMENT, "{operand} was not made by a call of strew_plan_* that succeeded")         \
    X(NOT_ITS_INSPECTION, INVALID_ARGUMENT, "{operand} is not as strew_plan_inspect wrote it for this plan")   \
    X(RANK_TOO_SMALL, SHAPE_MISMATCH, "{operand} has rank {value}; at least {lower} is needed")                \
    X(RANK_TOO_LARGE, SHAPE_MISMATCH, "{operand} has rank {value}; at most {upper} is allowed")                \
    X(WRONG_RANK, SHAPE_MISMATCH, "{operand} has rank {value}; {lower} is needed to fit {other}")              \
    X(RESULT_RANK_TOO_LARGE, SHAPE_MISMATCH, "{operand} would have rank {value}; at most {upper} is possible") \
    X(WRONG_SIZE, SHAPE_MISMATCH,                                                                              \
      "dimension {dimension} of {operand} is {value}; {lower} is needed to fit {other}")                       \
    X(SIZE_TOO_LARGE, SHAPE_MISMATCH,                                                                          \
      "dimension {dimension} of {operand} is {value}; off the axis it is at most {upper}, as in {other}")      \
    X(LONGER_THAN_AXIS, SHAPE_MISMATCH,                                                                        \
      "dimension {dimension} of {operand} is {value}; along the axis it is at most {upper}, as in {other}")    \
    X(TUPLE_TOO_LONG, SHAPE_MISMATCH,                                                                          \
      "the tuples of {operand} have {value} coordinates; {other} takes at most {upper}")                       \
    X(NOT_ONE_ELEMENT, SHAPE_MISMATCH, "{operand} has {value} elements; one is needed")                        \
    X(DTYPES_DIFFER, DTYPE_MISMATCH, "{operand} is {dtype}; {needed_dtype} is needed, as in {other}")          \
    X(UNKNOWN_DTYPE, UNSUPPORTED_DTYPE, "{operand} has an unknown dtype: {value}")                             \
    X(DTYPE_NOT_TAKEN, UNSUPPORTED_DTYPE, "{operand} is {dtype}; this operator takes {dtypes}")                \
    X(PACKED_ROW, UNSUPPORTED_DTYPE, "{operand} has rows of {value} packed elements, not whole bytes")         \
    X(PACKED_STRIDE, UNSUPPORTED_DTYPE,                                                                        \
      "the stride of dimension {dimension} of {operand} is {value}; packed elements adjoin if it is {lower}")  \
    X(PACKED_STEP, UNSUPPORTED_DTYPE,                                                                          \
      "the stride of dimension {dimension} of {operand} is {value} packed elements, not whole bytes")          \
    X(REDUCTION_NOT_OFFERED, UNSUPPORTED_REDUCTION, "this operator has no reduction {reduction}")              \
    X(REDUCTION_NOT_DEFINED, UNSUPPORTED_REDUCTION, "{reduction} is not defined for {needed_dtype}")           \
    X(OPERATOR_LEFT_OUT, UNSUPPORTED_OPERATOR, "{kind} was left out of this build (STREW_OPERATORS)")          \
    X(DTYPE_LEFT_OUT, UNSUPPORTED_DTYPE,                                                                       \
      "{operand} is {dtype}, which was left out of this build (STREW_DTYPES, STREW_INDEX_DTYPES)")             \
    X(REDUCTION_LEFT_OUT, UNSUPPORTED_REDUCTION, "{reduction} was left out of this build (STREW_REDUCTIONS)")  \
    X(INDEX_OUTSIDE, INDEX_OUT_OF_BOUNDS,                                                                      \
      "{operand}{position} is {value}, outside [{lower}, {upper}] for dimension {dimension} of {other}")       \
    X(INDEX_INTO_EMPTY, INDEX_OUT_OF_BOUNDS,                                                                   \
      "{operand}{position} is {value}, and dimension {dimension} of {other} is empty")

typedef enum strew_reason {
    STREW_REASON_NONE,
#define STREW_REASON_CONSTANT(REASON, STATUS, sentence) STREW_REASON_##REASON,
    STREW_REASONS(STREW_REASON_CONSTANT)
#undef STREW_REASON_CONSTANT
} strew_reason;

/* Returns the name of an operand, such as "data"; "unknown" for any other value. */
const char *strew_operand_name(strew_operand operand);

/* Fills in *error from the details, the reason and its status, unless error is NULL. Returns the status. */
STREW_COLD strew_status strew_refuse(strew_error *error, strew_reason reason, const strew_error *details);

/* Refuses a call: STREW_REFUSE(error, OUT_OF_RANGE, .operand = STREW_OPERAND_AXIS, .value = axis, ...) */
#define STREW_REFUSE(error, REASON, ...) \
    strew_refuse((error), STREW_REASON_##REASON, &(const strew_error){__VA_ARGS__})

/* Makes the function that contains it return the status of `call` if that was refused. */
#define RETURN_IF_REFUSED(call)            \
    do {                                   \
        const strew_status status_ = call; \
        if (status_ != STREW_STATUS_OK)    \
            return status_;                \
    } while (0)

#endif
