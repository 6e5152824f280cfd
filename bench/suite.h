/* The extent of a measurement. */
#ifndef STREW_BENCH_SUITE_H
#define STREW_BENCH_SUITE_H

#include <cstddef>
#include <vector>

namespace bench
{

struct Suite {
    bool full = false;      /* all rows and all numbers of threads, not just the quick ones */
    bool full_size = false; /* the graph workload in its published size */
};

/* 1 in the quick suite; in the full one the powers of two below the number of CPUs, and that number. */
std::vector<size_t> thread_counts(const Suite &suite);

} // namespace bench

#endif
