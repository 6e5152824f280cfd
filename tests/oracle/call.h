/* One call of an operator with all of its arguments, which the library and the oracle share. */
#ifndef STREW_TESTS_CALL_H
#define STREW_TESTS_CALL_H

#include <stdio.h>

#include <strew/operators.h>

typedef struct operator_call {
    strew_kind kind;
    const strew_tensor *data;
    const strew_tensor *indices;
    const strew_tensor *updates; /* for a scatter */
    const strew_tensor *output;
    int64_t batch_dims; /* for gather_nd, and along an axis */
    int64_t axis;       /* for elements, and along an axis */
    strew_reduction reduction;
    bool use_init_val;
    bool circular;                /* for tensor_scatter */
    const strew_slice *slice;     /* for slice_scatter */
    const strew_tensor *segments; /* offsets, segment_ids or targets */
    const strew_tensor *weights;
    int64_t default_index; /* for bags and segments */
    strew_empty empty;     /* for segment_reduce */
    uint32_t flags;        /* STREW_FLAG_REFUSE_NEGATIVE_INDICES */
    strew_bounds bounds;
    const void *fill; /* for a gather that skips */
} operator_call;

/* Whether an operator gathers or scatters, names rows by tuples, or by an axis, and can start without data;
 * whether it combines gathered rows, and whether a list names the target of each. */
bool kind_gathers(strew_kind kind);
bool kind_has_rows(strew_kind kind);
bool kind_has_axis(strew_kind kind);
bool kind_has_initial_value(strew_kind kind);
bool kind_has_bags(strew_kind kind);
bool kind_has_numbers(strew_kind kind);

/* No options, except for the instruction set that STREW_TEST_ISA in the environment names: emulated ones are
 * only used on request. */
strew_options call_options(void);

/* The options for a plan and its run. A wrong struct_size stays wrong by as many bytes. */
strew_plan_options call_plan_options(const strew_options *options);
strew_run_options call_run_options(const strew_options *options);

/* Makes the call unchanged; any of its tensors may be NULL. */
strew_status call_operator(const operator_call *call, const strew_options *options);

/* The shape of the output; the call's own output gives the number of rows of segments. */
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
    LEAST_SCRATCH, /* the scratch that its plan needs */
    FULL_SCRATCH   /* the scratch that its plan can use */
} call_scratch;

/* Lets the library run the call, with scratch that has no byte too many and is not aligned. */
strew_status call_run(const operator_call *call, call_way way, call_scratch scratch, const strew_options *options);

/* The pointers for a run of the plan, and those for a run of its inspected plan. */
strew_buffers call_buffers(const operator_call *call);
void call_use_inspection(const operator_call *call, strew_buffers *buffers, const void *storage, size_t size);

/* Everything about the call but the elements, in a few lines. */
void call_describe(FILE *stream, const operator_call *call);

#endif
