/**
 * @file
 * strew for C++17: tensors with their shapes, errors as exceptions. Everything is inline and calls <strew/strew.h>,
 * whose comments define shapes, errors and results. Nothing allocates but errors and strew::shape_of.
 *
 *     std::vector<float> table(6 * 2), rows(3 * 2);
 *     std::vector<std::int32_t> words = {2, 0, -4};
 *     strew::gather(strew::In(table, {6, 2}), strew::In(words), strew::Out(rows, {3, 2}));
 *
 * strew::call calls the functions that have no wrapper here. It takes the C function and its arguments:
 *
 *     strew::call(strew_slice_scatter, data, updates, &slice, output);
 */
#ifndef STREW_STREW_HPP
#define STREW_STREW_HPP

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <strew/strew.h>

namespace strew
{

/* clang-format off */
/** Thrown by a call that is refused. what() is the sentence of strew_error_message. */
class Error : public std::runtime_error
{
  public:
    /** The error of a call. */
    explicit Error(const strew_error &error) : std::runtime_error(message(error)), error_(error) {}

    /** Why: STREW_STATUS_INDEX_OUT_OF_BOUNDS and so on. */
    strew_status status() const noexcept { return error_.status; }

    /** The operand at fault, the value found, and the position of a bad index. */
    const strew_error &details() const noexcept { return error_; }

  private:
    static std::string message(const strew_error &error)
    {
        std::string text(strew_error_message(&error, nullptr, 0), '\0');
        strew_error_message(&error, text.data(), text.size() + 1);
        return text;
    }

    strew_error error_;
};
/* clang-format on */

/**
 * The dtype of a C++ type: bool, integers, float, double and complex numbers of those. For halves and other types
 * without a C++ type, name the dtype where you make the tensor.
 */
template <typename T> constexpr strew_dtype dtype_of()
{
    using Type = std::remove_cv_t<T>;
    if constexpr (std::is_same_v<Type, bool>)
        return STREW_DTYPE_BOOL;
    else if constexpr (std::is_integral_v<Type>) {
        constexpr strew_dtype first = std::is_signed_v<Type> ? STREW_DTYPE_INT8 : STREW_DTYPE_UINT8;
        return first + (sizeof(Type) > 1) + (sizeof(Type) > 2) + (sizeof(Type) > 4);
    } else if constexpr (std::is_same_v<Type, float>)
        return STREW_DTYPE_FLOAT32;
    else if constexpr (std::is_same_v<Type, double>)
        return STREW_DTYPE_FLOAT64;
    else if constexpr (std::is_same_v<Type, std::complex<float>>)
        return STREW_DTYPE_COMPLEX64;
    else {
        static_assert(std::is_same_v<Type, std::complex<double>>, "name the dtype of this type");
        return STREW_DTYPE_COMPLEX128;
    }
}

/** A list of dimensions or strides: {2, 3}, or any container of integers where a template takes one. */
using Extents = std::initializer_list<std::int64_t>;

template <typename Void> class Tensor;

namespace detail
{

/* The dtype, shape and strides of a tensor. */
class Layout
{
  public:
    template <typename Shape>
    Layout(strew_dtype dtype, const Shape &shape, Extents strides)
        : dtype_(dtype), rank_(fill(shape_, shape)), has_strides_(strides.size() > 0)
    {
        if (has_strides_ && fill(strides_, strides) != rank_)
            throw std::invalid_argument("strew: a tensor needs as many strides as dimensions");
    }

    strew_tensor view(void *data) const noexcept
    {
        return {data, dtype_, rank_, shape_.data(), has_strides_ ? strides_.data() : nullptr};
    }

  private:
    using Numbers = std::array<std::int64_t, STREW_MAX_RANK>;

    template <typename List> static std::int32_t fill(Numbers &numbers, const List &list)
    {
        if (list.size() > numbers.size())
            throw std::invalid_argument("strew: a tensor has at most 32 dimensions");
        std::size_t count = 0;
        for (const auto number : list)
            numbers[count++] = static_cast<std::int64_t>(number);
        return static_cast<std::int32_t>(count);
    }

