/* The tensors of a workload, filled with reproducible random values. */
#ifndef STREW_BENCH_OPERANDS_H
#define STREW_BENCH_OPERANDS_H

#include <memory>
#include <optional>

#include "workloads.h"

namespace bench
{

/*
 * Zeroed bytes that begin at a page, and so at a cache line. Writing the zeros also maps the pages before
 * anything is timed. Not just at a cache line, because a memcpy between buffers at different places in their
 * pages loses some percent where loads seem to depend on stores 4 KiB away.
 */
class AlignedBuffer
{
  public:
    explicit AlignedBuffer(size_t size);

    void *data() const;
    size_t size() const;

  private:
    struct Release {
        void operator()(void *bytes) const;
    };

    size_t size_;
    std::unique_ptr<void, Release> bytes_;
};

struct Tensor {
    Tensor(strew_dtype dtype, const Shape &shape);

    strew_tensor view() const;

    strew_dtype dtype;
    Shape shape;
    AlignedBuffer elements;
};

class Operands
{
  public:
    explicit Operands(const Workload &workload);

    strew_status plan(strew_plan &plan, const strew_options &options) const;
    strew_buffers buffers() const;

  private:
    const Tensor &output() const;

    Workload workload_;
    Tensor data_;
    Tensor indices_;
    Tensor moved_;               /* a gather's output, a scatter's updates */
    std::optional<Tensor> copy_; /* the output of a scatter that is not in place */
};

} // namespace bench

#endif
