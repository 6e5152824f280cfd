/* Times work that is not a row itself: the yardsticks, and the noise of the machine. */
#ifndef STREW_BENCH_STOPWATCH_H
#define STREW_BENCH_STOPWATCH_H

#include <functional>

#include "team.h"

namespace bench
{

/*
 * The median of several samples of `work`, in seconds, after one run that fills the caches. Like rows, one thread
 * is timed by its own CPU time and several by the wall clock.
 */
double median_seconds(const Team &team, const std::function<void()> &work);

} // namespace bench

#endif
