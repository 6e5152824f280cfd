/* ScatterND, unversioned. */
#include "operators/operator.h"

static strew_call call_of(const strew_tensor *data, const strew_tensor *indices, const strew_tensor *updates,
                          strew_reduction reduction, const strew_tensor *output, const strew_options *options)
{
    return (strew_call){
        .rules = strew_unversioned(STREW_KIND_SCATTER_ND),
        .attributes = {.given = STREW_ATTRIBUTE_REDUCTION, .reduction = reduction},
        .data = data,
        .indices = indices,
        .updates = updates,
        .output = output,
        .options = options,
    };
}

strew_status strew_scatter_nd(const strew_tensor *data, const strew_tensor *indices, const strew_tensor *updates,
                              strew_reduction reduction, const strew_tensor *output, const strew_options *options)
{
    strew_call call = call_of(data, indices, updates, reduction, output, options);
    return strew_call_run(&call);
}

strew_status strew_scatter_nd_shape(const strew_tensor *data, const strew_tensor *indices,
                                    const strew_tensor *updates, int64_t shape[STREW_MAX_RANK], int32_t *rank,
                                    const strew_options *options)
{
    strew_call call = call_of(data, indices, updates, STREW_REDUCTION_NONE, NULL, options);
    return strew_call_shape(&call, shape, rank);
}

strew_status strew_plan_scatter_nd(strew_plan *plan, const strew_tensor *data, const strew_tensor *indices,
                                   const strew_tensor *updates, strew_reduction reduction,
                                   const strew_tensor *output, const strew_options *options)
{
    strew_call call = call_of(data, indices, updates, reduction, output, options);
    return strew_call_plan(&call, plan);
}
