/* The runtime's own allocator, for what lives longer than a call. */
#ifndef STREW_ONNXRUNTIME_MEMORY_H
#define STREW_ONNXRUNTIME_MEMORY_H

#include <onnxruntime_c_api.h>

/* Memory of so many bytes, zeroed. */
OrtStatus *strew_ort_allocate(const OrtApi *api, size_t size, void **memory);
void strew_ort_free(const OrtApi *api, void *memory);

#endif
