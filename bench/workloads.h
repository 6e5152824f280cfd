/* The table of what is measured. */
#ifndef STREW_BENCH_WORKLOADS_H
#define STREW_BENCH_WORKLOADS_H

#include <vector>

#include "suite.h"
#include "workload.h"

namespace bench
{

/* In the order in which they run: rows that share tensors of one size stand together. */
std::vector<Workload> workloads(const Suite &suite);

} // namespace bench

#endif
