/* Fills tensors with elements. */
#ifndef STREW_BENCH_VALUES_H
#define STREW_BENCH_VALUES_H

#include "workload.h"

namespace bench
{

/*
 * Rows in place run on their own results thousands of times over. From these values a float sum grows only until
 * an update is less than half of its last place, so that no reduction reaches an infinity or a denormal, which
 * would time something else.
 */
void fill_data(const Workload &workload, char *elements);
void fill_updates(const Workload &workload, char *elements);
void fill_weights(const Workload &workload, char *elements);

} // namespace bench

#endif
