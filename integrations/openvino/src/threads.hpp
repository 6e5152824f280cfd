// OpenVINO's threads, and scratch memory, for use by strew.
#ifndef STREW_OPENVINO_THREADS_HPP
#define STREW_OPENVINO_THREADS_HPP

#include <openvino/runtime/tensor.hpp>
#include <strew/strew.h>

namespace strew::openvino
{

// The threads of the calling thread's arena, which the CPU plugin gives a stream.
strew_parallel current_threads();

// Memory from OpenVINO's allocator, which the thread keeps for the next time if it is not large.
class Scratch
{
  public:
    explicit Scratch(size_t size);
    ~Scratch();
    Scratch(const Scratch &) = delete;
    Scratch &operator=(const Scratch &) = delete;
    void *data();

  private:
    ov::Tensor m_memory;
};

} // namespace strew::openvino

#endif
