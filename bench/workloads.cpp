/* The table of workloads, their names, and how their bytes are counted. */
#include "workloads.h"

#include <functional>
#include <numeric>

namespace bench
{
namespace
{

/* A line of the table: it stands for every combination of its dtypes, reductions and axes. */
struct Group {
    const char *family;
    strew_kind kind;
    Output output;
    std::vector<strew_dtype> dtypes;
    std::vector<strew_reduction> reductions;
    Shape data;
    Shape indices;
    std::vector<int64_t> axes;
    int64_t batch_dims;
};

/* The shapes are those of the layer examples in the operators' published specifications. */
const Shape maps = {1000, 256, 10, 15};
const Shape map_tuples = {25, 125, 3};
const Shape batches = {30, 2, 100, 35};
const Shape batch_tuples = {30, 2, 3, 1};
const Shape grid = {1, 64, 64, 320};
const Shape grid_tuples = {1, 64, 64, 1, 1};
const Shape small_maps = {1000, 256, 7, 7};
const Shape map_entries = {125, 20, 7, 6};

/* Small enough for the first-level cache: the kernels by themselves. */
const Shape long_row = {1, 1024};
const Shape long_row_tuples = {2, 1};
const Shape short_row_tuples = {256, 1};

const std::vector<strew_dtype> every = {
#define DTYPE(CONSTANT, name, suffix, bytes) STREW_##CONSTANT,
    STREW_DTYPES(DTYPE)
#undef DTYPE
};
const std::vector<strew_dtype> f32 = {STREW_FLOAT32};
const std::vector<strew_dtype> others = {STREW_FLOAT16, STREW_BFLOAT16, STREW_FLOAT64,
                                         STREW_INT8,    STREW_INT32,    STREW_INT64};

const std::vector<strew_reduction> assign = {STREW_NONE};
const std::vector<strew_reduction> sum_max = {STREW_SUM, STREW_MAX};
const std::vector<strew_reduction> combine = {STREW_SUM, STREW_SUB, STREW_PROD, STREW_MIN, STREW_MAX};
const std::vector<strew_reduction> mean = {STREW_MEAN};

const std::vector<int64_t> no_axis = {0};
const std::vector<int64_t> each_axis = {0, 1, 2, 3};

constexpr Output separate = Output::separate;
constexpr Output in_place = Output::in_place;

// clang-format off
const Group groups[] = {
    {"slice_copy",   STREW_GATHER_ND,        separate, f32,    assign,  maps,       map_tuples,   no_axis,   0},
    {"slice_copy",   STREW_GATHER_ND,        separate, f32,    assign,  batches,    batch_tuples, no_axis,   2},
    {"slice_copy",   STREW_GATHER_ND,        separate, f32,    assign,  grid,       grid_tuples,  no_axis,   3},
    {"slice_copy",   STREW_SCATTER_ND,       in_place, f32,    assign,  maps,       map_tuples,   no_axis,   0},
    {"out_of_place", STREW_SCATTER_ND,       separate, f32,    assign,  maps,       map_tuples,   no_axis,   0},
    {"reduction",    STREW_SCATTER_ND,       in_place, f32,    combine, maps,       map_tuples,   no_axis,   0},
    {"reduction",    STREW_SCATTER_ND,       in_place, others, sum_max, maps,       map_tuples,   no_axis,   0},
    {"elements",     STREW_GATHER_ELEMENTS,  separate, f32,    assign,  small_maps, map_entries,  each_axis, 0},
    {"elements",     STREW_SCATTER_ELEMENTS, in_place, f32,    assign,  small_maps, map_entries,  each_axis, 0},
    {"elements",     STREW_SCATTER_ELEMENTS, in_place, f32,    combine, small_maps, map_entries,  each_axis, 0},
    {"elements",     STREW_SCATTER_ELEMENTS, in_place, f32,    mean,    small_maps, map_entries,  each_axis, 0},
    {"rows",         STREW_SCATTER_ND,       in_place, every,  combine, long_row,   long_row_tuples,  no_axis, 0},
    {"rows",         STREW_SCATTER_ND,       in_place, f32,    sum_max, {64, 3},    short_row_tuples, no_axis, 0},
    {"rows",         STREW_SCATTER_ND,       in_place, f32,    sum_max, {64, 15},   short_row_tuples, no_axis, 0},
    {"rows",         STREW_SCATTER_ND,       in_place, f32,    sum_max, {64, 35},   short_row_tuples, no_axis, 0},
    {"rows",         STREW_SCATTER_ND,       in_place, f32,    sum_max, {64, 64},   short_row_tuples, no_axis, 0},
};
// clang-format on

void append_combinations(const Group &group, std::vector<Workload> &workloads)
{
    for (strew_dtype dtype : group.dtypes)
        for (strew_reduction reduction : group.reductions)
            for (int64_t axis : group.axes)
                if (strew_reduction_supports(reduction, dtype))
                    workloads.push_back({group.family, group.kind, group.output, dtype, reduction, group.data,
                                         group.indices, axis, group.batch_dims});
}

const char *dtype_suffix(strew_dtype dtype)
{
    switch (dtype) {
#define DTYPE_SUFFIX(CONSTANT, name, suffix, bytes) \
    case STREW_##CONSTANT: return #suffix;
        STREW_DTYPES(DTYPE_SUFFIX)
#undef DTYPE_SUFFIX
    default: return strew_dtype_name(dtype);
    }
}

std::string shape_name(const Shape &shape)
{
    std::string name = std::to_string(shape.front());
    for (size_t d = 1; d < shape.size(); ++d)
        name += "x" + std::to_string(shape[d]);
    return name;
}

} // namespace

std::vector<Workload> all_workloads()
{
    std::vector<Workload> workloads;
    for (const Group &group : groups)
        append_combinations(group, workloads);
    return workloads;
}

std::string row_name(const Workload &workload, strew_isa isa)
{
    std::string name = workload.family + "/" + strew_kind_name(workload.kind) + "/";
    if (workload.reduction != STREW_NONE)
        name += std::string(strew_reduction_name(workload.reduction)) + "/";
    name += std::string(dtype_suffix(workload.dtype)) + "/" + shape_name(workload.data);
    if (addresses_elements(workload))
        name += "/axis:" + std::to_string(workload.axis);
    if (workload.batch_dims > 0)
        name += "/batch_dims:" + std::to_string(workload.batch_dims);
    return name + "/" + strew_isa_name(isa) + "/threads:1";
}

bool is_gather(const Workload &workload)
{
    return workload.kind == STREW_GATHER_ND || workload.kind == STREW_GATHER_ELEMENTS;
}

bool addresses_elements(const Workload &workload)
{
    return workload.kind == STREW_GATHER_ELEMENTS || workload.kind == STREW_SCATTER_ELEMENTS;
}

size_t element_count(const Shape &shape)
{
    return static_cast<size_t>(std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<int64_t>()));
}

Shape moved_shape(const Workload &workload)
{
    if (addresses_elements(workload))
        return workload.indices;
    Shape shape(workload.indices.begin(), workload.indices.end() - 1);
    const int64_t addressed = workload.batch_dims + workload.indices.back();
    shape.insert(shape.end(), workload.data.begin() + addressed, workload.data.end());
    return shape;
}

size_t item_count(const Workload &workload)
{
    const size_t entries = element_count(workload.indices);
    const bool elements = addresses_elements(workload);
    return elements ? entries : entries / static_cast<size_t>(workload.indices.back());
}

size_t payload_bytes(const Workload &workload)
{
    size_t elements = element_count(moved_shape(workload));
    if (!is_gather(workload) && workload.output == Output::separate)
        elements += element_count(workload.data);
    return elements * strew_dtype_size(workload.dtype);
}

size_t traffic_bytes(const Workload &workload)
{
    return payload_bytes(workload) * (workload.reduction == STREW_NONE ? 2 : 3);
}

} // namespace bench
