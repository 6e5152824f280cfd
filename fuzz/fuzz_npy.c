/* Fuzzes the reader of .npy files: for any bytes it gives a usable array, or an error. */
#include "../tools/npy.h"

#include <stdlib.h>
#include <string.h>

/* Reads bytes into here: only a read lets a sanitizer check a pointer. */
static volatile unsigned char sink;

static void visit(const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < size; i++)
        sink = byte[i];
}

static void visit_element(const strew_tensor *tensor, int64_t offset)
{
    size_t size = strew_dtype_size(tensor->dtype);
    const char *element = (const char *)tensor->data + (size_t)offset * size;
    visit(element, size);
    if (tensor->dtype == STREW_DTYPE_STRING) {
        strew_string string;
        memcpy(&string, element, sizeof(string));
        visit(string.data, string.size);
    }
}

/* Visits every element as strew would address it: by strides, from dimension `dimension` inward. */
static void visit_elements(const strew_tensor *tensor, int32_t dimension, int64_t offset)
{
    if (dimension == tensor->rank) {
        visit_element(tensor, offset);
        return;
    }
    for (int64_t i = 0; i < tensor->shape[dimension]; i++)
        visit_elements(tensor, dimension + 1, offset + i * tensor->strides[dimension]);
}

static bool has_elements(const strew_tensor *tensor)
{
    for (int32_t i = 0; i < tensor->rank; i++)
        if (tensor->shape[i] == 0)
            return false;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    npy_array array;
    npy_error error = {STREW_STATUS_OK, ""};
    strew_status status = npy_read_memory("fuzz.npy", bytes, size, &array, &error);
    strew_tensor tensor = npy_tensor(&array);
    if ((status == STREW_STATUS_OK) != (tensor.data != NULL) ||
        (status == STREW_STATUS_OK) != (error.message[0] == '\0'))
        abort();
    if (status == STREW_STATUS_OK && has_elements(&tensor))
        visit_elements(&tensor, 0, 0);
    npy_free(&array);
    return 0;
}
