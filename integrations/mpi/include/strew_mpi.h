/**
 * @file
 * strew on many machines: a table whose rows are distributed over the ranks of an MPI communicator. Any rank
 * gathers from it and scatters to it, with the bits that strew gives on one machine.
 *
 *     strew_mpi_context_create    collective: a communicator of the library's own, and its memory
 *     strew_mpi_gather            collective: each rank gathers the rows that its list of indices names
 *     strew_mpi_scatter           collective: each rank brings updates for the rows that its list names
 *     strew_mpi_plan_create       collective: settles a list of indices that is used again
 *     strew_mpi_plan_gather       collective: gathers by it
 *     strew_mpi_plan_scatter      collective: scatters by it
 *
 * Rules that hold everywhere:
 *
 *   - Updates take effect in the global order: rank 0's list in its own order, then rank 1's, and so on. The table
 *     gets the bits that one strew_scatter_nd with all lists one after another gives, on any number of ranks and
 * for any distribution. Only the payload and the sign of a computed NaN are not promised. Float sums, subs, prods
 *     and means are therefore never combined before they travel.
 *   - Every rank of the context makes the collective calls, in the same order. A call returns the same status on
 *     every rank. A call that any rank refuses, for any reason, writes no table and no output. Its error is the
 * same on every rank: the first rank at fault, and the reason there. So a bad index is the first one in the global
 *     order. A call is also refused if arguments that must agree differ from rank to rank.
 *   - The library cannot catch these mistakes on all ranks: a context or a plan that is NULL or destroyed
 *     (INVALID_ARGUMENT at once on this rank alone, no error is filled in); a call that other ranks do not make, or
 *     make with another context; a failure of MPI (STREW_MPI_STATUS_MPI_FAILED: ranks may see it differently or
 *     wait, and the table of a scatter may hold some of the updates). If a rank dies, the launcher ends the job.
 *   - MPI 3.1 is enough. Only the calling thread calls MPI (MPI_THREAD_FUNNELED). A context serves one call at a
 *     time. All ranks have the same byte order and the same version of this library.
 *   - Tensors are strew's: any strides, any alignment, any integer dtype for indices, which may differ from rank to
 *     rank. Packed elements and strings, which are pointers, are refused.
 */
#ifndef STREW_MPI_H
#define STREW_MPI_H

#include <mpi.h>
#include <strew/strew.h>

/*
 * Define STREW_MPI_SHARED if the library is the shared one, which exports this API. The static one exports nothing,
 * and neither does the program or library that links it.
 */
