/**
 * @file
 * Types that every call uses: statuses and errors, elements, tensors, threads, options. <strew/strew.h> includes
 * this header, and says which rules hold everywhere.
 */
#ifndef STREW_CORE_H
#define STREW_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A build may define these macros. They must be the same for the library and for all code that includes this
 * header:
 *
 *     STREW_PREFIX   the prefix of every symbol of the library: with acme_, the linker sees strew_gather_nd as
 *                    acme_strew_gather_nd, and two copies of strew in one process never meet. C code still says
 *                    strew_gather_nd.
 *     STREW_SHARED   the library is the shared one, which exports this API. The static one exports nothing, and
 *                    neither does the program or library that it is linked into.
 *     STREW_API      the text before each function, if neither of these suits.
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
 * The status that a call returns, and the error that it describes when it is refused.
 * @{
 */

/** The largest rank of any tensor, outputs included. */
#define STREW_MAX_RANK 32

/** The outcome of a call. */
typedef int32_t strew_status;
/** The values of strew_status, which are stable. */
enum {
    STREW_STATUS_OK = 0,                    /**< the call succeeded */
    STREW_STATUS_INVALID_ARGUMENT = 1,      /**< NULL, a value outside its range, overlapping operands, misuse */
    STREW_STATUS_SHAPE_MISMATCH = 2,        /**< ranks or dimensions that do not fit each other */
    STREW_STATUS_DTYPE_MISMATCH = 3,        /**< updates or output of another dtype than data */
    STREW_STATUS_UNSUPPORTED_DTYPE = 4,     /**< a dtype that is unknown, left out, or not taken */
    STREW_STATUS_UNSUPPORTED_REDUCTION = 5, /**< a reduction that the operator, or the dtype, does not have */
    STREW_STATUS_INDEX_OUT_OF_BOUNDS = 6,   /**< an index outside its dimension; only when a call runs */
    STREW_STATUS_OUT_OF_MEMORY = 7,         /**< only from the command line: the library allocates nothing */
    STREW_STATUS_IO_ERROR = 8,              /**< only from the command line */
    STREW_STATUS_UNSUPPORTED_OPERATOR = 9   /**< an operator that was left out of this build */
};

/** Returns the name of a status, such as "invalid_argument"; "unknown" for any other value. */
STREW_API const char *strew_status_name(strew_status status);

/** The operand that an error is about. */
typedef int32_t strew_operand;
/** The values of strew_operand. */
enum {
    STREW_OPERAND_CALL,          /**< none of those below */
    STREW_OPERAND_DATA,          /**< the tensor that is gathered from, or scattered to */
    STREW_OPERAND_INDICES,       /**< the tensor of indices */
    STREW_OPERAND_UPDATES,       /**< the tensor that is scattered */
    STREW_OPERAND_OUTPUT,        /**< the result */
    STREW_OPERAND_AXIS,          /**< the attribute, or the tensor that it is read from */
    STREW_OPERAND_BATCH_DIMS,    /**< the attribute */
    STREW_OPERAND_REDUCTION,     /**< the attribute */
    STREW_OPERAND_USE_INIT_VAL,  /**< the attribute */
    STREW_OPERAND_OPERATOR,      /**< the published version */
    STREW_OPERAND_ATTRIBUTES,    /**< the attributes of a published version */
    STREW_OPERAND_PLAN,          /**< the plan, or its storage */
    STREW_OPERAND_BUFFERS,       /**< the pointers of a run */
    STREW_OPERAND_SHAPE,         /**< the array for an inferred shape */
    STREW_OPERAND_RANK,          /**< the pointer to its rank */
    STREW_OPERAND_ISA,           /**< the instruction set */
    STREW_OPERAND_OPTIONS,       /**< the struct of options */
    STREW_OPERAND_PARALLEL,      /**< the threads in the options */
    STREW_OPERAND_SCRATCH,       /**< the scratch in the options */
    STREW_OPERAND_BOUNDS,        /**< the policy for indices out of bounds in the options */
    STREW_OPERAND_CIRCULAR,      /**< the attribute */
    STREW_OPERAND_SLICE,         /**< the attribute */
    STREW_OPERAND_OFFSETS,       /**< the tensor that says where bags begin */
    STREW_OPERAND_SEGMENT_IDS,   /**< the tensor that says which segment each row belongs to */
    STREW_OPERAND_TARGETS,       /**< the tensor that says which row each row goes into */
    STREW_OPERAND_WEIGHTS,       /**< the tensor of weights */
    STREW_OPERAND_DEFAULT_INDEX, /**< the attribute */
    STREW_OPERAND_EMPTY,         /**< the attribute */
    STREW_OPERAND_SEGMENT_COUNT, /**< the attribute */
    STREW_OPERAND_INSPECTION     /**< the storage that strew_plan_inspect has written */
};

/**
 * Says why a call was refused. Pass a pointer to one in the options or as the last argument, or NULL. A call that
 * succeeds leaves it unchanged. strew_error_message turns it into a sentence. For an index out of bounds it names
 * the first bad index in the row-major order of `indices`, whatever the number of threads. A field that does not
 * apply to an error is zero.
 *
 * If several things are wrong, one of them is reported: first what makes a plan impossible, then what only
 * pointers show, then what only the contents of tensors show.
 */
typedef struct strew_error {
    strew_status status;              /**< the status that the call returned */
    int32_t reason;                   /**< selects the sentence of strew_error_message; its values may change */
    strew_operand operand;            /**< the operand at fault */
    strew_operand other;              /**< the operand that it does not fit, if there is one */
    int32_t dimension;                /**< the dimension of the operand, or of data for an index */
    int32_t value_is_unsigned;        /**< 1: read `value` as a uint64_t */
    int32_t position_rank;            /**< for an index or an offset: the rank of its tensor; otherwise 0 */
    int32_t reserved;                 /**< 0 */
    int64_t value;                    /**< the value that was found */
    int64_t lower,                    /**< the least value that would have been right; for a dtype, the sum of
                                           1 << dtype over those that would have been right */
        upper;                        /**< the greatest value; 0 and -1 for an index into an empty dimension */
    int64_t position[STREW_MAX_RANK]; /**< for an index or an offset: its position in its tensor */
} strew_error;

/**
 * Writes an error as one line, without a newline at its end:
 *
 *     indices[3][0] is 7, outside [-4, 3] for dimension 0 of data
 *
 * The line is written into buffer[size]. It is cut to fit, and always terminated if size > 0. Returns the length
 * of the whole line in bytes, as snprintf does. 320 bytes hold every message for tensors of rank below 12.
 * `buffer` may be NULL if size is 0. An error that is NULL gives "no error".
 */
STREW_API size_t strew_error_message(const strew_error *error, char *buffer, size_t size);

/** @} */

/* ---- Elements ------------------------------------------------------------------------------------ */

/**
 * @defgroup strew_elements Elements
 * The dtypes of elements, and the reductions that combine an element with an update.
 * @{
 */

/** An element of a string tensor: a view that strew moves but never reads through, combines or owns. */
typedef struct strew_string {
    const char *data; /**< its bytes, which belong to the caller */
    size_t size;      /**< the number of bytes */
} strew_string;

/** The type of an element: one of those below, or STREW_DTYPE_OPAQUE(bytes). */
typedef uint32_t strew_dtype;

/** The values of strew_dtype, which are stable. */
enum {
    STREW_DTYPE_NONE = 0,        /**< no dtype, as in a zeroed tensor */
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
    /* One byte each, named as in ONNX: moved, never combined. */
    STREW_DTYPE_FLOAT8E4M3FN = 17,   /**< a sign, 4 bits of exponent, 3 of mantissa; no infinities */
    STREW_DTYPE_FLOAT8E4M3FNUZ = 18, /**< a sign, 4 bits of exponent, 3 of mantissa; no infinities, no -0 */
    STREW_DTYPE_FLOAT8E5M2 = 19,     /**< a sign, 5 bits of exponent, 2 of mantissa */
    STREW_DTYPE_FLOAT8E5M2FNUZ = 20, /**< a sign, 5 bits of exponent, 2 of mantissa; no infinities, no -0 */
    STREW_DTYPE_FLOAT8E8M0 = 21,     /**< 8 bits of exponent: a scale */
    /* Packed, several to a byte: moved as parts of rows (see strew_tensor), never combined. */
    STREW_DTYPE_UINT4 = 22,      /**< 0 to 15, two to a byte */
    STREW_DTYPE_INT4 = 23,       /**< -8 to 7, two to a byte */
    STREW_DTYPE_FLOAT4E2M1 = 24, /**< a sign, 2 bits of exponent, 1 of mantissa, two to a byte */
    STREW_DTYPE_UINT2 = 25,      /**< 0 to 3, four to a byte */
    STREW_DTYPE_INT2 = 26,       /**< -2 to 1, four to a byte */
    STREW_DTYPE_COUNT            /**< one more than the last; grows when dtypes are added */
};

/** The bit that marks opaque dtypes. The other bits hold the size of an element. */
#define STREW_DTYPE_OPAQUE_BIT 0x80000000u
/** Opaque elements of `bytes` bytes, 1 to 2^31 - 1: moved, never combined. Every call refuses other sizes. */
#define STREW_DTYPE_OPAQUE(bytes)                                                                               \
    ((uint64_t)(bytes)-1 < STREW_DTYPE_OPAQUE_BIT - 1 ? STREW_DTYPE_OPAQUE_BIT | (strew_dtype)(uint64_t)(bytes) \
                                                      : (strew_dtype)STREW_DTYPE_NONE)

/**
 * Returns the name of a dtype, such as "float32"; "unknown" for any other value. Opaque dtypes of any size, even
 * of the size 0 that no call takes, are "opaque".
 */
STREW_API const char *strew_dtype_name(strew_dtype dtype);
/** Returns the dtype with this name; STREW_DTYPE_NONE if there is none. It finds no opaque dtypes. */
STREW_API strew_dtype strew_dtype_find(const char *name);
/**
 * Returns the bytes of an element; 0 for an unknown value, and for a packed dtype, whose elements share a byte.
 */
STREW_API size_t strew_dtype_size(strew_dtype dtype);
/** Returns the bits of an element: 4 or 2 for a packed dtype; 0 for an unknown value. */
STREW_API uint64_t strew_dtype_bits(strew_dtype dtype);

/** How an update changes an element of data. Earlier updates may have changed that element already. */
typedef int32_t strew_reduction;
/** The values of strew_reduction, which are stable. */
enum {
    STREW_REDUCTION_NONE, /**< data = update */
    STREW_REDUCTION_SUM,  /**< data = data + update */
    STREW_REDUCTION_SUB,  /**< data = data - update */
    STREW_REDUCTION_PROD, /**< data = data * update */
    STREW_REDUCTION_MIN,  /**< data = min(data, update) */
    STREW_REDUCTION_MAX,  /**< data = max(data, update) */
    STREW_REDUCTION_MEAN, /**< as SUM, and at the end one division by how many were added */
    STREW_REDUCTION_COUNT /**< one more than the last */
};

/** Returns the name of a reduction, such as "sum"; "unknown" for any other value. */
STREW_API const char *strew_reduction_name(strew_reduction reduction);
/**
 * Finds a reduction by its name; "add" is SUM, "mul" is PROD. Returns false, and leaves `*reduction` unchanged, if
 * there is none.
 */
STREW_API bool strew_reduction_find(const char *name, strew_reduction *reduction);
/**
 * Returns whether elements of this dtype have the reduction: complex numbers have no min, bool has no mean,
 * strings have no sum.
 */
STREW_API bool strew_reduction_supports(strew_reduction reduction, strew_dtype dtype);

/** @} */

/* ---- Tensors, threads, options ------------------------------------------------------------------- */

/**
 * @defgroup strew_operands Tensors, threads, options
 * The arguments of calls.
 * @{
 */

/**
 * A view of memory that the caller owns. Element (i0, i1, ...) is at
 *
 *     (char *)data + (i0 * strides[0] + i1 * strides[1] + ...) * strew_dtype_size(dtype)
 *
 * Inputs may have any strides, including zero and negative ones. An output must not overlap itself: sorted by
 * size, each stride must step over everything that the smaller ones reach. The product of the dimensions (without
 * zeros) times the element size, and the reach of the strides in bytes, must fit in ptrdiff_t; otherwise calls
 * return STREW_STATUS_INVALID_ARGUMENT. This also holds for tensors without elements. Only the strides of
 * dimensions of size 0 and 1 may have any value.
 *
 * Two tensors are *apart* if they share no byte. They may interleave: the left and the right columns of an array
 * are apart. If strides interleave in so complex a way that it takes more than a thousand steps to decide, the
 * call is refused, as if the tensors overlapped, with a message of its own. A tensor without elements is apart
 * from everything.
 *
 * A packed dtype has n = 8 / strew_dtype_bits(dtype) elements in a byte, the first in its lowest bits; data points
 * to the byte that begins with element (0, 0, ...). Shapes and strides count elements as for any dtype, and their
 * products must fit in ptrdiff_t as if each element were a byte. Contiguous data take count / n bytes, rounded up.
 * Packed elements move only in whole bytes: the innermost dimensions of a row, as few as together hold a multiple
 * of n elements, must be contiguous, and all other strides must be multiples of n. Tensors that do not fulfil
 * this, among them those of single elements, are refused (STREW_STATUS_UNSUPPORTED_DTYPE).
 *
 * Indices may have any integer dtype that is not packed. A negative index i of a dimension of size s means s + i,
 * and the valid range is [-s, s - 1]. With STREW_FLAG_REFUSE_NEGATIVE_INDICES it is [0, s - 1].
 */
typedef struct strew_tensor {
    void *data;             /**< may be NULL if the tensor has no elements, and for planning and shape inference */
    strew_dtype dtype;      /**< the type of its elements */
    int32_t rank;           /**< 0 to STREW_MAX_RANK */
    const int64_t *shape;   /**< shape[rank], each at least 0; may be NULL if rank is 0 */
    const int64_t *strides; /**< strides[rank], in elements; NULL means contiguous and row-major */
} strew_tensor;

/** A task that the caller's threads run. */
typedef void (*strew_task)(void *context, size_t index);

/**
 * The caller's threads. A call may use `run` several times, or not at all if it has too little work to share.
 * strew/pthreadpool.h makes a strew_parallel from a pthreadpool_t.
 */
typedef struct strew_parallel {
    /**
     * run(pool, task, context, count) must call task(context, i) once for each i < count, on any threads in any
     * order, and return after all of them have returned.
     */
    void (*run)(void *pool, strew_task task, void *context, size_t count);
    void *pool;     /**< passed to `run`; the library does not look at it */
    size_t threads; /**< at least 1: how many tasks can run at once */
} strew_parallel;

/** The instruction sets that kernels are written for. */
typedef int32_t strew_isa;
/** The values of strew_isa. */
enum {
    STREW_ISA_BEST,   /**< the best that this CPU runs natively; STREW_ISA in the environment limits it */
    STREW_ISA_SCALAR, /**< plain C: in every build, on every CPU */
    STREW_ISA_AVX2,   /**< x86: AVX2, F16C and FMA */
    STREW_ISA_AVX512, /**< x86: F, BW, DQ and VL */
    STREW_ISA_NEON,   /**< ARM: Advanced SIMD */
    STREW_ISA_COUNT   /**< one more than the last */
};

/** Returns the name of an instruction set, such as "scalar" or "best"; "unknown" for any other value. */
STREW_API const char *strew_isa_name(strew_isa isa);
/** Finds an instruction set by its name. Returns false, and leaves `*isa` unchanged, if there is none. */
STREW_API bool strew_isa_find(const char *name, strew_isa *isa);

/** Bits of `flags`. */
enum {
    STREW_FLAG_REFUSE_NEGATIVE_INDICES = 1u << 0, /**< negative indices are out of bounds */
    /**
     * Promises that no two updates of a scatter go to the same element. Several threads then share the updates as
     * a gather shares its rows, in any order. One thread does not profit, and neither do other operators. Indices
     * are checked all the same. If the promise is broken, the elements that several updates go to are unspecified,
     * and nothing else is.
     */
    STREW_FLAG_UNIQUE_INDICES = 1u << 1
};

/**
 * The policy for indices out of bounds. An index of a dimension of size s is valid in [-s, s - 1], or in [0, s -
 * 1] where negative indices are refused; any other is out of bounds. strew_tensor_scatter defines its own range;
 * below, s is then the number of valid begins. The results of each policy are the same for every number of
 * threads.
 */
typedef int32_t strew_bounds;
/** The values of strew_bounds, which are stable. */
enum {
    /** Refuses the call, and leaves an in-place tensor as it was. */
    STREW_BOUNDS_REFUSE,
    /**
     * Refuses the call after it has done everything before the first bad index in the row-major order of `indices`.
     * One thread then need not read all indices before it begins to write in place. A scatter that takes a mean,
     * or reduces without the initial value, is done as a whole or not at all.
     */
    STREW_BOUNDS_STOP,
    /**
     * A scatter leaves out the update; a gather writes `fill` instead of the row. One wrong index of a tuple is
     * enough.
     */
    STREW_BOUNDS_SKIP,
    /**
     * Uses the nearest valid index: 0 for a negative one, s - 1 for others. An index into an empty dimension is
     * refused.
     */
    STREW_BOUNDS_CLAMP,
    /** Uses the remainder modulo s, from 0 to s - 1. An index into an empty dimension is refused. */
    STREW_BOUNDS_WRAP,
    STREW_BOUNDS_COUNT /**< one more than the last */
};

/** Returns the name of a policy, such as "refuse"; "unknown" for any other value. */
STREW_API const char *strew_bounds_name(strew_bounds bounds);
/** Finds a policy by its name. Returns false, and leaves `*bounds` unchanged, if there is none. */
STREW_API bool strew_bounds_find(const char *name, strew_bounds *bounds);

/**
 * The options of a call. There is one struct for planning, one for running, and one for calls that do both. They
 * share their fields, and each has the fields that its calls use:
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
 * NULL instead of a struct means the default for every field. Begin with the INIT of a struct: it sets struct_size
 * and leaves the other fields zero, which is the default of each.
 *
 * The structs grow only at their ends, and struct_size says which fields the caller knows. The library takes the
 * size that a struct has had in any version since 0.2, uses the defaults of the missing fields, and refuses any
 * other size. Version 0.3 added the fields after `error`.
 *
 * A call refuses wrong options (INVALID_ARGUMENT): unknown bits in `flags`, an unknown `bounds`, an `isa` that
 * cannot run here, a `parallel` without `run` or with 0 threads. It ignores `reserved`.
 *
 * Scratch: a call writes only the beginning of its scratch: at most as many bytes as strew_plan_scratch_size says
 * or, if it is given less, as strew_plan_least_scratch_size says. That part must be apart from every tensor, which
 * is checked. The rest is not checked. A call that needs no scratch takes any.
 *
 * Stack: in an optimised build a call needs at most 48 KiB of the calling thread, a planned run 40 KiB. A task
 * that parallel->run calls needs at most 32 KiB of its own thread.
 */
typedef struct strew_options {
    size_t struct_size;             /**< sizeof(strew_options) */
    strew_isa isa;                  /**< the kernels to use */
    uint32_t flags;                 /**< bits: STREW_FLAG_* */
    const strew_parallel *parallel; /**< the threads to run on; NULL: the calling thread alone */
    void *scratch;                  /**< memory that the call may write; NULL: none, whatever scratch_size is */
    size_t scratch_size;            /**< its bytes; strew_plan_scratch_size says how many are useful */
    strew_error *error;  /**< filled in if the call is refused, except for a wrong struct_size; may be NULL */
    strew_bounds bounds; /**< the policy for indices out of bounds; the default refuses them */
    int32_t reserved;    /**< 0 */
    /**
     * One element of data's dtype, which a gather writes where it skips; NULL: zero. For a packed dtype it is one
     * byte, which is repeated.
     */
    const void *fill;
} strew_options;

/** The options of planning: see strew_options. */
typedef struct strew_plan_options {
    size_t struct_size; /**< sizeof(strew_plan_options) */
    strew_isa isa;      /**< as in strew_options */
    uint32_t flags;     /**< as in strew_options */
    /**
     * The number of threads that the plan is made for; 0 means 1. A run with this number repeats no decision. A
     * run with another number works as well, and gives the same bits.
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
