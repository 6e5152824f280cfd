/* How long memcpy takes on this machine, in this run: what every row is compared with. */
#ifndef STREW_BENCH_MEMCPY_BASELINE_H
#define STREW_BENCH_MEMCPY_BASELINE_H

#include <cstddef>
#include <map>

namespace bench
{

class MemcpyBaseline
{
  public:
    /*
     * CPU seconds of one memcpy of so many bytes between two buffers: the median of several samples, taken when
     * a size is first asked for. The same two buffers are copied again and again, as the rows run again and
     * again on theirs, so both find in the caches what fits there.
     */
    double seconds(size_t bytes);

  private:
    std::map<size_t, double> seconds_by_size_;
};

} // namespace bench

#endif
