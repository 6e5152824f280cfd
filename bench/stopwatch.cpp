/* Clocks and samples. */
#include "stopwatch.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <time.h>

namespace bench
{
namespace
{

/* A sample is so long that reading the clock does not count in it; all together are about as long as a row. */
constexpr double sample_seconds = 1e-3;
constexpr double total_seconds = 40e-3;
constexpr double fewest_samples = 5;

double in_seconds(const timespec &time)
{
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double now(clockid_t clock)
{
    timespec time = {};
    clock_gettime(clock, &time);
    return in_seconds(time);
}

/* The clock on the wall for several threads, and where a thread's own counts in steps too long, as on Windows. */
clockid_t clock_for(const Team &team)
{
    timespec step = {};
    const bool is_fine =
        clock_getres(CLOCK_THREAD_CPUTIME_ID, &step) == 0 && in_seconds(step) < sample_seconds / 100;
    return team.threads() == 1 && is_fine ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
}

double seconds_of(clockid_t clock, size_t repetitions, const std::function<void()> &work)
{
    const double start = now(clock);
    for (size_t i = 0; i < repetitions; ++i)
        work();
    return (now(clock) - start) / static_cast<double>(repetitions);
}

/* The number of repetitions of `work` that fills a sample. */
size_t repetitions_for(clockid_t clock, const std::function<void()> &work)
{
    size_t repetitions = 1;
    while (seconds_of(clock, repetitions, work) * static_cast<double>(repetitions) < sample_seconds)
        repetitions *= 2;
    return repetitions;
}

} // namespace

double median_seconds(const Team &team, const std::function<void()> &work)
{
    const clockid_t clock = clock_for(team);
    const size_t repetitions = repetitions_for(clock, work);
    const double sample = seconds_of(clock, repetitions, work) * static_cast<double>(repetitions);
    std::vector<double> samples(static_cast<size_t>(std::max(fewest_samples, std::ceil(total_seconds / sample))));

    std::generate(samples.begin(), samples.end(), [&] { return seconds_of(clock, repetitions, work); });
    std::sort(samples.begin(), samples.end());
    return samples[samples.size() / 2];
}

} // namespace bench
