/* The names of workloads, and how their bytes are counted. */
#include "workload.h"

#include <functional>
#include <numeric>

#include "base/lists.h"

namespace bench
{
namespace
{

const char *dtype_suffix(strew_dtype dtype)
{
    switch (dtype) {
#define DTYPE_SUFFIX(CONSTANT, name, suffix, bits) \
    case STREW_DTYPE_##CONSTANT: return #suffix;
        STREW_DTYPES(DTYPE_SUFFIX)
#undef DTYPE_SUFFIX
    default: return strew_dtype_name(dtype);
    }
}

std::string shape_name(const Shape &shape)
{
    std::string name = std::to_string(shape.front());
    for (size_t d = 1; d < shape.size(); ++d)
        name += "x" + std::to_string(shape[d]);
    return name;
}

std::string part(const std::string &name)
{
    return name.empty() ? "" : "/" + name;
}

/* The particulars of a row; the usual call has an output of its own, int64 indices drawn at random, and one
 * batch. */
std::string particulars(const Workload &workload)
{
    std::string name;
    const Addressing addressing = addressing_of(workload);
    if (addressing != Addressing::tuples && addressing != Addressing::edges)
        name += "/axis:" + std::to_string(workload.layout.axis);
    if (workload.layout.batch_dims > 0)
        name += "/batch_dims:" + std::to_string(workload.layout.batch_dims);
    if (addressing == Addressing::rows || addressing == Addressing::edges)
        name += "/indices:" + std::to_string(entry_count(workload));
    if (addressing == Addressing::windows)
        name += "/window:" + std::to_string(workload.layout.window);
    if (addressing == Addressing::edges)
        name += "/rows:" + std::to_string(workload.layout.rows);
    if (workload.layout.circular)
        name += "/circular";
    if (workload.layout.weighted)
        name += "/weighted";
    if (copies_data(workload))
        name += "/out_of_place";
    if (workload.index_dtype != STREW_DTYPE_INT64)
        name += "/" + std::string(dtype_suffix(workload.index_dtype)) + "_indices";
    const bool refuses = workload.bounds == STREW_BOUNDS_REFUSE;
    return name + part(workload.distribution.name) + part(refuses ? "" : strew_bounds_name(workload.bounds)) +
           part(workload.call.name);
}

/* The dimensions of an item, which moves as one. */
Shape item_shape(const Workload &workload)
{
    const Layout &layout = workload.layout;
    switch (addressing_of(workload)) {
    case Addressing::elements: return {};
    case Addressing::tuples:
        return Shape(layout.data.begin() + layout.batch_dims + layout.indices.back(), layout.data.end());
    default: return Shape(layout.data.begin() + layout.axis + 1, layout.data.end());
    }
}

} // namespace

std::string row_name(const Workload &workload, const std::string &how, size_t threads)
{
    std::string name = workload.family + "/" + strew_kind_name(workload.kind) + "/";
    if (workload.reduction != STREW_REDUCTION_NONE)
        name += std::string(strew_reduction_name(workload.reduction)) + "/";
    name += std::string(dtype_suffix(workload.dtype)) + "/" + shape_name(workload.layout.data);
    return name + particulars(workload) + "/" + how + "/threads:" + std::to_string(threads);
}

Addressing addressing_of(const Workload &workload)
{
    switch (workload.kind) {
    case STREW_KIND_GATHER_ELEMENTS:
    case STREW_KIND_SCATTER_ELEMENTS: return Addressing::elements;
    case STREW_KIND_GATHER:
    case STREW_KIND_SCATTER: return Addressing::rows;
    case STREW_KIND_TENSOR_SCATTER:
    case STREW_KIND_SLICE_SCATTER: return Addressing::windows;
    case STREW_KIND_EMBEDDING_BAG_OFFSETS:
    case STREW_KIND_EMBEDDING_BAG_PACKED:
    case STREW_KIND_EMBEDDING_SEGMENTS:
    case STREW_KIND_SEGMENT_REDUCE:
    case STREW_KIND_GATHER_SCATTER: return Addressing::edges;
    default: return Addressing::tuples;
    }
}

bool is_gather(const Workload &workload)
{
    return workload.kind == STREW_KIND_GATHER || workload.kind == STREW_KIND_GATHER_ND ||
           workload.kind == STREW_KIND_GATHER_ELEMENTS;
}

bool fills_bags(const Workload &workload)
{
    return addressing_of(workload) == Addressing::edges && workload.kind != STREW_KIND_GATHER_SCATTER;
}

bool names_targets(const Workload &workload)
{
    return workload.kind == STREW_KIND_EMBEDDING_SEGMENTS || workload.kind == STREW_KIND_SEGMENT_REDUCE ||
           workload.kind == STREW_KIND_GATHER_SCATTER;
}

bool copies_data(const Workload &workload)
{
    return !is_gather(workload) && addressing_of(workload) != Addressing::edges &&
           workload.output == Output::separate;
}

size_t element_count(const Shape &shape)
{
    return static_cast<size_t>(std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<int64_t>()));
}

Shape addressed_dimensions(const Workload &workload)
{
    const Layout &layout = workload.layout;
    const auto axis = layout.data.begin() + layout.axis;
    const auto first = layout.data.begin() + layout.batch_dims;
    switch (addressing_of(workload)) {
    case Addressing::tuples: return Shape(first, first + layout.indices.back());
    case Addressing::windows: return {layout.circular ? *axis : *axis - layout.window + 1};
    default: return {*axis};
    }
}

size_t entry_count(const Workload &workload)
{
    const Shape &indices = workload.layout.indices;
    const bool in_tuples = addressing_of(workload) == Addressing::tuples;
    return element_count(indices) / (in_tuples ? static_cast<size_t>(indices.back()) : 1);
}

Shape moved_shape(const Workload &workload)
{
    const Layout &layout = workload.layout;
    const Shape item = item_shape(workload);
    Shape shape(layout.data.begin(), layout.data.begin() + layout.axis);
    switch (addressing_of(workload)) {
    case Addressing::elements: return layout.indices;
    case Addressing::tuples: shape.assign(layout.indices.begin(), layout.indices.end() - 1); break;
    case Addressing::rows: shape.insert(shape.end(), layout.indices.begin(), layout.indices.end()); break;
    case Addressing::windows: shape.push_back(layout.window); break;
    case Addressing::edges: shape.push_back(layout.rows); break;
    }
    shape.insert(shape.end(), item.begin(), item.end());
    return shape;
}

size_t item_count(const Workload &workload)
{
    if (addressing_of(workload) == Addressing::edges)
        return entry_count(workload);
    return element_count(moved_shape(workload)) / element_count(item_shape(workload));
}

size_t item_bytes(const Workload &workload)
{
    return element_count(item_shape(workload)) * strew_dtype_size(workload.dtype);
}

size_t data_bytes(const Workload &workload)
{
    return element_count(workload.layout.data) * strew_dtype_size(workload.dtype);
}

size_t payload_bytes(const Workload &workload)
{
    return item_count(workload) * item_bytes(workload) + (copies_data(workload) ? data_bytes(workload) : 0);
}

size_t traffic_bytes(const Workload &workload)
{
    if (fills_bags(workload))
        return payload_bytes(workload) + element_count(moved_shape(workload)) * strew_dtype_size(workload.dtype);
    return payload_bytes(workload) * (workload.reduction == STREW_REDUCTION_NONE ? 2 : 3);
}

} // namespace bench
