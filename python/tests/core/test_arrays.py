"""The arrays that strew takes: strides, byte order, outputs, buffers."""

from __future__ import annotations

import array
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy_loops import assert_same

import strew

DATA = np.arange(24.0).reshape(4, 6)
VIEWS = {
    "transposed": DATA.T,
    "reversed": DATA[::-1, ::-1],
    "every other": DATA[::2, 1::2],
    "repeated": np.broadcast_to(DATA[0], (5, 6)),
    "one row": DATA[2:3],
    "inner": DATA[1:3, 2:5],
    "Fortran": np.asfortranarray(DATA),
}


@pytest.mark.parametrize("data", VIEWS.values(), ids=VIEWS.keys())
@pytest.mark.parametrize("turn", [False, True])
def test_inputs_of_any_strides(data: np.ndarray, turn: bool) -> None:
    indices = np.random.default_rng(1).integers(0, len(data), (3, data.shape[1]))
    if turn:
        indices = np.asfortranarray(indices)[::-1]
    expected = np.take_along_axis(data, indices, 0)
    assert_same(strew.gather_elements(data, indices), expected)
    assert_same(strew.gather_nd(data, indices[:, :1]), data[indices[:, 0]])
    updates = np.asfortranarray(np.arange(3.0 * data.shape[1]).reshape(3, -1))[:, ::-1]
    expected = data.copy()
    np.put_along_axis(expected, indices, updates, 0)
    assert_same(strew.scatter_elements(data, indices, updates), expected)


def test_unaligned_memory() -> None:
    data = np.frombuffer(bytearray(1 + 8 * 5), np.uint8)[1:].view(np.float64)
    data[:] = [1, 2, 3, 4, 5]
    assert not data.flags.aligned
    assert strew.gather_elements(data, np.array([4, 0])).tolist() == [5, 1]


def test_read_only_inputs() -> None:
    data, indices = np.arange(4.0), np.array([3])
    data.flags.writeable = indices.flags.writeable = False
    assert strew.gather_elements(data, indices).tolist() == [3]


# ---- Outputs ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [np.asfortranarray, lambda a: np.repeat(a, 2, 1)[:, ::2], lambda a: a[::-1]])
def test_outputs_of_any_strides(make: Any) -> None:
    indices = np.array([[3, 0, 1, 1, 2, 3]])
    out = make(np.zeros((1, 6)))
    assert strew.gather_elements(DATA, indices, out=out) is out
    assert_same(np.ascontiguousarray(out), np.take_along_axis(DATA, indices, 0))
    out = make(np.zeros_like(DATA))
    assert strew.scatter_nd(DATA, np.array([[1]]), np.zeros((1, 6)), out=out) is out
    assert out.tolist() == [*DATA[:1].tolist(), [0] * 6, *DATA[2:].tolist()]


@pytest.mark.parametrize("view", [lambda a: a, lambda a: a.T, lambda a: a[::-1, 1:4]])
def test_in_place(view: Any) -> None:
    memory = DATA.copy()
    data = view(memory)
    expected = memory.copy()
    view(expected)[1] += 2
    updates = np.full((2, data.shape[1]), 1.0)
    assert strew.scatter_nd(data, np.array([[1], [1]]), updates, reduction="sum", out=data) is data
    assert_same(memory, expected)


def test_in_place_by_another_view_of_the_same_memory() -> None:
    data = np.zeros(4)
    assert strew.scatter_nd(data, np.array([[2]]), np.ones(1), out=data[:]).tolist() == [0, 0, 1, 0]
    assert data.tolist() == [0, 0, 1, 0]


def refused(kind: type[strew.Error], status: str, operand: str, **arguments: Any) -> str:
    """Calls scatter_nd with some arrays replaced, and returns the message of its refusal."""
    given: dict[str, Any] = {"data": np.zeros(4), "indices": np.array([[1]]), "updates": np.ones(1), **arguments}
    with pytest.raises(kind) as caught:
        strew.scatter_nd(**given)
    assert (caught.value.status, caught.value.operand) == (status, operand)
    return str(caught.value)


def test_outputs_that_are_refused() -> None:
    locked = np.zeros(4)
    locked.flags.writeable = False
    assert refused(strew.ArgumentError, "invalid_argument", "output", out=locked) == "output is read-only"
    assert locked.tolist() == [0] * 4
    refused(strew.ArgumentError, "invalid_argument", "output", out=b"0123")
    refused(strew.ArgumentError, "shape_mismatch", "output", out=np.zeros(5))
    refused(strew.ArgumentError, "shape_mismatch", "output", out=np.zeros((4, 1)))
    refused(strew.DtypeError, "dtype_mismatch", "output", out=np.zeros(4, np.float32))
    refused(strew.ArgumentError, "invalid_argument", "output", out=np.broadcast_to(np.zeros(1), 4))
    overlapping = np.lib.stride_tricks.as_strided(np.zeros(4), (4,), (0,), writeable=True)
    refused(strew.ArgumentError, "invalid_argument", "output", out=overlapping)
    memory = np.zeros(8)
    refused(strew.ArgumentError, "invalid_argument", "output", data=memory[:4], out=memory[2:6])
    with pytest.raises(TypeError, match="a NumPy scalar cannot be written"):
        strew.gather_nd(np.zeros(3), np.array([1]), out=np.float64(1))


