/* ScatterElements, unversioned. */
#include "operators/operator.h"

static strew_call call_of(const strew_tensor *data, const strew_tensor *indices, const strew_tensor *updates,
                          int64_t axis, strew_reduction reduction, bool use_init_val, const strew_tensor *output,
                          const strew_options *options)
{
    return (strew_call){
        .rules = strew_unversioned(STREW_KIND_SCATTER_ELEMENTS),
        .attributes = {.given = STREW_ATTRIBUTE_AXIS | STREW_ATTRIBUTE_REDUCTION | STREW_ATTRIBUTE_USE_INIT_VAL,
                       .axis = axis,
                       .reduction = reduction,
                       .use_init_val = use_init_val},
        .data = data,
        .indices = indices,
        .updates = updates,
        .output = output,
        .options = options,
    };
}

strew_status strew_scatter_elements(const strew_tensor *data, const strew_tensor *indices,
                                    const strew_tensor *updates, int64_t axis, strew_reduction reduction,
                                    bool use_init_val, const strew_tensor *output, const strew_options *options)
{
    strew_call call = call_of(data, indices, updates, axis, reduction, use_init_val, output, options);
    return strew_call_run(&call);
}

strew_status strew_scatter_elements_shape(const strew_tensor *data, const strew_tensor *indices,
                                          const strew_tensor *updates, int64_t axis, int64_t shape[STREW_MAX_RANK],
                                          int32_t *rank, const strew_options *options)
{
    strew_call call = call_of(data, indices, updates, axis, STREW_REDUCTION_NONE, true, NULL, options);
    return strew_call_shape(&call, shape, rank);
}

strew_status strew_plan_scatter_elements(strew_plan *plan, const strew_tensor *data, const strew_tensor *indices,
                                         const strew_tensor *updates, int64_t axis, strew_reduction reduction,
                                         bool use_init_val, const strew_tensor *output,
                                         const strew_options *options)
{
    strew_call call = call_of(data, indices, updates, axis, reduction, use_init_val, output, options);
    return strew_call_plan(&call, plan);
}
