/* Exchanges counts, indices and rows, in counts of any size. */
#include "internal.h"

/* ---- Counts -------------------------------------------------------------------------------------- */

static int64_t add_up(struct strew_mpi_traffic *traffic, int ranks)
{
    traffic->total = 0;
    for (int rank = 0; rank < ranks; rank++) {
        traffic->starts[rank] = traffic->total;
        traffic->total += traffic->counts[rank];
    }
    return traffic->total;
}

bool strew_mpi_exchange_counts(struct strew_mpi_call *call, struct strew_mpi_route *route)
{
    strew_mpi_context *context = call->context;
    if (!strew_mpi_succeeded(
            call, MPI_Alltoall(route->out.counts, 1, MPI_INT64_T, route->in.counts, 1, MPI_INT64_T, context->comm)))
        return false;
    route->received.count = add_up(&route->in, context->size);
    return true;
}

/* ---- Counts that fit in an int ------------------------------------------------------------------- */

static void in_bytes(const struct strew_mpi_traffic *traffic, size_t unit, int ranks, int *counts, int *starts)
{
    for (int rank = 0; rank < ranks; rank++) {
        counts[rank] = (int)(traffic->counts[rank] * (int64_t)unit);
        starts[rank] = (int)(traffic->starts[rank] * (int64_t)unit);
    }
}

static int exchange_small(strew_mpi_context *context, const void *sent, const struct strew_mpi_traffic *out,
                          void *received, const struct strew_mpi_traffic *in, size_t unit)
{
    const int ranks = context->size;
    int *counts = context->integers.memory;
    in_bytes(out, unit, ranks, counts, counts + ranks);
    in_bytes(in, unit, ranks, counts + 2 * ranks, counts + 3 * ranks);
    return MPI_Alltoallv(sent, counts, counts + ranks, MPI_BYTE, received, counts + 2 * ranks, counts + 3 * ranks,
                         MPI_BYTE, context->comm);
}

/* ---- Larger ones --------------------------------------------------------------------------------- */

/* One datatype of `bytes` bytes at `start`, from pieces that are no larger than the limit. */
static int describe(int64_t bytes, int64_t start, int64_t limit, MPI_Datatype *type)
{
    const int64_t pieces = bytes / limit, rest = bytes % limit;
    MPI_Datatype piece = MPI_DATATYPE_NULL, whole = MPI_DATATYPE_NULL;
    int code = MPI_Type_contiguous((int)limit, MPI_BYTE, &piece);
    if (code != MPI_SUCCESS)
        return code;
    code = MPI_Type_contiguous((int)pieces, piece, &whole);
    MPI_Type_free(&piece);
    if (code != MPI_SUCCESS)
        return code;
    code = MPI_Type_create_struct(2, (int[]){1, (int)rest},
                                  (MPI_Aint[]){(MPI_Aint)start, (MPI_Aint)(start + pieces * limit)},
                                  (MPI_Datatype[]){whole, MPI_BYTE}, type);
    MPI_Type_free(&whole);
    return code == MPI_SUCCESS ? MPI_Type_commit(type) : code;
}

/* A datatype for each rank, which has its start and all its bytes, so that MPI is given a count of 1. */
static int describe_all(const struct strew_mpi_traffic *traffic, size_t unit, int ranks, int64_t limit, int *counts,
                        int *starts, MPI_Datatype *types)
{
    int code = MPI_SUCCESS;
    for (int rank = 0; rank < ranks; rank++) {
        const int64_t bytes = traffic->counts[rank] * (int64_t)unit, start = traffic->starts[rank] * (int64_t)unit;
        counts[rank] = bytes > 0;
        starts[rank] = 0;
        types[rank] = MPI_BYTE;
        if (bytes > 0 && code == MPI_SUCCESS) {
            code = describe(bytes, start, limit, &types[rank]);
            if (code != MPI_SUCCESS)
                types[rank] = MPI_BYTE;
        }
    }
    return code;
}

static void forget(MPI_Datatype *types, int count)
{
    for (int i = 0; i < count; i++)
        if (types[i] != MPI_BYTE)
            MPI_Type_free(&types[i]);
}

static int exchange_described(strew_mpi_context *context, const void *sent, const struct strew_mpi_traffic *out,
                              void *received, const struct strew_mpi_traffic *in, size_t unit)
{
    const int ranks = context->size;
    MPI_Datatype *types = (MPI_Datatype *)((int64_t *)context->integers.memory + 4 * (size_t)ranks);
    int *counts = context->integers.memory;
    const int first = describe_all(out, unit, ranks, context->limit, counts, counts + ranks, types);
    const int second =
        describe_all(in, unit, ranks, context->limit, counts + 2 * ranks, counts + 3 * ranks, types + ranks);
    int code = first != MPI_SUCCESS ? first : second;
    if (code == MPI_SUCCESS)
        code = MPI_Alltoallw(sent, counts, counts + ranks, types, received, counts + 2 * ranks, counts + 3 * ranks,
                             types + ranks, context->comm);
    forget(types, 2 * ranks);
    return code;
}

#if MPI_VERSION >= 4
static void in_large_bytes(const struct strew_mpi_traffic *traffic, size_t unit, int ranks, MPI_Count *counts,
                           MPI_Aint *starts)
{
    for (int rank = 0; rank < ranks; rank++) {
        counts[rank] = traffic->counts[rank] * (int64_t)unit;
        starts[rank] = (MPI_Aint)(traffic->starts[rank] * (int64_t)unit);
    }
}

_Static_assert(sizeof(MPI_Count) <= sizeof(int64_t) && sizeof(MPI_Aint) <= sizeof(int64_t),
               "the context has eight bytes for each of them");

static int exchange_counted(strew_mpi_context *context, const void *sent, const struct strew_mpi_traffic *out,
                            void *received, const struct strew_mpi_traffic *in, size_t unit)
{
    const int ranks = context->size;
    MPI_Count *counts = context->integers.memory;
    MPI_Aint *starts = (MPI_Aint *)((int64_t *)context->integers.memory + 2 * (size_t)ranks);
    in_large_bytes(out, unit, ranks, counts, starts);
    in_large_bytes(in, unit, ranks, counts + ranks, starts + ranks);
    return MPI_Alltoallv_c(sent, counts, starts, MPI_BYTE, received, counts + ranks, starts + ranks, MPI_BYTE,
                           context->comm);
}
#endif

/*
 * All ranks go the same way, since they have agreed on the largest. MPI 4 has counts that are large enough; with
 * MPI 3.1 datatypes take their place.
 */
bool strew_mpi_exchange(struct strew_mpi_call *call, const void *sent, const struct strew_mpi_traffic *out,
                        void *received, const struct strew_mpi_traffic *in, size_t unit)
{
    strew_mpi_context *context = call->context;
    if (unit == 0)
        return true;
    if (call->largest <= context->limit)
        return strew_mpi_succeeded(call, exchange_small(context, sent, out, received, in, unit));
#if MPI_VERSION >= 4
    if (context->has_large_counts)
        return strew_mpi_succeeded(call, exchange_counted(context, sent, out, received, in, unit));
#endif
    return strew_mpi_succeeded(call, exchange_described(context, sent, out, received, in, unit));
}
