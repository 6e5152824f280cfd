#include "versions.hpp"

#include <algorithm>

#include <openvino/core/attribute_adapter.hpp>
#include <openvino/core/enum_names.hpp>
#include <openvino/op/constant.hpp>
#include <openvino/op/embedding_segments_sum.hpp>
#include <openvino/op/embeddingbag_offsets.hpp>
#include <openvino/op/embeddingbag_offsets_sum.hpp>
#include <openvino/op/embeddingbag_packed.hpp>
#include <openvino/op/embeddingbag_packedsum.hpp>
#include <openvino/op/gather.hpp>
#include <openvino/op/gather_elements.hpp>
#include <openvino/op/gather_nd.hpp>
#include <openvino/op/scatter_elements_update.hpp>
#include <openvino/op/scatter_nd_update.hpp>
#include <openvino/op/scatter_update.hpp>
#include <openvino/op/segment_max.hpp>
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

// Converts by names, since OpenVINO numbers reductions differently in each operation.
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

template <class Op, size_t... INPUTS, class... Rest>
std::shared_ptr<ov::Node> make_of_first(std::index_sequence<INPUTS...>, const ov::OutputVector &inputs,
                                        const Rest &...rest)
{
    return std::make_shared<Op>(inputs.at(INPUTS)..., rest...);
}

// Makes an operation of the given inputs, LEAST to MOST, and of the arguments after them.
template <class Op, size_t LEAST, size_t MOST, class... Rest>
std::shared_ptr<ov::Node> make_of(const ov::OutputVector &inputs, const Rest &...rest)
{
    if constexpr (LEAST < MOST)
        if (inputs.size() > LEAST)
            return make_of<Op, LEAST + 1, MOST>(inputs, rest...);
    return make_of_first<Op>(std::make_index_sequence<LEAST>(), inputs, rest...);
}

// An operation without attributes, with LEAST to MOST inputs.
template <class Op, size_t LEAST, size_t MOST> struct Optional {
    static Attributes read(const ov::Node &)
    {
        return {};
    }
    static std::shared_ptr<ov::Node> make(const ov::OutputVector &inputs, const Attributes &)
    {
        return make_of<Op, LEAST, MOST>(inputs);
    }
};

template <class Op, size_t LEAST, size_t MOST> struct Bags {
    static Attributes read(const ov::Node &node)
    {
        Attributes attributes;
        attributes.reduction = from_native(const_cast<Op &>(static_cast<const Op &>(node)).get_reduction());
        return attributes;
    }
    static std::shared_ptr<ov::Node> make(const ov::OutputVector &inputs, const Attributes &attributes)
    {
        return make_of<Op, LEAST, MOST>(inputs, to_native<typename Op::Reduction>(attributes.reduction));
    }
};

