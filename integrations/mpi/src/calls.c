/* The collective calls. */
#include "internal.h"

#include <string.h>

enum {
    FLAGS_OF_INDICES = STREW_FLAG_REFUSE_NEGATIVE_INDICES | STREW_MPI_FLAG_DISTINCT,
    FLAGS_OF_SCATTER = STREW_MPI_FLAG_IGNORE_INIT_VAL
};

/* ---- Checks of this rank's arguments ------------------------------------------------------------- */

static bool has_elements(const strew_tensor *tensor)
{
    for (int32_t axis = 0; axis < tensor->rank; axis++)
        if (tensor->shape[axis] == 0)
            return false;
    return true;
}

static int64_t product(const int64_t *shape, int32_t begin, int32_t end)
{
    int64_t count = 1;
    for (int32_t axis = begin; axis < end; axis++)
        count *= shape[axis];
    return count;
}

static bool check_table(struct strew_mpi_call *call, const strew_mpi_table *table)
{
    if (!table)
        return strew_mpi_refuse_null(call, REASON_NULL, ARGUMENT_TABLE);
    if (table->block < 0)
        return strew_mpi_refuse(call, STREW_STATUS_INVALID_ARGUMENT, REASON_BLOCK, 0, table->block, 0);
    return true;
}

static bool check_dtype(struct strew_mpi_call *call, strew_dtype dtype)
{
    if (dtype == STREW_DTYPE_STRING)
        return strew_mpi_refuse(call, STREW_STATUS_UNSUPPORTED_DTYPE, REASON_STRINGS, 0, 0, 0);
    call->fields[FIELD_DTYPE] = dtype;
    return true;
}

static bool check_reduction(struct strew_mpi_call *call, strew_reduction reduction, strew_dtype dtype)
{
    call->fields[FIELD_REDUCTION] = reduction;
    if (reduction == STREW_REDUCTION_MEAN && strew_dtype_size(dtype) && !strew_reduction_supports(reduction, dtype))
        return strew_mpi_refuse(call, STREW_STATUS_UNSUPPORTED_REDUCTION, REASON_REDUCTION, 0, reduction, dtype);
    return true;
}

/* What strew itself says of these shapes and types, if all of the table were here. */
static bool check_gather(struct strew_mpi_call *call, const strew_tensor *data, const strew_tensor *indices,
                         const strew_tensor *output)
{
    strew_plan plan;
    strew_error error = {0};
    strew_plan_options options = STREW_PLAN_OPTIONS_INIT;
    options.isa = call->options.isa;
    options.error = &error;
    return strew_plan_gather_nd(&plan, data, indices, 0, output, &options) == STREW_STATUS_OK ||
           strew_mpi_refuse_local(call, &error);
}

/* As above; of mean strew_scatter_nd knows nothing, but all else is as for a sum. */
static bool check_scatter(struct strew_mpi_call *call, const strew_tensor *data, const strew_tensor *indices,
                          const strew_tensor *updates, strew_reduction reduction)
{
    strew_plan plan;
    strew_error error = {0};
    strew_plan_options options = STREW_PLAN_OPTIONS_INIT;
    options.isa = call->options.isa;
    options.error = &error;
    if (reduction == STREW_REDUCTION_MEAN)
        reduction = STREW_REDUCTION_SUM;
    return strew_plan_scatter_nd(&plan, data, indices, updates, reduction, data, &options) == STREW_STATUS_OK ||
           strew_mpi_refuse_local(call, &error);
}

static strew_tensor whole(const strew_mpi_table *table)
{
    return (strew_tensor){NULL, table->dtype, table->rank, table->shape, NULL};
}

/* Indices [n][k], k >= 1, of shapes that strew has seen. */
static bool check_indices(struct strew_mpi_call *call, const strew_tensor *indices)
{
    if (indices->rank != 2)
        return strew_mpi_refuse(call, STREW_STATUS_SHAPE_MISMATCH, REASON_INDICES_RANK, 0, indices->rank, 2);
    if (indices->shape[1] == 0)
        return strew_mpi_refuse(call, STREW_STATUS_INVALID_ARGUMENT, REASON_NO_COORDINATES, 0, 0, 0);
    if (!indices->data && has_elements(indices))
        return strew_mpi_refuse_null(call, REASON_NULL_DATA, ARGUMENT_INDICES);
    return true;
}

