/*
 * Shared by all files of strew_mpi. A collective call goes in steps. After an error on this rank, further steps do
 * nothing; the ranks then agree (agree.c) before anything is written:
 *
 *     check      this rank's arguments                                                          check.c
 *     make       its indices, ordered by the rank that holds each row                           plan.c, route.c
 *     agree      an error of any rank, or arguments that differ, end the call on all            agree.c
 *     announce   how many indices go where, and the memory for those that come                  plan.c
 *     prepare    the memory for rows, and strew's plan for their reduction                      local.c
 *     agree      a rank without memory ends the call on all
 *     exchange   indices, and rows                                                              exchange.c
 */
#ifndef STREW_MPI_INTERNAL_H
#define STREW_MPI_INTERNAL_H

#include "strew_mpi.h"

#include <stddef.h>

/** Memory of the context's allocator that is kept from call to call, and grows. */
struct strew_mpi_buffer {
    void *memory;
    size_t size;
};

/** Indices of 32 or 64 bits. */
struct strew_mpi_list {
    struct strew_mpi_buffer buffer;
    int64_t count;
    bool is_wide; /* 64 bits */
};

/** Rows from this rank to each other one, or back: `counts` of them at `starts`. */
struct strew_mpi_traffic {
    int64_t *counts, *starts; /* [ranks], within the buffer of the route */
    int64_t total;
};

/** One way of sending the list of a rank. */
struct strew_mpi_route {
    struct strew_mpi_list place; /* [n]: which of the rows that travel belongs to an index; -1 if it is skipped */
    struct strew_mpi_list sent;  /* [out.total]: rows that travel, as rows of those who hold them */
    struct strew_mpi_list received; /* [in.total]: rows of this rank that others name, rank by rank */
    struct strew_mpi_buffer counts;
    struct strew_mpi_traffic out, in;
};

/** The list in full, or each row of it once. */
enum strew_mpi_route_kind { ROUTE_FULL, ROUTE_DISTINCT, ROUTE_KINDS };

/** The shape of a table, how it is dealt, and the lists of indices into it. */
struct strew_mpi_plan {
    strew_mpi_context *context;
    int64_t serial; /* which plan of the context it is: 0 is the one of calls without a plan */
    int64_t shape[STREW_MAX_RANK], block;
    int64_t count;       /* n: indices of this rank */
    int64_t inner;       /* table rows of k coordinates within one of a single coordinate: prod(shape[1:k]) */
    int64_t slices;      /* how many of those this rank holds */
    int32_t rank, width; /* of the table; k */
    strew_bounds bounds; /* the policy for indices out of bounds */
    bool has_route[ROUTE_KINDS];
    struct strew_mpi_route routes[ROUTE_KINDS];
};

enum strew_mpi_buffer_kind {
    BUFFER_OWNERS,   /* who holds the row of each index, while they are routed */
    BUFFER_SLICES,   /* the place of the row on its rank */
    BUFFER_FOUND,    /* the table of rows seen before, of a distinct route */
    BUFFER_NUMBERS,  /* the number that each index has among the distinct ones */
    BUFFER_OUTGOING, /* rows as they are sent */
    BUFFER_INCOMING, /* rows as they are received */
    BUFFER_SCRATCH,  /* strew's */
    BUFFER_KINDS
};

struct strew_mpi_context {
    MPI_Comm comm;
    int rank, size;
    int64_t limit;         /* the most bytes that MPI is given as ints; tests lower it */
    bool has_large_counts; /* MPI has other counts for more; tests say no */
    int64_t serials;       /* plans made so far */
    strew_mpi_allocator allocator;
    struct strew_mpi_buffer buffers[BUFFER_KINDS], integers;
    struct strew_mpi_plan once; /* for calls without a plan */
};

/** The fields that must be equal on all ranks: each is compared, and named if it differs. */
enum strew_mpi_field {
    FIELD_CALL,
    FIELD_PLAN,
    FIELD_DTYPE,
    FIELD_RANK,
    FIELD_BLOCK,
    FIELD_WIDTH,
    FIELD_REDUCTION,
    FIELD_FLAGS,
    FIELD_BOUNDS,
    FIELD_SHAPE,
    FIELD_COUNT = FIELD_SHAPE + STREW_MAX_RANK
};

/** The flags that the calls take. */
enum {
    FLAGS_OF_INDICES = STREW_FLAG_REFUSE_NEGATIVE_INDICES | STREW_MPI_FLAG_DISTINCT,
    FLAGS_OF_SCATTER = STREW_MPI_FLAG_IGNORE_INIT_VAL
};

