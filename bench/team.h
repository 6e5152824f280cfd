/* The threads that a row runs on. */
#ifndef STREW_BENCH_TEAM_H
#define STREW_BENCH_TEAM_H

#include <cstddef>
#include <functional>
#include <memory>

#include <strew/strew.h>

namespace bench
{

class Team
{
  public:
    explicit Team(size_t threads);

    size_t threads() const;

    /* The threads for the operators: NULL for the calling thread alone. */
    const strew_parallel *parallel() const;

    /* Splits [0, count) into a range for each thread, at multiples of `grain`, and works on all at once. */
    void share(size_t count, size_t grain, const std::function<void(size_t begin, size_t end)> &work) const;

  private:
    struct Destroy {
        void operator()(void *pool) const;
    };

    std::unique_ptr<void, Destroy> pool_;
    strew_parallel parallel_;
};

} // namespace bench

#endif
