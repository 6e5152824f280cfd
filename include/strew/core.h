/**
 * @file
 * What every call is given and returns: statuses and errors, elements, tensors, threads, options. <strew/strew.h>
 * includes it, and says which rules hold everywhere.
 */
#ifndef STREW_CORE_H
#define STREW_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
    STREW_STATUS_UNSUPPORTED_DTYPE = 4,     /**< one that is none, left out, or not the operator's */
    STREW_STATUS_UNSUPPORTED_REDUCTION = 5, /**< a reduction that the operator, or the dtype, does not have */
    STREW_STATUS_INDEX_OUT_OF_BOUNDS = 6,   /**< an index outside its dimension; only when running */
    STREW_STATUS_OUT_OF_MEMORY = 7,         /**< of the command line only: the library allocates nothing */
    STREW_STATUS_IO_ERROR = 8,              /**< of the command line only */
    STREW_STATUS_UNSUPPORTED_OPERATOR = 9   /**< an operator that was left out of this build */
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
 * names the first bad index in the row-major order of `indices`, whatever the number of threads. A field that says
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
 * Two tensors are *apart* if they share no byte. They may interleave: the left and the right columns of an array
 * are apart. Strides that interleave in so intricate a way that this takes more than a thousand steps to tell are
 * refused as if the tensors overlapped, by a message of its own. A tensor without elements is apart from
 * everything.
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
     * The call is refused, and what comes before the first bad index in the row-major order of `indices` has been
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

#ifdef __cplusplus
}
#endif

#endif
