/* Allocates and fills the tensors, and runs the operator on them. */
#include "operands.h"

#include <algorithm>

#include "values.h"

namespace bench
{
namespace
{

bool takes_indices(const Workload &workload)
{
    return workload.kind != STREW_KIND_SLICE_SCATTER && workload.kind != STREW_KIND_SEGMENT_REDUCE;
}

/* The row's own distribution, unless that is for targets, or rows are combined in order. */
Distribution distribution_of_indices(const Workload &workload)
{
    if (workload.kind == STREW_KIND_SEGMENT_REDUCE)
        return sequential_distribution();
    return names_targets(workload) ? usual_distribution() : workload.distribution;
}

/* The row of its batch that each tuple of `indices` addresses, or the place along the axis of each entry. */
Positions draw_positions(const Workload &workload)
{
    const size_t range = element_count(addressed_dimensions(workload));
    Positions positions(entry_count(workload));
    distribution_of_indices(workload).draw(
        positions, {static_cast<uint32_t>(range), static_cast<size_t>(workload.layout.indices.back())});
    if (names_targets(workload) && takes_indices(workload)) /* targets are drawn in the same order */
        std::reverse(positions.begin(), positions.end());
    return positions;
}

/* The targets of edges: bags of one size, one after the other, or drawn rows. */
Positions draw_targets(const Workload &workload)
{
    if (addressing_of(workload) != Addressing::edges)
        return {};
    const uint32_t rows = static_cast<uint32_t>(workload.layout.rows);
    Positions targets(entry_count(workload));
    if (names_targets(workload))
        workload.distribution.draw(targets, {rows, 1});
    else
        for (size_t i = 0; i < targets.size(); ++i)
            targets[i] = static_cast<uint32_t>(i * rows / targets.size());
    return targets;
}

/* The begin of each bag. */
Positions begins_of(const Positions &targets, int64_t rows)
{
    Positions begins(static_cast<size_t>(rows));
    for (size_t row = 0; row < begins.size(); ++row)
        begins[row] = static_cast<uint32_t>(
            std::lower_bound(targets.begin(), targets.end(), static_cast<uint32_t>(row)) - targets.begin());
    return begins;
}

/* Writes the positions as coordinates in those dimensions. */
template <typename Index> void write_indices(const Positions &positions, const Shape &dimensions, void *entries)
{
    Index *entry = static_cast<Index *>(entries);
    for (uint32_t position : positions) {
        for (size_t d = dimensions.size(); d-- > 0;) {
            entry[d] = static_cast<Index>(position % dimensions[d]);
            position /= static_cast<uint32_t>(dimensions[d]);
        }
        entry += dimensions.size();
    }
}

/* If a bad index does not end the run, makes one entry in a thousand bad, by adding the size of the axis. */
void spoil(const Workload &workload, Positions &positions)
{
    const strew_bounds bounds = workload.bounds;
    if (bounds == STREW_BOUNDS_REFUSE || bounds == STREW_BOUNDS_STOP)
        return;
    for (size_t i = 0; i < positions.size(); i += 1000)
        positions[i] += static_cast<uint32_t>(addressed_dimensions(workload).front());
}

void fill_indices(const Workload &workload, Positions positions, void *entries)
{
    Shape dimensions = addressed_dimensions(workload);
    spoil(workload, positions);
    dimensions.front() *= 2; /* the first coordinate takes the rest of a position */
    if (workload.index_dtype == STREW_DTYPE_INT32)
        write_indices<int32_t>(positions, dimensions, entries);
    else
        write_indices<int64_t>(positions, dimensions, entries);
}

/* Turns positions in a batch into positions in data. */
Positions beyond_batches(const Workload &workload, Positions positions)
{
    const Layout &layout = workload.layout;
    const Shape batch_shape(layout.data.begin(), layout.data.begin() + layout.batch_dims);
    const size_t batch_items = element_count(addressed_dimensions(workload));
    const size_t batch_tuples = positions.size() / element_count(batch_shape);
    for (size_t i = 0; i < positions.size(); ++i)
        positions[i] += static_cast<uint32_t>(i / batch_tuples * batch_items);
    return positions;
}

/* Turns positions along the axis into positions in data: off the axis, an entry is at the place of its element. */
Positions beyond_lanes(const Layout &layout, Positions positions)
{
    for (size_t i = 0; i < positions.size(); ++i) {
        size_t rest = i, stride = 1, position = 0;
        for (size_t d = layout.data.size(); d-- > 0;) {
            const size_t extent = static_cast<size_t>(layout.indices[d]);
            position += (static_cast<int64_t>(d) == layout.axis ? positions[i] : rest % extent) * stride;
            rest /= extent;
            stride *= static_cast<size_t>(layout.data[d]);
        }
        positions[i] = static_cast<uint32_t>(position);
    }
    return positions;
}

/* Turns the begins of windows along the axis into the places of all their rows. */
Positions rows_of_windows(const Layout &layout, const Positions &begins)
{
    const uint32_t extent = static_cast<uint32_t>(layout.data[static_cast<size_t>(layout.axis)]);
    Positions rows;
    for (uint32_t begin : begins)
        for (uint32_t row = 0; row < layout.window; ++row)
            rows.push_back((begin + row) % extent);
    return rows;
}

/*
 * Turns rows along the axis into rows of data: for all pieces before the axis, or for each piece by its own list if
 * there are as many lists as batches.
 */
Positions beyond_axis(const Layout &layout, const Positions &along, size_t batches)
{
    const size_t pieces = element_count(Shape(layout.data.begin(), layout.data.begin() + layout.axis));
    const size_t extent = static_cast<size_t>(layout.data[static_cast<size_t>(layout.axis)]);
    const size_t count = along.size() / batches;
    Positions rows;
    for (size_t piece = 0; piece < pieces; ++piece)
        for (size_t i = 0; i < count; ++i)
            rows.push_back(static_cast<uint32_t>(piece * extent + along[piece * batches / pieces * count + i]));
    return rows;
}

Positions in_data(const Workload &workload, const Positions &positions)
{
    const Layout &layout = workload.layout;
    switch (addressing_of(workload)) {
    case Addressing::elements: return beyond_lanes(layout, positions);
    case Addressing::edges: return positions;
    case Addressing::rows: return beyond_axis(layout, positions, 1);
    case Addressing::windows: return beyond_axis(layout, rows_of_windows(layout, positions), positions.size());
    default: return beyond_batches(workload, positions);
    }
}

} // namespace

Tensor::Tensor(strew_dtype tensor_dtype, const Shape &tensor_shape)
    : dtype(tensor_dtype), shape(tensor_shape),
      elements(element_count(tensor_shape) * strew_dtype_size(tensor_dtype))
{
}

Slice::Slice(const Layout &layout, int64_t begin) : start_(begin), stop_(begin + layout.window), axis_(layout.axis)
{
}

strew_slice Slice::view() const
{
    return {1, 0, &start_, &stop_, &step_, &axis_};
}

strew_tensor Tensor::view() const
{
    return {elements.data(), dtype, static_cast<int32_t>(shape.size()), shape.data(), nullptr};
}

Operands::Operands(const Workload &workload)
    : workload_(workload), entries_(draw_positions(workload)), positions_(in_data(workload, entries_)),
      targets_(draw_targets(workload)), slice_(workload.layout, entries_.front()),
      data_(workload.dtype, workload.layout.data), indices_(workload.index_dtype, workload.layout.indices),
      moved_(workload.dtype, moved_shape(workload))
{
    fill_data(workload, data_.elements.data());
    fill_updates(workload, moved_.elements.data());
    fill_indices(workload, entries_, indices_.elements.data());
    if (!targets_.empty() && workload.kind != STREW_KIND_EMBEDDING_BAG_PACKED)
        fill_segments();
    if (workload.layout.weighted) {
        weights_.emplace(workload.dtype, workload.layout.indices);
        fill_weights(workload, weights_->elements.data());
    }
    if (copies_data(workload))
        copy_.emplace(workload.dtype, workload.layout.data);
}

void Operands::fill_segments()
{
    const int64_t rows = workload_.layout.rows;
    const Positions segments = names_targets(workload_) ? targets_ : begins_of(targets_, rows);
    segments_.emplace(STREW_DTYPE_INT64, Shape{static_cast<int64_t>(segments.size())});
    std::copy(segments.begin(), segments.end(), reinterpret_cast<int64_t *>(segments_->elements.data()));
}

const Tensor &Operands::output() const
{
    if (is_gather(workload_) || addressing_of(workload_) == Addressing::edges)
        return moved_;
    return copy_ ? *copy_ : data_;
}

strew_status Operands::plan(strew_plan &plan, const strew_plan_options &options) const
{
    const strew_tensor data = data_.view(), indices = indices_.view(), updates = moved_.view();
    const strew_tensor target = output().view();
    const Layout &layout = workload_.layout;
    const strew_reduction reduction = workload_.reduction;
    const strew_slice slice = slice_.view();
    const strew_tensor segments = segments_ ? segments_->view() : strew_tensor{};
    const strew_tensor weights_view = weights_ ? weights_->view() : strew_tensor{};
    const strew_tensor *weights = weights_ ? &weights_view : nullptr;

    switch (workload_.kind) {
    case STREW_KIND_GATHER: return strew_plan_gather(&plan, &data, &indices, layout.axis, 0, &target, &options);
    case STREW_KIND_GATHER_ND:
        return strew_plan_gather_nd(&plan, &data, &indices, layout.batch_dims, &target, &options);
    case STREW_KIND_GATHER_ELEMENTS:
        return strew_plan_gather_elements(&plan, &data, &indices, layout.axis, &target, &options);
    case STREW_KIND_SCATTER:
        return strew_plan_scatter(&plan, &data, &indices, &updates, layout.axis, 0, reduction, true, &target,
                                  &options);
    case STREW_KIND_SCATTER_ND:
        return strew_plan_scatter_nd(&plan, &data, &indices, &updates, reduction, &target, &options);
    case STREW_KIND_SCATTER_ELEMENTS:
        return strew_plan_scatter_elements(&plan, &data, &indices, &updates, layout.axis, reduction, true, &target,
                                           &options);
    case STREW_KIND_TENSOR_SCATTER:
        return strew_plan_tensor_scatter(&plan, &data, &indices, &updates, layout.axis, layout.circular, &target,
                                         &options);
    case STREW_KIND_SLICE_SCATTER:
        return strew_plan_slice_scatter(&plan, &data, &updates, &slice, &target, &options);
    case STREW_KIND_EMBEDDING_BAG_OFFSETS:
        return strew_plan_embedding_bag_offsets(&plan, &data, &indices, &segments, weights, reduction, -1, &target,
                                                &options);
    case STREW_KIND_EMBEDDING_BAG_PACKED:
        return strew_plan_embedding_bag_packed(&plan, &data, &indices, weights, reduction, &target, &options);
    case STREW_KIND_EMBEDDING_SEGMENTS:
        return strew_plan_embedding_segments(&plan, &data, &indices, &segments, weights, reduction, -1, &target,
                                             &options);
    case STREW_KIND_SEGMENT_REDUCE:
        return strew_plan_segment_reduce(&plan, &data, &segments, reduction, STREW_EMPTY_ZERO, &target, &options);
    case STREW_KIND_GATHER_SCATTER:
        return strew_plan_gather_scatter(&plan, &target, &data, &indices, &segments, weights, reduction, true,
                                         &target, &options);
    }
    return STREW_STATUS_INVALID_ARGUMENT;
}

strew_status Operands::call(const strew_options &options) const
{
    const strew_tensor data = data_.view(), indices = indices_.view(), updates = moved_.view();
    const strew_tensor target = output().view();
    const Layout &layout = workload_.layout;
    const strew_reduction reduction = workload_.reduction;
    const strew_slice slice = slice_.view();
    const strew_tensor segments = segments_ ? segments_->view() : strew_tensor{};
    const strew_tensor weights_view = weights_ ? weights_->view() : strew_tensor{};
    const strew_tensor *weights = weights_ ? &weights_view : nullptr;

    switch (workload_.kind) {
    case STREW_KIND_GATHER: return strew_gather(&data, &indices, layout.axis, 0, &target, &options);
    case STREW_KIND_GATHER_ND: return strew_gather_nd(&data, &indices, layout.batch_dims, &target, &options);
    case STREW_KIND_GATHER_ELEMENTS: return strew_gather_elements(&data, &indices, layout.axis, &target, &options);
    case STREW_KIND_SCATTER:
        return strew_scatter(&data, &indices, &updates, layout.axis, 0, reduction, true, &target, &options);
    case STREW_KIND_SCATTER_ND: return strew_scatter_nd(&data, &indices, &updates, reduction, &target, &options);
    case STREW_KIND_SCATTER_ELEMENTS:
        return strew_scatter_elements(&data, &indices, &updates, layout.axis, reduction, true, &target, &options);
    case STREW_KIND_TENSOR_SCATTER:
        return strew_tensor_scatter(&data, &indices, &updates, layout.axis, layout.circular, &target, &options);
    case STREW_KIND_SLICE_SCATTER: return strew_slice_scatter(&data, &updates, &slice, &target, &options);
    case STREW_KIND_EMBEDDING_BAG_OFFSETS:
        return strew_embedding_bag_offsets(&data, &indices, &segments, weights, reduction, -1, &target, &options);
    case STREW_KIND_EMBEDDING_BAG_PACKED:
        return strew_embedding_bag_packed(&data, &indices, weights, reduction, &target, &options);
    case STREW_KIND_EMBEDDING_SEGMENTS:
        return strew_embedding_segments(&data, &indices, &segments, weights, reduction, -1, &target, &options);
    case STREW_KIND_SEGMENT_REDUCE:
        return strew_segment_reduce(&data, &segments, reduction, STREW_EMPTY_ZERO, &target, &options);
    case STREW_KIND_GATHER_SCATTER:
        return strew_gather_scatter(&target, &data, &indices, &segments, weights, reduction, true, &target,
                                    &options);
    }
    return STREW_STATUS_INVALID_ARGUMENT;
}

strew_buffers Operands::buffers() const
{
    const void *indices = takes_indices(workload_) ? indices_.elements.data() : nullptr;
    const void *segments = segments_ ? segments_->elements.data() : nullptr;
    const void *weights = weights_ ? weights_->elements.data() : nullptr;
    if (workload_.kind == STREW_KIND_GATHER_SCATTER)
        return {output().elements.data(), indices,  data_.elements.data(),
                output().elements.data(), segments, weights};
    const bool scatters = !is_gather(workload_) && !fills_bags(workload_);
    const void *updates = scatters ? moved_.elements.data() : nullptr;
    return {data_.elements.data(), indices, updates, output().elements.data(), segments, weights};
}

strew_buffers Operands::inspected_buffers(const void *storage) const
{
    strew_buffers found = buffers();
    found.indices = storage;
    if (names_targets(workload_))
        found.segments = nullptr;
    return found;
}

const Positions &Operands::positions() const
{
    return positions_;
}

const Positions &Operands::targets() const
{
    return targets_;
}

} // namespace bench
