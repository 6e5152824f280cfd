// What a value of a model is made of, as far back as the model goes.
#ifndef STREW_OPENVINO_SOURCES_HPP
#define STREW_OPENVINO_SOURCES_HPP

#include <memory>

#include <openvino/op/constant.hpp>

namespace strew::openvino
{

enum class Made {
    CONSTANT,     // as it stands in the model
    OF_CONSTANTS, // computed from such alone
    OF_SHAPES,    // and of constants: known before the model runs, if the shapes are
    OF_VALUES     // of what only a run shows: inputs, states, and parameters of a body
};

Made made(const ov::Output<ov::Node> &source);

// What a value that is made of constants comes to; nullptr for others. OpenVINO makes a constant of it too, but one
// without a mark. Nothing that asks for a shape is one, since a later reshape of the model may change it.
std::shared_ptr<ov::op::v0::Constant> constant_of(const ov::Output<ov::Node> &source);

} // namespace strew::openvino

#endif
