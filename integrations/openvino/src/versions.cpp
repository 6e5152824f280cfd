#include "versions.hpp"

#include <algorithm>

#include <openvino/core/attribute_adapter.hpp>
#include <openvino/core/enum_names.hpp>
#include <openvino/op/gather.hpp>
#include <openvino/op/gather_elements.hpp>
#include <openvino/op/gather_nd.hpp>
#include <openvino/op/scatter_elements_update.hpp>
#include <openvino/op/scatter_nd_update.hpp>
#include <openvino/op/scatter_update.hpp>
#include <openvino/op/slice_scatter.hpp>

#include "operation.hpp"

namespace strew::openvino
{
namespace
{

template <class Reduction> strew_reduction from_native(Reduction reduction)
{
    const std::string &name = ov::as_string(reduction);
    strew_reduction found = STREW_REDUCTION_NONE;
    OPENVINO_ASSERT(strew_reduction_find(name.c_str(), &found), "strew has no reduction ", name);
    return found;
}

// By names, since OpenVINO numbers them for each operation otherwise.
template <class Reduction> Reduction to_native(strew_reduction reduction)
{
    return ov::as_enum<Reduction>(strew_reduction_name(reduction));
}

// An operation without attributes, of these inputs.
template <class Op, size_t... INPUTS> struct Plain {
    static Attributes read(const ov::Node &)
    {
        return {};
    }
    static std::shared_ptr<ov::Node> make(const ov::OutputVector &inputs, const Attributes &)
    {
        return std::make_shared<Op>(inputs.at(INPUTS)...);
    }
};

template <class Op> struct Gather {
    static Attributes read(const ov::Node &node)
    {
        Attributes attributes;
        attributes.batch_dims = static_cast<const Op &>(node).get_batch_dims();
        return attributes;
    }
    static std::shared_ptr<ov::Node> make(const ov::OutputVector &inputs, const Attributes &attributes)
    {
        return std::make_shared<Op>(inputs.at(0), inputs.at(1), inputs.at(2), attributes.batch_dims);
    }
};

template <class Op> struct GatherND {
    static Attributes read(const ov::Node &node)
    {
        Attributes attributes;
        attributes.batch_dims = static_cast<int64_t>(static_cast<const Op &>(node).get_batch_dims());
        return attributes;
    }
    static std::shared_ptr<ov::Node> make(const ov::OutputVector &inputs, const Attributes &attributes)
    {
        return std::make_shared<Op>(inputs.at(0), inputs.at(1), static_cast<size_t>(attributes.batch_dims));
    }
};

struct GatherElements6 {
    using Op = ov::op::v6::GatherElements;
    static Attributes read(const ov::Node &node)
    {
        Attributes attributes;
        attributes.axis = static_cast<const Op &>(node).get_axis();
        return attributes;
    }
    static std::shared_ptr<ov::Node> make(const ov::OutputVector &inputs, const Attributes &attributes)
    {
        return std::make_shared<Op>(inputs.at(0), inputs.at(1), attributes.axis);
    }
};

struct ScatterND15 {
    using Op = ov::op::v15::ScatterNDUpdate;
    static Attributes read(const ov::Node &node)
    {
        Attributes attributes;
        attributes.reduction = from_native(static_cast<const Op &>(node).get_reduction());
        return attributes;
    }
    static std::shared_ptr<ov::Node> make(const ov::OutputVector &inputs, const Attributes &attributes)
    {
        return std::make_shared<Op>(inputs.at(0), inputs.at(1), inputs.at(2),
                                    to_native<Op::Reduction>(attributes.reduction));
    }
};

struct ScatterElements12 {
    using Op = ov::op::v12::ScatterElementsUpdate;
    static Attributes read(const ov::Node &node)
    {
        Attributes attributes;
        attributes.reduction = from_native(static_cast<const Op &>(node).get_reduction());
        attributes.use_init_val = static_cast<const Op &>(node).get_use_init_val();
        return attributes;
    }
    static std::shared_ptr<ov::Node> make(const ov::OutputVector &inputs, const Attributes &attributes)
    {
        return std::make_shared<Op>(inputs.at(0), inputs.at(1), inputs.at(2), inputs.at(3),
                                    to_native<Op::Reduction>(attributes.reduction), attributes.use_init_val);
    }
};

struct SliceScatter15 {
    using Op = ov::op::v15::SliceScatter;
    static Attributes read(const ov::Node &)
    {
        return {};
    }
    static std::shared_ptr<ov::Node> make(const ov::OutputVector &inputs, const Attributes &)
    {
        if (inputs.size() == 5)
            return std::make_shared<Op>(inputs.at(0), inputs.at(1), inputs.at(2), inputs.at(3), inputs.at(4));
        return std::make_shared<Op>(inputs.at(0), inputs.at(1), inputs.at(2), inputs.at(3), inputs.at(4),
                                    inputs.at(5));
    }
};

constexpr NamedInput DATA = {Role::DATA, "data", "element_type", Role::DATA};
constexpr NamedInput UPDATES = {Role::UPDATES, "updates", nullptr, Role::DATA};
constexpr NamedInput INDICES = {Role::INDICES, "indices", "index_type", Role::INDICES};
constexpr NamedInput AXIS = {Role::AXIS, "axis", nullptr, Role::AXIS};

const std::vector<NamedInput> GATHER_INPUTS = {DATA, INDICES};
const std::vector<NamedInput> GATHER_ALONG_INPUTS = {DATA, INDICES, AXIS};
const std::vector<NamedInput> SCATTER_INPUTS = {DATA, INDICES, UPDATES};
const std::vector<NamedInput> SCATTER_ALONG_INPUTS = {DATA, INDICES, UPDATES, AXIS};
const std::vector<NamedInput> SLICE_INPUTS = {DATA,
                                              UPDATES,
                                              {Role::STARTS, "start", "start_type", Role::STARTS},
                                              {Role::STOPS, "stop", "stop_type", Role::STOPS},
                                              {Role::STEPS, "step", "step_type", Role::STEPS},
                                              {Role::AXES, "axes", nullptr, Role::AXES}};

// The replacement has the name of the operation in an opset of strew's own. By the opset the CPU plugin sees that
// it is not its own operation; by the name, that it is one it knows, for behind others it converts what has 64 bits
// to 32. Where the plugin cannot make a node of that name for another operation than its own, it has another's.
template <class Traits, class Op>
Version version(const char *published, const char *opset, const std::vector<NamedInput> &inputs,
                size_t optional = 0, const char *name = Op::get_type_info_static().name)
{
    const ov::DiscreteTypeInfo &native = Op::get_type_info_static();
    const ov::DiscreteTypeInfo replacement{name, opset, &Operation::get_type_info_static()};
    return {strew_operator_find(published), native,       replacement, inputs,
            inputs.size() - optional,       Traits::read, Traits::make};
}

} // namespace

size_t Version::find(Role role) const
{
    const auto found =
        std::find_if(inputs.begin(), inputs.end(), [&](const NamedInput &input) { return input.role == role; });
    return static_cast<size_t>(found - inputs.begin());
}

bool Version::keeps_type(size_t input) const
{
    return inputs.at(find(inputs.at(input).kept_with)).type_attribute != nullptr;
}

const std::vector<Version> &versions()
{
    using namespace ov::op;
    static const std::vector<Version> all = {
        version<Plain<v1::Gather, 0, 1, 2>, v1::Gather>("Gather-1", "strew1", GATHER_ALONG_INPUTS),
        version<Gather<v7::Gather>, v7::Gather>("Gather-7", "strew7", GATHER_ALONG_INPUTS),
        version<Gather<v8::Gather>, v8::Gather>("Gather-8", "strew8", GATHER_ALONG_INPUTS),
        version<GatherND<v5::GatherND>, v5::GatherND>("GatherND-5", "strew5", GATHER_INPUTS),
        version<GatherND<v8::GatherND>, v8::GatherND>("GatherND-8", "strew8", GATHER_INPUTS),
        version<GatherElements6, v6::GatherElements>("GatherElements-6", "strew6", GATHER_INPUTS),
        version<Plain<v3::ScatterNDUpdate, 0, 1, 2>, v3::ScatterNDUpdate>("ScatterNDUpdate-3", "strew3",
                                                                          SCATTER_INPUTS),
        version<ScatterND15, v15::ScatterNDUpdate>("ScatterNDUpdate-15", "strew15", SCATTER_INPUTS),
        version<Plain<v3::ScatterUpdate, 0, 1, 2, 3>, v3::ScatterUpdate>("ScatterUpdate-3", "strew3",
                                                                         SCATTER_ALONG_INPUTS),
        version<Plain<v3::ScatterElementsUpdate, 0, 1, 2, 3>, v3::ScatterElementsUpdate>(
            "ScatterElementsUpdate-3", "strew3", SCATTER_ALONG_INPUTS),
        version<ScatterElements12, v12::ScatterElementsUpdate>("ScatterElementsUpdate-12", "strew12",
                                                               SCATTER_ALONG_INPUTS),
        version<SliceScatter15, v15::SliceScatter>("SliceScatter-15", "strew15.SliceScatter", SLICE_INPUTS, 1,
                                                   "ScatterUpdate"),
    };
    return all;
}

const Version *find_native(const ov::Node &node)
{
    for (const Version &version : versions())
        if (node.get_type_info() == version.native)
            return &version;
    return nullptr;
}

} // namespace strew::openvino