/** The calls that ranks may make. */
enum strew_mpi_kind { KIND_CONTEXT, KIND_GATHER, KIND_SCATTER, KIND_PLAN, KIND_PLAN_GATHER, KIND_PLAN_SCATTER };

/** The sentence that strew_mpi_error_message writes. */
enum strew_mpi_reason {
    REASON_NONE,
    REASON_LOCAL, /* strew's, of `local` */
    REASON_DIFFERS,
    REASON_MEMORY,
    REASON_MPI,
    REASON_NOT_RUNNING,
    REASON_NO_COMMUNICATOR,
    REASON_INTERCOMMUNICATOR,
    REASON_NULL,
    REASON_NULL_DATA,
    REASON_STRINGS,
    REASON_PACKED,
    REASON_TABLE_RANK,
    REASON_INDICES_RANK,
    REASON_NO_COORDINATES,
    REASON_BLOCK,
    REASON_REDUCTION,
    REASON_OPTIONS,
    REASON_FLAGS,
    REASON_BOUNDS,
    REASON_PARALLEL,
    REASON_OVERLAP,
    REASON_PLAN_SHAPE
};

/** The argument of REASON_NULL and REASON_NULL_DATA. */
enum strew_mpi_argument {
    ARGUMENT_CONTEXT,
    ARGUMENT_ALLOCATOR,
    ARGUMENT_TABLE,
    ARGUMENT_SHAPE,
    ARGUMENT_ROWS,
    ARGUMENT_INDICES,
    ARGUMENT_UPDATES,
    ARGUMENT_OUTPUT,
    ARGUMENT_PLAN,
    ARGUMENT_COUNT
};

/** One collective call, as this rank makes it. */
struct strew_mpi_call {
    strew_mpi_context *context;
    strew_mpi_options options; /* with all defaults */
    strew_mpi_error failure;   /* status OK until this rank finds an error */
    int64_t fields[FIELD_COUNT];
    int64_t largest; /* the most bytes sent or received at once: by this rank, and once agreed by any */
    strew_mpi_times times;
    double lap; /* when the part of the call began that is being timed */
};

/** The rows of a call: its arguments, and the values derived from them after the checks. */
struct strew_mpi_rows {
    const strew_mpi_table *table;
    const strew_tensor *operand; /* updates, or the output */
    bool is_scatter;
    strew_reduction reduction; /* for a scatter */
    bool ignores_init_val;
    const struct strew_mpi_plan *plan;
    enum strew_mpi_route_kind kind;
    const struct strew_mpi_route *route; /* the route of this kind */
    int64_t elements;                    /* in a row */
    size_t bytes;                        /* in a row */
    strew_plan apply;                    /* the reduction of rows that arrived */
};

/* error.c: records the error of this rank, unless it has one already. Return false. */
bool strew_mpi_refuse(struct strew_mpi_call *call, strew_status status, enum strew_mpi_reason reason, int what,
                      int64_t value, int64_t other_value);
bool strew_mpi_refuse_null(struct strew_mpi_call *call, enum strew_mpi_reason reason, enum strew_mpi_argument what);
bool strew_mpi_refuse_local(struct strew_mpi_call *call, const strew_error *error);
/* Whether a call of MPI has succeeded; refuses if it has not. */
bool strew_mpi_succeeded(struct strew_mpi_call *call, int code);

/* distribution.c: the effective block, none larger than the table: it gives the same rows to the same ranks. */
int64_t strew_mpi_clamp_block(int64_t rows, int64_t block, int ranks);

/* call.c: the beginning and the end of every call, and its memory. */
void strew_mpi_begin(struct strew_mpi_call *call, strew_mpi_context *context, enum strew_mpi_kind kind,
                     const strew_mpi_options *options, uint32_t flags);
strew_status strew_mpi_end(struct strew_mpi_call *call);
/* Adds the time since the last lap to a part of call->times, if the caller wants times. */
void strew_mpi_lap(struct strew_mpi_call *call, double *part);
/* Reserves so many bytes; or `count` of `unit` bytes, with a refusal if memory is short. */
bool strew_mpi_try_reserve(strew_mpi_context *context, struct strew_mpi_buffer *buffer, size_t least);
bool strew_mpi_reserve(struct strew_mpi_call *call, struct strew_mpi_buffer *buffer, int64_t count, size_t unit);
void strew_mpi_release(strew_mpi_context *context, struct strew_mpi_buffer *buffer);

