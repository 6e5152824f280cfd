/* The patterns, and their indices. */
#include "spatter.h"

#include <algorithm>

namespace bench
{
namespace
{

using Buffer = std::vector<uint32_t>;

/* Spatter itself walks 2 GB of doubles. An eighth of it, and no more than a million indices, is a quick run. */
constexpr uint32_t largest_reach = 1u << 25;
constexpr uint32_t largest_count = 1u << 20;

constexpr bool gather = true;
constexpr bool scatter = false;

/* UNIFORM:length:stride */
Buffer uniform(uint32_t length, uint32_t stride)
{
    Buffer buffer;
    for (uint32_t j = 0; j < length; ++j)
        buffer.push_back(j * stride);
    return buffer;
}

/* MS1:length:place:gap is one long step before `place`, and single ones elsewhere. */
Buffer mostly_stride_1(uint32_t length, uint32_t place, uint32_t gap)
{
    Buffer buffer = uniform(length, 1);
    for (uint32_t j = place; j < length; ++j)
        buffer[j] += gap - 1;
    return buffer;
}

const Buffer broadcast = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};
const Buffer rotated_by_4 = {4, 8, 12, 0, 20, 24, 28, 16, 36, 40, 44, 32, 52, 56, 60, 48};
const Buffer rotated_by_2 = {6, 0, 2, 4, 14, 8, 10, 12, 22, 16, 18, 20, 30, 24, 26, 28};
const Buffer corners_0 = {2, 484, 482, 0, 4, 486, 484, 2, 6, 488, 486, 4, 8, 490, 488, 6};
const Buffer corners_1 = {0, 2, 484, 482, 2, 4, 486, 484, 4, 6, 488, 486, 6, 8, 490, 488};
const Buffer corners_2 = {482, 0, 2, 484, 484, 2, 4, 486, 486, 4, 6, 488, 488, 6, 8, 490};
const Buffer one_in_four = {2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0};
const Buffer stencil_0 = {1333, 0, 1, 2, 36, 37, 38, 72, 73, 74, 1296, 1297, 1298, 1332, 1334, 1368};
const Buffer stencil_1 = {1333, 0, 1, 36, 37, 72, 73, 1296, 1297, 1332, 1368, 1369, 2592, 2593, 2628, 2629};

const SpatterPattern traces[] = {
    {"pennant-000", gather, 2, uniform(16, 4)},
    {"pennant-001", gather, 2, rotated_by_4},
    {"pennant-002", gather, 518408, rotated_by_2},
    {"pennant-003", gather, 2, corners_0},
    {"pennant-004", gather, 2, corners_1},
    {"pennant-005", gather, 482, corners_2},
    {"pennant-006", scatter, 1, uniform(16, 4)},
    {"pennant-007", gather, 388848, broadcast},
    {"pennant-009", gather, 4, rotated_by_4},
    {"pennant-010", gather, 1882384, broadcast},
    {"pennant-012", gather, 1036816, rotated_by_2},
    {"pennant-013", gather, 480, corners_2},
    {"pennant-014", gather, 129608, one_in_four},
    {"pennant-015", gather, 4, broadcast},
    {"pennant-016", gather, 388852, broadcast},
    {"lulesh-000", scatter, 0, uniform(16, 24)},
    {"lulesh-001", gather, 1, uniform(16, 8)},
    {"lulesh-002", scatter, 1, uniform(16, 8)},
    {"lulesh-003", scatter, 8, uniform(16, 24)},
    {"lulesh-004", gather, 4, uniform(16, 24)},
    {"lulesh-005", gather, 8, uniform(16, 24)},
    {"lulesh-007", scatter, 1, uniform(16, 24)},
    {"lulesh-008", gather, 8, uniform(16, 1)},
    {"lulesh-009", gather, 41, uniform(16, 1)},
    {"lulesh-010", gather, 1, uniform(16, 1)},
    {"lulesh-011", gather, 1, uniform(16, 24)},
    {"nekbone-000", gather, 3, uniform(16, 6)},
    {"nekbone-001", gather, 8, uniform(16, 6)},
    {"amg-000", gather, 1, stencil_0},
    {"amg-001", gather, 1, stencil_1},
};

} // namespace

std::vector<SpatterPattern> spatter_patterns()
{
    std::vector<SpatterPattern> patterns;
    for (bool gathers : {gather, scatter}) {
        for (uint32_t stride = 1; stride <= 128; stride *= 2)
            patterns.push_back({"uniform:8:" + std::to_string(stride), gathers, 8 * stride, uniform(8, stride)});
        patterns.push_back({"ms1:8:4:32", gathers, 8, mostly_stride_1(8, 4, 32)});
    }
    patterns.insert(patterns.end(), std::begin(traces), std::end(traces));
    return patterns;
}

uint32_t repetitions(const SpatterPattern &pattern)
{
    const uint32_t most = largest_count / static_cast<uint32_t>(pattern.buffer.size());
    return pattern.delta == 0 ? most : std::min(most, largest_reach / pattern.delta);
}

uint32_t reach(const SpatterPattern &pattern)
{
    const uint32_t last = *std::max_element(pattern.buffer.begin(), pattern.buffer.end());
    return (repetitions(pattern) - 1) * pattern.delta + last + 1;
}

Distribution distribution(const SpatterPattern &pattern)
{
    return {pattern.name, [pattern](Positions &positions, IndexRange) {
                const size_t length = pattern.buffer.size();
                for (size_t i = 0; i < positions.size(); ++i)
                    positions[i] = pattern.delta * static_cast<uint32_t>(i / length) + pattern.buffer[i % length];
            }};
}

} // namespace bench
