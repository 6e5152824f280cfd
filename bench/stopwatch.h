/* How long something takes, for what is not a row by itself: the yardsticks, and the noise of the machine. */
#ifndef STREW_BENCH_STOPWATCH_H
#define STREW_BENCH_STOPWATCH_H

#include <functional>

#include "team.h"

namespace bench
{

/*
 * The median of several samples of `work`, in seconds, after a run that brings into the caches what fits there.
 * One thread is timed by its own CPU time and several by the clock on the wall, as the rows are.
 */
double median_seconds(const Team &team, const std::function<void()> &work);

} // namespace bench

#endif