#ifndef STREW_MPI_API
#if defined(STREW_MPI_SHARED) && !defined(_WIN32)
#define STREW_MPI_API __attribute__((visibility("default")))
#else
#define STREW_MPI_API
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @defgroup strew_mpi_errors Status and errors
 * @{
 */

/** The values that a strew_status has here besides those of strew.h. */
enum {
    STREW_MPI_STATUS_RANKS_DIFFER = 100, /**< arguments that must agree on all ranks, and do not */
    STREW_MPI_STATUS_MPI_FAILED = 101    /**< a call of MPI returned an error */
};

/** Returns the name of a status, such as "ranks_differ"; "unknown" for any other value. */
STREW_MPI_API const char *strew_mpi_status_name(strew_status status);

/** Why a call was refused. It is the same on every rank; strew_mpi_error_message turns it into a sentence. */
typedef struct strew_mpi_error {
    strew_status status; /**< the status that the call returned */
    int32_t reason;      /**< selects the sentence of strew_mpi_error_message; its values may change */
    int32_t rank;        /**< the first rank at fault; -1 if no rank is */
    int32_t other_rank;  /**< the rank whose arguments `rank` differs from; otherwise -1 */
    int32_t what;        /**< the argument or call at fault; its values may change */
    int32_t reserved;    /**< 0 */
    int64_t value;       /**< the value found at `rank` */
    int64_t other_value; /**< the value at `other_rank`, or the value that would be right */
    strew_error local;   /**< strew's error about the arguments of `rank`: for an index its position in the list of
                              that rank, its value and its bounds; zero if there is none */
} strew_mpi_error;

/**
 * Writes an error as one line, without a newline at its end:
 *
 *     rank 2: indices[3][0] is 7, outside [-4, 3] for dimension 0 of data
 *
 * In sentences about shapes, dtypes and indices `data` is the table. The line is written, cut, terminated and
 * counted as by strew_error_message. `buffer` may be NULL if size is 0. An error that is NULL gives "no error".
 */
STREW_MPI_API size_t strew_mpi_error_message(const strew_mpi_error *error, char *buffer, size_t size);

/** @} */

/**
 * @defgroup strew_mpi_contexts Contexts
 * A context has a communicator of its own, whose messages never meet others, and the memory of its calls.
 * @{
 */

/** The functions that allocate memory. */
typedef struct strew_mpi_allocator {
    void *(*allocate)(void *state,
                      size_t size); /**< `size` > 0 bytes, aligned as malloc's; NULL if there are none */
    void (*release)(void *state, void *memory); /**< gives back what `allocate` returned; never NULL */
    void *state;                                /**< passed to both */
} strew_mpi_allocator;

/** The context of a communicator. */
typedef struct strew_mpi_context strew_mpi_context;

/**
 * Collective over `comm`. It duplicates the communicator, with MPI_ERRORS_RETURN.
 *
 *     comm       an intracommunicator of any size: MPI_COMM_WORLD, MPI_COMM_SELF, one that was split off
 *     allocator  allocates the memory of calls and plans; NULL means malloc. The struct is copied. It may differ
 *                from rank to rank. MPI allocates its own memory
 *     context    the pointer to write the context to; NULL on refusal
 *     error      filled in if the call is refused; may be NULL
 *
 * Refuses as INVALID_ARGUMENT: MPI that is not initialised or is finalised, MPI_COMM_NULL, an intercommunicator; on
 * any rank, a `context` that is NULL or an allocator without a function. Refuses OUT_OF_MEMORY on any rank.
 */
STREW_MPI_API strew_status strew_mpi_context_create(MPI_Comm comm, const strew_mpi_allocator *allocator,
                                                    strew_mpi_context **context, strew_mpi_error *error);

/**
 * Collective, before MPI_Finalize: frees the communicator and the memory. Destroy the plans of the context first.
 * After MPI_Finalize it frees the memory alone. Does nothing for NULL.
 */
STREW_MPI_API void strew_mpi_context_destroy(strew_mpi_context *context);

/** Returns the number of ranks of the context. */
STREW_MPI_API int strew_mpi_context_size(const strew_mpi_context *context);
/** Returns the number of this rank. */
STREW_MPI_API int strew_mpi_context_rank(const strew_mpi_context *context);

/**
 * Local: frees the memory that calls keep for the next one. That is as much as the largest call needed: about 20
 * bytes for each index of the rank (60 with STREW_MPI_FLAG_DISTINCT), 4 for each index that it receives, a copy of
 * each row that it sends or receives, and strew's scratch.
 */
STREW_MPI_API void strew_mpi_context_trim(strew_mpi_context *context);

/** @} */

/**
 * @defgroup strew_mpi_tables Tables
 * Rows are distributed in blocks of equal size: the first to rank 0, the next to rank 1, and after the last rank to
 * rank 0 again. Blocks of one row are the cyclic distribution. Blocks of ceil(rows / ranks) give each rank one
 * block; the last ranks may have fewer rows, or none.
 * @{
 */

/** A table, as one rank sees it. All fields but `rows` must agree on all ranks. */
typedef struct strew_mpi_table {
    /**
     * This rank's rows, those of lower row index first, contiguous and row-major:
     * [strew_mpi_local_rows()] + shape[1:]. May be NULL if they have no elements.
     */
    void *rows;
    strew_dtype dtype; /**< of its elements; not STREW_DTYPE_STRING */
    int32_t rank;      /**< dimensions of the whole table, 1 to STREW_MAX_RANK */
    const int64_t
        *shape;    /**< shape[rank] of the whole table; shape[0] is its number of rows, on all ranks together */
    int64_t block; /**< rows in a block: 1 is cyclic; 0 is strew_mpi_block(shape[0], ranks), one block each */
} strew_mpi_table;

/** Returns ceil(rows / ranks), and at least 1: with this block each rank has at most one block. */
STREW_MPI_API int64_t strew_mpi_block(int64_t rows, int ranks);

/** Returns how many rows of a table of `rows` rows `rank` holds, with this block (0: one block each). */
STREW_MPI_API int64_t strew_mpi_local_rows(int64_t rows, int64_t block, int ranks, int rank);

/** Returns the row index in the whole table of row `local` of `rank`. */
STREW_MPI_API int64_t strew_mpi_global_row(int64_t rows, int64_t block, int ranks, int rank, int64_t local);

/** Finds a row, 0 <= row < rows: the rank that holds it, and its number among the rows of that rank. */
STREW_MPI_API void strew_mpi_find_row(int64_t rows, int64_t block, int ranks, int64_t row, int *rank,
                                      int64_t *local);

/** @} */

/**
 * @defgroup strew_mpi_options Options
 * @{
 */

/** Bits of `flags`, besides STREW_FLAG_REFUSE_NEGATIVE_INDICES. */
enum {
    /**
     * The reduced rows start from the identity of the reduction and not from the table, as in
     * strew_scatter_elements with use_init_val false. For scatters; it has no effect on assignments.
     */
    STREW_MPI_FLAG_IGNORE_INIT_VAL = 1u << 16,
    /**
     * A row that one rank's list names several times travels once. A gather fetches it once. A scatter combines its
     * updates before they travel if that changes no bit: assignments, min, max, and any reduction of integers and
     * bool except mean. Other updates travel one by one. Use it for lists that repeat rows: finding the repetitions
     * takes longer than routing the list without them. For plans, and for calls without one.
     */
    STREW_MPI_FLAG_DISTINCT = 1u << 17
};

/** The seconds that calls took on this rank, part by part. Each call adds its own. Waiting for others counts. */
typedef struct strew_mpi_times {
    double route;   /**< checking indices, and ordering them by the rank that holds the row */
    double agree;   /**< agreeing on arguments, errors and counts */
    double indices; /**< the exchange of indices */
    double pack;    /**< bringing rows into the order in which they travel */
    double rows;    /**< the exchange of rows */
    double apply;   /**< reducing the rows that arrived, or ordering an output */
} strew_mpi_times;

/** The options of a call. NULL means the default for every field. Begin with STREW_MPI_OPTIONS_INIT. */
typedef struct strew_mpi_options {
    size_t struct_size; /**< sizeof(strew_mpi_options) */
    strew_isa isa;      /**< the kernels to use; may differ from rank to rank */
    uint32_t flags;     /**< STREW_FLAG_REFUSE_NEGATIVE_INDICES, STREW_MPI_FLAG_*; the same on all ranks */
    const strew_parallel *parallel; /**< the threads of this rank's local work; NULL: the calling one alone */
    strew_mpi_error *error;         /**< filled in if the call is refused; may be NULL */
    strew_mpi_times *times;         /**< the call adds its times; may be NULL */
    /**
     * The policy for indices out of bounds, the same on all ranks: STREW_BOUNDS_REFUSE (the default), SKIP, CLAMP
     * or WRAP. They mean what they mean in strew/core.h, coordinate by coordinate. A skipped index does not travel:
     * a scatter drops its update, a gather writes `fill`. For plans, and for calls without one. STREW_BOUNDS_STOP
     * is refused, because ranks agree that all indices are right before any row travels.
     */
    strew_bounds bounds;
    int32_t reserved; /**< 0 */
    /** One element of the table's dtype, which a gather of this rank writes where it skips; NULL: zero. */
    const void *fill;
} strew_mpi_options;

/* clang-format off */
/** All defaults of strew_mpi_options: an initialiser. */
#define STREW_MPI_OPTIONS_INIT {sizeof(strew_mpi_options), STREW_ISA_BEST, 0, NULL, NULL, NULL, STREW_BOUNDS_REFUSE, 0, NULL}
/* clang-format on */

/** @} */

/**
 * @defgroup strew_mpi_calls Gather and scatter
 * Here n is the number of indices of this rank, which differs from rank to rank and may be 0; k is the number of
 * coordinates of each, the same on all ranks; and `table` is the whole table. Each call refuses, on all ranks
 * alike,
 *
 *     INVALID_ARGUMENT       NULL, k of 0, a block below 0, options of another size, unknown flags, a policy that
 *                            the call does not take, threads without a function or a number, an output that
 *                            overlaps the table
 *     SHAPE_MISMATCH         shapes other than those below; a table of no dimensions, or of too many
 *     DTYPE_MISMATCH         updates or output of another dtype than the table
 *     UNSUPPORTED_DTYPE      strings, packed elements, an unknown dtype, indices that are not integers
 *     UNSUPPORTED_REDUCTION  reductions that strew_reduction_supports denies
 *     INDEX_OUT_OF_BOUNDS    an index outside its dimension, under the default policy
 *     OUT_OF_MEMORY          the allocator of a rank returned NULL
 *     RANKS_DIFFER           another call, table shape, dtype, block, k, reduction, flags, bounds or plan on
 *                            another rank
 *
 * and returns MPI_FAILED if MPI fails. `options` may be NULL.
 * @{
 */

/**
 * Each rank gathers rows of the whole table.
 *
 *     indices  [n][k], 1 <= k <= table->rank, any integer dtype; as strew_gather_nd takes them
 *     output   [n] + table->shape[k:], of the table's dtype; apart from the table
 *
 * For each i < n:
 *
 *     output[i, ...] = table[indices[i, 0], ..., indices[i, k-1], ...]
 *
 * k of 1 is strew_gather along axis 0.
 */
STREW_MPI_API strew_status strew_mpi_gather(strew_mpi_context *context, const strew_mpi_table *table,
                                            const strew_tensor *indices, const strew_tensor *output,
                                            const strew_mpi_options *options);

/**
 * Each rank scatters updates into the whole table, in place.
 *
 *     indices    [n][k], 1 <= k <= table->rank, any integer dtype; as strew_scatter_nd takes them
 *     updates    [n] + table->shape[k:], of the table's dtype
 *     reduction  none, sum, sub, prod, min, max, or mean, which divides once, by the number of updates of all ranks
 *                and one for the table's own value (without it with STREW_MPI_FLAG_IGNORE_INIT_VAL)
 *
 * For rank 0, then rank 1 and so on, for each i < n of that rank in order:
 *
 *     table[indices[i, 0], ..., indices[i, k-1], ...] (reduction)= updates[i, ...]
 *
 * The local work goes row by row, and may use scratch like strew_scatter_nd. A mean goes element by element, needs
 * scratch like strew_scatter_elements, and takes many times as long as a sum.
 */
STREW_MPI_API strew_status strew_mpi_scatter(strew_mpi_context *context, const strew_mpi_table *table,
                                             const strew_tensor *indices, const strew_tensor *updates,
                                             strew_reduction reduction, const strew_mpi_options *options);

/** @} */

/**
 * @defgroup strew_mpi_plans Plans
 * A plan is for a list of indices that you use again, such as the edges of a graph, or rows forward and backward.
 * The list is checked, ordered and sent once.
 * @{
 */

/** A list of indices of each rank, checked, ordered and sent. */
typedef struct strew_mpi_plan strew_mpi_plan;

/**
 * Collective. The plan keeps no pointer of the caller's, and serves all tables of the same shape and block, of any
 * dtype. It holds about 4 bytes for each index of this rank and 4 for each that it receives: 8 if a rank has more
 * than 2^31 indices or rows, and twice as much with STREW_MPI_FLAG_DISTINCT.
 *
 *     table    its shape and block; `rows` and `dtype` are ignored
 *     indices  as for strew_mpi_gather
 *     plan     the pointer to write the plan to; NULL on refusal
 *     options  flags: STREW_FLAG_REFUSE_NEGATIVE_INDICES, STREW_MPI_FLAG_DISTINCT; bounds, which the plan keeps
 */
STREW_MPI_API strew_status strew_mpi_plan_create(strew_mpi_context *context, const strew_mpi_table *table,
                                                 const strew_tensor *indices, strew_mpi_plan **plan,
                                                 const strew_mpi_options *options);

/** Collective: strew_mpi_gather with the plan's indices. It takes `fill`, and no flags. */
STREW_MPI_API strew_status strew_mpi_plan_gather(strew_mpi_plan *plan, const strew_mpi_table *table,
                                                 const strew_tensor *output, const strew_mpi_options *options);

/** Collective: strew_mpi_scatter with the plan's indices. Its only flag is STREW_MPI_FLAG_IGNORE_INIT_VAL. */
STREW_MPI_API strew_status strew_mpi_plan_scatter(strew_mpi_plan *plan, const strew_mpi_table *table,
                                                  const strew_tensor *updates, strew_reduction reduction,
                                                  const strew_mpi_options *options);

/** Local: frees the plan. Call it before you destroy the context. Does nothing for NULL. */
STREW_MPI_API void strew_mpi_plan_destroy(strew_mpi_plan *plan);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
