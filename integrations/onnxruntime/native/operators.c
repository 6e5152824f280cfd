#include "operators.h"

#include <string.h>

/* The kinds whose inputs and attributes are read here. The runtime keeps strew's other operators of ONNX. */
enum {
    KINDS = 1u << STREW_KIND_GATHER | 1u << STREW_KIND_GATHER_ND | 1u << STREW_KIND_GATHER_ELEMENTS |
            1u << STREW_KIND_SCATTER_ND | 1u << STREW_KIND_SCATTER_ELEMENTS | 1u << STREW_KIND_TENSOR_SCATTER
};

static bool is_ours(const strew_operator *op)
{
    return strcmp(op->collection, "ONNX") == 0 && (KINDS >> op->kind & 1);
}

size_t strew_ort_operator_count(void)
{
    size_t count = 0;
    for (size_t i = 0; i < strew_operator_count(); i++)
        count += is_ours(strew_operator_at(i));
    return count;
}

const strew_operator *strew_ort_operator_at(size_t index)
{
    for (size_t i = 0; i < strew_operator_count(); i++) {
        const strew_operator *op = strew_operator_at(i);
        if (is_ours(op) && index-- == 0)
            return op;
    }
    return NULL;
}

/* The length of the type in a name such as ScatterND-18. */
static size_t type_length(const strew_operator *op)
{
    return strcspn(op->name, "-");
}

const strew_operator *strew_ort_operator_in_opset(const char *type, int64_t opset)
{
    const strew_operator *newest = NULL;
    for (size_t i = 0; i < strew_operator_count(); i++) {
        const strew_operator *op = strew_operator_at(i);
        const size_t length = type_length(op);
        if (is_ours(op) && strlen(type) == length && memcmp(op->name, type, length) == 0 && op->version <= opset &&
            (!newest || op->version > newest->version))
            newest = op;
    }
    return newest;
}

void strew_ort_operator_type(const strew_operator *op, char type[STREW_ORT_NAME_SIZE])
{
    const size_t length = type_length(op);
    memcpy(type, op->name, length);
    type[length] = '\0';
}

bool strew_ort_scatters(const strew_operator *op)
{
    return op->kind == STREW_KIND_SCATTER_ND || op->kind == STREW_KIND_SCATTER_ELEMENTS ||
           op->kind == STREW_KIND_TENSOR_SCATTER;
}

size_t strew_ort_input_count(const strew_operator *op)
{
    return strew_ort_scatters(op) ? 3 : 2;
}

strew_ort_operand strew_ort_operand_at(const strew_operator *op, size_t input)
{
    static const strew_ort_operand usual[] = {STREW_ORT_DATA, STREW_ORT_INDICES, STREW_ORT_UPDATES};
    static const strew_ort_operand of_cache[] = {STREW_ORT_DATA, STREW_ORT_UPDATES, STREW_ORT_INDICES};
    return op->kind == STREW_KIND_TENSOR_SCATTER ? of_cache[input] : usual[input];
}

bool strew_ort_is_optional(const strew_operator *op, size_t input)
{
    return op->kind == STREW_KIND_TENSOR_SCATTER && strew_ort_operand_at(op, input) == STREW_ORT_INDICES;
}

/* Headers of 1.23 have no names for these; the runtime gave them these numbers later. */
enum { ELEMENT_TYPE_FLOAT4E2M1 = 23, ELEMENT_TYPE_FLOAT8E8M0 = 26 };

static const strew_dtype dtypes[] = {
    [ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL] = STREW_DTYPE_BOOL,
    [ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8] = STREW_DTYPE_INT8,
    [ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16] = STREW_DTYPE_INT16,
    [ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32] = STREW_DTYPE_INT32,
    [ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64] = STREW_DTYPE_INT64,
    [ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8] = STREW_DTYPE_UINT8,
    [ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16] = STREW_DTYPE_UINT16,
    [ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32] = STREW_DTYPE_UINT32,
    [ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64] = STREW_DTYPE_UINT64,
    [ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16] = STREW_DTYPE_FLOAT16,
    [ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16] = STREW_DTYPE_BFLOAT16,
    [ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT] = STREW_DTYPE_FLOAT32,
    [ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE] = STREW_DTYPE_FLOAT64,
    [ONNX_TENSOR_ELEMENT_DATA_TYPE_COMPLEX64] = STREW_DTYPE_COMPLEX64,
    [ONNX_TENSOR_ELEMENT_DATA_TYPE_COMPLEX128] = STREW_DTYPE_COMPLEX128,
    [ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING] = STREW_DTYPE_STRING,
    [ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E4M3FN] = STREW_DTYPE_FLOAT8E4M3FN,
    [ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E4M3FNUZ] = STREW_DTYPE_FLOAT8E4M3FNUZ,
    [ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E5M2] = STREW_DTYPE_FLOAT8E5M2,
    [ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E5M2FNUZ] = STREW_DTYPE_FLOAT8E5M2FNUZ,
    [ELEMENT_TYPE_FLOAT8E8M0] = STREW_DTYPE_FLOAT8E8M0,
    [ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT4] = STREW_DTYPE_UINT4,
    [ONNX_TENSOR_ELEMENT_DATA_TYPE_INT4] = STREW_DTYPE_INT4,
    [ELEMENT_TYPE_FLOAT4E2M1] = STREW_DTYPE_FLOAT4E2M1,
};

