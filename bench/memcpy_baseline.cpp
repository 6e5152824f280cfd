/* The memcpy measurement. */
#include "memcpy_baseline.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <ctime>

#include <benchmark/benchmark.h>

#include "operands.h"

namespace bench
{
namespace
{

/* A sample copies at least this much, so that reading the clock does not count even for sizes that fit in L1. */
constexpr size_t sample_bytes = size_t{64} << 20;
constexpr size_t sample_count = 51;

double sample(const AlignedBuffer &from, const AlignedBuffer &to)
{
    const size_t copies = std::max<size_t>(1, sample_bytes / from.size());

    const std::clock_t start = std::clock();
    for (size_t i = 0; i < copies; ++i) {
        std::memcpy(to.data(), from.data(), from.size());
        benchmark::ClobberMemory();
    }
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / static_cast<double>(copies);
}

double median_sample(size_t bytes)
{
    const AlignedBuffer from(bytes), to(bytes);
    std::array<double, sample_count> samples;

    std::generate(samples.begin(), samples.end(), [&] { return sample(from, to); });
    std::sort(samples.begin(), samples.end());
    return samples[sample_count / 2];
}

} // namespace

double MemcpyBaseline::seconds(size_t bytes)
{
    const auto known = seconds_by_size_.find(bytes);
    if (known != seconds_by_size_.end())
        return known->second;
    return seconds_by_size_[bytes] = median_sample(bytes);
}

} // namespace bench
