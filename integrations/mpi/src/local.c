/* strew's work on this rank: packs rows in the order in which they travel, unpacks them, and reduces them. */
#include "internal.h"

#include <string.h>

/* ---- Tensors ------------------------------------------------------------------------------------- */

/* A tensor with room for its shape. */
struct shaped {
    strew_tensor tensor;
    int64_t shape[STREW_MAX_RANK], strides[STREW_MAX_RANK];
};

/* Indices of one coordinate, [count][1]. */
static void shape_list(struct shaped *to, const struct strew_mpi_list *list, int64_t count)
{
    to->tensor = (strew_tensor){list->buffer.memory, list->is_wide ? STREW_DTYPE_INT64 : STREW_DTYPE_INT32, 2,
                                to->shape, NULL};
    to->shape[0] = count;
    to->shape[1] = 1;
}

/* One index for each whole row: the shape of `like`, with a stride only along its first dimension. */
static void shape_repeated(struct shaped *to, const struct strew_mpi_list *list, const strew_tensor *like)
{
    shape_list(to, list, like->shape[0]);
    to->tensor.rank = like->rank;
    to->tensor.strides = to->strides;
    for (int32_t axis = 0; axis < like->rank; axis++) {
        to->shape[axis] = like->shape[axis];
        to->strides[axis] = axis == 0;
    }
}

/* Rows as they travel or lie in the table, [count][elements]. */
static void shape_rows(struct shaped *to, void *memory, int64_t count, const struct strew_mpi_rows *rows)
{
    to->tensor = (strew_tensor){memory, rows->table->dtype, 2, to->shape, NULL};
    to->shape[0] = count;
    to->shape[1] = rows->elements;
}

/* `count` rows of the shape of the operand's rows. */
static void shape_like(struct shaped *to, void *memory, int64_t count, const struct strew_mpi_rows *rows)
{
    to->tensor = (strew_tensor){memory, rows->table->dtype, rows->operand->rank, to->shape, NULL};
    for (int32_t axis = 0; axis < rows->operand->rank; axis++)
        to->shape[axis] = axis == 0 ? count : rows->operand->shape[axis];
}

static strew_options local_options(const struct strew_mpi_call *call, strew_error *error)
{
    strew_options options = STREW_OPTIONS_INIT;
    options.isa = call->options.isa;
    options.parallel = call->options.parallel;
    options.error = error;
    return options;
}

/* Options for calls by the places of a rank's own indices; the place of a skipped index is -1. */
static strew_options options_by_place(const struct strew_mpi_call *call, const struct strew_mpi_rows *rows,
                                      strew_error *error)
{
    strew_options options = local_options(call, error);
    if (rows->plan->bounds == STREW_BOUNDS_SKIP) {
        options.flags = STREW_FLAG_REFUSE_NEGATIVE_INDICES;
        options.bounds = STREW_BOUNDS_SKIP;
        options.fill = call->options.fill;
    }
    return options;
}

/* ---- Before anything is written ------------------------------------------------------------------ */

static size_t threads_of(const struct strew_mpi_call *call)
{
    return call->options.parallel ? call->options.parallel->threads : 1;
}

/* The reduction of rows that arrive; a mean, which strew_scatter_nd does not have, is one of their elements. */
static bool plan_apply(struct strew_mpi_call *call, struct strew_mpi_rows *rows)
{
    const struct strew_mpi_route *route = rows->route;
    strew_error error = {0};
    strew_plan_options options = STREW_PLAN_OPTIONS_INIT;
    options.isa = call->options.isa;
    options.threads = threads_of(call);
    options.error = &error;
    struct shaped table, updates, indices;
    shape_rows(&table, rows->table->rows, rows->plan->slices, rows);
    shape_rows(&updates, NULL, route->in.total, rows);
    strew_status status;
    if (rows->reduction == STREW_REDUCTION_MEAN) {
        shape_repeated(&indices, &route->received, &updates.tensor);
        status = strew_plan_scatter_elements(&rows->apply, &table.tensor, &indices.tensor, &updates.tensor, 0,
                                             rows->reduction, !rows->ignores_init_val, &table.tensor, &options);
    } else {
        shape_list(&indices, &route->received, route->in.total);
        status = strew_plan_scatter_nd(&rows->apply, &table.tensor, &indices.tensor, &updates.tensor,
                                       rows->reduction, &table.tensor, &options);
    }
    return status == STREW_STATUS_OK || strew_mpi_refuse_local(call, &error);
}

/* Whether rows start from the identity before they are reduced; a mean sees to it itself. */
static bool starts_anew(const struct strew_mpi_rows *rows)
{
    return rows->ignores_init_val && rows->reduction != STREW_REDUCTION_NONE &&
           rows->reduction != STREW_REDUCTION_MEAN;
}

