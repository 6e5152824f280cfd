#include "precision.hpp"

#include <set>

#include <openvino/op/constant.hpp>
#include <openvino/op/convert.hpp>
#include <openvino/op/parameter.hpp>
#include <openvino/op/reshape.hpp>
#include <openvino/op/result.hpp>
#include <openvino/op/shape_of.hpp>
#include <openvino/op/squeeze.hpp>
#include <openvino/op/transpose.hpp>
#include <openvino/op/unsqueeze.hpp>
#include <openvino/op/util/multi_subgraph_base.hpp>

#include "operation.hpp"

namespace ov
{
// OpenVINO exports these and declares them in no header of its packages.
OPENVINO_API void disable_conversion(const std::shared_ptr<Node> &node, const element::Type &to);
namespace util
{
OPENVINO_API std::shared_ptr<op::v0::Constant> get_constant_from_source(const Output<Node> &source);
}
} // namespace ov

namespace strew::openvino
{
namespace
{

using Input = ov::Input<ov::Node>;
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

template <class... Ops> bool is_one_of(const ov::Node &node)
{
    return (ov::is_type<Ops>(&node) || ...);
}

bool is_convert(const ov::Node &node)
{
    return ov::is_type<ov::op::v0::Convert>(&node);
}

// Operations of OpenVINO's that move their first input, whatever type it has. Others take 64 bits for 32, or
// refuse.
bool moves(const ov::Node &node)
{
    using namespace ov::op;
    if (is_convert(node))
        return node.get_input_element_type(0) == node.get_output_element_type(0);
    return is_one_of<v1::Reshape, v0::Squeeze, v15::Squeeze, v0::Unsqueeze, v1::Transpose>(node);
}

// The value in the type of the model: there and back, since from one type to itself is removed.
Source widened(const Source &source)
{
    const ov::element::Type type = source.get_element_type();
    const auto there = std::make_shared<ov::op::v0::Convert>(source, narrowed(type));
    return std::make_shared<ov::op::v0::Convert>(there, type);
}

// Takes the constant that moved constants come to: if OpenVINO did, it would have no mark.
void fold(Input input)
{
    if (!moves(*input.get_source_output().get_node()))
        return;
    if (const auto constant = ov::util::get_constant_from_source(input.get_source_output()))
        input.replace_source_output(constant);
}

// One model or body, whose operations are gone through in the order in which they run.
class Keeper
{
  public:
    Keeper(bool is_body, Notes &notes) : m_is_body(is_body), m_notes(notes)
    {
    }

    void run(const ov::Model &model)
    {
        for (const auto &node : model.get_ordered_ops()) {
            if (const auto operation = std::dynamic_pointer_cast<Operation>(node))
                decide(*operation);
            if (const auto bodies = std::dynamic_pointer_cast<ov::op::util::MultiSubGraphOp>(node))
                for (const auto &body : bodies->get_functions())
                    Keeper(true, m_notes).run(*body);
        }
        for (const Source &source : m_kept) {
            keep_type(source.get_node_shared_ptr());
            convert_for_others(source);
        }
    }

  private:
    void decide(Operation &operation)
    {
        note_narrowed(operation);
        decide_indices(operation);
        decide_elements(operation);
    }

    // Whether this value can have its own type when the model runs. A parameter of a body has the type that it gets
    // from outside.
    bool can_be_kept(const Source &source) const
    {
        const ov::Node &node = *source.get_node();
        if (moves(node))
            return can_be_kept(node.input_value(0));
        return m_kept.count(source) || is_one_of<ov::op::v0::Constant, ov::op::v0::Convert>(node) ||
               (ov::is_type<ov::op::v0::Parameter>(&node) && !m_is_body);
    }

    // OpenVINO's conversions give indices of 32 bits what they had.
    bool indices_can_be_kept(const Source &source) const
    {
        const ov::Node *node = source.get_node();
        while (moves(*node))
            node = node->get_input_node_ptr(0);
        return !is_convert(*node) && can_be_kept(source);
    }

    void decide_indices(Operation &operation)
    {
        fold(operation.input(1));
        const Input input = operation.input(1);
        operation.index_type = ov::element::dynamic;
        if (!is_narrowed(input.get_element_type()) || !indices_can_be_kept(input.get_source_output()))
            return;
        operation.index_type = input.get_element_type();
        keep_source(input);
    }

    void decide_elements(Operation &operation)
    {
        const ov::element::Type type = operation.get_input_element_type(0);
        operation.element_type = type == ov::element::boolean ? type : ov::element::dynamic;
        if (!is_narrowed(type) || !gains(operation))
            return;
        operation.element_type = type;
        for (const Input &input : operation.inputs())
            if (operation.version().holds_elements(input.get_index()))
                keep(input);
        m_kept.insert(operation.output(0));
    }

    // Elements that are only moved, and that OpenVINO has computed, are as good in OpenVINO's type.
    bool gains(const Operation &operation) const
    {
        if (operation.attributes().reduction != STREW_REDUCTION_NONE)
            return true;
        for (const auto &input : operation.inputs())
            if (operation.version().holds_elements(input.get_index()) && can_be_kept(input.get_source_output()))
                return true;
        return false;
    }

    void keep(Input input)
    {
        fold(input);
        if (!can_be_kept(input.get_source_output()))
            input.replace_source_output(widened(input.get_source_output()));
        keep_source(input);
    }

    // Keeps what this input takes, and what that is moved from.
    void keep_source(const Input &input)
    {
        const Source source = input.get_source_output();
        ov::Node &node = *source.get_node();
        m_keeping.insert({input.get_node(), input.get_index()});
        if (m_kept.insert(source).second && moves(node))
            keep_source(node.input(0));
    }

    // Others get a kept value in the type that they will have.
    void convert_for_others(const Source &source)
    {
        Source converted;
        for (Input input : source.get_target_inputs()) {
            if (takes_kept(input))
                continue;
            if (!converted.get_node())
                converted = widened(source);
            input.replace_source_output(converted);
        }
    }

    bool takes_kept(const Input &input) const
    {
        using namespace ov::op;
        const ov::Node &node = *input.get_node();
        return m_keeping.count({&node, input.get_index()}) ||
               is_one_of<v0::Convert, v0::ShapeOf, v3::ShapeOf>(node) ||
               (ov::is_type<v0::Result>(&node) && !m_is_body);
    }

    void note_narrowed(const Operation &operation)
    {
        static const char *const names[] = {"data", "indices", "updates"};
        std::string note;
        for (const auto &input : operation.inputs()) {
            const ov::element::Type type = input.get_element_type();
            if (input.get_index() > 2 || !is_narrowed(type) || can_be_kept(input.get_source_output()))
                continue;
            note += note.empty() ? "OpenVINO gives it " : ", ";
            note += std::string(names[input.get_index()]) + " as " + narrowed(type).get_type_name() + " for " +
                    type.get_type_name();
        }
        if (!note.empty())
            m_notes[&operation] = note;
    }

    bool m_is_body;
    Notes &m_notes;
    std::set<Source> m_kept;
    std::set<std::pair<const ov::Node *, size_t>> m_keeping;
};

} // namespace

void keep_type(const std::shared_ptr<ov::Node> &node)
{
    ov::disable_conversion(node, ov::element::dynamic);
}

Notes keep_precision(const std::shared_ptr<ov::Model> &model)
{
    Notes notes;
    Keeper(false, notes).run(*model);
    return notes;
}

} // namespace strew::openvino
