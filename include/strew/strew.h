/*
 * strew: tensor scatter and gather on CPUs.
 *
 * Four operators, each one call:
 *
 *   strew_gather_nd            OpenVINO GatherND, ONNX GatherND
 *   strew_gather_elements      OpenVINO and ONNX GatherElements
 *   strew_scatter_nd           OpenVINO ScatterNDUpdate, ONNX ScatterND
 *   strew_scatter_elements     OpenVINO ScatterElementsUpdate, ONNX ScatterElements and Scatter
 *
 * Each can also be planned once and run many times (strew_plan_*, strew_plan_run), asked for the shape of
 * its output (*_shape), or run under the rules of one published version (strew_operator_*).
 *
 * Rules that hold everywhere:
 *
 *   - Updates take effect in the row-major order of `indices`. When assigning, the last one wins;
 *     reductions combine from left to right and round once per step in the element's own type. So
 *     duplicates have one defined result, the same bit for bit on every instruction set and for every
 *     number of threads (which payload a NaN carries is the one thing not promised).
 *   - Integers wrap. Float min and max return NaN if either side is NaN, and order -0 before +0.
 *     For bool, any non-zero byte is true; sum and max are OR, sub is XOR, prod and min are AND, and
 *     the result is 0 or 1. float16 and bfloat16 are combined in float32 and rounded to nearest even.
 *   - Every index is checked against its dimension. A call refused for its shapes, types or options has
 *     written nothing. A call refused for an index has left every input, and the tensor of an in-place
 *     call, as they were; the content of a separate output is then unspecified.
 *   - The library allocates nothing, starts no thread, and has no state but the choice of kernels made
 *     at the first use. Every function may be called from any thread at any time.
 *   - Pointers need no alignment, not even that of their elements.
 */
#ifndef STREW_STREW_H
#define STREW_STREW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The version is written here and nowhere else; the build reads it from these lines. */
#define STREW_VERSION_MAJOR 0
#define STREW_VERSION_MINOR 1
#define STREW_VERSION_PATCH 0

#if defined(_WIN32) && defined(STREW_SHARED)
#ifdef STREW_BUILDING
#define STREW_API __declspec(dllexport)
#else
#define STREW_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define STREW_API __attribute__((visibility("default")))
#else
#define STREW_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The largest rank of any tensor, outputs included. */
#define STREW_MAX_RANK 32

/* ---- Status and errors --------------------------------------------------------------------------- */

/* Every status: X(CONSTANT, name). Their values are stable. */
#define STREW_STATUSES(X)                                                                           \
    X(OK, ok)                                       /* done */                                      \
    X(INVALID_ARGUMENT, invalid_argument)           /* NULL, a value outside its range, misuse */   \
    X(SHAPE_MISMATCH, shape_mismatch)               /* ranks or dimensions that do not fit */       \
    X(DTYPE_MISMATCH, dtype_mismatch)               /* data, updates, output of other dtypes */     \
    X(UNSUPPORTED_DTYPE, unsupported_dtype)         /* the operator does not take this dtype */     \
    X(UNSUPPORTED_REDUCTION, unsupported_reduction) /* nor this reduction */                        \
    X(INDEX_OUT_OF_BOUNDS, index_out_of_bounds)     /* an index outside its dimension */            \
    X(OUT_OF_MEMORY, out_of_memory)                 /* tools only: the library allocates nothing */ \
    X(IO_ERROR, io_error)                           /* tools only */

typedef enum strew_status {
#define STREW_STATUS_CONSTANT(CONSTANT, name) STREW_STATUS_##CONSTANT,
    STREW_STATUSES(STREW_STATUS_CONSTANT)
#undef STREW_STATUS_CONSTANT
} strew_status;

/* "invalid_argument" and so on; "unknown" for a value that is none. */
STREW_API const char *strew_status_name(strew_status status);

