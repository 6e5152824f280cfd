/* One call of an operator, whichever it is: what JAX traces, and what XLA runs. */
#ifndef STREW_PYTHON_JAX_CALL_H
#define STREW_PYTHON_JAX_CALL_H

#include <strew/operators.h>

typedef struct strew_jax_call {
    strew_kind kind;
    strew_tensor data;
    strew_tensor indices;
    strew_tensor segments; /* of those that combine: offsets or targets */
    strew_tensor weights;  /* of those that combine, or nothing */
    bool has_weights;
    strew_tensor updates;      /* of scatters */
    int64_t axis;              /* of all but the operators of tuples */
    int64_t batch_dims;        /* of gather_nd, gather and scatter */
    strew_reduction reduction; /* of scatters */
    bool use_init_val;         /* of scatter_elements and scatter */
    bool circular;             /* of tensor_scatter */
    strew_bounds bounds;
    bool has_fill;          /* of gathers */
    unsigned char fill[16]; /* an element, the largest of which is a complex128 */
} strew_jax_call;

/* Whether there is a kind for JAX, all of which are below STREW_JAX_KINDS. */
enum { STREW_JAX_KINDS = STREW_KIND_GATHER_SCATTER + 1 };
bool strew_jax_serves(strew_kind kind);

/* Whether calls of this kind combine rows, and have segments and maybe weights. */
bool strew_jax_combines(strew_kind kind);

/* Finds a kind by its name: "gather_nd". */
bool strew_jax_find_kind(const char *name, strew_kind *kind);

/* Whether calls of this kind have updates. */
bool strew_jax_scatters(strew_kind kind);

/* The shape that the output must have. */
strew_status strew_jax_shape(const strew_jax_call *call, int64_t shape[STREW_MAX_RANK], int32_t *rank,
                             strew_error *error);

/* Plans the call for this output. */
strew_status strew_jax_plan(const strew_jax_call *call, const strew_tensor *output,
                            const strew_plan_options *options, strew_plan *plan);

#endif
