/* Registers the rows with Google Benchmark and runs them. */
#ifndef STREW_BENCH_RUNNER_H
#define STREW_BENCH_RUNNER_H

#include <memory>

#include <benchmark/benchmark.h>

#include "memcpy_baseline.h"
#include "operands.h"
#include "workloads.h"

namespace bench
{

class Runner
{
  public:
    /* One row for each workload and native instruction set, each payload's memcpy before the first that has it. */
    void register_rows();

    /* Whether any row that ran was refused by the library. */
    bool failed() const;

  private:
    void register_workload(const Workload &workload);
    void run_workload(benchmark::State &state, const Workload &workload, strew_isa isa);
    void run_memcpy(benchmark::State &state, size_t bytes);
    const Operands &operands_of(const Workload &workload);
    void fail(benchmark::State &state, const strew_error &error);

    std::vector<Workload> workloads_ = all_workloads();
    MemcpyBaseline memcpy_;
    const Workload *prepared_ = nullptr;
    std::unique_ptr<Operands> operands_;
    bool failed_ = false;
};

} // namespace bench

#endif
