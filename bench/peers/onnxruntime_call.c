/* ONNX Runtime by its C API: a session of one node, whose inputs and output are bound to the tensors of a call. */
#include <stdio.h>

#include "call_parts.h"

#ifndef STREW_PEERS_ONNXRUNTIME

bool strew_peers_use_onnxruntime(strew_peers_call *call, const char *library, const void *model, size_t model_size,
                                 size_t threads, char *reason, size_t reason_size)
{
    (void)call, (void)library, (void)model, (void)model_size, (void)threads;
    snprintf(reason, reason_size, "built without the header of ONNX Runtime");
    return false;
}

void strew_peers_free_session(strew_peers_session *session)
{
    (void)session;
}

#else

#include <dlfcn.h>
#include <onnxruntime_c_api.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INPUTS = 3 };
static const char *const input_names[MOST_INPUTS] = {"data", "indices", "updates"};
static const int input_tensors[MOST_INPUTS] = {DATA, INDICES, UPDATES};

struct strew_peers_session {
    const OrtApi *api;
    OrtEnv *environment;
    OrtSession *session;
    OrtIoBinding *binding;
    OrtValue *values[MOST_INPUTS + 1]; /* the last is the output */
};

static ONNXTensorElementDataType element_type(strew_dtype dtype)
{
    switch (dtype) {
    case STREW_DTYPE_BOOL: return ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL;
    case STREW_DTYPE_INT8: return ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8;
    case STREW_DTYPE_INT16: return ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16;
    case STREW_DTYPE_INT32: return ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32;
    case STREW_DTYPE_INT64: return ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64;
    case STREW_DTYPE_UINT8: return ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8;
    case STREW_DTYPE_UINT16: return ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16;
    case STREW_DTYPE_UINT32: return ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32;
    case STREW_DTYPE_UINT64: return ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64;
    case STREW_DTYPE_FLOAT16: return ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16;
    case STREW_DTYPE_FLOAT32: return ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT;
    case STREW_DTYPE_FLOAT64: return ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE;
    default: return ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
    }
}

static size_t tensor_bytes(const strew_tensor *tensor)
{
    size_t bytes = strew_dtype_size(tensor->dtype);
    for (int32_t d = 0; d < tensor->rank; d++)
        bytes *= (size_t)tensor->shape[d];
    return bytes;
}

static OrtStatus *make_value(strew_peers_session *s, const strew_tensor *tensor, OrtValue **value)
{
    OrtMemoryInfo *memory;
    OrtStatus *status = s->api->CreateCpuMemoryInfo(OrtDeviceAllocator, OrtMemTypeDefault, &memory);
    if (status)
        return status;
    status = s->api->CreateTensorWithDataAsOrtValue(memory, tensor->data, tensor_bytes(tensor), tensor->shape,
                                                    (size_t)tensor->rank, element_type(tensor->dtype), value);
    s->api->ReleaseMemoryInfo(memory);
    return status;
}

static OrtStatus *bind_tensors(strew_peers_session *s, const strew_peers_call *call)
{
    OrtStatus *status = s->api->CreateIoBinding(s->session, &s->binding);
    for (int i = 0; i < MOST_INPUTS && !status; i++) {
        const strew_tensor *tensor = &call->tensors[input_tensors[i]];
        if (tensor->data == NULL)
            continue;
        status = make_value(s, tensor, &s->values[i]);
        if (!status)
            status = s->api->BindInput(s->binding, input_names[i], s->values[i]);
    }
    if (!status)
        status = make_value(s, &call->tensors[OUTPUT], &s->values[MOST_INPUTS]);
    return status ? status : s->api->BindOutput(s->binding, "output", s->values[MOST_INPUTS]);
}

static OrtStatus *start(strew_peers_session *s, const void *model, size_t model_size, size_t threads)
{
    OrtSessionOptions *options;
    OrtStatus *status = s->api->CreateEnv(ORT_LOGGING_LEVEL_FATAL, "peers", &s->environment);
    if (!status)
        status = s->api->CreateSessionOptions(&options);
    if (status)
        return status;
    status = s->api->SetIntraOpNumThreads(options, (int)threads);
    if (!status)
        status = s->api->SetInterOpNumThreads(options, 1);
    if (!status)
        status = s->api->CreateSessionFromArray(s->environment, model, model_size, options, &s->session);
    s->api->ReleaseSessionOptions(options);
    return status;
}

static const OrtApi *load_api(const char *library)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    const OrtApiBase *(*base)(void) = NULL;
    if (handle)
        *(void **)&base = dlsym(handle, "OrtGetApiBase");
    return base ? base()->GetApi(ORT_API_VERSION) : NULL;
}

static strew_status run_session(strew_peers_call *call, const strew_parallel *parallel)
{
    strew_peers_session *s = call->session;
    (void)parallel; /* a session has threads of its own */
    OrtStatus *status = s->api->RunWithBinding(s->session, NULL, s->binding);
    if (!status)
        return STREW_STATUS_OK;
    s->api->ReleaseStatus(status);
    return STREW_STATUS_INVALID_ARGUMENT;
}

bool strew_peers_use_onnxruntime(strew_peers_call *call, const char *library, const void *model, size_t model_size,
                                 size_t threads, char *reason, size_t reason_size)
{
    strew_peers_session *s = call->session = calloc(1, sizeof *s);
    call->run = run_session;
    if (s)
        s->api = load_api(library);
    if (!s || !s->api) {
        snprintf(reason, reason_size, "%s: no such version of ONNX Runtime", library);
        return false;
    }
    OrtStatus *status = start(s, model, model_size, threads);
    if (!status)
        status = bind_tensors(s, call);
    if (!status)
        return true;
    snprintf(reason, reason_size, "%s", s->api->GetErrorMessage(status));
    s->api->ReleaseStatus(status);
    return false;
}

void strew_peers_free_session(strew_peers_session *session)
{
    if (session && session->api) {
        for (int i = 0; i <= MOST_INPUTS; i++)
            if (session->values[i])
                session->api->ReleaseValue(session->values[i]);
        if (session->binding)
            session->api->ReleaseIoBinding(session->binding);
        if (session->session)
            session->api->ReleaseSession(session->session);
        if (session->environment)
            session->api->ReleaseEnv(session->environment);
    }
    free(session);
}

#endif
