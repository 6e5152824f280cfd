#include "evaluate.hpp"

#include <array>
#include <atomic>
#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <openvino/op/constant.hpp>
#include <strew/openvino.hpp>

#include "threads.hpp"

namespace strew::openvino
{
namespace
{

std::atomic<uint64_t> evaluations{0}, inspected_evaluations{0};

// On a stream of a single thread, OpenVINO's synchronous inference drops the exceptions of operations: print the
// message to standard error as well.
[[noreturn]] void refuse(const Operation &operation, const std::string &message)
{
    const std::string sentence =
        operation.get_friendly_name() + " (" + operation.version().published->name + " by strew): " + message;
    if (current_threads().threads == 1)
        std::fprintf(stderr, "%s\n", sentence.c_str());
    throw std::runtime_error(sentence);
}

void check(const Operation &operation, strew_status status, const strew_error &error)
{
    if (status == STREW_STATUS_OK)
        return;
    std::string message(strew_error_message(&error, nullptr, 0), '\0');
    strew_error_message(&error, message.data(), message.size() + 1);
    refuse(operation, message);
}

// A tensor of OpenVINO's as one of strew's, which points into this.
struct Operand {
    std::array<int64_t, STREW_MAX_RANK> shape, strides;
    strew_tensor tensor;
};

void set_shape(const Operation &operation, Operand &operand, const ov::Shape &shape)
{
    if (shape.size() > STREW_MAX_RANK)
        refuse(operation, "a tensor has rank " + std::to_string(shape.size()) + ", and strew has at most " +
                              std::to_string(STREW_MAX_RANK));
    std::copy(shape.begin(), shape.end(), operand.shape.begin());
    operand.tensor.rank = static_cast<int32_t>(shape.size());
    operand.tensor.shape = operand.shape.data();
}

// The table of virtual functions of a tensor's implementation, with which its memory begins.
struct Implementation : ov::Tensor {
    static const void *table_of(const ov::Tensor &tensor)
    {
        return *static_cast<const void *const *>(static_cast<const void *>((tensor.*&Implementation::_impl).get()));
    }
};

// Whether a tensor has no strides of its own. The CPU plugin's have none, but OpenVINO takes as long to report it
// as strew to plan a call.
bool is_dense(const ov::Tensor &tensor)
{
    static const void *const without_strides = [] {
        float element = 0;
        return Implementation::table_of(ov::Tensor(ov::element::f32, ov::Shape{1}, &element));
    }();
    return Implementation::table_of(tensor) == without_strides || tensor.is_continuous();
}

// OpenVINO counts strides in bytes.
void set_strides(const Operation &operation, Operand &operand, const ov::Tensor &tensor)
{
    operand.tensor.strides = nullptr;
    if (is_dense(tensor))
        return;
    const ov::Strides bytes = tensor.get_strides();
    const size_t size = tensor.get_element_type().size();
    for (size_t i = 0; i < bytes.size(); ++i) {
        if (bytes[i] % size)
            refuse(operation, "a tensor has a stride of " + std::to_string(bytes[i]) +
                                  " bytes, which is no multiple of its element's " + std::to_string(size));
        operand.strides[i] = static_cast<int64_t>(bytes[i] / size);
    }
    operand.tensor.strides = operand.strides.data();
}

void describe(const Operation &operation, Operand &operand, const ov::Tensor &tensor, strew_dtype dtype)
{
    operand.tensor.data = tensor.get_size() ? const_cast<void *>(tensor.data()) : nullptr;
    operand.tensor.dtype = dtype;
    set_shape(operation, operand, tensor.get_shape());
    set_strides(operation, operand, tensor);
}

// The dtype in which an input arrives. A type narrower than the model's has lost values: 2^32 + 1 has become 1.
strew_dtype arriving(const Operation &operation, size_t input, const ov::Tensor &tensor)
{
    const ov::element::Type type = tensor.get_element_type(), wanted = operation.kept_type(input);
    if (wanted == ov::element::boolean && type == ov::element::u8)
        return STREW_DTYPE_BOOL;
    if (wanted != ov::element::dynamic && type != wanted)
        refuse(operation, operation.version().inputs[input].name + (" arrive as " + type.get_type_name()) +
                              " and must stay " + wanted.get_type_name() +
                              ": call replace again after the last change of the model");
    return dtype_of(type);
}

// A slice of OpenVINO's, whose parts are inputs.
struct Slice {
    std::vector<int64_t> starts, stops, steps, axes;
    strew_slice slice;
};

// The arguments for strew.
struct Call {
    const Operation &operation;
    const ov::TensorVector &inputs;
    Operand data, indices, updates, segments, weights, output;
    const strew_tensor *indices_or_null, *updates_or_null;
    int64_t axis;
    Slice slice;
    strew_attributes attributes; // for sums of rows

