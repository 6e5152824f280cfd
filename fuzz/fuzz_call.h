/*
 * Calls that are made of a fuzzer's bytes: an operator with tensors that mostly fit each other, in memory that has
 * exactly as many bytes as they reach, each in an allocation of its own or, to overlap, in another's.
 */
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
    OPERAND_AXIS,
    FUZZ_OPERANDS
};

enum { TUNINGS = 4 };

/* A tensor, where its memory is, and how far from the beginning of that its first element stands. */
typedef struct fuzz_operand {
    strew_tensor view;
    bool is_given;
    int64_t shape[STREW_MAX_RANK], strides[STREW_MAX_RANK];
    bool has_strides;
    size_t block;
    int64_t low, high, begin;
} fuzz_operand;

typedef struct fuzz_memory {
    unsigned char *block[FUZZ_OPERANDS];
    size_t size[FUZZ_OPERANDS];
} fuzz_memory;

typedef struct fuzz_call {
    operator_call call;
    fuzz_operand operand[FUZZ_OPERANDS];
    int64_t starts[STREW_MAX_RANK], stops[STREW_MAX_RANK], steps[STREW_MAX_RANK], axes[STREW_MAX_RANK];
    strew_slice slice;
    char fill[64];
    bool has_fill, in_place;
    size_t tuning;
} fuzz_call;

/* The call as the bytes say, without memory: of any operator, or of this one. */
void fuzz_call_describe(fuzz_call *self, input *bytes);
void fuzz_call_describe_kind(fuzz_call *self, strew_kind kind, input *bytes);

/* Finds how much memory it needs, and says where its operands lie there. False if nobody has so much. */
bool fuzz_call_lay_out(fuzz_call *self, input *bytes, fuzz_memory *memory);

/* Allocates the memory and fills it: indices mostly with what may be one. */
void fuzz_memory_create(fuzz_memory *memory, const fuzz_call *call, input *bytes);
void fuzz_memory_clone(fuzz_memory *copy, const fuzz_memory *memory);
void fuzz_memory_destroy(fuzz_memory *memory);
bool fuzz_memory_same(const fuzz_memory *memory, const fuzz_memory *other);

/* Points the call into memory, or, without any, nowhere. It then points into itself as well: it is not to be moved.
 */
void fuzz_call_attach(fuzz_call *self, const fuzz_memory *memory);

/* Makes strew choose as on the machine that the call says. */
void fuzz_call_tune(const fuzz_call *self);

/* Lets the library run it; what of the options a call says itself, its flags and its policy, is the call's. */
strew_status fuzz_call_run(const fuzz_call *self, call_way way, call_scratch scratch, const strew_options *options);

/* Plans what nobody has the memory for. */
void fuzz_call_plan_alone(fuzz_call *self);

/* An instruction set that runs here, and up to 4 threads, whose tasks run one after another, the last one first. */
strew_isa fuzz_isa(input *bytes);
const strew_parallel *fuzz_threads(input *bytes);

/* Whether two operands reach into each other's bytes, as strew.h says it. */
bool fuzz_operands_overlap(const fuzz_operand *a, const fuzz_operand *b);

/*
 * After a call: what must be so whatever it was given. Of an output that is unspecified, all around its elements.
 * Aborts otherwise. `before` is the memory before the call.
 */
void fuzz_call_check_memory(const fuzz_call *self, strew_status status, const fuzz_memory *after,
                            const fuzz_memory *before);

/* Bytes that belong to no element of the output must be as before, whatever came of the call. */
void fuzz_call_check_around(const fuzz_call *self, const fuzz_memory *after, const fuzz_memory *before);

/* Aborts, which is how a fuzzer is told. */
void fuzz_require(bool condition, const char *what, const fuzz_call *call);

#endif
