/*
 * One call of an operator with all that it takes, so that the library and the oracle can be given the same.
 */
#ifndef STREW_TESTS_CALL_H
#define STREW_TESTS_CALL_H

#include <stdio.h>

#include <strew/operators.h>

typedef struct operator_call {
    strew_kind kind;
    const strew_tensor *data;
    const strew_tensor *indices;
    const strew_tensor *updates; /* of a scatter */
    const strew_tensor *output;
    int64_t batch_dims; /* of gather_nd, and along an axis */
    int64_t axis;       /* of elements, and along an axis */
    strew_reduction reduction;
    bool use_init_val;
    bool circular;                /* of tensor_scatter */
    const strew_slice *slice;     /* of slice_scatter */
    const strew_tensor *segments; /* offsets, segment_ids or targets */
    const strew_tensor *weights;
    int64_t default_index; /* of bags and segments */
    strew_empty empty;     /* of segment_reduce */
    uint32_t flags;        /* STREW_FLAG_REFUSE_NEGATIVE_INDICES */
    strew_bounds bounds;
    const void *fill; /* of a gather that skips */
} operator_call;

/* Whether an operator gathers or scatters, names rows by tuples, or by an axis, and can start without data; whether
 * it combines rows that it gathers, and whether a list says of each into which row it goes. */
bool kind_gathers(strew_kind kind);
bool kind_has_rows(strew_kind kind);
bool kind_has_axis(strew_kind kind);
bool kind_has_initial_value(strew_kind kind);
bool kind_has_bags(strew_kind kind);
bool kind_has_numbers(strew_kind kind);

/* No options, but for the instruction set that STREW_TEST_ISA in the environment names: emulated ones have to be
 * asked for. */
strew_options call_options(void);

/* What of the options a plan and its run look at. A struct_size that is wrong stays so, by as many bytes. */
strew_plan_options call_plan_options(const strew_options *options);
strew_run_options call_run_options(const strew_options *options);

/* The call as it is; any of its tensors may be NULL. */
strew_status call_operator(const operator_call *call, const strew_options *options);

/* The shape of its output, of which there are as many rows of segments as its output says. */
strew_status call_shape(const operator_call *call, int64_t shape[STREW_MAX_RANK], int32_t *rank,
                        strew_error *error);

/* The library's plan of this kind, made from tensors without data pointers. */
strew_status call_plan(const operator_call *call, strew_plan *plan, const strew_plan_options *options);

typedef enum call_way {
    BY_ONE_CALL,
    BY_PLAN,
    BY_PLAN_FOR_OTHER_THREADS, /* made for one thread more than it is run on */
    BY_INSPECTION              /* by the plan for its inspected indices */
} call_way;

typedef enum call_scratch {
    LEAST_SCRATCH, /* what its plan cannot do without */
    FULL_SCRATCH   /* what its plan would have */
} call_scratch;

/* Lets the library run the call, with scratch that has no byte too many and is not aligned. */
strew_status call_run(const operator_call *call, call_way way, call_scratch scratch, const strew_options *options);

/* The pointers that the plan is to run on, and those of its plan for what was inspected into so many bytes. */
strew_buffers call_buffers(const operator_call *call);
void call_use_inspection(const operator_call *call, strew_buffers *buffers, const void *storage, size_t size);

/* Everything about the call but the elements, in a few lines. */
void call_describe(FILE *stream, const operator_call *call);

#endif
