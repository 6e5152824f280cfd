/* Checks the arguments of this rank, except the values of indices. */
#include "internal.h"

static bool has_elements(const strew_tensor *tensor)
{
    for (int32_t axis = 0; axis < tensor->rank; axis++)
        if (tensor->shape[axis] == 0)
            return false;
    return true;
}

/* ---- Tables and operands ------------------------------------------------------------------------- */

bool strew_mpi_check_table(struct strew_mpi_call *call, const strew_mpi_table *table)
{
    if (!table)
        return strew_mpi_refuse_null(call, REASON_NULL, ARGUMENT_TABLE);
    if (table->rank < 1 || table->rank > STREW_MAX_RANK)
        return strew_mpi_refuse(call, STREW_STATUS_SHAPE_MISMATCH, REASON_TABLE_RANK, 0, table->rank,
                                STREW_MAX_RANK);
    if (!table->shape)
        return strew_mpi_refuse_null(call, REASON_NULL, ARGUMENT_SHAPE);
    if (table->block < 0)
        return strew_mpi_refuse(call, STREW_STATUS_INVALID_ARGUMENT, REASON_BLOCK, 0, table->block, 0);
    return true;
}

static bool check_dtype(struct strew_mpi_call *call, strew_dtype dtype)
{
    if (dtype == STREW_DTYPE_STRING)
        return strew_mpi_refuse(call, STREW_STATUS_UNSUPPORTED_DTYPE, REASON_STRINGS, 0, 0, 0);
    if (strew_dtype_bits(dtype) % 8 != 0)
        return strew_mpi_refuse(call, STREW_STATUS_UNSUPPORTED_DTYPE, REASON_PACKED, 0, 0, 0);
    call->fields[FIELD_DTYPE] = dtype;
    return true;
}

/* Checks only mean: strew checks the other reductions. */
static bool check_reduction(struct strew_mpi_call *call, strew_reduction reduction, strew_dtype dtype)
{
    call->fields[FIELD_REDUCTION] = reduction;
    if (reduction == STREW_REDUCTION_MEAN && strew_dtype_size(dtype) && !strew_reduction_supports(reduction, dtype))
        return strew_mpi_refuse(call, STREW_STATUS_UNSUPPORTED_REDUCTION, REASON_REDUCTION, 0, reduction, dtype);
    return true;
}

/*
 * Lets strew check these shapes and types, as if the whole table were here. strew_scatter_nd has no mean; otherwise
 * a mean is checked like a sum.
 */
static bool check_shapes(struct strew_mpi_call *call, const struct strew_mpi_rows *rows,
                         const strew_tensor *indices)
{
    const strew_mpi_table *table = rows->table;
    const strew_tensor data = {NULL, table->dtype, table->rank, table->shape, NULL};
    const strew_reduction reduction =
        rows->reduction == STREW_REDUCTION_MEAN ? STREW_REDUCTION_SUM : rows->reduction;
    strew_plan plan;
    strew_error error = {0};
    strew_plan_options options = STREW_PLAN_OPTIONS_INIT;
    options.isa = call->options.isa;
    options.error = &error;
    const strew_status status =
        rows->is_scatter ? strew_plan_scatter_nd(&plan, &data, indices, rows->operand, reduction, &data, &options)
                         : strew_plan_gather_nd(&plan, &data, indices, 0, rows->operand, &options);
    return status == STREW_STATUS_OK || strew_mpi_refuse_local(call, &error);
}

bool strew_mpi_check_rows(struct strew_mpi_call *call, const struct strew_mpi_rows *rows,
                          const strew_tensor *indices)
{
    return check_dtype(call, rows->table->dtype) &&
           (!rows->is_scatter || check_reduction(call, rows->reduction, rows->table->dtype)) &&
           check_shapes(call, rows, indices);
}

/* ---- Indices ------------------------------------------------------------------------------------- */

bool strew_mpi_check_indices(struct strew_mpi_call *call, const strew_tensor *indices)
{
    if (indices->rank != 2)
        return strew_mpi_refuse(call, STREW_STATUS_SHAPE_MISMATCH, REASON_INDICES_RANK, 0, indices->rank, 2);
    if (indices->shape[1] == 0)
        return strew_mpi_refuse(call, STREW_STATUS_INVALID_ARGUMENT, REASON_NO_COORDINATES, 0, 0, 0);
    if (!indices->data && has_elements(indices))
        return strew_mpi_refuse_null(call, REASON_NULL_DATA, ARGUMENT_INDICES);
    return true;
}

/* Checks indices without an operand: as if they gathered bytes. */
bool strew_mpi_check_list(struct strew_mpi_call *call, const strew_mpi_table *table, const strew_tensor *indices)
{
    if (!strew_mpi_check_table(call, table))
        return false;
    if (!indices)
        return strew_mpi_refuse_null(call, REASON_NULL, ARGUMENT_INDICES);
    strew_mpi_table bytes = *table;
    bytes.dtype = STREW_DTYPE_UINT8;
    const strew_tensor data = {NULL, bytes.dtype, bytes.rank, bytes.shape, NULL};
    int64_t shape[STREW_MAX_RANK];
    strew_tensor output = {NULL, bytes.dtype, 0, shape, NULL};
    strew_error error = {0};
    if (strew_gather_nd_shape(&data, indices, 0, shape, &output.rank, &error) != STREW_STATUS_OK)
        return strew_mpi_refuse_local(call, &error);
    const struct strew_mpi_rows rows = {.table = &bytes, .operand = &output};
    return check_shapes(call, &rows, indices) && strew_mpi_check_indices(call, indices);
}

/* ---- What has been planned ----------------------------------------------------------------------- */

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
    const int64_t block = strew_mpi_clamp_block(table->shape[0], table->block, plan->context->size);
    return block == plan->block || refuse_shape(call, FIELD_BLOCK, block, plan->block);
}

bool strew_mpi_check_planned(struct strew_mpi_call *call, const struct strew_mpi_plan *plan,
                             const struct strew_mpi_rows *rows)
{
    const strew_tensor *operand = rows->operand;
    const strew_tensor indices = {NULL, STREW_DTYPE_INT64, 2, (int64_t[]){plan->count, plan->width}, NULL};
    if (!strew_mpi_check_table(call, rows->table) || !is_of_plan(call, plan, rows->table))
        return false;
    if (operand && operand->rank > 0 && operand->shape && operand->shape[0] != plan->count)
        return refuse_shape(call, FIELD_COUNT, operand->shape[0], plan->count);
    return strew_mpi_check_rows(call, rows, &indices);
}

/* ---- Memory -------------------------------------------------------------------------------------- */

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

bool strew_mpi_check_memory(struct strew_mpi_call *call, const struct strew_mpi_rows *rows)
{
    if (!rows->table->rows && rows->plan->slices > 0 && rows->bytes > 0)
        return strew_mpi_refuse_null(call, REASON_NULL_DATA, ARGUMENT_ROWS);
    if (!rows->operand->data && has_elements(rows->operand))
        return strew_mpi_refuse_null(call, REASON_NULL_DATA, rows->is_scatter ? ARGUMENT_UPDATES : ARGUMENT_OUTPUT);
    return rows->is_scatter || check_overlap(call, rows);
}
