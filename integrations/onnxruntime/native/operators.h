/* strew's list of ONNX's operators, and ONNX Runtime's names for their inputs and types. */
#ifndef STREW_ONNXRUNTIME_OPERATORS_H
#define STREW_ONNXRUNTIME_OPERATORS_H

#include <onnxruntime_c_api.h>
#include <strew/operators.h>

/* Marks the library's exported functions. */
#if defined(_WIN32)
#define STREW_ORT_EXPORT __declspec(dllexport)
#else
#define STREW_ORT_EXPORT __attribute__((visibility("default")))
#endif

/* Bytes of the longest name of an operator, its terminator included. */
enum { STREW_ORT_NAME_SIZE = 32 };

/* The number of published versions of ONNX's operators that strew has and this library serves. */
size_t strew_ort_operator_count(void);
/* One of these versions; NULL unless index < strew_ort_operator_count(). */
const strew_operator *strew_ort_operator_at(size_t index);
/* The version of an operator type ("ScatterND") that is in force in an opset of ONNX; NULL if there is none. */
const strew_operator *strew_ort_operator_in_opset(const char *type, int64_t opset);
/* Writes the operator's type as a model names it: "ScatterND" for ScatterND-18. */
void strew_ort_operator_type(const strew_operator *op, char type[STREW_ORT_NAME_SIZE]);

/* The operands of strew. */
typedef enum strew_ort_operand {
    STREW_ORT_DATA,
    STREW_ORT_INDICES,
    STREW_ORT_UPDATES,
    STREW_ORT_OPERANDS /* how many there are */
} strew_ort_operand;

/* How many inputs the operator has: 3 for a scatter, 2 for a gather. Every one has one output. */
size_t strew_ort_input_count(const strew_operator *op);
/* The operand of an input: the indices of a TensorScatter come last. */
strew_ort_operand strew_ort_operand_at(const strew_operator *op, size_t input);
/* Whether a node may lack it: the indices of a TensorScatter. */
bool strew_ort_is_optional(const strew_operator *op, size_t input);
/* Whether its output has the shape of its first input, and may be written over it. */
bool strew_ort_scatters(const strew_operator *op);

/* The bytes of a call if the model does not give them, or if strew must run it in any case. */
#define STREW_ORT_UNKNOWN UINT64_MAX

/*
 * Whether strew runs such nodes; the runtime keeps the others. `data` is STREW_DTYPE_NONE if it is unknown,
 * `reduction` NULL if the node has none, `rank` the greatest known rank of its tensors. `moved` is the bytes of the
 * output, and of the indices and updates. strew takes nodes with an unknown reduction, to refuse them: the runtime
 * would silently assign.
 *
 * The runtime keeps nodes that move at most 1 KiB if it gives the same numbers: the call itself then takes all the
 * time, and the runtime's own call takes less. It gives the same numbers for moves of bool, integers and floats,
 * and for reductions of the types that it reduces, except min and max of floats, in which it loses NaN.
 */
bool strew_ort_serves(const strew_operator *op, strew_dtype data, const char *reduction, size_t rank,
                      uint64_t moved);
/* The same for "ScatterND", 18 and ONNX's number of an element type, 0 if unknown. The converter calls it. */
STREW_ORT_EXPORT bool strew_onnxruntime_serves(const char *type, int64_t version, int32_t element_type,
                                               const char *reduction, size_t rank, uint64_t moved);

/* Whether a runtime has tensors of a dtype: newer ones know more element types than older ones. */
bool strew_ort_runtime_has(const OrtApi *api, strew_dtype dtype);

/* strew's dtype of an element type; STREW_DTYPE_NONE if strew has none. */
strew_dtype strew_ort_dtype(ONNXTensorElementDataType type);
/* The element type of a dtype; undefined if ONNX has none. */
ONNXTensorElementDataType strew_ort_element_type(strew_dtype dtype);

#endif
