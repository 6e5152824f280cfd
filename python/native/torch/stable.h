/* The part of PyTorch's stable C interface (aoti_torch_* and torch_*) that strew uses. It is declared here
 * instead of included, so that the build does not need PyTorch, and found in the process when strew.torch is
 * imported. tests/torch/test_stable.py compiles this list beside PyTorch's own headers. */
#ifndef STREW_TORCH_STABLE_H
#define STREW_TORCH_STABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The types are PyTorch's own where its headers have been included before. */
#ifndef STREW_TORCH_TYPES_GIVEN
typedef struct AtenTensorOpaque *AtenTensorHandle;
typedef struct TorchLibraryOpaque *TorchLibraryHandle;
typedef struct StableListOpaque *StableListHandle;
typedef struct StringOpaque *StringHandle;
typedef int32_t AOTITorchError; /* 0 is success */
typedef void (*ParallelFunc)(int64_t begin, int64_t end, void *context);

/* One argument or result of a kernel: a number or bool in its lowest bytes; the handle of a tensor, list or
 * string, owned by the taker of the value; or for an optional a pointer to another StableIValue, or 0. */
typedef uint64_t StableIValue;
#endif

/* A kernel. The stack holds the arguments in the order of the schema, and from 0 on the results after the call. */
typedef void (*strew_torch_kernel)(StableIValue *stack, uint64_t num_arguments, uint64_t num_outputs);

/* The version whose conventions these declarations follow: 2.10. */
#define STREW_TORCH_VERSION ((UINT64_C(2) << 56) | (UINT64_C(10) << 48))

