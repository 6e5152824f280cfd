#include "threads.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace strew::openvino
{
namespace
{

constexpr size_t largest_kept = size_t{64} << 20;

// Taken while in use: a thread that waits for others may start another operation meanwhile.
thread_local ov::Tensor kept;

void run_tasks(void *, strew_task task, void *context, size_t count)
{
    tbb::parallel_for(
        tbb::blocked_range<size_t>(0, count, 1),
        [=](const tbb::blocked_range<size_t> &range) {
            for (size_t index = range.begin(); index != range.end(); ++index)
                task(context, index);
        },
        tbb::simple_partitioner());
}

} // namespace

strew_parallel current_threads()
{
    return {run_tasks, nullptr, static_cast<size_t>(tbb::this_task_arena::max_concurrency())};
}

Scratch::Scratch(size_t size)
{
    if (!size)
        return;
    std::swap(m_memory, kept);
    if (!m_memory || m_memory.get_byte_size() < size)
        m_memory = ov::Tensor(ov::element::u8, {size});
}

Scratch::~Scratch()
{
    if (m_memory && m_memory.get_byte_size() <= largest_kept)
        std::swap(m_memory, kept);
}

void *Scratch::data()
{
    return m_memory ? m_memory.data() : nullptr;
}

} // namespace strew::openvino
