#include <openvino/core/graph_util.hpp>
#include <openvino/core/rt_info.hpp>
#include <openvino/op/util/multi_subgraph_base.hpp>

#include <strew/openvino.hpp>

#include "evaluate.hpp"
#include "precision.hpp"

namespace strew::openvino
{
namespace
{

// Why an operation cannot be strew's; empty if it can.
std::string obstacle(const ov::Node &node, const Version &version)
{
    const ov::element::Type type = node.get_input_element_type(0);
    if (type.is_dynamic())
        return "the type of data is not known before it runs";
    const strew_dtype dtype = dtype_of(type);
    if (dtype == STREW_DTYPE_NONE)
        return "data is " + type.get_type_name() + ", which strew has no dtype for";
    const strew_reduction reduction = version.read(node).reduction;
    if (!strew_reduction_supports(reduction, dtype))
        return std::string("strew has no ") + strew_reduction_name(reduction) + " of " + type.get_type_name();
    return {};
}

void replace_node(const std::shared_ptr<ov::Node> &node, const Version &version)
{
    const auto operation = std::make_shared<Operation>(version, version.read(*node), node->input_values());
    operation->set_friendly_name(node->get_friendly_name());
    ov::copy_runtime_info(node, operation);
    ov::replace_node(node, operation);
}

bool replace_all(const std::shared_ptr<ov::Model> &model, Report &report)
{
    bool changed = false;
    for (const auto &node : model->get_ordered_ops()) {
        if (const auto bodies = std::dynamic_pointer_cast<ov::op::util::MultiSubGraphOp>(node))
            for (const auto &body : bodies->get_functions())
                changed |= replace_all(body, report);
        const Version *version = find_native(*node);
        if (!version)
            continue;
        Entry entry{node->get_friendly_name(), version->published->name, obstacle(*node, *version)};
        if (!entry.reason.empty()) {
            report.left.push_back(entry);
            continue;
        }
        replace_node(node, *version);
        report.replaced.push_back(entry);
        changed = true;
    }
    return changed;
}

} // namespace

Report replace(const std::shared_ptr<ov::Model> &model)
{
    Report report;
    replace_all(model, report);
    keep_precision(model);
    model->validate_nodes_and_infer_types();
    return report;
}

bool Replace::run_on_model(const std::shared_ptr<ov::Model> &model)
{
    replace(model);
    return true;
}

} // namespace strew::openvino
