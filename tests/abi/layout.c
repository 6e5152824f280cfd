/* Every field of every public struct, in order. LAYOUT names the table; this file is C and C++ alike. */
#include <strew/inspect.h>
#include <strew/operators.h>

#include "layout.h"

#ifndef LAYOUT
#define LAYOUT layout
#endif
#define PASTED(name, end) name##end
#define COUNT_OF(name) PASTED(name, _count)

/* clang-format off */
#define FIELD(type, field, pointers, bytes) \
    {#type, #field, offsetof(type, field), sizeof(((type *)NULL)->field), pointers, bytes}
#define END(type) {#type, NULL, sizeof(type), 0, 0, 0}
/* clang-format on */

const layout_field LAYOUT[] = {
    FIELD(strew_error, status, 0, 4),
    FIELD(strew_error, reason, 0, 4),
    FIELD(strew_error, operand, 0, 4),
    FIELD(strew_error, other, 0, 4),
    FIELD(strew_error, dimension, 0, 4),
    FIELD(strew_error, value_is_unsigned, 0, 4),
    FIELD(strew_error, position_rank, 0, 4),
    FIELD(strew_error, reserved, 0, 4),
    FIELD(strew_error, value, 0, 8),
    FIELD(strew_error, lower, 0, 8),
    FIELD(strew_error, upper, 0, 8),
    FIELD(strew_error, position, 0, 256),
    END(strew_error),

    FIELD(strew_string, data, 1, 0),
    FIELD(strew_string, size, 1, 0),
    END(strew_string),

    FIELD(strew_tensor, data, 1, 0),
    FIELD(strew_tensor, dtype, 0, 4),
    FIELD(strew_tensor, rank, 0, 4),
    FIELD(strew_tensor, shape, 1, 0),
    FIELD(strew_tensor, strides, 1, 0),
    END(strew_tensor),

    FIELD(strew_parallel, run, 1, 0),
    FIELD(strew_parallel, pool, 1, 0),
    FIELD(strew_parallel, threads, 1, 0),
    END(strew_parallel),

    FIELD(strew_options, struct_size, 1, 0),
    FIELD(strew_options, isa, 0, 4),
    FIELD(strew_options, flags, 0, 4),
    FIELD(strew_options, parallel, 1, 0),
    FIELD(strew_options, scratch, 1, 0),
    FIELD(strew_options, scratch_size, 1, 0),
    FIELD(strew_options, error, 1, 0),
    FIELD(strew_options, bounds, 0, 4),
    FIELD(strew_options, reserved, 0, 4),
    FIELD(strew_options, fill, 1, 0),
    END(strew_options),

    FIELD(strew_plan_options, struct_size, 1, 0),
    FIELD(strew_plan_options, isa, 0, 4),
    FIELD(strew_plan_options, flags, 0, 4),
    FIELD(strew_plan_options, threads, 1, 0),
    FIELD(strew_plan_options, error, 1, 0),
    FIELD(strew_plan_options, bounds, 0, 4),
    FIELD(strew_plan_options, reserved, 0, 4),
    END(strew_plan_options),

    FIELD(strew_run_options, struct_size, 1, 0),
    FIELD(strew_run_options, parallel, 1, 0),
    FIELD(strew_run_options, scratch, 1, 0),
    FIELD(strew_run_options, scratch_size, 1, 0),
    FIELD(strew_run_options, error, 1, 0),
    FIELD(strew_run_options, fill, 1, 0),
    END(strew_run_options),

    FIELD(strew_plan, storage, 0, 8192),
    END(strew_plan),

    FIELD(strew_buffers, data, 1, 0),
    FIELD(strew_buffers, indices, 1, 0),
    FIELD(strew_buffers, updates, 1, 0),
    FIELD(strew_buffers, output, 1, 0),
    FIELD(strew_buffers, segments, 1, 0),
    FIELD(strew_buffers, weights, 1, 0),
    END(strew_buffers),

    FIELD(strew_kernel_info, operation, 1, 0),
    FIELD(strew_kernel_info, operand, 1, 0),
    FIELD(strew_kernel_info, isa, 0, 4),
    FIELD(strew_kernel_info, reserved, 0, 4),
    END(strew_kernel_info),

    FIELD(strew_operator, name, 1, 0),
    FIELD(strew_operator, collection, 1, 0),
    FIELD(strew_operator, version, 0, 4),
    FIELD(strew_operator, kind, 0, 4),
    FIELD(strew_operator, attributes, 0, 4),
    FIELD(strew_operator, required, 0, 4),
    FIELD(strew_operator, reductions, 0, 4),
    FIELD(strew_operator, data_dtypes, 0, 4),
    FIELD(strew_operator, index_dtypes, 0, 4),
    FIELD(strew_operator, rules, 0, 4),
    END(strew_operator),

    FIELD(strew_attributes, given, 0, 4),
    FIELD(strew_attributes, reduction, 0, 4),
    FIELD(strew_attributes, axis, 0, 8),
    FIELD(strew_attributes, batch_dims, 0, 8),
    FIELD(strew_attributes, use_init_val, 0, 4),
    FIELD(strew_attributes, circular, 0, 4),
    FIELD(strew_attributes, slice, 1, 0),
    FIELD(strew_attributes, segments, 1, 0),
    FIELD(strew_attributes, weights, 1, 0),
    FIELD(strew_attributes, reserved_pointer, 1, 0),
    FIELD(strew_attributes, default_index, 0, 8),
    FIELD(strew_attributes, segment_count, 0, 8),
    FIELD(strew_attributes, empty, 0, 4),
    FIELD(strew_attributes, reserved, 0, 4),
    END(strew_attributes),

    FIELD(strew_slice, count, 0, 4),
    FIELD(strew_slice, reserved, 0, 4),
    FIELD(strew_slice, starts, 1, 0),
    FIELD(strew_slice, stops, 1, 0),
    FIELD(strew_slice, steps, 1, 0),
    FIELD(strew_slice, axes, 1, 0),
    END(strew_slice),
};
const size_t COUNT_OF(LAYOUT) = sizeof LAYOUT / sizeof *LAYOUT;
