// An operation on tensors.
#ifndef STREW_OPENVINO_EVALUATE_HPP
#define STREW_OPENVINO_EVALUATE_HPP

#include "operation.hpp"

namespace strew::openvino
{

// The dtype of an element type; STREW_DTYPE_NONE if strew has none.
strew_dtype dtype_of(const ov::element::Type &type);

// Runs the operation, whose output is given the shape that it must have. Throws what strew refuses, by the name of
// the operation.
void run(const Operation &operation, ov::TensorVector &outputs, const ov::TensorVector &inputs);

} // namespace strew::openvino

#endif