def test_a_structured_output_keeps_its_lock() -> None:
    data = np.zeros(3, [("a", "i4"), ("b", "S2")])
    out = np.zeros(1, data.dtype)
    assert strew.gather_elements(data, np.array([1]), out=out) is out
    out.flags.writeable = False
    with pytest.raises(strew.ArgumentError, match="output is read-only"):
        strew.gather_elements(data, np.array([1]), out=out)


# ---- What is no array that strew takes --------------------------------------------------------------------------


@pytest.mark.parametrize("data", [None, {1: 2}, object(), {1.0}])
def test_what_is_no_array_is_a_type_error(data: Any) -> None:
    with pytest.raises(TypeError, match="^data must be an array with .*, not "):
        strew.gather_nd(data, np.zeros((1, 1), int))
    with pytest.raises(TypeError, match="^indices must be an array with .*, not "):
        strew.gather_nd(np.zeros(1), data)


def foreign(dtype: str) -> np.ndarray:
    """An array of the other byte order."""
    return np.arange(4).astype(np.dtype(dtype).newbyteorder("S"))


@pytest.mark.parametrize("dtype", ["i4", "f8", "c8", "U3", "M8[s]", "i4,f4"])
def test_foreign_byte_order_is_refused(dtype: str) -> None:
    data = foreign(dtype)
    with pytest.raises(strew.DtypeError, match="^data has dtype .* not in this machine's byte order: convert it with"):
        strew.gather_elements(data, np.array([0]))
    native = data.astype(data.dtype.newbyteorder("="))  # as the message says
    assert_same(strew.gather_elements(native, np.array([1])), native[1:2])


def test_foreign_byte_order_of_other_operands_is_refused() -> None:
    for operand, array_ in (("indices", foreign("i8")[:, None]), ("updates", foreign("f8")), ("out", foreign("f8"))):
        with pytest.raises(strew.DtypeError) as caught:
            strew.scatter_nd(
                **{"data": np.zeros(4), "indices": np.zeros((4, 1), int), "updates": np.zeros(4), operand: array_}
            )
        assert caught.value.operand == {"out": "output"}.get(operand, operand)


def test_strides_that_are_no_multiple_of_the_element_are_refused() -> None:
    fields = np.zeros(3, [("a", "i4"), ("b", "i2")])
    with pytest.raises(
        strew.ArgumentError, match="data has a stride of 6 bytes in dimension 0, .* element's 4: copy it"
    ):
        strew.gather_elements(fields["a"], np.array([0]))
    assert strew.gather_elements(fields["a"][:1], np.array([0])).tolist() == [0]  # one element has no stride
    empty = np.lib.stride_tricks.as_strided(np.zeros(4), (0, 3), (7, 5))
    assert strew.gather_elements(empty, np.zeros((0, 3), int)).shape == (0, 3)  # an empty array has no elements


@pytest.mark.parametrize(
    "data",
    [np.array([None, "a"]), np.zeros(2, [("a", "O")]), np.zeros(2, [("a", [("b", "O")])])],
    ids=["objects", "a structure", "a nested structure"],
)
def test_python_objects_are_refused(data: np.ndarray) -> None:
    with pytest.raises(strew.DtypeError, match="Python objects") as caught:
        strew.gather_elements(data, np.array([0]))
    assert (caught.value.status, caught.value.operand) == ("unsupported_dtype", "data")


@pytest.mark.skipif(not hasattr(np.dtypes, "StringDType"), reason="NumPy before 2.0")
def test_strings_of_variable_width_are_refused() -> None:
    with pytest.raises(strew.DtypeError, match="not of a fixed size"):
        strew.gather_elements(np.array(["a"], np.dtypes.StringDType()), np.array([0]))


def test_opaque_elements_of_different_dtypes_are_refused() -> None:
    data, indices = np.zeros(2, "M8[s]"), np.array([0])
    with pytest.raises(strew.DtypeError, match=r"updates has dtype datetime64\[D\], data has datetime64\[s\]"):
        strew.scatter_elements(data, indices, np.zeros(1, "M8[D]"))
    with pytest.raises(strew.DtypeError, match="output has dtype"):
        strew.gather_elements(data, indices, out=np.zeros(1, "V8"))


