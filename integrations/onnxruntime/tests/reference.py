"""The expected results, bit for bit: loops over the indices in their order, one element after another.

Independent of strew: NumPy's own arithmetic on single elements, rounded once per step in the element's type.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def combine(reduction: str, old: Any, new: Any) -> Any:
    """Combines an element with an update. Both are arrays of rank 0, so that integers wrap."""
    if reduction == "none":
        return new
    if old.dtype == bool:
        return old & new if reduction in ("mul", "min") else old | new
    if reduction == "add":
        return old + new
    if reduction == "mul":
        return old * new
    return lesser(old, new) if reduction == "min" else greater(old, new)


def lesser(old: Any, new: Any) -> Any:
    """NaN if either is, and -0 below +0."""
    if old != old or new != new:
        return old if old != old else new
    if old == new:
        return old if np.signbit(old) else new
    return old if old < new else new


def greater(old: Any, new: Any) -> Any:
    if old != old or new != new:
        return old if old != old else new
    if old == new:
        return new if np.signbit(old) else old
    return old if old > new else new


def scatter_nd(data: Array, indices: Array, updates: Array, reduction: str = "none") -> Array:
    """ONNX's ScatterND."""
    output = data.copy()
    with np.errstate(all="ignore"):
        for position in np.ndindex(indices.shape[:-1]):
            row = tuple(int(i) for i in indices[position])
            for inner in np.ndindex(data.shape[len(row) :]):
                place = (*row, *inner)
                output[place] = combine(reduction, output[place], updates[(*position, *inner)])
    return output


def scatter_elements(data: Array, indices: Array, updates: Array, axis: int = 0, reduction: str = "none") -> Array:
    """ONNX's ScatterElements, and Scatter."""
    output = data.copy()
    with np.errstate(all="ignore"):
        for position in np.ndindex(indices.shape):
            place = along(position, axis % data.ndim, int(indices[position]))
            output[place] = combine(reduction, output[place], updates[position])
    return output


def gather_nd(data: Array, indices: Array, batch_dims: int = 0) -> Array:
    """ONNX's GatherND."""
    rows = indices.shape[:-1]
    output = np.empty(rows + data.shape[batch_dims + indices.shape[-1] :], data.dtype)
    for position in np.ndindex(rows):
        output[position] = data[(*position[:batch_dims], *(int(i) for i in indices[position]))]
    return output


def gather_elements(data: Array, indices: Array, axis: int = 0) -> Array:
    """ONNX's GatherElements."""
    output = np.empty(indices.shape, data.dtype)
    for position in np.ndindex(indices.shape):
        output[position] = data[along(position, axis % data.ndim, int(indices[position]))]
    return output


def gather(data: Array, indices: Array, axis: int = 0) -> Array:
    """ONNX's Gather."""
    at = axis % data.ndim
    output = np.empty((*data.shape[:at], *indices.shape, *data.shape[at + 1 :]), data.dtype)
    for outer in np.ndindex(data.shape[:at]):
        for position in np.ndindex(indices.shape):
            output[(*outer, *position)] = data[(*outer, int(indices[position]))]
    return output


def tensor_scatter(
    data: Array, updates: Array, indices: Array | None = None, axis: int = -2, mode: str = "linear"
) -> Array:
    """ONNX's TensorScatter, whose indices come last."""
    output = data.copy()
    at, size = axis % data.ndim, data.shape[axis]
    for place in np.ndindex(updates.shape):
        begin = 0 if indices is None else int(indices[place[0]])
        index = begin + place[at]
        assert mode == "circular" or index < size
        output[along(place, at, index % size)] = updates[place]
    return output


def along(position: tuple[int, ...], axis: int, index: int) -> tuple[int, ...]:
    """The position with another coordinate on the axis."""
    return (*position[:axis], index, *position[axis + 1 :])


CALLS = {
    "ScatterND": scatter_nd,
    "ScatterElements": scatter_elements,
    "Scatter": scatter_elements,
    "TensorScatter": tensor_scatter,
    "GatherND": gather_nd,
    "GatherElements": gather_elements,
    "Gather": gather,
}


def run(name: str, *operands: Array, **attributes: Any) -> Array:
    """The result of a node of that type, with its attributes as ONNX calls them."""
    return CALLS[name](*operands, **attributes)


def same_bits(left: Array, right: Array) -> bool:
    """Whether two arrays are equal in type, shape and every bit; a NaN is as good as any other."""
    if left.dtype != right.dtype or left.shape != right.shape:
        return False
    if left.dtype == object or left.dtype.kind in "US":
        return bool((left == right).all())
    with np.errstate(all="ignore"):
        numbers = ~((left != left) & (right != right)).reshape(-1)
    return bool((bytes_of(left) == bytes_of(right)).all(axis=1)[numbers].all())


def bytes_of(array: Array) -> Array:
    """The bytes of each element, one element a row."""
    return np.ascontiguousarray(array).reshape(-1, 1).view(np.uint8)
