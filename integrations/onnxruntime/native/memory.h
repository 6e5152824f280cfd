/* The runtime's own allocator, for what lives longer than a call. */
#ifndef STREW_ONNXRUNTIME_MEMORY_H
#define STREW_ONNXRUNTIME_MEMORY_H

#include <onnxruntime_c_api.h>

/* Memory of an allocator; refused where that has none, also if it says so by NULL alone, which `*memory` is then.
 */
OrtStatus *strew_ort_take(const OrtApi *api, OrtAllocator *allocator, size_t size, void **memory);

/* Memory of so many bytes, zeroed. */
OrtStatus *strew_ort_allocate(const OrtApi *api, size_t size, void **memory);
void strew_ort_free(const OrtApi *api, void *memory);

#endif
