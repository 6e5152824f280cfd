"""The dtypes and numbers of the tests, and the expected results: those of the loops in oracle.py."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

# The loops are asked for by the name of this module.
from oracle import (  # noqa: F401
    embedding_bag_offsets,
    embedding_bag_packed,
    embedding_segments,
    gather,
    gather_elements,
    gather_nd,
    scatter,
    scatter_elements,
    scatter_nd,
    segment_reduce,
    slice_scatter,
    tensor_scatter,
)

# The operators whose indices name rows or elements that are moved or updated one by one.
INDEXED = ("gather", "gather_nd", "gather_elements", "scatter", "scatter_nd", "scatter_elements")

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
    """Small whole numbers: every dtype adds and multiplies a few of them exactly."""
    draw = np.random.default_rng(seed)
    values = draw.integers(0 if dtype.kind in "bu" else -3, 2 if dtype.kind == "b" else 4, shape)
    if dtype.kind == "c":
        return (values + 1j * draw.integers(-3, 4, shape)).astype(dtype)
    return values.astype(dtype)


def assert_same(result: Any, expected: np.ndarray) -> None:
    """The same dtype, shape and bits."""
    assert isinstance(result, np.ndarray)
    assert (result.dtype, result.shape) == (expected.dtype, expected.shape)
    assert np.ascontiguousarray(result).tobytes() == np.ascontiguousarray(expected).tobytes(), (result, expected)