/* clang-format off */
/* X(result, name, arguments): every function exists since PyTorch 2.10 or longer. */
#define STREW_TORCH_FUNCTIONS(X)                                                                                  \
    X(uint64_t, aoti_torch_abi_version, (void))                                                                   \
    X(int32_t, aoti_torch_device_type_cpu, (void))                                                                \
    X(int32_t, aoti_torch_layout_strided, (void))                                                                 \
    X(int32_t, aoti_torch_dtype_bool, (void))                                                                     \
    X(int32_t, aoti_torch_dtype_int8, (void))                                                                     \
    X(int32_t, aoti_torch_dtype_int16, (void))                                                                    \
    X(int32_t, aoti_torch_dtype_int32, (void))                                                                    \
    X(int32_t, aoti_torch_dtype_int64, (void))                                                                    \
    X(int32_t, aoti_torch_dtype_uint8, (void))                                                                    \
    X(int32_t, aoti_torch_dtype_uint16, (void))                                                                   \
    X(int32_t, aoti_torch_dtype_uint32, (void))                                                                   \
    X(int32_t, aoti_torch_dtype_uint64, (void))                                                                   \
    X(int32_t, aoti_torch_dtype_float16, (void))                                                                  \
    X(int32_t, aoti_torch_dtype_bfloat16, (void))                                                                 \
    X(int32_t, aoti_torch_dtype_float32, (void))                                                                  \
    X(int32_t, aoti_torch_dtype_float64, (void))                                                                  \
    X(int32_t, aoti_torch_dtype_complex32, (void))                                                                \
    X(int32_t, aoti_torch_dtype_complex64, (void))                                                                \
    X(int32_t, aoti_torch_dtype_complex128, (void))                                                               \
    X(int32_t, aoti_torch_dtype_float8_e5m2, (void))                                                              \
    X(int32_t, aoti_torch_dtype_float8_e4m3fn, (void))                                                            \
    X(int32_t, aoti_torch_dtype_float8_e5m2fnuz, (void))                                                          \
    X(int32_t, aoti_torch_dtype_float8_e4m3fnuz, (void))                                                          \
    X(size_t, aoti_torch_dtype_element_size, (int32_t dtype))                                                     \
    X(bool, aoti_torch_grad_mode_is_enabled, (void))                                                              \
    X(AOTITorchError, aoti_torch_delete_tensor_object, (AtenTensorHandle tensor))                                 \
    X(AOTITorchError, aoti_torch_get_data_ptr, (AtenTensorHandle tensor, void **data))                            \
    X(AOTITorchError, torch_get_mutable_data_ptr, (AtenTensorHandle tensor, void **data))                         \
    X(AOTITorchError, torch_get_const_data_ptr, (AtenTensorHandle tensor, const void **data))                     \
    X(AOTITorchError, aoti_torch_get_storage_size, (AtenTensorHandle tensor, int64_t * bytes))                    \
    X(AOTITorchError, aoti_torch_get_storage_offset, (AtenTensorHandle tensor, int64_t * elements))               \
    X(AOTITorchError, aoti_torch_get_dim, (AtenTensorHandle tensor, int64_t * rank))                              \
    X(AOTITorchError, aoti_torch_get_numel, (AtenTensorHandle tensor, int64_t * elements))                        \
    X(AOTITorchError, aoti_torch_get_sizes, (AtenTensorHandle tensor, int64_t * *borrowed))                       \
    X(AOTITorchError, aoti_torch_get_strides, (AtenTensorHandle tensor, int64_t * *borrowed))                     \
    X(AOTITorchError, aoti_torch_get_dtype, (AtenTensorHandle tensor, int32_t * dtype))                           \
    X(AOTITorchError, aoti_torch_get_device_type, (AtenTensorHandle tensor, int32_t * device))                    \
    X(AOTITorchError, aoti_torch_get_layout, (AtenTensorHandle tensor, int32_t * layout))                         \
    X(AOTITorchError, aoti_torch_is_contiguous, (AtenTensorHandle tensor, bool *contiguous))                      \
    X(AOTITorchError, aoti_torch_is_defined, (AtenTensorHandle tensor, bool *defined))                            \
    X(AOTITorchError, aoti_torch_new_tensor_handle, (AtenTensorHandle tensor, AtenTensorHandle *owned))           \
    X(AOTITorchError, aoti_torch_new_uninitialized_tensor, (AtenTensorHandle *owned))                             \
    X(AOTITorchError, aoti_torch_empty_strided,                                                                   \
      (int64_t rank, const int64_t *sizes, const int64_t *strides, int32_t dtype, int32_t device, int32_t number, \
       AtenTensorHandle *owned))                                                                                  \
    X(AOTITorchError, aoti_torch__reinterpret_tensor,                                                             \
      (AtenTensorHandle tensor, int64_t rank, const int64_t *sizes, const int64_t *strides, int64_t offset,       \
       AtenTensorHandle *owned))                                                                                  \
    X(AOTITorchError, aoti_torch_clone, (AtenTensorHandle tensor, AtenTensorHandle *owned))                       \
    X(AOTITorchError, aoti_torch_clone_preserve_strides, (AtenTensorHandle tensor, AtenTensorHandle *owned))      \
    X(AOTITorchError, aoti_torch_copy_, (AtenTensorHandle tensor, AtenTensorHandle source, int32_t non_blocking)) \
    X(AOTITorchError, aoti_torch_zero_, (AtenTensorHandle tensor))                                                \
    X(AOTITorchError, aoti_torch_library_init_impl,                                                               \
      (const char *name, const char *key, const char *file, uint32_t line, TorchLibraryHandle *owned))            \
    X(AOTITorchError, aoti_torch_library_init_def,                                                                \
      (const char *name, const char *file, uint32_t line, TorchLibraryHandle *owned))                             \
    X(AOTITorchError, aoti_torch_library_init_fragment,                                                           \
      (const char *name, const char *file, uint32_t line, TorchLibraryHandle *owned))                             \
    X(AOTITorchError, aoti_torch_library_def, (TorchLibraryHandle library, const char *schema))                   \
    X(AOTITorchError, aoti_torch_delete_library_object, (TorchLibraryHandle library))                             \
    X(AOTITorchError, torch_library_impl,                                                                         \
      (TorchLibraryHandle library, const char *name, void (*kernel)(StableIValue *, uint64_t, uint64_t),          \
       uint64_t version))                                                                                         \
    X(AOTITorchError, torch_call_dispatcher,                                                                      \
      (const char *name, const char *overload, StableIValue *stack, uint64_t version))                            \
    X(AOTITorchError, torch_new_list_reserve_size, (size_t size, StableListHandle *owned))                        \
    X(AOTITorchError, torch_list_size, (StableListHandle list, size_t *size))                                     \
    X(AOTITorchError, torch_list_get_item, (StableListHandle list, size_t index, StableIValue *item))             \
    X(AOTITorchError, torch_list_set_item, (StableListHandle list, size_t index, StableIValue item))              \
    X(AOTITorchError, torch_list_push_back, (StableListHandle list, StableIValue item))                           \
    X(AOTITorchError, torch_delete_list, (StableListHandle list))                                                 \
    X(AOTITorchError, torch_new_string_handle, (const char *text, size_t length, StringHandle *owned))            \
    X(AOTITorchError, torch_string_length, (StringHandle text, size_t * length))                                  \
    X(AOTITorchError, torch_string_c_str, (StringHandle text, const char **borrowed))                             \
    X(AOTITorchError, torch_delete_string, (StringHandle text))                                                   \
    X(AOTITorchError, torch_parallel_for,                                                                         \
      (int64_t begin, int64_t end, int64_t grain, ParallelFunc function, void *context))                          \
    X(AOTITorchError, torch_get_num_threads, (uint32_t *threads))

/* X(result, name, arguments): functions that came later; NULL before. */
#define STREW_TORCH_LATER_FUNCTIONS(X)                                                                            \
    X(AOTITorchError, torch_new_stable_ivalue, (StableIValue **owned))                                            \
    X(AOTITorchError, torch_delete_stable_ivalue, (StableIValue *value))                                          \
    X(const char *, torch_exception_get_what_without_backtrace, (void))
/* clang-format on */

/* All of these functions: pytorch.aoti_torch_get_dim(handle, &rank). strew_torch_load fills it; then it is
 * constant. */
#define STREW_TORCH_FIELD(result, name, arguments) result(*name) arguments;
typedef struct strew_torch_functions {
    STREW_TORCH_FUNCTIONS(STREW_TORCH_FIELD)
    STREW_TORCH_LATER_FUNCTIONS(STREW_TORCH_FIELD)
} strew_torch_functions;
#undef STREW_TORCH_FIELD

#ifdef __cplusplus
extern "C" {
#endif

extern strew_torch_functions pytorch;

/* Finds the functions in a library that the process has loaded. Returns NULL, or the name of the first missing
 * one ("" if the library itself is not loaded). It loads nothing: a second copy of PyTorch would crash the
 * process. */
const char *strew_torch_load(const char *library);

#ifdef __cplusplus
}
#endif

#endif
