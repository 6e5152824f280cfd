/* One call of an operator, whichever it is: what JAX traces, and what XLA runs. */
#ifndef STREW_PYTHON_JAX_CALL_H
#define STREW_PYTHON_JAX_CALL_H

#include <strew/operators.h>

/* The lists of a slice. */
enum { STREW_JAX_STARTS, STREW_JAX_STOPS, STREW_JAX_STEPS, STREW_JAX_AXES, STREW_JAX_SLICE_LISTS };

typedef struct strew_jax_call {
    strew_kind kind;
    strew_tensor data;
    strew_tensor indices;
    strew_tensor segments; /* offsets, segment_ids or targets */
    strew_tensor weights;  /* or nothing */
    bool has_weights;
    strew_tensor updates;
    int64_t axis;              /* of all but the operators of tuples */
    int64_t batch_dims;        /* of gather_nd, gather and scatter */
    strew_reduction reduction; /* of scatters and of what combines */
    bool use_init_val;         /* of scatter_elements and scatter */
    bool circular;             /* of tensor_scatter */
    int64_t segment_count;     /* of embedding_segments and segment_reduce */
    strew_empty empty;         /* of segment_reduce */
    int64_t default_index;     /* of embedding_bag_offsets and embedding_segments */
    strew_bounds bounds;
    bool unique_indices;    /* a promise of scatters */
    bool has_fill;          /* of gathers */
    unsigned char fill[16]; /* an element, the largest of which is a complex128 */
    int32_t sliced;         /* of slice_scatter: how many dimensions, and for each list so many entries */
    int64_t slice[STREW_JAX_SLICE_LISTS][STREW_MAX_RANK]; /* of these alone the first are set */
} strew_jax_call;

/* All kinds are for JAX. */
enum { STREW_JAX_KINDS = STREW_KIND_GATHER_SCATTER + 1 };

/* What calls have beside data, in this order; weights may be left out. */
enum { STREW_JAX_INDICES = 1, STREW_JAX_UPDATES = 2, STREW_JAX_SEGMENTS = 4, STREW_JAX_WEIGHTS = 8 };
bool strew_jax_has(strew_kind kind, unsigned operand);

/* Finds a kind by its name: "gather_nd". */
bool strew_jax_find_kind(const char *name, strew_kind *kind);

/* The shape that the output must have. */
strew_status strew_jax_shape(const strew_jax_call *call, int64_t shape[STREW_MAX_RANK], int32_t *rank,
                             strew_error *error);

/* Plans the call for this output. */
strew_status strew_jax_plan(const strew_jax_call *call, const strew_tensor *output,
                            const strew_plan_options *options, strew_plan *plan);

#endif