/* What an error is about: X(CONSTANT, name). */
#define STREW_OPERANDS(X)         \
    X(CALL, call)                 \
    X(DATA, data)                 \
    X(INDICES, indices)           \
    X(UPDATES, updates)           \
    X(OUTPUT, output)             \
    X(AXIS, axis)                 \
    X(BATCH_DIMS, batch_dims)     \
    X(REDUCTION, reduction)       \
    X(USE_INIT_VAL, use_init_val) \
    X(OPERATOR, operator)         \
    X(ATTRIBUTES, attributes)     \
    X(PLAN, plan)                 \
    X(BUFFERS, buffers)           \
    X(SHAPE, shape)               \
    X(RANK, rank)                 \
    X(ISA, isa)                   \
    X(OPTIONS, options)           \
    X(PARALLEL, parallel)         \
    X(SCRATCH, scratch)

typedef enum strew_operand {
#define STREW_OPERAND_CONSTANT(CONSTANT, name) STREW_OPERAND_##CONSTANT,
    STREW_OPERANDS(STREW_OPERAND_CONSTANT)
#undef STREW_OPERAND_CONSTANT
} strew_operand;

/*
 * Why a call was refused. Filled in when options->error points at one; strew_error_message turns it into
 * a sentence. For an index out of bounds it names the first offender in the row-major order of `indices`,
 * whatever the number of threads. A field that says nothing about an error is zero.
 */
typedef struct strew_error {
    strew_status status;
    int32_t reason;                   /* which sentence strew_error_message writes; its values may change */
    strew_operand operand;            /* the operand at fault */
    strew_operand other;              /* the operand it does not fit, if that is another one */
    int32_t dimension;                /* the dimension of the operand, or of data for an index */
    bool value_is_unsigned;           /* read `value` as a uint64_t */
    int64_t value;                    /* what was found */
    int64_t lower, upper;             /* the least and the greatest value that would have been right */
    int32_t position_rank;            /* for an index: the rank of `indices`; otherwise 0 */
    int64_t position[STREW_MAX_RANK]; /* for an index: where in `indices` it stands */
} strew_error;

/*
 * Writes one line without a newline, such as
 *   indices[3][0] is 7, outside [-4, 3] for dimension 0 of data
 * into buffer[size], cut to fit and always terminated if size > 0. Returns the length of the whole line,
 * as snprintf does. A message of 256 bytes is never cut below rank 12.
 */
STREW_API size_t strew_error_message(const strew_error *error, char *buffer, size_t size);

/* ---- Elements ------------------------------------------------------------------------------------ */

/* An element of a string tensor: a view that strew moves but never reads through, combines or owns. */
typedef struct strew_string {
    const char *data;
    size_t size;
} strew_string;

/*
 * Every dtype: X(CONSTANT, name, suffix, bytes of an element). The suffix is the short name that kernels
 * and benchmarks carry. The order gives the values, which are stable.
 */
#define STREW_INTEGER_DTYPES(X) \
    X(INT8, int8, i8, 1)        \
    X(INT16, int16, i16, 2)     \
    X(INT32, int32, i32, 4)     \
    X(INT64, int64, i64, 8)     \
    X(UINT8, uint8, u8, 1)      \
    X(UINT16, uint16, u16, 2)   \
    X(UINT32, uint32, u32, 4)   \
    X(UINT64, uint64, u64, 8)
#define STREW_FLOAT_DTYPES(X)      \
    X(FLOAT16, float16, f16, 2)    \
    X(BFLOAT16, bfloat16, bf16, 2) \
    X(FLOAT32, float32, f32, 4)    \
    X(FLOAT64, float64, f64, 8)
#define STREW_COMPLEX_DTYPES(X)     \
    X(COMPLEX64, complex64, c64, 8) \
    X(COMPLEX128, complex128, c128, 16)
#define STREW_DTYPES(X)     \
    X(BOOL, bool, b8, 1)    \
    STREW_INTEGER_DTYPES(X) \
    STREW_FLOAT_DTYPES(X)   \
    STREW_COMPLEX_DTYPES(X) \
    X(STRING, string, str, sizeof(strew_string))

typedef uint32_t strew_dtype;

enum {
    STREW_DTYPE_NONE, /* no dtype: what a zeroed tensor has */
#define STREW_DTYPE_CONSTANT(CONSTANT, name, suffix, bytes) STREW_DTYPE_##CONSTANT,
    STREW_DTYPES(STREW_DTYPE_CONSTANT)
#undef STREW_DTYPE_CONSTANT
    /* clang-format off */
    STREW_DTYPE_COUNT
    /* clang-format on */
};

