"""The operators as loops over NumPy arrays, one position after another: what every result is compared with."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FLOATS = ("float16", "bfloat16", "float32", "float64")
COMPLEX = ("complex64", "complex128")
DTYPES = ("bool", *INTEGERS, *FLOATS, *COMPLEX)

REDUCTIONS = ("none", "sum", "sub", "prod", "min", "max", "mean")


def dtype_of(name: str) -> np.dtype[Any]:
    """A dtype of NumPy's or of ml_dtypes."""
    return np.dtype(ml_dtypes.bfloat16 if name == "bfloat16" else name)


def has(dtype: np.dtype[Any], reduction: str) -> bool:
    """Whether the elements of a dtype have a reduction."""
    if dtype.kind == "b":
        return reduction != "mean"
    return not (dtype.kind == "c" and reduction in ("min", "max"))


def numbers(seed: int, shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray:
    """Small whole numbers, of which every dtype adds and multiplies some exactly."""
    draw = np.random.default_rng(seed)
    values = draw.integers(0 if dtype.kind in "bu" else -3, 2 if dtype.kind == "b" else 4, shape)
    if dtype.kind == "c":
        return (values + 1j * draw.integers(-3, 4, shape)).astype(dtype)
    return values.astype(dtype)


def combine(reduction: str, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """One step of a reduction, in the type of its operands."""
    if reduction == "none":
        return right
    if left.dtype.kind == "b":
        step = {
            "sum": np.logical_or,
            "max": np.logical_or,
            "sub": np.logical_xor,
            "prod": np.logical_and,
            "min": np.logical_and,
        }
    else:
        step = {"sum": np.add, "mean": np.add, "sub": np.subtract, "prod": np.multiply, "min": np.minimum}
        step["max"] = np.maximum
    with np.errstate(over="ignore"):
        return np.asarray(step[reduction](left, right)).astype(left.dtype)


def identity(reduction: str, dtype: np.dtype[Any]) -> Any:
    """What a reduction starts from that leaves data out."""
    if reduction == "prod":
        return 1
    if reduction in ("sum", "sub", "mean"):
        return -0.0 if dtype.kind in "fV" and reduction != "sub" else 0
    if dtype.kind == "b":
        return reduction == "min"
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return limits.max if reduction == "min" else limits.min
    return np.inf if reduction == "min" else -np.inf


def gather_nd(data: np.ndarray, indices: np.ndarray, batch_dims: int = 0) -> np.ndarray:
    length = indices.shape[-1]
    output = np.empty(indices.shape[:-1] + data.shape[batch_dims + length :], data.dtype)
    for position in np.ndindex(indices.shape[:-1]):
        output[position] = data[position[:batch_dims] + tuple(map(int, indices[position]))]
    return output


def along(position: tuple[int, ...], axis: int, index: int) -> tuple[int, ...]:
    """A position with another coordinate on the axis."""
    return position[:axis] + (index,) + position[axis + 1 :]


def gather_elements(data: np.ndarray, indices: np.ndarray, axis: int = 0) -> np.ndarray:
    axis %= data.ndim
    output = np.empty(indices.shape, data.dtype)
    for position in np.ndindex(indices.shape):
        output[position] = data[along(position, axis, int(indices[position]))]
    return output


def scatter_nd(data: np.ndarray, indices: np.ndarray, updates: np.ndarray, reduction: str = "none") -> np.ndarray:
    output = data.copy()
    for position in np.ndindex(indices.shape[:-1]):
        place = (*map(int, indices[position]), ...)
        output[place] = combine(reduction, output[place], np.asarray(updates[(*position, ...)]))
    return output


def scatter_elements(
    data: np.ndarray,
    indices: np.ndarray,
    updates: np.ndarray,
    axis: int = 0,
    reduction: str = "none",
    use_init_val: bool = True,
) -> np.ndarray:
    axis %= data.ndim
    output = data.copy()
    places = {p: along(p, axis, int(indices[p]) % data.shape[axis]) for p in np.ndindex(indices.shape)}
    counts = dict.fromkeys(places.values(), int(use_init_val))
    if not use_init_val and reduction != "none":
        for place in counts:
            output[place] = identity(reduction, data.dtype)
    for position, place in places.items():
        output[place] = combine(reduction, output[(*place, ...)], updates[(*position, ...)])
        counts[place] += 1
    if reduction == "mean":
        for place, count in counts.items():
            output[place] = quotient(output[place], count)
    return output


def quotient(total: Any, count: int) -> Any:
    """Integers are rounded toward minus infinity; complex numbers are divided part by part."""
    if total.dtype.kind == "c":
        return total.real / count + 1j * (total.imag / count)
    return total // total.dtype.type(count) if total.dtype.kind in "iu" else total / count


def assert_same(result: Any, expected: np.ndarray) -> None:
    """The same dtype, shape and bits."""
    assert isinstance(result, np.ndarray)
    assert (result.dtype, result.shape) == (expected.dtype, expected.shape)
    assert np.ascontiguousarray(result).tobytes() == np.ascontiguousarray(expected).tobytes(), (result, expected)
