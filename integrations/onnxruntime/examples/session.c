/* session MODEL LIBRARY: opens a model, with strew for its scatters and gathers, by ONNX Runtime's C interface. */
#include <onnxruntime_c_api.h>
#include <stdio.h>
#include <string.h>

static const OrtApi *api;

/* Whether a call went well; if not, why. */
static int succeeded(OrtStatus *status)
{
    if (status)
        fprintf(stderr, "%s\n", api->GetErrorMessage(status));
    api->ReleaseStatus(status);
    return !status;
}

/* From ONNX Runtime 1.24 on: strew as an execution provider, for unchanged models. */
static OrtStatus *add_provider(OrtEnv *environment, OrtSessionOptions *options, const char *library)
{
    const OrtEpDevice *const *devices;
    size_t count;
    OrtStatus *status = api->RegisterExecutionProviderLibrary(environment, "StrewExecutionProvider", library);
    if (!status)
        status = api->GetEpDevices(environment, &devices, &count);
    for (size_t i = 0; !status && i < count; i++) {
        if (strcmp(api->EpDevice_EpName(devices[i]), "StrewExecutionProvider") == 0)
            return api->SessionOptionsAppendExecutionProvider_V2(options, environment, &devices[i], 1, NULL, NULL,
                                                                 0);
    }
    return status;
}

/* From ONNX Runtime 1.18 on: strew's custom operators, for converted models. */
static OrtStatus *add_custom_operators(OrtSessionOptions *options, const char *library)
{
    return api->RegisterCustomOpsLibrary_V2(options, library);
}

/* A tensor of rank 2 over memory of the program's own; NULL if that fails. */
static OrtValue *tensor(void *data, size_t size, int64_t rows, int64_t columns, ONNXTensorElementDataType type)
{
    const int64_t shape[] = {rows, columns};
    OrtMemoryInfo *memory = NULL;
    OrtValue *value = NULL;
    if (succeeded(api->CreateCpuMemoryInfo(OrtDeviceAllocator, OrtMemTypeDefault, &memory)))
        succeeded(api->CreateTensorWithDataAsOrtValue(memory, data, size, shape, 2, type, &value));
    api->ReleaseMemoryInfo(memory);
    return value;
}

static int run(OrtSession *session)
{
    float table[6][2] = {{0}}, gradients[3][2] = {{1, 2}, {7, 7}, {10, 20}}, *sums;
    int64_t words[3] = {2, 0, -4}; /* -4 counts from the end, and is word 2 again */
    const char *const inputs[] = {"table", "words", "gradients"}, *const outputs[] = {"sums"};
    OrtValue *values[] = {tensor(table, sizeof table, 6, 2, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT),
                          tensor(words, sizeof words, 3, 1, ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64),
                          tensor(gradients, sizeof gradients, 3, 2, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT)};
    OrtValue *result = NULL;

    const int done =
        succeeded(api->Run(session, NULL, inputs, (const OrtValue *const *)values, 3, outputs, 1, &result)) &&
        succeeded(api->GetTensorMutableData(result, (void **)&sums)) &&
        printf("word 2: %g %g\n", sums[4], sums[5]) > 0;
    api->ReleaseValue(result);
    for (int i = 0; i < 3; i++)
        api->ReleaseValue(values[i]);
    return done;
}

int main(int count, char **arguments)
{
    OrtEnv *environment = NULL;
    OrtSessionOptions *options = NULL;
    OrtSession *session = NULL;
    if (count != 3)
        return 2;
    const char *model = arguments[1], *library = arguments[2]; /* the library's path is an absolute one */

    api = OrtGetApiBase()->GetApi(ORT_API_VERSION);
    if (!api)
        return 1;
    const int done = succeeded(api->CreateEnv(ORT_LOGGING_LEVEL_ERROR, "session", &environment)) &&
                     succeeded(api->CreateSessionOptions(&options)) &&
                     succeeded(add_provider(environment, options, library)) &&
                     succeeded(add_custom_operators(options, library)) &&
                     succeeded(api->CreateSession(environment, model, options, &session)) && run(session);
    api->ReleaseSession(session);
    api->ReleaseSessionOptions(options);
    api->ReleaseEnv(environment);
    return !done;
}