/*
 * Opaque elements of a fixed size, 1 to 2^31 - 1 bytes: moved, never combined. Any size outside that range
 * gives a dtype that every call refuses.
 */
#define STREW_DTYPE_OPAQUE_BIT 0x80000000u
#define STREW_DTYPE_OPAQUE(bytes)                                                                               \
    ((uint64_t)(bytes)-1 < STREW_DTYPE_OPAQUE_BIT - 1 ? STREW_DTYPE_OPAQUE_BIT | (strew_dtype)(uint64_t)(bytes) \
                                                      : (strew_dtype)STREW_DTYPE_NONE)

STREW_API const char *strew_dtype_name(strew_dtype dtype); /* "float32"; "opaque"; "unknown" */
STREW_API strew_dtype strew_dtype_find(const char *name);  /* STREW_DTYPE_NONE if there is none */
STREW_API size_t strew_dtype_size(strew_dtype dtype);      /* bytes of an element; 0 if unknown */

/*
 * Every reduction: X(CONSTANT, name, other name). The combinations in the middle take two elements and
 * give one: data = data + update, data - update, data * update, min(data, update), max(data, update).
 */
#define STREW_COMBINATIONS(X) \
    X(SUM, sum, "add")        \
    X(SUB, sub, "")           \
    X(PROD, prod, "mul")      \
    X(MIN, min, "")           \
    X(MAX, max, "")
#define STREW_REDUCTIONS(X)                              \
    X(NONE, none, "") /* assign: the last update wins */ \
    STREW_COMBINATIONS(X)                                \
    X(MEAN, mean, "") /* sum in order, then one division by count */

typedef enum strew_reduction {
#define STREW_REDUCTION_CONSTANT(CONSTANT, name, other) STREW_REDUCTION_##CONSTANT,
    STREW_REDUCTIONS(STREW_REDUCTION_CONSTANT)
#undef STREW_REDUCTION_CONSTANT
    /* clang-format off */
    STREW_REDUCTION_COUNT
    /* clang-format on */
} strew_reduction;

STREW_API const char *strew_reduction_name(strew_reduction reduction); /* "sum"; "unknown" */
/* Finds "sum" and "add" alike. Returns false, and leaves *reduction alone, if there is none. */
STREW_API bool strew_reduction_find(const char *name, strew_reduction *reduction);
/* Whether elements of this dtype can be combined so: no min of complex, no mean of bool, no sum of strings. */
STREW_API bool strew_reduction_supports(strew_reduction reduction, strew_dtype dtype);

/* ---- Tensors, threads, options ------------------------------------------------------------------- */

/*
 * A view of memory that the caller owns. Element (i0, i1, ...) stands at
 *   (char *)data + (i0 * strides[0] + i1 * strides[1] + ...) * strew_dtype_size(dtype).
 *
 *   data     may be NULL if the tensor has no elements, and for planning and shape inference.
 *   rank     0 to STREW_MAX_RANK.
 *   shape    shape[rank], each at least 0; may be NULL if rank is 0.
 *   strides  strides[rank], in elements; NULL means contiguous and row-major. Inputs may have any
 *            strides, zero and negative ones included. An output must not overlap itself: sorted by
 *            size, each stride must step over everything that the smaller ones reach.
 *
 * The product of the dimensions (zeros left out) times the element size, and the reach of the strides in
 * bytes, must fit in ptrdiff_t; otherwise STREW_STATUS_INVALID_ARGUMENT.
 *
 * indices may have any integer dtype. A negative index i of a dimension of size s means s + i, and the
 * valid range is [-s, s - 1]; with STREW_FLAG_REFUSE_NEGATIVE_INDICES it is [0, s - 1].
 */
typedef struct strew_tensor {
    void *data;
    strew_dtype dtype;
    int32_t rank;
    const int64_t *shape;
    const int64_t *strides;
} strew_tensor;

typedef void (*strew_task)(void *context, size_t index);

/*
 * The caller's threads. run(pool, task, context, count) must call task(context, i) once for each
 * i < count, on any threads in any order, and return when all have returned. `threads`, at least 1, is
 * how many of them can run at once. A call may use it several times, or not at all if its work is too little to
 * share. include/strew/pthreadpool.h makes one from a pthreadpool_t.
 */
