/* The yardsticks for the rows, measured in the same run. */
#ifndef STREW_BENCH_YARDSTICKS_H
#define STREW_BENCH_YARDSTICKS_H

#include <map>
#include <string>
#include <utility>

#include "copies.h"
#include "operands.h"

namespace bench
{

/* Everything is in seconds, with the threads of the row, and measured once: when it is first asked for. */
class Yardsticks
{
  public:
    /*
     * A copy of so many bytes between two buffers. It is repeated on the same two, as the rows are repeated on
     * theirs, so both find in the caches whatever fits there.
     */
    double memcpy_seconds(size_t bytes, const Team &team);
    double fastest_copy_seconds(size_t bytes, const Team &team);

    /* The moves of the workload's items alone; out of place, after the fastest copy of data. */
    double limit_seconds(const Workload &workload, const Operands &operands, const Team &team);

  private:
    double copy_seconds(const Copy &copy, size_t bytes, const Team &team);
    double moves_seconds(const Workload &workload, const Operands &operands, const Team &team);

    std::map<std::pair<std::string, size_t>, double> seconds_;
};

} // namespace bench

#endif
