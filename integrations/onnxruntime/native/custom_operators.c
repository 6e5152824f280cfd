/*
 * strew's operators as custom operators of ONNX Runtime, in the domain com.strew: ScatterND, ScatterElements,
 * Scatter, TensorScatter, GatherND, GatherElements and Gather with ONNX's inputs and attributes, and one more:
 *
 *     version    the published version whose rules hold, 13 for GatherND-13; the newest if it is not given
 *
 * A custom operator has one type for each input, so that each type has an operator of its own under the same name.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "memory.h"
#include "run.h"
#include "shapes.h"

enum {
    LEAST_API = 18, /* the oldest runtime supported: the first whose custom operators run in place */
    INDEX_DTYPES = 2,
};

static const char domain_name[] = "com.strew";

typedef struct custom_operator {
    OrtCustomOp base; /* first: the runtime knows no more of it */
    const OrtApi *api;
    strew_ort_get_shape *get_shape;
    char type[STREW_ORT_NAME_SIZE];
    const strew_operator *newest;
    ONNXTensorElementDataType data, indices;
} custom_operator;

/* The operators given to one runtime in this process. They are kept, since its sessions hold on to them. */
typedef struct registration {
    const OrtApi *api;
    strew_ort_get_shape *get_shape;
    OrtCustomOpDomain *domain;
    struct registration *next;
    size_t count;
    custom_operator operators[]; /* count of them */
} registration;

static const custom_operator *self_of(const OrtCustomOp *base)
{
    return (const custom_operator *)base;
}

/* ---- What it takes ---------------------------------------------------------------------------------------- */

static const char *ORT_API_CALL get_name(const OrtCustomOp *base)
{
    return self_of(base)->type;
}

/* NULL: the CPU's. */
static const char *ORT_API_CALL get_provider(const OrtCustomOp *base)
{
    (void)base;
    return NULL;
}

static ONNXTensorElementDataType ORT_API_CALL get_input_type(const OrtCustomOp *base, size_t index)
{
    const custom_operator *self = self_of(base);
    return strew_ort_operand_at(self->newest, index) == STREW_ORT_INDICES ? self->indices : self->data;
}

static size_t ORT_API_CALL get_input_count(const OrtCustomOp *base)
{
    return strew_ort_input_count(self_of(base)->newest);
}

static ONNXTensorElementDataType ORT_API_CALL get_output_type(const OrtCustomOp *base, size_t index)
{
    (void)index;
    return self_of(base)->data;
}

static size_t ORT_API_CALL get_output_count(const OrtCustomOp *base)
{
    (void)base;
    return 1;
}

static OrtCustomOpInputOutputCharacteristic ORT_API_CALL get_input_characteristic(const OrtCustomOp *base,
                                                                                  size_t index)
{
    return strew_ort_is_optional(self_of(base)->newest, index) ? INPUT_OUTPUT_OPTIONAL : INPUT_OUTPUT_REQUIRED;
}

static OrtCustomOpInputOutputCharacteristic ORT_API_CALL get_output_characteristic(const OrtCustomOp *base,
                                                                                   size_t index)
{
    (void)base;
    (void)index;
    return INPUT_OUTPUT_REQUIRED;
}

static OrtMemType ORT_API_CALL get_memory_type(const OrtCustomOp *base, size_t index)
{
    (void)base;
    (void)index;
    return OrtMemTypeDefault;
}

/* The minimum number of variadic operands, and whether they share a type. There are no such operands. */
static int ORT_API_CALL get_variadic(const OrtCustomOp *base)
{
    (void)base;
    return 1;
}

static int ORT_API_CALL get_start_version(const OrtCustomOp *base)
{
    (void)base;
    return 1;
}

static int ORT_API_CALL get_end_version(const OrtCustomOp *base)
{
    (void)base;
    return INT32_MAX;
}

/* A scatter's output may be the memory of data, if nothing else reads data: the runtime checks that. */
static size_t ORT_API_CALL get_may_inplace(int **inputs, int **outputs)
{
    static int data[] = {0}, output[] = {0};
    *inputs = data;
    *outputs = output;
    return 1;
}