typedef struct strew_parallel {
    void (*run)(void *pool, strew_task task, void *context, size_t count);
    void *pool;
    size_t threads;
} strew_parallel;

/* Every instruction set: X(CONSTANT, name), the baseline first and better ones after it. */
#define STREW_ISAS(X) \
    X(SCALAR, scalar) \
    X(AVX2, avx2)     \
    X(AVX512, avx512) \
    X(NEON, neon)

typedef enum strew_isa {
    STREW_ISA_BEST, /* the best one that this CPU runs natively, or what STREW_ISA in the environment caps it to */
#define STREW_ISA_CONSTANT(CONSTANT, name) STREW_ISA_##CONSTANT,
    STREW_ISAS(STREW_ISA_CONSTANT)
#undef STREW_ISA_CONSTANT
    /* clang-format off */
    STREW_ISA_COUNT
    /* clang-format on */
} strew_isa;

enum { STREW_FLAG_REFUSE_NEGATIVE_INDICES = 1u << 0 };

/*
 * What a call may be told besides its operands; NULL stands for all defaults. Set struct_size to
 * sizeof(strew_options) and everything else to zero, then what you need: STREW_OPTIONS_INIT does both.
 */
typedef struct strew_options {
    size_t struct_size;
    strew_isa isa;                  /* when planning: the kernels to use */
    uint32_t flags;                 /* when planning: STREW_FLAG_REFUSE_NEGATIVE_INDICES */
    const strew_parallel *parallel; /* when running: NULL for the calling thread alone */
    void *scratch;                  /* when running: see strew_plan_scratch_size; apart from every tensor */
    size_t scratch_size;            /* when running: bytes at scratch */
    strew_error *error;             /* always: filled in if the call is refused, but for a wrong struct_size */
} strew_options;

/* clang-format off */
#define STREW_OPTIONS_INIT {sizeof(strew_options), STREW_ISA_BEST, 0, NULL, NULL, 0, NULL}
/* clang-format on */

/* ---- The operators ------------------------------------------------------------------------------- */

/*
 * Gathers rows (OpenVINO GatherND-8, ONNX GatherND-13).
 *
 *   data      rank r >= 1
 *   indices   rank q >= 1; its last dimension k holds tuples of k coordinates, 0 <= k <= r - b
 *   b         batch_dims, 0 <= b < min(r, q); the first b dimensions of data and indices are equal
 *   output    shape indices.shape[:q-1] + data.shape[b+k:], the dtype of data, apart from both inputs
 *
 * For each tuple position (p, t), where p has b coordinates:
 *   output[p, t, ...] = data[p, indices[p, t, 0], ..., indices[p, t, k-1], ...]
 */
STREW_API strew_status strew_gather_nd(const strew_tensor *data, const strew_tensor *indices, int64_t batch_dims,
                                       const strew_tensor *output, const strew_options *options);

/*
 * Gathers elements (OpenVINO GatherElements-6, ONNX GatherElements-13).
 *
 *   data      rank r >= 1
 *   indices   rank r; off the axis, no dimension larger than that of data
 *   axis      -r <= axis < r; a negative one counts from the end
 *   output    the shape of indices, the dtype of data, apart from both inputs
 *
 *   output[i][j][k] = data[i][indices[i][j][k]][k]     for axis 1 of rank 3
 */
STREW_API strew_status strew_gather_elements(const strew_tensor *data, const strew_tensor *indices, int64_t axis,
                                             const strew_tensor *output, const strew_options *options);

/*
 * Scatters rows (OpenVINO ScatterNDUpdate-15, ONNX ScatterND-18).
 *
 *   data       rank r >= 1
 *   indices    rank q >= 1; its last dimension k holds tuples of k coordinates, 0 <= k <= r
 *   updates    shape indices.shape[:q-1] + data.shape[k:], the dtype of data
 *   reduction  none, sum, sub, prod, min or max
 *   output     the shape and dtype of data; either data itself (the same pointer, shape and strides: in
 *              place, only the updates are written) or apart from every input
 *
 * After output = data, for each tuple position t in row-major order:
 *   output[indices[t, 0], ..., indices[t, k-1], ...] (reduction)= updates[t, ...]
 */
STREW_API strew_status strew_scatter_nd(const strew_tensor *data, const strew_tensor *indices,
                                        const strew_tensor *updates, strew_reduction reduction,
                                        const strew_tensor *output, const strew_options *options);