# ---- bfloat16 and text ------------------------------------------------------------------------------------------


def test_bfloat16_is_a_number() -> None:
    data = np.array([1, 2.5, 3], ml_dtypes.bfloat16)
    result = strew.scatter_elements(data, np.array([1, 1]), np.array([0.5, 1], ml_dtypes.bfloat16), reduction="sum")
    assert_same(result, np.array([1, 4, 3], ml_dtypes.bfloat16))
    with pytest.raises(strew.DtypeError):  # two bytes that are no bfloat16
        strew.scatter_elements(data.view("V2"), np.array([1]), data[:1].view("V2"), reduction="sum")


@pytest.mark.parametrize("dtype", ["S4", "U4"])
def test_text(dtype: str) -> None:
    data = np.array(["a", "four", "", "bc"], dtype)
    assert strew.gather_elements(data, np.array([1, 3, 2])).tolist() == data[[1, 3, 2]].tolist()
    expected = data.copy()
    expected[[0, 2]] = data[[1, 1]]
    assert_same(strew.scatter_elements(data, np.array([0, 2]), data[[1, 1]]), expected)
    with pytest.raises(strew.DtypeError):
        strew.scatter_elements(data, np.array([0]), data[:1].astype(dtype[0] + "9"))


# ---- Buffers ----------------------------------------------------------------------------------------------------


def test_buffers_are_arrays() -> None:
    numbers, indices = array.array("d", [1, 2, 3]), array.array("q", [2, 0])
    assert_same(strew.gather_elements(numbers, indices), np.array([3.0, 1.0]))
    out = array.array("d", [0, 0])
    assert strew.gather_elements(numbers, indices, out=out) is out
    assert out.tolist() == [3, 1]
    assert strew.scatter_elements(numbers, indices, out, out=numbers) is numbers
    assert numbers.tolist() == [1, 2, 3]
    assert_same(strew.gather_elements(bytearray(b"abc"), indices), np.array([99, 97], np.uint8))
    view = memoryview(np.arange(6.0)).cast("B").cast("d", (2, 3))
    assert strew.gather_nd(view, np.array([[1, 2]])).tolist() == [5]


def test_a_buffer_is_not_copied_and_is_let_go_of() -> None:
    memory = bytearray(8)
    strew.scatter_elements(memory, np.array([3]), b"x", out=memory)
    assert memory == b"\0\0\0x\0\0\0\0"
    memory.append(1)  # which a buffer still exported would forbid
    with pytest.raises(IndexError):
        strew.gather_elements(memory, np.array([9]))
    memory.append(1)


def test_an_array_can_be_resized_after_a_call() -> None:
    data = np.arange(4.0)
    with pytest.raises(IndexError):
        strew.gather_elements(data, np.array([4]))
    strew.gather_elements(data, np.array([3]))
    data.resize(5)


class HasInterface:
    """Another library's array."""

    def __init__(self, base: np.ndarray) -> None:
        self.base = base

    @property
    def __array_struct__(self) -> Any:
        return self.base.__array_struct__

    @property
    def dtype(self) -> Any:
        return self.base.dtype


def test_whoever_has_the_array_interface_is_an_array() -> None:
    data = HasInterface(np.arange(4.0))
    assert_same(strew.gather_elements(data, np.array([2])), np.array([2.0]))
    out = HasInterface(np.zeros(1))
    assert strew.gather_elements(data, np.array([2]), out=out) is out
    assert out.base.tolist() == [2]


class RaisesInterface:
    """An array whose interface raises an exception."""

    @property
    def __array_struct__(self) -> Any:
        raise RuntimeError("not now")


def test_an_exception_of_an_array_arrives() -> None:
    with pytest.raises(RuntimeError, match="not now"):
        strew.gather_elements(RaisesInterface(), np.array([2]))
    with pytest.raises(TypeError, match="not a capsule of an array interface|PyCapsule"):
        strew.gather_elements(type("Wrong", (), {"__array_struct__": 3})(), np.array([2]))


@pytest.mark.parametrize("kind", [np.matrix, np.recarray])
def test_subclasses_of_ndarray(kind: Any) -> None:
    data = np.arange(6.0).reshape(2, 3).view(kind)
    assert strew.gather_nd(data, np.array([[1, 2]])).tolist() == [5]


def test_masks_are_not_lost() -> None:
    masked = np.ma.masked_array([1.0, 2.0], [True, False])
    with pytest.raises(TypeError, match="data is a masked array"):
        strew.gather_elements(masked, np.array([0]))
    assert strew.gather_elements(masked.filled(0), np.array([0])).tolist() == [0]