static void ORT_API_CALL release_may_inplace(int *inputs, int *outputs)
{
    (void)inputs;
    (void)outputs;
}

/* The runtime asks only the first operator of a name, whatever a node's types: so this uses no types. */
static OrtStatusPtr ORT_API_CALL infer_shape(const OrtCustomOp *base, OrtShapeInferContext *context)
{
    strew_ort_infer_shape(self_of(base)->api, self_of(base)->newest, context);
    return NULL;
}

/* ---- A node ----------------------------------------------------------------------------------------------- */

static OrtStatus *refuse_version(const custom_operator *self, int64_t version)
{
    char message[256];
    int length = snprintf(message, sizeof message, "%s.%s: version is %lld, which strew does not have; it has",
                          domain_name, self->type, (long long)version);
    for (size_t i = 0; i < strew_ort_operator_count() && length < (int)sizeof message; i++) {
        const strew_operator *op = strew_ort_operator_at(i);
        char type[STREW_ORT_NAME_SIZE];
        strew_ort_operator_type(op, type);
        if (strcmp(type, self->type) == 0)
            length += snprintf(message + length, sizeof message - (size_t)length, " %d", (int)op->version);
    }
    return self->api->CreateStatus(ORT_INVALID_ARGUMENT, message);
}

static OrtStatus *choose_version(const custom_operator *self, const OrtKernelInfo *info, const strew_operator **op)
{
    int64_t version;
    OrtStatus *missing = self->api->KernelInfoGetAttribute_int64(info, "version", &version);
    *op = self->newest;
    if (missing) {
        self->api->ReleaseStatus(missing);
        return NULL;
    }
    *op = strew_ort_operator_in_opset(self->type, version);
    return *op && (*op)->version == version ? NULL : refuse_version(self, version);
}

/* A schema would check attributes, but custom operators have none. */
typedef struct attribute {
    const char *name;
    uint32_t bit; /* 0: every version has it */
    bool is_text;
} attribute;

static const attribute attributes[] = {{"axis", STREW_ATTRIBUTE_AXIS, false},
                                       {"batch_dims", STREW_ATTRIBUTE_BATCH_DIMS, false},
                                       {"reduction", STREW_ATTRIBUTE_REDUCTION, true},
                                       {"mode", STREW_ATTRIBUTE_CIRCULAR, true},
                                       {"version", 0, false}};

static bool succeeds(const OrtApi *api, OrtStatus *status)
{
    api->ReleaseStatus(status);
    return !status;
}

static bool is_text(const OrtApi *api, const OrtKernelInfo *info, const char *name)
{
    size_t size = 0;
    return succeeds(api, api->KernelInfoGetAttribute_string(info, name, NULL, &size));
}

static bool is_integer(const OrtApi *api, const OrtKernelInfo *info, const char *name)
{
    int64_t integer;
    return succeeds(api, api->KernelInfoGetAttribute_int64(info, name, &integer));
}

static bool is_float(const OrtApi *api, const OrtKernelInfo *info, const char *name)
{
    float number;
    return succeeds(api, api->KernelInfoGetAttribute_float(info, name, &number));
}

/* Finds lists of numbers. The interface does not show lists of strings, and shows empty lists as missing. */
static bool is_list(const OrtApi *api, const OrtKernelInfo *info, const char *name)
{
    size_t integers = 0, floats = 0;
    return (succeeds(api, api->KernelInfoGetAttributeArray_int64(info, name, NULL, &integers)) && integers) ||
           (succeeds(api, api->KernelInfoGetAttributeArray_float(info, name, NULL, &floats)) && floats);
}

static bool is_tensor(const OrtApi *api, const OrtKernelInfo *info, const char *name)
{
    OrtAllocator *allocator;
    OrtValue *tensor = NULL;
    if (!succeeds(api, api->GetAllocatorWithDefaultOptions(&allocator)) ||
        !succeeds(api, api->KernelInfoGetAttribute_tensor(info, name, allocator, &tensor)))
        return false;
    api->ReleaseValue(tensor);
    return true;
}

