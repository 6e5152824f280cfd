/* Random elements near one. */
#include "values.h"

#include <algorithm>
#include <random>

namespace bench
{
namespace
{

constexpr uint64_t seed = 20240229;

/* The bits of numbers in turn: first, first + 1, ... first + count - 1, in so many bytes each. */
struct Numbers {
    size_t bytes;
    uint64_t first;
    uint64_t count;
};

/* Floats in [1, 2), integers in [1, 64]; a complex element is two numbers, a string two as well. */
Numbers numbers_near_one(strew_dtype dtype)
{
    switch (dtype) {
    case STREW_DTYPE_FLOAT16: return {2, 0x3C00, uint64_t{1} << 10};
    case STREW_DTYPE_BFLOAT16: return {2, 0x3F80, uint64_t{1} << 7};
    case STREW_DTYPE_FLOAT32:
    case STREW_DTYPE_COMPLEX64: return {4, 0x3F800000, uint64_t{1} << 23};
    case STREW_DTYPE_FLOAT64:
    case STREW_DTYPE_COMPLEX128: return {8, 0x3FF0000000000000, uint64_t{1} << 52};
    default: return {std::min<size_t>(8, strew_dtype_size(dtype)), 1, 64};
    }
}

/* Only the first 64 Ki numbers are drawn, the others repeat them: tensors here have up to 128 million. */
template <typename Bits> void fill_bits(char *elements, size_t bytes, const Numbers &numbers)
{
    const size_t count = bytes / sizeof(Bits);
    const size_t drawn = std::min(count, size_t{1} << 16);
    Bits *bits = reinterpret_cast<Bits *>(elements);
    std::mt19937_64 random(seed);

    for (size_t i = 0; i < drawn; ++i)
        bits[i] = static_cast<Bits>(numbers.first + random() % numbers.count);
    for (size_t i = drawn; i < count; ++i)
        bits[i] = bits[i - drawn];
}

void fill(char *elements, size_t bytes, const Numbers &numbers)
{
    switch (numbers.bytes) {
    case 1: return fill_bits<uint8_t>(elements, bytes, numbers);
    case 2: return fill_bits<uint16_t>(elements, bytes, numbers);
    case 4: return fill_bits<uint32_t>(elements, bytes, numbers);
    case 8: return fill_bits<uint64_t>(elements, bytes, numbers);
    }
}

bool is_complex(strew_dtype dtype)
{
    return dtype == STREW_DTYPE_COMPLEX64 || dtype == STREW_DTYPE_COMPLEX128;
}

void clear_imaginary_parts(char *elements, size_t bytes, size_t part)
{
    for (size_t i = part; i < bytes; i += 2 * part)
        std::fill_n(elements + i, part, '\0');
}

} // namespace

void fill_data(const Workload &workload, char *elements)
{
    fill(elements, data_bytes(workload), numbers_near_one(workload.dtype));
}

void fill_weights(const Workload &workload, char *elements)
{
    fill(elements, element_count(workload.layout.indices) * strew_dtype_size(workload.dtype),
         numbers_near_one(workload.dtype));
}

/* The updates of prod are exactly 1: any other factor, applied thousands of times, leaves the finite range. */
void fill_updates(const Workload &workload, char *elements)
{
    const size_t bytes = element_count(moved_shape(workload)) * strew_dtype_size(workload.dtype);
    Numbers numbers = numbers_near_one(workload.dtype);
    if (workload.reduction == STREW_REDUCTION_PROD)
        numbers.count = 1;
    fill(elements, bytes, numbers);
    if (workload.reduction == STREW_REDUCTION_PROD && is_complex(workload.dtype))
        clear_imaginary_parts(elements, bytes, numbers.bytes);
}

} // namespace bench
