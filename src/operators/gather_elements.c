/* GatherElements, unversioned. */
#include "operators/operator.h"

static strew_call call_of(const strew_tensor *data, const strew_tensor *indices, int64_t axis,
                          const strew_tensor *output, const strew_options *options)
{
    return (strew_call){
        .rules = strew_unversioned(STREW_KIND_GATHER_ELEMENTS),
        .attributes = {.given = STREW_ATTRIBUTE_AXIS, .axis = axis},
        .data = data,
        .indices = indices,
        .output = output,
        .options = options,
    };
}

strew_status strew_gather_elements(const strew_tensor *data, const strew_tensor *indices, int64_t axis,
                                   const strew_tensor *output, const strew_options *options)
{
    strew_call call = call_of(data, indices, axis, output, options);
    return strew_call_run(&call);
}

strew_status strew_gather_elements_shape(const strew_tensor *data, const strew_tensor *indices, int64_t axis,
                                         int64_t shape[STREW_MAX_RANK], int32_t *rank, const strew_options *options)
{
    strew_call call = call_of(data, indices, axis, NULL, options);
    return strew_call_shape(&call, shape, rank);
}

strew_status strew_plan_gather_elements(strew_plan *plan, const strew_tensor *data, const strew_tensor *indices,
                                        int64_t axis, const strew_tensor *output, const strew_options *options)
{
    strew_call call = call_of(data, indices, axis, output, options);
    return strew_call_plan(&call, plan);
}
