/* Random elements: floats near one and minus one, integers of the whole range. */
#include "values.h"

#include <algorithm>
#include <random>

namespace bench
{
namespace
{

constexpr uint64_t seed = 20240229;

/* The bits of numbers in turn: first, first + 1, ... first + count - 1, in so many bytes each, half of them with
 * the bits of `sign` as well. */
struct Numbers {
    size_t bytes;
    uint64_t first;
    uint64_t count;
    uint64_t sign;
};

/* Floats in [1, 2) and (-2, -1], integers of the whole range; a complex element is two numbers, a string two as
 * well. */
Numbers numbers_of(strew_dtype dtype)
{
    const size_t bytes = std::min<size_t>(8, strew_dtype_size(dtype));
    switch (dtype) {
    case STREW_DTYPE_FLOAT16: return {2, 0x3C00, uint64_t{1} << 10, 0x8000};
    case STREW_DTYPE_BFLOAT16: return {2, 0x3F80, uint64_t{1} << 7, 0x8000};
    case STREW_DTYPE_FLOAT32:
    case STREW_DTYPE_COMPLEX64: return {4, 0x3F800000, uint64_t{1} << 23, 0x80000000};
    case STREW_DTYPE_FLOAT64:
    case STREW_DTYPE_COMPLEX128: return {8, 0x3FF0000000000000, uint64_t{1} << 52, uint64_t{1} << 63};
    case STREW_DTYPE_BOOL:
    case STREW_DTYPE_STRING: return {bytes, 0, 2, 0};
    default: return {bytes, 0, UINT64_MAX >> (64 - 8 * bytes), 0};
    }
}

/* Only the first 64 Ki numbers are drawn and then repeated: tensors here have up to 128 million. */
template <typename Bits> void fill_bits(char *elements, size_t bytes, const Numbers &numbers)
{
    const size_t count = bytes / sizeof(Bits);
    const size_t drawn = std::min(count, size_t{1} << 16);
    Bits *bits = reinterpret_cast<Bits *>(elements);
    std::mt19937_64 random(seed);

    for (size_t i = 0; i < drawn; ++i)
        bits[i] = static_cast<Bits>((numbers.first + random() % numbers.count) ^ (random() % 2 * numbers.sign));
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
    fill(elements, data_bytes(workload), numbers_of(workload.dtype));
}

void fill_weights(const Workload &workload, char *elements)
{
    fill(elements, element_count(workload.layout.indices) * strew_dtype_size(workload.dtype),
         numbers_of(workload.dtype));
}

/* The updates of prod are exactly 1: any other factor, applied thousands of times, leaves the finite range. */
void fill_updates(const Workload &workload, char *elements)
{
    const size_t bytes = element_count(moved_shape(workload)) * strew_dtype_size(workload.dtype);
    Numbers numbers = numbers_of(workload.dtype);
    if (workload.reduction == STREW_REDUCTION_PROD)
        numbers = {numbers.bytes, numbers.sign ? numbers.first : 1, 1, 0};
    fill(elements, bytes, numbers);
    if (workload.reduction == STREW_REDUCTION_PROD && is_complex(workload.dtype))
        clear_imaginary_parts(elements, bytes, numbers.bytes);
}

} // namespace bench
