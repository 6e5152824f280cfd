/*
 * ONNX Runtime 1.24 added these declarations for providers with kernels. They are declared here in their published
 * order, so that headers of 1.23 suffice. Newer headers are used instead, and this order is checked against them.
 */
#ifndef STREW_ONNXRUNTIME_REGISTRY_H
#define STREW_ONNXRUNTIME_REGISTRY_H

#include <onnxruntime_c_api.h>
#include <stddef.h>
#include <stdio.h>

/* The version of the interface from which runtimes have these functions. */
enum { STREW_ORT_REGISTRY_VERSION = 24 };

#if ORT_API_VERSION < 23
#error "strew's execution provider needs the headers of ONNX Runtime 1.23 or newer"
#endif

#if ORT_API_VERSION < 24
ORT_RUNTIME_CLASS(KernelRegistry);
ORT_RUNTIME_CLASS(KernelDefBuilder);
ORT_RUNTIME_CLASS(KernelDef);
ORT_RUNTIME_CLASS(DataType);
ORT_RUNTIME_CLASS(SharedPrePackedWeightCache);

typedef struct OrtKernelImpl OrtKernelImpl;

/* A kernel: the runtime calls Compute in each run, and Release at the end. The other fields only take space. */
struct OrtKernelImpl {
    uint32_t ort_version_supported;
    uint32_t flags;
    OrtStatus *(ORT_API_CALL *Compute)(OrtKernelImpl *self, OrtKernelContext *context);
    void(ORT_API_CALL *Release)(OrtKernelImpl *self);
    void (*PrePackWeight)(void);
    void (*SetSharedPrePackedWeight)(void);
};

typedef OrtStatus *(ORT_API_CALL *OrtKernelCreateFunc)(void *state, const OrtKernelInfo *info,
                                                       OrtKernelImpl **kernel);
#endif

/* The used functions of OrtEpApi from its 17th on. */
typedef struct strew_ort_registry_api {
    void (*CreateHardwareDevice)(void);
    void (*ReleaseHardwareDevice)(void);
    OrtStatus *(ORT_API_CALL *CreateKernelRegistry)(OrtKernelRegistry **registry);
    void(ORT_API_CALL *ReleaseKernelRegistry)(OrtKernelRegistry *registry);
    OrtStatus *(ORT_API_CALL *KernelRegistry_AddKernel)(OrtKernelRegistry *registry, const OrtKernelDef *definition,
                                                        OrtKernelCreateFunc create, void *state);
    OrtStatus *(ORT_API_CALL *CreateKernelDefBuilder)(OrtKernelDefBuilder **builder);
    void(ORT_API_CALL *ReleaseKernelDefBuilder)(OrtKernelDefBuilder *builder);
    OrtStatus *(ORT_API_CALL *KernelDefBuilder_SetOperatorType)(OrtKernelDefBuilder *builder, const char *type);
    OrtStatus *(ORT_API_CALL *KernelDefBuilder_SetDomain)(OrtKernelDefBuilder *builder, const char *domain);
    OrtStatus *(ORT_API_CALL *KernelDefBuilder_SetSinceVersion)(OrtKernelDefBuilder *builder, int first, int last);
    OrtStatus *(ORT_API_CALL *KernelDefBuilder_SetExecutionProvider)(OrtKernelDefBuilder *builder,
                                                                     const char *name);
    void (*KernelDefBuilder_SetInputMemType)(void);
    void (*KernelDefBuilder_SetOutputMemType)(void);
    OrtStatus *(ORT_API_CALL *KernelDefBuilder_AddTypeConstraint)(OrtKernelDefBuilder *builder, const char *name,
                                                                  const OrtDataType *const *types, size_t count);
    void (*KernelDefBuilder_AddInputOutputAliases)(void);
    OrtStatus *(ORT_API_CALL *KernelDefBuilder_AddInputOutputMutableAliases)(OrtKernelDefBuilder *builder,
                                                                             const int *inputs, const int *outputs,
                                                                             size_t count);
    OrtStatus *(ORT_API_CALL *KernelDefBuilder_Build)(OrtKernelDefBuilder *builder, OrtKernelDef **definition);
    void(ORT_API_CALL *ReleaseKernelDef)(OrtKernelDef *definition);
    void (*KernelDef_GetOperatorType)(void);
    void (*KernelDef_GetDomain)(void);
    void (*KernelDef_GetSinceVersion)(void);
    void (*KernelDef_GetExecutionProvider)(void);
    void (*KernelDef_GetInputMemType)(void);
    void (*KernelDef_GetOutputMemType)(void);
    OrtStatus *(ORT_API_CALL *GetTensorDataType)(ONNXTensorElementDataType type, const OrtDataType **data_type);
    OrtStatus *(ORT_API_CALL *EpGraphSupportInfo_LookUpKernel)(OrtEpGraphSupportInfo *support, const OrtNode *node,
                                                               const OrtKernelDef **definition);
} strew_ort_registry_api;

