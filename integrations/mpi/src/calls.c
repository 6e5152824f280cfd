/* The collective calls that move rows, with a plan of the caller and without. */
#include "internal.h"

/* Binds checked arguments to a plan: a scatter that must keep the order of updates takes the full route. */
static bool bind_rows(struct strew_mpi_call *call, struct strew_mpi_rows *rows, const struct strew_mpi_plan *plan)
{
    const strew_mpi_table *table = rows->table;
    const bool is_distinct = plan->has_route[ROUTE_DISTINCT] && strew_mpi_may_be_distinct(rows);
    rows->plan = plan;
    rows->kind = is_distinct ? ROUTE_DISTINCT : ROUTE_FULL;
    rows->route = &plan->routes[rows->kind];
    rows->ignores_init_val = call->options.flags & STREW_MPI_FLAG_IGNORE_INIT_VAL;
    rows->elements = strew_mpi_product(table->shape, plan->width, table->rank);
    rows->bytes = (size_t)rows->elements * strew_dtype_size(table->dtype);
    return strew_mpi_check_memory(call, rows);
}

static void move_rows(struct strew_mpi_call *call, const struct strew_mpi_rows *rows)
{
    if (rows->is_scatter)
        strew_mpi_scatter_rows(call, rows);
    else
        strew_mpi_gather_rows(call, rows);
}

/* ---- Without a plan ------------------------------------------------------------------------------ */

/* The context's own plan, of the one route that these rows need. */
static bool make_once(struct strew_mpi_call *call, const struct strew_mpi_rows *rows, const strew_tensor *indices)
{
    struct strew_mpi_plan *plan = &call->context->once;
    const bool is_distinct = (call->options.flags & STREW_MPI_FLAG_DISTINCT) && strew_mpi_may_be_distinct(rows);
    plan->has_route[ROUTE_DISTINCT] = is_distinct;
    plan->has_route[ROUTE_FULL] = !is_distinct;
    return strew_mpi_make_plan(call, plan, rows->table, indices);
}

static strew_status run_once(struct strew_mpi_call *call, struct strew_mpi_rows *rows, const strew_tensor *indices)
{
    struct strew_mpi_plan *plan = &call->context->once;
    if (strew_mpi_check_table(call, rows->table) && strew_mpi_check_rows(call, rows, indices) &&
        strew_mpi_check_indices(call, indices) && make_once(call, rows, indices))
        bind_rows(call, rows, plan);
    strew_mpi_lap(call, &call->times.route);
    bool is_agreed = strew_mpi_agree(call) && strew_mpi_announce(call, plan);
    if (is_agreed) {
        strew_mpi_prepare(call, rows);
        is_agreed = strew_mpi_agree(call);
    }
    strew_mpi_lap(call, &call->times.agree);
    if (is_agreed && strew_mpi_send_indices(call, plan))
        move_rows(call, rows);
    return strew_mpi_end(call);
}

strew_status strew_mpi_gather(strew_mpi_context *context, const strew_mpi_table *table, const strew_tensor *indices,
                              const strew_tensor *output, const strew_mpi_options *options)
{
    if (!context)
        return STREW_STATUS_INVALID_ARGUMENT;
    struct strew_mpi_call call;
    struct strew_mpi_rows rows = {.table = table, .operand = output};
    strew_mpi_begin(&call, context, KIND_GATHER, options, FLAGS_OF_INDICES);
    return run_once(&call, &rows, indices);
}

strew_status strew_mpi_scatter(strew_mpi_context *context, const strew_mpi_table *table,
                               const strew_tensor *indices, const strew_tensor *updates, strew_reduction reduction,
                               const strew_mpi_options *options)
{
    if (!context)
        return STREW_STATUS_INVALID_ARGUMENT;
    struct strew_mpi_call call;
    struct strew_mpi_rows rows = {.table = table, .operand = updates, .is_scatter = true, .reduction = reduction};
    strew_mpi_begin(&call, context, KIND_SCATTER, options, FLAGS_OF_INDICES | FLAGS_OF_SCATTER);
    return run_once(&call, &rows, indices);
}

/* ---- By a plan ----------------------------------------------------------------------------------- */

static strew_status run_planned(struct strew_mpi_call *call, struct strew_mpi_rows *rows,
                                const struct strew_mpi_plan *plan)
{
    if (strew_mpi_check_planned(call, plan, rows)) {
        strew_mpi_tell_plan(call, plan);
        if (bind_rows(call, rows, plan))
            strew_mpi_prepare(call, rows);
    }
    const bool is_agreed = strew_mpi_agree(call);
    strew_mpi_lap(call, &call->times.agree);
    if (is_agreed)
        move_rows(call, rows);
    return strew_mpi_end(call);
}

strew_status strew_mpi_plan_gather(strew_mpi_plan *plan, const strew_mpi_table *table, const strew_tensor *output,
                                   const strew_mpi_options *options)
{
    if (!plan)
        return STREW_STATUS_INVALID_ARGUMENT;
    struct strew_mpi_call call;
    struct strew_mpi_rows rows = {.table = table, .operand = output};
    strew_mpi_begin(&call, plan->context, KIND_PLAN_GATHER, options, 0);
    return run_planned(&call, &rows, plan);
}

strew_status strew_mpi_plan_scatter(strew_mpi_plan *plan, const strew_mpi_table *table, const strew_tensor *updates,
                                    strew_reduction reduction, const strew_mpi_options *options)
{
    if (!plan)
        return STREW_STATUS_INVALID_ARGUMENT;
    struct strew_mpi_call call;
    struct strew_mpi_rows rows = {.table = table, .operand = updates, .is_scatter = true, .reduction = reduction};
    strew_mpi_begin(&call, plan->context, KIND_PLAN_SCATTER, options, FLAGS_OF_SCATTER);
    return run_planned(&call, &rows, plan);
}
