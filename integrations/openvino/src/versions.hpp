// The published versions that strew replaces: how to read each from a model, and how to make it.
#ifndef STREW_OPENVINO_VERSIONS_HPP
#define STREW_OPENVINO_VERSIONS_HPP

#include <memory>
#include <vector>

#include <openvino/core/node.hpp>
#include <strew/operators.h>

namespace strew::openvino
{

struct Attributes {
    int64_t axis = 0;
    int64_t batch_dims = 0;
    strew_reduction reduction = STREW_REDUCTION_NONE;
    bool use_init_val = true;
    strew_empty empty = STREW_EMPTY_ZERO;
};

// The role of an input in the operation.
enum class Role {
    DATA,
    UPDATES,
    WEIGHTS,
    INDICES,
    SEGMENTS, // offsets, or segment_ids
    SEGMENT_COUNT,
    DEFAULT_INDEX,
    AXIS,
    STARTS,
    STOPS,
    STEPS,
    AXES
};

struct NamedInput {
    Role role;
    const char *name;           // in messages and notes
    const char *type_attribute; // in files: the type that it keeps
    // The role of the input with the same type, which both keep or lose: updates follow data.
    Role kept_with;
};

struct Version {
    const strew_operator *published;  // strew's description of it
    ov::DiscreteTypeInfo native;      // OpenVINO's own operation
    ov::DiscreteTypeInfo replacement; // strew's operation
    std::vector<NamedInput> inputs;   // in their order
    size_t required_inputs;           // the first of them; a node may end after any other
    Attributes (*read)(const ov::Node &node);
    std::shared_ptr<ov::Node> (*make)(const ov::OutputVector &inputs, const Attributes &attributes);

    // Whether it is a sum of rows, or another combination of them.
    bool combines_rows() const;
    // The place of a role among the inputs; their number if the version lacks it.
    size_t find(Role role) const;
    // Whether the type is one to keep: not that of an axis, for which any is wide enough.
    bool keeps_type(size_t input) const;
};

const std::vector<Version> &versions();
// The version of this operation; nullptr if strew has none.
const Version *find_native(const ov::Node &node);

} // namespace strew::openvino

#endif
