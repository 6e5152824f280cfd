/* Where the fields of the public structures stand. */
#include "shim.h"

#define STRUCTURE(structure) {#structure, "", 0, sizeof(structure)},
#define FIELD(structure, field) {#structure, #field, offsetof(structure, field), sizeof(((structure *)0)->field)},

/* clang-format off */
static const strew_peers_field fields[] = {
    STRUCTURE(strew_tensor)
    FIELD(strew_tensor, data)
    FIELD(strew_tensor, dtype)
    FIELD(strew_tensor, rank)
    FIELD(strew_tensor, shape)
    FIELD(strew_tensor, strides)
    STRUCTURE(strew_parallel)
    FIELD(strew_parallel, run)
    FIELD(strew_parallel, pool)
    FIELD(strew_parallel, threads)
    STRUCTURE(strew_error)
    FIELD(strew_error, status)
    FIELD(strew_error, reason)
    FIELD(strew_error, operand)
    FIELD(strew_error, other)
    FIELD(strew_error, dimension)
    FIELD(strew_error, value_is_unsigned)
    FIELD(strew_error, position_rank)
    FIELD(strew_error, reserved)
    FIELD(strew_error, value)
    FIELD(strew_error, lower)
    FIELD(strew_error, upper)
    FIELD(strew_error, position)
    STRUCTURE(strew_plan_options)
    FIELD(strew_plan_options, struct_size)
    FIELD(strew_plan_options, isa)
    FIELD(strew_plan_options, flags)
    FIELD(strew_plan_options, threads)
    FIELD(strew_plan_options, error)
    STRUCTURE(strew_run_options)
    FIELD(strew_run_options, struct_size)
    FIELD(strew_run_options, parallel)
    FIELD(strew_run_options, scratch)
    FIELD(strew_run_options, scratch_size)
    FIELD(strew_run_options, error)
    STRUCTURE(strew_plan)
    FIELD(strew_plan, storage)
    STRUCTURE(strew_buffers)
    FIELD(strew_buffers, data)
    FIELD(strew_buffers, indices)
    FIELD(strew_buffers, updates)
    FIELD(strew_buffers, output)
};
/* clang-format on */

const strew_peers_field *strew_peers_field_at(size_t index)
{
    return index < sizeof fields / sizeof *fields ? &fields[index] : NULL;
}
