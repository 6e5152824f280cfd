// <strew/strew.hpp>: each of its functions gives the numbers of the C function, and throws if that one refuses.
#include <array>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <strew/strew.hpp>

#if __cplusplus >= 202002L
#include <span>
#endif

namespace
{

using strew::In;
using strew::Out;

void expect(bool holds, const char *what, int line)
{
    if (holds)
        return;
    std::fprintf(stderr, "line %d: not so: %s\n", line, what);
    std::exit(EXIT_FAILURE);
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)

template <typename Function> strew_error refusal(Function function)
{
    try {
        function();
    } catch (const strew::Error &error) {
        EXPECT(std::string(error.what()).find("%") == std::string::npos);
        EXPECT(error.status() == error.details().status);
        return error.details();
    }
    return {};
}

void dtypes_follow_from_types()
{
    static_assert(strew::dtype_of<bool>() == STREW_DTYPE_BOOL);
    static_assert(strew::dtype_of<std::int8_t>() == STREW_DTYPE_INT8);
    static_assert(strew::dtype_of<std::int16_t>() == STREW_DTYPE_INT16);
    static_assert(strew::dtype_of<const std::int32_t>() == STREW_DTYPE_INT32);
    static_assert(strew::dtype_of<long long>() == STREW_DTYPE_INT64);
    static_assert(strew::dtype_of<std::uint8_t>() == STREW_DTYPE_UINT8);
    static_assert(strew::dtype_of<std::uint16_t>() == STREW_DTYPE_UINT16);
    static_assert(strew::dtype_of<std::uint32_t>() == STREW_DTYPE_UINT32);
    static_assert(strew::dtype_of<std::uint64_t>() == STREW_DTYPE_UINT64);
    static_assert(strew::dtype_of<double>() == STREW_DTYPE_FLOAT64);
    static_assert(strew::dtype_of<std::complex<float>>() == STREW_DTYPE_COMPLEX64);
    static_assert(strew::dtype_of<std::complex<double>>() == STREW_DTYPE_COMPLEX128);
}

void gathers_give_what_indices_name()
{
    const std::vector<float> data = {1, 2, 3, 4, 5, 6};
    const std::array<int, 2> rows = {2, -3};
    std::vector<float> output(4), elements(2);

    strew::gather(In(data, {3, 2}), In(rows), Out(output, {2, 2}));
    EXPECT((output == std::vector<float>{5, 6, 1, 2}));
    strew::gather(In(data, {2, 3}), In(rows), Out(output, {2, 2}), 1);
    EXPECT((output == std::vector<float>{3, 1, 6, 4}));
    strew::gather_nd(In(data, {3, 2}), In(rows, {2, 1}), Out(output, {2, 2}));
    EXPECT((output == std::vector<float>{5, 6, 1, 2}));
    strew::gather_elements(In(data, {3, 2}), In(rows, {1, 2}), 0, Out(elements, {1, 2}));
    EXPECT((elements == std::vector<float>{5, 2}));
}

void scatters_change_what_indices_name()
{
    std::vector<int> data(6), updates = {1, 2, 3, 4};
    const std::vector<std::int64_t> rows = {2, -1};
    const Out tensor(data, std::vector<int>{3, 2});

    strew::scatter(tensor, In(rows), In(updates, {2, 2}), STREW_REDUCTION_SUM);
    EXPECT((data == std::vector<int>{0, 0, 0, 0, 4, 6}));
    strew::scatter_nd(tensor, In(rows, {2, 1}), In(updates, {2, 2}));
    EXPECT((data == std::vector<int>{0, 0, 0, 0, 3, 4}));
    strew::scatter_elements(tensor, In(rows, {1, 2}), In(updates.data(), {1, 2}), 0, STREW_REDUCTION_MAX);
    EXPECT((data == std::vector<int>{0, 0, 0, 0, 3, 4}));
}

void strides_and_dtypes_are_passed()
{
    const std::vector<std::uint16_t> halves = {0x3c00, 0x4000, 0x4200, 0x4400};
    const std::vector<int> index = {1};
    std::vector<std::uint16_t> output(2);
    const Out result(STREW_DTYPE_FLOAT16, output.data(), {1, 2});
    strew::gather(In(STREW_DTYPE_FLOAT16, halves.data(), {2, 2}, {1, 2}), In(index), result);
    EXPECT((output == std::vector<std::uint16_t>{0x4000, 0x4400}));
}

void any_function_of_c_is_called()
{
    const std::vector<float> data = {1, 2, 3}, weights = {2, 10};
    const std::vector<int> indices = {0, 2};
    std::vector<float> output(1);
    strew::call(strew_embedding_bag_packed, In(data, {3, 1}), In(indices, {1, 2}), In(weights, {1, 2}),
                STREW_REDUCTION_SUM, Out(output, {1, 1}));
    EXPECT(output[0] == 32);
    strew::call(strew_embedding_bag_packed, In(data, {3, 1}), In(indices, {1, 2}), nullptr, STREW_REDUCTION_SUM,
                Out(output, {1, 1}));
    EXPECT(output[0] == 4);
    const auto shape = strew::shape_of(strew_gather_nd_shape, In(data, {3, 1}), In(indices, {2, 1}), 0);
    EXPECT((shape == std::vector<std::int64_t>{2, 1}));
}

void plans_run_again()
{
    const strew_plan_options planning = STREW_PLAN_OPTIONS_INIT;
    const float *nothing = nullptr;
    std::vector<float> data(4), updates = {3, 6};
    const std::vector<int> indices = {1, 1};
    const strew::Plan mean(planning, strew_plan_scatter, Out(data), In(indices), In(nothing, {2}), 0, 0,
                           STREW_REDUCTION_MEAN, false, Out(data));
    std::vector<char> scratch(mean.scratch_size());
    strew_run_options running = STREW_RUN_OPTIONS_INIT;
    running.scratch = scratch.data();
    running.scratch_size = scratch.size();
    const strew_buffers buffers = {data.data(), indices.data(), updates.data(), data.data(), nullptr, nullptr};
    for (int run = 0; run < 2; run++) {
        mean.run(buffers, running);
        EXPECT((data == std::vector<float>{0, 4.5F, 0, 0}));
    }
    EXPECT(refusal([&] { mean.run(buffers); }).operand == STREW_OPERAND_SCRATCH);
}

void refusals_are_exceptions()
{
    std::vector<float> data(4), rows(1);
    const std::vector<int> wrong = {4};
    const auto index = refusal([&] { strew::gather(In(data), In(wrong), Out(rows)); });
    EXPECT(index.status == STREW_STATUS_INDEX_OUT_OF_BOUNDS && index.value == 4 && index.upper == 3);
    const auto shape = refusal([&] { strew::gather(In(data), In(wrong), Out(data)); });
    EXPECT(shape.status == STREW_STATUS_SHAPE_MISMATCH);
    EXPECT(refusal([&] { strew::shape_of(strew_gather_shape, In(data), In(wrong), 7, 0); }).status ==
           STREW_STATUS_INVALID_ARGUMENT);
    strew_options unknown = STREW_OPTIONS_INIT;
    unknown.struct_size = 1;
    EXPECT(refusal([&] { strew::gather(In(data), In(wrong), Out(rows), 0, 0, unknown); }).status ==
           STREW_STATUS_INVALID_ARGUMENT);
    strew_options clamped = STREW_OPTIONS_INIT;
    clamped.bounds = STREW_BOUNDS_CLAMP;
    strew::gather(In(data), In(wrong), Out(rows), 0, 0, clamped);
}

void what_no_tensor_has_is_refused()
{
    float number = 0;
    int refused = 0;
    try {
        Out(&number, std::vector<int>(STREW_MAX_RANK + 1, 1));
    } catch (const std::invalid_argument &) {
        refused++;
    }
    try {
        Out(&number, {1, 1}, {1});
    } catch (const std::invalid_argument &) {
        refused++;
    }
    EXPECT(refused == 2);
}

void spans_are_containers()
{
#if __cplusplus >= 202002L
    std::vector<float> data = {1, 2, 3}, rows(2);
    const std::array<int, 2> indices = {2, 0};
    strew::gather(In(std::span(data)), In(std::span(indices)), Out(std::span(rows)));
    EXPECT((rows == std::vector<float>{3, 1}));
#endif
}

} // namespace

int main()
{
    dtypes_follow_from_types();
    gathers_give_what_indices_name();
    scatters_change_what_indices_name();
    strides_and_dtypes_are_passed();
    any_function_of_c_is_called();
    plans_run_again();
    refusals_are_exceptions();
    what_no_tensor_has_is_refused();
    spans_are_containers();
}