static OrtStatus *check_attribute(const custom_operator *self, const OrtKernelInfo *info, const strew_operator *op,
                                  const attribute *checked)
{
    const bool text = is_text(self->api, info, checked->name);
    const bool integer = is_integer(self->api, info, checked->name);
    const bool other = is_float(self->api, info, checked->name) || is_list(self->api, info, checked->name) ||
                       is_tensor(self->api, info, checked->name);
    char message[160];
    if (!text && !integer && !other)
        return NULL;
    if (checked->bit && !(op->attributes & checked->bit))
        snprintf(message, sizeof message, "%s.%s: %s has no attribute %s", domain_name, self->type, op->name,
                 checked->name);
    else if (checked->is_text ? !text : !integer)
        snprintf(message, sizeof message, "%s.%s: the attribute %s must be %s", domain_name, self->type,
                 checked->name, checked->is_text ? "a string" : "an integer");
    else
        return NULL;
    return self->api->CreateStatus(ORT_INVALID_ARGUMENT, message);
}

static OrtStatus *check_attributes(const custom_operator *self, const OrtKernelInfo *info, const strew_operator *op)
{
    OrtStatus *status = NULL;
    for (size_t i = 0; !status && i < sizeof attributes / sizeof *attributes; i++)
        status = check_attribute(self, info, op, &attributes[i]);
    return status;
}

static OrtStatusPtr ORT_API_CALL create_kernel(const OrtCustomOp *base, const OrtApi *api,
                                               const OrtKernelInfo *info, void **kernel)
{
    const strew_operator *op;
    strew_ort_node *node = NULL;
    OrtStatus *status = choose_version(self_of(base), info, &op);
    if (!status)
        status = check_attributes(self_of(base), info, op);
    if (!status)
        status = strew_ort_node_create(api, self_of(base)->get_shape, info, op, NULL, &node);
    *kernel = node;
    return status;
}

static OrtStatusPtr ORT_API_CALL compute(void *kernel, OrtKernelContext *context)
{
    return strew_ort_node_run(kernel, context);
}

static void ORT_API_CALL destroy_kernel(void *kernel)
{
    strew_ort_node_destroy(kernel);
}

/* ---- Registration ----------------------------------------------------------------------------------------- */

static const OrtCustomOp gather = {
    .version = LEAST_API,
    .GetName = get_name,
    .GetExecutionProviderType = get_provider,
    .GetInputType = get_input_type,
    .GetInputTypeCount = get_input_count,
    .GetOutputType = get_output_type,
    .GetOutputTypeCount = get_output_count,
    .KernelDestroy = destroy_kernel,
    .GetInputCharacteristic = get_input_characteristic,
    .GetOutputCharacteristic = get_output_characteristic,
    .GetInputMemoryType = get_memory_type,
    .GetVariadicInputMinArity = get_variadic,
    .GetVariadicInputHomogeneity = get_variadic,
    .GetVariadicOutputMinArity = get_variadic,
    .GetVariadicOutputHomogeneity = get_variadic,
    .CreateKernelV2 = create_kernel,
    .KernelComputeV2 = compute,
    .InferOutputShapeFn = infer_shape,
    .GetStartVersion = get_start_version,
    .GetEndVersion = get_end_version,
};

static void add_operator(registration *self, const strew_operator *newest, strew_dtype data, strew_dtype indices)
{
    if (!strew_ort_serves(newest, data, NULL, 0, STREW_ORT_UNKNOWN) || !(newest->index_dtypes >> indices & 1) ||
        !strew_ort_runtime_has(self->api, data))
        return;
    custom_operator *op = &self->operators[self->count++];
    *op = (custom_operator){.base = gather, .api = self->api, .get_shape = self->get_shape, .newest = newest};
    op->data = strew_ort_element_type(data);
    op->indices = strew_ort_element_type(indices);
    strew_ort_operator_type(newest, op->type);
    if (strew_ort_scatters(newest)) {
        op->base.GetMayInplace = get_may_inplace;
        op->base.ReleaseMayInplace = release_may_inplace;
    }
}

