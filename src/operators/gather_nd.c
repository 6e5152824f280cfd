/* GatherND, unversioned: batch dimensions kept, any dtype, any integer index. */
#include "operators/operator.h"

static strew_call call_of(const strew_tensor *data, const strew_tensor *indices, int64_t batch_dims,
                          const strew_tensor *output, const strew_options *options)
{
    return (strew_call){
        .rules = strew_unversioned(STREW_KIND_GATHER_ND),
        .attributes = {.given = STREW_ATTRIBUTE_BATCH_DIMS, .batch_dims = batch_dims},
        .data = data,
        .indices = indices,
        .output = output,
        .options = options,
    };
}

strew_status strew_gather_nd(const strew_tensor *data, const strew_tensor *indices, int64_t batch_dims,
                             const strew_tensor *output, const strew_options *options)
{
    strew_call call = call_of(data, indices, batch_dims, output, options);
    return strew_call_run(&call);
}

strew_status strew_gather_nd_shape(const strew_tensor *data, const strew_tensor *indices, int64_t batch_dims,
                                   int64_t shape[STREW_MAX_RANK], int32_t *rank, const strew_options *options)
{
    strew_call call = call_of(data, indices, batch_dims, NULL, options);
    return strew_call_shape(&call, shape, rank);
}

strew_status strew_plan_gather_nd(strew_plan *plan, const strew_tensor *data, const strew_tensor *indices,
                                  int64_t batch_dims, const strew_tensor *output, const strew_options *options)
{
    strew_call call = call_of(data, indices, batch_dims, output, options);
    return strew_call_plan(&call, plan);
}
