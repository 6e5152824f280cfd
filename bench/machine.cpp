/* Describes the CPU, the build and the memory settings. */
#include "machine.h"

#include <fstream>

#include <benchmark/benchmark.h>
#include <strew/strew.h>

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

std::string size_name(int bytes)
{
    const int kibibytes = bytes / 1024;
    if (kibibytes >= 1024 && kibibytes % 1024 == 0)
        return std::to_string(kibibytes / 1024) + " MiB";
    return std::to_string(kibibytes) + " KiB";
}

std::string caches()
{
    std::string names;
    for (const benchmark::CPUInfo::CacheInfo &cache : benchmark::CPUInfo::Get().caches)
        if (cache.type != "Instruction")
            names += (names.empty() ? "L" : ", L") + std::to_string(cache.level) + " " + size_name(cache.size);
    return names.empty() ? "unknown" : names;
}

/* Linux lists the choices and brackets the one in force: "always [madvise] never". */
std::string transparent_huge_pages()
{
    std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
    std::string choices;
    std::getline(file, choices);
    const size_t open = choices.find('['), close = choices.find(']');
    return close == std::string::npos ? "unknown" : choices.substr(open + 1, close - open - 1);
}

std::string threads()
{
    return "1 of " + std::to_string(benchmark::CPUInfo::Get().num_cpus) + " CPUs";
}

} // namespace

std::vector<Fact> describe_machine()
{
    return {
        {"strew", strew_version()},
        {"cpu", cpu()},
        {"compiler", STREW_BENCH_COMPILER ", build type " STREW_BENCH_BUILD_TYPE},
        {"active_isa", strew_isa_name(strew_isa_active())},
        {"data_caches", caches()},
        {"transparent_huge_pages", transparent_huge_pages()},
        {"threads", threads()},
    };
}

} // namespace bench