/* The first and one past the last byte of a tensor. */
static void reach(const strew_tensor *tensor, uintptr_t *begin, uintptr_t *end)
{
    const ptrdiff_t size = (ptrdiff_t)strew_dtype_size(tensor->dtype);
    ptrdiff_t low = 0, high = size, stride = size;
    for (int32_t axis = tensor->rank - 1; axis >= 0; axis--) {
        const ptrdiff_t last = (ptrdiff_t)(tensor->shape[axis] - 1) * strew_mpi_step(tensor, axis, stride);
        low += last < 0 ? last : 0;
        high += last > 0 ? last : 0;
        stride *= (ptrdiff_t)tensor->shape[axis];
    }
    *begin = (uintptr_t)tensor->data + (uintptr_t)low;
    *end = (uintptr_t)tensor->data + (uintptr_t)high;
}

static bool check_overlap(struct strew_mpi_call *call, const struct strew_mpi_rows *rows)
{
    const uintptr_t table = (uintptr_t)rows->table->rows;
    const uintptr_t table_end = table + (uintptr_t)rows->plan->slices * rows->bytes;
    uintptr_t begin, end;
    if (!has_elements(rows->operand) || table == table_end)
        return true;
    reach(rows->operand, &begin, &end);
    if (begin < table_end && table < end)
        return strew_mpi_refuse(call, STREW_STATUS_INVALID_ARGUMENT, REASON_OVERLAP, 0, 0, 0);
    return true;
}

/* ---- Plans --------------------------------------------------------------------------------------- */

static void tell_plan(struct strew_mpi_call *call, const struct strew_mpi_plan *plan)
{
    call->fields[FIELD_PLAN] = plan->serial;
    call->fields[FIELD_RANK] = plan->rank;
    call->fields[FIELD_BLOCK] = plan->block;
    call->fields[FIELD_WIDTH] = plan->width;
    for (int32_t axis = 0; axis < plan->rank; axis++)
        call->fields[FIELD_SHAPE + axis] = plan->shape[axis];
}

/* Settles the shape of a plan, from arguments that have been checked, and orders the indices. */
static bool settle(struct strew_mpi_call *call, struct strew_mpi_plan *plan, const strew_mpi_table *table,
                   const strew_tensor *indices)
{
    strew_mpi_context *context = call->context;
    plan->rank = table->rank;
    memcpy(plan->shape, table->shape, (size_t)table->rank * sizeof *plan->shape);
    plan->block = strew_mpi_settle_block(table->shape[0], table->block, context->size);
    plan->count = indices->shape[0];
    plan->width = (int32_t)indices->shape[1];
    plan->inner = product(table->shape, 1, plan->width);
    plan->slices = strew_mpi_local_rows(table->shape[0], plan->block, context->size, context->rank) * plan->inner;
    tell_plan(call, plan);
    return strew_mpi_route(call, plan, indices, call->options.flags & STREW_FLAG_REFUSE_NEGATIVE_INDICES);
}

/* Counts, and memory for the indices to come: with those of `rows`, the last that can go wrong on one rank alone.
 */
static bool connect(struct strew_mpi_call *call, struct strew_mpi_plan *plan)
{
    for (int kind = 0; kind < ROUTE_KINDS; kind++) {
        struct strew_mpi_route *route = &plan->routes[kind];
        if (!plan->has_route[kind])
            continue;
        strew_mpi_connect(call, route);
        if (call->failure.status == STREW_MPI_STATUS_MPI_FAILED)
            return false;
        const int64_t most = route->out.total > route->in.total ? route->out.total : route->in.total;
        if (most * (int64_t)sizeof(int64_t) > call->largest)
            call->largest = most * (int64_t)sizeof(int64_t);
    }
    return true;
}

