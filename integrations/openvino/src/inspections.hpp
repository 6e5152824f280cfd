// Constant indices of an operation, inspected once for each shape of its other tensors.
#ifndef STREW_OPENVINO_INSPECTIONS_HPP
#define STREW_OPENVINO_INSPECTIONS_HPP

#include <memory>
#include <mutex>
#include <vector>

#include <openvino/runtime/tensor.hpp>
#include <strew/strew.h>

namespace strew::openvino
{

// The properties of a planned call as a list of numbers: shapes, dtype, axis, threads.
using Planned = std::vector<int64_t>;

// An inspected plan, and the inspection that replaces its indices.
struct Inspection {
    Planned planned;
    strew_plan plan;
    ov::Tensor storage;
};

// The inspections of an operation, shared by all streams.
class Inspections
{
  public:
    // The inspection for a call; nullptr if there is none.
    std::shared_ptr<const Inspection> find(const Planned &planned) const;

    // Inspects the plan of a call, and keeps the inspection. nullptr if an index is bad, or if so many are kept
    // that shapes seem to change with each call: then run the plan itself.
    std::shared_ptr<const Inspection> add(const Planned &planned, const strew_plan &plan, const void *indices);

  private:
    mutable std::mutex m_mutex;
    std::vector<std::shared_ptr<const Inspection>> m_kept;
};

} // namespace strew::openvino

#endif
