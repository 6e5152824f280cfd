/* Describes the CPU, the build and the memory settings. */
#include "machine.h"

#include <fstream>
#include <sstream>

#include <benchmark/benchmark.h>
#include <strew/inspect.h>

#include "aligned_buffer.h"

namespace bench
{
namespace
{

std::string cpu()
{
    char description[256];
    strew_cpu_describe(description, sizeof description);
    return description;
}

std::string size_name(size_t bytes)
{
    const size_t kibibytes = bytes / 1024;
    if (kibibytes >= 1024 && kibibytes % 1024 == 0)
        return std::to_string(kibibytes / 1024) + " MiB";
    return std::to_string(kibibytes) + " KiB";
}

std::string caches()
{
    std::string names;
    for (const benchmark::CPUInfo::CacheInfo &cache : benchmark::CPUInfo::Get().caches)
        if (cache.type != "Instruction")
            names += (names.empty() ? "L" : ", L") + std::to_string(cache.level) + " " +
                     size_name(static_cast<size_t>(cache.size));
    return names.empty() ? "unknown" : names;
}

/* Linux lists the choices and brackets the one in force: "always [madvise] never". */
std::string transparent_huge_pages()
{
    std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
    std::string choices;
    std::getline(file, choices);
    const size_t open = choices.find('['), close = choices.find(']');
    const std::string setting = close == std::string::npos ? "unknown" : choices.substr(open + 1, close - open - 1);
    return setting + ", asked for by buffers of " + size_name(huge_page_size) + " and more";
}

std::string threads(const Suite &suite)
{
    std::string names;
    for (size_t count : thread_counts(suite))
        names += (names.empty() ? "" : ", ") + std::to_string(count);
    return names + " of " + std::to_string(benchmark::CPUInfo::Get().num_cpus) + " CPUs";
}

/* The number of programs that wanted a CPU in the last minute: others than this one disturb the figures. */
std::string load_average()
{
    const std::vector<double> &averages = benchmark::CPUInfo::Get().load_avg;
    if (averages.empty())
        return "unknown";
    std::ostringstream text;
    text << averages.front();
    return text.str();
}

std::string suite_name(const Suite &suite)
{
    return std::string(suite.full ? "full" : "quick") + (suite.full_size ? ", full size" : "");
}

} // namespace

std::vector<Fact> describe_machine(const Suite &suite)
{
    return {
        {"strew", strew_version()},
        {"cpu", cpu()},
        {"compiler", STREW_BENCH_COMPILER ", build type " STREW_BENCH_BUILD_TYPE},
        {"flags", STREW_BENCH_FLAGS},
        {"active_isa", strew_isa_name(strew_isa_active())},
        {"data_caches", caches()},
        {"transparent_huge_pages", transparent_huge_pages()},
        {"threads", threads(suite)},
        {"load_average", load_average()},
        {"suite", suite_name(suite)},
    };
}

} // namespace bench
