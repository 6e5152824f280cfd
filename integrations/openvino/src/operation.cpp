#include "operation.hpp"

#include "evaluate.hpp"
#include "precision.hpp"

namespace strew::openvino
{

const ov::DiscreteTypeInfo &Operation::get_type_info_static()
{
    static const ov::DiscreteTypeInfo info{"StrewOperation", "strew", &Op::get_type_info_static()};
    return info;
}

Operation::Operation(const Version &version)
    : m_version(&version), m_kept_types(version.inputs.size(), ov::element::dynamic)
{
}

Operation::Operation(const Version &version, const Attributes &attributes, const ov::OutputVector &inputs)
    : Op(inputs), m_version(&version), m_attributes(attributes),
      m_kept_types(version.inputs.size(), ov::element::dynamic)
{
    constructor_validate_and_infer_types();
}

const ov::DiscreteTypeInfo &Operation::get_type_info() const
{
    return m_version->replacement;
}

std::shared_ptr<ov::Node> Operation::clone_with_new_inputs(const ov::OutputVector &inputs) const
{
    auto clone = std::make_shared<Operation>(*m_version, m_attributes, inputs);
    clone->m_kept_types = m_kept_types;
    return clone;
}

bool Operation::visit_attributes(ov::AttributeVisitor &visitor)
{
    std::string reduction = strew_reduction_name(m_attributes.reduction);
    visitor.on_attribute("axis", m_attributes.axis);
    visitor.on_attribute("batch_dims", m_attributes.batch_dims);
    visitor.on_attribute("reduction", reduction);
    visitor.on_attribute("use_init_val", m_attributes.use_init_val);
    bool is_lowest = m_attributes.empty == STREW_EMPTY_LOWEST;
    visitor.on_attribute("lowest_if_empty", is_lowest);
    m_attributes.empty = is_lowest ? STREW_EMPTY_LOWEST : STREW_EMPTY_ZERO;
    for (size_t i = 0; i < m_kept_types.size(); ++i)
        if (m_version->inputs[i].type_attribute)
            visitor.on_attribute(m_version->inputs[i].type_attribute, m_kept_types[i]);
    OPENVINO_ASSERT(strew_reduction_find(reduction.c_str(), &m_attributes.reduction), get_friendly_name(), " (",
                    m_version->published->name, "): there is no reduction ", reduction);
    return true;
}

std::shared_ptr<ov::Node> Operation::native() const
{
    const size_t least = m_version->required_inputs, most = m_version->inputs.size();
    OPENVINO_ASSERT(get_input_size() >= least && get_input_size() <= most, get_friendly_name(), " (",
                    m_version->published->name, " by strew) has ", get_input_size(), " inputs, and must have ",
                    least, least < most ? " to " + std::to_string(most) : "");
    const auto op = m_version->make(input_values(), m_attributes);
    op->set_friendly_name(get_friendly_name());
    return op;
}

void Operation::validate_and_infer_types()
{
    const auto op = native();
    set_output_type(0, op->get_output_element_type(0), op->get_output_partial_shape(0));
}

// A constant that replaces the operation must keep the type as well.
bool Operation::constant_fold(ov::OutputVector &outputs, const ov::OutputVector &inputs)
{
    if (!Op::constant_fold(outputs, inputs))
        return false;
    if (kept_type(0) != ov::element::dynamic && kept_type(0) != ov::element::boolean)
        openvino::keep_type(outputs.at(0).get_node_shared_ptr());
    return true;
}

bool Operation::has_evaluate() const
{
    return true;
}

bool Operation::evaluate(ov::TensorVector &outputs, const ov::TensorVector &inputs) const
{
    run(*this, outputs, inputs);
    return true;
}

bool Operation::evaluate_lower(ov::TensorVector &outputs) const
{
    return native()->evaluate_lower(outputs);
}

bool Operation::evaluate_upper(ov::TensorVector &outputs) const
{
    return native()->evaluate_upper(outputs);
}

bool Operation::evaluate_symbol(ov::TensorSymbolVector &symbols) const
{
    return native()->evaluate_symbol(symbols);
}

} // namespace strew::openvino
