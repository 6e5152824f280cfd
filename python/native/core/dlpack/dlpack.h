/*
 * The part of DLPack's interface (version 1.3, https://dmlc.github.io/dlpack/latest/c_api.html) that strew reads:
 * tensors with and without a version, and the function table that a library sets on its type. It replaces the
 * system's dlpack.h, which may be too old for the latter two.
 */
#ifndef STREW_PYTHON_DLPACK_H
#define STREW_PYTHON_DLPACK_H

#include <stdint.h>

enum { DLPACK_MAJOR = 1, DLPACK_FLAG_READ_ONLY = 1 };

typedef struct DLPackVersion {
    uint32_t major, minor;
} DLPackVersion;

typedef enum { kDLCPU = 1 } DLDeviceType;

typedef struct DLDevice {
    DLDeviceType device_type;
    int32_t device_id;
} DLDevice;

enum { kDLInt = 0, kDLUInt = 1, kDLFloat = 2, kDLOpaqueHandle = 3, kDLBfloat = 4, kDLComplex = 5 };

typedef struct DLDataType {
    uint8_t code, bits;
    uint16_t lanes;
} DLDataType;

typedef struct DLTensor {
    void *data;
    DLDevice device;
    int32_t ndim;
    DLDataType dtype;
    int64_t *shape, *strides; /* strides in elements; NULL is contiguous */
    uint64_t byte_offset;
} DLTensor;

typedef struct DLManagedTensor {
    DLTensor dl_tensor;
    void *manager_ctx;
    void (*deleter)(struct DLManagedTensor *self);
} DLManagedTensor;

/* Up to `flags` every version has the same layout. */
typedef struct DLManagedTensorVersioned {
    DLPackVersion version;
    void *manager_ctx;
    void (*deleter)(struct DLManagedTensorVersioned *self);
    uint64_t flags;
    DLTensor dl_tensor;
} DLManagedTensorVersioned;

/* The capsule "dlpack_exchange_api". Functions that return int return 0, or -1 with a Python exception. */
typedef struct DLPackExchangeAPI {
    DLPackVersion version;
    struct DLPackExchangeAPI *older; /* whose version differs in major; or NULL */
    int (*allocate)(DLTensor *prototype, DLManagedTensorVersioned **tensor, void *context,
                    void (*set_error)(void *context, const char *kind, const char *message));
    int (*managed_from_object)(void *object, DLManagedTensorVersioned **tensor);
    int (*object_from_managed)(DLManagedTensorVersioned *tensor, void **object);
    int (*view_of_object)(void *object, DLTensor *view); /* or NULL; valid as long as the object is */
    int (*current_stream)(DLDeviceType type, int32_t id, void **stream);
} DLPackExchangeAPI;

#endif
