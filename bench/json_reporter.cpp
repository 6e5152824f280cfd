/* Removes the type of time from the names of rows in the JSON. */
#include "json_reporter.h"

#include <algorithm>
#include <iterator>

namespace bench
{

using Run = benchmark::BenchmarkReporter::Run;

Run with_clean_name(Run run)
{
    run.run_name.time_type.clear();
    return run;
}

void JsonReporter::ReportRuns(const std::vector<Run> &runs)
{
    std::vector<Run> renamed;
    std::transform(runs.begin(), runs.end(), std::back_inserter(renamed), with_clean_name);
    JSONReporter::ReportRuns(renamed);
}

} // namespace bench
