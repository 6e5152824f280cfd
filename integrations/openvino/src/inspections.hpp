// Indices of an operation that are a constant of the model: looked at once for each shape of its other tensors.
#ifndef STREW_OPENVINO_INSPECTIONS_HPP
#define STREW_OPENVINO_INSPECTIONS_HPP

#include <memory>
#include <mutex>
#include <vector>

#include <openvino/runtime/tensor.hpp>
#include <strew/strew.h>

namespace strew::openvino
{

// What a call is planned for, as a list of numbers: shapes, dtype, axis, threads.
using Planned = std::vector<int64_t>;

// A plan that has been inspected, and what stands for its indices.
struct Inspection {
    Planned planned;
    strew_plan plan;
    ov::Tensor storage;
};

// Those of an operation, which all streams share.
class Inspections
{
  public:
    // The one that fits a call; nullptr if there is none.
    std::shared_ptr<const Inspection> find(const Planned &planned) const;

    // Inspects the plan of a call, and keeps what comes of it. nullptr if nothing does: an index is wrong, or so
    // many are kept that shapes must be changing with each call; the plan itself will then do.
    std::shared_ptr<const Inspection> add(const Planned &planned, const strew_plan &plan, const void *indices);

  private:
    mutable std::mutex m_mutex;
    std::vector<std::shared_ptr<const Inspection>> m_kept;
};

} // namespace strew::openvino

#endif
