/* Google Benchmark's JSON, with the names that this program gave the rows. */
#ifndef STREW_BENCH_JSON_REPORTER_H
#define STREW_BENCH_JSON_REPORTER_H

#include <string>
#include <vector>

#include <benchmark/benchmark.h>

namespace bench
{

/* Google Benchmark adds "/real_time" to rows that it times so. Here that follows from the number of threads. */
benchmark::BenchmarkReporter::Run with_clean_name(benchmark::BenchmarkReporter::Run run);

class JsonReporter : public benchmark::JSONReporter
{
  public:
    void ReportRuns(const std::vector<Run> &runs) override;
};

} // namespace bench

#endif
