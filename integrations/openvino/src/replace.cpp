#include <openvino/core/graph_util.hpp>
#include <openvino/core/rt_info.hpp>
#include <openvino/op/util/multi_subgraph_base.hpp>

#include <strew/openvino.hpp>

#include "choice.hpp"
#include "operation.hpp"
#include "precision.hpp"

namespace strew::openvino
{
namespace
{

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
    explicit Replacement(bool exact) : m_exact(exact)
    {
    }

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
        const Entry entry{
            node->get_friendly_name(), version.published->name, reason_to_leave(*node, version, m_exact), {}};
        if (entry.reason.empty()) {
            m_operations.push_back(replace_node(node, version));
            m_report.replaced.push_back(entry);
        } else {
            m_report.left.push_back(entry);
        }
    }

    bool m_exact;
    Report m_report;
    std::vector<std::shared_ptr<Operation>> m_operations; // the operations of m_report.replaced
};

} // namespace

Report replace(const std::shared_ptr<ov::Model> &model, bool exact)
{
    Replacement replacement(exact);
    replacement.run(*model);
    const Notes notes = keep_precision(model);
    model->validate_nodes_and_infer_types();
    return replacement.report(notes);
}

Replace::Replace(bool exact) : m_exact(exact)
{
}

bool Replace::run_on_model(const std::shared_ptr<ov::Model> &model)
{
    replace(model, m_exact);
    return true;
}

} // namespace strew::openvino
