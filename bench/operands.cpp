/* Allocation and contents of the tensors, and the operator over them. */
#include "operands.h"

#include "values.h"

namespace bench
{
namespace
{

/* Which row of its batch each tuple of `indices` addresses, or which element of its lane each entry. */
Positions draw_positions(const Workload &workload)
{
    const size_t range = element_count(addressed_dimensions(workload));
    Positions positions(item_count(workload));
    workload.distribution.draw(positions,
                               {static_cast<uint32_t>(range), static_cast<size_t>(workload.layout.indices.back())});
    return positions;
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

void fill_indices(const Workload &workload, const Positions &positions, void *entries)
{
    const Shape dimensions = addressed_dimensions(workload);
    if (workload.index_dtype == STREW_DTYPE_INT32)
        write_indices<int32_t>(positions, dimensions, entries);
    else
        write_indices<int64_t>(positions, dimensions, entries);
}

/* From positions in a batch to positions in data. */
void add_batches(const Layout &layout, size_t batch_items, Positions &positions)
{
    const Shape batch_shape(layout.data.begin(), layout.data.begin() + layout.batch_dims);
    const size_t batch_tuples = positions.size() / element_count(batch_shape);
    for (size_t i = 0; i < positions.size(); ++i)
        positions[i] += static_cast<uint32_t>(i / batch_tuples * batch_items);
}

/* From positions along the axis to positions in data: off the axis, an entry stands where its element does. */
void add_lanes(const Layout &layout, Positions &positions)
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
}

} // namespace

Tensor::Tensor(strew_dtype tensor_dtype, const Shape &tensor_shape)
    : dtype(tensor_dtype), shape(tensor_shape),
      elements(element_count(tensor_shape) * strew_dtype_size(tensor_dtype))
{
}

strew_tensor Tensor::view() const
{
    return {elements.data(), dtype, static_cast<int32_t>(shape.size()), shape.data(), nullptr};
}

Operands::Operands(const Workload &workload)
    : workload_(workload), positions_(draw_positions(workload)), data_(workload.dtype, workload.layout.data),
      indices_(workload.index_dtype, workload.layout.indices), moved_(workload.dtype, moved_shape(workload))
{
    fill_data(workload, data_.elements.data());
    fill_updates(workload, moved_.elements.data());
    fill_indices(workload, positions_, indices_.elements.data());
    if (addresses_elements(workload))
        add_lanes(workload.layout, positions_);
    else
        add_batches(workload.layout, element_count(addressed_dimensions(workload)), positions_);
    if (copies_data(workload))
        copy_.emplace(workload.dtype, workload.layout.data);
}

const Tensor &Operands::output() const
{
    if (is_gather(workload_))
        return moved_;
    return copy_ ? *copy_ : data_;
}

strew_status Operands::plan(strew_plan &plan, const strew_plan_options &options) const
{
    const strew_tensor data = data_.view(), indices = indices_.view(), updates = moved_.view();
    const strew_tensor target = output().view();
    const Layout &layout = workload_.layout;

    switch (workload_.kind) {
    case STREW_KIND_GATHER_ND:
        return strew_plan_gather_nd(&plan, &data, &indices, layout.batch_dims, &target, &options);
    case STREW_KIND_GATHER_ELEMENTS:
        return strew_plan_gather_elements(&plan, &data, &indices, layout.axis, &target, &options);
    case STREW_KIND_SCATTER_ND:
        return strew_plan_scatter_nd(&plan, &data, &indices, &updates, workload_.reduction, &target, &options);
    case STREW_KIND_SCATTER_ELEMENTS:
        return strew_plan_scatter_elements(&plan, &data, &indices, &updates, layout.axis, workload_.reduction, true,
                                           &target, &options);
    }
    return STREW_STATUS_INVALID_ARGUMENT;
}

strew_status Operands::call(const strew_options &options) const
{
    const strew_tensor data = data_.view(), indices = indices_.view(), updates = moved_.view();
    const strew_tensor target = output().view();
    const Layout &layout = workload_.layout;

    switch (workload_.kind) {
    case STREW_KIND_GATHER_ND: return strew_gather_nd(&data, &indices, layout.batch_dims, &target, &options);
    case STREW_KIND_GATHER_ELEMENTS: return strew_gather_elements(&data, &indices, layout.axis, &target, &options);
    case STREW_KIND_SCATTER_ND:
        return strew_scatter_nd(&data, &indices, &updates, workload_.reduction, &target, &options);
    case STREW_KIND_SCATTER_ELEMENTS:
        return strew_scatter_elements(&data, &indices, &updates, layout.axis, workload_.reduction, true, &target,
                                      &options);
    }
    return STREW_STATUS_INVALID_ARGUMENT;
}

strew_buffers Operands::buffers() const
{
    const void *updates = is_gather(workload_) ? nullptr : moved_.elements.data();
    return {data_.elements.data(), indices_.elements.data(), updates, output().elements.data()};
}

const Positions &Operands::positions() const
{
    return positions_;
}

} // namespace bench