/*
 * Scatters elements (OpenVINO ScatterElementsUpdate-12, ONNX ScatterElements-18 and Scatter-11).
 *
 *   data          rank r >= 1
 *   indices       rank r; off the axis, no dimension larger than that of data
 *   updates       the shape of indices, the dtype of data
 *   axis          -r <= axis < r; a negative one counts from the end
 *   reduction     none, sum, sub, prod, min, max or mean
 *   use_init_val  whether the element of data takes part. If false, a reduction of an element that indices
 *                 name starts from the reduction's identity instead: -0 for a sum (so that X + -0 is X for
 *                 every X; 0 for integers), 1 for prod (1 + 0i for complex), the greatest value or +infinity
 *                 for min, the least or -infinity for max; sub starts from 0. Without effect when assigning.
 *   output        as for strew_scatter_nd
 *
 * After output = data, for each position (i, j, k) of indices in row-major order:
 *   output[i][indices[i][j][k]][k] (reduction)= updates[i][j][k]     for axis 1 of rank 3
 *
 * mean divides the sum of an element's updates (and of the element itself, with use_init_val) by how many
 * were added, once, in the element's own type (in float32 for halves, each part by itself for complex);
 * integers are rounded toward minus infinity. It counts in options->scratch.
 */
STREW_API strew_status strew_scatter_elements(const strew_tensor *data, const strew_tensor *indices,
                                              const strew_tensor *updates, int64_t axis, strew_reduction reduction,
                                              bool use_init_val, const strew_tensor *output,
                                              const strew_options *options);

/*
 * The shape that the output must have. The tensors are checked as the operator checks them, but their data
 * pointers are not looked at and may be NULL. *rank and shape[0..*rank) are written on success only.
 */
STREW_API strew_status strew_gather_nd_shape(const strew_tensor *data, const strew_tensor *indices,
                                             int64_t batch_dims, int64_t shape[STREW_MAX_RANK], int32_t *rank,
                                             const strew_options *options);
STREW_API strew_status strew_gather_elements_shape(const strew_tensor *data, const strew_tensor *indices,
                                                   int64_t axis, int64_t shape[STREW_MAX_RANK], int32_t *rank,
                                                   const strew_options *options);
STREW_API strew_status strew_scatter_nd_shape(const strew_tensor *data, const strew_tensor *indices,
                                              const strew_tensor *updates, int64_t shape[STREW_MAX_RANK],
                                              int32_t *rank, const strew_options *options);
STREW_API strew_status strew_scatter_elements_shape(const strew_tensor *data, const strew_tensor *indices,
                                                    const strew_tensor *updates, int64_t axis,
                                                    int64_t shape[STREW_MAX_RANK], int32_t *rank,
                                                    const strew_options *options);

/* ---- Plans --------------------------------------------------------------------------------------- */

/*
 * An operator with its shapes, strides, dtypes and kernels settled, without pointers into memory: planning
 * ignores the tensors' data pointers and copies what it needs of the rest. The caller owns the storage;
 * there is nothing to destroy. A plan may be copied, and run by several threads at once.
 */
#define STREW_PLAN_SIZE 8192
typedef struct strew_plan {
    uint64_t storage[STREW_PLAN_SIZE / sizeof(uint64_t)];
} strew_plan;

/* The arguments are those of the operators. A refused call leaves the plan unusable. */
STREW_API strew_status strew_plan_gather_nd(strew_plan *plan, const strew_tensor *data, const strew_tensor *indices,
                                            int64_t batch_dims, const strew_tensor *output,
                                            const strew_options *options);
STREW_API strew_status strew_plan_gather_elements(strew_plan *plan, const strew_tensor *data,
                                                  const strew_tensor *indices, int64_t axis,
                                                  const strew_tensor *output, const strew_options *options);
STREW_API strew_status strew_plan_scatter_nd(strew_plan *plan, const strew_tensor *data,
                                             const strew_tensor *indices, const strew_tensor *updates,
                                             strew_reduction reduction, const strew_tensor *output,
                                             const strew_options *options);