/* Reserves as much scratch as is useful, or the least if memory is short. */
static bool reserve_scratch(struct strew_mpi_call *call, const strew_plan *plan)
{
    const size_t threads = threads_of(call);
    struct strew_mpi_buffer *scratch = &call->context->buffers[BUFFER_SCRATCH];
    return strew_mpi_try_reserve(call->context, scratch, strew_plan_scratch_size(plan, threads)) ||
           strew_mpi_reserve(call, scratch, (int64_t)strew_plan_least_scratch_size(plan, threads), 1);
}

bool strew_mpi_prepare(struct strew_mpi_call *call, struct strew_mpi_rows *rows)
{
    struct strew_mpi_buffer *buffers = call->context->buffers;
    const struct strew_mpi_route *route = rows->route;
    const int64_t outgoing = rows->is_scatter ? route->out.total : route->in.total;
    const int64_t incoming = rows->is_scatter ? route->in.total : route->out.total;
    const int64_t least = starts_anew(rows) ? 1 : 0; /* the row from which rows start, after the exchange */
    if (!strew_mpi_reserve(call, &buffers[BUFFER_OUTGOING], strew_mpi_larger(outgoing, least), rows->bytes) ||
        !strew_mpi_reserve(call, &buffers[BUFFER_INCOMING], incoming, rows->bytes))
        return false;
    call->largest = strew_mpi_larger(call->largest, strew_mpi_larger(outgoing, incoming) * (int64_t)rows->bytes);
    return !rows->is_scatter || (plan_apply(call, rows) && reserve_scratch(call, &rows->apply));
}

/* ---- Gather -------------------------------------------------------------------------------------- */

/* output[i] = rows[list[i]]; `options` fill in options->error. */
static bool pick(struct strew_mpi_call *call, const strew_tensor *rows, const struct strew_mpi_list *list,
                 const strew_tensor *output, const strew_options *options)
{
    struct shaped indices;
    shape_list(&indices, list, output->shape[0]);
    return strew_gather_nd(rows, &indices.tensor, 0, output, options) == STREW_STATUS_OK ||
           strew_mpi_refuse_local(call, options->error);
}

bool strew_mpi_gather_rows(struct strew_mpi_call *call, const struct strew_mpi_rows *rows)
{
    const struct strew_mpi_route *route = rows->route;
    void *outgoing = call->context->buffers[BUFFER_OUTGOING].memory;
    void *incoming = call->context->buffers[BUFFER_INCOMING].memory;
    struct shaped table, sent, received;
    strew_error error = {0};
    const strew_options options = local_options(call, &error), by_place = options_by_place(call, rows, &error);
    shape_rows(&table, rows->table->rows, rows->plan->slices, rows);
    shape_rows(&sent, outgoing, route->in.total, rows);
    if (!pick(call, &table.tensor, &route->received, &sent.tensor, &options))
        return false;
    strew_mpi_lap(call, &call->times.pack);
    if (!strew_mpi_exchange(call, outgoing, &route->in, incoming, &route->out, rows->bytes))
        return false;
    strew_mpi_lap(call, &call->times.rows);
    shape_like(&received, incoming, route->out.total, rows);
    const bool is_done = pick(call, &received.tensor, &route->place, rows->operand, &by_place);
    strew_mpi_lap(call, &call->times.apply);
    return is_done;
}

/* ---- Scatter ------------------------------------------------------------------------------------- */

static bool wraps(strew_dtype dtype)
{
    switch (dtype) {
    case STREW_DTYPE_BOOL:
    case STREW_DTYPE_INT8:
    case STREW_DTYPE_INT16:
    case STREW_DTYPE_INT32:
    case STREW_DTYPE_INT64:
    case STREW_DTYPE_UINT8:
    case STREW_DTYPE_UINT16:
    case STREW_DTYPE_UINT32:
    case STREW_DTYPE_UINT64: return true;
    default: return false;
    }
}

bool strew_mpi_may_be_distinct(const struct strew_mpi_rows *rows)
{
    if (!rows->is_scatter)
        return true;
    switch (rows->reduction) {
    case STREW_REDUCTION_NONE:
    case STREW_REDUCTION_MIN:
    case STREW_REDUCTION_MAX: return true;
    case STREW_REDUCTION_SUM:
    case STREW_REDUCTION_SUB:
    case STREW_REDUCTION_PROD: return wraps(rows->table->dtype);
    default: return false;
    }
}

/* The reduction that combines updates before they travel: x - a - b is x - (a + b). The sub of bool is XOR: x ^
 * (a ^ b). */
