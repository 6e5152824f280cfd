/*
 * strew-bench: how fast the operators are, beside memcpy. Takes the options of Google Benchmark:
 *
 *   strew-bench --benchmark_filter=reduction/.*f32
 *   strew-bench --benchmark_out=results.json
 *   strew-bench --benchmark_format=json
 */
#include <cstdlib>
#include <vector>

#include <benchmark/benchmark.h>

#include "machine.h"
#include "runner.h"
#include "table_reporter.h"

namespace
{

/*
 * With this much time per row the whole table takes about two minutes. The user's own options come
 * after it and win; the environment variable, which Google Benchmark reads too, would lose and is looked at here.
 */
std::vector<char *> with_default_options(int argc, char **argv)
{
    static char min_time[] = "--benchmark_min_time=0.2";
    std::vector<char *> arguments(argv, argv + argc);
    if (std::getenv("BENCHMARK_MIN_TIME") == nullptr)
        arguments.insert(arguments.begin() + 1, min_time);
    return arguments;
}

/* Google Benchmark tells the format only by the reporter it would use: the table takes the console's place. */
bool console_format_chosen()
{
    return dynamic_cast<benchmark::ConsoleReporter *>(benchmark::CreateDefaultDisplayReporter()) != nullptr;
}

} // namespace

int main(int argc, char **argv)
{
    std::vector<char *> arguments = with_default_options(argc, argv);
    int argument_count = static_cast<int>(arguments.size());
    benchmark::Initialize(&argument_count, arguments.data());
    if (benchmark::ReportUnrecognizedArguments(argument_count, arguments.data()))
        return EXIT_FAILURE;

    const std::vector<bench::Fact> machine = bench::describe_machine();
    for (const bench::Fact &fact : machine)
        benchmark::AddCustomContext(fact.name, fact.value);

    bench::Runner runner;
    runner.register_rows();
    bench::TableReporter table(machine);
    benchmark::RunSpecifiedBenchmarks(console_format_chosen() ? &table : nullptr);
    benchmark::Shutdown();
    return runner.failed() ? EXIT_FAILURE : EXIT_SUCCESS;
}