    Numbers shape_{}, strides_{};
    strew_dtype dtype_;
    std::int32_t rank_;
    bool has_strides_;
};

inline void check(strew_status status, strew_error &error)
{
    if (status == STREW_STATUS_OK)
        return;
    error.status = status; /* options of another version leave it alone */
    throw Error(error);
}

/* clang-format off */
/* Turns an argument into that of the function of C. A tensor lives as long as the whole call. */
struct View {
    strew_tensor tensor;
    operator const strew_tensor *() const noexcept { return &tensor; }
};
template <typename T> View pass(const Tensor<T> &tensor) noexcept { return {tensor.view()}; }
template <typename T> T pass(T argument) noexcept { return argument; }

} // namespace detail

/**
 * A view of memory that you own, with a shape of its own. Strides count elements; without them the tensor is
 * contiguous and row-major. A container is a tensor of rank 1 if no shape is given. The shape must not have more
 * elements than the memory: neither strew nor this class can check that.
 */
template <typename Void> class Tensor
{
  public:
    Tensor(Void *data, const detail::Layout &layout) : data_(data), layout_(layout) {} /**< all others call this one */

    /** Makes a tensor of a pointer. */
    template <typename T, typename Shape = Extents>
    Tensor(T *data, const Shape &shape, Extents strides = {}) : Tensor(data, {dtype_of<T>(), shape, strides}) {}

    /** The same with a dtype: for halves, 8-bit floats, packed and opaque elements. */
    template <typename Shape = Extents>
    Tensor(strew_dtype dtype, Void *data, const Shape &shape, Extents strides = {})
        : Tensor(data, {dtype, shape, strides}) {}

    /** Makes a tensor of a container. */
    template <typename List, typename = decltype(std::data(std::declval<List &>())), typename Shape = Extents>
    Tensor(List &&list, const Shape &shape) : Tensor(std::data(list), shape) {}

    /** Makes a tensor of rank 1 of a container. */
    template <typename List, typename = decltype(std::data(std::declval<List &>()))>
    explicit Tensor(List &&list) : Tensor(list, {static_cast<std::int64_t>(std::size(list))}) {}

    /** An output can be used as an input. */
    operator Tensor<const void>() const { return {data_, layout_}; }

    /** The same tensor for a function of C. It refers to this object; an input is never written. */
    strew_tensor view() const noexcept { return layout_.view(const_cast<void *>(data_)); }

  private:
    Void *data_;
    detail::Layout layout_;
};

/** A tensor that a call only reads. */
using In = Tensor<const void>;
/** A tensor that a call writes, and may read: the output, or data of a scatter in place. */
using Out = Tensor<void>;
/* clang-format on */

/**
 * Calls an operator of C with these arguments, all but the options, and throws an Error if it refuses. Options come
 * first; those of a call are the defaults, STREW_OPTIONS_INIT, with what you set. Their `error` is not used.
 */
template <typename Function, typename... Arguments>
void call(strew_options options, Function function, const Arguments &...arguments)
{
    strew_error error{};
    options.error = &error;
    detail::check(function(detail::pass(arguments)..., &options), error);
}
/** The same with all defaults. */
template <typename Function, typename... Arguments, std::enable_if_t<std::is_pointer_v<Function>, int> = 0>
void call(Function function, const Arguments &...arguments)
{
    call(strew_options STREW_OPTIONS_INIT, function, arguments...);
}

/** The shape of an output: shape_of(strew_gather_nd_shape, data, indices, 0). Throws as the operator does. */
template <typename Function, typename... Arguments>
std::vector<std::int64_t> shape_of(Function function, const Arguments &...arguments)
{
    strew_error error{};
    std::int32_t rank = 0;
    std::vector<std::int64_t> shape(STREW_MAX_RANK);
    detail::check(function(detail::pass(arguments)..., shape.data(), &rank, &error), error);
    shape.resize(static_cast<std::size_t>(rank));
    return shape;
}

/** strew_gather: output[t] = data[indices[t]] along an axis. */
inline void gather(const In &data, const In &indices, const Out &output, std::int64_t axis = 0,
                   std::int64_t batch_dims = 0, const strew_options &with = STREW_OPTIONS_INIT)
{
    call(with, strew_gather, data, indices, axis, batch_dims, output);
}

/** strew_gather_nd: output[t] = data[indices[t, 0], ..., indices[t, k-1]]. */
inline void gather_nd(const In &data, const In &indices, const Out &output, std::int64_t batch_dims = 0,
                      const strew_options &with = STREW_OPTIONS_INIT)
{
    call(with, strew_gather_nd, data, indices, batch_dims, output);
}

/** strew_gather_elements: output[i][j] = data[indices[i][j]][j], here for axis 0. */
inline void gather_elements(const In &data, const In &indices, std::int64_t axis, const Out &output,
                            const strew_options &with = STREW_OPTIONS_INIT)
{
    call(with, strew_gather_elements, data, indices, axis, output);
}

/** strew_scatter in place: data[indices[t]] (reduction)= updates[t] along an axis. */
inline void scatter(const Out &data, const In &indices, const In &updates,
                    strew_reduction reduction = STREW_REDUCTION_NONE, std::int64_t axis = 0,
                    const strew_options &with = STREW_OPTIONS_INIT)
{
    call(with, strew_scatter, data, indices, updates, axis, std::int64_t{0}, reduction, true, data);
}

/** strew_scatter_nd in place: data[indices[t, 0], ..., indices[t, k-1]] (reduction)= updates[t]. */
inline void scatter_nd(const Out &data, const In &indices, const In &updates,
                       strew_reduction reduction = STREW_REDUCTION_NONE,
                       const strew_options &with = STREW_OPTIONS_INIT)
{
    call(with, strew_scatter_nd, data, indices, updates, reduction, data);
}

/** strew_scatter_elements in place: data[indices[i][j]][j] (reduction)= updates[i][j], here for axis 0. */
inline void scatter_elements(const Out &data, const In &indices, const In &updates, std::int64_t axis,
                             strew_reduction reduction = STREW_REDUCTION_NONE,
                             const strew_options &with = STREW_OPTIONS_INIT)
{
    call(with, strew_scatter_elements, data, indices, updates, axis, reduction, true, data);
}

/**
 * A plan, which runs many times. It is made by a function of C and its arguments, whose pointers it does not read:
 * Plan(options, strew_plan_gather_nd, data, indices, 0, output).
 */
class Plan
{
  public:
    /** Throws an Error if the function refuses. */
    template <typename Function, typename... Arguments>
    Plan(strew_plan_options options, Function function, const Arguments &...arguments)
    {
        strew_error error{};
        options.error = &error;
        detail::check(function(&plan_, detail::pass(arguments)..., &options), error);
    }

    /** Runs it on these pointers. Throws an Error if an index is out of bounds. */
    void run(const strew_buffers &buffers, strew_run_options options = STREW_RUN_OPTIONS_INIT) const
    {
        strew_error error{};
        options.error = &error;
        detail::check(strew_plan_run(&plan_, &buffers, &options), error);
    }

    /** The bytes of scratch with which it runs fastest on that many threads. */
    std::size_t scratch_size(std::size_t threads = 1) const
    {
        return strew_plan_scratch_size(&plan_, threads);
    }

  private:
    strew_plan plan_;
};

} // namespace strew

#endif
