/*
 * no_memory MODEL LIBRARY COUNT: runs a converted scatter of strings, data [4, 2], with an allocator that returns
 * NULL from its COUNTth call in a run on; then again with memory.
 */
#include <onnxruntime_c_api.h>
#include <stdio.h>
#include <stdlib.h>

static const OrtApi *api;
static OrtMemoryInfo *memory;
static int left = -1; /* how often the allocator has memory; negative: always */

static void must(OrtStatus *status)
{
    if (!status)
        return;
    fprintf(stderr, "%s\n", api->GetErrorMessage(status));
    exit(1);
}

static void *ORT_API_CALL take(OrtAllocator *self, size_t size)
{
    void *taken;
    (void)self;
    if (left == 0)
        return NULL;
    left -= left > 0;
    return posix_memalign(&taken, 64, size ? size : 64) ? NULL : taken;
}

static void ORT_API_CALL give_back(OrtAllocator *self, void *taken)
{
    (void)self;
    free(taken);
}

static const OrtMemoryInfo *ORT_API_CALL describe(const OrtAllocator *self)
{
    (void)self;
    return memory;
}

static OrtSession *open_session(OrtEnv *environment, const char *model, const char *library)
{
    OrtSessionOptions *options;
    OrtSession *session;
    must(api->CreateSessionOptions(&options));
    must(api->AddSessionConfigEntry(options, "session.use_env_allocators", "1"));
    must(api->DisableCpuMemArena(options));
    must(api->RegisterCustomOpsLibrary_V2(options, library));
    must(api->CreateSession(environment, model, options, &session));
    return session;
}

static void run(OrtSession *session, const OrtValue *const *inputs)
{
    const char *const names[] = {"data", "indices", "updates"}, *const outputs[] = {"output"};
    OrtValue *output = NULL;
    OrtStatus *status = api->Run(session, NULL, names, inputs, 3, outputs, 1, &output);
    puts(status ? api->GetErrorMessage(status) : "ran");
}

int main(int count, char **arguments)
{
    static int64_t indices[3] = {0, 0, 3};
    const int64_t data_shape[] = {4, 2}, index_shape[] = {3, 1}, update_shape[] = {3, 2};
    OrtAllocator own = {.version = 18, .Alloc = take, .Free = give_back, .Info = describe}, *usual;
    OrtEnv *environment;
    OrtValue *inputs[3];
    if (count != 4)
        return 2;
    api = OrtGetApiBase()->GetApi(18);
    must(api->CreateEnv(ORT_LOGGING_LEVEL_FATAL, "no_memory", &environment));
    must(api->CreateMemoryInfo("Cpu", OrtDeviceAllocator, 0, OrtMemTypeDefault, &memory));
    must(api->RegisterAllocator(environment, &own));
    must(api->GetAllocatorWithDefaultOptions(&usual));
    OrtSession *session = open_session(environment, arguments[1], arguments[2]);
    must(api->CreateTensorAsOrtValue(usual, data_shape, 2, ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING, &inputs[0]));
    must(api->CreateTensorWithDataAsOrtValue(memory, indices, sizeof indices, index_shape, 2,
                                             ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64, &inputs[1]));
    must(api->CreateTensorAsOrtValue(usual, update_shape, 2, ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING, &inputs[2]));
    left = atoi(arguments[3]) - 1;
    run(session, (const OrtValue *const *)inputs);
    left = -1;
    run(session, (const OrtValue *const *)inputs);
    return 0;
}
