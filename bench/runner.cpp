/* One function times any workload, another memcpy. */
#include "runner.h"

#include <cstring>
#include <set>

namespace bench
{
namespace
{

/*
 * Reports the bytes read and written per second, and memcpy_ratio: 1 is as fast as a memcpy of the payload, 0.5
 * takes twice as long. Google Benchmark divides both by the CPU time of this thread, on which all the work is
 * done: what other programs take from the machine meanwhile does not count.
 */
void report(benchmark::State &state, size_t traffic, double memcpy_seconds)
{
    const double iterations = static_cast<double>(state.iterations());
    state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(traffic));
    state.counters["memcpy_ratio"] = benchmark::Counter(memcpy_seconds * iterations, benchmark::Counter::kIsRate);
}

std::vector<strew_isa> native_isas()
{
    std::vector<strew_isa> isas;
    for (int isa = STREW_ISA_BEST + 1; isa < STREW_ISA_COUNT; ++isa)
        if (strew_isa_get_state(static_cast<strew_isa>(isa)) == STREW_ISA_NATIVE)
            isas.push_back(static_cast<strew_isa>(isa));
    return isas;
}

} // namespace

void Runner::register_rows()
{
    std::set<size_t> sizes;
    for (const Workload &workload : workloads_) {
        const size_t bytes = payload_bytes(workload);
        if (sizes.insert(bytes).second)
            benchmark::RegisterBenchmark(("memcpy/" + std::to_string(bytes)).c_str(),
                                         [this, bytes](benchmark::State &state) { run_memcpy(state, bytes); });
        register_workload(workload);
    }
}

void Runner::register_workload(const Workload &workload)
{
    for (strew_isa isa : native_isas())
        benchmark::RegisterBenchmark(
            row_name(workload, isa).c_str(),
            [this, &workload, isa](benchmark::State &state) { run_workload(state, workload, isa); });
}

bool Runner::failed() const
{
    return failed_;
}

void Runner::run_workload(benchmark::State &state, const Workload &workload, strew_isa isa)
{
    const double memcpy_seconds = memcpy_.seconds(payload_bytes(workload));
    const Operands &operands = operands_of(workload);
    const strew_buffers buffers = operands.buffers();
    strew_error error = {};
    strew_options options = STREW_OPTIONS_INIT;
    strew_plan plan;

    options.isa = isa;
    options.error = &error;
    if (operands.plan(plan, options) != STREW_OK)
        return fail(state, error);

    const AlignedBuffer scratch(strew_plan_scratch_size(&plan, options.parallel));
    options.scratch = scratch.data();
    options.scratch_size = scratch.size();
    if (strew_run(&plan, &buffers, &options) != STREW_OK) /* also brings what fits into the caches */
        return fail(state, error);

    for (auto _ : state)
        if (strew_run(&plan, &buffers, &options) != STREW_OK)
            return fail(state, error);

    report(state, traffic_bytes(workload), memcpy_seconds);
    state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(item_count(workload)));
}

void Runner::run_memcpy(benchmark::State &state, size_t bytes)
{
    const double memcpy_seconds = memcpy_.seconds(bytes);
    const AlignedBuffer from(bytes), to(bytes);

    for (auto _ : state) {
        std::memcpy(to.data(), from.data(), bytes);
        benchmark::ClobberMemory();
    }
    report(state, 2 * bytes, memcpy_seconds);
}

/* Google Benchmark calls a row several times, and the next one has the same tensors on another instruction set. */
const Operands &Runner::operands_of(const Workload &workload)
{
    if (prepared_ != &workload) {
        operands_.reset(); /* before, not after: two of the largest need not fit in memory together */
        operands_ = std::make_unique<Operands>(workload);
        prepared_ = &workload;
    }
    return *operands_;
}

void Runner::fail(benchmark::State &state, const strew_error &error)
{
    char message[256];
    strew_error_message(&error, message, sizeof message);
    state.SkipWithError(message);
    failed_ = true;
}

} // namespace bench
