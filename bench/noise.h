/* Tells whether the machine was quiet enough for meaningful figures. */
#ifndef STREW_BENCH_NOISE_H
#define STREW_BENCH_NOISE_H

#include <string>
#include <vector>

#include "team.h"

namespace bench
{

/* Measures one and the same memcpy several times over a run, on as many threads as its rows have at most. */
class NoiseMeter
{
  public:
    explicit NoiseMeter(size_t threads);

    void sample();

    /* A sentence if the samples differ by more than a few percent, otherwise an empty one. */
    std::string warning() const;

  private:
    Team team_;
    std::vector<double> seconds_;
};

} // namespace bench

#endif
