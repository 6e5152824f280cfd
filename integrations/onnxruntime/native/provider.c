/*
 * The plugin execution provider: the library's entry points for ONNX Runtime, the factory, and the provider that it
 * makes for each session. Its tensors are the CPU's, so nothing is copied between this provider and the runtime's
 * own.
 */
#include "claim.h"
#include "kernels.h"
#include "memory.h"

#include <stdio.h>

/* ---- A session's provider --------------------------------------------------------------------------------- */

typedef struct provider {
    strew_ort_ep base; /* first: the runtime has its address */
    strew_ort_kernels kernels;
    bool is_exact; /* strew also runs nodes that the runtime runs as well */
} provider;

static const char *ORT_API_CALL provider_name(const OrtEp *self)
{
    (void)self;
    return STREW_ORT_PROVIDER;
}

static OrtStatus *ORT_API_CALL kernel_registry(OrtEp *self, const OrtKernelRegistry **registry)
{
    *registry = ((provider *)self)->kernels.registry;
    return NULL;
}

/* Takes a node for which the registry has a kernel, if that kernel runs it. */
static OrtStatus *claim(const provider *self, const OrtNode *node, OrtEpGraphSupportInfo *support)
{
    const OrtApi *api = self->kernels.api;
    const OrtKernelDef *definition = NULL;
    bool claims = false;
    OrtStatus *status = self->kernels.registry_api->EpGraphSupportInfo_LookUpKernel(support, node, &definition);
    if (!status && definition)
        status = strew_ort_claims(api, node, self->is_exact, &claims);
    return !status && claims ? api->GetEpApi()->EpGraphSupportInfo_AddSingleNode(support, node) : status;
}

/* The nodes that are not taken are left to the runtime's own kernels. */
static OrtStatus *claim_all(const provider *self, const OrtNode *const *nodes, size_t count,
                            OrtEpGraphSupportInfo *support)
{
    OrtStatus *status = NULL;
    for (size_t i = 0; !status && i < count; i++)
        status = claim(self, nodes[i], support);
    return status;
}

static OrtStatus *ORT_API_CALL capability(OrtEp *base, const OrtGraph *graph, OrtEpGraphSupportInfo *support)
{
    const provider *self = (const provider *)base;
    const OrtApi *api = self->kernels.api;
    size_t count;
    void *nodes = NULL;
    OrtStatus *status = api->Graph_GetNumNodes(graph, &count);
    if (status || count == 0)
        return status;
    status = strew_ort_allocate(api, count * sizeof(OrtNode *), &nodes);
    if (status)
        return status;
    status = api->Graph_GetNodes(graph, nodes, count);
    if (!status)
        status = claim_all(self, nodes, count, support);
    strew_ort_free(api, nodes);
    return status;
}

static void provider_destroy(provider *self)
{
    strew_ort_kernels_release(&self->kernels);
    strew_ort_free(self->kernels.api, self);
}

static OrtStatus *provider_create(const OrtApi *api, strew_ort_get_shape *get_shape, provider **created)
{
    void *storage = NULL;
    OrtStatus *status = strew_ort_allocate(api, sizeof(provider), &storage);
    if (status)
        return status;
    provider *self = storage;
    self->base.known.ort_version_supported = STREW_ORT_REGISTRY_VERSION;
    self->base.known.GetName = provider_name;
    self->base.known.GetCapability = capability;
    STREW_ORT_SET_REGISTRY(&self->base, kernel_registry);
    status = strew_ort_kernels_register(&self->kernels, api, get_shape);
    if (status)
        provider_destroy(self);
    else
        *created = self;
    return status;
}

/* ---- The factory ------------------------------------------------------------------------------------------ */

typedef struct factory {
    strew_ort_ep_factory base; /* first: the runtime has its address */
    const OrtApi *api;
    strew_ort_get_shape *get_shape;
} factory;

static const char *ORT_API_CALL factory_name(const OrtEpFactory *self)
{
    (void)self;
    return STREW_ORT_PROVIDER;
}

static const char *ORT_API_CALL vendor(const OrtEpFactory *self)
{
    (void)self;
    return "strew";
}

static uint32_t ORT_API_CALL vendor_id(const OrtEpFactory *self)
{
    (void)self;
    return 0; /* not a PCI device */
}

static const char *ORT_API_CALL version(const OrtEpFactory *self)
{
    (void)self;
    return strew_version();
}

/* Every CPU. */
static OrtStatus *ORT_API_CALL supported_devices(OrtEpFactory *base, const OrtHardwareDevice *const *devices,
                                                 size_t count, OrtEpDevice **supported, size_t most, size_t *found)
{
    const OrtApi *api = ((factory *)base)->api;
    OrtStatus *status = NULL;
    *found = 0;
    for (size_t i = 0; !status && i < count && *found < most; i++) {
        if (api->HardwareDevice_Type(devices[i]) != OrtHardwareDeviceType_CPU)
            continue;
        status = api->GetEpApi()->CreateEpDevice(base, devices[i], NULL, NULL, &supported[*found]);
        *found += !status;
    }
    return status;
}

