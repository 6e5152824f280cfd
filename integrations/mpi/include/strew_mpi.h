/**
 * @file
 * strew on many machines: a table whose rows are dealt to the ranks of an MPI communicator, gathered from and
 * scattered to by any rank, with the bits that strew gives on one machine.
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
 *     is left with the bits that strew_scatter_nd leaves when it is given the lists one after another, on any
 *     number of ranks and for any way of dealing the rows (which payload and sign a NaN has that was computed is
 *     not promised). Float sums, subs, prods and means are therefore never combined before they travel.
 *   - A collective call is made by every rank of the context, in the same order. It returns the same status on
 *     every rank. One that is refused, by whichever rank and for whatever reason, has written no table and no
 *     output, and says the same on every rank: the first rank at fault, and what was wrong there. So a wrong index
 *     is the first one in the global order. A call whose arguments differ from rank to rank where they must not is
 *     refused as well.
 *   - What a rank cannot be saved from is a context or a plan that is NULL or destroyed (INVALID_ARGUMENT at once
 *     on this rank alone, without an error filled in), a call that other ranks do not make or make of another
 *     context, and a failure of MPI itself (STREW_MPI_STATUS_MPI_FAILED, which ranks may see differently or wait
 *     for, and after which a table that was scattered to may hold some of the updates). A rank that dies takes the
 *     job with it, as its launcher sees to.
 *   - MPI 3.1 suffices. MPI is called by the calling thread alone, so that MPI_THREAD_FUNNELED does; one context
 *     serves one call at a time. All ranks have the same byte order and the same version of this library.
 *   - Tensors are strew's: any strides, any alignment, any integer dtype for indices, which may differ from rank to
 *     rank. Elements are all of strew's but packed ones, and strings, which are pointers.
 */
#ifndef STREW_MPI_H
#define STREW_MPI_H

#include <mpi.h>
#include <strew/strew.h>

/*
 * STREW_MPI_SHARED is defined where the library is the shared one, which exports this API. The static one exports
 * nothing: what it is linked into does not export it either.
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

/** "invalid_argument" and so on, "ranks_differ", "mpi_failed"; "unknown" for a value that is none. */
STREW_MPI_API const char *strew_mpi_status_name(strew_status status);

/** Why a call was refused. It is the same on every rank; strew_mpi_error_message turns it into a sentence. */
typedef struct strew_mpi_error {
    strew_status status; /**< what the call returned */
    int32_t reason;      /**< which sentence strew_mpi_error_message writes; its values may change */
    int32_t rank;        /**< the first rank at fault; -1 if it is none of them */
    int32_t other_rank;  /**< the rank whose arguments `rank` differs from; otherwise -1 */
    int32_t what;        /**< which argument or call it is about; its values may change */
    int32_t reserved;    /**< 0 */
    int64_t value;       /**< what was found at `rank` */
    int64_t other_value; /**< what was found at `other_rank`, or would have been right */
    strew_error local;   /**< what strew says of the arguments of `rank`: of an index its position in the list of
                              that rank, its value and its bounds; zero if strew says nothing */
} strew_mpi_error;

/**
 * Says an error in one line, which ends without a newline:
 *
 *     rank 2: indices[3][0] is 7, outside [-4, 3] for dimension 0 of data
 *
 * In what strew says of shapes, dtypes and indices `data` is the table.
 *
 * As strew_error_message: it is written into buffer[size], cut to fit and always terminated if size > 0. Returns
 * the length of the whole line. `buffer` may be NULL if size is 0; NULL for an error is "no error".
 */
STREW_MPI_API size_t strew_mpi_error_message(const strew_mpi_error *error, char *buffer, size_t size);

/** @} */

/**
 * @defgroup strew_mpi_contexts Contexts
 * A communicator of the library's own, on which its messages meet nobody else's, and the memory of its calls.
 * @{
 */

/** Where memory comes from. */
typedef struct strew_mpi_allocator {
    void *(*allocate)(void *state,
                      size_t size); /**< `size` > 0 bytes, aligned as malloc's; NULL if there are none */
    void (*release)(void *state, void *memory); /**< gives back what `allocate` returned; never NULL */
    void *state;                                /**< what both are given */
} strew_mpi_allocator;

/** The context of a communicator. */
typedef struct strew_mpi_context strew_mpi_context;

