/* Prints the rows as a table, one line each, as they finish. */
#ifndef STREW_BENCH_TABLE_REPORTER_H
#define STREW_BENCH_TABLE_REPORTER_H

#include <benchmark/benchmark.h>

#include "machine.h"
#include "progress.h"

namespace bench
{

class TableReporter : public benchmark::BenchmarkReporter
{
  public:
    TableReporter(std::vector<Fact> machine, const Progress &progress);

    bool ReportContext(const Context &context) override;
    void ReportRuns(const std::vector<Run> &runs) override;

  private:
    void print_cells(const std::string &name, const std::vector<std::string> &cells);

    std::vector<Fact> machine_;
    const Progress &progress_;
    size_t name_width_ = 0;
};

} // namespace bench

#endif
