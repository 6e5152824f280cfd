/* Measures the yardsticks, and remembers them. */
#include "yardsticks.h"

#include <algorithm>

#include <benchmark/benchmark.h>

#include "moves.h"
#include "stopwatch.h"

namespace bench
{
namespace
{

/* Larger copies take as long per byte; their buffers would not fit in memory beside those of the row. */
constexpr size_t largest_copy = size_t{256} << 20;

double measure_copy(const Copy &copy, size_t bytes, const Team &team)
{
    const AlignedBuffer source(bytes), target(bytes);
    return median_seconds(team, [&] {
        copy_shared(copy, team, target.data(), source.data(), bytes);
        benchmark::ClobberMemory();
    });
}

double measure_moves(const Workload &workload, const Operands &operands, const Team &team)
{
    const ItemMoves moves(workload, operands);
    return median_seconds(team, [&] {
        moves.run(team);
        benchmark::ClobberMemory();
    });
}

/* Rows that differ in their family, reduction, kernels, type of index or policy make the same moves. */
std::string moves_name(Workload workload)
{
    const std::string moves = std::to_string(item_count(workload)) + "x" + std::to_string(item_bytes(workload));
    workload.family = "moves";
    workload.reduction = STREW_REDUCTION_NONE;
    workload.dtype = STREW_DTYPE_NONE;
    workload.index_dtype = STREW_DTYPE_INT64;
    workload.bounds = STREW_BOUNDS_REFUSE;
    workload.call.name.clear();
    return row_name(workload, moves, 1);
}

} // namespace

double Yardsticks::copy_seconds(const Copy &copy, size_t bytes, const Team &team)
{
    const size_t measured = std::min(bytes, largest_copy);
    const auto [entry, is_new] = seconds_.try_emplace({copy.name + std::to_string(measured), team.threads()});
    if (is_new)
        entry->second = measure_copy(copy, measured, team);
    return entry->second * static_cast<double>(bytes) / static_cast<double>(measured);
}

double Yardsticks::memcpy_seconds(size_t bytes, const Team &team)
{
    return copy_seconds(copies().front(), bytes, team);
}

double Yardsticks::fastest_copy_seconds(size_t bytes, const Team &team)
{
    double seconds = memcpy_seconds(bytes, team);
    for (const Copy &copy : copies())
        seconds = std::min(seconds, copy_seconds(copy, bytes, team));
    return seconds;
}

double Yardsticks::moves_seconds(const Workload &workload, const Operands &operands, const Team &team)
{
    const auto [entry, is_new] = seconds_.try_emplace({moves_name(workload), team.threads()});
    if (is_new)
        entry->second = measure_moves(workload, operands, team);
    return entry->second;
}

double Yardsticks::limit_seconds(const Workload &workload, const Operands &operands, const Team &team)
{
    const double moves = moves_seconds(workload, operands, team);
    return copies_data(workload) ? fastest_copy_seconds(data_bytes(workload), team) + moves : moves;
}

} // namespace bench
