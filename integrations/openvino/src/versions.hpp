// The published versions that strew takes the place of: how each is read from a model, and made.
#ifndef STREW_OPENVINO_VERSIONS_HPP
#define STREW_OPENVINO_VERSIONS_HPP

#include <memory>

#include <openvino/core/node.hpp>
#include <strew/operators.h>

namespace strew::openvino
{

struct Attributes {
    int64_t axis = 0;
    int64_t batch_dims = 0;
    strew_reduction reduction = STREW_REDUCTION_NONE;
    bool use_init_val = true;
};

struct Version {
    const strew_operator *published;  // strew's description of it
    ov::DiscreteTypeInfo native;      // OpenVINO's own operation
    ov::DiscreteTypeInfo replacement; // what takes its place
    Attributes (*read)(const ov::Node &node);
    std::shared_ptr<ov::Node> (*make)(const ov::OutputVector &inputs, const Attributes &attributes);

    bool scatters() const;
    size_t inputs() const;
    // Inputs that hold elements of data: data and updates.
    bool holds_elements(size_t input) const;
};

const std::vector<Version> &versions();
// The version whose operation this is; nullptr if strew has none.
const Version *find_native(const ov::Node &node);

} // namespace strew::openvino

#endif
