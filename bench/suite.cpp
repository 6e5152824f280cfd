/* The numbers of threads for this machine. */
#include "suite.h"

#include <benchmark/benchmark.h>

namespace bench
{

std::vector<size_t> thread_counts(const Suite &suite)
{
    const size_t most = suite.full ? static_cast<size_t>(benchmark::CPUInfo::Get().num_cpus) : 1;
    std::vector<size_t> counts;
    for (size_t count = 1; count < most; count *= 2)
        counts.push_back(count);
    counts.push_back(most);
    return counts;
}

} // namespace bench
