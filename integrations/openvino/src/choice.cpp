#include "choice.hpp"

#include <limits>

#include <openvino/op/constant.hpp>
#include <openvino/op/parameter.hpp>
#include <openvino/op/util/gather_base.hpp>
#include <openvino/op/util/read_value_base.hpp>

#include "evaluate.hpp"
#include "operation.hpp"
#include "precision.hpp"
#include "sources.hpp"

namespace strew::openvino
{
namespace
{

bool is_one_constant(const ov::Output<ov::Node> &indices)
{
    const ov::PartialShape &shape = indices.get_partial_shape();
    return shape.is_static() && ov::shape_size(shape.to_shape()) == 1 && made(indices) <= Made::OF_CONSTANTS;
}

// The reason to leave a Gather to OpenVINO; empty if there is none. OpenVINO looks for Gathers by type to compute
// shapes, fold constants, keep weights compressed, reorder the caches of a language model, and take a slice without
// a copy.
std::string preference(const ov::Node &node)
{
    const ov::Output<ov::Node> data = node.input_value(0), indices = node.input_value(1);
    const Made data_made = made(data);
    if (data_made == Made::OF_SHAPES)
        return "data is made of shapes, which OpenVINO computes with before it runs";
    if (data_made == Made::OF_CONSTANTS)
        return "data is computed from constants, which OpenVINO folds, or keeps compressed";
    if (data_made == Made::CONSTANT && made(indices) != Made::OF_VALUES)
        return "data and indices are known before it runs, and OpenVINO folds them";
    if (ov::is_type<ov::op::util::ReadValueBase>(data.get_node()))
        return "data is a state, which OpenVINO reorders together with what reads it";
    if (is_one_constant(indices))
        return "indices are one constant, for which OpenVINO need not copy";
    return {};
}

// Why strew cannot run an operation; empty if it can.
std::string obstacle(const ov::Node &node, const Version &version)
{
    const ov::element::Type type = node.get_input_element_type(0);
    for (size_t i = 0; i < node.get_input_size(); ++i) {
        const NamedInput &input = version.inputs.at(i);
        const ov::element::Type of_input = node.get_input_element_type(i);
        if (of_input.is_dynamic())
            return std::string("the type of ") + input.name + " is not known before it runs";
        if (input.kept_with == Role::DATA && of_input != type)
            return std::string(input.name) + " are " + of_input.get_type_name() + " and data is " +
                   type.get_type_name() + ", which OpenVINO converts";
    }
    if (dtype_of(type) == STREW_DTYPE_NONE)
        return "data is " + type.get_type_name() + ", which this guest has no dtype for";
    if (version.combines_rows() && !(version.published->data_dtypes >> dtype_of(type) & 1))
        return "data is " + type.get_type_name() + ", of which the document has no sums";
    return {};
}

constexpr double UNKNOWN = std::numeric_limits<double>::infinity();

// The greatest possible number of elements in some dimensions.
double count_at_most(const ov::PartialShape &shape, size_t first, size_t end)
{
    double count = 1;
    for (size_t i = first; i < end; ++i) {
        if (!shape[i].get_interval().has_upper_bound())
            return UNKNOWN;
        count *= static_cast<double>(shape[i].get_max_length());
    }
    return count;
}

double count_at_most(const ov::PartialShape &shape)
{
    return shape.rank().is_static() ? count_at_most(shape, 0, shape.size()) : UNKNOWN;
}

// The greatest possible number of rows that a Gather copies: one for each index and each place before the axis.
double gathered_rows(const ov::op::util::GatherBase &gather, const ov::PartialShape &indices)
{
    const ov::PartialShape &data = gather.get_input_partial_shape(0);
    if (data.rank().is_dynamic() || !ov::is_type<ov::op::v0::Constant>(gather.get_input_node_ptr(2)))
        return UNKNOWN;
    const int64_t axis = gather.get_axis(), batch_dims = gather.get_batch_dims();
    return count_at_most(indices) * count_at_most(data, static_cast<size_t>(batch_dims), static_cast<size_t>(axis));
}

// The greatest possible number of tuples. A tuple without coordinates names all of data.
double count_tuples(const ov::PartialShape &indices)
{
    if (indices.rank().is_dynamic() || indices.size() == 0 || indices[indices.size() - 1].get_min_length() == 0)
        return UNKNOWN;
    return count_at_most(indices, 0, indices.size() - 1);
}

bool has_single_elements(const ov::Node &gather)
{
    const ov::PartialShape &data = gather.get_input_partial_shape(0);
    const int64_t axis = static_cast<const ov::op::util::GatherBase &>(gather).get_axis();
    return data.rank().is_static() && count_at_most(data, static_cast<size_t>(axis) + 1, data.size()) == 1;
}

bool is_known_slice(const ov::Node &node, const Version &version)
{
    for (const Role part : {Role::STARTS, Role::STOPS, Role::STEPS})
        if (!ov::is_type<ov::op::v0::Constant>(node.get_input_node_ptr(version.find(part))))
            return false;
    return true;
}

constexpr double FEW_ROWS = 1024, FEW_ELEMENTS = 4096, SMALL_DATA = 8 << 20;

// OpenVINO's kernel reads all ids for each segment.
double ids_read(const ov::Node &node, const ov::PartialShape &indices)
{
    const ov::PartialShape &output = node.get_output_partial_shape(0);
    return output.rank().is_static() ? count_at_most(indices) * count_at_most(output, 0, 1) : UNKNOWN;
}

// Whether OpenVINO's kernel finishes before strew's makes up for its later start: the plugin makes the tensors of
// an extension's operation anew in each call. docs/openvino.md has the measurements. Operations that are not listed
// take longer in OpenVINO's kernels.
bool is_short(const ov::Node &node, const Version &version)
{
    const size_t position = version.find(Role::INDICES);
    const ov::PartialShape indices =
        position < node.get_input_size() ? node.get_input_partial_shape(position) : ov::PartialShape();
    const ov::element::Type type = node.get_input_element_type(0);
    switch (version.published->kind) {
    case STREW_KIND_GATHER: {
        const double rows = gathered_rows(static_cast<const ov::op::util::GatherBase &>(node), indices);
        if (rows >= FEW_ELEMENTS || !has_single_elements(node))
            return rows < FEW_ROWS;
        return type != ov::element::i32; // OpenVINO writes nothing for an index of i32 that is out of bounds
    }
    case STREW_KIND_GATHER_ND: return count_tuples(indices) < FEW_ROWS;
    case STREW_KIND_GATHER_ELEMENTS:
    case STREW_KIND_EMBEDDING_BAG_PACKED: return count_at_most(indices) < FEW_ROWS;
    case STREW_KIND_EMBEDDING_SEGMENTS: return ids_read(node, indices) < FEW_ELEMENTS;
    case STREW_KIND_SLICE_SCATTER: // one that is not known ends the process
        return is_known_slice(node, version) &&
               count_at_most(node.get_input_partial_shape(0)) * static_cast<double>(type.size()) < SMALL_DATA;
    default: return false;
    }
}

// Whether the plugin widens a few elements, which only move: it loses nothing, and little time.
bool is_widened(const ov::Node &node, const Version &version, size_t input)
{
    const ov::element::Type type = node.get_input_element_type(input);
    return type.size() < narrowed(type).size() && !version.combines_rows() &&
           count_at_most(node.get_input_partial_shape(input)) < FEW_ELEMENTS;
}

// Whether OpenVINO's kernel gets the whole value of an input: the plugin does not narrow its type, or an operation
// of OpenVINO has narrowed it already. Valid indices, ids and counts fit into 32 bits here.
bool arrives_whole(const ov::Node &node, const Version &version, size_t input)
{
    const ov::Node &source = *node.get_input_node_ptr(input);
    const bool only_counts = version.inputs[input].kept_with != Role::DATA;
    if (only_counts || !version.keeps_type(input) || !is_narrowed(node.get_input_element_type(input)) ||
        is_widened(node, version, input))
        return true;
    return !ov::is_type<ov::op::v0::Parameter>(&source) && !ov::is_type<ov::op::v0::Constant>(&source) &&
           !ov::is_type<ov::op::util::ReadValueBase>(&source) && !find_native(source) &&
           !dynamic_cast<const Operation *>(&source);
}

bool all_arrive_whole(const ov::Node &node, const Version &version)
{
    for (size_t i = 0; i < node.get_input_size(); ++i)
        if (!arrives_whole(node, version, i))
            return false;
    return true;
}

} // namespace

std::string reason_to_leave(const ov::Node &node, const Version &version, bool exact)
{
    std::string reason = obstacle(node, version);
    if (reason.empty() && version.published->kind == STREW_KIND_GATHER)
        reason = preference(node);
    if (reason.empty() && !exact && is_short(node, version) && all_arrive_whole(node, version))
        reason = "it is short, and OpenVINO begins sooner: with exact strew runs it";
    return reason;
}

} // namespace strew::openvino