    // The input of this role; nullptr if it is missing.
    const ov::Tensor *find(Role role) const
    {
        const size_t position = operation.version().find(role);
        return position < inputs.size() ? &inputs[position] : nullptr;
    }
};

// Reads the operand of this role as a tensor of strew; nullptr if it is missing.
const strew_tensor *read_operand(const Call &call, Role role, Operand &operand)
{
    const ov::Tensor *tensor = call.find(role);
    if (!tensor)
        return nullptr;
    const size_t position = call.operation.version().find(role);
    describe(call.operation, operand, *tensor, arriving(call.operation, position, *tensor));
    return &operand.tensor;
}

int64_t read_integer(const Operation &operation, const strew_tensor &tensor)
{
    int64_t integer = 0;
    strew_error error = {};
    check(operation, strew_axis_read(&tensor, &integer, &error), error);
    return integer;
}

// The element of a tensor that lies so many bytes behind the first.
strew_tensor element_of(const strew_tensor &tensor, int64_t offset)
{
    return {static_cast<char *>(tensor.data) + offset, tensor.dtype, 0, nullptr, nullptr};
}

std::vector<int64_t> read_integers(const Call &call, Role role)
{
    Operand operand;
    const strew_tensor *list = read_operand(call, role, operand);
    std::vector<int64_t> integers;
    if (!list)
        return integers;
    if (list->rank != 1)
        refuse(call.operation,
               std::string(call.operation.version().inputs[call.operation.version().find(role)].name) +
                   " has rank " + std::to_string(list->rank) + ", and must have 1");
    const int64_t stride =
        (list->strides ? list->strides[0] : 1) * static_cast<int64_t>(strew_dtype_size(list->dtype));
    for (int64_t i = 0; i < list->shape[0]; ++i)
        integers.push_back(read_integer(call.operation, element_of(*list, i * stride)));
    return integers;
}

// A slice that goes backwards from before the first element is empty, as in Python, whose slices the document
// names. OpenVINO begins it at the first element and requires an update for that. If the model has one, it is
// written.
void begin_at_first(Call &call)
{
    Slice &slice = call.slice;
    const strew_tensor &data = call.data.tensor, &updates = call.updates.tensor;
    for (size_t i = 0; i < slice.starts.size(); ++i) {
        const int64_t given = slice.axes.empty() ? static_cast<int64_t>(i) : slice.axes[i];
        const int64_t axis = given < 0 ? given + data.rank : given;
        if (axis < 0 || axis >= data.rank || axis >= updates.rank || updates.shape[axis] != 1)
            continue;
        const int64_t size = data.shape[axis];
        if (size > 0 && slice.steps[i] < 0 && slice.starts[i] < -size && slice.stops[i] < -size)
            slice.starts[i] = 0;
    }
}

void read_slice(Call &call)
{
    Slice &slice = call.slice;
    slice.starts = read_integers(call, Role::STARTS);
    slice.stops = read_integers(call, Role::STOPS);
    slice.steps = read_integers(call, Role::STEPS);
    slice.axes = read_integers(call, Role::AXES);
    const size_t count = slice.starts.size();
    const bool has_axes = call.find(Role::AXES) != nullptr;
    if (slice.stops.size() != count || slice.steps.size() != count || (has_axes && slice.axes.size() != count))
        refuse(call.operation, "start, stop, step and axes must have as many elements, one for each dimension");
    begin_at_first(call);
    slice.slice = {static_cast<int32_t>(count), 0,
                   slice.starts.data(),         slice.stops.data(),
                   slice.steps.data(),          has_axes ? slice.axes.data() : nullptr};
}

// The greatest of segment_ids, which are sorted, and one more.
int64_t count_segments(const Call &call)
{
    const strew_tensor &ids = call.segments.tensor;
    if (ids.rank != 1 || ids.shape[0] == 0)
        return 0;
    const int64_t step = (ids.strides ? ids.strides[0] : 1) * static_cast<int64_t>(strew_dtype_size(ids.dtype));
    const int64_t last = read_integer(call.operation, element_of(ids, step * (ids.shape[0] - 1)));
    if (last == INT64_MAX)
        refuse(call.operation, "segment_ids end with " + std::to_string(last) + ", of which no output has so many");
    return last < 0 ? 0 : last + 1;
}

// Reads the inputs of a sum of rows besides data and indices.
void read_attributes(Call &call)
{
    const strew_operator &published = *call.operation.version().published;
    const Attributes &given = call.operation.attributes();
    strew_attributes &attributes = call.attributes;
    attributes.segments = read_operand(call, Role::SEGMENTS, call.segments);
    attributes.weights = read_operand(call, Role::WEIGHTS, call.weights);
    attributes.reduction = given.reduction;
    attributes.empty = given.empty;
    Operand operand;
    const strew_tensor *default_index = read_operand(call, Role::DEFAULT_INDEX, operand);
    if (default_index)
        attributes.default_index = read_integer(call.operation, *default_index);
    const strew_tensor *count = read_operand(call, Role::SEGMENT_COUNT, operand);
    if (published.attributes & STREW_ATTRIBUTE_SEGMENT_COUNT)
        attributes.segment_count = count ? read_integer(call.operation, *count) : count_segments(call);
    attributes.given = (attributes.segments ? STREW_ATTRIBUTE_SEGMENTS : 0u) |
                       (attributes.weights ? STREW_ATTRIBUTE_WEIGHTS : 0u) |
                       (default_index ? STREW_ATTRIBUTE_DEFAULT_INDEX : 0u) |
                       (given.reduction != STREW_REDUCTION_NONE ? STREW_ATTRIBUTE_REDUCTION : 0u) |
                       (published.attributes & (STREW_ATTRIBUTE_EMPTY | STREW_ATTRIBUTE_SEGMENT_COUNT));
}

void read_inputs(Call &call)
{
    const Version &version = call.operation.version();
    read_operand(call, Role::DATA, call.data);
    call.indices_or_null = read_operand(call, Role::INDICES, call.indices);
    call.updates_or_null = read_operand(call, Role::UPDATES, call.updates);
    call.axis = call.operation.attributes().axis;
    Operand axis;
    if (const strew_tensor *given = read_operand(call, Role::AXIS, axis))
        call.axis = read_integer(call.operation, *given);
    if (call.find(Role::STARTS))
        read_slice(call);
    if (version.combines_rows())
        read_attributes(call);
    // If updates need rank 0, OpenVINO takes any shape of one element.
    if (version.published->rules & STREW_RULE_ONE_ELEMENT_UPDATES && call.find(Role::UPDATES)->get_size() == 1 &&
        call.indices.tensor.rank == 1 && call.indices.shape[0] == call.data.tensor.rank)
        call.updates.tensor.rank = 0;
}

// The shape that strew gives the output, which for GatherND-5 is not yet flattened.
void infer_output(Call &call)
{
    strew_error error = {};
    strew_status status = STREW_STATUS_OK;
    const strew_tensor *data = &call.data.tensor, *indices = &call.indices.tensor, *updates = &call.updates.tensor;
    int64_t *shape = call.output.shape.data();
    int32_t *rank = &call.output.tensor.rank;
    const int64_t batch_dims = call.operation.attributes().batch_dims;
    switch (call.operation.version().published->kind) {
    case STREW_KIND_GATHER:
        status = strew_gather_shape(data, indices, call.axis, batch_dims, shape, rank, &error);
        break;
    case STREW_KIND_GATHER_ND:
        status = strew_gather_nd_shape(data, indices, batch_dims, shape, rank, &error);
        break;
    case STREW_KIND_GATHER_ELEMENTS:
        status = strew_gather_elements_shape(data, indices, call.axis, shape, rank, &error);
        break;
    case STREW_KIND_SCATTER:
        status = strew_scatter_shape(data, indices, updates, call.axis, 0, shape, rank, &error);
        break;
    case STREW_KIND_SCATTER_ND: status = strew_scatter_nd_shape(data, indices, updates, shape, rank, &error); break;
    case STREW_KIND_SLICE_SCATTER:
        status = strew_slice_scatter_shape(data, updates, &call.slice.slice, shape, rank, &error);
        break;
    case STREW_KIND_SCATTER_ELEMENTS:
        status = strew_scatter_elements_shape(data, indices, updates, call.axis, shape, rank, &error);
        break;
    default:
        status = strew_operator_shape(call.operation.version().published, &call.attributes, data,
                                      call.indices_or_null, nullptr, shape, rank, &error);
    }
    check(call.operation, status, error);
}

// How many leading dimensions of the output OpenVINO merges into one.
size_t flattened(const Call &call)
{
    const Version &version = call.operation.version();
    return version.published->rules & STREW_RULE_FLATTENS_BATCH
               ? static_cast<size_t>(std::max<int64_t>(call.operation.attributes().batch_dims, 1))
               : 1;
}

void read_output(Call &call, ov::Tensor &tensor)
{
    infer_output(call);
    Operand &output = call.output;
    const size_t merged = flattened(call), rank = static_cast<size_t>(output.tensor.rank);
    ov::Shape shape(output.shape.begin(), output.shape.begin() + rank);
    if (merged > 1) {
        const size_t product =
            std::accumulate(shape.begin(), shape.begin() + merged, size_t{1}, std::multiplies<>());
        shape.erase(shape.begin(), shape.begin() + merged - 1);
        shape.front() = product;
    }
    if (tensor.get_shape() != shape)
        tensor.set_shape(shape);
    output.tensor.data = tensor.get_size() ? tensor.data() : nullptr;
    output.tensor.dtype = call.data.tensor.dtype;
    output.tensor.shape = output.shape.data();
    set_strides(call.operation, output, tensor);
    if (merged > 1 && output.tensor.strides) {
        std::copy_backward(output.strides.begin(), output.strides.begin() + shape.size(),
                           output.strides.begin() + rank);
        for (size_t i = merged - 1; i-- > 0;)
            output.strides[i] = output.strides[i + 1] * output.shape[i + 1];
    }
}

strew_status plan_call(const Call &call, strew_plan &plan, const strew_plan_options &options)
{
    const Attributes &attributes = call.operation.attributes();
    const strew_tensor *data = &call.data.tensor, *indices = &call.indices.tensor, *updates = &call.updates.tensor,
                       *output = &call.output.tensor;
    switch (call.operation.version().published->kind) {
    case STREW_KIND_GATHER:
        return strew_plan_gather(&plan, data, indices, call.axis, attributes.batch_dims, output, &options);
    case STREW_KIND_GATHER_ND:
        return strew_plan_gather_nd(&plan, data, indices, attributes.batch_dims, output, &options);
    case STREW_KIND_GATHER_ELEMENTS:
        return strew_plan_gather_elements(&plan, data, indices, call.axis, output, &options);
    case STREW_KIND_SCATTER:
        return strew_plan_scatter(&plan, data, indices, updates, call.axis, 0, STREW_REDUCTION_NONE, true, output,
                                  &options);
    case STREW_KIND_SCATTER_ND:
        return strew_plan_scatter_nd(&plan, data, indices, updates, attributes.reduction, output, &options);
    case STREW_KIND_SLICE_SCATTER:
        return strew_plan_slice_scatter(&plan, data, updates, &call.slice.slice, output, &options);
    case STREW_KIND_SCATTER_ELEMENTS:
        return strew_plan_scatter_elements(&plan, data, indices, updates, call.axis, attributes.reduction,
                                           attributes.use_init_val, output, &options);
    default:
        return strew_operator_plan(&plan, call.operation.version().published, &call.attributes, data,
                                   call.indices_or_null, nullptr, output, &options);
    }
}

// Along an axis, the published version rules negative indices. In all other operations they count from the end, as
// in OpenVINO's own ones.
void set_bounds(const strew_operator &published, strew_plan_options &options)
{
    const bool is_along_axis = published.kind == STREW_KIND_GATHER || published.kind == STREW_KIND_SCATTER;
    if (is_along_axis && published.rules & STREW_RULE_REFUSES_NEGATIVE)
        options.flags = STREW_FLAG_REFUSE_NEGATIVE_INDICES;
    if (published.rules & STREW_RULE_ZERO_OUTSIDE)
        options.bounds = STREW_BOUNDS_SKIP;
}

const void *data_of(const strew_tensor *tensor)
{
    return tensor ? tensor->data : nullptr;
}

void make_plan(const Call &call, size_t threads, strew_plan &plan)
{
    strew_error error = {};
    strew_plan_options options = STREW_PLAN_OPTIONS_INIT;
    options.threads = threads;
    options.error = &error;
    set_bounds(*call.operation.version().published, options);
    check(call.operation, plan_call(call, plan, options), error);
}

// Whether the indices are a constant of the model, in the constant's own memory, as the CPU plugin passes them. A
// caller that evaluates a single node may pass others.
bool has_constant_indices(const Call &call)
{
    const size_t position = call.operation.version().find(Role::INDICES);
    if (!call.indices_or_null || position >= call.operation.get_input_size())
        return false;
    const auto *constant = ov::as_type<const ov::op::v0::Constant>(call.operation.get_input_node_ptr(position));
    return constant && constant->get_byte_size() > 0 && constant->get_data_ptr() == call.indices.tensor.data;
}

int64_t count_of(const strew_tensor &tensor)
{
    return std::accumulate(tensor.shape, tensor.shape + tensor.rank, int64_t{1}, std::multiplies<>());
}

bool is_dense(const Call &call)
{
    return !call.data.tensor.strides && !call.indices.tensor.strides && !call.output.tensor.strides &&
           !(call.updates_or_null && call.updates.tensor.strides);
}

// Whether an inspection pays: for tuples, and for scatters. Single indices gather about as fast without one, and
// long rows take so long that it makes no difference.
bool gains_by_inspection(const Call &call)
{
    constexpr int64_t long_row = 256;
    const strew_tensor &indices = call.indices.tensor;
    const strew_tensor &moved = call.updates_or_null ? call.updates.tensor : call.output.tensor;
    const strew_kind kind = call.operation.version().published->kind;
    const bool has_tuples = kind == STREW_KIND_GATHER_ND || kind == STREW_KIND_SCATTER_ND;
    if (call.operation.version().combines_rows() || !has_constant_indices(call) || count_of(indices) == 0 ||
        !is_dense(call))
        return false;
    const int64_t coordinates = has_tuples ? indices.shape[indices.rank - 1] : 1;
    const int64_t bytes = count_of(moved) * static_cast<int64_t>(strew_dtype_size(call.data.tensor.dtype));
    return (call.updates_or_null || coordinates > 1) && bytes / (count_of(indices) / coordinates) < long_row;
}

// The properties of a call that its plan depends on, except those of the operation.
Planned planned_for(const Call &call, size_t threads)
{
    Planned planned = {static_cast<int64_t>(threads), call.axis, call.data.tensor.dtype};
    for (const strew_tensor *tensor : {&call.data.tensor, call.updates_or_null})
        if (tensor) {
            planned.push_back(tensor->rank);
            planned.insert(planned.end(), tensor->shape, tensor->shape + tensor->rank);
        }
    return planned;
}

// The plan of a call, or one with indices that this call or another has inspected.
struct Runnable {
    strew_plan own;
    std::shared_ptr<const Inspection> inspection;