struct SegmentMax16 {
    using Op = ov::op::v16::SegmentMax;
    static Attributes read(const ov::Node &node)
    {
        const auto mode = static_cast<const Op &>(node).get_fill_mode();
        Attributes attributes;
        attributes.reduction = STREW_REDUCTION_MAX;
        attributes.empty = mode == ov::op::FillMode::LOWEST ? STREW_EMPTY_LOWEST : STREW_EMPTY_ZERO;
        return attributes;
    }
    // OpenVINO asks for the greatest of no ids, and dies of it: they are of 0 segments.
    static ov::OutputVector counted(ov::OutputVector inputs)
    {
        const ov::PartialShape &ids = inputs.at(1).get_partial_shape();
        if (inputs.size() == 2 && ids.is_static() && ov::shape_size(ids.to_shape()) == 0)
            inputs.push_back(ov::op::v0::Constant::create(ov::element::i64, {}, {0}));
        return inputs;
    }
    static std::shared_ptr<ov::Node> make(const ov::OutputVector &inputs, const Attributes &attributes)
    {
        const bool is_lowest = attributes.empty == STREW_EMPTY_LOWEST;
        return make_of<Op, 2, 3>(counted(inputs), is_lowest ? ov::op::FillMode::LOWEST : ov::op::FillMode::ZERO);
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

// OpenVINO requires one type for all counts and names in bags.
constexpr NamedInput TABLE = {Role::DATA, "emb_table", "element_type", Role::DATA};
constexpr NamedInput WEIGHTS = {Role::WEIGHTS, "per_sample_weights", nullptr, Role::DATA};
constexpr NamedInput DEFAULT_INDEX = {Role::DEFAULT_INDEX, "default_index", nullptr, Role::INDICES};

const std::vector<NamedInput> OFFSETS_INPUTS = {
    TABLE, INDICES, {Role::SEGMENTS, "offsets", nullptr, Role::INDICES}, DEFAULT_INDEX, WEIGHTS};
const std::vector<NamedInput> PACKED_INPUTS = {TABLE, INDICES, WEIGHTS};
const std::vector<NamedInput> SEGMENTS_INPUTS = {TABLE,
                                                 INDICES,
                                                 {Role::SEGMENTS, "segment_ids", nullptr, Role::INDICES},
                                                 {Role::SEGMENT_COUNT, "num_segments", nullptr, Role::INDICES},
                                                 DEFAULT_INDEX,
                                                 WEIGHTS};
const std::vector<NamedInput> SEGMENT_MAX_INPUTS = {
    DATA,
    {Role::SEGMENTS, "segment_ids", "index_type", Role::SEGMENTS},
    {Role::SEGMENT_COUNT, "num_segments", "count_type", Role::SEGMENT_COUNT}};

// The replacement has the operation's name in an opset of strew's own. The opset shows the CPU plugin that it is
// not its own operation; the name shows that it knows the operation: behind others it converts 64 bits to 32.
template <class Traits, class Op>
Version version(const char *published, const char *opset, const std::vector<NamedInput> &inputs,
                size_t optional = 0, const char *name = Op::get_type_info_static().name)
{
    const ov::DiscreteTypeInfo &native = Op::get_type_info_static();
    const ov::DiscreteTypeInfo replacement{name, opset, &Operation::get_type_info_static()};
    return {strew_operator_find(published), native,       replacement, inputs,
            inputs.size() - optional,       Traits::read, Traits::make};
}

// The plugin treats nodes with some names as its own, and fails: these replacements have another name.
template <class Traits, class Op>
Version borrowed(const char *published, const char *opset, const std::vector<NamedInput> &inputs, size_t optional)
{
    return version<Traits, Op>(published, opset, inputs, optional, "ScatterUpdate");
}

} // namespace

bool Version::combines_rows() const
{
    return published->kind == STREW_KIND_EMBEDDING_BAG_OFFSETS ||
           published->kind == STREW_KIND_EMBEDDING_BAG_PACKED || published->kind == STREW_KIND_EMBEDDING_SEGMENTS ||
           published->kind == STREW_KIND_SEGMENT_REDUCE;
}

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
        borrowed<Optional<v15::SliceScatter, 5, 6>, v15::SliceScatter>("SliceScatter-15", "strew15.SliceScatter",
                                                                       SLICE_INPUTS, 1),
        borrowed<Optional<v3::EmbeddingBagOffsetsSum, 3, 5>, v3::EmbeddingBagOffsetsSum>(
            "EmbeddingBagOffsetsSum-3", "strew3.EmbeddingBagOffsetsSum", OFFSETS_INPUTS, 2),
        borrowed<Bags<v15::EmbeddingBagOffsets, 3, 5>, v15::EmbeddingBagOffsets>(
            "EmbeddingBagOffsets-15", "strew15.EmbeddingBagOffsets", OFFSETS_INPUTS, 2),
        borrowed<Optional<v3::EmbeddingBagPackedSum, 2, 3>, v3::EmbeddingBagPackedSum>(
            "EmbeddingBagPackedSum-3", "strew3.EmbeddingBagPackedSum", PACKED_INPUTS, 1),
        borrowed<Bags<v15::EmbeddingBagPacked, 2, 3>, v15::EmbeddingBagPacked>(
            "EmbeddingBagPacked-15", "strew15.EmbeddingBagPacked", PACKED_INPUTS, 1),
        borrowed<Optional<v3::EmbeddingSegmentsSum, 4, 6>, v3::EmbeddingSegmentsSum>(
            "EmbeddingSegmentsSum-3", "strew3.EmbeddingSegmentsSum", SEGMENTS_INPUTS, 2),
        borrowed<SegmentMax16, v16::SegmentMax>("SegmentMax-16", "strew16.SegmentMax", SEGMENT_MAX_INPUTS, 1),
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
