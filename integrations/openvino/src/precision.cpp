#include "precision.hpp"

#include <algorithm>
#include <set>

#include <openvino/op/constant.hpp>
#include <openvino/op/parameter.hpp>
#include <openvino/op/result.hpp>
#include <openvino/op/shape_of.hpp>
#include <openvino/op/util/multi_subgraph_base.hpp>

#include "operation.hpp"
#include "sources.hpp"

namespace ov
{
// OpenVINO exports these but declares them in no header of its packages.
OPENVINO_API void disable_conversion(const std::shared_ptr<Node> &node, const element::Type &to);
OPENVINO_API void enable_conversion(const std::shared_ptr<Node> &node, const element::Type &to);
} // namespace ov

namespace strew::openvino
{
namespace
{

using Constant = ov::op::v0::Constant;
using Input = ov::Input<ov::Node>;
using Source = ov::Output<ov::Node>;

void mark(const std::shared_ptr<ov::Node> &node, bool kept)
{
    if (kept)
        keep_type(node);
    else
        ov::enable_conversion(node, ov::element::dynamic);
}

/*
 * One model or body. A type is kept if only strew's operations use it: from parameters and constants, through
 * strew's operations, to results. OpenVINO's passes merge, move and drop its own operations together with their
 * marks, and its kernels only take 32 bits.
 */
class Keeper
{
  public:
    Keeper(const ov::Model &model, bool is_body) : m_is_body(is_body)
    {
        for (const auto &node : model.get_ordered_ops()) {
            m_nodes.insert(node.get());
            const auto operation = std::dynamic_pointer_cast<Operation>(node);
            if (!operation)
                continue;
            m_operations.push_back(operation);
            for (const Input &input : operation->inputs())
                if (leads(*operation, input) && is_narrowed(input.get_element_type()))
                    m_kept[operation.get()].insert(role_of(*operation, input));
        }
    }

    void run(Notes &notes)
    {
        while (gives_up())
            continue;
        for (const auto &operation : m_operations)
            mark_operation(operation);
        for (const auto &operation : m_operations)
            note(*operation, notes);
    }

  private:
    static Role role_of(const Operation &operation, const Input &input)
    {
        return operation.version().inputs.at(input.get_index()).role;
    }

    // The role of the input with which this one is kept.
    static Role leader_of(const Operation &operation, size_t input)
    {
        return operation.version().inputs.at(input).kept_with;
    }

    // Whether the input decides for itself, and for those that are kept with it.
    static bool leads(const Operation &operation, const Input &input)
    {
        return operation.version().keeps_type(input.get_index()) &&
               leader_of(operation, input.get_index()) == role_of(operation, input);
    }

    bool is_kept(const Operation &operation, size_t input) const
    {
        const auto kept = m_kept.find(&operation);
        return kept != m_kept.end() && kept->second.count(leader_of(operation, input)) > 0;
    }

    // The code that replaced a node may still hold it, with its inputs: it is no longer part of the model.
    bool takes_kept(const Input &input) const
    {
        const ov::Node &node = *input.get_node();
        if (!m_nodes.count(&node))
            return true;
        if (const auto *operation = dynamic_cast<const Operation *>(&node))
            return is_kept(*operation, input.get_index());
        return ov::is_type<ov::op::util::ShapeOfBase>(&node) ||
               (ov::is_type<ov::op::v0::Result>(&node) && !m_is_body);
    }

    bool all_take_kept(const Source &source) const
    {
        const auto inputs = source.get_target_inputs();
        return std::all_of(inputs.begin(), inputs.end(), [&](const Input &input) { return takes_kept(input); });
    }

    // A parameter of a body has the type that it gets from outside.
    bool can_be_kept(const Source &source) const
    {
        const ov::Node &node = *source.get_node();
        if (const auto *operation = dynamic_cast<const Operation *>(&node))
            return is_kept(*operation, 0) && all_take_kept(source);
        if (ov::is_type<ov::op::v0::Parameter>(&node))
            return !m_is_body && all_take_kept(source);
        return constant_of(source) != nullptr;
    }

