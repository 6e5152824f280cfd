/* Calls made of a fuzzer's bytes: an operator with tensors that mostly fit each other. */
#ifndef STREW_FUZZ_CALL_H
#define STREW_FUZZ_CALL_H

#include "input.h"
#include "oracle/call.h"

enum {
    OPERAND_DATA,
    OPERAND_INDICES,
    OPERAND_UPDATES,
    OPERAND_OUTPUT,
    OPERAND_SEGMENTS,
    OPERAND_WEIGHTS,
    FUZZ_OPERANDS
};

enum { TUNINGS = 4 };

/* A tensor, the block of memory that holds it, and the offset of its first element in the block. */
typedef struct fuzz_operand {
    strew_tensor view;
    bool is_given;
    int64_t shape[STREW_MAX_RANK], strides[STREW_MAX_RANK];
    bool has_strides;
    size_t block;
    int64_t low, high, begin; /* its extent, in bytes from its first element */
} fuzz_operand;

typedef struct fuzz_call {
    operator_call call;
    fuzz_operand operand[FUZZ_OPERANDS];
    int64_t starts[STREW_MAX_RANK], stops[STREW_MAX_RANK], steps[STREW_MAX_RANK], axes[STREW_MAX_RANK];
    strew_slice slice;
    char fill[64];
    bool has_fill, in_place;
    size_t tuning;
} fuzz_call;

/* Makes a call of the bytes, without memory: of any operator, or of this one. */
void fuzz_call_describe(fuzz_call *self, input *bytes);
void fuzz_call_describe_kind(fuzz_call *self, strew_kind kind, input *bytes);

/* Aborts, which a fuzzer counts as a finding. */
void fuzz_require(bool condition, const char *what, const fuzz_call *call);

#endif
