// Runs an operation on tensors.
#ifndef STREW_OPENVINO_EVALUATE_HPP
#define STREW_OPENVINO_EVALUATE_HPP

#include "operation.hpp"

namespace strew::openvino
{

// The dtype of an element type; STREW_DTYPE_NONE if strew has none.
strew_dtype dtype_of(const ov::element::Type &type);

// Sets the shape of the output and runs the operation. Throws strew's refusals, with the name of the operation.
void run(const Operation &operation, ov::TensorVector &outputs, const ov::TensorVector &inputs);

} // namespace strew::openvino

#endif
