/* The takeover of PyTorch's own operators: their table, and the arguments of their kernels. ¶ A kernel looks at
 * its arguments, and either does the call or returns why not. In the second case it has done nothing yet, and
 * the call is handed back to the kernel that PyTorch had before (see hand_back in takeover.c). That kernel also
 * raises the errors. */
#ifndef STREW_TORCH_TAKEOVER_H
#define STREW_TORCH_TAKEOVER_H

#include "support.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Why a call went back to PyTorch; TAKEN if it did not. X(name, text of report()). */
#define STREW_TORCH_OUTCOMES(X)                                                   \
    X(TAKEN, "by strew")                                                          \
    X(INDEX, "an index out of bounds")                                            \
    X(ARGUMENTS, "arguments that PyTorch refuses, or has rules of its own for")   \
    X(DTYPE, "a dtype")                                                           \
    X(OVERLAP, "memory that overlaps")                                            \
    X(TENSOR, "a tensor that is not plain memory of the CPU")                     \
    X(RESIZE, "out= of another shape")                                            \
    X(FILL, "a mask and one value, which PyTorch fills in one pass")              \
    X(FASTER, "a kind that PyTorch is faster at")                                 \
    X(ROUNDING, "a complex product or mean, which PyTorch rounds in another way") \
    X(WARNING, "a warning that PyTorch gives once")                               \
    X(MEMORY, "too little memory")

typedef enum outcome {
#define ENUMERATOR(name, text) name,
    STREW_TORCH_OUTCOMES(ENUMERATOR)
#undef ENUMERATOR
        OUTCOMES
} outcome;

/* The place of an operator's result. */
typedef enum form {
    FUNCTIONAL, /* to a new tensor */
    IN_PLACE,   /* to the first argument */
    OUT         /* to the last */
} form;

/* The operators: X(identifier, name, overload, arguments, form, results, kernel). An argument is a T(ensor),
 * i(nteger), b(ool), S(tring) or O(ptional tensor). `results` is how many tensors it returns. */
#define STREW_TORCH_OPERATORS(X)                                                                      \
    X(GATHER, "gather", "", "TiTb", FUNCTIONAL, 1, gather)                                            \
    X(GATHER_OUT, "gather", "out", "TiTbT", OUT, 1, gather)                                           \
    X(INDEX_SELECT, "index_select", "", "TiT", FUNCTIONAL, 1, index_select)                           \
    X(INDEX_SELECT_OUT, "index_select", "out", "TiTT", OUT, 1, index_select)                          \
    X(SCATTER, "scatter", "src", "TiTT", FUNCTIONAL, 1, scatter)                                      \
    X(SCATTER_, "scatter_", "src", "TiTT", IN_PLACE, 1, scatter)                                      \
    X(SCATTER_OUT, "scatter", "src_out", "TiTTT", OUT, 1, scatter)                                    \
    X(SCATTER_BY, "scatter", "reduce", "TiTTS", FUNCTIONAL, 1, scatter_by)                            \
    X(SCATTER_BY_, "scatter_", "reduce", "TiTTS", IN_PLACE, 1, scatter_by)                            \
    X(SCATTER_BY_OUT, "scatter", "reduce_out", "TiTTST", OUT, 1, scatter_by)                          \
    X(SCATTER_ADD, "scatter_add", "", "TiTT", FUNCTIONAL, 1, scatter_add)                             \
    X(SCATTER_ADD_, "scatter_add_", "", "TiTT", IN_PLACE, 1, scatter_add)                             \
    X(SCATTER_ADD_OUT, "scatter_add", "out", "TiTTT", OUT, 1, scatter_add)                            \
    X(SCATTER_REDUCE, "scatter_reduce", "two", "TiTTSb", FUNCTIONAL, 1, scatter_reduce)               \
    X(SCATTER_REDUCE_, "scatter_reduce_", "two", "TiTTSb", IN_PLACE, 1, scatter_reduce)               \
    X(SCATTER_REDUCE_OUT, "scatter_reduce", "two_out", "TiTTSbT", OUT, 1, scatter_reduce)             \
    X(INDEX_COPY, "index_copy", "", "TiTT", FUNCTIONAL, 1, index_copy)                                \
    X(INDEX_COPY_, "index_copy_", "", "TiTT", IN_PLACE, 1, index_copy)                                \
    X(INDEX_COPY_OUT, "index_copy", "out", "TiTTT", OUT, 1, index_copy)                               \
    X(EMBEDDING_BACKWARD, "embedding_dense_backward", "", "TTiib", FUNCTIONAL, 1, embedding_backward) \
    X(EMBEDDING_BAG, "_embedding_bag", "", "TTTbibObi", FUNCTIONAL, 4, embedding_bag)                 \
    X(EMBEDDING_BAG_FORWARD, "_embedding_bag_forward_only", "", "TTTbibObi", FUNCTIONAL, 4, embedding_bag)

