/* The layout of the table. */
#include "table_reporter.h"

#include <iomanip>
#include <sstream>
#include <utility>

#include "json_reporter.h"

namespace bench
{
namespace
{

using Run = benchmark::BenchmarkReporter::Run;

constexpr int fact_width = 24;
constexpr int cell_width = 13;

std::string fixed(double value, int decimals, const char *unit)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(decimals) << value << unit;
    return text.str();
}

std::string time_name(double seconds)
{
    if (seconds < 1e-6)
        return fixed(seconds * 1e9, 2, " ns");
    if (seconds < 1e-3)
        return fixed(seconds * 1e6, 2, " us");
    if (seconds < 1)
        return fixed(seconds * 1e3, 2, " ms");
    return fixed(seconds, 2, " s ");
}

/* Averages of repetitions may lack a counter, which leaves its cell empty. */
std::string counter(const Run &run, const char *name, double scale, int decimals, const char *unit)
{
    const auto found = run.counters.find(name);
    return found == run.counters.end() ? "" : fixed(found->second.value * scale, decimals, unit);
}

/* The time by the row's clock. */
double seconds(const Run &run)
{
    const bool real = !run.run_name.time_type.empty();
    return (real ? run.GetAdjustedRealTime() : run.GetAdjustedCPUTime()) /
           benchmark::GetTimeUnitMultiplier(run.time_unit);
}

/* The coefficient of variation, which --benchmark_repetitions adds, is a share of the value and has no unit. */
bool is_share(const Run &run)
{
    return run.run_type == Run::RT_Aggregate && run.aggregate_unit == benchmark::kPercentage;
}

std::vector<std::string> share_cells(const Run &run)
{
    return {
        fixed(run.cpu_accumulated_time * 100, 2, " %"), counter(run, "bytes_per_second", 100, 2, " %"),
        counter(run, "items_per_second", 100, 2, " %"), counter(run, "memcpy_ratio", 100, 2, " %"),
        counter(run, "limit_ratio", 100, 2, " %"),
    };
}

std::vector<std::string> value_cells(const Run &run)
{
    return {
        time_name(seconds(run)),
        counter(run, "bytes_per_second", 1e-9, 2, ""),
        counter(run, "items_per_second", 1e-6, 2, " M"),
        counter(run, "memcpy_ratio", 1, 3, ""),
        counter(run, "limit_ratio", 1, 3, ""),
    };
}

std::vector<std::string> cells(const Run &run)
{
    if (run.error_occurred)
        return {"ERROR: " + run.error_message};
    return is_share(run) ? share_cells(run) : value_cells(run);
}

} // namespace

TableReporter::TableReporter(std::vector<Fact> machine, const Progress &progress)
    : machine_(std::move(machine)), progress_(progress)
{
}

bool TableReporter::ReportContext(const Context &context)
{
    std::ostream &out = GetOutputStream();
    for (const Fact &fact : machine_)
        out << std::left << std::setw(fact_width) << fact.name << fact.value << "\n";
    out << "\n";

    name_width_ = context.name_field_width;
    print_cells("name", {"time", "GB/s", "items/s", "memcpy ratio", "limit ratio"});
    return true;
}

void TableReporter::ReportRuns(const std::vector<Run> &runs)
{
    progress_.clear();
    for (const Run &run : runs)
        print_cells(with_clean_name(run).benchmark_name(), cells(run));
}

void TableReporter::print_cells(const std::string &name, const std::vector<std::string> &cells)
{
    std::ostream &out = GetOutputStream();
    out << std::left << std::setw(static_cast<int>(name_width_)) << name << std::right;
    for (const std::string &cell : cells)
        out << " " << std::setw(cell_width) << cell;
    out << std::endl;
}

} // namespace bench
