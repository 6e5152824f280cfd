// Keeps types that the CPU plugin would narrow. Before it runs a model it converts f64, f16 and bf16 to f32, and
// all integers of 16 bits and more to i32.
#ifndef STREW_OPENVINO_PRECISION_HPP
#define STREW_OPENVINO_PRECISION_HPP

#include <map>

#include <openvino/core/model.hpp>

namespace strew::openvino
{

// The type that the CPU plugin makes of this one: itself if it keeps it.
ov::element::Type narrowed(const ov::element::Type &type);

// Whether the CPU plugin makes another type of this one.
bool is_narrowed(const ov::element::Type &type);

// Makes the CPU plugin keep the type of a node's outputs.
void keep_type(const std::shared_ptr<ov::Node> &node);

// For operations with an input in another type than the model says: the input and the type.
using Notes = std::map<const ov::Node *, std::string>;

// Marks strew's operations and their sources, so that types stay as the model says wherever possible. It may be
// repeated, and must be after each change of the model.
Notes keep_precision(const std::shared_ptr<ov::Model> &model);

} // namespace strew::openvino

#endif