    // OpenVINO folds operations of these types in f32.
    static bool is_folded_in_f32(Operation &operation)
    {
        const ov::element::Type type = operation.get_input_element_type(0);
        const auto inputs = operation.input_values();
        return (type == ov::element::f16 || type == ov::element::bf16) &&
               std::all_of(inputs.begin(), inputs.end(), constant_of);
    }

    // Whether all inputs that are kept with this one can be, and for data the output too.
    bool can_be_kept(Operation &operation, Role leader) const
    {
        if (leader == Role::DATA && (is_folded_in_f32(operation) || !all_take_kept(operation.output(0))))
            return false;
        const auto inputs = operation.inputs();
        return std::all_of(inputs.begin(), inputs.end(), [&](const Input &input) {
            return leader_of(operation, input.get_index()) != leader || can_be_kept(input.get_source_output());
        });
    }

    // Gives up types that cannot be kept. Others may then have to be given up as well.
    bool gives_up()
    {
        bool has_changed = false;
        for (const auto &operation : m_operations) {
            std::set<Role> &kept = m_kept[operation.get()];
            for (auto leader = kept.begin(); leader != kept.end();) {
                const bool stays = can_be_kept(*operation, *leader);
                has_changed |= !stays;
                leader = stays ? std::next(leader) : kept.erase(leader);
            }
        }
        return has_changed;
    }

    void mark_operation(const std::shared_ptr<Operation> &operation)
    {
        for (const Input &input : operation->inputs()) {
            const ov::element::Type type = input.get_element_type();
            const bool stays = is_kept(*operation, input.get_index()) || type == ov::element::boolean;
            if (leads(*operation, input))
                operation->keep_type(role_of(*operation, input), stays ? type : ov::element::dynamic);
        }
        mark(operation, is_kept(*operation, 0));
        for (const Input &input : operation->inputs())
            mark_source(input);
    }

    void mark_source(const Input &input)
    {
        const Source source = input.get_source_output();
        const bool is_constant = ov::is_type<Constant>(source.get_node());
        if (ov::is_type<ov::op::v0::Parameter>(source.get_node()) || (is_constant && all_take_kept(source)))
            mark(source.get_node_shared_ptr(), takes_kept(input));
        else if (takes_kept(input) && !dynamic_cast<const Operation *>(source.get_node()))
            give_constant(input);
    }

    // Gives an input a constant of its own: the old one may be computed, or read by others in 32 bits.
    static void give_constant(Input input)
    {
        const auto constant = std::make_shared<Constant>(*constant_of(input.get_source_output()));
        input.replace_source_output(constant);
        keep_type(constant);
    }

    void note(const Operation &operation, Notes &notes) const
    {
        std::string text;
        for (const auto &input : operation.inputs()) {
            const ov::element::Type type = input.get_element_type();
            const size_t position = input.get_index();
            if (!operation.version().keeps_type(position) || !is_narrowed(type) || is_kept(operation, position))
                continue;
            text += text.empty() ? "OpenVINO gives it " : ", ";
            text += std::string(operation.version().inputs.at(position).name) + " as " +
                    narrowed(type).get_type_name() + " for " + type.get_type_name();
        }
        if (!text.empty())
            notes[&operation] = text;
    }

    bool m_is_body;
    std::set<const ov::Node *> m_nodes;
    std::vector<std::shared_ptr<Operation>> m_operations; // in the order in which they run
    // For each operation, the inputs whose types the plugin narrows and that are kept, with all inputs that follow
    // their type.
    std::map<const Operation *, std::set<Role>> m_kept;
};

void keep_in(const ov::Model &model, bool is_body, Notes &notes)
{
    for (const auto &node : model.get_ordered_ops())
        if (const auto bodies = std::dynamic_pointer_cast<ov::op::util::MultiSubGraphOp>(node))
            for (const auto &body : bodies->get_functions())
                keep_in(*body, true, notes);
    Keeper(model, is_body).run(notes);
}

} // namespace

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

void keep_type(const std::shared_ptr<ov::Node> &node)
{
    ov::disable_conversion(node, ov::element::dynamic);
}

Notes keep_precision(const std::shared_ptr<ov::Model> &model)
{
    Notes notes;
    keep_in(*model, false, notes);
    return notes;
}

} // namespace strew::openvino