/**
 * Collective over `comm`, of which it makes a duplicate, with MPI_ERRORS_RETURN.
 *
 *     comm       an intracommunicator of any size: MPI_COMM_WORLD, MPI_COMM_SELF, one that was split off
 *     allocator  where the memory of its calls and plans comes from; NULL is malloc. The struct is copied; it may
 *                differ from rank to rank. MPI's own memory is MPI's
 *     context    where the context is written; NULL on refusal
 *     error      filled in if the call is refused; may be NULL
 *
 * Refuses INVALID_ARGUMENT: MPI that is not initialised or is finalised, MPI_COMM_NULL, an intercommunicator;
 * `context` that is NULL, or an allocator with a function that is, on any rank; OUT_OF_MEMORY on any rank.
 */
STREW_MPI_API strew_status strew_mpi_context_create(MPI_Comm comm, const strew_mpi_allocator *allocator,
                                                    strew_mpi_context **context, strew_mpi_error *error);

/**
 * Collective, before MPI_Finalize: frees the communicator and the memory. Plans of the context are destroyed before
 * it. After MPI_Finalize it frees the memory alone. NULL is nothing.
 */
STREW_MPI_API void strew_mpi_context_destroy(strew_mpi_context *context);

/** How many ranks the context has. */
STREW_MPI_API int strew_mpi_context_size(const strew_mpi_context *context);
/** Which of them this one is. */
STREW_MPI_API int strew_mpi_context_rank(const strew_mpi_context *context);

/**
 * Local: gives back the memory that calls keep for the next one, which is as much as the largest of them needed:
 * about 20 bytes for each index of the rank (60 with STREW_MPI_FLAG_DISTINCT), 4 for each that it receives,
 * each row that it sends or receives once more, and strew's scratch.
 */
STREW_MPI_API void strew_mpi_context_trim(strew_mpi_context *context);

/** @} */

/**
 * @defgroup strew_mpi_tables Tables
 * How rows are dealt to ranks: in blocks of equal size, the first to rank 0, the next to rank 1, and after the last
 * rank to rank 0 again. Blocks of one row are the cyclic distribution; blocks of ceil(rows / ranks) give each rank
 * one of them, and the last ranks perhaps fewer rows, or none.
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

/** ceil(rows / ranks), and at least 1: the block with which each rank has at most one. */
STREW_MPI_API int64_t strew_mpi_block(int64_t rows, int ranks);

/** How many rows `rank` of `ranks` holds of a table of that many rows, dealt in these blocks (0: one each). */
STREW_MPI_API int64_t strew_mpi_local_rows(int64_t rows, int64_t block, int ranks, int rank);

/** The row index of the whole table that row `local` of `rank` has. */
STREW_MPI_API int64_t strew_mpi_global_row(int64_t rows, int64_t block, int ranks, int rank, int64_t local);

/** Where a row, 0 <= row < rows, lies: the rank that holds it, and which of its rows it is there. */
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
     * strew_scatter_elements with use_init_val false. Of a scatter; without effect when assigning.
     */
    STREW_MPI_FLAG_IGNORE_INIT_VAL = 1u << 16,
    /**
     * A row that one rank's list names several times travels once: a gather fetches it once, and a scatter combines
     * its updates before they travel where that changes no bit: assigning, min, max, and any reduction of integers
     * and bool but mean; the others travel one by one as without the flag. It pays where rows repeat: finding
     * that out takes longer than routing the list does without it. Of a plan and of the calls without one.
     */
    STREW_MPI_FLAG_DISTINCT = 1u << 17
};

/** Seconds that calls took on this rank, part by part; each call adds its own. A part contains waiting for others.
 */
typedef struct strew_mpi_times {
    double route;   /**< checking indices, and ordering them by the rank that holds the row */
    double agree;   /**< agreeing on arguments, errors and counts */
    double indices; /**< the exchange of indices */
    double pack;    /**< bringing rows into the order in which they travel */
    double rows;    /**< the exchange of rows */
    double apply;   /**< what is done with rows that arrived: reducing them, or ordering an output */
} strew_mpi_times;

/** What a call may be told besides its operands. NULL stands for all defaults; begin with STREW_MPI_OPTIONS_INIT.
 */
typedef struct strew_mpi_options {
    size_t struct_size;             /**< sizeof(strew_mpi_options) */
    strew_isa isa;                  /**< the kernels to use; may differ from rank to rank */
    uint32_t flags;                 /**< STREW_FLAG_REFUSE_NEGATIVE_INDICES, STREW_MPI_FLAG_*; as on all ranks */
    const strew_parallel *parallel; /**< the threads for this rank's own work; NULL is the calling one alone */
    strew_mpi_error *error;         /**< filled in if the call is refused; NULL if nobody asks */
    strew_mpi_times *times;         /**< added to; NULL if nobody asks */
    /**
     * What becomes of an index out of bounds, as on all ranks: STREW_BOUNDS_REFUSE, the default, SKIP, CLAMP or
     * WRAP, which mean what they do in strew.h, coordinate by coordinate. A skipped index does not travel: a
     * scatter drops its update, a gather writes `fill`. Of a plan and of the calls without one. STREW_BOUNDS_STOP
     * is refused: ranks agree that all indices are right before any row travels.
     */
    strew_bounds bounds;
    int32_t reserved; /**< 0 */
    /** One element of the table's dtype, that a gather writes where it skips; NULL is zero. Of this rank alone. */
    const void *fill;
} strew_mpi_options;

