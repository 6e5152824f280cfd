/*
 * strew-bench: how fast the operators are, beside memcpy and beside the limit.
 *
 *   strew-bench                             the quick run, about two minutes
 *   strew-bench --suite=full                everything, on one and on more threads
 *   strew-bench --suite=full --full-size    the same, with the largest workload in its published size
 *
 * It also takes the options of Google Benchmark:
 *
 *   strew-bench --benchmark_filter=reduction/.*f32
 *   strew-bench --benchmark_out=results.json
 *   strew-bench --benchmark_format=json
 */
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <vector>

#include <benchmark/benchmark.h>

#include "json_reporter.h"
#include "machine.h"
#include "progress.h"
#include "runner.h"
#include "table_reporter.h"

namespace
{

using Arguments = std::vector<char *>;

bool take(Arguments &arguments, const char *option)
{
    const auto found = std::find_if(arguments.begin(), arguments.end(),
                                    [option](const char *argument) { return std::strcmp(argument, option) == 0; });
    if (found == arguments.end())
        return false;
    arguments.erase(found);
    return true;
}

bool has_prefix(const Arguments &arguments, const char *prefix)
{
    return std::any_of(arguments.begin(), arguments.end(), [prefix](const char *argument) {
        return std::strncmp(argument, prefix, std::strlen(prefix)) == 0;
    });
}

bench::Suite take_suite(Arguments &arguments)
{
    bench::Suite suite;
    suite.full = take(arguments, "--suite=full");
    suite.full_size = take(arguments, "--full-size");
    return suite;
}

/*
 * With this much time per row the quick run takes about two minutes. The user's own options come later and win.
 * Google Benchmark would rank its environment variable below them, so it is read here.
 */
void add_default_time(Arguments &arguments)
{
    static char time[] = "--benchmark_min_time=0.1";
    if (std::getenv("BENCHMARK_MIN_TIME") == nullptr)
        arguments.insert(arguments.begin() + 1, time);
}

/* Google Benchmark reveals the format only by the reporter that it would use: the table replaces the console's. */
std::unique_ptr<benchmark::BenchmarkReporter> display_reporter(const std::vector<bench::Fact> &machine,
                                                               const bench::Progress &progress)
{
    using benchmark::BenchmarkReporter;
    std::unique_ptr<BenchmarkReporter> chosen(benchmark::CreateDefaultDisplayReporter());
    if (dynamic_cast<benchmark::ConsoleReporter *>(chosen.get()) != nullptr)
        return std::make_unique<bench::TableReporter>(machine, progress);
    if (dynamic_cast<benchmark::JSONReporter *>(chosen.get()) != nullptr)
        return std::make_unique<bench::JsonReporter>();
    return chosen;
}

} // namespace

int main(int argc, char **argv)
{
    Arguments arguments(argv, argv + argc);
    const bench::Suite suite = take_suite(arguments);
    const bool writes_file = has_prefix(arguments, "--benchmark_out=") || std::getenv("BENCHMARK_OUT") != nullptr;
    add_default_time(arguments);

    int argument_count = static_cast<int>(arguments.size());
    benchmark::Initialize(&argument_count, arguments.data());
    if (benchmark::ReportUnrecognizedArguments(argument_count, arguments.data()))
        return EXIT_FAILURE;

    const std::vector<bench::Fact> machine = bench::describe_machine(suite);
    for (const bench::Fact &fact : machine)
        benchmark::AddCustomContext(fact.name, fact.value);

    bench::Progress progress(bench::is_terminal() ? &std::cerr : nullptr);
    bench::Runner runner(suite, progress);
    runner.register_rows();
    progress.expect(runner.count_rows(benchmark::GetBenchmarkFilter()));
    const std::unique_ptr<benchmark::BenchmarkReporter> display = display_reporter(machine, progress);
    bench::JsonReporter file;
    benchmark::RunSpecifiedBenchmarks(display.get(), writes_file ? &file : nullptr);
    progress.clear();
    benchmark::Shutdown();

    const std::string noise = runner.noise_warning();
    if (!noise.empty())
        std::cerr << "warning: " << noise << std::endl;
    return runner.failed() ? EXIT_FAILURE : EXIT_SUCCESS;
}
