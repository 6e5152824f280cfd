/* The runtime's own allocator, for memory that outlives a call. */
#ifndef STREW_ONNXRUNTIME_MEMORY_H
#define STREW_ONNXRUNTIME_MEMORY_H

#include <onnxruntime_c_api.h>

/* Takes memory from an allocator. Refuses if there is none, also if the allocator only returns NULL; `*memory`
 * is NULL then. */
OrtStatus *strew_ort_take(const OrtApi *api, OrtAllocator *allocator, size_t size, void **memory);

/* Memory of so many bytes, zeroed. */
OrtStatus *strew_ort_allocate(const OrtApi *api, size_t size, void **memory);
void strew_ort_free(const OrtApi *api, void *memory);

#endif
