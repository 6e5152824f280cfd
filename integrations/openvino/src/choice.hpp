// Chooses the operations of a model that become strew's, and those that OpenVINO keeps.
#ifndef STREW_OPENVINO_CHOICE_HPP
#define STREW_OPENVINO_CHOICE_HPP

#include <string>

#include "versions.hpp"

namespace strew::openvino
{

// Why an operation stays OpenVINO's; empty if strew takes it. With `exact` no operation is left because it is
// short.
std::string reason_to_leave(const ov::Node &node, const Version &version, bool exact);

} // namespace strew::openvino

#endif
