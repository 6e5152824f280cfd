/* Allocation and contents of the tensors, and the plan over them. */
#include "operands.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <random>

namespace bench
{
namespace
{

constexpr std::align_val_t page_size{4096};
constexpr uint64_t seed = 20240229;

/* The elements whose bits are first, first + 1, ... first + count - 1. */
struct ElementRange {
    uint64_t first;
    uint64_t count;
};

/*
 * Floats in [1, 2), integers in [1, 64]. Rows in place run on their own results thousands of times over. From
 * these values a float sum grows only until an update is less than half of its last place, so that neither it
 * nor any other reduction but prod can reach an infinity or a denormal, which would time something else.
 */
ElementRange values_near_one(strew_dtype dtype)
{
    switch (dtype) {
    case STREW_FLOAT16: return {0x3C00, uint64_t{1} << 10};
    case STREW_BFLOAT16: return {0x3F80, uint64_t{1} << 7};
    case STREW_FLOAT32: return {0x3F800000, uint64_t{1} << 23};
    case STREW_FLOAT64: return {0x3FF0000000000000, uint64_t{1} << 52};
    default: return {1, 64};
    }
}

/* The updates of prod are exactly 1: any other factor, applied thousands of times, leaves the finite range. */
ElementRange update_values(const Workload &workload)
{
    ElementRange values = values_near_one(workload.dtype);
    if (workload.reduction == STREW_PROD)
        values.count = 1;
    return values;
}

/* Only the first 64 Ki elements are drawn, the others repeat them: tensors here have up to 38 million. */
template <typename Bits> void fill_bits(Tensor &tensor, ElementRange range)
{
    const size_t count = element_count(tensor.shape);
    const size_t drawn = std::min(count, size_t{1} << 16);
    Bits *elements = static_cast<Bits *>(tensor.elements.data());
    std::mt19937_64 random(seed);

    for (size_t i = 0; i < drawn; ++i)
        elements[i] = static_cast<Bits>(range.first + random() % range.count);
    for (size_t i = drawn; i < count; ++i)
        elements[i] = elements[i - drawn];
}

void fill(Tensor &tensor, ElementRange range)
{
    switch (strew_dtype_size(tensor.dtype)) {
    case 1: return fill_bits<uint8_t>(tensor, range);
    case 2: return fill_bits<uint16_t>(tensor, range);
    case 4: return fill_bits<uint32_t>(tensor, range);
    case 8: return fill_bits<uint64_t>(tensor, range);
    }
}

/* The dimensions of data that the entries of `indices` address, in turn. */
Shape addressed_dimensions(const Workload &workload)
{
    if (addresses_elements(workload))
        return {workload.data[static_cast<size_t>(workload.axis)]};
    const auto first = workload.data.begin() + workload.batch_dims;
    return Shape(first, first + workload.indices.back());
}

void fill_indices(Tensor &indices, const Shape &dimensions)
{
    int64_t *entries = static_cast<int64_t *>(indices.elements.data());
    std::mt19937_64 random(seed);

    for (size_t i = 0; i < element_count(indices.shape); ++i) {
        const uint64_t dimension = static_cast<uint64_t>(dimensions[i % dimensions.size()]);
        entries[i] = static_cast<int64_t>(random() % dimension);
    }
}

} // namespace

AlignedBuffer::AlignedBuffer(size_t size) : size_(size), bytes_(::operator new(size, page_size))
{
    std::memset(bytes_.get(), 0, size);
}

void AlignedBuffer::Release::operator()(void *bytes) const
{
    ::operator delete(bytes, page_size);
}

void *AlignedBuffer::data() const
{
    return bytes_.get();
}

size_t AlignedBuffer::size() const
{
    return size_;
}

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
    : workload_(workload), data_(workload.dtype, workload.data), indices_(STREW_INT64, workload.indices),
      moved_(workload.dtype, moved_shape(workload))
{
    fill(data_, values_near_one(workload.dtype));
    fill(moved_, update_values(workload));
    fill_indices(indices_, addressed_dimensions(workload));
    if (!is_gather(workload) && workload.output == Output::separate)
        copy_.emplace(workload.dtype, workload.data);
}

const Tensor &Operands::output() const
{
    if (is_gather(workload_))
        return moved_;
    return copy_ ? *copy_ : data_;
}

strew_status Operands::plan(strew_plan &plan, const strew_options &options) const
{
    const strew_tensor data = data_.view(), indices = indices_.view(), updates = moved_.view();
    const strew_tensor target = output().view();

    switch (workload_.kind) {
    case STREW_GATHER_ND:
        return strew_plan_gather_nd(&plan, &data, &indices, workload_.batch_dims, &target, &options);
    case STREW_GATHER_ELEMENTS:
        return strew_plan_gather_elements(&plan, &data, &indices, workload_.axis, &target, &options);
    case STREW_SCATTER_ND:
        return strew_plan_scatter_nd(&plan, &data, &indices, &updates, workload_.reduction, &target, &options);
    case STREW_SCATTER_ELEMENTS:
        return strew_plan_scatter_elements(&plan, &data, &indices, &updates, workload_.axis, workload_.reduction,
                                           true, &target, &options);
    }
    return STREW_INVALID_ARGUMENT;
}

strew_buffers Operands::buffers() const
{
    const void *updates = is_gather(workload_) ? nullptr : moved_.elements.data();
    return {data_.elements.data(), indices_.elements.data(), updates, output().elements.data()};
}

} // namespace bench
