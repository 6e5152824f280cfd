#include "sources.hpp"

#include <algorithm>
#include <set>

#include <openvino/op/shape_of.hpp>
#include <openvino/op/util/read_value_base.hpp>

namespace ov::util
{
// OpenVINO exports it but declares it in no header of its packages.
OPENVINO_API std::shared_ptr<op::v0::Constant> get_constant_from_source(const Output<Node> &source);
} // namespace ov::util

namespace strew::openvino
{
namespace
{

Made made(const ov::Node &node, std::set<const ov::Node *> &seen)
{
    if (!seen.insert(&node).second || ov::is_type<ov::op::v0::Constant>(&node))
        return Made::CONSTANT;
    if (ov::is_type<ov::op::util::ShapeOfBase>(&node))
        return Made::OF_SHAPES;
    if (node.get_input_size() == 0 || ov::is_type<ov::op::util::ReadValueBase>(&node))
        return Made::OF_VALUES;
    Made most = Made::OF_CONSTANTS;
    for (size_t i = 0; i < node.get_input_size() && most != Made::OF_VALUES; ++i)
        most = std::max(most, made(*node.get_input_node_ptr(i), seen));
    return most;
}

} // namespace

Made made(const ov::Output<ov::Node> &source)
{
    std::set<const ov::Node *> seen;
    return made(*source.get_node(), seen);
}

std::shared_ptr<ov::op::v0::Constant> constant_of(const ov::Output<ov::Node> &source)
{
    return made(source) <= Made::OF_CONSTANTS ? ov::util::get_constant_from_source(source) : nullptr;
}

} // namespace strew::openvino
