/* The table of workloads. */
#ifndef STREW_BENCH_WORKLOADS_H
#define STREW_BENCH_WORKLOADS_H

#include <vector>

#include "suite.h"
#include "workload.h"

namespace bench
{

/* The workloads in the order in which they run: rows with tensors of the same size are adjacent. */
std::vector<Workload> workloads(const Suite &suite);

} // namespace bench

#endif