static bool send_indices(struct strew_mpi_call *call, struct strew_mpi_plan *plan)
{
    for (int kind = 0; kind < ROUTE_KINDS; kind++) {
        struct strew_mpi_route *route = &plan->routes[kind];
        if (plan->has_route[kind] &&
            !strew_mpi_exchange(call, route->sent.buffer.memory, &route->out, route->received.buffer.memory,
                                &route->in, strew_mpi_index_size(&route->sent)))
            return false;
        if (plan->serial > 0) /* never again; the one of calls without a plan keeps it for the next */
            strew_mpi_release(plan->context, &route->sent.buffer);
    }
    strew_mpi_lap(call, offsetof(strew_mpi_times, indices));
    return true;
}

/* A plan looks at the shapes of its table alone: as if it gathered bytes. */
static bool check_plan(struct strew_mpi_call *call, const strew_mpi_table *table, const strew_tensor *indices)
{
    if (!check_table(call, table))
        return false;
    strew_tensor data = whole(table), output = {NULL, STREW_DTYPE_UINT8, 0, NULL, NULL};
    strew_error error = {0};
    int64_t shape[STREW_MAX_RANK];
    data.dtype = output.dtype;
    if (!indices)
        return strew_mpi_refuse_null(call, REASON_NULL, ARGUMENT_INDICES);
    if (strew_gather_nd_shape(&data, indices, 0, shape, &output.rank, &error) != STREW_STATUS_OK)
        return strew_mpi_refuse_local(call, &error);
    output.shape = shape;
    return check_gather(call, &data, indices, &output) && check_indices(call, indices);
}

strew_status strew_mpi_plan_create(strew_mpi_context *context, const strew_mpi_table *table,
                                   const strew_tensor *indices, strew_mpi_plan **plan,
                                   const strew_mpi_options *options)
{
    if (plan)
        *plan = NULL;
    if (!context)
        return STREW_STATUS_INVALID_ARGUMENT;
    struct strew_mpi_call call;
    struct strew_mpi_buffer place = {NULL, 0};
    struct strew_mpi_plan draft = {.context = context};
    strew_mpi_begin(&call, context, KIND_PLAN, options, FLAGS_OF_INDICES);
    draft.serial = context->serials + 1;
    draft.has_route[ROUTE_FULL] = true;
    draft.has_route[ROUTE_DISTINCT] = call.options.flags & STREW_MPI_FLAG_DISTINCT;
    if (!plan)
        strew_mpi_refuse_null(&call, REASON_NULL, ARGUMENT_PLAN);
    if (check_plan(&call, table, indices) && strew_mpi_reserve(&call, &place, 1, sizeof draft))
        settle(&call, &draft, table, indices);
    strew_mpi_lap(&call, offsetof(strew_mpi_times, route));
    bool is_made = strew_mpi_agree(&call) && connect(&call, &draft) && strew_mpi_agree(&call);
    strew_mpi_lap(&call, offsetof(strew_mpi_times, agree));
    is_made = is_made && send_indices(&call, &draft);
    if (is_made) { /* on all ranks, so that they count alike */
        context->serials = draft.serial;
        *plan = place.memory;
        **plan = draft;
    } else {
        strew_mpi_release_plan(&draft);
        strew_mpi_release(context, &place);
    }
    return strew_mpi_end(&call);
}

void strew_mpi_plan_destroy(strew_mpi_plan *plan)
{
    if (!plan)
        return;
    strew_mpi_context *context = plan->context;
    strew_mpi_release_plan(plan);
    context->allocator.release(context->allocator.state, plan);
}

/* ---- Rows ---------------------------------------------------------------------------------------- */

