// strew's operation in a model: one class for all versions. One node serves all streams at once: it holds only
// attributes and, for constant indices, shared inspections.
#ifndef STREW_OPENVINO_OPERATION_HPP
#define STREW_OPENVINO_OPERATION_HPP

#include <openvino/op/op.hpp>

#include "inspections.hpp"
#include "versions.hpp"

namespace strew::openvino
{

class Operation : public ov::op::Op
{
  public:
    // The common base of the types of all versions; each has a name of its own.
    static const ov::DiscreteTypeInfo &get_type_info_static();

    using ov::op::Op::evaluate;
    // An operation without inputs, whose attributes visit_attributes reads.
    explicit Operation(const Version &version);
    Operation(const Version &version, const Attributes &attributes, const ov::OutputVector &inputs);

    const ov::DiscreteTypeInfo &get_type_info() const override;
    std::shared_ptr<ov::Node> clone_with_new_inputs(const ov::OutputVector &inputs) const override;
    bool visit_attributes(ov::AttributeVisitor &visitor) override;
    void validate_and_infer_types() override;

    bool constant_fold(ov::OutputVector &outputs, const ov::OutputVector &inputs) override;
    bool has_evaluate() const override;
    bool evaluate(ov::TensorVector &outputs, const ov::TensorVector &inputs) const override;
    bool evaluate_lower(ov::TensorVector &outputs) const override;
    bool evaluate_upper(ov::TensorVector &outputs) const override;
    bool evaluate_symbol(ov::TensorSymbolVector &symbols) const override;

    const Version &version() const
    {
        return *m_version;
    }
    const Attributes &attributes() const
    {
        return m_attributes;
    }

    Inspections &inspections() const
    {
        return m_inspections;
    }

    // The type in which an input must arrive; dynamic means any. Boolean data may arrive as u8, to which the CPU
    // plugin converts it.
    const ov::element::Type &kept_type(size_t input) const
    {
        return m_kept_types.at(m_version->find(m_version->inputs.at(input).kept_with));
    }
    void keep_type(Role role, const ov::element::Type &type)
    {
        m_kept_types.at(m_version->find(role)) = type;
    }

  private:
    // OpenVINO's own operation on the same inputs, which knows shapes and bounds.
    std::shared_ptr<ov::Node> native() const;

    const Version *m_version;
    Attributes m_attributes;
    std::vector<ov::element::Type> m_kept_types; // of the inputs that lead others
    mutable Inspections m_inspections;
};

} // namespace strew::openvino

#endif
