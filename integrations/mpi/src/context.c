/* Creates, queries and destroys contexts. */
#include "internal.h"

#include <limits.h>
#include <stdlib.h>

static void *allocate_by_malloc(void *state, size_t size)
{
    (void)state;
    return malloc(size);
}

static void release_by_free(void *state, void *memory)
{
    (void)state;
    free(memory);
}

static const strew_mpi_allocator from_malloc = {allocate_by_malloc, release_by_free, NULL};

static bool is_running(void)
{
    int initialised = 0, finalised = 0;
    MPI_Initialized(&initialised);
    MPI_Finalized(&finalised);
    return initialised && !finalised;
}

/* Checks that give the same result on all ranks, without communication. */
static bool is_communicator(struct strew_mpi_call *call, MPI_Comm comm)
{
    int is_inter = 0;
    if (!is_running())
        return strew_mpi_refuse(call, STREW_STATUS_INVALID_ARGUMENT, REASON_NOT_RUNNING, 0, 0, 0);
    if (comm == MPI_COMM_NULL)
        return strew_mpi_refuse(call, STREW_STATUS_INVALID_ARGUMENT, REASON_NO_COMMUNICATOR, 0, 0, 0);
    if (!strew_mpi_succeeded(call, MPI_Comm_test_inter(comm, &is_inter)))
        return false;
    if (is_inter)
        return strew_mpi_refuse(call, STREW_STATUS_INVALID_ARGUMENT, REASON_INTERCOMMUNICATOR, 0, 0, 0);
    return true;
}

/* A duplicate of the communicator, which reports its errors. */
static bool join(struct strew_mpi_call *call, MPI_Comm comm, strew_mpi_context *context)
{
    return strew_mpi_succeeded(call, MPI_Comm_dup(comm, &context->comm)) &&
           strew_mpi_succeeded(call, MPI_Comm_set_errhandler(context->comm, MPI_ERRORS_RETURN)) &&
           strew_mpi_succeeded(call, MPI_Comm_rank(context->comm, &context->rank)) &&
           strew_mpi_succeeded(call, MPI_Comm_size(context->comm, &context->size));
}

/* Moves the context to its final memory. MPI needs four integers and two datatypes for each rank in an exchange. */
static strew_mpi_context *keep(struct strew_mpi_call *call, strew_mpi_context *draft)
{
    struct strew_mpi_buffer memory = {NULL, 0}, integers = {NULL, 0};
    if (!strew_mpi_reserve(call, &memory, 1, sizeof *draft) ||
        !strew_mpi_reserve(call, &integers, draft->size, 4 * sizeof(int64_t) + 2 * sizeof(MPI_Datatype))) {
        strew_mpi_release(draft, &memory);
        return NULL;
    }
    strew_mpi_context *context = memory.memory;
    *context = *draft;
    context->integers = integers;
    context->once.context = context;
    return context;
}

strew_status strew_mpi_context_create(MPI_Comm comm, const strew_mpi_allocator *allocator,
                                      strew_mpi_context **context, strew_mpi_error *error)
{
    struct strew_mpi_call call;
    strew_mpi_context draft = {.comm = MPI_COMM_NULL, .limit = INT_MAX, .has_large_counts = MPI_VERSION >= 4};
    strew_mpi_options options = STREW_MPI_OPTIONS_INIT;
    options.error = error;
    strew_mpi_begin(&call, NULL, KIND_CONTEXT, &options, 0);
    if (context)
        *context = NULL;
    if (!is_communicator(&call, comm) || !join(&call, comm, &draft))
        return strew_mpi_end(&call);

    call.context = &draft;
    draft.allocator = allocator ? *allocator : from_malloc;
    strew_mpi_context *made = NULL;
    if (!context)
        strew_mpi_refuse_null(&call, REASON_NULL, ARGUMENT_CONTEXT);
    else if (!draft.allocator.allocate || !draft.allocator.release)
        strew_mpi_refuse_null(&call, REASON_NULL, ARGUMENT_ALLOCATOR);
    else
        made = keep(&call, &draft);
    if (strew_mpi_agree(&call))
        *context = made;
    else if (made)
        strew_mpi_context_destroy(made);
    else
        MPI_Comm_free(&draft.comm);
    return strew_mpi_end(&call);
}

void strew_mpi_context_destroy(strew_mpi_context *context)
{
    if (!context)
        return;
    if (is_running())
        MPI_Comm_free(&context->comm);
    strew_mpi_context_trim(context);
    strew_mpi_release(context, &context->integers);
    context->allocator.release(context->allocator.state, context);
}

int strew_mpi_context_size(const strew_mpi_context *context)
{
    return context->size;
}

int strew_mpi_context_rank(const strew_mpi_context *context)
{
    return context->rank;
}

void strew_mpi_context_trim(strew_mpi_context *context)
{
    for (int kind = 0; kind < BUFFER_KINDS; kind++)
        strew_mpi_release(context, &context->buffers[kind]);
    strew_mpi_release_plan(&context->once);
}
