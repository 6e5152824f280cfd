#include "kernels.h"
#include "memory.h"

/* ---- One kernel ------------------------------------------------------------------------------------------- */

typedef struct kernel {
    OrtKernelImpl base;
    const OrtApi *api;
    strew_ort_node *node;
} kernel;

static OrtStatus *ORT_API_CALL compute(OrtKernelImpl *base, OrtKernelContext *context)
{
    return strew_ort_node_run(((kernel *)base)->node, context);
}

static void ORT_API_CALL release(OrtKernelImpl *base)
{
    kernel *self = (kernel *)base;
    strew_ort_node_destroy(self->node);
    strew_ort_free(self->api, self);
}

/* An OrtKernelCreateFunc, whose state is an entry. */
static OrtStatus *ORT_API_CALL create(void *state, const OrtKernelInfo *info, OrtKernelImpl **created)
{
    const strew_ort_entry *entry = state;
    const OrtApi *api = entry->kernels->api;
    void *storage = NULL;
    OrtStatus *status = strew_ort_allocate(api, sizeof(kernel), &storage);
    if (status)
        return status;
    kernel *self = storage;
    self->base.ort_version_supported = STREW_ORT_REGISTRY_VERSION;
    self->base.Compute = compute;
    self->base.Release = release;
    self->api = api;
    status = strew_ort_node_create(api, entry->kernels->get_shape, info, entry->op, &entry->kernels->threads,
                                   &self->node);
    if (status)
        release(&self->base);
    else
        *created = &self->base;
    return status;
}

/* ---- What the runtime learns of it ------------------------------------------------------------------------ */

/* Restricts a type parameter to the dtypes of a set, as far as the runtime has them as tensors. */
static OrtStatus *constrain(const strew_ort_kernels *kernels, OrtKernelDefBuilder *builder, const char *parameter,
                            uint32_t dtypes)
{
    const OrtDataType *types[STREW_DTYPE_COUNT];
    size_t count = 0;
    for (strew_dtype dtype = STREW_DTYPE_NONE + 1; dtype < STREW_DTYPE_COUNT; dtype++) {
        if (!(dtypes & 1u << dtype))
            continue;
        OrtStatus *status = kernels->registry_api->GetTensorDataType(strew_ort_element_type(dtype), &types[count]);
        count += !status;
        kernels->api->ReleaseStatus(status);
    }
    return kernels->registry_api->KernelDefBuilder_AddTypeConstraint(builder, parameter, types, count);
}

/* Operators with indices of either type have a type parameter for them; the others have only int64. */
static bool has_index_parameter(const strew_operator *op)
{
    return op->index_dtypes != 1u << STREW_DTYPE_INT64;
}

static OrtStatus *describe(const strew_ort_kernels *kernels, OrtKernelDefBuilder *builder, const strew_operator *op)
{
    const strew_ort_registry_api *api = kernels->registry_api;
    const int first = 0;
    char type[STREW_ORT_NAME_SIZE];
    strew_ort_operator_type(op, type);
    OrtStatus *status = api->KernelDefBuilder_SetOperatorType(builder, type);
    if (!status)
        status = api->KernelDefBuilder_SetDomain(builder, "");
    if (!status)
        status = api->KernelDefBuilder_SetSinceVersion(builder, op->version, op->version);
    if (!status)
        status = api->KernelDefBuilder_SetExecutionProvider(builder, STREW_ORT_PROVIDER);
    if (!status)
        status = constrain(kernels, builder, "T", op->data_dtypes);
    if (!status && has_index_parameter(op))
        status = constrain(kernels, builder, "Tind", op->index_dtypes);
    /* A scatter's output may be the memory of its data, if nothing else reads data. */
    if (!status && strew_ort_scatters(op))
        status = api->KernelDefBuilder_AddInputOutputMutableAliases(builder, &first, &first, 1);
    return status;
}

static OrtStatus *add(strew_ort_kernels *kernels, strew_ort_entry *entry)
{
    const strew_ort_registry_api *api = kernels->registry_api;
    OrtKernelDefBuilder *builder;
    OrtKernelDef *definition = NULL;
    OrtStatus *status = api->CreateKernelDefBuilder(&builder);
    if (status)
        return status;
    status = describe(kernels, builder, entry->op);
    if (!status)
        status = api->KernelDefBuilder_Build(builder, &definition);
    if (!status)
        status = api->KernelRegistry_AddKernel(kernels->registry, definition, create, entry);
    if (definition)
        api->ReleaseKernelDef(definition);
    api->ReleaseKernelDefBuilder(builder);
    return status;
}

OrtStatus *strew_ort_kernels_register(strew_ort_kernels *kernels, const OrtApi *api, strew_ort_get_shape *get_shape)
{
    kernels->api = api;
    kernels->get_shape = get_shape;
    kernels->registry_api = strew_ort_registry_of(api->GetEpApi());
    OrtStatus *status = kernels->registry_api->CreateKernelRegistry(&kernels->registry);
    for (size_t i = 0; !status && i < strew_ort_operator_count() && i < STREW_ORT_MOST_KERNELS; i++) {
        kernels->entries[i] = (strew_ort_entry){kernels, strew_ort_operator_at(i)};
        status = add(kernels, &kernels->entries[i]);
    }
    return status;
}

void strew_ort_kernels_release(strew_ort_kernels *kernels)
{
    if (kernels->registry)
        kernels->registry_api->ReleaseKernelRegistry(kernels->registry);
    kernels->registry = NULL;
}
