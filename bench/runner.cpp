/* Times workloads, their moves, and copies, by one function each. */
#include "runner.h"

#include <algorithm>
#include <regex>

#include <strew/inspect.h>

#include "moves.h"

namespace bench
{
namespace
{

/* The sizes of the copies: a first-level cache, a second-level one, larger ones, and memory. */
constexpr size_t copy_sizes[] = {size_t{16} << 10, size_t{256} << 10, size_t{4} << 20, size_t{64} << 20,
                                 size_t{256} << 20};

std::vector<strew_isa> native_isas()
{
    std::vector<strew_isa> isas;
    for (int isa = STREW_ISA_BEST + 1; isa < STREW_ISA_COUNT; ++isa)
        if (strew_isa_get_state(static_cast<strew_isa>(isa)) == STREW_ISA_STATE_NATIVE)
            isas.push_back(static_cast<strew_isa>(isa));
    return isas;
}

/* Runs until Google Benchmark has seen enough. The first run, which is not timed, also fills the caches. */
template <typename Function> bool repeat(benchmark::State &state, const Function &run)
{
    if (run() != STREW_STATUS_OK)
        return false;
    for (auto _ : state)
        if (run() != STREW_STATUS_OK)
            return false;
    return true;
}

/* Inspects the plan's indices, and turns the plan and the buffers into those for the inspected indices in the
 * storage. */
strew_status inspect(strew_plan &plan, strew_buffers &buffers, const Operands &operands,
                     const AlignedBuffer &storage, strew_error &error)
{
    const strew_run_options options = {sizeof options, nullptr, nullptr, 0, &error, nullptr};
    strew_plan inspected;
    const strew_status status =
        strew_plan_inspect(&inspected, &plan, &buffers, storage.data(), storage.size(), &options);
    plan = inspected;
    buffers = operands.inspected_buffers(storage.data());
    return status;
}

} // namespace

Runner::Runner(const Suite &suite, Progress &progress)
    : progress_(progress), thread_counts_(thread_counts(suite)), workloads_(workloads(suite)),
      noise_(thread_counts_.back())
{
}

void Runner::register_rows()
{
    for (size_t threads : thread_counts_)
        register_copies(threads);
    for (const Workload &workload : workloads_)
        for (size_t threads : thread_counts_)
            if (threads == 1 || workload.threads == Threads::any)
                register_workload(workload, threads);
}

/* Lines of the table may overlap: the full ones contain the quick ones. */
void Runner::register_row(const std::string &name, size_t threads, const Body &body)
{
    if (!names_.insert(name).second)
        return;
    auto *row = benchmark::RegisterBenchmark(name.c_str(), [this, name, body](benchmark::State &state) {
        progress_.begin(name);
        body(state);
    });
    if (threads > 1)
        row->UseRealTime();
}

/*
 * A filter is a regular expression that a part of the name matches; after a minus sign, one that no part matches.
 * Google Benchmark reports one that is wrong.
 */
size_t Runner::count_rows(const std::string &filter) const
try {
    const bool excludes = !filter.empty() && filter.front() == '-';
    const bool all = filter.empty() || filter == "all";
    const std::regex pattern(all ? "." : filter.substr(excludes ? 1 : 0), std::regex::extended);
    const auto runs = [&](const std::string &name) { return std::regex_search(name, pattern) != excludes; };
    return static_cast<size_t>(std::count_if(names_.begin(), names_.end(), runs));
} catch (const std::regex_error &) {
    return 0;
}

void Runner::register_copies(size_t threads)
{
    for (size_t bytes : copy_sizes)
        for (const Copy &copy : copies())
            register_row(std::string("limit/") + copy.name + "/" + std::to_string(bytes) +
                             "/threads:" + std::to_string(threads),
                         threads, [=, &copy](benchmark::State &state) { run_copy(state, copy, bytes, threads); });
}

void Runner::register_workload(const Workload &workload, size_t threads)
{
    const bool refuses = workload.bounds == STREW_BOUNDS_REFUSE;
    const Call &call = workload.call;
    const bool is_plain = call.planned && call.full_scratch && !call.inspected && refuses;
    if (workload.reduction == STREW_REDUCTION_NONE && !copies_data(workload) && is_plain)
        register_row("limit/" + row_name(workload, "moves", threads), threads,
                     [=, &workload](benchmark::State &state) { run_moves(state, workload, threads); });
    for (strew_isa isa : native_isas())
        register_row(row_name(workload, strew_isa_name(isa), threads), threads,
                     [=, &workload](benchmark::State &state) { run_workload(state, workload, isa, threads); });
}

std::string Runner::noise_warning()
{
    if (!family_.empty())
        noise_.sample();
    return noise_.warning();
}

bool Runner::failed() const
{
    return failed_;
}

/*
 * Reports bytes and items per second, and the ratios: 1 is as fast as the yardstick, 0.5 takes twice as long.
 * Google Benchmark divides all of them by the CPU time of this thread if it does all the work (which leaves other
 * programs out), and by the wall-clock time if there are more threads.
 */
void Runner::report(benchmark::State &state, const Work &work)
{
    const double iterations = static_cast<double>(state.iterations());
    const auto ratio = [iterations](double seconds) {
        return benchmark::Counter(seconds * iterations, benchmark::Counter::kIsRate);
    };
    state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(work.traffic));
    state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(work.items));
    state.counters["memcpy_ratio"] = ratio(work.memcpy_seconds);
    state.counters["limit_ratio"] = ratio(work.limit_seconds);
}

