/* One call of any operator, as JAX traces it and as XLA runs it. */
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
    strew_tensor weights;  /* valid if has_weights */
    bool has_weights;
    strew_tensor updates;
    int64_t axis;              /* all but the operators of tuples */
    int64_t batch_dims;        /* gather_nd, gather and scatter */
    strew_reduction reduction; /* scatters and the operators that combine */
    bool use_init_val;         /* scatter_elements and scatter */
    bool circular;             /* tensor_scatter */
    int64_t segment_count;     /* embedding_segments and segment_reduce */
    strew_empty empty;         /* segment_reduce */
    int64_t default_index;     /* embedding_bag_offsets and embedding_segments */
    strew_bounds bounds;
    bool unique_indices;    /* a promise of scatters */
    bool has_fill;          /* gathers */
    unsigned char fill[16]; /* one element; the largest dtype is complex128 */
    int32_t sliced;         /* slice_scatter: the number of dimensions, and of valid entries in each list below */
    int64_t slice[STREW_JAX_SLICE_LISTS][STREW_MAX_RANK]; /* only the first `sliced` entries are set */
} strew_jax_call;

/* All kinds are for JAX. */
enum { STREW_JAX_KINDS = STREW_KIND_GATHER_SCATTER + 1 };

/* The operands of calls besides data, in this order; weights are optional. */
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
