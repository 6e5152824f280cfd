/**
 * @file
 * strew: tensor scatter and gather on CPUs.
 *
 * The operators, each one call:
 *
 *     strew_gather               OpenVINO and ONNX Gather
 *     strew_gather_nd            OpenVINO GatherND, ONNX GatherND
 *     strew_gather_elements      OpenVINO and ONNX GatherElements
 *     strew_scatter              OpenVINO ScatterUpdate
 *     strew_scatter_nd           OpenVINO ScatterNDUpdate, ONNX ScatterND
 *     strew_scatter_elements     OpenVINO ScatterElementsUpdate, ONNX ScatterElements and Scatter
 *     strew_tensor_scatter       ONNX TensorScatter
 *     strew_slice_scatter        OpenVINO SliceScatter
 *     strew_embedding_bag_offsets, strew_embedding_bag_packed, strew_embedding_segments
 *                                OpenVINO EmbeddingBagOffsets, EmbeddingBagPacked, EmbeddingSegmentsSum
 *     strew_segment_reduce       OpenVINO SegmentMax
 *     strew_gather_scatter       rows gathered by one list of indices, scattered by another
 *
 * Each can also be planned once and run many times (strew_plan_gather_nd and so on, strew_plan_run), and asked for
 * the shape of its output (strew_gather_nd_shape and so on). strew/operators.h has the same under the rules of one
 * published version, strew/inspect.h says what runs on this CPU, strew/dlpack.h and strew/pthreadpool.h adapt
 * tensors and threads.
 *
 * Rules that hold everywhere:
 *
 *   - A call returns STREW_STATUS_OK, or is refused: it returns another status, and says why in a strew_error.
 *     A call refused for its shapes, types or options has written nothing. A call refused for an index has left
 *     every input, and the tensor of an in-place call, as they were; the content of a separate output is then
 *     unspecified. Every index is checked against its dimension; what becomes of one outside it is the caller's
 *     choice (strew_bounds), and to refuse the default.
 *   - A signal handler that looks at the tensor of an in-place call while it runs finds it as it was if the call is
 *     going to be refused (other than by STREW_BOUNDS_STOP), and if it assigns, in each byte what was there or what
 *     an update brings. Of whole elements, and of reductions, nothing is said before the call returns.
 *   - Updates take effect in the row-major order of `indices`. When assigning, the last one wins; reductions
 *     combine from left to right and round once per step in the element's own type. So duplicates have one
 *     defined result, the same bit for bit on every instruction set and for every number of threads (which payload
 *     and sign a NaN has that was computed is the one thing not promised).
 *   - Integers wrap. Float min and max return NaN if either side is NaN, and order -0 before +0. For bool, any
 *     non-zero byte is true; sum and max are OR, sub is XOR, prod and min are AND, and the result is 0 or 1, but
 *     gathering and assigning move the byte as it is.
 *     float16 and bfloat16 are combined in float32 and rounded to nearest even.
 *   - Rounding is to nearest and subnormals count, whatever the calling thread and those of a pool have set (on
 *     x86, ARM, RISC-V and s390x); their settings are put back.
 *   - The library allocates nothing, starts no thread, and has no state but the choice of kernels made at the
 *     first use. Every function may be called from any thread at any time.
 *   - Pointers need no alignment, not even that of their elements.
 *   - A pointer that a comment does not allow to be NULL must not be. Operators, plans and those that infer shapes
 *     refuse NULL.
 */
