/* Reads ONNX's model and tensor files: protobuf messages, unpacked by protobuf-c. */
#include "onnx_reader.h"

#include <stdio.h>
#include <stdlib.h>

#include "test.h"

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
enum { HOST_IS_BIG_ENDIAN = true };
#else
enum { HOST_IS_BIG_ENDIAN = false };
#endif

typedef struct bytes {
    uint8_t *data;
    size_t size;
} bytes;

/* The elements of a TensorProto: `count` items of `item_size` bytes. */
typedef struct field {
    const void *items;
    size_t count;
    size_t item_size;
} field;

static const strew_dtype dtypes[] = {
    [ONNX__TENSOR_PROTO__DATA_TYPE__BOOL] = STREW_DTYPE_BOOL,
    [ONNX__TENSOR_PROTO__DATA_TYPE__INT8] = STREW_DTYPE_INT8,
    [ONNX__TENSOR_PROTO__DATA_TYPE__INT16] = STREW_DTYPE_INT16,
    [ONNX__TENSOR_PROTO__DATA_TYPE__INT32] = STREW_DTYPE_INT32,
    [ONNX__TENSOR_PROTO__DATA_TYPE__INT64] = STREW_DTYPE_INT64,
    [ONNX__TENSOR_PROTO__DATA_TYPE__UINT8] = STREW_DTYPE_UINT8,
    [ONNX__TENSOR_PROTO__DATA_TYPE__UINT16] = STREW_DTYPE_UINT16,
    [ONNX__TENSOR_PROTO__DATA_TYPE__UINT32] = STREW_DTYPE_UINT32,
    [ONNX__TENSOR_PROTO__DATA_TYPE__UINT64] = STREW_DTYPE_UINT64,
    [ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT16] = STREW_DTYPE_FLOAT16,
    [ONNX__TENSOR_PROTO__DATA_TYPE__BFLOAT16] = STREW_DTYPE_BFLOAT16,
    [ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT] = STREW_DTYPE_FLOAT32,
    [ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE] = STREW_DTYPE_FLOAT64,
    [ONNX__TENSOR_PROTO__DATA_TYPE__COMPLEX64] = STREW_DTYPE_COMPLEX64,
    [ONNX__TENSOR_PROTO__DATA_TYPE__COMPLEX128] = STREW_DTYPE_COMPLEX128,
    [ONNX__TENSOR_PROTO__DATA_TYPE__STRING] = STREW_DTYPE_STRING,
};

static size_t file_size(FILE *file)
{
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    assert_true(size >= 0);
    rewind(file);
    return (size_t)size;
}

static bytes read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail_msg("%s cannot be opened", path);
    bytes content = {.size = file_size(file)};
    content.data = malloc(content.size);
    assert_non_null(content.data);
    assert_int_equal(fread(content.data, 1, content.size, file), content.size);
    fclose(file);
    return content;
}

Onnx__ModelProto *onnx_model_read(const char *path)
{
    bytes content = read_file(path);
    Onnx__ModelProto *model = onnx__model_proto__unpack(NULL, content.size, content.data);
    if (model == NULL)
        fail_msg("%s holds no ModelProto", path);
    free(content.data);
    return model;
}

onnx_tensor onnx_tensor_read(const char *path)
{
    bytes content = read_file(path);
    Onnx__TensorProto *message = onnx__tensor_proto__unpack(NULL, content.size, content.data);
    if (message == NULL)
        fail_msg("%s holds no TensorProto", path);
    free(content.data);
    return (onnx_tensor){onnx_tensor_decode(message), message};
}

void onnx_tensor_free(onnx_tensor *tensor)
{
    free(tensor->view.data);
    onnx__tensor_proto__free_unpacked(tensor->message, NULL);
}

size_t onnx_element_count(const strew_tensor *tensor)
{
    size_t count = 1;
    for (int32_t i = 0; i < tensor->rank; i++)
        count *= (size_t)tensor->shape[i];
    return count;
}

