/* ONNX's operators as strew lists them, and ONNX Runtime's names for what they are made of. */
#ifndef STREW_ONNXRUNTIME_OPERATORS_H
#define STREW_ONNXRUNTIME_OPERATORS_H

#include <onnxruntime_c_api.h>
#include <strew/operators.h>

/* What is the library's, and seen from outside. */
#if defined(_WIN32)
#define STREW_ORT_EXPORT __declspec(dllexport)
#else
#define STREW_ORT_EXPORT __attribute__((visibility("default")))
#endif

/* Bytes of the longest name of an operator, its terminator included. */
enum { STREW_ORT_NAME_SIZE = 32 };

/* How many published versions of ONNX's operators strew has and this library serves. */
size_t strew_ort_operator_count(void);
/* One of them; NULL unless index < strew_ort_operator_count(). */
const strew_operator *strew_ort_operator_at(size_t index);
/* The version of an operator type ("ScatterND") that is in force in an opset of ONNX; NULL if there is none. */
const strew_operator *strew_ort_operator_in_opset(const char *type, int64_t opset);
/* Writes the operator's type as a model names it: "ScatterND" for ScatterND-18. */
void strew_ort_operator_type(const strew_operator *op, char type[STREW_ORT_NAME_SIZE]);

/* What an input is to strew. */
typedef enum strew_ort_operand {
    STREW_ORT_DATA,
    STREW_ORT_INDICES,
    STREW_ORT_UPDATES,
    STREW_ORT_OPERANDS /* how many there are */
} strew_ort_operand;

/* How many inputs the operator has: 3 for a scatter, 2 for a gather. Every one has one output. */
size_t strew_ort_input_count(const strew_operator *op);
/* Which of them it is: the indices of a TensorScatter come last. */
strew_ort_operand strew_ort_operand_at(const strew_operator *op, size_t input);
/* Whether a node may lack it: the indices of a TensorScatter. */
bool strew_ort_is_optional(const strew_operator *op, size_t input);
/* Whether its output has the shape of its first input, and may be written over it. */
bool strew_ort_scatters(const strew_operator *op);

/* The bytes of a call that a model does not tell, or of one that strew is to run in any case. */
#define STREW_ORT_UNKNOWN UINT64_MAX

/*
 * Whether strew runs such nodes; the others are left to the runtime. `data` is STREW_DTYPE_NONE if it is not known,
 * `reduction` NULL if the node has none, `rank` the greatest of its tensors as far as they are known. `moved` is
 * the bytes of the output, and of the indices and updates. A name that is no reduction's is strew's to refuse: the
 * runtime would assign without a word.
 *
 * A node that moves at most 1 KiB is left to the runtime where that gives the same numbers: the call itself takes
 * all the time then, and the runtime's own takes less. The same numbers are moves of bool, integers and floats, and
 * reductions of the types that the runtime reduces; but for min and max of floats, where it loses NaN.
 */
bool strew_ort_serves(const strew_operator *op, strew_dtype data, const char *reduction, size_t rank,
                      uint64_t moved);
/* The same of "ScatterND", 18 and an element type by ONNX's number, 0 if it is not known: what the converter asks.
 */
STREW_ORT_EXPORT bool strew_onnxruntime_serves(const char *type, int64_t version, int32_t element_type,
                                               const char *reduction, size_t rank, uint64_t moved);

/* Whether a runtime has tensors of a dtype: newer ones know more element types than older ones. */
bool strew_ort_runtime_has(const OrtApi *api, strew_dtype dtype);

/* strew's dtype of an element type; STREW_DTYPE_NONE if it has none. */
strew_dtype strew_ort_dtype(ONNXTensorElementDataType type);
/* The element type of a dtype; undefined if there is none. */
ONNXTensorElementDataType strew_ort_element_type(strew_dtype dtype);

#endif
