// The types that the CPU plugin does not keep. Before it runs a model it makes f32 of f64, f16 and bf16, and i32 of
// all integers of 16 bits and more.
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

// Has the CPU plugin leave the type of a node's outputs as it is.
void keep_type(const std::shared_ptr<ov::Node> &node);

// For operations that get something in another type than the model says: what, and in which.
using Notes = std::map<const ov::Node *, std::string>;

// Marks strew's operations and what feeds them, where that keeps their types what the model says. It may be done
// again, and must be after the model has been changed.
Notes keep_precision(const std::shared_ptr<ov::Model> &model);

} // namespace strew::openvino

#endif
