/*
 * strew-balance: how evenly rows are shared out among more threads than this machine has cores, where threads own
 * rows by their addresses (src/engine/share/owners.h). Nothing is measured; the updates that each thread would do
 * are counted.
 */
#include <algorithm>
#include <cstdio>
#include <vector>

#include "distributions.h"

extern "C" {
#include "engine/share/owners.h"
}

namespace
{

struct Table {
    const char *name;
    uint32_t rows;
    int64_t row_bytes;
    size_t updates;
};

constexpr Table tables[] = {
    {"1M rows of 256 bytes", 1'000'000, 256, 1'000'000},
    {"10M elements of 4 bytes", 10'000'000, 4, 10'000'000},
    {"1000 elements of 4 bytes", 1000, 4, 1'000'000},
};
constexpr uint32_t thread_counts[] = {2, 4, 8, 16, 32, 64};

strew_ownership ownership_of(const Table &table, uint32_t threads)
{
    strew_walk walk = {};
    strew_coordinates_add(&walk.coordinates, {table.rows, table.row_bytes});
    return {0, threads, strew_owners_block_bits(&walk, threads)};
}

/* How many times as fast as one thread, were there nothing but updates to do: the busiest thread is waited for. */
double speed_up(const Table &table, const bench::Positions &positions, uint32_t threads)
{
    const strew_ownership ownership = ownership_of(table, threads);
    std::vector<size_t> updates(threads);
    for (const uint32_t position : positions)
        ++updates[strew_owner(ownership, static_cast<uintptr_t>(position * table.row_bytes))];
    return static_cast<double>(positions.size()) /
           static_cast<double>(*std::max_element(updates.begin(), updates.end()));
}

void print_table(const Table &table, const bench::Distribution &distribution)
{
    bench::Positions positions(table.updates);
    distribution.draw(positions, {table.rows, 1});
    std::printf("%-26s %-8s", table.name, distribution.name.c_str());
    for (const uint32_t threads : thread_counts)
        std::printf(" %6.1f", speed_up(table, positions, threads));
    std::printf("\n");
}

} // namespace

int main()
{
    std::printf("%-35s", "threads");
    for (const uint32_t threads : thread_counts)
        std::printf(" %6u", threads);
    std::printf("\n");
    for (const Table &table : tables)
        for (const bench::Distribution &distribution : bench::named_distributions())
            if (distribution.name == "uniform" || distribution.name == "zipf")
                print_table(table, distribution);
}