static strew_dtype decode_dtype(const Onnx__TensorProto *message)
{
    size_t known = COUNT(dtypes);
    size_t data_type = (size_t)message->data_type;
    if (data_type >= known || dtypes[data_type] == STREW_DTYPE_NONE)
        fail_msg("a tensor has the data type %d", (int)message->data_type);
    return dtypes[data_type];
}

/* The one field that holds the elements; which of them it may be depends on the dtype and on who wrote it. */
static field find_numbers(const Onnx__TensorProto *message)
{
    const field fields[] = {
        {message->raw_data.data, message->raw_data.len, 1},
        {message->float_data, message->n_float_data, sizeof(float)},
        {message->double_data, message->n_double_data, sizeof(double)},
        {message->int32_data, message->n_int32_data, sizeof(int32_t)},
        {message->int64_data, message->n_int64_data, sizeof(int64_t)},
        {message->uint64_data, message->n_uint64_data, sizeof(uint64_t)},
    };
    field found = fields[0];
    for (size_t i = 1; i < COUNT(fields); i++) {
        if (fields[i].count > 0)
            found = fields[i];
    }
    return found;
}

/* The bytes that are swapped together: each half of a complex number has its own. */
static size_t swap_width(strew_dtype dtype)
{
    const bool is_complex = dtype == STREW_DTYPE_COMPLEX64 || dtype == STREW_DTYPE_COMPLEX128;
    return strew_dtype_size(dtype) / (is_complex ? 2 : 1);
}

static void reverse_each(char *parts, size_t size, size_t width)
{
    for (char *part = parts; part < parts + size; part += width)
        for (size_t low = 0, high = width - 1; low < high; low++, high--) {
            const char byte = part[low];
            part[low] = part[high];
            part[high] = byte;
        }
}

/*
 * An item is a part of an element (bytes of raw_data, the halves of a complex number), or the element itself,
 * widened (an int8 or a float16 in int32_data). A widened one keeps its low bytes. raw_data is little-endian by
 * definition; protobuf's own numbers have the host's byte order.
 */
static void decode_numbers(const Onnx__TensorProto *message, const strew_tensor *tensor)
{
    const field numbers = find_numbers(message);
    const size_t element_size = strew_dtype_size(tensor->dtype);
    const size_t kept = numbers.item_size < element_size ? numbers.item_size : element_size;
    const size_t low = HOST_IS_BIG_ENDIAN ? numbers.item_size - kept : 0;
    assert_int_equal(numbers.count * kept, onnx_element_count(tensor) * element_size);

    char *elements = tensor->data;
    const char *items = numbers.items;
    for (size_t i = 0; i < numbers.count; i++)
        memcpy(elements + i * kept, items + i * numbers.item_size + low, kept);
    if (HOST_IS_BIG_ENDIAN && items == (const char *)message->raw_data.data)
        reverse_each(elements, numbers.count, swap_width(tensor->dtype));
}

static void decode_strings(const Onnx__TensorProto *message, const strew_tensor *tensor)
{
    assert_int_equal(message->n_string_data, onnx_element_count(tensor));
    strew_string *elements = tensor->data;
    for (size_t i = 0; i < message->n_string_data; i++) {
        elements[i].data = (const char *)message->string_data[i].data;
        elements[i].size = message->string_data[i].len;
    }
}

strew_tensor onnx_tensor_decode(const Onnx__TensorProto *message)
{
    assert_in_range(message->n_dims, 0, STREW_MAX_RANK);
    strew_tensor tensor = {
        .dtype = decode_dtype(message),
        .rank = (int32_t)message->n_dims,
        .shape = message->dims,
    };
    size_t size = onnx_element_count(&tensor) * strew_dtype_size(tensor.dtype);
    tensor.data = malloc(size);
    assert_true(tensor.data != NULL || size == 0);

    if (tensor.dtype == STREW_DTYPE_STRING)
        decode_strings(message, &tensor);
    else
        decode_numbers(message, &tensor);
    return tensor;
}
