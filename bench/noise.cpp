/* The samples and their spread. */
#include "noise.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

#include "aligned_buffer.h"
#include "copies.h"
#include "stopwatch.h"

namespace bench
{
namespace
{

/* Larger than most caches: a neighbour shows in the memory and in the shared cache before it shows elsewhere. */
constexpr size_t sample_size = size_t{64} << 20;
constexpr double tolerated_spread = 0.05;

} // namespace

NoiseMeter::NoiseMeter(size_t threads) : team_(threads)
{
}

void NoiseMeter::sample()
{
    const AlignedBuffer source(sample_size), target(sample_size);
    seconds_.push_back(median_seconds(
        team_, [&] { copy_shared(copies().front(), team_, target.data(), source.data(), sample_size); }));
}

std::string NoiseMeter::warning() const
{
    if (seconds_.empty())
        return "";
    const auto [least, most] = std::minmax_element(seconds_.begin(), seconds_.end());
    const double spread = *most / *least - 1;
    if (spread <= tolerated_spread)
        return "";

    std::ostringstream text;
    text << std::fixed << std::setprecision(1) << "this machine is noisy: " << seconds_.size()
         << " measurements of one memcpy of 64 MiB took from " << *least * 1e3 << " to " << *most * 1e3
         << " ms, a difference of " << std::setprecision(0) << spread * 100 << " %";
    return text.str();
}

} // namespace bench