/* Whose arguments have been checked: the pointers, and which of the plan's routes the rows take. */
static bool settle_rows(struct strew_mpi_call *call, struct strew_mpi_rows *rows, const struct strew_mpi_plan *plan,
                        const strew_mpi_table *table, const strew_tensor *operand, bool is_scatter)
{
    rows->plan = plan;
    rows->table = table;
    rows->operand = operand;
    rows->ignores_init_val = call->options.flags & STREW_MPI_FLAG_IGNORE_INIT_VAL;
    rows->elements = product(table->shape, plan->width, table->rank);
    rows->bytes = (size_t)rows->elements * strew_dtype_size(table->dtype);
    const bool may_be_distinct = !is_scatter || strew_mpi_is_exact(rows->reduction, table->dtype);
    const bool is_distinct = may_be_distinct && plan->has_route[ROUTE_DISTINCT];
    rows->route = &plan->routes[is_distinct ? ROUTE_DISTINCT : ROUTE_FULL];
    if (!table->rows && plan->slices > 0 && rows->bytes > 0)
        return strew_mpi_refuse_null(call, REASON_NULL_DATA, ARGUMENT_ROWS);
    if (!operand->data && has_elements(operand))
        return strew_mpi_refuse_null(call, REASON_NULL_DATA, is_scatter ? ARGUMENT_UPDATES : ARGUMENT_OUTPUT);
    return is_scatter || check_overlap(call, rows);
}

/* The one way of all calls without a plan: `rows` are of arguments that have been checked, if nothing is wrong. */
static bool run_once(struct strew_mpi_call *call, struct strew_mpi_rows *rows, bool is_scatter)
{
    struct strew_mpi_plan *plan = &call->context->once;
    strew_mpi_lap(call, offsetof(strew_mpi_times, route));
    bool is_agreed = strew_mpi_agree(call) && connect(call, plan);
    if (is_agreed) {
        strew_mpi_prepare(call, rows, is_scatter);
        is_agreed = strew_mpi_agree(call);
    }
    strew_mpi_lap(call, offsetof(strew_mpi_times, agree));
    return is_agreed && send_indices(call, plan) &&
           (is_scatter ? strew_mpi_scatter_rows(call, rows) : strew_mpi_gather_rows(call, rows));
}

/* Which of the routes a call without a plan needs. */
static struct strew_mpi_plan *choose_route(struct strew_mpi_call *call, bool may_be_distinct)
{
    struct strew_mpi_plan *plan = &call->context->once;
    const bool is_distinct = may_be_distinct && (call->options.flags & STREW_MPI_FLAG_DISTINCT);
    plan->has_route[ROUTE_DISTINCT] = is_distinct;
    plan->has_route[ROUTE_FULL] = !is_distinct;
    return plan;
}

strew_status strew_mpi_gather(strew_mpi_context *context, const strew_mpi_table *table, const strew_tensor *indices,
                              const strew_tensor *output, const strew_mpi_options *options)
{
    if (!context)
        return STREW_STATUS_INVALID_ARGUMENT;
    struct strew_mpi_call call;
    struct strew_mpi_rows rows = {0};
    strew_mpi_begin(&call, context, KIND_GATHER, options, FLAGS_OF_INDICES);
    if (check_table(&call, table) && check_dtype(&call, table->dtype)) {
        const strew_tensor data = whole(table);
        struct strew_mpi_plan *plan = choose_route(&call, true);
        if (check_gather(&call, &data, indices, output) && check_indices(&call, indices) &&
            settle(&call, plan, table, indices))
            settle_rows(&call, &rows, plan, table, output, false);
    }
    run_once(&call, &rows, false);
    return strew_mpi_end(&call);
}

strew_status strew_mpi_scatter(strew_mpi_context *context, const strew_mpi_table *table,
                               const strew_tensor *indices, const strew_tensor *updates, strew_reduction reduction,
                               const strew_mpi_options *options)
{
    if (!context)
        return STREW_STATUS_INVALID_ARGUMENT;
    struct strew_mpi_call call;
    struct strew_mpi_rows rows = {.reduction = reduction};
    strew_mpi_begin(&call, context, KIND_SCATTER, options, FLAGS_OF_INDICES | FLAGS_OF_SCATTER);
    if (check_table(&call, table) && check_dtype(&call, table->dtype) &&
        check_reduction(&call, reduction, table->dtype)) {
        const strew_tensor data = whole(table);
        struct strew_mpi_plan *plan = choose_route(&call, strew_mpi_is_exact(reduction, table->dtype));
        if (check_scatter(&call, &data, indices, updates, reduction) && check_indices(&call, indices) &&
            settle(&call, plan, table, indices))
            settle_rows(&call, &rows, plan, table, updates, true);
    }
    run_once(&call, &rows, true);
    return strew_mpi_end(&call);
}