STREW_API strew_status strew_plan_scatter_elements(strew_plan *plan, const strew_tensor *data,
                                                   const strew_tensor *indices, const strew_tensor *updates,
                                                   int64_t axis, strew_reduction reduction, bool use_init_val,
                                                   const strew_tensor *output, const strew_options *options);

/* The data pointers of one run. `updates` must be NULL for a gather, and output == data runs a scatter in place. */
typedef struct strew_buffers {
    const void *data;
    const void *indices;
    const void *updates;
    void *output;
} strew_buffers;

/*
 * Runs a plan on these pointers. Beyond index_out_of_bounds it refuses what only the pointers show: NULL for
 * a tensor with elements, an output that overlaps an input other than in place, a plan that was not made by
 * this library, too little scratch, scratch that overlaps a tensor.
 */
STREW_API strew_status strew_plan_run(const strew_plan *plan, const strew_buffers *buffers,
                                      const strew_options *options);

/*
 * The bytes of options->scratch with which this plan runs fastest, with options->parallel (NULL: one thread).
 * Scratch needs no alignment and no preparation, but should be kept for the next run: pages that the system has
 * just given cost as much as they gain.
 *
 *   - Scatters of many elements (or rows of 1, 2, 4, 8 or 16 bytes) to more memory than the caches hold, or on
 *     several threads, partition their updates by where they go: 8 bytes for each (twice an element's size, if
 *     that is more), and up to 5 MB for each thread. With less scratch they do without, and give the same bits.
 *   - mean counts in it, and needs the least that strew_plan_least_scratch_size says.
 *   - All else has no use for it: 0, as for a plan that cannot be run.
 */
STREW_API size_t strew_plan_scratch_size(const strew_plan *plan, const strew_parallel *parallel);

/*
 * The bytes that options->scratch must have to run this plan at all: for mean, 8 for each counter of a lane along
 * the axis, times the lanes counted together and the threads; for all else 0.
 */
STREW_API size_t strew_plan_least_scratch_size(const strew_plan *plan, const strew_parallel *parallel);

/* ---- Published versions -------------------------------------------------------------------------- */

/* The four operators: X(CONSTANT, name). */
#define STREW_KINDS(X)                  \
    X(GATHER_ND, gather_nd)             \
    X(GATHER_ELEMENTS, gather_elements) \
    X(SCATTER_ND, scatter_nd)           \
    X(SCATTER_ELEMENTS, scatter_elements)

typedef enum strew_kind {
#define STREW_KIND_CONSTANT(CONSTANT, name) STREW_KIND_##CONSTANT,
    STREW_KINDS(STREW_KIND_CONSTANT)
#undef STREW_KIND_CONSTANT
} strew_kind;

STREW_API const char *strew_kind_name(strew_kind kind); /* "gather_nd"; "unknown" */

/* Bits of `given` in strew_attributes, and of the attributes that a version has. */
enum {
    STREW_ATTRIBUTE_AXIS = 1u << 0,
    STREW_ATTRIBUTE_BATCH_DIMS = 1u << 1,
    STREW_ATTRIBUTE_REDUCTION = 1u << 2,
    STREW_ATTRIBUTE_USE_INIT_VAL = 1u << 3
};

/* Oddities of single versions. */
enum {
    STREW_RULE_REFUSES_NEGATIVE = 1u << 0,    /* negative indices are out of bounds */
    STREW_RULE_FLATTENS_BATCH = 1u << 1,      /* the output's batch dimensions are one (GatherND-5) */
    STREW_RULE_ONE_ELEMENT_UPDATES = 1u << 2, /* updates of rank 0 may have any shape of one element */
    STREW_RULE_AXIS_IS_INPUT = 1u << 3,       /* axis is an input tensor: see strew_axis_read */
    STREW_RULE_DEPRECATED = 1u << 4
};

/* One published version of an operator: what it takes and what it refuses. */
typedef struct strew_operator {
    const char *name;       /* "ScatterNDUpdate-15" */
    const char *collection; /* "OpenVINO" or "ONNX" */
    int32_t version;        /* 15 */
    strew_kind kind;
    uint32_t attributes;  /* STREW_ATTRIBUTE_*: those that it has */
    uint32_t required;    /* STREW_ATTRIBUTE_*: those that have no default */
    uint32_t reductions;  /* bit 1u << reduction for each that it has */
    uint32_t data_dtypes; /* bit 1u << dtype for each that it takes */
    uint32_t index_dtypes;
    uint32_t rules; /* STREW_RULE_* */
} strew_operator;

