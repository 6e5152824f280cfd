"""What the operators come to, position by position and in the order of indices: one step at a time, each rounded."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from models.graphs import BFLOAT16, Array

BOOLEAN = {"sum": np.logical_or, "max": np.logical_or, "sub": np.logical_xor, "prod": np.logical_and, "min": np.logical_and}
NUMERIC = {"sum": np.add, "mean": np.add, "sub": np.subtract, "prod": np.multiply, "min": np.minimum, "max": np.maximum}


def is_float(dtype: np.dtype[Any]) -> bool:
    return dtype.kind == "f" or dtype == BFLOAT16


def combine(reduction: str, old: Array, update: Array) -> Array:
    if reduction == "none":
        return update
    with np.errstate(all="ignore"):
        return (BOOLEAN if old.dtype == bool else NUMERIC)[reduction](old, update).astype(old.dtype)


def identity(reduction: str, dtype: np.dtype[Any]) -> Any:
    """What an element starts from that is not to take part."""
    if reduction == "prod":
        return np.ones((), dtype)
    if reduction in ("min", "max"):
        lowest = reduction == "max"
        if dtype == bool:
            return np.array(not lowest)
        if is_float(dtype):
            return np.array(-np.inf if lowest else np.inf).astype(dtype)
        return np.array(np.iinfo(dtype).min if lowest else np.iinfo(dtype).max, dtype)
    return np.array(-0.0).astype(dtype) if is_float(dtype) else np.zeros((), dtype)


def mean(total: Array, count: int) -> Array:
    """A sum, divided once: integers toward minus infinity."""
    if not is_float(total.dtype):
        return np.array(int(total) // count).astype(total.dtype)
    exact = np.float64 if total.dtype == np.float64 else np.float32
    return (total.astype(exact) / exact(count)).astype(total.dtype)


def gather_nd(data: Array, indices: Array, batch_dims: int = 0, flat: bool = False) -> Array:
    """`flat` is GatherND-5, whose output has the batch dimensions as one."""
    depth = indices.shape[-1]
    rows = data.shape[batch_dims + depth :]
    out = np.empty(indices.shape[:-1] + rows, data.dtype)
    for place in np.ndindex(indices.shape[:-1]):
        out[place] = data[(*place[:batch_dims], *indices[place])]
    if flat and batch_dims > 1:
        return out.reshape(int(np.prod(out.shape[:batch_dims])), *out.shape[batch_dims:])
    return out


def along(place: tuple[int, ...], axis: int, index: Any, size: int) -> tuple[int, ...]:
    return (*place[:axis], int(index) + size * (index < 0), *place[axis + 1 :])


def gather_elements(data: Array, indices: Array, axis: int) -> Array:
    axis %= data.ndim
    out = np.empty(indices.shape, data.dtype)
    for place in np.ndindex(indices.shape):
        out[place] = data[along(place, axis, indices[place], data.shape[axis])]
    return out


def scatter_nd(data: Array, indices: Array, updates: Array, reduction: str = "none") -> Array:
    out = data.copy()
    updates = updates.reshape(indices.shape[:-1] + data.shape[indices.shape[-1] :])
    for place in np.ndindex(indices.shape[:-1]):
        row = tuple(indices[place])
        out[row] = combine(reduction, out[row], updates[place])
    return out


def scatter_elements(
    data: Array, indices: Array, updates: Array, axis: int, reduction: str = "none", use_init_val: bool = True
) -> Array:
    axis %= data.ndim
    out = data.copy()
    places = {p: along(p, axis, indices[p], data.shape[axis]) for p in np.ndindex(indices.shape)}
    if not use_init_val and reduction != "none":
        for target in places.values():
            out[target] = identity(reduction, data.dtype)
    for place, target in places.items():
        out[target] = combine(reduction, out[target], updates[place])
    if reduction == "mean":
        for target, count in Counter(places.values()).items():
            out[target] = mean(out[target], count + use_init_val)
    return out
