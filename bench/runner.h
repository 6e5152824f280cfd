/* Registers the rows with Google Benchmark and runs them. */
#ifndef STREW_BENCH_RUNNER_H
#define STREW_BENCH_RUNNER_H

#include <map>
#include <memory>
#include <set>

#include <benchmark/benchmark.h>

#include "noise.h"
#include "progress.h"
#include "workloads.h"
#include "yardsticks.h"

namespace bench
{

class Runner
{
  public:
    Runner(const Suite &suite, Progress &progress);

    /*
     * Copies of several sizes, then the workloads: one row for each instruction set and number of threads. Before
     * them the same moves without the library, if they do not combine anything.
     */
    void register_rows();

    /* The number of rows that Google Benchmark's filter selects. */
    size_t count_rows(const std::string &filter) const;

    /* Call this after the rows have run: it measures the noise for the last time. Empty if there is little. */
    std::string noise_warning();

    /* Whether any row that ran was refused by the library. */
    bool failed() const;

  private:
    using Body = std::function<void(benchmark::State &)>;

    /* The work of one iteration of a row, and the times of the yardsticks for it. */
    struct Work {
        size_t traffic;
        size_t items;
        double memcpy_seconds;
        double limit_seconds;
    };

    void register_row(const std::string &name, size_t threads, const Body &body);
    void register_copies(size_t threads);
    void register_workload(const Workload &workload, size_t threads);

    void run_copy(benchmark::State &state, const Copy &copy, size_t bytes, size_t threads);
    void run_moves(benchmark::State &state, const Workload &workload, size_t threads);
    void run_workload(benchmark::State &state, const Workload &workload, strew_isa isa, size_t threads);

    Work work_of(const Workload &workload, const Operands &operands, const Team &team);
    static void report(benchmark::State &state, const Work &work);

    void enter_family(const std::string &family);
    const Operands &operands_of(const Workload &workload);
    const Team &team_of(size_t threads);
    void fail(benchmark::State &state, const strew_error &error);

    Progress &progress_;
    std::vector<size_t> thread_counts_;
    std::vector<Workload> workloads_;
    std::set<std::string> names_;
    std::map<size_t, Team> teams_;
    Yardsticks yardsticks_;
    NoiseMeter noise_;
    std::string family_;
    const Workload *prepared_ = nullptr;
    std::unique_ptr<Operands> operands_;
    bool failed_ = false;
};

} // namespace bench

#endif
