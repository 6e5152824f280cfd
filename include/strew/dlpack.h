/**
 * @file
 * Converts between DLTensor and strew_tensor (https://github.com/dmlc/dlpack). Header only, for callers that have
 * DLPack. Both types are views: nothing is copied. Shape and strides remain those of the source, which must
 * outlive the result.
 */
#ifndef STREW_DLPACK_H
#define STREW_DLPACK_H

#include <dlpack/dlpack.h>
#include <strew/strew.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @defgroup strew_dlpack DLPack
 * Converts tensors and dtypes between DLPack and strew.
 * @{
 */

/** kDLBool, which DLPack added in 0.8. It is an enumerator, so the preprocessor cannot test for it. */
#define STREW_DLPACK_BOOL 6

/* DLPack added these in 1.1. */
#define STREW_DLPACK_FLOAT8_E4M3FN 10   /**< kDLFloat8_e4m3fn */
#define STREW_DLPACK_FLOAT8_E4M3FNUZ 11 /**< kDLFloat8_e4m3fnuz */
#define STREW_DLPACK_FLOAT8_E5M2 12     /**< kDLFloat8_e5m2 */
#define STREW_DLPACK_FLOAT8_E5M2FNUZ 13 /**< kDLFloat8_e5m2fnuz */
#define STREW_DLPACK_FLOAT8_E8M0FNU 14  /**< kDLFloat8_e8m0fnu */

/** The dtypes of both DLPack and strew: X(dtype, DLPack's type code, bits). */
#define STREW_DLPACK_DTYPES(X)                                     \
    X(STREW_DTYPE_BOOL, STREW_DLPACK_BOOL, 8)                      \
    X(STREW_DTYPE_INT8, kDLInt, 8)                                 \
    X(STREW_DTYPE_INT16, kDLInt, 16)                               \
    X(STREW_DTYPE_INT32, kDLInt, 32)                               \
    X(STREW_DTYPE_INT64, kDLInt, 64)                               \
    X(STREW_DTYPE_UINT8, kDLUInt, 8)                               \
    X(STREW_DTYPE_UINT16, kDLUInt, 16)                             \
    X(STREW_DTYPE_UINT32, kDLUInt, 32)                             \
    X(STREW_DTYPE_UINT64, kDLUInt, 64)                             \
    X(STREW_DTYPE_FLOAT16, kDLFloat, 16)                           \
    X(STREW_DTYPE_BFLOAT16, kDLBfloat, 16)                         \
    X(STREW_DTYPE_FLOAT32, kDLFloat, 32)                           \
    X(STREW_DTYPE_FLOAT64, kDLFloat, 64)                           \
    X(STREW_DTYPE_COMPLEX64, kDLComplex, 64)                       \
    X(STREW_DTYPE_COMPLEX128, kDLComplex, 128)                     \
    X(STREW_DTYPE_FLOAT8E4M3FN, STREW_DLPACK_FLOAT8_E4M3FN, 8)     \
    X(STREW_DTYPE_FLOAT8E4M3FNUZ, STREW_DLPACK_FLOAT8_E4M3FNUZ, 8) \
    X(STREW_DTYPE_FLOAT8E5M2, STREW_DLPACK_FLOAT8_E5M2, 8)         \
    X(STREW_DTYPE_FLOAT8E5M2FNUZ, STREW_DLPACK_FLOAT8_E5M2FNUZ, 8) \
    X(STREW_DTYPE_FLOAT8E8M0, STREW_DLPACK_FLOAT8_E8M0FNU, 8)

/**
 * Converts a dtype of DLPack to strew's. Returns STREW_DTYPE_NONE if strew has no such dtype: vectors of more than
 * one lane, elements that are not whole bytes, handles.
 */
static inline strew_dtype strew_dtype_from_dlpack(DLDataType type)
{
#define STREW_DLPACK_MATCH(type_dtype, type_code, type_bits)                     \
    if (type.lanes == 1 && type.code == (type_code) && type.bits == (type_bits)) \
        return type_dtype;
    STREW_DLPACK_DTYPES(STREW_DLPACK_MATCH)
#undef STREW_DLPACK_MATCH
    return STREW_DTYPE_NONE;
}

/**
 * Converts a dtype to DLPack's. Returns false, and leaves `*type` unchanged, for strings and opaque elements,
 * which DLPack does not have, and for packed ones, because a DLTensor does not say whether they are packed.
 */
static inline bool strew_dtype_to_dlpack(strew_dtype dtype, DLDataType *type)
{
#define STREW_DLPACK_MATCH(type_dtype, type_code, type_bits) \
    if (dtype == (type_dtype)) {                             \
        type->code = (uint8_t)(type_code);                   \
        type->bits = (uint8_t)(type_bits);                   \
        type->lanes = 1;                                     \
        return true;                                         \
    }
    STREW_DLPACK_DTYPES(STREW_DLPACK_MATCH)
#undef STREW_DLPACK_MATCH
    return false;
}

/**
 * Converts a DLTensor. Returns false, and leaves `*tensor` unchanged, if the memory is not a CPU's or strew has no
 * such dtype.
 */
static inline bool strew_tensor_from_dlpack(const DLTensor *source, strew_tensor *tensor)
{
    const strew_dtype dtype = strew_dtype_from_dlpack(source->dtype);
    if (source->device.device_type != kDLCPU || dtype == STREW_DTYPE_NONE)
        return false;
    tensor->data = source->data ? (char *)source->data + source->byte_offset : NULL;
    tensor->dtype = dtype;
    tensor->rank = (int32_t)source->ndim;
    tensor->shape = source->shape;
    tensor->strides = source->strides;
    return true;
}

/**
 * Converts a tensor to a DLTensor. Returns false, and leaves `*target` unchanged, if DLPack has no such dtype.
 * DLPack never writes through shape and strides.
 */
static inline bool strew_tensor_to_dlpack(const strew_tensor *tensor, DLTensor *target)
{
    DLDataType type;
    if (!strew_dtype_to_dlpack(tensor->dtype, &type))
        return false;
    target->data = tensor->data;
    target->device.device_type = kDLCPU;
    target->device.device_id = 0;
    target->ndim = tensor->rank;
    target->dtype = type;
    target->shape = (int64_t *)(uintptr_t)tensor->shape;
    target->strides = (int64_t *)(uintptr_t)tensor->strides;
    target->byte_offset = 0;
    return true;
}

/** @} */

#ifdef __cplusplus
}
#endif

#endif