/* The offset of these functions in OrtEpApi, for any version of the header. */
#define STREW_ORT_REGISTRY_OFFSET                           \
    (offsetof(OrtEpApi, GetSyncIdForLastWaitOnSyncStream) + \
     sizeof(((OrtEpApi *)NULL)->GetSyncIdForLastWaitOnSyncStream))

_Static_assert(STREW_ORT_REGISTRY_OFFSET == 16 * sizeof(void (*)(void)), "OrtEpApi of 1.23 has 16 functions");

static inline const strew_ort_registry_api *strew_ort_registry_of(const OrtEpApi *api)
{
    return (const strew_ort_registry_api *)((const char *)api + STREW_ORT_REGISTRY_OFFSET);
}

#if ORT_API_VERSION >= 24
#define STREW_ORT_SAME_PLACE(name)                                                                                 \
    _Static_assert(offsetof(OrtEpApi, name) == STREW_ORT_REGISTRY_OFFSET + offsetof(strew_ort_registry_api, name), \
                   "OrtEpApi has " #name " in another place")
STREW_ORT_SAME_PLACE(CreateKernelRegistry);
STREW_ORT_SAME_PLACE(KernelRegistry_AddKernel);
STREW_ORT_SAME_PLACE(KernelDefBuilder_AddTypeConstraint);
STREW_ORT_SAME_PLACE(KernelDefBuilder_AddInputOutputMutableAliases);
STREW_ORT_SAME_PLACE(KernelDefBuilder_Build);
STREW_ORT_SAME_PLACE(GetTensorDataType);
STREW_ORT_SAME_PLACE(EpGraphSupportInfo_LookUpKernel);
#undef STREW_ORT_SAME_PLACE
#endif

/* Reads a tensor's type, and its shape without a copy of it. */
typedef OrtStatus *(ORT_API_CALL strew_ort_get_shape)(const OrtValue *value, ONNXTensorElementDataType *type,
                                                      const int64_t **shape, size_t *rank);

/* The place of GetTensorElementTypeAndShapeDataReference among the functions of OrtApi. */
enum { STREW_ORT_GET_SHAPE = 414 };

#if ORT_API_VERSION >= 24
_Static_assert(offsetof(OrtApi, GetTensorElementTypeAndShapeDataReference) ==
                   STREW_ORT_GET_SHAPE * sizeof(void (*)(void)),
               "OrtApi has GetTensorElementTypeAndShapeDataReference in another place");
#endif

/* NULL before 1.24. The version is read from its text, since a runtime complains when asked for a newer interface.
 */
static inline strew_ort_get_shape *strew_ort_get_shape_of(const OrtApiBase *base)
{
    int release = 0;
    if (sscanf(base->GetVersionString(), "1.%d", &release) != 1 || release < STREW_ORT_REGISTRY_VERSION)
        return NULL;
    return ((strew_ort_get_shape *const *)base->GetApi(STREW_ORT_REGISTRY_VERSION))[STREW_ORT_GET_SHAPE];
}

typedef OrtStatus *(ORT_API_CALL *strew_ort_get_registry)(OrtEp *self, const OrtKernelRegistry **registry);

/* OrtEp and OrtEpFactory of 1.24. Fields that this library does not use are zero. */
#if ORT_API_VERSION >= 24
typedef struct strew_ort_ep {
    OrtEp known;
} strew_ort_ep;
typedef struct strew_ort_ep_factory {
    OrtEpFactory known;
} strew_ort_ep_factory;
#define STREW_ORT_SET_REGISTRY(ep, function) ((ep)->known.GetKernelRegistry = (function))
#else
typedef struct strew_ort_ep {
    OrtEp known;
    strew_ort_get_registry GetKernelRegistry;
    void (*IsConcurrentRunSupported)(void);
} strew_ort_ep;
typedef struct strew_ort_ep_factory {
    OrtEpFactory known;
    void (*GetHardwareDeviceIncompatibilityDetails)(void);
    void (*CreateExternalResourceImporterForDevice)(void);
    void (*GetNumCustomOpDomains)(void);
    void (*GetCustomOpDomains)(void);
} strew_ort_ep_factory;
#define STREW_ORT_SET_REGISTRY(ep, function) ((ep)->GetKernelRegistry = (function))
#endif

#endif
