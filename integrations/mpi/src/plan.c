/* Plans: a list of indices that is routed to the ranks that hold its rows. */
#include "internal.h"

#include <string.h>

/* ---- On this rank alone -------------------------------------------------------------------------- */

void strew_mpi_tell_plan(struct strew_mpi_call *call, const struct strew_mpi_plan *plan)
{
    call->fields[FIELD_PLAN] = plan->serial;
    call->fields[FIELD_RANK] = plan->rank;
    call->fields[FIELD_BLOCK] = plan->block;
    call->fields[FIELD_WIDTH] = plan->width;
    for (int32_t axis = 0; axis < plan->rank; axis++)
        call->fields[FIELD_SHAPE + axis] = plan->shape[axis];
}

bool strew_mpi_make_plan(struct strew_mpi_call *call, struct strew_mpi_plan *plan, const strew_mpi_table *table,
                         const strew_tensor *indices)
{
    strew_mpi_context *context = call->context;
    plan->rank = table->rank;
    memcpy(plan->shape, table->shape, (size_t)table->rank * sizeof *plan->shape);
    plan->block = strew_mpi_clamp_block(table->shape[0], table->block, context->size);
    plan->count = indices->shape[0];
    plan->width = (int32_t)indices->shape[1];
    plan->inner = strew_mpi_product(table->shape, 1, plan->width);
    plan->slices = strew_mpi_local_rows(table->shape[0], plan->block, context->size, context->rank) * plan->inner;
    plan->bounds = call->options.bounds;
    strew_mpi_tell_plan(call, plan);
    return strew_mpi_route(call, plan, indices, call->options.flags & STREW_FLAG_REFUSE_NEGATIVE_INDICES);
}

/* ---- Between ranks ------------------------------------------------------------------------------- */

bool strew_mpi_announce(struct strew_mpi_call *call, struct strew_mpi_plan *plan)
{
    for (int kind = 0; kind < ROUTE_KINDS; kind++)
        if (plan->has_route[kind] && !strew_mpi_exchange_counts(call, &plan->routes[kind]))
            return false;
    for (int kind = 0; kind < ROUTE_KINDS; kind++) {
        struct strew_mpi_route *route = &plan->routes[kind];
        if (!plan->has_route[kind])
            continue;
        strew_mpi_reserve(call, &route->received.buffer, route->received.count,
                          strew_mpi_index_size(&route->received));
        const int64_t most = strew_mpi_larger(route->out.total, route->in.total);
        call->largest = strew_mpi_larger(call->largest, most * (int64_t)sizeof(int64_t));
    }
    return true;
}

bool strew_mpi_send_indices(struct strew_mpi_call *call, struct strew_mpi_plan *plan)
{
    for (int kind = 0; kind < ROUTE_KINDS; kind++) {
        struct strew_mpi_route *route = &plan->routes[kind];
        if (plan->has_route[kind] &&
            !strew_mpi_exchange(call, route->sent.buffer.memory, &route->out, route->received.buffer.memory,
                                &route->in, strew_mpi_index_size(&route->sent)))
            return false;
    }
    strew_mpi_lap(call, &call->times.indices);
    return true;
}

void strew_mpi_release_plan(struct strew_mpi_plan *plan)
{
    for (int kind = 0; kind < ROUTE_KINDS; kind++) {
        struct strew_mpi_route *route = &plan->routes[kind];
        strew_mpi_release(plan->context, &route->place.buffer);
        strew_mpi_release(plan->context, &route->sent.buffer);
        strew_mpi_release(plan->context, &route->received.buffer);
        strew_mpi_release(plan->context, &route->counts);
    }
}

/* ---- Those of the caller ------------------------------------------------------------------------- */

/* Collective: either all ranks get the plan, or none continues. */
static bool share_plan(struct strew_mpi_call *call, struct strew_mpi_plan *plan)
{
    const bool is_agreed = strew_mpi_agree(call) && strew_mpi_announce(call, plan) && strew_mpi_agree(call);
    strew_mpi_lap(call, &call->times.agree);
    return is_agreed && strew_mpi_send_indices(call, plan);
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
    struct strew_mpi_buffer memory = {NULL, 0};
    struct strew_mpi_plan draft = {.context = context, .serial = context->serials + 1};
    strew_mpi_begin(&call, context, KIND_PLAN, options, FLAGS_OF_INDICES);
    draft.has_route[ROUTE_FULL] = true;
    draft.has_route[ROUTE_DISTINCT] = call.options.flags & STREW_MPI_FLAG_DISTINCT;
    if (!plan)
        strew_mpi_refuse_null(&call, REASON_NULL, ARGUMENT_PLAN);
    if (strew_mpi_check_list(&call, table, indices) && strew_mpi_reserve(&call, &memory, 1, sizeof draft))
        strew_mpi_make_plan(&call, &draft, table, indices);
    strew_mpi_lap(&call, &call.times.route);
    if (share_plan(&call, &draft)) { /* on all ranks, so that they count alike */
        context->serials = draft.serial;
        for (int kind = 0; kind < ROUTE_KINDS; kind++) /* never sent again */
            strew_mpi_release(context, &draft.routes[kind].sent.buffer);
        *plan = memory.memory;
        **plan = draft;
    } else {
        strew_mpi_release_plan(&draft);
        strew_mpi_release(context, &memory);
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