static strew_reduction combination(strew_reduction reduction, strew_dtype dtype)
{
    return reduction == STREW_REDUCTION_SUB && dtype != STREW_DTYPE_BOOL ? STREW_REDUCTION_SUM : reduction;
}

/* Sets all elements to one value, by copying the elements already set, in pieces that fit the first-level cache. */
static void fill(void *elements, size_t bytes, const void *element, size_t size)
{
    enum { PIECE = 4096 };
    if (bytes == 0)
        return;
    memcpy(elements, element, size);
    for (size_t done = size, piece; done < bytes; done += piece) {
        piece = done < PIECE ? done : PIECE;
        piece = piece < bytes - done ? piece : bytes - done;
        memcpy((char *)elements + done, elements, piece);
    }
}

static void fill_identity(void *memory, int64_t count, const struct strew_mpi_rows *rows, strew_reduction reduction)
{
    const strew_dtype dtype = rows->table->dtype;
    fill(memory, (size_t)count * rows->bytes, strew_mpi_identity(reduction, dtype), strew_dtype_size(dtype));
}

/* Updates in the order in which they travel; those of one place combined, or the last of them. */
static bool pack_updates(struct strew_mpi_call *call, const struct strew_mpi_rows *rows)
{
    const struct strew_mpi_route *route = rows->route;
    const strew_tensor *updates = rows->operand;
    struct shaped sent, indices;
    strew_error error = {0};
    const strew_options options = options_by_place(call, rows, &error);
    void *outgoing = call->context->buffers[BUFFER_OUTGOING].memory;
    strew_reduction reduction = STREW_REDUCTION_NONE;
    shape_like(&sent, outgoing, route->out.total, rows);
    shape_list(&indices, &route->place, updates->shape[0]);
    if (rows->kind == ROUTE_DISTINCT && rows->reduction != STREW_REDUCTION_NONE) {
        reduction = combination(rows->reduction, rows->table->dtype);
        fill_identity(outgoing, route->out.total, rows, reduction);
    }
    return strew_scatter_nd(&sent.tensor, &indices.tensor, updates, reduction, &sent.tensor, &options) ==
               STREW_STATUS_OK ||
           strew_mpi_refuse_local(call, &error);
}

/* Puts the identity into every row that an update has arrived for: one row, again and again. */
static bool start_rows(struct strew_mpi_call *call, const struct strew_mpi_rows *rows)
{
    struct shaped table, indices, starts;
    strew_error error = {0};
    const strew_options options = local_options(call, &error);
    void *row = call->context->buffers[BUFFER_OUTGOING].memory;
    fill_identity(row, 1, rows, rows->reduction);
    shape_rows(&table, rows->table->rows, rows->plan->slices, rows);
    shape_list(&indices, &rows->route->received, rows->route->in.total);
    shape_rows(&starts, row, rows->route->in.total, rows);
    starts.tensor.strides = starts.strides;
    starts.strides[0] = 0;
    starts.strides[1] = 1;
    return strew_scatter_nd(&table.tensor, &indices.tensor, &starts.tensor, STREW_REDUCTION_NONE, &table.tensor,
                            &options) == STREW_STATUS_OK ||
           strew_mpi_refuse_local(call, &error);
}

static bool apply(struct strew_mpi_call *call, const struct strew_mpi_rows *rows)
{
    const struct strew_mpi_buffer *scratch = &call->context->buffers[BUFFER_SCRATCH];
    strew_error error = {0};
    strew_run_options options = STREW_RUN_OPTIONS_INIT;
    options.parallel = call->options.parallel;
    options.scratch = scratch->memory;
    options.scratch_size = scratch->size;
    options.error = &error;
    void *table = rows->table->rows;
    const strew_buffers buffers = {.data = table,
                                   .indices = rows->route->received.buffer.memory,
                                   .updates = call->context->buffers[BUFFER_INCOMING].memory,
                                   .output = table};
    return strew_plan_run(&rows->apply, &buffers, &options) == STREW_STATUS_OK ||
           strew_mpi_refuse_local(call, &error);
}

bool strew_mpi_scatter_rows(struct strew_mpi_call *call, const struct strew_mpi_rows *rows)
{
    const struct strew_mpi_route *route = rows->route;
    if (!pack_updates(call, rows))
        return false;
    strew_mpi_lap(call, &call->times.pack);
    if (!strew_mpi_exchange(call, call->context->buffers[BUFFER_OUTGOING].memory, &route->out,
                            call->context->buffers[BUFFER_INCOMING].memory, &route->in, rows->bytes))
        return false;
    strew_mpi_lap(call, &call->times.rows);
    const bool is_done = (!starts_anew(rows) || start_rows(call, rows)) && apply(call, rows);
    strew_mpi_lap(call, &call->times.apply);
    return is_done;
}
