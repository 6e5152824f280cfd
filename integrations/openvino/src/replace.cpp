#include <openvino/core/graph_util.hpp>
#include <openvino/core/rt_info.hpp>
#include <openvino/op/util/multi_subgraph_base.hpp>
#include <openvino/op/util/read_value_base.hpp>

#include <strew/openvino.hpp>

#include "evaluate.hpp"
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

// Why a Gather is better OpenVINO's, which looks for it by its type where it computes shapes, folds constants,
// keeps weights compressed, reorders the caches of a language model, and takes a slice without a copy; empty if it
// is not.
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

// Why an operation is not to be strew's; empty if it is.
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
    if (version.published->kind == STREW_KIND_GATHER)
        return preference(node);
    return {};
}

std::shared_ptr<Operation> replace_node(const std::shared_ptr<ov::Node> &node, const Version &version)
{
    const auto operation = std::make_shared<Operation>(version, version.read(*node), node->input_values());
    operation->set_friendly_name(node->get_friendly_name());
    ov::copy_runtime_info(node, operation);
    ov::replace_node(node, operation);
    return operation;
}

class Replacement
{
  public:
    void run(const ov::Model &model)
    {
        for (const auto &node : model.get_ordered_ops()) {
            if (const auto bodies = std::dynamic_pointer_cast<ov::op::util::MultiSubGraphOp>(node))
                for (const auto &body : bodies->get_functions())
                    run(*body);
            if (const Version *version = find_native(*node))
                decide(node, *version);
        }
    }

    Report report(const Notes &notes)
    {
        for (size_t i = 0; i < m_operations.size(); ++i) {
            const auto note = notes.find(m_operations[i].get());
            if (note != notes.end())
                m_report.replaced[i].note = note->second;
        }
        return m_report;
    }

  private:
    void decide(const std::shared_ptr<ov::Node> &node, const Version &version)
    {
        const Entry entry{node->get_friendly_name(), version.published->name, obstacle(*node, version), {}};
        if (entry.reason.empty()) {
            m_operations.push_back(replace_node(node, version));
            m_report.replaced.push_back(entry);
        } else {
            m_report.left.push_back(entry);
        }
    }

    Report m_report;
    std::vector<std::shared_ptr<Operation>> m_operations; // those of m_report.replaced
};

} // namespace

Report replace(const std::shared_ptr<ov::Model> &model)
{
    Replacement replacement;
    replacement.run(*model);
    const Notes notes = keep_precision(model);
    model->validate_nodes_and_infer_types();
    return replacement.report(notes);
}

bool Replace::run_on_model(const std::shared_ptr<ov::Model> &model)
{
    replace(model);
    return true;
}

} // namespace strew::openvino
