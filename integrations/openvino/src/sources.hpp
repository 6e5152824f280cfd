// The sources of a value in a model, as far back as the model goes.
#ifndef STREW_OPENVINO_SOURCES_HPP
#define STREW_OPENVINO_SOURCES_HPP

#include <memory>

#include <openvino/op/constant.hpp>

namespace strew::openvino
{

enum class Made {
    CONSTANT,     // a constant in the model
    OF_CONSTANTS, // computed from such alone
    OF_SHAPES,    // and of constants: known before the model runs, if the shapes are
    OF_VALUES     // known only in a run: inputs, states, and parameters of a body
};

Made made(const ov::Output<ov::Node> &source);

// The constant that a value computed from constants equals; nullptr for others. OpenVINO folds it too, but its
// constant has no mark. Values that use a shape do not count, since a later reshape of the model may change them.
std::shared_ptr<ov::op::v0::Constant> constant_of(const ov::Output<ov::Node> &source);

} // namespace strew::openvino

#endif