/* Operators whose kernels Python registers, from python_kernels.c: X(identifier, name, overload, form, kernel).
 * A Scalar does not cross the stable interface. From a list the interface takes the tensors out instead of
 * sharing them, which breaks callers that use their list twice, as the formulas of autograd do. */
#define STREW_TORCH_PYTHON_OPERATORS(X)                        \
    X(INDEX_TENSOR, "index", "Tensor", FUNCTIONAL, index_get)  \
    X(INDEX_TENSOR_OUT, "index", "Tensor_out", OUT, index_get) \
    X(INDEX_PUT_, "_index_put_impl_", "", IN_PLACE, index_put)

typedef struct operator_description {
    const char *name, *overload, *arguments;
    form form;
    int results;
} operator_description;

typedef enum operator_id {
#define ENUMERATOR(identifier, name, overload, arguments, form, results, kernel) identifier,
    STREW_TORCH_OPERATORS(ENUMERATOR)
#undef ENUMERATOR
        BOXED_OPERATORS,
    BEFORE_PYTHON_OPERATORS = BOXED_OPERATORS - 1,
#define ENUMERATOR(identifier, name, overload, form, kernel) identifier,
    STREW_TORCH_PYTHON_OPERATORS(ENUMERATOR)
#undef ENUMERATOR
        OPERATORS
} operator_id;

extern const operator_description takeover_operators[OPERATORS];

/* One call of one of them. */
enum { MOST_RESULTS = 4 };
typedef struct call {
    operator_id id;
    form form;
    int32_t arguments;                      /* how many */
    StableIValue *stack;                    /* they, which stay the stack's */
    AtenTensorHandle results[MOST_RESULTS]; /* new tensors of a FUNCTIONAL call; NULL until they are made */
} call;

typedef outcome (*kernel)(call *self);

outcome gather(call *self);
outcome index_select(call *self);
outcome scatter(call *self);
outcome scatter_by(call *self);
outcome scatter_add(call *self);
outcome scatter_reduce(call *self);
outcome index_copy(call *self);
outcome embedding_backward(call *self);
outcome embedding_bag(call *self);

/* ---- What kernels share: arguments.c ---- */

/* A tensor of a call. */
typedef struct operand {
    strew_tensor view; /* a tensor of rank 0 has one dimension of size 1 here, as PyTorch's indexing takes it */
    int32_t rank;      /* which it has there */
    int32_t dtype;     /* PyTorch's */
} operand;

/* Shape and strides of a view that a kernel makes itself. */
typedef struct layout {
    int64_t shape[STREW_MAX_RANK];
    int64_t strides[STREW_MAX_RANK];
} layout;

/* The tensor among the arguments; false if strew cannot view it. */
bool operand_read(const call *self, int32_t argument, operand *tensor);

int64_t element_count(const strew_tensor *view);
bool is_half(strew_dtype dtype); /* float16 or bfloat16 */
bool same_shape(const strew_tensor *one, const strew_tensor *other);

/* Counts a negative axis from the end; false if it is out of range. */
bool axis_wrap(StableIValue value, int32_t rank, int64_t *axis);

/* In place, data is the output. Copy-on-write memory may have moved since data was viewed. */
void in_place_read(const call *self, operand *data, const strew_tensor *output);

