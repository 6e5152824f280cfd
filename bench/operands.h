/* The tensors of a workload, filled with reproducible values. */
#ifndef STREW_BENCH_OPERANDS_H
#define STREW_BENCH_OPERANDS_H

#include <optional>

#include "aligned_buffer.h"
#include "workload.h"

namespace bench
{

struct Tensor {
    Tensor(strew_dtype dtype, const Shape &shape);

    strew_tensor view() const;

    strew_dtype dtype;
    Shape shape;
    AlignedBuffer elements;
};

/* The slice that slice_scatter writes: a window of the axis. */
class Slice
{
  public:
    Slice(const Layout &layout, int64_t begin);

    /* Points into this. */
    strew_slice view() const;

  private:
    int64_t start_, stop_, step_ = 1, axis_;
};

class Operands
{
  public:
    explicit Operands(const Workload &workload);

    strew_status plan(strew_plan &plan, const strew_plan_options &options) const;
    strew_status call(const strew_options &options) const;
    strew_buffers buffers() const;

    /* The buffers of an inspected plan: the storage replaces the indices. */
    strew_buffers inspected_buffers(const void *storage) const;

    /* For each item, the item of data, counted from its beginning, that it is gathered from or scattered to. */
    const Positions &positions() const;

    /* For each item of edges, its row of the output. */
    const Positions &targets() const;

  private:
    const Tensor &output() const;
    void fill_segments();

    Workload workload_;
    Positions entries_; /* before they are placed in data */
    Positions positions_;
    Positions targets_;
    Slice slice_;
    Tensor data_;
    Tensor indices_;
    std::optional<Tensor> segments_; /* for edges: the offsets of bags, or targets */
    std::optional<Tensor> weights_;  /* for edges */
    Tensor moved_;                   /* a gather's output, a scatter's updates, the output of edges */
    std::optional<Tensor> copy_;     /* the output of a scatter that is not in place */
};

} // namespace bench

#endif