static void add_operators(registration *self, const strew_operator *newest)
{
    static const strew_dtype index_dtypes[INDEX_DTYPES] = {STREW_DTYPE_INT32, STREW_DTYPE_INT64};
    for (strew_dtype data = STREW_DTYPE_NONE + 1; data < STREW_DTYPE_COUNT; data++) {
        for (size_t i = 0; i < INDEX_DTYPES; i++)
            add_operator(self, newest, data, index_dtypes[i]);
    }
}

/* The operator if no later version has its name, or else NULL. */
static const strew_operator *newest_at(size_t index)
{
    const strew_operator *op = strew_ort_operator_at(index);
    char type[STREW_ORT_NAME_SIZE];
    strew_ort_operator_type(op, type);
    return strew_ort_operator_in_opset(type, INT64_MAX) == op ? op : NULL;
}

static size_t most_operators(void)
{
    size_t names = 0;
    for (size_t i = 0; i < strew_ort_operator_count(); i++)
        names += newest_at(i) != NULL;
    return names * STREW_DTYPE_COUNT * INDEX_DTYPES;
}

static void forget(registration *self)
{
    if (self->domain)
        self->api->ReleaseCustomOpDomain(self->domain);
    strew_ort_free(self->api, self);
}

static OrtStatus *make_registration(const OrtApi *api, strew_ort_get_shape *get_shape, registration **made)
{
    void *memory = NULL;
    OrtStatus *status =
        strew_ort_allocate(api, sizeof(registration) + most_operators() * sizeof(custom_operator), &memory);
    if (status)
        return status;
    registration *self = memory;
    self->api = api;
    self->get_shape = get_shape;
    for (size_t i = 0; i < strew_ort_operator_count(); i++) {
        if (newest_at(i))
            add_operators(self, newest_at(i));
    }
    status = api->CreateCustomOpDomain(domain_name, &self->domain);
    for (size_t i = 0; !status && i < self->count; i++)
        status = api->CustomOpDomain_Add(self->domain, &self->operators[i].base);
    if (status) {
        forget(self);
        return status;
    }
    *made = self;
    return NULL;
}

static registration *_Atomic registrations;

static registration *find_registration(const OrtApi *api)
{
    registration *self = atomic_load(&registrations);
    while (self && self->api != api)
        self = self->next;
    return self;
}

/* The runtime's domain, made on first use. If several threads make one at once, each uses its own. */
static OrtStatus *get_domain(const OrtApi *api, strew_ort_get_shape *get_shape, OrtCustomOpDomain **domain)
{
    registration *self = find_registration(api);
    if (!self) {
        OrtStatus *status = make_registration(api, get_shape, &self);
        if (status)
            return status;
        self->next = atomic_load(&registrations);
        while (!atomic_compare_exchange_weak(&registrations, &self->next, self))
            continue;
    }
    *domain = self->domain;
    return NULL;
}

/* The entry point of a library of custom operators. */
STREW_ORT_EXPORT OrtStatus *ORT_API_CALL RegisterCustomOps(OrtSessionOptions *options, const OrtApiBase *base);

OrtStatus *ORT_API_CALL RegisterCustomOps(OrtSessionOptions *options, const OrtApiBase *base)
{
    const OrtApi *api = base->GetApi(LEAST_API);
    OrtCustomOpDomain *domain;
    if (!api) { /* an older runtime; every one can make a status */
        char message[128];
        snprintf(message, sizeof message, "strew: ONNX Runtime is %s, 1.%d or newer is needed",
                 base->GetVersionString(), LEAST_API);
        return base->GetApi(1)->CreateStatus(ORT_FAIL, message);
    }
    OrtStatus *status = get_domain(api, strew_ort_get_shape_of(base), &domain);
    return status ? status : api->AddCustomOpDomain(options, domain);
}