/* Takes the output of the call: a new tensor of this shape and dtype, self, or out. The latter two must have
 * them already. Its view has at least one dimension, as an operand's. */
outcome output_take(call *self, int32_t rank, const int64_t *shape, int32_t dtype, strew_tensor *output);

/* An index of one dimension as one for elements: the shape of `like` with the index's length on the axis, and the
 * same index for everything off it. */
strew_tensor index_expand(const strew_tensor *index, const strew_tensor *like, int64_t axis, layout *memory);

/* The dtypes that PyTorch's own kernels accept differ by operator and release; strew accepts the same. A variant
 * is a case of an operator with dtypes of its own. */
enum { VARIANTS = 10 };
bool dtype_accepted(operator_id id, int32_t variant, int32_t dtype);
bool index_accepted(operator_id id, strew_dtype dtype);

/* The number of elements from which a call may be handed back for speed: handing back costs some ten
 * microseconds. */
enum { LARGE_CALL = 1 << 16, CACHED_BYTES = 1 << 24 };

/* The outcome of a call with this status of strew. */
outcome outcome_of(strew_status status);

/* PyTorch's dim-wise operators refuse negative indices, its indexing does not. */
enum { REFUSE_NEGATIVE = STREW_FLAG_REFUSE_NEGATIVE_INDICES };

/* Gathers with PyTorch's threads; flags are strew's. */
outcome run_gather_elements(const strew_tensor *data, const strew_tensor *index, int64_t axis, uint32_t flags,
                            const strew_tensor *output);
outcome run_gather_nd(const strew_tensor *data, const strew_tensor *indices, int64_t batch_dims,
                      const strew_tensor *output);

/* PyTorch's threads, for a call that moves so many elements. */
strew_parallel parallel_for(int64_t elements);

/* Runs a plan with PyTorch's threads, and with scratch. */
outcome run_plan(const strew_plan *plan, const strew_parallel *parallel, const strew_buffers *buffers);

/* Scatters with PyTorch's threads, and with scratch. */
outcome run_scatter_elements(const strew_tensor *data, const strew_tensor *index, const strew_tensor *updates,
                             int64_t axis, strew_reduction reduction, bool include_self, uint32_t flags,
                             const strew_tensor *output);
outcome run_scatter_nd(const strew_tensor *data, const strew_tensor *indices, const strew_tensor *updates,
                       strew_reduction reduction, uint32_t flags, const strew_tensor *output);

/* ---- The takeover itself: takeover.c ---- */

/* Registers all kernels. False if PyTorch refuses. */
bool takeover_begin(void);
void takeover_end(void);

/* Keeps the error that Python caught from PyTorch's own kernel, for this thread, until it is thrown again. */
void takeover_note(strew_torch_class kind, const char *text, size_t length);

/* Releases the arguments of a call, and its results so far. */
void takeover_release(call *self);

/* Whether strew also takes calls that PyTorch runs faster. */
bool takeover_is_exact(void);
void takeover_set_exact(bool exact);

/* How many calls of an operator had this outcome. */
uint64_t takeover_count(operator_id id, outcome end);
void takeover_count_one(operator_id id, outcome end);
void takeover_reset_counts(void);

void takeover_accept(operator_id id, int32_t variant, uint64_t dtypes, bool int32_index);

extern const char *const takeover_outcomes[OUTCOMES];

/* ---- PyTorch's own kernels: native.cpp ---- */

/* Looks for all of them in PyTorch's library. */
void native_find(void *library, void *(*find)(void *library, const char *name));

/* Allows or forbids direct calls of an operator's kernel; false if it has no such kernel. Python forbids them if
 * another library had replaced PyTorch's kernel before enable(). */
bool native_allow(operator_id id, bool allowed);

/* Calls the kernel on the arguments of the stack, which keeps them; for a FUNCTIONAL call it sets `results` to
 * the new tensors. Its exceptions pass, after takeover_release has released the call. False, without effect, if
 * there is no kernel to call directly. */
bool native_call(call *self, AtenTensorHandle *results);

#ifdef __cplusplus
}
#endif

#endif
