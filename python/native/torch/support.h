/* Shared by all kernels for PyTorch: views of its tensors, its threads, its exceptions. */
#ifndef STREW_TORCH_SUPPORT_H
#define STREW_TORCH_SUPPORT_H

#include <strew/strew.h>

#include "stable.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Tensors ---- */

/* PyTorch's dtype as strew's; those that strew cannot compute with (complex32, float8) as opaque elements of their
 * size. STREW_DTYPE_NONE for those that are not even bytes (quantised, packed, unknown). */
strew_dtype strew_torch_dtype(int32_t dtype);

/* Views a tensor of the CPU: pointer, dtype, rank, and PyTorch's own sizes and strides, which live as long as the
 * handle's tensor is not resized. False if strew cannot view it: an undefined tensor, another device or layout, a
 * dtype of STREW_DTYPE_NONE, a rank above STREW_MAX_RANK. */
bool strew_torch_view(AtenTensorHandle tensor, strew_tensor *view);

/* The same for a tensor to write. It unshares copy-on-write memory. */
bool strew_torch_view_mutable(AtenTensorHandle tensor, strew_tensor *view);

/* A new contiguous tensor of the CPU, owned by the caller, with `dtype` of PyTorch's; NULL if there is no memory.
 */
AtenTensorHandle strew_torch_empty(int32_t rank, const int64_t *sizes, int32_t dtype);

/* The same with strides. */
AtenTensorHandle strew_torch_empty_strided(int32_t rank, const int64_t *sizes, const int64_t *strides,
                                           int32_t dtype);

/* The handle on the stack, which stays the stack's. */
static inline AtenTensorHandle strew_torch_tensor(StableIValue value)
{
    return (AtenTensorHandle)(uintptr_t)value;
}

/* A handle as a result, which the caller owns from then on. */
static inline StableIValue strew_torch_result(AtenTensorHandle tensor)
{
    return (StableIValue)(uintptr_t)tensor;
}

/* Frees an optional that PyTorch gave, but not its value. NULL is allowed. */
void strew_torch_delete_optional(StableIValue *value);

/* ---- Threads ---- */

/* PyTorch's threads, as many as torch.get_num_threads() says on the calling thread. */
strew_parallel strew_torch_parallel(void);

/* ---- Exceptions ---- */

/* The class of a PyTorch exception, named by its Python class. */
typedef enum strew_torch_class {
    STREW_TORCH_RUNTIME_ERROR,
    STREW_TORCH_INDEX_ERROR,
    STREW_TORCH_VALUE_ERROR,
    STREW_TORCH_TYPE_ERROR,
    STREW_TORCH_NOT_IMPLEMENTED_ERROR
} strew_torch_class;

/* Throws. A kernel calls it last, when it owns nothing any more. The text is copied. */
#if defined(__GNUC__)
__attribute__((noreturn))
#endif
void strew_torch_raise(strew_torch_class kind, const char *text);

#ifdef __cplusplus
}
#endif

#endif
