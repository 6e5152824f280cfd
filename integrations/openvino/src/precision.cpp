#include "precision.hpp"

#include <map>
#include <set>

#include <openvino/op/constant.hpp>
#include <openvino/op/convert.hpp>
#include <openvino/op/parameter.hpp>
#include <openvino/op/result.hpp>
#include <openvino/op/util/multi_subgraph_base.hpp>

#include "operation.hpp"

namespace ov
{
// OpenVINO exports this and declares it in no header of its packages.
OPENVINO_API void disable_conversion(const std::shared_ptr<Node> &node, const element::Type &to);
} // namespace ov

namespace strew::openvino
{
namespace
{

using Source = ov::Output<ov::Node>;

// What the CPU plugin makes of a type; the type itself if it keeps it.
ov::element::Type narrowed(const ov::element::Type &type)
{
    switch (type) {
    case ov::element::i16:
    case ov::element::u16:
    case ov::element::u32:
    case ov::element::i64:
    case ov::element::u64: return ov::element::i32;
    case ov::element::f16:
    case ov::element::bf16:
    case ov::element::f64: return ov::element::f32;
    default: return type;
    }
}

bool is_narrowed(const ov::element::Type &type)
{
    return narrowed(type) != type;
}

// One model or body, whose operations are gone through in the order in which they run.
class Keeper
{
  public:
    Keeper(const std::shared_ptr<ov::Model> &model, bool is_body) : m_model(model), m_is_body(is_body)
    {
    }

    void run()
    {
        for (const auto &node : m_model->get_ordered_ops()) {
            if (const auto operation = std::dynamic_pointer_cast<Operation>(node))
                decide(*operation);
            if (const auto bodies = std::dynamic_pointer_cast<ov::op::util::MultiSubGraphOp>(node))
                for (const auto &body : bodies->get_functions())
                    Keeper(body, true).run();
        }
        for (const Source &source : m_kept) {
            ov::disable_conversion(source.get_node_shared_ptr(), ov::element::dynamic);
            convert_for_others(source);
        }
    }

  private:
    // Whether this value can have its own type when the model runs. A parameter of a body gets what the operation
    // around it has.
    bool can_be_kept(const Source &source) const
    {
        const ov::Node *node = source.get_node();
        return m_kept.count(source) || ov::is_type<ov::op::v0::Constant>(node) ||
               (ov::is_type<ov::op::v0::Parameter>(node) && !m_is_body);
    }

    void decide(Operation &operation)
    {
        decide_indices(operation);
        const ov::element::Type type = operation.get_input_element_type(0);
        operation.element_type = type == ov::element::boolean ? type : ov::element::dynamic;
        if (!is_narrowed(type) || !gains(operation))
            return;
        operation.element_type = type;
        for (const auto &input : operation.inputs())
            if (operation.version().holds_elements(input.get_index()))
                keep(input);
        m_kept.insert(operation.output(0));
    }

    // Indices that OpenVINO computes are narrow already.
    void decide_indices(Operation &operation)
    {
        const auto input = operation.input(1);
        const bool kept = is_narrowed(input.get_element_type()) && can_be_kept(input.get_source_output());
        operation.index_type = kept ? input.get_element_type() : ov::element::dynamic;
        if (kept) {
            m_kept.insert(input.get_source_output());
            m_keeping.insert({&operation, input.get_index()});
        }
    }

    // Elements that are moved, and that OpenVINO has computed, are as good in OpenVINO's type.
    bool gains(const Operation &operation) const
    {
        if (operation.attributes().reduction != STREW_REDUCTION_NONE)
            return true;
        for (const auto &input : operation.inputs())
            if (operation.version().holds_elements(input.get_index()) && can_be_kept(input.get_source_output()))
                return true;
        return false;
    }

    void keep(ov::Input<ov::Node> input)
    {
        if (!can_be_kept(input.get_source_output()))
            input.replace_source_output(widened(input.get_source_output()));
        m_kept.insert(input.get_source_output());
        m_keeping.insert({input.get_node(), input.get_index()});
    }

    // The value in the type of the model: there and back, since from one type to itself is removed.
    Source widened(const Source &source)
    {
        const ov::element::Type type = source.get_element_type();
        const auto there = std::make_shared<ov::op::v0::Convert>(source, narrowed(type));
        return std::make_shared<ov::op::v0::Convert>(there, type);
    }

    // Others get a kept value in the type that they will have.
    void convert_for_others(const Source &source)
    {
        Source converted;
        for (auto input : source.get_target_inputs()) {
            if (takes_kept(input))
                continue;
            if (!converted.get_node())
                converted = widened(source);
            input.replace_source_output(converted);
        }
    }

    bool takes_kept(const ov::Input<ov::Node> &input) const
    {
        const ov::Node *node = input.get_node();
        return m_keeping.count({node, input.get_index()}) || ov::is_type<ov::op::v0::Convert>(node) ||
               (ov::is_type<ov::op::v0::Result>(node) && !m_is_body);
    }

    std::shared_ptr<ov::Model> m_model;
    bool m_is_body;
    std::set<Source> m_kept;
    std::set<std::pair<const ov::Node *, size_t>> m_keeping;
};

} // namespace

void keep_precision(const std::shared_ptr<ov::Model> &model)
{
    Keeper(model, false).run();
}

} // namespace strew::openvino
