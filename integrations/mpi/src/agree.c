/* A small collective that tells every rank whether all of them can continue. */
#include "internal.h"

#include <limits.h>

/* The value of a rank without a failure: neutral in a minimum. */
static const int64_t nothing = INT64_MAX;

/* All ranks take over the failure of the first rank that has one. */
static bool adopt(struct strew_mpi_call *call, int rank)
{
    strew_mpi_error found = call->failure;
    if (strew_mpi_succeeded(call, MPI_Bcast(&found, (int)sizeof found, MPI_BYTE, rank, call->context->comm)))
        call->failure = found;
    return false;
}

/* The first field that differs, or FIELD_COUNT. */
static int first_difference(const int64_t a[FIELD_COUNT], const int64_t b[FIELD_COUNT])
{
    int field = 0;
    while (field < FIELD_COUNT && a[field] == b[field])
        field++;
    return field;
}

/* Finds the first rank whose fields differ from rank 0's, and the first field that differs. */
static bool name_difference(struct strew_mpi_call *call)
{
    strew_mpi_context *context = call->context;
    int64_t first[FIELD_COUNT], other[FIELD_COUNT];
    for (int field = 0; field < FIELD_COUNT; field++)
        first[field] = other[field] = call->fields[field];
    if (!strew_mpi_succeeded(call, MPI_Bcast(first, FIELD_COUNT, MPI_INT64_T, 0, context->comm)))
        return false;
    const int mine = first_difference(first, call->fields) < FIELD_COUNT ? context->rank : INT_MAX;
    int rank = 0;
    if (!strew_mpi_succeeded(call, MPI_Allreduce(&mine, &rank, 1, MPI_INT, MPI_MIN, context->comm)) ||
        !strew_mpi_succeeded(call, MPI_Bcast(other, FIELD_COUNT, MPI_INT64_T, rank, context->comm)))
        return false;
    const int field = first_difference(first, other);
    strew_mpi_refuse(call, STREW_MPI_STATUS_RANKS_DIFFER, REASON_DIFFERS, field, other[field], first[field]);
    call->failure.rank = rank;
    call->failure.other_rank = 0;
    return false;
}

/*
 * Computes in one minimum the least rank with a failure, and the least and the greatest value of each field: the
 * minimum of the complements is the complement of the greatest. Ranks with a failure do not take part in the
 * fields.
 */
bool strew_mpi_agree(struct strew_mpi_call *call)
{
    enum { FAILED, LARGEST, LEAST, GREATEST = LEAST + FIELD_COUNT, LENGTH = GREATEST + FIELD_COUNT };
    strew_mpi_context *context = call->context;
    const bool failed = call->failure.status != STREW_STATUS_OK;
    int64_t mine[LENGTH], all[LENGTH];
    mine[FAILED] = failed ? context->rank : nothing;
    mine[LARGEST] = ~call->largest;
    for (int field = 0; field < FIELD_COUNT; field++) {
        mine[LEAST + field] = failed ? nothing : call->fields[field];
        mine[GREATEST + field] = failed ? nothing : ~call->fields[field];
    }
    if (!strew_mpi_succeeded(call, MPI_Allreduce(mine, all, LENGTH, MPI_INT64_T, MPI_MIN, context->comm)))
        return false;
    call->largest = ~all[LARGEST];
    if (all[FAILED] != nothing)
        return adopt(call, (int)all[FAILED]);
    for (int field = 0; field < FIELD_COUNT; field++)
        if (all[LEAST + field] != ~all[GREATEST + field])
            return name_difference(call);
    return true;
}
