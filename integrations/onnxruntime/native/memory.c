#include "memory.h"

#include <string.h>

OrtStatus *strew_ort_allocate(const OrtApi *api, size_t size, void **memory)
{
    OrtAllocator *allocator;
    OrtStatus *status = api->GetAllocatorWithDefaultOptions(&allocator);
    if (!status)
        status = api->AllocatorAlloc(allocator, size, memory);
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
