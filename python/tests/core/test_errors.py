"""Refusals: their classes, fields and messages, and the operands that they leave unchanged."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import strew


def refusal(function: Any, *arguments: Any, **options: Any) -> strew.Error:
    """The exception of a call that strew refuses."""
    with pytest.raises(strew.Error) as caught:
        function(*arguments, **options)
    return caught.value


def test_an_index_out_of_bounds_has_all_fields() -> None:
    error = refusal(strew.gather_nd, np.zeros((4, 3)), np.array([[0, 1], [2, -1], [3, 3], [9, 9]]))
    assert isinstance(error, IndexError)
    assert isinstance(error, strew.BoundsError)
    assert str(error) == "indices[2][1] is 3, outside [-3, 2] for dimension 1 of data"
    assert (error.status, error.operand, error.other) == ("index_out_of_bounds", "indices", "data")
    assert (error.position, error.dimension) == ((2, 1), 1)
    assert (error.value, error.lower, error.upper) == (3, -3, 2)


def test_an_index_along_an_axis_has_all_fields() -> None:
    data, indices = np.zeros((2, 4, 3)), np.array([[0, 1, 2], [3, -5, 9]])
    for error in (
        refusal(strew.gather, data, indices, axis=1, batch_dims=1),
        refusal(strew.gather, data, indices, axis=1, mode="stop"),
        refusal(strew.scatter, data, indices, np.zeros((2, 3, 3)), axis=1, batch_dims=1),
        refusal(strew.plan_gather(data, indices, axis=1), data, indices),
    ):
        assert str(error) == "indices[1][1] is -5, outside [-4, 3] for dimension 1 of data"
        assert (error.operand, error.other, error.position, error.dimension) == ("indices", "data", (1, 1), 1)
        assert (error.value, error.lower, error.upper) == (-5, -4, 3)


@pytest.mark.parametrize("name", ["gather", "gather_nd", "gather_elements", "scatter", "scatter_nd", "scatter_elements"])
def test_policies_that_are_none(name: str) -> None:
    data, indices = np.zeros((2, 2)), np.zeros((2, 2), int)
    function: Any = getattr(strew, name)
    arguments = [data, indices] + [data] * name.startswith("scatter")
    error = refusal(function, *arguments, mode="ignore")
    assert (error.status, error.operand) == ("invalid_argument", "mode")
    assert str(error) == "mode is 'ignore', which is none of raise, promise_in_bounds, stop, fill, drop, clip, wrap"
    with pytest.raises(TypeError, match="mode must be a str, not NoneType"):
        function(*arguments, mode=None)
    if name.startswith("scatter"):
        with pytest.raises(TypeError, match="has no argument 'fill_value'"):
            function(*arguments, fill_value=0)


FILLS: list[tuple[str, Any, str, str]] = [
    ("f8", np.float32(1), "dtype_mismatch", "fill_value is of float32 (4 bytes), data of float64 (8 bytes)"),
    ("f8", np.zeros(1), "shape_mismatch", "fill_value has rank 1, and must be a single element"),
    ("f8", 2j, "dtype_mismatch", "fill_value is 2j, which no element of float64 can be"),
    ("i4", 1.0, "dtype_mismatch", "fill_value is 1.0, which no element of int32 can be"),
    ("i1", 300, "invalid_argument", "fill_value is 300, which no element of int8 can be"),
    ("u1", -1, "invalid_argument", "fill_value is -1, which no element of uint8 can be"),
    ("?", 1, "dtype_mismatch", "fill_value is 1, which no element of bool can be"),
    ("M8[s]", 1, "dtype_mismatch", "fill_value is 1, which no element of datetime64[s] can be"),
    ("M8[s]", np.datetime64(1, "D"), "dtype_mismatch", "fill_value has dtype datetime64[D], data has datetime64[s]"),
]


@pytest.mark.parametrize(("dtype", "fill", "status", "message"), FILLS)
def test_fills_that_do_not_fit(dtype: str, fill: Any, status: str, message: str) -> None:
    error = refusal(strew.gather, np.zeros(3, dtype), np.array([9]), mode="fill", fill_value=fill)
    assert (error.status, error.operand, str(error)) == (status, "fill_value", message)


def test_a_fill_is_a_number_or_an_array() -> None:
    with pytest.raises(TypeError, match="^fill_value is "):
        strew.gather(np.zeros(3), np.array([9]), fill_value="none")  # type: ignore[call-overload]
    error = refusal(strew.run, "ScatterND-18", np.zeros(3), np.array([[0]]), np.zeros(1), fill_value=1)
    assert (error.operand, str(error)) == ("fill_value", "ScatterND-18 takes no fill_value: it scatters")


def test_a_large_unsigned_index_keeps_its_value() -> None:
    error = refusal(strew.gather_elements, np.zeros(3), np.array([2**64 - 1], np.uint64))
    assert error.value == 2**64 - 1


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_first_bad_index_is_named_whatever_the_threads(threads: int) -> None:
    indices = np.zeros(500_000, np.int64)
    indices[[123_456, 400_000]] = 7
    error = refusal(strew.scatter_elements, np.zeros(3), indices, np.ones(500_000), num_threads=threads)
    assert (error.position, error.value) == ((123_456,), 7)


def test_shapes_that_do_not_fit() -> None:
    error = refusal(strew.scatter_nd, np.zeros((4, 3)), np.array([[1], [2]]), np.zeros((2, 5)))
    assert isinstance(error, ValueError)
    assert isinstance(error, strew.ArgumentError)
    assert (error.status, error.operand, error.other) == ("shape_mismatch", "updates", "data")
    assert (error.dimension, error.value, error.lower) == (1, 5, 3)
    assert error.position == ()


def test_dtypes_that_do_not_fit() -> None:
    error = refusal(strew.scatter_elements, np.zeros(3), np.array([1]), np.zeros(1, np.float32))
    assert isinstance(error, TypeError)
    assert (error.status, error.operand, error.other) == ("dtype_mismatch", "updates", "data")
    error = refusal(strew.gather_elements, np.zeros(3), np.array([1.0]))
    assert (error.status, error.operand) == ("unsupported_dtype", "indices")
    error = refusal(strew.scatter_elements, np.zeros(3, complex), np.array([1]), np.zeros(1, complex), reduction="max")
    assert isinstance(error, TypeError)
    assert (error.status, error.operand) == ("unsupported_reduction", "reduction")
    error = refusal(strew.scatter_nd, np.zeros(3), np.array([[1]]), np.zeros(1), reduction="mean")
    assert error.status == "unsupported_reduction"


def test_values_outside_their_range() -> None:
    data, indices = np.zeros((2, 3)), np.zeros((2, 3), int)
    error = refusal(strew.gather_elements, data, indices, axis=2)
    assert (error.status, error.operand, error.value, error.lower, error.upper) == (
        "invalid_argument",
        "axis",
        2,
        -2,
        1,
    )
    error = refusal(strew.gather_nd, data, indices, batch_dims=-1)
    assert (error.status, error.operand) == ("invalid_argument", "batch_dims")
    error = refusal(strew.gather_elements, data, indices, axis=2**70)
    assert (error.status, error.operand) == ("invalid_argument", "axis")
    error = refusal(strew.scatter_nd, data, indices, data, reduction="median")
    assert "'median'" in str(error)
    assert all(name in str(error) for name in ("none", "sum (add)", "sub", "prod (mul)", "min", "max", "mean"))
    error = refusal(strew.scatter_nd, data, indices, data, reduction="sum\0")
    assert (error.operand, str(error)) == ("reduction", "reduction is 'sum\\x00', which holds a null character")
    error = refusal(strew.run, "GatherND-8\0", data, indices)
    assert error.operand == "operator"
    for threads in (0, -1, 2**70):
        error = refusal(strew.gather_nd, data, indices, num_threads=threads)
        assert isinstance(error, ValueError)
        assert str(error) == f"num_threads is {threads}, outside [1, 1024]"


def test_arrays_of_too_many_dimensions() -> None:
    deep = np.zeros((1,) * 33)
    assert refusal(strew.gather_nd, deep, np.zeros((1, 1), int)).operand == "data"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"axes": 0}, r"gather_elements\(\) has no argument 'axes'; it takes data, indices, axis, mode, "),
        ({"batch_dims": 0}, "has no argument 'batch_dims'"),
        ({"data": 0}, r"gather_elements\(\) has its argument 'data' twice"),
        ({"axis": 1.0}, "axis must be an int, not float"),
        ({"axis": None}, "axis must be an int, not NoneType"),
        ({"num_threads": "two"}, "num_threads must be an int or None, not str"),
    ],
)
def test_arguments_of_wrong_types(options: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        strew.gather_elements(np.zeros(3), np.zeros(1, int), **options)


def test_arguments_that_lack_or_are_too_many() -> None:
    data: Any = np.zeros(3)
    with pytest.raises(TypeError, match=r"gather_nd\(\) lacks its argument 'indices'"):
        strew.gather_nd(data)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match=r"gather_nd\(\) takes 2 arguments by position, and was given 3"):
        strew.gather_nd(data, data, 0)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="updates must be an array"):
        strew.scatter_nd(data, np.zeros((1, 1), int), None)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="reduction must be a str, not int"):
        strew.scatter_nd(data, np.zeros((1, 1), int), data[:1], reduction=1)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="use_init_val must be a bool, not str"):
        strew.scatter_elements(data, np.zeros(1, int), data[:1], use_init_val="no")  # type: ignore[call-overload]


def test_arguments_may_all_have_their_names() -> None:
    data = np.arange(3.0)
    assert strew.gather_elements(indices=np.array([2]), data=data).tolist() == [2]
    name = "".join(["ax", "is"])  # no interned string
    assert strew.gather_elements(data, np.array([1]), **{name: np.int64(0)}).tolist() == [1]
    result = strew.scatter_elements(data, np.array([1]), data[2:], reduction="sum", use_init_val=np.bool_(False))
    assert result.tolist() == [0, 2, 2]


@pytest.mark.parametrize("large", [False, True])
def test_a_refused_call_leaves_arrays_as_they_were(large: bool) -> None:
    count = 400_000 if large else 4
    data, indices, updates = np.zeros(5), np.zeros(count, np.int64), np.ones(count)
    indices[-1] = 5
    for out in (data, np.full(5, 7.0)):
        refusal(strew.scatter_elements, data, indices, updates, reduction="sum", out=out)
        assert data.tolist() == [0] * 5
        assert updates.tolist() == [1] * count


def test_errors_are_pickled_with_their_fields() -> None:
    error = refusal(strew.gather_elements, np.zeros(3), np.array([5]))
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is strew.BoundsError
    assert (str(again), vars(again)) == (str(error), vars(error))


def test_the_classes() -> None:
    for kind, also in (
        (strew.ArgumentError, ValueError),
        (strew.DtypeError, TypeError),
        (strew.BoundsError, IndexError),
    ):
        assert issubclass(kind, strew.Error)
        assert issubclass(kind, also)
        assert kind.__module__ == "strew"
