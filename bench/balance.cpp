/*
 * strew-balance: computes how evenly rows are shared out among more threads than this machine has cores, if threads
 * own rows by their addresses (src/engine/share/owners.h). It measures nothing, but counts the updates of each
 * thread. Then it computes how close threads of different speeds come to the sum of their speeds, if each takes the
 * next shard when it has finished one.
 */
#include <algorithm>
#include <cstdio>
#include <vector>

#include "distributions.h"

extern "C" {
#include "engine/share/cut.h"
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

/* The speed-up over one thread if only updates took time: all wait for the busiest thread. */
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

/* The time until equal shards of one unit of work have been done, if threads that are free take the next, the
 * slowest one first. */
double time_of(std::size_t shards, const std::vector<double> &speeds)
{
    std::vector<double> free_at(speeds.size());
    for (std::size_t shard = 0; shard < shards; ++shard) {
        std::size_t next = 0;
        for (std::size_t t = 1; t < speeds.size(); ++t)
            if (free_at[t] < free_at[next] - 1e-9 ||
                (free_at[t] < free_at[next] + 1e-9 && speeds[t] < speeds[next]))
                next = t;
        free_at[next] += 1 / (static_cast<double>(shards) * speeds[next]);
    }
    return *std::max_element(free_at.begin(), free_at.end());
}

/* The share of the sum of speeds that threads reach with so many shards. An owner reads all indices, which takes
 * `reading` times as long as all moves; other shards read only their own. */
double part_of_sum(std::size_t shards, const std::vector<double> &speeds, double reading = 0)
{
    double sum = 0;
    for (const double speed : speeds)
        sum += speed;
    return 1 / (sum * time_of(shards, speeds) * (1 + reading * static_cast<double>(shards)));
}

/* Four fast threads and four slow ones: each with one shard, with those of so many bytes of work, with as many
 * parts of sorted indices as there may be, and as owners. */
void print_speeds(double slow)
{
    const std::vector<double> speeds = {1, 1, 1, 1, slow, slow, slow, slow};
    std::printf("4 fast threads, 4 of %.2f of their speed: a shard each %.2f of the sum", slow,
                part_of_sum(speeds.size(), speeds));
    for (const double bytes : {1e6, 4e6, 1e8})
        std::printf(", %.0f MB %.2f", bytes / 1e6,
                    part_of_sum(strew_shards_for(bytes, speeds.size(), true), speeds));
    std::printf("\n");
    for (const double reading : {0.03, 0.1})
        std::printf("  owners, if each reads for %.2f of the time of all moves: 8 %.2f, 16 %.2f\n", reading,
                    part_of_sum(8, speeds, reading), part_of_sum(16, speeds, reading));
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
    for (const double slow : {0.2, 0.25, 0.33, 0.4, 0.5, 0.6, 0.75})
        print_speeds(slow);
}