/* The option "exact" of the provider, as the runtime hands it over: 0 or 1, or left out. */
static OrtStatus *read_exact(const OrtApi *api, const OrtSessionOptions *options, bool *is_exact)
{
    static const char key[] = "ep.strewexecutionprovider.exact";
    char value[2] = "0";
    size_t size = sizeof value;
    int is_given = 0;
    OrtStatus *status = api->HasSessionConfigEntry(options, key, &is_given);
    if (status || !is_given)
        return status;
    OrtStatus *is_long = api->GetSessionConfigEntry(options, key, value, &size);
    *is_exact = value[0] == '1';
    const bool is_wrong = is_long || (value[0] != '0' && value[0] != '1');
    api->ReleaseStatus(is_long);
    return is_wrong ? api->CreateStatus(ORT_INVALID_ARGUMENT, "strew's option exact must be 0 or 1") : NULL;
}

static OrtStatus *ORT_API_CALL create_ep(OrtEpFactory *base, const OrtHardwareDevice *const *devices,
                                         const OrtKeyValuePairs *const *metadata, size_t count,
                                         const OrtSessionOptions *options, const OrtLogger *logger, OrtEp **ep)
{
    (void)devices, (void)metadata, (void)count, (void)logger;
    provider *created;
    const factory *self = (const factory *)base;
    bool is_exact = false;
    OrtStatus *status = read_exact(self->api, options, &is_exact);
    if (!status)
        status = provider_create(self->api, self->get_shape, &created);
    if (status)
        return status;
    created->is_exact = is_exact;
    *ep = &created->base.known;
    return NULL;
}

static void ORT_API_CALL release_ep(OrtEpFactory *base, OrtEp *ep)
{
    (void)base;
    if (ep)
        provider_destroy((provider *)ep);
}

/* The runtime's own memory will do. */
static OrtStatus *ORT_API_CALL no_allocator(OrtEpFactory *base, const OrtMemoryInfo *info,
                                            const OrtKeyValuePairs *options, OrtAllocator **allocator)
{
    (void)base, (void)info, (void)options;
    *allocator = NULL;
    return NULL;
}

static void ORT_API_CALL release_allocator(OrtEpFactory *base, OrtAllocator *allocator)
{
    (void)base, (void)allocator;
}

static OrtStatus *ORT_API_CALL no_transfer(OrtEpFactory *base, OrtDataTransferImpl **transfer)
{
    (void)base;
    *transfer = NULL;
    return NULL;
}

static bool ORT_API_CALL is_stream_aware(const OrtEpFactory *base)
{
    (void)base;
    return false;
}

static const OrtEpFactory functions = {
    .ort_version_supported = STREW_ORT_REGISTRY_VERSION,
    .GetName = factory_name,
    .GetVendor = vendor,
    .GetSupportedDevices = supported_devices,
    .CreateEp = create_ep,
    .ReleaseEp = release_ep,
    .GetVendorId = vendor_id,
    .GetVersion = version,
    .CreateAllocator = no_allocator,
    .ReleaseAllocator = release_allocator,
    .CreateDataTransfer = no_transfer,
    .IsStreamAware = is_stream_aware,
};

/* ---- What the runtime looks for in the library ------------------------------------------------------------ */

/* A runtime that is too old still makes a status; its first version could. */
static OrtStatus *refuse(const OrtApiBase *base)
{
    char message[256];
    snprintf(message, sizeof message,
             "strew's execution provider needs ONNX Runtime 1.%d or newer, and this is %s; "
             "strew's custom operators run on older ones",
             STREW_ORT_REGISTRY_VERSION, base->GetVersionString());
    return base->GetApi(1)->CreateStatus(ORT_NOT_IMPLEMENTED, message);
}

STREW_ORT_EXPORT OrtStatus *CreateEpFactories(const char *name, const OrtApiBase *base, const OrtLogger *logger,
                                              OrtEpFactory **factories, size_t most, size_t *count);
STREW_ORT_EXPORT OrtStatus *ReleaseEpFactory(OrtEpFactory *released);

OrtStatus *CreateEpFactories(const char *name, const OrtApiBase *base, const OrtLogger *logger,
                             OrtEpFactory **factories, size_t most, size_t *count)
{
    (void)name, (void)logger;
    const OrtApi *api = base->GetApi(STREW_ORT_REGISTRY_VERSION);
    *count = 0;
    if (!api)
        return refuse(base);
    if (most == 0)
        return api->CreateStatus(ORT_INVALID_ARGUMENT, "strew's execution provider needs room for one factory");
    void *storage = NULL;
    OrtStatus *status = strew_ort_allocate(api, sizeof(factory), &storage);
    if (status)
        return status;
    factory *created = storage;
    created->base.known = functions;
    created->api = api;
    created->get_shape = strew_ort_get_shape_of(base);
    factories[0] = &created->base.known;
    *count = 1;
    return NULL;
}

OrtStatus *ReleaseEpFactory(OrtEpFactory *released)
{
    if (released)
        strew_ort_free(((factory *)released)->api, released);
    return NULL;
}