/* clang-format off */
/** All defaults of strew_mpi_options: an initialiser. */
#define STREW_MPI_OPTIONS_INIT {sizeof(strew_mpi_options), STREW_ISA_BEST, 0, NULL, NULL, NULL, STREW_BOUNDS_REFUSE, 0, NULL}
/* clang-format on */

/** @} */

/**
 * @defgroup strew_mpi_calls Gather and scatter
 * In what follows n is the number of indices that this rank brings, which differs from rank to rank and may be 0;
 * k is the number of coordinates of each, the same on all ranks, and `table` all that the ranks hold together.
 * Each call refuses, on all ranks alike
 *
 *     INVALID_ARGUMENT       NULL, k of 0, a block below 0, options of another size, unknown flags, a policy that
 *                            the call does not take, threads without a function or a number, an output that
 *                            overlaps the table
 *     SHAPE_MISMATCH         shapes other than those below; a table of no dimensions, or of too many
 *     DTYPE_MISMATCH         updates or output of another dtype than the table
 *     UNSUPPORTED_DTYPE      strings, packed elements, a dtype that is none, indices that are not integers
 *     UNSUPPORTED_REDUCTION  what strew_reduction_supports denies
 *     INDEX_OUT_OF_BOUNDS    an index outside its dimension, where options->bounds does not say otherwise
 *     OUT_OF_MEMORY          the allocator of a rank has returned NULL
 *     RANKS_DIFFER           another call, table shape, dtype, block, k, reduction, flags, bounds or plan on
 * another rank
 *
 * and returns MPI_FAILED if MPI does. `options` may be NULL.
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
 * The local work goes row by row, and may take scratch as strew_scatter_nd does; that of a mean goes element by
 * element, takes scratch as strew_scatter_elements does, and many times as long as a sum.
 */
STREW_MPI_API strew_status strew_mpi_scatter(strew_mpi_context *context, const strew_mpi_table *table,
                                             const strew_tensor *indices, const strew_tensor *updates,
                                             strew_reduction reduction, const strew_mpi_options *options);

/** @} */

/**
 * @defgroup strew_mpi_plans Plans
 * A list of indices that is used again and again, as the edges of a graph, or forward and backward: it is checked,
 * ordered and sent once.
 * @{
 */

/** A list of indices of each rank, settled. */
typedef struct strew_mpi_plan strew_mpi_plan;

/**
 * Collective. The plan keeps nothing of the caller's, holds about 4 bytes for each index of this rank and 4 for
 * each that it receives (8 where there are more than 2^31 of them, or of rows on a rank; twice as much with
 * STREW_MPI_FLAG_DISTINCT), and serves all tables of the same shape and block, whatever their dtype.
 *
 *     table    its shape and block; `rows` and `dtype` are not looked at
 *     indices  as for strew_mpi_gather
 *     plan     where the plan is written; NULL on refusal
 *     options  flags: STREW_FLAG_REFUSE_NEGATIVE_INDICES, STREW_MPI_FLAG_DISTINCT; bounds, which the plan keeps
 */
STREW_MPI_API strew_status strew_mpi_plan_create(strew_mpi_context *context, const strew_mpi_table *table,
                                                 const strew_tensor *indices, strew_mpi_plan **plan,
                                                 const strew_mpi_options *options);

/** Collective: strew_mpi_gather by the plan's indices. Of the flags it takes none; it takes `fill`. */
STREW_MPI_API strew_status strew_mpi_plan_gather(strew_mpi_plan *plan, const strew_mpi_table *table,
                                                 const strew_tensor *output, const strew_mpi_options *options);

/** Collective: strew_mpi_scatter by the plan's indices. Of the flags it takes STREW_MPI_FLAG_IGNORE_INIT_VAL. */
STREW_MPI_API strew_status strew_mpi_plan_scatter(strew_mpi_plan *plan, const strew_mpi_table *table,
                                                  const strew_tensor *updates, strew_reduction reduction,
                                                  const strew_mpi_options *options);

/** Local: frees the plan, before its context is destroyed. NULL is nothing. */
STREW_MPI_API void strew_mpi_plan_destroy(strew_mpi_plan *plan);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
