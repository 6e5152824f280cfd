/* Reads ONNX's model and tensor files for a cmocka test; a file that cannot be read fails the running test. */
#ifndef STREW_TESTS_ONNX_READER_H
#define STREW_TESTS_ONNX_READER_H

#include <onnx.pb-c.h>

#include <strew/operators.h>

/* A tensor and the message it came from, which its shape and its strings point into. */
typedef struct onnx_tensor {
    strew_tensor view;
    Onnx__TensorProto *message;
} onnx_tensor;

/* The caller frees it with onnx__model_proto__free_unpacked. */
Onnx__ModelProto *onnx_model_read(const char *path);

onnx_tensor onnx_tensor_read(const char *path);
void onnx_tensor_free(onnx_tensor *tensor);

/* The message as a tensor. The caller frees its elements; shape and strings belong to the message. */
strew_tensor onnx_tensor_decode(const Onnx__TensorProto *message);

/* The product of the dimensions. */
size_t onnx_element_count(const strew_tensor *tensor);

#endif