    const strew_plan &plan() const
    {
        return inspection ? inspection->plan : own;
    }
};

void make_runnable(const Call &call, size_t threads, Runnable &runnable)
{
    const bool gains = gains_by_inspection(call);
    const Planned planned = gains ? planned_for(call, threads) : Planned{};
    if (gains)
        runnable.inspection = call.operation.inspections().find(planned);
    if (runnable.inspection)
        return;
    make_plan(call, threads, runnable.own);
    if (gains)
        runnable.inspection = call.operation.inspections().add(planned, runnable.own, call.indices.tensor.data);
}

int64_t bytes_of(const strew_tensor *tensor)
{
    return tensor ? count_of(*tensor) * static_cast<int64_t>(strew_dtype_size(tensor->dtype)) : 0;
}

// The bytes that a call reads by its indices, and writes.
int64_t bytes_moved(const Call &call)
{
    const int64_t output = bytes_of(&call.output.tensor), indices = bytes_of(call.indices_or_null);
    if (!call.operation.version().combines_rows())
        return output + bytes_of(call.updates_or_null) + indices;
    const strew_tensor &data = call.data.tensor;
    const int64_t rows = data.rank > 0 ? std::max<int64_t>(data.shape[0], 1) : 1;
    const int64_t gathered = call.indices_or_null ? count_of(call.indices.tensor) : rows;
    return output + indices + gathered * (bytes_of(&data) / rows);
}

// The number of threads worth waking: a sleeping one is awake after another has moved about a mebibyte.
// docs/openvino.md has the measurement.
size_t useful_threads(const Call &call, size_t threads)
{
    constexpr int64_t bytes_for_a_thread = 1 << 20;
    const auto most = static_cast<size_t>(bytes_moved(call) / bytes_for_a_thread);
    return std::min(threads, std::max<size_t>(most, 1));
}

void run_call(const Call &call)
{
    strew_error error = {};
    strew_parallel parallel = current_threads();
    parallel.threads = useful_threads(call, parallel.threads);
    Runnable runnable;
    make_runnable(call, parallel.threads, runnable);
    const strew_plan &plan = runnable.plan();

    const size_t scratch_size = strew_plan_scratch_size(&plan, parallel.threads);
    Scratch scratch(scratch_size);
    strew_run_options options = STREW_RUN_OPTIONS_INIT;
    options.parallel = &parallel;
    options.scratch = scratch.data();
    options.scratch_size = scratch_size;
    options.error = &error;
    strew_buffers buffers = {};
    buffers.data = call.data.tensor.data;
    buffers.indices = runnable.inspection ? runnable.inspection->storage.data() : data_of(call.indices_or_null);
    buffers.updates = data_of(call.updates_or_null);
    buffers.segments = data_of(call.attributes.segments);
    buffers.weights = data_of(call.attributes.weights);
    buffers.output = call.output.tensor.data;
    check(call.operation, strew_plan_run(&plan, &buffers, &options), error);
    inspected_evaluations.fetch_add(runnable.inspection != nullptr, std::memory_order_relaxed);
}

} // namespace

strew_dtype dtype_of(const ov::element::Type &type)
{
    switch (type) {
    case ov::element::boolean: return STREW_DTYPE_BOOL;
    case ov::element::i8: return STREW_DTYPE_INT8;
    case ov::element::i16: return STREW_DTYPE_INT16;
    case ov::element::i32: return STREW_DTYPE_INT32;
    case ov::element::i64: return STREW_DTYPE_INT64;
    case ov::element::u8: return STREW_DTYPE_UINT8;
    case ov::element::u16: return STREW_DTYPE_UINT16;
    case ov::element::u32: return STREW_DTYPE_UINT32;
    case ov::element::u64: return STREW_DTYPE_UINT64;
    case ov::element::f16: return STREW_DTYPE_FLOAT16;
    case ov::element::bf16: return STREW_DTYPE_BFLOAT16;
    case ov::element::f32: return STREW_DTYPE_FLOAT32;
    case ov::element::f64: return STREW_DTYPE_FLOAT64;
    default: return STREW_DTYPE_NONE;
    }
}

void run(const Operation &operation, ov::TensorVector &outputs, const ov::TensorVector &inputs)
{
    Call call{operation, inputs, {}, {}, {}, {}, {}, {}, nullptr, nullptr, 0, {}, {}};
    read_inputs(call);
    read_output(call, outputs.at(0));
    run_call(call);
    evaluations.fetch_add(1, std::memory_order_relaxed);
}

uint64_t calls()
{
    return evaluations.load(std::memory_order_relaxed);
}

uint64_t inspected_calls()
{
    return inspected_evaluations.load(std::memory_order_relaxed);
}

} // namespace strew::openvino
