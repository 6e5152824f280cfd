/* Teams are pthreadpools. */
#include "team.h"

#include <algorithm>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast" /* a header in C */
#include <strew/pthreadpool.h>
#pragma GCC diagnostic pop

namespace bench
{
namespace
{

struct Sharing {
    size_t count;
    size_t per_thread;
    const std::function<void(size_t, size_t)> &work;
};

void work_on_range(void *context, size_t index)
{
    const Sharing &sharing = *static_cast<const Sharing *>(context);
    const size_t begin = std::min(sharing.count, index * sharing.per_thread);
    const size_t end = std::min(sharing.count, begin + sharing.per_thread);
    if (begin < end)
        sharing.work(begin, end);
}

} // namespace

void Team::Destroy::operator()(void *pool) const
{
    pthreadpool_destroy(static_cast<pthreadpool_t>(pool));
}

Team::Team(size_t threads)
    : pool_(threads > 1 ? pthreadpool_create(threads) : nullptr),
      parallel_(strew_parallel_from_pthreadpool(static_cast<pthreadpool_t>(pool_.get())))
{
}

size_t Team::threads() const
{
    return parallel_.threads;
}

const strew_parallel *Team::parallel() const
{
    return threads() > 1 ? &parallel_ : nullptr;
}

void Team::share(size_t count, size_t grain, const std::function<void(size_t begin, size_t end)> &work) const
{
    if (threads() == 1)
        return work(0, count);
    const size_t grains = (count + grain - 1) / grain;
    Sharing sharing = {count, (grains + threads() - 1) / threads() * grain, work};
    parallel_.run(parallel_.pool, work_on_range, &sharing, threads());
}

} // namespace bench
