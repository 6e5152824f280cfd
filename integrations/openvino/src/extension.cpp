// The library's entry points for OpenVINO and Python.
#include <cstring>
#include <string>

#include <openvino/core/op_extension.hpp>

#include <strew/openvino.hpp>

#include "operation.hpp"

namespace strew::openvino
{
namespace
{

// One version, for models that were saved with strew's operations.
class VersionExtension : public ov::BaseOpExtension
{
  public:
    explicit VersionExtension(const Version &version) : m_version(version)
    {
    }

    const ov::DiscreteTypeInfo &get_type_info() const override
    {
        return m_version.replacement;
    }

    ov::OutputVector create(const ov::OutputVector &inputs, ov::AttributeVisitor &visitor) const override
    {
        const auto operation = std::make_shared<Operation>(m_version);
        operation->set_arguments(inputs);
        operation->visit_attributes(visitor);
        operation->constructor_validate_and_infer_types();
        return operation->outputs();
    }

    std::vector<ov::Extension::Ptr> get_attached_extensions() const override
    {
        return {};
    }

  private:
    const Version &m_version;
};

std::vector<ov::Extension::Ptr> all_extensions()
{
    std::vector<ov::Extension::Ptr> extensions;
    for (const Version &version : versions())
        extensions.push_back(std::make_shared<VersionExtension>(version));
    return extensions;
}

// Each field ends with a zero byte, which no name has.
std::string as_text(const std::vector<Entry> &entries)
{
    std::string text;
    for (const Entry &entry : entries)
        for (const std::string *field : {&entry.name, &entry.operator_version, &entry.reason, &entry.note})
            text.append(field->c_str(), std::strlen(field->c_str()) + 1);
    return text;
}

// A callback from Python that receives a text: its bytes and their number.
using Receiver = void (*)(const char *text, size_t size);

} // namespace
} // namespace strew::openvino

OPENVINO_CREATE_EXTENSIONS(strew::openvino::all_extensions())

// Replaces in the model at this address. `done` gets the entries, those that were replaced first, `failed` a
// message; one of them is called.
extern "C" STREW_OPENVINO_API void strew_openvino_replace(void *model, bool exact, strew::openvino::Receiver done,
                                                          strew::openvino::Receiver failed)
{
    try {
        const auto report = strew::openvino::replace(static_cast<ov::Model *>(model)->shared_from_this(), exact);
        const std::string text = strew::openvino::as_text(report.replaced) + strew::openvino::as_text(report.left);
        done(text.data(), text.size());
    } catch (const std::exception &error) {
        failed(error.what(), std::strlen(error.what()));
    }
}

extern "C" STREW_OPENVINO_API uint64_t strew_openvino_calls()
{
    return strew::openvino::calls();
}

extern "C" STREW_OPENVINO_API uint64_t strew_openvino_inspected_calls()
{
    return strew::openvino::inspected_calls();
}
