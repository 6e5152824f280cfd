/* The beginning and the end of every call, and the memory that is kept between calls. */
#include "internal.h"

#include <stddef.h>
#include <string.h>

/* The policies are those of calls that take indices; the others have a plan's. */
static bool takes_bounds(strew_bounds bounds, uint32_t flags)
{
    return bounds == STREW_BOUNDS_REFUSE ||
           ((flags & FLAGS_OF_INDICES) &&
            (bounds == STREW_BOUNDS_SKIP || bounds == STREW_BOUNDS_CLAMP || bounds == STREW_BOUNDS_WRAP));
}

static bool takes_options(struct strew_mpi_call *call, const strew_mpi_options *options, uint32_t flags)
{
    const int64_t size = (int64_t)sizeof *options;
    if (options->struct_size != sizeof *options)
        return strew_mpi_refuse(call, STREW_STATUS_INVALID_ARGUMENT, REASON_OPTIONS, 0,
                                (int64_t)options->struct_size, size);
    call->options = *options;
    if (options->flags & ~flags)
        return strew_mpi_refuse(call, STREW_STATUS_INVALID_ARGUMENT, REASON_FLAGS, 0, options->flags, flags);
    if (!takes_bounds(options->bounds, flags))
        return strew_mpi_refuse(call, STREW_STATUS_INVALID_ARGUMENT, REASON_BOUNDS, 0, options->bounds,
                                (flags & FLAGS_OF_INDICES) != 0);
    if (options->parallel && (!options->parallel->run || options->parallel->threads == 0))
        return strew_mpi_refuse(call, STREW_STATUS_INVALID_ARGUMENT, REASON_PARALLEL, 0, 0, 0);
    return true;
}

void strew_mpi_begin(struct strew_mpi_call *call, strew_mpi_context *context, enum strew_mpi_kind kind,
                     const strew_mpi_options *options, uint32_t flags)
{
    memset(call, 0, sizeof *call);
    call->context = context;
    call->options = (strew_mpi_options)STREW_MPI_OPTIONS_INIT;
    call->fields[FIELD_CALL] = kind;
    if (options)
        takes_options(call, options, flags);
    call->fields[FIELD_FLAGS] = call->options.flags;
    call->fields[FIELD_BOUNDS] = call->options.bounds;
    if (call->options.times)
        call->lap = MPI_Wtime();
}

/* Adds the times to the caller's, also for refused calls. */
static void add_times(strew_mpi_times *to, const strew_mpi_times *times)
{
    to->route += times->route;
    to->agree += times->agree;
    to->indices += times->indices;
    to->pack += times->pack;
    to->rows += times->rows;
    to->apply += times->apply;
}

strew_status strew_mpi_end(struct strew_mpi_call *call)
{
    if (call->options.times)
        add_times(call->options.times, &call->times);
    if (call->failure.status != STREW_STATUS_OK && call->options.error)
        *call->options.error = call->failure;
    return call->failure.status;
}

void strew_mpi_lap(struct strew_mpi_call *call, double *part)
{
    if (!call->options.times)
        return;
    const double now = MPI_Wtime();
    *part += now - call->lap;
    call->lap = now;
}

/* A buffer that grows loses its content. It grows by an eighth more, so that lists of varying size do not grow
 * it each time. */
bool strew_mpi_try_reserve(strew_mpi_context *context, struct strew_mpi_buffer *buffer, size_t least)
{
    const size_t greatest = (size_t)PTRDIFF_MAX;
    if (least <= buffer->size)
        return true;
    if (least > greatest)
        return false;
    const size_t size = least < greatest - least / 8 ? least + least / 8 : least;
    strew_mpi_release(context, buffer);
    buffer->memory = context->allocator.allocate(context->allocator.state, size);
    buffer->size = buffer->memory ? size : 0;
    return buffer->memory;
}

bool strew_mpi_reserve(struct strew_mpi_call *call, struct strew_mpi_buffer *buffer, int64_t count, size_t unit)
{
    if (call->failure.status != STREW_STATUS_OK)
        return false;
    const bool is_countable = unit == 0 || (uint64_t)count <= (size_t)PTRDIFF_MAX / unit;
    const size_t size = is_countable ? (size_t)count * unit : (size_t)PTRDIFF_MAX;
    return (is_countable && strew_mpi_try_reserve(call->context, buffer, size)) ||
           strew_mpi_refuse(call, STREW_STATUS_OUT_OF_MEMORY, REASON_MEMORY, 0, (int64_t)size, 0);
}

void strew_mpi_release(strew_mpi_context *context, struct strew_mpi_buffer *buffer)
{
    if (buffer->memory)
        context->allocator.release(context->allocator.state, buffer->memory);
    *buffer = (struct strew_mpi_buffer){NULL, 0};
}