#ifndef STREW_STREW_H
#define STREW_STREW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * @defgroup strew_build Version and build
 * The version is written here and nowhere else; the build reads it from these lines.
 * @{
 */
/** Another one, from 1.0 on, may change what programs rely on. */
#define STREW_VERSION_MAJOR 0
/** Another one adds; before 1.0 it may change the API and the ABI too. */
#define STREW_VERSION_MINOR 3
/** Another one corrects. */
#define STREW_VERSION_PATCH 0
/** @} */

/*
 * What a build may define, the same for the library and for all who include this header:
 *
 *     STREW_PREFIX   what every symbol of the library begins with: where it is acme_, the linker knows
 *                    strew_gather_nd as acme_strew_gather_nd, and two copies of strew in one process never meet.
 *                    C code still says strew_gather_nd.
 *     STREW_SHARED   the library is the shared one, which exports this API. The static one exports nothing: what it
 *                    is linked into does not export it either.
 *     STREW_API      what stands before each function, for those whom neither way suits.
 */
#ifdef STREW_PREFIX
#include <strew/prefix.h>
#endif
#ifndef STREW_API
#if !defined(STREW_SHARED)
#define STREW_API
#elif defined(_WIN32) && defined(STREW_BUILDING)
#define STREW_API __declspec(dllexport)
#elif defined(_WIN32)
#define STREW_API __declspec(dllimport)
#else
#define STREW_API __attribute__((visibility("default")))
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Status and errors --------------------------------------------------------------------------- */

/**
 * @defgroup strew_errors Status and errors
 * What became of a call, and what it says when it is refused.
 * @{
 */

/** The largest rank of any tensor, outputs included. */
#define STREW_MAX_RANK 32

/** What became of a call. */
typedef int32_t strew_status;
/** The values of strew_status, which are stable. */
enum {
    STREW_STATUS_OK = 0,                    /**< it did what it was asked for */
    STREW_STATUS_INVALID_ARGUMENT = 1,      /**< NULL, a value outside its range, operands that overlap, misuse */
    STREW_STATUS_SHAPE_MISMATCH = 2,        /**< ranks or dimensions that do not fit each other */
    STREW_STATUS_DTYPE_MISMATCH = 3,        /**< updates or output of another dtype than data */
    STREW_STATUS_UNSUPPORTED_DTYPE = 4,     /**< a dtype that is none, or that the operator does not take */
    STREW_STATUS_UNSUPPORTED_REDUCTION = 5, /**< a reduction that the operator, or the dtype, does not have */
    STREW_STATUS_INDEX_OUT_OF_BOUNDS = 6,   /**< an index outside its dimension; only when running */
    STREW_STATUS_OUT_OF_MEMORY = 7,         /**< of the command line only: the library allocates nothing */
    STREW_STATUS_IO_ERROR = 8               /**< of the command line only */
};

/** "invalid_argument" and so on; "unknown" for a value that is none. */
STREW_API const char *strew_status_name(strew_status status);

/** What an error is about. */
typedef int32_t strew_operand;
/** The values of strew_operand. */
enum {
    STREW_OPERAND_CALL,          /**< none of what follows */
    STREW_OPERAND_DATA,          /**< the tensor that is gathered from, or scattered to */
    STREW_OPERAND_INDICES,       /**< the tensor of indices */
    STREW_OPERAND_UPDATES,       /**< the tensor that is scattered */
    STREW_OPERAND_OUTPUT,        /**< the result */
    STREW_OPERAND_AXIS,          /**< the attribute, or the tensor that it is read from */
    STREW_OPERAND_BATCH_DIMS,    /**< the attribute */
    STREW_OPERAND_REDUCTION,     /**< the attribute */
    STREW_OPERAND_USE_INIT_VAL,  /**< the attribute */
    STREW_OPERAND_OPERATOR,      /**< the published version */
    STREW_OPERAND_ATTRIBUTES,    /**< all of a published version's */
    STREW_OPERAND_PLAN,          /**< the plan, or its storage */
    STREW_OPERAND_BUFFERS,       /**< the pointers of a run */
    STREW_OPERAND_SHAPE,         /**< where an inferred shape is to be written */
    STREW_OPERAND_RANK,          /**< and its rank */
    STREW_OPERAND_ISA,           /**< the instruction set asked for */
    STREW_OPERAND_OPTIONS,       /**< the struct of options */
    STREW_OPERAND_PARALLEL,      /**< the threads in them */
    STREW_OPERAND_SCRATCH,       /**< the scratch in them */
    STREW_OPERAND_BOUNDS,        /**< the policy for indices out of bounds in them */
    STREW_OPERAND_CIRCULAR,      /**< the attribute */
    STREW_OPERAND_SLICE,         /**< the attribute */
    STREW_OPERAND_OFFSETS,       /**< the tensor that says where bags begin */
    STREW_OPERAND_SEGMENT_IDS,   /**< the tensor that says to which segment a row belongs */
    STREW_OPERAND_TARGETS,       /**< the tensor that says into which row a row goes */
    STREW_OPERAND_WEIGHTS,       /**< the tensor of what rows are multiplied by */
    STREW_OPERAND_DEFAULT_INDEX, /**< the attribute */
    STREW_OPERAND_EMPTY,         /**< the attribute */
    STREW_OPERAND_SEGMENT_COUNT, /**< the attribute */
    STREW_OPERAND_INSPECTION     /**< what strew_plan_inspect has written */
};

/**
 * Why a call was refused. The caller gives one to be filled in, in its options or as the last argument, or NULL; a
 * call that succeeds leaves it alone. strew_error_message turns it into a sentence. For an index out of bounds it
 * names the first offender in the row-major order of `indices`, whatever the number of threads. A field that says
 * nothing about an error is zero.
 *
 * If several things are wrong, one of them is told: what a plan is refused for before what only pointers show, and
 * that before what only the contents of tensors do.
 */
typedef struct strew_error {
    strew_status status;              /**< what the call returned */
    int32_t reason;                   /**< which sentence strew_error_message writes; its values may change */
    strew_operand operand;            /**< the operand at fault */
    strew_operand other;              /**< the operand it does not fit, if that is another one */
    int32_t dimension;                /**< the dimension of the operand, or of data for an index */
    int32_t value_is_unsigned;        /**< 1: read `value` as a uint64_t */
    int32_t position_rank;            /**< for an index or an offset: the rank of its tensor; otherwise 0 */
    int32_t reserved;                 /**< 0 */
    int64_t value;                    /**< what was found */
    int64_t lower,                    /**< the least value that would have been right */
        upper;                        /**< and the greatest; 0 and -1 for an index into an empty dimension */
    int64_t position[STREW_MAX_RANK]; /**< for an index or an offset: where in its tensor it stands */
} strew_error;

/**
 * Says an error in one line, which ends without a newline:
 *
 *     indices[3][0] is 7, outside [-4, 3] for dimension 0 of data
 *
 * It is written into buffer[size], cut to fit and always terminated if size > 0. Returns the length of the whole
 * line in bytes, as snprintf does. 256 bytes hold every message of rank below 12. `buffer` may be NULL if size is
 * 0; NULL for an error is "no error".
 */
STREW_API size_t strew_error_message(const strew_error *error, char *buffer, size_t size);

/** @} */

/* ---- Elements ------------------------------------------------------------------------------------ */

/**
 * @defgroup strew_elements Elements
 * What tensors consist of, and what an update does to an element.
 * @{
 */

/** An element of a string tensor: a view that strew moves but never reads through, combines or owns. */
typedef struct strew_string {
    const char *data; /**< its bytes, the caller's */
    size_t size;      /**< how many */
} strew_string;

/** The type of an element: one of those below, or STREW_DTYPE_OPAQUE(bytes). */
typedef uint32_t strew_dtype;

/** The values of strew_dtype, which are stable. */
enum {
    STREW_DTYPE_NONE = 0,        /**< no dtype: what a zeroed tensor has */
    STREW_DTYPE_BOOL = 1,        /**< one byte */
    STREW_DTYPE_INT8 = 2,        /**< int8_t */
    STREW_DTYPE_INT16 = 3,       /**< int16_t */
    STREW_DTYPE_INT32 = 4,       /**< int32_t */
    STREW_DTYPE_INT64 = 5,       /**< int64_t */
    STREW_DTYPE_UINT8 = 6,       /**< uint8_t */
    STREW_DTYPE_UINT16 = 7,      /**< uint16_t */
    STREW_DTYPE_UINT32 = 8,      /**< uint32_t */
    STREW_DTYPE_UINT64 = 9,      /**< uint64_t */
    STREW_DTYPE_FLOAT16 = 10,    /**< IEEE 754 binary16 */
    STREW_DTYPE_BFLOAT16 = 11,   /**< the upper half of a float32 */
    STREW_DTYPE_FLOAT32 = 12,    /**< IEEE 754 binary32: float */
    STREW_DTYPE_FLOAT64 = 13,    /**< IEEE 754 binary64: double */
    STREW_DTYPE_COMPLEX64 = 14,  /**< two float32: the real part, the imaginary part */
    STREW_DTYPE_COMPLEX128 = 15, /**< two float64 */
    STREW_DTYPE_STRING = 16,     /**< a strew_string */
    /* Of one byte, by ONNX's names: moved, never combined. */
    STREW_DTYPE_FLOAT8E4M3FN = 17,   /**< a sign, 4 bits of exponent, 3 of mantissa; no infinities */
    STREW_DTYPE_FLOAT8E4M3FNUZ = 18, /**< likewise, without -0 */
    STREW_DTYPE_FLOAT8E5M2 = 19,     /**< a sign, 5 bits of exponent, 2 of mantissa */
    STREW_DTYPE_FLOAT8E5M2FNUZ = 20, /**< likewise, without infinities and -0 */
    STREW_DTYPE_FLOAT8E8M0 = 21,     /**< 8 bits of exponent: a scale */
    /* Packed, several to a byte: moved as parts of rows (see strew_tensor), never combined. */
    STREW_DTYPE_UINT4 = 22,      /**< 0 to 15, two to a byte */
    STREW_DTYPE_INT4 = 23,       /**< -8 to 7, two to a byte */
    STREW_DTYPE_FLOAT4E2M1 = 24, /**< a sign, 2 bits of exponent, 1 of mantissa, two to a byte */
    STREW_DTYPE_UINT2 = 25,      /**< 0 to 3, four to a byte */
    STREW_DTYPE_INT2 = 26,       /**< -2 to 1, four to a byte */
    STREW_DTYPE_COUNT            /**< one more than the last; grows with it */
};

/** The bit that every opaque dtype has; the others are the size of an element. */
#define STREW_DTYPE_OPAQUE_BIT 0x80000000u
/** Opaque elements of `bytes` bytes, 1 to 2^31 - 1: moved, never combined. Every call refuses other sizes. */
#define STREW_DTYPE_OPAQUE(bytes)                                                                               \
    ((uint64_t)(bytes)-1 < STREW_DTYPE_OPAQUE_BIT - 1 ? STREW_DTYPE_OPAQUE_BIT | (strew_dtype)(uint64_t)(bytes) \
                                                      : (strew_dtype)STREW_DTYPE_NONE)

/** "float32" and so on; "opaque" whatever the size, 0 too, which no call takes; "unknown" for a value that is none.
 */
STREW_API const char *strew_dtype_name(strew_dtype dtype);
/** The dtype of a name, opaque ones aside; STREW_DTYPE_NONE if there is none. */
STREW_API strew_dtype strew_dtype_find(const char *name);
/** The bytes of an element; 0 for a value that is none, and for a packed dtype, several of whose elements are one.
 */
STREW_API size_t strew_dtype_size(strew_dtype dtype);
/** The bits of an element: 4 or 2 for a packed dtype; 0 for a value that is none. */
STREW_API uint64_t strew_dtype_bits(strew_dtype dtype);

/** What an update does to the element of data that its index names, or to what is left of it by earlier updates. */
typedef int32_t strew_reduction;
/** The values of strew_reduction, which are stable. */
enum {
    STREW_REDUCTION_NONE, /**< data = update */
    STREW_REDUCTION_SUM,  /**< data = data + update */
    STREW_REDUCTION_SUB,  /**< data = data - update */
    STREW_REDUCTION_PROD, /**< data = data * update */
    STREW_REDUCTION_MIN,  /**< data = min(data, update) */
    STREW_REDUCTION_MAX,  /**< data = max(data, update) */
    STREW_REDUCTION_MEAN, /**< as sum; in the end one division, by how many were added */
    STREW_REDUCTION_COUNT /**< one more than the last */
};

/** "sum" and so on; "unknown" for a value that is none. */
STREW_API const char *strew_reduction_name(strew_reduction reduction);
/** Finds "sum" and "add", "prod" and "mul" alike. False, with `*reduction` untouched, if there is none. */
STREW_API bool strew_reduction_find(const char *name, strew_reduction *reduction);
/** Whether elements of this dtype have the reduction: no min of complex, no mean of bool, no sum of strings. */
STREW_API bool strew_reduction_supports(strew_reduction reduction, strew_dtype dtype);

/** @} */

/* ---- Tensors, threads, options ------------------------------------------------------------------- */

/**
 * @defgroup strew_operands Tensors, threads, options
 * What a call is given.
 * @{
 */

/**
 * A view of memory that the caller owns. Element (i0, i1, ...) stands at
 *
 *     (char *)data + (i0 * strides[0] + i1 * strides[1] + ...) * strew_dtype_size(dtype)
 *
 * Inputs may have any strides, zero and negative ones included. An output must not overlap itself: sorted by size,
 * each stride must step over everything that the smaller ones reach. The product of the dimensions (zeros left out)
 * times the element size, and the reach of the strides in bytes, must fit in ptrdiff_t; otherwise
 * STREW_STATUS_INVALID_ARGUMENT. That holds of tensors without elements as well; only the strides of dimensions of
 * size 0 and 1 may be anything.
 *
 * Two tensors are *apart* if their ranges of bytes are, each from the lowest byte that the tensor reaches to the
 * highest: not if they interleave. A tensor without elements is apart from everything.
 *
 * Elements of a packed dtype stand n = 8 / strew_dtype_bits(dtype) to a byte, the first in its lowest bits; data
 * points to the byte that begins with element (0, 0, ...). Shapes and strides count elements as for any dtype, and
 * their products must fit in ptrdiff_t as if each were a byte. Contiguous data are count / n bytes, rounded up.
 * What moves as one piece must be whole bytes: the innermost dimensions of a row, as few as hold a multiple of n
 * elements together, must be contiguous, and all other strides multiples of n. Other tensors, single elements among
 * them, are refused (STREW_STATUS_UNSUPPORTED_DTYPE).
 *
 * Indices may have any integer dtype, but for the packed ones. A negative index i of a dimension of size s means s
 * + i, and the valid range is [-s, s - 1]; with STREW_FLAG_REFUSE_NEGATIVE_INDICES it is [0, s - 1].
 */
typedef struct strew_tensor {
    void *data;             /**< may be NULL if the tensor has no elements, and for planning and shape inference */
    strew_dtype dtype;      /**< of its elements */
    int32_t rank;           /**< 0 to STREW_MAX_RANK */
    const int64_t *shape;   /**< shape[rank], each at least 0; may be NULL if rank is 0 */
    const int64_t *strides; /**< strides[rank], in elements; NULL means contiguous and row-major */
} strew_tensor;

/** What the caller's threads are given to do. */
typedef void (*strew_task)(void *context, size_t index);

/**
 * The caller's threads. A call may use `run` several times, or not at all if its work is too little to share.
 * strew/pthreadpool.h makes one from a pthreadpool_t.
 */
typedef struct strew_parallel {
    /**
     * run(pool, task, context, count) must call task(context, i) once for each i < count, on any threads in any
     * order, and return when all have returned.
     */
    void (*run)(void *pool, strew_task task, void *context, size_t count);
    void *pool;     /**< what `run` is given; the library does not look at it */
    size_t threads; /**< at least 1: how many of them can run at once */
} strew_parallel;

/** The instruction sets that kernels are written for. */
typedef int32_t strew_isa;
/** The values of strew_isa. */
enum {
    STREW_ISA_BEST,   /**< the best that this CPU runs natively, capped by STREW_ISA in the environment */
    STREW_ISA_SCALAR, /**< plain C: in every build, on every CPU */
    STREW_ISA_AVX2,   /**< x86: AVX2, and F16C for halves */
    STREW_ISA_AVX512, /**< x86: F, BW, DQ and VL */
    STREW_ISA_NEON,   /**< ARM: Advanced SIMD */
    STREW_ISA_COUNT   /**< one more than the last */
};

/** "scalar" and so on; "best"; "unknown" for a value that is none. */
STREW_API const char *strew_isa_name(strew_isa isa);
/** Finds an instruction set by its name. False, with `*isa` untouched, if there is none. */
STREW_API bool strew_isa_find(const char *name, strew_isa *isa);

/** Bits of `flags`. */
enum {
    STREW_FLAG_REFUSE_NEGATIVE_INDICES = 1u << 0, /**< negative indices are out of bounds */
    /**
     * A promise: no two updates of a scatter go to the same element. Several threads then share them as a gather's
     * rows, in any order; one thread has no use for it, nor have other calls. Indices are checked all the same: if
     * the promise is broken, what elements hold that several updates go to is unspecified, and nothing else.
     */
    STREW_FLAG_UNIQUE_INDICES = 1u << 1
};

/**
 * What becomes of an index out of bounds: of a dimension of size s one outside [-s, s - 1], or [0, s - 1] where
 * negative ones are refused; of strew_tensor_scatter what that says, where s below is how many begins are within.
 * The results of each are the same on every number of threads.
 */
typedef int32_t strew_bounds;
/** The values of strew_bounds, which are stable. */
enum {
    /** The call is refused, and an in-place tensor is as it was. */
    STREW_BOUNDS_REFUSE,
    /**
     * The call is refused, and what comes before the first offender in the row-major order of `indices` has been
     * done. One thread then need not read all indices before it begins to write in place. A scatter that takes a
     * mean, or reduces without the initial value, is done as a whole or not at all.
     */
    STREW_BOUNDS_STOP,
    /** A scatter leaves the update out; a gather writes `fill` in place of the row. Of a tuple one index is enough.
     */
    STREW_BOUNDS_SKIP,
    /** The nearest that is within: 0 for a negative one, s - 1 for others. Into an empty dimension it is refused.
     */
    STREW_BOUNDS_CLAMP,
    /** Its remainder modulo s, from 0 to s - 1. Into an empty dimension it is refused. */
    STREW_BOUNDS_WRAP,
    STREW_BOUNDS_COUNT /**< one more than the last */
};

/** "refuse" and so on; "unknown" for a value that is none. */
STREW_API const char *strew_bounds_name(strew_bounds bounds);
/** Finds a policy by its name. False, with `*bounds` untouched, if there is none. */
STREW_API bool strew_bounds_find(const char *name, strew_bounds *bounds);

/**
 * What a call may be told besides its operands: one struct each for planning, for running, and for the calls that
 * do both at once. They have their fields in common, and each has those that its calls look at:
 *
 *                   strew_options         strew_plan_options    strew_run_options
 *     given to      the operators,        strew_plan_gather_nd  strew_plan_run
 *                   strew_operator_run    and so on,
 *                                         strew_operator_plan
 *     struct_size   yes                   yes                   yes
 *     isa, flags,   yes                   yes                   no: the plan has settled them
 *     bounds
 *     threads       no: as parallel has   yes                   no: as parallel has
 *     parallel      yes                   no                    yes
 *     scratch       yes                   no                    yes
 *     error         yes                   yes                   yes
 *     fill          yes                   no                    yes
 *
 * NULL for a struct stands for all defaults. Begin with its INIT, which sets struct_size and leaves the rest zero,
 * the default of every field.
 *
 * These structs grow only at their ends, and struct_size says which fields the caller knows. The library takes the
 * size that a struct has had in any version since 0.2, with the default for the fields beyond it, and refuses any
 * other. Version 0.3 added what follows `error`.
 *
 * What a call looks at it refuses if it is wrong (INVALID_ARGUMENT): `flags` with other bits, `bounds` that are
 * none, an `isa` that cannot run here, a `parallel` without `run` or with 0 threads. `reserved` is not looked at.
 *
 * Scratch: a call writes, from the beginning of what it is given, at most what strew_plan_scratch_size says, or,
 * if it is given less, what strew_plan_least_scratch_size says. That part must be apart from every tensor, which is
 * checked; of the rest nothing is, and so a call that has no use for scratch takes any.
 *
 * Stack: a call needs at most 48 KiB of the calling thread, and a task that parallel->run calls at most 32 KiB of
 * its own, in an optimised build. A planned run takes 40 KiB of the 48.
 */
typedef struct strew_options {
    size_t struct_size;             /**< sizeof(strew_options) */
    strew_isa isa;                  /**< the kernels to use */
    uint32_t flags;                 /**< bits: STREW_FLAG_* */
    const strew_parallel *parallel; /**< the threads to run on; NULL is the calling thread alone */
    void *scratch;                  /**< memory that the call may write; NULL is none, whatever its size */
    size_t scratch_size;            /**< its bytes; strew_plan_scratch_size says how much is of use */
    strew_error *error;  /**< filled in if the call is refused, but for a wrong struct_size; NULL if nobody asks */
    strew_bounds bounds; /**< what becomes of an index out of bounds; to refuse it is the default */
    int32_t reserved;    /**< 0 */
    /**
     * One element of data's dtype, which a gather writes where it skips; NULL is zero. Of packed elements a byte,
     * that is written again and again.
     */
    const void *fill;
} strew_options;

/** The options of planning: see strew_options. */
typedef struct strew_plan_options {
    size_t struct_size; /**< sizeof(strew_plan_options) */
    strew_isa isa;      /**< as in strew_options */
    uint32_t flags;     /**< as in strew_options */
    /**
     * For how many threads the plan is made; 0 is one. A run with as many decides nothing again; one with another
     * number works as well, and gives the same bits.
     */
    size_t threads;
    strew_error *error;  /**< as in strew_options */
    strew_bounds bounds; /**< as in strew_options */
    int32_t reserved;    /**< 0 */
} strew_plan_options;

/** The options of a run: see strew_options. */
typedef struct strew_run_options {
    size_t struct_size;             /**< sizeof(strew_run_options) */
    const strew_parallel *parallel; /**< as in strew_options */
    void *scratch;                  /**< as in strew_options */
    size_t scratch_size;            /**< as in strew_options */
    strew_error *error;             /**< as in strew_options */
    const void *fill;               /**< as in strew_options */
} strew_run_options;

/* clang-format off */
/** All defaults of strew_options: an initialiser. */
#define STREW_OPTIONS_INIT \
    {sizeof(strew_options), STREW_ISA_BEST, 0, NULL, NULL, 0, NULL, STREW_BOUNDS_REFUSE, 0, NULL}
/** All defaults of strew_plan_options: an initialiser. */
#define STREW_PLAN_OPTIONS_INIT {sizeof(strew_plan_options), STREW_ISA_BEST, 0, 0, NULL, STREW_BOUNDS_REFUSE, 0}
/** All defaults of strew_run_options: an initialiser. */
#define STREW_RUN_OPTIONS_INIT {sizeof(strew_run_options), NULL, NULL, 0, NULL, NULL}
/* clang-format on */

/** @} */

/* ---- The operators ------------------------------------------------------------------------------- */

/**
 * @defgroup strew_calls The operators
 * What they have in common. Shapes are written as in NumPy: shape[:q-1] is all but the last of q dimensions, +
 * joins two. A *row* is the part of a tensor that the first few coordinates of its elements name: data[i, j] of
 * rank 5 is a row of rank 3, and a row of rank 0 is an element. `options` may be NULL. Beside what is said of
 * tensors and options, each refuses
 *
 *     INVALID_ARGUMENT       axis or batch_dims outside its range, a reduction that is none; an output that
 *                            overlaps itself or, other than in place, an input; an instruction set that cannot
 *                            run here
 *     SHAPE_MISMATCH         shapes other than those below; a result of more than STREW_MAX_RANK dimensions
 *     DTYPE_MISMATCH         updates or output of another dtype than data
 *     UNSUPPORTED_DTYPE      a dtype that is none; indices that are not integers;
 *                            packed elements that do not move as whole bytes
 *     UNSUPPORTED_REDUCTION  mean for strew_scatter_nd, and what strew_reduction_supports denies
 *     INDEX_OUT_OF_BOUNDS    an index outside its dimension, of which the error names the first
 *
 * @{
 */

/**
 * Gathers rows that are named by one index along an axis (OpenVINO Gather-8, ONNX Gather-13).
 *
 *     data      rank r >= 1
 *     indices   rank q >= 0, any
 *     axis      -r <= axis < r; a negative one counts from the end
 *     b         batch_dims, 0 <= b <= min(axis, q), the axis counted from the front; a negative batch_dims counts
 *               from q; the first b dimensions of data and indices are equal
 *     output    shape data.shape[:axis] + indices.shape[b:] + data.shape[axis+1:], the dtype of data, apart from
 *               both inputs
 *
 * For each position p of b coordinates, o of the dimensions from there to the axis, and t in the rest of indices:
 *
 *     output[p, o, t, ...] = data[p, o, indices[p, t], ...]
 */
STREW_API strew_status strew_gather(const strew_tensor *data, const strew_tensor *indices, int64_t axis,
                                    int64_t batch_dims, const strew_tensor *output, const strew_options *options);

/**
 * Gathers rows that are named by tuples (OpenVINO GatherND-8, ONNX GatherND-13).
 *
 *     data      rank r >= 1
 *     indices   rank q >= 1; its last dimension k holds tuples of k coordinates, 0 <= k <= r - b
 *     b         batch_dims, 0 <= b < min(r, q); the first b dimensions of data and indices are equal
 *     output    shape indices.shape[:q-1] + data.shape[b+k:], the dtype of data, apart from both inputs
 *
 * For each tuple position (p, t), where p has b coordinates:
 *
 *     output[p, t, ...] = data[p, indices[p, t, 0], ..., indices[p, t, k-1], ...]
 */
STREW_API strew_status strew_gather_nd(const strew_tensor *data, const strew_tensor *indices, int64_t batch_dims,
                                       const strew_tensor *output, const strew_options *options);

/**
 * Gathers elements (OpenVINO GatherElements-6, ONNX GatherElements-13).
 *
 *     data      rank r >= 1
 *     indices   rank r; off the axis, no dimension larger than that of data
 *     axis      -r <= axis < r; a negative one counts from the end
 *     output    the shape of indices, the dtype of data, apart from both inputs
 *
 * For each position (i, j, k) of indices, here for axis 1 of rank 3:
 *
 *     output[i][j][k] = data[i][indices[i][j][k]][k]
 */
STREW_API strew_status strew_gather_elements(const strew_tensor *data, const strew_tensor *indices, int64_t axis,
                                             const strew_tensor *output, const strew_options *options);

/**
 * Scatters rows that are named by one index along an axis (OpenVINO ScatterUpdate-3; with a reduction what others
 * call index_add and index_reduce).
 *
 *     data          rank r >= 1
 *     indices       rank q >= 0, any
 *     axis, b       axis and batch_dims, as for strew_gather
 *     updates       shape data.shape[:axis] + indices.shape[b:] + data.shape[axis+1:], the dtype of data
 *     reduction     none, sum, sub, prod, min, max or mean
 *     use_init_val  as for strew_scatter_elements, of elements in rows that are named
 *     output        as for strew_scatter_nd
 *
 * After output = data, for each (p, o, t) as strew_gather has them, t in row-major order:
 *
 *     output[p, o, indices[p, t], ...] (reduction)= updates[p, o, t, ...]
 *
 * A mean counts in scratch, as that of strew_scatter_elements.
 */
STREW_API strew_status strew_scatter(const strew_tensor *data, const strew_tensor *indices,
                                     const strew_tensor *updates, int64_t axis, int64_t batch_dims,
                                     strew_reduction reduction, bool use_init_val, const strew_tensor *output,
                                     const strew_options *options);

/**
 * Scatters rows that are named by tuples (OpenVINO ScatterNDUpdate-15, ONNX ScatterND-18).
 *
 *     data       rank r >= 1
 *     indices    rank q >= 1; its last dimension k holds tuples of k coordinates, 0 <= k <= r
 *     updates    shape indices.shape[:q-1] + data.shape[k:], the dtype of data
 *     reduction  none, sum, sub, prod, min or max
 *     output     the shape and dtype of data; either data itself (the same pointer, shape and strides: in
 *                place, only the updates are written) or apart from every input
 *
 * After output = data, for each tuple position t in row-major order:
 *
 *     output[indices[t, 0], ..., indices[t, k-1], ...] (reduction)= updates[t, ...]
 */
STREW_API strew_status strew_scatter_nd(const strew_tensor *data, const strew_tensor *indices,
                                        const strew_tensor *updates, strew_reduction reduction,
                                        const strew_tensor *output, const strew_options *options);

/**
 * Scatters elements (OpenVINO ScatterElementsUpdate-12, ONNX ScatterElements-18 and Scatter-11).
 *
 *     data          rank r >= 1
 *     indices       rank r; off the axis, no dimension larger than that of data
 *     updates       the shape of indices, the dtype of data
 *     axis          -r <= axis < r; a negative one counts from the end
 *     reduction     none, sum, sub, prod, min, max or mean
 *     use_init_val  whether the element of data takes part. If false, a reduction of an element that indices
 *                   name starts from the reduction's identity instead: -0 for a sum (so that X + -0 is X for
 *                   every X; 0 for integers), 1 for prod (1 + 0i for complex), the greatest value or +infinity
 *                   for min, the least or -infinity for max; sub starts from 0. Without effect when assigning.
 *     output        as for strew_scatter_nd
 *
 * After output = data, for each position (i, j, k) of indices in row-major order, here for axis 1 of rank 3:
 *
 *     output[i][indices[i][j][k]][k] (reduction)= updates[i][j][k]
 *
 * mean divides the sum of an element's updates (and of the element itself, with use_init_val) by how many
 * were added, once, in the element's own type (in float32 for halves, each part by itself for complex);
 * integers are rounded toward minus infinity. The sum is one like any other, and that of halves is rounded at
 * each step. It counts in options->scratch, of which it needs
 * strew_plan_least_scratch_size, and is refused with less (INVALID_ARGUMENT).
 */
STREW_API strew_status strew_scatter_elements(const strew_tensor *data, const strew_tensor *indices,
                                              const strew_tensor *updates, int64_t axis, strew_reduction reduction,
                                              bool use_init_val, const strew_tensor *output,
                                              const strew_options *options);

/**
 * Writes windows into a cache, one for each batch (ONNX TensorScatter-24).
 *
 *     data      shape (n, ..., s, ...) of rank r >= 2, the cache: s at the axis, n batches
 *     indices   shape (n), where along the axis each batch's window begins; or NULL: each begins at 0
 *     updates   the shape of data, but for w <= s at the axis: the windows; the dtype of data
 *     axis      -r < axis < r, and not the first dimension; a negative one counts from the end
 *     circular  false: a window ends at s - 1 at the latest, so that the valid range of indices is [0, s - w].
 *               true: it goes on at 0 where it would go beyond; an index is any that is not negative, of which
 *               its remainder modulo s counts
 *     output    as for strew_scatter_nd: in place only the windows are written
 *
 * After output = data, for each batch b, each t < w, here for axis 2 of rank 4:
 *
 *     output[b][i][(indices[b] + t) % s][j] = updates[b][i][t][j]
 *
 * A negative index is out of bounds, whatever the flags; STREW_BOUNDS_WRAP takes its remainder.
 */
STREW_API strew_status strew_tensor_scatter(const strew_tensor *data, const strew_tensor *indices,
                                            const strew_tensor *updates, int64_t axis, bool circular,
                                            const strew_tensor *output, const strew_options *options);

/** The part of a tensor that slices of some of its dimensions select. All arrays have `count` elements. */
typedef struct strew_slice {
    int32_t count;         /**< of dimensions that are sliced, 0 to the rank of the tensor */
    int32_t reserved;      /**< 0 */
    const int64_t *starts; /**< from where; a negative one counts from the end */
    const int64_t *stops;  /**< up to where, that not included; likewise */
    const int64_t *steps;  /**< by how many, not 0; a negative step goes backwards */
    const int64_t *axes;   /**< which dimensions, each once; a negative one counts from the end. NULL: the first */
} strew_slice;

/**
 * Writes a slice (OpenVINO SliceScatter-15).
 *
 *     data      rank r >= 1
 *     updates   rank r: what the slice of data has, dimension by dimension; the dtype of data
 *     slice     as Python slices: what lies outside the tensor is clamped to it, and may leave nothing
 *     output    as for strew_scatter_nd: in place only the slice is written
 *
 * After output = data:
 *
 *     output[starts[0]:stops[0]:steps[0], ...] = updates
 *
 * Where a version of OpenVINO differs from the Python slices that its text names, those hold: a slice that goes
 * backwards from before the first element is empty.
 */
STREW_API strew_status strew_slice_scatter(const strew_tensor *data, const strew_tensor *updates,
                                           const strew_slice *slice, const strew_tensor *output,
                                           const strew_options *options);

/** @} */

/**
 * @defgroup strew_bags Combining rows that are gathered
 * Rows of one tensor, each named by an index, are combined into rows of another as they are read: the tensor of all
 * rows that are gathered is never written. What is said of the operators holds here too, and
 *
 *   - the rows of one row of the output are combined in the order in which indices name them, so that the result is
 *     the same bit for bit on every instruction set and for every number of threads;
 *   - `weights` may be NULL; otherwise it has an element of data's dtype for each index, by which the row is
 *     multiplied, as a product that is rounded by itself (of halves one of float32). Beside a mean it is refused:
 *     what to divide by would be a matter of taste;
 *   - `reduction` is sum, prod, min, max or mean. A sum starts from 0, the others from their identity. Rows of
 *     float16 and bfloat16 are combined in float32 and rounded once, in the end; a mean divides that, and rounds
 *     again;
 *   - an index that STREW_BOUNDS_SKIP leaves out is not counted by a mean;
 *   - segment_ids and targets out of bounds are offenders as indices are, and the first is that of the earliest
 *     entry, there the index if both are. STREW_BOUNDS_STOP leaves the rows of the output that end before that
 *     entry: whole bags, or segments of a lesser number, if segment_ids are sorted. Of strew_gather_scatter it
 *     leaves data combined with all entries before.
 *
 * @{
 */

/** What the rows of the output are that nothing goes into. */
typedef int32_t strew_empty;
/** The values of strew_empty, which are stable. */
enum {
    STREW_EMPTY_ZERO,   /**< zeros */
    STREW_EMPTY_LOWEST, /**< the least value, of floats the least that is finite; of bool and complex 0 */
    STREW_EMPTY_COUNT   /**< one more than the last */
};

/** "zero" and so on; "unknown" for a value that is none. */
STREW_API const char *strew_empty_name(strew_empty empty);
/** Finds one by its name. False, with `*empty` untouched, if there is none. */
STREW_API bool strew_empty_find(const char *name, strew_empty *empty);

/**
 * Combines the rows of bags that lie one after the other (OpenVINO EmbeddingBagOffsets-15; PyTorch's
 * embedding_bag).
 *
 *     data           shape (n, ...) of rank r >= 1: the table
 *     indices        shape (m): which rows of it
 *     offsets        shape (bags), of any integer dtype: bag b begins at indices[offsets[b]], and ends where the
 *                    next begins, the last with indices; at least 0, not decreasing, at most m. What comes before
 *                    offsets[0] is in no bag
 *     weights        shape (m), or NULL
 *     default_index  the row of data that empty bags are given, 0 <= default_index < n; -1: zeros
 *     output         shape (bags, ...), the rest that of data, apart from all inputs
 *
 * For each bag b, e from offsets[b] until offsets[b + 1]:
 *
 *     output[b] = reduction of weights[e] * data[indices[e]]
 *
 * Beside what is out of bounds of indices, offsets are looked at when the call runs (INVALID_ARGUMENT).
 */
STREW_API strew_status strew_embedding_bag_offsets(const strew_tensor *data, const strew_tensor *indices,
                                                   const strew_tensor *offsets, const strew_tensor *weights,
                                                   strew_reduction reduction, int64_t default_index,
                                                   const strew_tensor *output, const strew_options *options);

/**
 * Combines the rows of bags of one size (OpenVINO EmbeddingBagPacked-15).
 *
 *     data     shape (n, ...) of rank r >= 1: the table
 *     indices  shape (bags, k)
 *     weights  shape (bags, k), or NULL
 *     output   shape (bags, ...), the rest that of data, apart from all inputs; zeros where k is 0
 *
 * For each bag b, i < k:
 *
 *     output[b] = reduction of weights[b][i] * data[indices[b][i]]
 */
STREW_API strew_status strew_embedding_bag_packed(const strew_tensor *data, const strew_tensor *indices,
                                                  const strew_tensor *weights, strew_reduction reduction,
                                                  const strew_tensor *output, const strew_options *options);

/**
 * Combines rows by the segment that each belongs to (OpenVINO EmbeddingSegmentsSum-3).
 *
 *     data           shape (n, ...) of rank r >= 1: the table
 *     indices        shape (m): which rows of it
 *     segment_ids    shape (m), of any integer dtype: into which row of the output, 0 <= segment_ids[e] < segments.
 *                    Best sorted; others need scratch, strew_plan_least_scratch_size of it
 *     weights        shape (m), or NULL
 *     default_index  as for strew_embedding_bag_offsets, of segments without rows
 *     output         shape (segments, ...), the rest that of data, apart from all inputs
 *
 * For each position e of indices:
 *
 *     output[segment_ids[e]] = reduction of weights[e] * data[indices[e]]
 */
STREW_API strew_status strew_embedding_segments(const strew_tensor *data, const strew_tensor *indices,
                                                const strew_tensor *segment_ids, const strew_tensor *weights,
                                                strew_reduction reduction, int64_t default_index,
                                                const strew_tensor *output, const strew_options *options);

/**
 * Combines rows that lie one after the other by the segment that each belongs to (OpenVINO SegmentMax-16).
 *
 *     data         shape (m, ...) of rank r >= 1
 *     segment_ids  shape (m), of any integer dtype, sorted: into which row of the output
 *     empty        what segments without rows are given
 *     output       shape (segments, ...), the rest that of data, apart from both inputs
 *
 * For each row e of data:
 *
 *     output[segment_ids[e]] = reduction of data[e]
 *
 * Ids that are not sorted are refused when the call runs (INVALID_ARGUMENT).
 */
STREW_API strew_status strew_segment_reduce(const strew_tensor *data, const strew_tensor *segment_ids,
                                            strew_reduction reduction, strew_empty empty,
                                            const strew_tensor *output, const strew_options *options);

/**
 * Scatters rows that are gathered: what a layer of a graph network does with the edges of its graph.
 *
 *     data          shape (s, ...) of rank r >= 1
 *     updates       shape (n, ...), the rest that of data, of its dtype: the rows that are gathered
 *     indices       shape (m): which rows of updates
 *     targets       shape (m), of any integer dtype: into which rows of data
 *     weights       shape (m), or NULL
 *     reduction     sum, sub, prod, min or max
 *     use_init_val  as for strew_scatter
 *     output        as for strew_scatter_nd
 *
 * After output = data, for each position e of indices in order:
 *
 *     output[targets[e]] (reduction)= weights[e] * updates[indices[e]]
 *
 * This is strew_scatter, along the first axis, of rows that strew_gather gathers and that have been multiplied; so
 * halves too are rounded at each step. Scratch of strew_plan_scratch_size, where that is not 0, makes it faster if
 * targets are in any order.
 */
STREW_API strew_status strew_gather_scatter(const strew_tensor *data, const strew_tensor *updates,
                                            const strew_tensor *indices, const strew_tensor *targets,
                                            const strew_tensor *weights, strew_reduction reduction,
                                            bool use_init_val, const strew_tensor *output,
                                            const strew_options *options);

/** @} */

/**
 * @defgroup strew_shapes The shapes of outputs
 * The shape that the output of an operator must have. Arguments are checked as the operator checks them, but data
 * pointers are not looked at and may be NULL. The rank, and as many elements of `shape`, are written on success
 * only. `error` may be NULL.
 * @{
 */

/** The shape of the output of strew_gather. */
STREW_API strew_status strew_gather_shape(const strew_tensor *data, const strew_tensor *indices, int64_t axis,
                                          int64_t batch_dims, int64_t shape[STREW_MAX_RANK], int32_t *rank,
                                          strew_error *error);
/** The shape of the output of strew_gather_nd. */
STREW_API strew_status strew_gather_nd_shape(const strew_tensor *data, const strew_tensor *indices,
                                             int64_t batch_dims, int64_t shape[STREW_MAX_RANK], int32_t *rank,
                                             strew_error *error);
/** The shape of the output of strew_gather_elements. */
STREW_API strew_status strew_gather_elements_shape(const strew_tensor *data, const strew_tensor *indices,
                                                   int64_t axis, int64_t shape[STREW_MAX_RANK], int32_t *rank,
                                                   strew_error *error);
/** The shape of the output of strew_scatter. */
STREW_API strew_status strew_scatter_shape(const strew_tensor *data, const strew_tensor *indices,
                                           const strew_tensor *updates, int64_t axis, int64_t batch_dims,
                                           int64_t shape[STREW_MAX_RANK], int32_t *rank, strew_error *error);
/** The shape of the output of strew_scatter_nd. */
STREW_API strew_status strew_scatter_nd_shape(const strew_tensor *data, const strew_tensor *indices,
                                              const strew_tensor *updates, int64_t shape[STREW_MAX_RANK],
                                              int32_t *rank, strew_error *error);
/** The shape of the output of strew_scatter_elements. */
STREW_API strew_status strew_scatter_elements_shape(const strew_tensor *data, const strew_tensor *indices,
                                                    const strew_tensor *updates, int64_t axis,
                                                    int64_t shape[STREW_MAX_RANK], int32_t *rank,
                                                    strew_error *error);

/** The shape of the output of strew_tensor_scatter. */
STREW_API strew_status strew_tensor_scatter_shape(const strew_tensor *data, const strew_tensor *indices,
                                                  const strew_tensor *updates, int64_t axis, bool circular,
                                                  int64_t shape[STREW_MAX_RANK], int32_t *rank, strew_error *error);
/** The shape of the output of strew_slice_scatter. */
STREW_API strew_status strew_slice_scatter_shape(const strew_tensor *data, const strew_tensor *updates,
                                                 const strew_slice *slice, int64_t shape[STREW_MAX_RANK],
                                                 int32_t *rank, strew_error *error);

/** The shape of the output of strew_embedding_bag_offsets. */
STREW_API strew_status strew_embedding_bag_offsets_shape(const strew_tensor *data, const strew_tensor *indices,
                                                         const strew_tensor *offsets, const strew_tensor *weights,
                                                         int64_t shape[STREW_MAX_RANK], int32_t *rank,
                                                         strew_error *error);
/** The shape of the output of strew_embedding_bag_packed. */
STREW_API strew_status strew_embedding_bag_packed_shape(const strew_tensor *data, const strew_tensor *indices,
                                                        const strew_tensor *weights, int64_t shape[STREW_MAX_RANK],
                                                        int32_t *rank, strew_error *error);
/** The shape of the output of strew_embedding_segments for so many segments. */
STREW_API strew_status strew_embedding_segments_shape(const strew_tensor *data, const strew_tensor *indices,
                                                      const strew_tensor *segment_ids, const strew_tensor *weights,
                                                      int64_t segments, int64_t shape[STREW_MAX_RANK],
                                                      int32_t *rank, strew_error *error);
/** The shape of the output of strew_segment_reduce for so many segments. */
STREW_API strew_status strew_segment_reduce_shape(const strew_tensor *data, const strew_tensor *segment_ids,
                                                  int64_t segments, int64_t shape[STREW_MAX_RANK], int32_t *rank,
                                                  strew_error *error);
/** The shape of the output of strew_gather_scatter. */
STREW_API strew_status strew_gather_scatter_shape(const strew_tensor *data, const strew_tensor *updates,
                                                  const strew_tensor *indices, const strew_tensor *targets,
                                                  const strew_tensor *weights, int64_t shape[STREW_MAX_RANK],
                                                  int32_t *rank, strew_error *error);

/** @} */

/* ---- Plans --------------------------------------------------------------------------------------- */

/**
 * @defgroup strew_plans Plans
 * An operator with all settled that does not change from call to call.
 * @{
 */

/** The bytes of a plan. */
#define STREW_PLAN_SIZE 8192

/**
 * An operator with its shapes, strides, dtypes, flags and kernels settled, to be run on any pointers.
 *
 *   - The caller owns the storage, which needs the alignment of a uint64_t; there is nothing to destroy.
 *   - Planning ignores the tensors' data pointers, copies what it needs of the rest, and keeps no pointer to
 *     anything of the caller's.
 *   - A plan may be copied and moved, by assignment or memcpy, within the process that made it. It holds
 *     addresses of the library: it cannot be stored, sent, or run by another version.
 *   - Running does not change it: several threads may run one plan at once, each with an output and scratch of
 *     its own.
 *   - A call that is refused leaves the storage without a plan. Running that, or storage that never held one, is
 *     refused; storage that was partly overwritten is not recognised.
 */
typedef struct strew_plan {
    uint64_t storage[STREW_PLAN_SIZE / sizeof(uint64_t)]; /**< the library's */
} strew_plan;

/**
 * Plans strew_gather. As for every operator, arguments and errors are its own, but for what only pointers and
 * indices show; `options` may be NULL.
 */
STREW_API strew_status strew_plan_gather(strew_plan *plan, const strew_tensor *data, const strew_tensor *indices,
                                         int64_t axis, int64_t batch_dims, const strew_tensor *output,
                                         const strew_plan_options *options);
/** Plans strew_gather_nd. */
STREW_API strew_status strew_plan_gather_nd(strew_plan *plan, const strew_tensor *data, const strew_tensor *indices,
                                            int64_t batch_dims, const strew_tensor *output,
                                            const strew_plan_options *options);
/** Plans strew_gather_elements. */
STREW_API strew_status strew_plan_gather_elements(strew_plan *plan, const strew_tensor *data,
                                                  const strew_tensor *indices, int64_t axis,
                                                  const strew_tensor *output, const strew_plan_options *options);
/** Plans strew_scatter. */
STREW_API strew_status strew_plan_scatter(strew_plan *plan, const strew_tensor *data, const strew_tensor *indices,
                                          const strew_tensor *updates, int64_t axis, int64_t batch_dims,
                                          strew_reduction reduction, bool use_init_val, const strew_tensor *output,
                                          const strew_plan_options *options);
/** Plans strew_scatter_nd. */
STREW_API strew_status strew_plan_scatter_nd(strew_plan *plan, const strew_tensor *data,
                                             const strew_tensor *indices, const strew_tensor *updates,
                                             strew_reduction reduction, const strew_tensor *output,
                                             const strew_plan_options *options);
/** Plans strew_scatter_elements. */
STREW_API strew_status strew_plan_scatter_elements(strew_plan *plan, const strew_tensor *data,
                                                   const strew_tensor *indices, const strew_tensor *updates,
                                                   int64_t axis, strew_reduction reduction, bool use_init_val,
                                                   const strew_tensor *output, const strew_plan_options *options);

/** Plans strew_tensor_scatter. */
STREW_API strew_status strew_plan_tensor_scatter(strew_plan *plan, const strew_tensor *data,
                                                 const strew_tensor *indices, const strew_tensor *updates,
                                                 int64_t axis, bool circular, const strew_tensor *output,
                                                 const strew_plan_options *options);
/** Plans strew_slice_scatter. */
STREW_API strew_status strew_plan_slice_scatter(strew_plan *plan, const strew_tensor *data,
                                                const strew_tensor *updates, const strew_slice *slice,
                                                const strew_tensor *output, const strew_plan_options *options);

/** Plans strew_embedding_bag_offsets. */
STREW_API strew_status strew_plan_embedding_bag_offsets(strew_plan *plan, const strew_tensor *data,
                                                        const strew_tensor *indices, const strew_tensor *offsets,
                                                        const strew_tensor *weights, strew_reduction reduction,
                                                        int64_t default_index, const strew_tensor *output,
                                                        const strew_plan_options *options);
/** Plans strew_embedding_bag_packed. */
STREW_API strew_status strew_plan_embedding_bag_packed(strew_plan *plan, const strew_tensor *data,
                                                       const strew_tensor *indices, const strew_tensor *weights,
                                                       strew_reduction reduction, const strew_tensor *output,
                                                       const strew_plan_options *options);
/** Plans strew_embedding_segments. */
STREW_API strew_status strew_plan_embedding_segments(strew_plan *plan, const strew_tensor *data,
                                                     const strew_tensor *indices, const strew_tensor *segment_ids,
                                                     const strew_tensor *weights, strew_reduction reduction,
                                                     int64_t default_index, const strew_tensor *output,
                                                     const strew_plan_options *options);
/** Plans strew_segment_reduce. */
STREW_API strew_status strew_plan_segment_reduce(strew_plan *plan, const strew_tensor *data,
                                                 const strew_tensor *segment_ids, strew_reduction reduction,
                                                 strew_empty empty, const strew_tensor *output,
                                                 const strew_plan_options *options);
/** Plans strew_gather_scatter. */
STREW_API strew_status strew_plan_gather_scatter(strew_plan *plan, const strew_tensor *data,
                                                 const strew_tensor *updates, const strew_tensor *indices,
                                                 const strew_tensor *targets, const strew_tensor *weights,
                                                 strew_reduction reduction, bool use_init_val,
                                                 const strew_tensor *output, const strew_plan_options *options);

/** The data pointers of one run, for tensors of the planned shapes, strides and dtypes. */
typedef struct strew_buffers {
    const void *data;     /**< NULL only if it has no elements, as for the others */
    const void *indices;  /**< the indices; NULL where the operator was planned without */
    const void *updates;  /**< must be NULL for a gather */
    void *output;         /**< that of data runs a scatter in place, if both were planned with the same strides */
    const void *segments; /**< the offsets, segment_ids or targets; NULL for an operator that has none */
    const void *weights;  /**< NULL where the operator was planned without */
} strew_buffers;

/**
 * Runs a plan on these pointers; `options` may be NULL. Refuses INDEX_OUT_OF_BOUNDS, and as INVALID_ARGUMENT: NULL
 * for a tensor with elements, an output that overlaps an input other than in place, what is not a plan, less
 * scratch than the least, scratch of use that overlaps a tensor.
 */
STREW_API strew_status strew_plan_run(const strew_plan *plan, const strew_buffers *buffers,
                                      const strew_run_options *options);

/**
 * The bytes of scratch with which this plan runs fastest on that many threads, which are those of the
 * strew_run_options' parallel; 0 is one. Scratch needs no alignment and no preparation, but should be kept for the
 * next run: pages that the system has just given cost as much as they gain.
 *
 *   - Scatters of many elements (or rows of 1, 2, 4, 8 or 16 bytes) to more memory than the caches hold, or on
 *     several threads, partition their updates by the part of the output that they go to: about 8 bytes for each
 *     (twice an element's size, if that is more), at most twice that, and some megabytes for each thread. With
 *     less scratch, as with scratch for fewer threads than the run has, they do without: the same bits, but
 *     slower.
 *   - mean counts in it, and needs the least that strew_plan_least_scratch_size says.
 *   - strew_gather_scatter sorts entries by where they go, if that pays: about 4 bytes for each, 4 more with
 *     weights, and 8 for each row of data. It does for rows of 256 contiguous bytes and more, if 512 bytes and
 *     more go into each row of data on average; where data has 8 MiB and more, for rows of 64 bytes and more, if
 *     256 bytes and more do. Others are combined as they come: 0.
 *   - strew_embedding_segments sorts rows of any length where ids are not sorted, and needs as much for that.
 *   - All else has no use for it: 0, as for what is not a plan.
 */
STREW_API size_t strew_plan_scratch_size(const strew_plan *plan, size_t threads);

/**
 * The bytes of scratch without which a run of this plan on that many threads is refused. For a mean of
 * strew_scatter_elements or strew_scatter, for each thread: 8 for each element (row) of data along the axis, or up
 * to 256 KiB if that is more. For strew_embedding_segments what strew_plan_scratch_size says, though only a run
 * whose ids are not sorted is refused without. For all else 0.
 */
STREW_API size_t strew_plan_least_scratch_size(const strew_plan *plan, size_t threads);

/** @} */

/* ---- Indices that stay the same ------------------------------------------------------------------ */

/**
 * @defgroup strew_same_indices Indices that stay the same
 * Indices that do not change from run to run, as constants of a model and edges of a graph do not, need to be
 * looked at only once.
 * @{
 */

/** The bytes that strew_plan_inspect needs for this plan; 0 if it has no indices, as for what is not a plan. */
STREW_API size_t strew_plan_inspection_size(const strew_plan *plan);

/**
 * Looks at the indices of a plan, and makes another plan, in *inspected, that runs with what was found.
 *
 * The indices are checked and resolved under the plan's policy (strew_bounds), and what they come to is written
 * into `storage`: for each tuple, or for each index of an operator without tuples, one number of 32 bits, where
 * that is enough, from which the row is known. Indices that repeat by a stride of 0 are written once. If the plan
 * was made for several threads, each of which would look at all indices of a scatter, they are also listed for
 * each. Of `buffers` only indices and segments are looked at.
 *
 * Where rows go into others by number (strew_embedding_segments, strew_segment_reduce, strew_gather_scatter), they
 * are sorted by that, once and for all: the storage then stands for the segment_ids or targets as well, and
 * strew_buffers.segments is NULL. Runs need no scratch, and threads share the rows that are written.
 *
 * The inspected plan is a plan as any other, of the same call, whose indices are the storage:
 * strew_buffers.indices points to it, and the indices themselves are not needed any more. Its runs do not check
 * indices before they write in place, and read fewer bytes. They give the same bits, on any number of threads.
 *
 *   - The storage is the caller's, needs no alignment, and must stay as it is; it may be moved, or shared by runs.
 *     A run that is given other storage than that of its plan is refused (INVALID_ARGUMENT).
 *   - Storage that has been overwritten all the same never makes a run touch a byte outside the tensors. If the run
 *     finds it out it is refused; what it has written by then, in place as well, is unspecified.
 *   - Inspecting refuses an index out of bounds as a run of the plan does, with the first offender. Under
 *     STREW_BOUNDS_STOP as well: then nothing is written.
 *   - *inspected is another strew_plan than *plan, which does not change, and cannot be inspected again. Without
 *     indices, or if they have no elements, it is a copy, and runs on the same buffers.
 *   - Of the options, which may be NULL, only `error` is used. A wrong `parallel` is refused all the same.
 */
STREW_API strew_status strew_plan_inspect(strew_plan *inspected, const strew_plan *plan,
                                          const strew_buffers *buffers, void *storage, size_t storage_size,
                                          const strew_run_options *options);

/** @} */

/**
 * The version of the library, "0.3.0", which may be newer than this header.
 * @ingroup strew_build
 */
STREW_API const char *strew_version(void);

#ifdef __cplusplus
}
#endif

#endif
