#include "memory.h"

#include <stdio.h>
#include <string.h>

OrtStatus *strew_ort_take(const OrtApi *api, OrtAllocator *allocator, size_t size, void **memory)
{
    char message[96];
    *memory = NULL;
    OrtStatus *status = api->AllocatorAlloc(allocator, size, memory);
    if (status || *memory)
        return status;
    snprintf(message, sizeof message, "strew: the runtime's allocator has no memory of %zu bytes", size);
    return api->CreateStatus(ORT_FAIL, message);
}

OrtStatus *strew_ort_allocate(const OrtApi *api, size_t size, void **memory)
{
    OrtAllocator *allocator;
    OrtStatus *status = api->GetAllocatorWithDefaultOptions(&allocator);
    if (!status)
        status = strew_ort_take(api, allocator, size, memory);
    if (!status)
        memset(*memory, 0, size);
    return status;
}

void strew_ort_free(const OrtApi *api, void *memory)
{
    OrtAllocator *allocator;
    OrtStatus *status = api->GetAllocatorWithDefaultOptions(&allocator);
    if (!status)
        status = api->AllocatorFree(allocator, memory);
    api->ReleaseStatus(status);
}