STREW_API size_t strew_operator_count(void);
STREW_API const strew_operator *strew_operator_at(size_t index); /* NULL from strew_operator_count() on */
/*
 * Finds a versioned name, or the newest version of an unversioned one ("GatherND" is GatherND-13). NULL if
 * there is none.
 */
STREW_API const strew_operator *strew_operator_find(const char *name);

/* The attributes of a call; those whose bit in `given` is not set take the version's default. */
typedef struct strew_attributes {
    uint32_t given; /* STREW_ATTRIBUTE_* */
    strew_reduction reduction;
    int64_t axis;
    int64_t batch_dims;
    bool use_init_val;
} strew_attributes;

/*
 * The operator under the rules of one version: as the unversioned calls, with what the version does not allow
 * refused. attributes may be NULL when none is given; updates must be NULL for a gather.
 * STREW_FLAG_REFUSE_NEGATIVE_INDICES is added to what the version says.
 */
STREW_API strew_status strew_operator_run(const strew_operator *op, const strew_attributes *attributes,
                                          const strew_tensor *data, const strew_tensor *indices,
                                          const strew_tensor *updates, const strew_tensor *output,
                                          const strew_options *options);
STREW_API strew_status strew_operator_plan(strew_plan *plan, const strew_operator *op,
                                           const strew_attributes *attributes, const strew_tensor *data,
                                           const strew_tensor *indices, const strew_tensor *updates,
                                           const strew_tensor *output, const strew_options *options);
STREW_API strew_status strew_operator_shape(const strew_operator *op, const strew_attributes *attributes,
                                            const strew_tensor *data, const strew_tensor *indices,
                                            const strew_tensor *updates, int64_t shape[STREW_MAX_RANK],
                                            int32_t *rank, const strew_options *options);

/*
 * Reads an axis that is an input tensor (OpenVINO ScatterElementsUpdate): rank 0, or shape [1]; any integer
 * dtype. A uint64 above the signed range reads as INT64_MAX, which no axis is.
 */
STREW_API strew_status strew_axis_read(const strew_tensor *tensor, int64_t *axis, const strew_options *options);

/* ---- What runs here ------------------------------------------------------------------------------ */

typedef enum strew_isa_state {
    STREW_ISA_STATE_ABSENT,      /* not in this build */
    STREW_ISA_STATE_UNAVAILABLE, /* native code in this build, which this CPU or operating system cannot run */
    STREW_ISA_STATE_EMULATED,    /* in this build by emulation: runs when asked for by name, never picked */
    STREW_ISA_STATE_NATIVE       /* runs on this CPU */
} strew_isa_state;

STREW_API const char *strew_isa_name(strew_isa isa);             /* "scalar"; "best"; "unknown" */
STREW_API bool strew_isa_find(const char *name, strew_isa *isa); /* false, and *isa untouched, if none */
STREW_API strew_isa_state strew_isa_get_state(strew_isa isa);
STREW_API const char *strew_isa_state_name(strew_isa_state state); /* "native" and so on */
STREW_API strew_isa strew_isa_active(void);                        /* what STREW_ISA_BEST stands for here */

/* One slot of the kernel table, and the instruction set whose kernel fills it. */
typedef struct strew_kernel_info {
    const char *operation; /* "resolve", "gather", "scatter", "reduce_rows_sum", ... */
    const char *operand;   /* what it is specialised for: "f32", "x64", "rows", ... */
    strew_isa isa;
} strew_kernel_info;

STREW_API size_t strew_kernel_count(void);
/* Slot `index` of the table of `isa`. False if there is no such slot or the instruction set cannot run here. */
STREW_API bool strew_kernel_at(size_t index, strew_isa isa, strew_kernel_info *info);

/*
 * The CPU's own name, the features that matter here, and which of the CPUs that were measured the library takes it
 * for (STREW_TUNING in the environment names another), one line; written as strew_error_message writes.
 */
STREW_API size_t strew_cpu_describe(char *buffer, size_t size);

/* "0.1.0": the version of the library, which may be newer than this header. */
STREW_API const char *strew_version(void);

#ifdef __cplusplus
}
#endif

#endif