Runner::Work Runner::work_of(const Workload &workload, const Operands &operands, const Team &team)
{
    return {traffic_bytes(workload), item_count(workload),
            yardsticks_.memcpy_seconds(payload_bytes(workload), team),
            yardsticks_.limit_seconds(workload, operands, team)};
}

void Runner::run_workload(benchmark::State &state, const Workload &workload, strew_isa isa, size_t threads)
{
    enter_family(workload.family);
    const Operands &operands = operands_of(workload);
    const Team &team = team_of(threads);
    const Work work = work_of(workload, operands, team);
    strew_error error = {};
    const strew_plan_options planning = {sizeof planning, isa, 0, threads, &error, workload.bounds, 0};
    strew_plan plan;

    if (operands.plan(plan, planning) != STREW_STATUS_OK)
        return fail(state, error);

    strew_buffers buffers = operands.buffers();
    const AlignedBuffer storage(workload.call.inspected ? strew_plan_inspection_size(&plan) : 0);
    if (workload.call.inspected && inspect(plan, buffers, operands, storage, error) != STREW_STATUS_OK)
        return fail(state, error);

    const auto scratch_size = workload.call.full_scratch ? strew_plan_scratch_size : strew_plan_least_scratch_size;
    const AlignedBuffer scratch(scratch_size(&plan, threads));
    const strew_run_options running = {sizeof running, team.parallel(), scratch.data(),
                                       scratch.size(), &error,          nullptr};
    const strew_options options = {
        sizeof options,  isa, 0,      team.parallel(), scratch.data(), scratch.size(), &error,
        workload.bounds, 0,   nullptr};
    const bool done = workload.call.planned
                          ? repeat(state, [&] { return strew_plan_run(&plan, &buffers, &running); })
                          : repeat(state, [&] { return operands.call(options); });
    if (!done)
        return fail(state, error);
    report(state, work);
}

void Runner::run_moves(benchmark::State &state, const Workload &workload, size_t threads)
{
    enter_family(workload.family);
    const Operands &operands = operands_of(workload);
    const Team &team = team_of(threads);
    const Work work = work_of(workload, operands, team);
    const ItemMoves moves(workload, operands);

    for (auto _ : state) {
        moves.run(team);
        benchmark::ClobberMemory();
    }
    report(state, work);
}

void Runner::run_copy(benchmark::State &state, const Copy &copy, size_t bytes, size_t threads)
{
    enter_family("limit");
    const Team &team = team_of(threads);
    const Work work = {2 * bytes, 1, yardsticks_.memcpy_seconds(bytes, team),
                       yardsticks_.fastest_copy_seconds(bytes, team)};
    const AlignedBuffer source(bytes), target(bytes);

    for (auto _ : state) {
        copy_shared(copy, team, target.data(), source.data(), bytes);
        benchmark::ClobberMemory();
    }
    report(state, work);
}

/* The noise is measured whenever the family changes: at the start and several times after it. */
void Runner::enter_family(const std::string &family)
{
    if (family_ == family)
        return;
    family_ = family;
    noise_.sample();
}

/* Google Benchmark calls a row several times, and the next one has the same tensors on other kernels. */
const Operands &Runner::operands_of(const Workload &workload)
{
    if (prepared_ != &workload) {
        operands_.reset(); /* first: two of the largest need not fit in memory together */
        operands_ = std::make_unique<Operands>(workload);
        prepared_ = &workload;
    }
    return *operands_;
}

const Team &Runner::team_of(size_t threads)
{
    return teams_.try_emplace(threads, threads).first->second;
}

void Runner::fail(benchmark::State &state, const strew_error &error)
{
    char message[256];
    strew_error_message(&error, message, sizeof message);
    state.SkipWithError(message);
    failed_ = true;
}

} // namespace bench
