"""What the operators come to, in plain NumPy: position by position, in the order of indices."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

Array = np.ndarray[Any, Any]

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
HALVES = (np.dtype(np.float16), BFLOAT16)


def is_float(dtype: np.dtype[Any]) -> bool:
    return dtype.kind == "f" or dtype == BFLOAT16


def combine(reduction: str, left: Array, right: Array) -> Array:
    """An update, right, of elements, left: one step, rounded in their own type."""
    dtype = left.dtype
    if reduction == "none":
        return right
    if dtype.kind == "b":
        ways = {"sum": np.logical_or, "max": np.logical_or, "sub": np.logical_xor}
        return ways.get(reduction, np.logical_and)(left, right)
    if reduction in ("min", "max") and is_float(dtype):
        return extreme(reduction, left, right)
    if reduction == "prod" and dtype.kind == "c":
        return complex_product(left, right)
    ways = {
        "sum": np.add,
        "mean": np.add,
        "sub": np.subtract,
        "prod": np.multiply,
        "min": np.minimum,
        "max": np.maximum,
    }
    with np.errstate(all="ignore"):
        return ways[reduction](left, right).astype(dtype)


def extreme(reduction: str, left: Array, right: Array) -> Array:
    """min or max of floats: NaN if either is; -0 comes before +0."""
    takes_right = right < left if reduction == "min" else right > left
    prefers_negative = np.signbit(right) if reduction == "min" else ~np.signbit(right)
    takes_right |= (left == right) & prefers_negative
    either = np.where(takes_right, right, left)
    return np.where(np.isnan(left) | np.isnan(right), np.array(np.nan, left.dtype), either)


def complex_product(left: Array, right: Array) -> Array:
    """By its four products, which a complex multiplication of NumPy's may fuse."""
    result = np.empty(np.broadcast(left, right).shape, left.dtype)
    with np.errstate(all="ignore"):
        result.real = left.real * right.real - left.imag * right.imag
        result.imag = left.real * right.imag + left.imag * right.real
    return result


def identity(reduction: str, dtype: np.dtype[Any]) -> Any:
    """What use_init_val=False starts from."""
    if reduction in ("sum", "mean"):
        return np.array(complex(-0.0, -0.0) if dtype.kind == "c" else -0.0 if is_float(dtype) else 0).astype(dtype)
    if reduction == "sub":
        return np.zeros((), dtype)
    if reduction == "prod":
        return np.ones((), dtype)
    if dtype.kind == "b":
        return np.array(reduction == "min")
    if is_float(dtype):
        return np.array(np.inf if reduction == "min" else -np.inf, dtype)
    limits = np.iinfo(dtype)
    return np.array(limits.max if reduction == "min" else limits.min, dtype)


def mean(total: Array, count: Array) -> Array:
    """A sum divided once by how many were added."""
    dtype = total.dtype
    if dtype.kind in "iu":
        return np.array(int(total) // int(count)).astype(dtype)
    with np.errstate(all="ignore"):
        if dtype in HALVES:
            return (total.astype(np.float32) / np.float32(count)).astype(dtype)
        if dtype.kind == "c":
            part = total.real.dtype.type(count)
            result = np.empty((), dtype)
            result.real, result.imag = total.real / part, total.imag / part
            return result
        return np.asarray(total / dtype.type(count))


def absolute(coordinate: Any, size: int) -> int:
    """A coordinate counted from the beginning."""
    value = int(coordinate)
    return value + size if value < 0 else value


def gather_nd(data: Array, indices: Array, batch_dims: int = 0) -> Array:
    depth = indices.shape[-1]
    rows = data.shape[batch_dims + depth :]
    out = np.empty(indices.shape[:-1] + rows, data.dtype)
    for position in np.ndindex(indices.shape[:-1]):
        sizes = data.shape[batch_dims : batch_dims + depth]
        tuple_ = [absolute(each, size) for each, size in zip(indices[position], sizes)]
        out[position] = data[(*position[:batch_dims], *tuple_)]
    return out


def gather_elements(data: Array, indices: Array, axis: int = 0) -> Array:
    out = np.empty(indices.shape, data.dtype)
    for position in np.ndindex(indices.shape):
        out[position] = data[on_axis(position, axis, indices, data)]
    return out


def on_axis(position: tuple[int, ...], axis: int, indices: Array, data: Array) -> tuple[int, ...]:
    """The element of data that an index names."""
    at = axis % data.ndim
    return (*position[:at], absolute(indices[position], data.shape[at]), *position[at + 1 :])


def scatter_nd(data: Array, indices: Array, updates: Array, reduction: str = "none") -> Array:
    out = data.copy()
    depth = indices.shape[-1]
    for position in np.ndindex(indices.shape[:-1]):
        row = tuple(absolute(each, size) for each, size in zip(indices[position], data.shape[:depth]))
        out[row] = combine(reduction, out[row], updates[position])
    return out


def scatter_elements(
    data: Array, indices: Array, updates: Array, axis: int = 0, reduction: str = "none", use_init_val: bool = True
) -> Array:
    out = data.copy()
    places = [on_axis(position, axis, indices, data) for position in np.ndindex(indices.shape)]
    if not use_init_val and reduction != "none":
        for place in places:
            out[place] = identity(reduction, data.dtype)
    counts: dict[tuple[int, ...], int] = {}
    for position, place in zip(np.ndindex(indices.shape), places):
        out[place] = combine(reduction, np.asarray(out[place]), np.asarray(updates[position]))[()]
        counts[place] = counts.get(place, int(use_init_val)) + 1
    if reduction == "mean":
        for place, count in counts.items():
            out[place] = mean(np.asarray(out[place]), np.asarray(count))[()]
    return out


def bits(array: Array) -> bytes:
    """The bytes of an array in the order of its positions, every NaN the same: which one it is nobody promises."""
    array = np.array(array, order="C", copy=True).reshape(-1)
    if array.dtype.kind == "c":
        array = array.view(array.real.dtype)
    if is_float(array.dtype):
        array[np.isnan(array)] = np.nan
    return array.tobytes()
