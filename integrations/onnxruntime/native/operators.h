/* ONNX's operators as strew lists them, and ONNX Runtime's names for what they are made of. */
#ifndef STREW_ONNXRUNTIME_OPERATORS_H
#define STREW_ONNXRUNTIME_OPERATORS_H

#include <onnxruntime_c_api.h>
#include <strew/operators.h>

/* Bytes of the longest name of an operator, its terminator included. */
enum { STREW_ORT_NAME_SIZE = 32 };

/* How many published versions of ONNX's operators strew has. */
size_t strew_ort_operator_count(void);
/* One of them; NULL unless index < strew_ort_operator_count(). */
const strew_operator *strew_ort_operator_at(size_t index);
/* The version of an operator type ("ScatterND") that is in force in an opset of ONNX; NULL if there is none. */
const strew_operator *strew_ort_operator_in_opset(const char *type, int64_t opset);
/* Writes the operator's type as a model names it: "ScatterND" for ScatterND-18. */
void strew_ort_operator_type(const strew_operator *op, char type[STREW_ORT_NAME_SIZE]);

/* How many inputs the operator has: 3 for a scatter, 2 for a gather. Every one has one output. */
size_t strew_ort_input_count(const strew_operator *op);
/* Whether its output has the shape of its first input, and may be written over it. */
bool strew_ort_scatters(const strew_operator *op);

/* strew's dtype of an element type; STREW_DTYPE_NONE if it has none. */
strew_dtype strew_ort_dtype(ONNXTensorElementDataType type);
/* The element type of a dtype; undefined if there is none. */
ONNXTensorElementDataType strew_ort_element_type(strew_dtype dtype);

#endif