/* ---- Rows by a plan ------------------------------------------------------------------------------ */

static bool refuse_shape(struct strew_mpi_call *call, int field, int64_t value, int64_t planned)
{
    return strew_mpi_refuse(call, STREW_STATUS_SHAPE_MISMATCH, REASON_PLAN_SHAPE, field, value, planned);
}

static bool is_of_plan(struct strew_mpi_call *call, const struct strew_mpi_plan *plan, const strew_mpi_table *table)
{
    if (table->rank != plan->rank)
        return refuse_shape(call, FIELD_RANK, table->rank, plan->rank);
    for (int32_t axis = 0; axis < plan->rank; axis++)
        if (table->shape[axis] != plan->shape[axis])
            return refuse_shape(call, FIELD_SHAPE + axis, table->shape[axis], plan->shape[axis]);
    const int64_t block = strew_mpi_settle_block(table->shape[0], table->block, plan->context->size);
    return block == plan->block || refuse_shape(call, FIELD_BLOCK, block, plan->block);
}

/* The plan's indices as strew sees them when it checks the operand's shape. */
static bool check_planned(struct strew_mpi_call *call, const struct strew_mpi_plan *plan,
                          const strew_mpi_table *table, const strew_tensor *operand,
                          const strew_reduction *reduction)
{
    if (!check_table(call, table) || !check_dtype(call, table->dtype))
        return false;
    if (!table->shape && table->rank > 0)
        return strew_mpi_refuse_null(call, REASON_NULL, ARGUMENT_SHAPE);
    if (!is_of_plan(call, plan, table))
        return false;
    if (operand && operand->rank > 0 && operand->shape && operand->shape[0] != plan->count)
        return refuse_shape(call, FIELD_COUNT, operand->shape[0], plan->count);
    const strew_tensor data = whole(table);
    const strew_tensor indices = {NULL, STREW_DTYPE_INT64, 2, (int64_t[]){plan->count, plan->width}, NULL};
    if (!reduction)
        return check_gather(call, &data, &indices, operand);
    return check_reduction(call, *reduction, table->dtype) &&
           check_scatter(call, &data, &indices, operand, *reduction);
}

static strew_status run_planned(struct strew_mpi_call *call, const struct strew_mpi_plan *plan,
                                const strew_mpi_table *table, const strew_tensor *operand,
                                const strew_reduction *reduction)
{
    const bool is_scatter = reduction;
    struct strew_mpi_rows rows = {.reduction = is_scatter ? *reduction : STREW_REDUCTION_NONE};
    if (check_planned(call, plan, table, operand, reduction)) {
        tell_plan(call, plan);
        if (settle_rows(call, &rows, plan, table, operand, is_scatter))
            strew_mpi_prepare(call, &rows, is_scatter);
    }
    const bool is_agreed = strew_mpi_agree(call);
    strew_mpi_lap(call, offsetof(strew_mpi_times, agree));
    if (is_agreed)
        (void)(is_scatter ? strew_mpi_scatter_rows(call, &rows) : strew_mpi_gather_rows(call, &rows));
    return strew_mpi_end(call);
}

strew_status strew_mpi_plan_gather(strew_mpi_plan *plan, const strew_mpi_table *table, const strew_tensor *output,
                                   const strew_mpi_options *options)
{
    if (!plan)
        return STREW_STATUS_INVALID_ARGUMENT;
    struct strew_mpi_call call;
    strew_mpi_begin(&call, plan->context, KIND_PLAN_GATHER, options, 0);
    return run_planned(&call, plan, table, output, NULL);
}

strew_status strew_mpi_plan_scatter(strew_mpi_plan *plan, const strew_mpi_table *table, const strew_tensor *updates,
                                    strew_reduction reduction, const strew_mpi_options *options)
{
    if (!plan)
        return STREW_STATUS_INVALID_ARGUMENT;
    struct strew_mpi_call call;
    strew_mpi_begin(&call, plan->context, KIND_PLAN_SCATTER, options, FLAGS_OF_SCATTER);
    return run_planned(&call, plan, table, updates, &reduction);
}