/* check.c: refuse a bad table; a bad operand of a call by indices, of any values; indices, [n][k] with k >= 1,
 * whose shape strew has accepted; the table and indices of a plan; the operand of a planned call; the memory of
 * rows that are bound to a plan. */
bool strew_mpi_check_table(struct strew_mpi_call *call, const strew_mpi_table *table);
bool strew_mpi_check_rows(struct strew_mpi_call *call, const struct strew_mpi_rows *rows,
                          const strew_tensor *indices);
bool strew_mpi_check_indices(struct strew_mpi_call *call, const strew_tensor *indices);
bool strew_mpi_check_list(struct strew_mpi_call *call, const strew_mpi_table *table, const strew_tensor *indices);
bool strew_mpi_check_planned(struct strew_mpi_call *call, const struct strew_mpi_plan *plan,
                             const struct strew_mpi_rows *rows);
bool strew_mpi_check_memory(struct strew_mpi_call *call, const struct strew_mpi_rows *rows);

/* plan.c */
/* Takes a plan's shape from checked arguments and sorts its indices, and records the plan in the call. */
bool strew_mpi_make_plan(struct strew_mpi_call *call, struct strew_mpi_plan *plan, const strew_mpi_table *table,
                         const strew_tensor *indices);
void strew_mpi_tell_plan(struct strew_mpi_call *call, const struct strew_mpi_plan *plan);
/* Collective: counts, and memory for indices to come. False only if MPI fails: the ranks then agree on memory. */
bool strew_mpi_announce(struct strew_mpi_call *call, struct strew_mpi_plan *plan);
bool strew_mpi_send_indices(struct strew_mpi_call *call, struct strew_mpi_plan *plan);
void strew_mpi_release_plan(struct strew_mpi_plan *plan);

/* agree.c */
bool strew_mpi_agree(struct strew_mpi_call *call);

/* route.c: checks the indices of a plan whose shape is known, and orders them for the routes that it has. */
bool strew_mpi_route(struct strew_mpi_call *call, struct strew_mpi_plan *plan, const strew_tensor *indices,
                     bool refuses_negative);

/* exchange.c */
bool strew_mpi_exchange_counts(struct strew_mpi_call *call, struct strew_mpi_route *route);
bool strew_mpi_exchange(struct strew_mpi_call *call, const void *sent, const struct strew_mpi_traffic *out,
                        void *received, const struct strew_mpi_traffic *in, size_t unit);

/* identity.c: one element; for a reduction that strew has for the dtype, except none and mean. */
const void *strew_mpi_identity(strew_reduction reduction, strew_dtype dtype);

/* local.c: strew's part. */
bool strew_mpi_prepare(struct strew_mpi_call *call, struct strew_mpi_rows *rows);
bool strew_mpi_gather_rows(struct strew_mpi_call *call, const struct strew_mpi_rows *rows);
bool strew_mpi_scatter_rows(struct strew_mpi_call *call, const struct strew_mpi_rows *rows);
/* Whether a row may travel once: it changes no bit. */
bool strew_mpi_may_be_distinct(const struct strew_mpi_rows *rows);

/* prod(shape[begin:end]) */
static inline int64_t strew_mpi_product(const int64_t *shape, int32_t begin, int32_t end)
{
    int64_t count = 1;
    for (int32_t axis = begin; axis < end; axis++)
        count *= shape[axis];
    return count;
}

/* Bytes from one position along an axis to the next; 0 if there is no next one, since strew then allows any
 * stride. */
static inline ptrdiff_t strew_mpi_step(const strew_tensor *tensor, int32_t axis, ptrdiff_t contiguous)
{
    if (tensor->shape[axis] <= 1)
        return 0;
    return tensor->strides ? (ptrdiff_t)tensor->strides[axis] * (ptrdiff_t)strew_dtype_size(tensor->dtype)
                           : contiguous;
}

static inline int64_t strew_mpi_larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static inline size_t strew_mpi_index_size(const struct strew_mpi_list *list)
{
    return list->is_wide ? sizeof(int64_t) : sizeof(int32_t);
}

static inline void strew_mpi_put(struct strew_mpi_list *list, int64_t at, int64_t index)
{
    if (list->is_wide)
        ((int64_t *)list->buffer.memory)[at] = index;
    else
        ((int32_t *)list->buffer.memory)[at] = (int32_t)index;
}

static inline int64_t strew_mpi_get(const struct strew_mpi_list *list, int64_t at)
{
    return list->is_wide ? ((const int64_t *)list->buffer.memory)[at] : ((const int32_t *)list->buffer.memory)[at];
}

#endif