enum { ELEMENT_TYPES = sizeof dtypes / sizeof *dtypes };

strew_dtype strew_ort_dtype(ONNXTensorElementDataType type)
{
    return (unsigned)type < ELEMENT_TYPES ? dtypes[type] : STREW_DTYPE_NONE;
}

ONNXTensorElementDataType strew_ort_element_type(strew_dtype dtype)
{
    for (int type = 0; type < ELEMENT_TYPES; type++) {
        if (dtypes[type] == dtype && dtype != STREW_DTYPE_NONE)
            return (ONNXTensorElementDataType)type;
    }
    return ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
}

bool strew_ort_runtime_has(const OrtApi *api, strew_dtype dtype)
{
    const int64_t none = 0;
    OrtAllocator *allocator;
    OrtValue *tensor = NULL;
    OrtStatus *status = api->GetAllocatorWithDefaultOptions(&allocator);
    if (!status)
        status = api->CreateTensorAsOrtValue(allocator, &none, 1, strew_ort_element_type(dtype), &tensor);
    if (tensor)
        api->ReleaseValue(tensor);
    api->ReleaseStatus(status);
    return !status;
}

/* The runtime has no tensors of complex numbers. */
static bool has_tensors(strew_dtype dtype)
{
    return strew_ort_element_type(dtype) != ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED &&
           dtype != STREW_DTYPE_COMPLEX64 && dtype != STREW_DTYPE_COMPLEX128;
}

static bool serves_data(const strew_operator *op, strew_dtype data)
{
    return data == STREW_DTYPE_NONE || ((op->data_dtypes >> data & 1) && has_tensors(data));
}

static bool serves_reduction(const strew_operator *op, strew_dtype data, const char *name)
{
    strew_reduction reduction;
    if (!name || !strew_reduction_find(name, &reduction))
        return true;
    return (op->reductions >> reduction & 1) &&
           (data == STREW_DTYPE_NONE || strew_reduction_supports(reduction, data));
}

/* The largest call that costs no more by the runtime's own kernels: measured with one element to 100 KiB. */
enum { LITTLE = 1024 };

/* Whether the runtime's own kernel gives the numbers that strew gives. */
static bool is_the_same_natively(const strew_operator *op, strew_dtype data, const char *name)
{
    const uint32_t reduced =
        1u << STREW_DTYPE_INT32 | 1u << STREW_DTYPE_INT64 | 1u << STREW_DTYPE_FLOAT32 | 1u << STREW_DTYPE_FLOAT64;
    const uint32_t moved = reduced | 1u << STREW_DTYPE_BOOL | 1u << STREW_DTYPE_INT8 | 1u << STREW_DTYPE_INT16 |
                           1u << STREW_DTYPE_UINT8 | 1u << STREW_DTYPE_UINT16 | 1u << STREW_DTYPE_UINT32 |
                           1u << STREW_DTYPE_UINT64 | 1u << STREW_DTYPE_FLOAT16;
    const bool is_float = data == STREW_DTYPE_FLOAT32 || data == STREW_DTYPE_FLOAT64;
    strew_reduction reduction = STREW_REDUCTION_NONE;
    if (op->kind == STREW_KIND_TENSOR_SCATTER || (name && !strew_reduction_find(name, &reduction)))
        return false;
    if (reduction == STREW_REDUCTION_NONE)
        return moved >> data & 1;
    const bool loses_nan = is_float && (reduction == STREW_REDUCTION_MIN || reduction == STREW_REDUCTION_MAX);
    return (reduced >> data & 1) && !loses_nan;
}

bool strew_ort_serves(const strew_operator *op, strew_dtype data, const char *reduction, size_t rank,
                      uint64_t moved)
{
    return rank <= STREW_MAX_RANK && serves_data(op, data) && serves_reduction(op, data, reduction) &&
           (moved > LITTLE || !is_the_same_natively(op, data, reduction));
}

/* ONNX's numbers are the runtime's as far as headers of 1.23 name them, and that of float4e2m1. */
static ONNXTensorElementDataType element_type_of_onnx(int32_t number)
{
    enum { ONNX_FLOAT8E8M0 = 24 };
    if (number == ONNX_FLOAT8E8M0)
        return (ONNXTensorElementDataType)ELEMENT_TYPE_FLOAT8E8M0;
    return number <= ELEMENT_TYPE_FLOAT4E2M1 ? (ONNXTensorElementDataType)number
                                             : ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
}

bool strew_onnxruntime_serves(const char *type, int64_t version, int32_t element_type, const char *reduction,
                              size_t rank, uint64_t moved)
{
    const strew_operator *op = strew_ort_operator_in_opset(type, version);
    const strew_dtype data = strew_ort_dtype(element_type_of_onnx(element_type));
    if (!op || op->version != version || (element_type && data == STREW_DTYPE_NONE))
        return false;
    return strew_ort_serves(op, data, reduction, rank, moved);
}
