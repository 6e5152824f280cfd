#include "inspections.hpp"

#include <algorithm>

namespace strew::openvino
{
namespace
{

// For one operation: several shapes, and streams with different numbers of threads.
constexpr size_t MOST_INSPECTIONS = 8;

} // namespace

std::shared_ptr<const Inspection> Inspections::find(const Planned &planned) const
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    const auto found = std::find_if(m_kept.begin(), m_kept.end(),
                                    [&](const auto &inspection) { return inspection->planned == planned; });
    return found != m_kept.end() ? *found : nullptr;
}

std::shared_ptr<const Inspection> Inspections::add(const Planned &planned, const strew_plan &plan,
                                                   const void *indices)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    if (m_kept.size() >= MOST_INSPECTIONS)
        return nullptr;
    const size_t size = strew_plan_inspection_size(&plan);
    const auto made = std::make_shared<Inspection>();
    made->planned = planned;
    made->storage = ov::Tensor(ov::element::u8, ov::Shape{size});
    strew_buffers buffers = {};
    buffers.indices = indices;
    if (strew_plan_inspect(&made->plan, &plan, &buffers, made->storage.data(), size, nullptr) != STREW_STATUS_OK)
        return nullptr;
    m_kept.push_back(made);
    return made;
}

} // namespace strew::openvino
