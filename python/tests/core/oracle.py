"""The operators in plain NumPy: position by position, in the order of indices."""

from __future__ import annotations

from collections.abc import Iterator
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
    """Multiplies by the four products of parts: a complex multiplication of NumPy may fuse them."""
    result = np.empty(np.broadcast(left, right).shape, left.dtype)
    with np.errstate(all="ignore"):
        result.real = left.real * right.real - left.imag * right.imag
        result.imag = left.real * right.imag + left.imag * right.real
    return result


def identity(reduction: str, dtype: np.dtype[Any]) -> Any:
    """The identity of a reduction, from which use_init_val=False starts."""
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


class Outside(Exception):
    """An index that is refused."""


def coordinate(index: Any, size: int, mode: str = "raise") -> int | None:
    """The row that an index names, counted from the beginning; None if it is skipped."""
    value = int(index)
    if -size <= value < size:
        return value % size
    if mode == "fill":
        return None
    if mode in ("raise", "stop") or size == 0:
        raise Outside
    return value % size if mode == "wrap" else 0 if value < 0 else size - 1


Place = tuple[Any, ...]


def place_on_axis(position: Place, at: int, index: Any, data: Array, mode: str) -> Place | None:
    """A position of data, or of its rows, with this index in place of the coordinate of the axis."""
    found = coordinate(index, data.shape[at], mode)
    return None if found is None else (*position[:at], found, *position[at + 1 :])


def batch_of(indices: Array, batch_dims: int) -> int:
    """The number of batch dimensions; gather and scatter count a negative one from the end of indices."""
    return batch_dims + indices.ndim if batch_dims < 0 else batch_dims


def places_of_tuples(data: Array, indices: Array, batch_dims: int, mode: str) -> Iterator[tuple[Place, Place | None]]:
    """Each dense row of gather_nd and scatter_nd, with its row of data."""
    depth = indices.shape[-1]
    sizes = data.shape[batch_dims : batch_dims + depth]
    for position in np.ndindex(indices.shape[:-1]):
        found = [coordinate(each, size, mode) for each, size in zip(indices[position], sizes)]
        yield position, None if None in found else (*position[:batch_dims], *found)


def places_on_axis(
    data: Array, indices: Array, axis: int, batch_dims: int, mode: str
) -> Iterator[tuple[Place, Place | None]]:
    """The same for gather and scatter."""
    at, batch = axis % data.ndim, batch_of(indices, batch_dims)
    for before in np.ndindex(data.shape[:at]):
        for rest in np.ndindex(indices.shape[batch:]):
            index = indices[(*before[:batch], *rest)]
            yield (*before, *rest), place_on_axis(before, at, index, data, mode)


def places_of_elements(data: Array, indices: Array, axis: int, mode: str) -> Iterator[tuple[Place, Place | None]]:
    """The same for gather_elements and scatter_elements: elements instead of rows."""
    for position in np.ndindex(indices.shape):
        yield position, place_on_axis(position, axis % data.ndim, indices[position], data, mode)


def gather_from(data: Array, shape: tuple[int, ...], places: Iterator[tuple[Place, Place | None]], fill: Any) -> Array:
    out = np.empty(shape, data.dtype)
    for position, place in places:
        out[position] = (np.zeros((), data.dtype) if fill is None else fill) if place is None else data[place]
    return out


def scatter_to(
    data: Array,
    updates: Array,
    places: Iterator[tuple[Place, Place | None]],
    reduction: str = "none",
    use_init_val: bool = True,
) -> Array:
    out = data.copy()
    kept = [(position, place) for position, place in places if place is not None]
    if not use_init_val and reduction != "none":
        for _, place in kept:
            out[place] = identity(reduction, data.dtype)
    counts: dict[Place, int] = {}
    for position, place in kept:
        out[place] = combine(reduction, np.asarray(out[place]), np.asarray(updates[position]))[()]
        counts[place] = counts.get(place, int(use_init_val)) + 1
    if reduction == "mean":
        for place, count in counts.items():
            for element in np.ndindex(out[place].shape):
                out[place + element] = mean(np.asarray(out[place + element]), np.asarray(count))[()]
    return out


def along_axis(data: Array, indices: Array, axis: int, batch_dims: int = 0) -> tuple[int, ...]:
    """The shape of the dense side of gather and scatter."""
    at = axis % data.ndim
    return data.shape[:at] + indices.shape[batch_of(indices, batch_dims) :] + data.shape[at + 1 :]


def gather(
    data: Array, indices: Array, axis: int = 0, batch_dims: int = 0, mode: str = "raise", fill_value: Any = None
) -> Array:
    places = places_on_axis(data, indices, axis, batch_dims, mode)
    return gather_from(data, along_axis(data, indices, axis, batch_dims), places, fill_value)


def gather_nd(data: Array, indices: Array, batch_dims: int = 0, mode: str = "raise", fill_value: Any = None) -> Array:
    shape = indices.shape[:-1] + data.shape[batch_dims + indices.shape[-1] :]
    return gather_from(data, shape, places_of_tuples(data, indices, batch_dims, mode), fill_value)


def gather_elements(data: Array, indices: Array, axis: int = 0, mode: str = "raise", fill_value: Any = None) -> Array:
    return gather_from(data, indices.shape, places_of_elements(data, indices, axis, mode), fill_value)


def scatter(
    data: Array,
    indices: Array,
    updates: Array,
    axis: int = 0,
    batch_dims: int = 0,
    reduction: str = "none",
    use_init_val: bool = True,
    mode: str = "raise",
) -> Array:
    places = places_on_axis(data, indices, axis, batch_dims, mode)
    return scatter_to(data, updates, places, reduction, use_init_val)


def scatter_nd(
    data: Array, indices: Array, updates: Array, reduction: str = "none", mode: str = "raise"
) -> Array:
    return scatter_to(data, updates, places_of_tuples(data, indices, 0, mode), reduction)


def scatter_elements(
    data: Array,
    indices: Array,
    updates: Array,
    axis: int = 0,
    reduction: str = "none",
    use_init_val: bool = True,
    mode: str = "raise",
) -> Array:
    places = places_of_elements(data, indices, axis, mode)
    return scatter_to(data, updates, places, reduction, use_init_val)


def begin_of(index: Any, size: int, width: int, circular: bool, mode: str) -> int | None:
    """The begin of the window that an index names; None if it is skipped."""
    value, begins = int(index), size if circular else size - width + 1
    if 0 <= value and (circular and size > 0 or value < begins):
        return value % size if circular else value
    if mode == "fill":
        return None
    if mode in ("raise", "stop") or begins == 0:
        raise Outside
    return value % begins if mode == "wrap" else 0 if value < 0 else begins - 1


def tensor_scatter(
    data: Array,
    indices: Array | None,
    updates: Array,
    axis: int = -2,
    circular: bool = False,
    mode: str = "raise",
    reduction: str = "none",
) -> Array:
    out, at = data.copy(), axis % data.ndim - 1
    size, width = data.shape[at + 1], updates.shape[at + 1]
    for batch in range(len(data)):
        begin = begin_of(0 if indices is None else indices[batch], size, width, circular, mode)
        for t in range(width if begin is not None else 0):
            assert begin is not None
            out[(batch, *[slice(None)] * at, (begin + t) % size)] = updates[(batch, *[slice(None)] * at, t)]
    return out


def slice_scatter(
    data: Array,
    updates: Array,
    starts: Any,
    stops: Any,
    steps: Any = None,
    axes: Any = None,
    reduction: str = "none",
) -> Array:
    out, where = data.copy(), [slice(None)] * data.ndim
    steps = [1] * len(starts) if steps is None else steps
    for axis, *part in zip(range(len(starts)) if axes is None else axes, starts, stops, steps):
        where[axis] = slice(*map(int, part))
    out[tuple(where)] = updates
    return out


def wide_of(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype in which rows of a bag are combined."""
    return np.dtype(np.float32) if dtype in HALVES else dtype


def times(row: Array, weight: Any) -> Array:
    """A product, rounded by itself."""
    return row if weight is None else combine("prod", row, np.broadcast_to(np.asarray(weight, row.dtype), row.shape))


def reduce_bag(rows: list[Array], reduction: str, dtype: np.dtype[Any], shape: tuple[int, ...]) -> Array:
    """Combines the rows of one bag in order; halves have become float32."""
    wide = wide_of(dtype)
    start = np.zeros((), wide) if reduction in ("sum", "mean") else identity(reduction, wide)
    total = np.broadcast_to(start, shape).astype(wide)
    for row in rows:
        total = np.asarray(combine(reduction, total, row))
    if reduction == "mean":
        for element in np.ndindex(shape):
            total[element] = mean(np.asarray(total[element]), np.asarray(len(rows)))[()]
    with np.errstate(all="ignore"):
        return total.astype(dtype)


def lowest(dtype: np.dtype[Any]) -> Any:
    """The least value, of floats the least that is finite."""
    if dtype.kind in "iu":
        return np.array(np.iinfo(dtype).min, dtype)
    if dtype.kind in "bc":
        return np.zeros((), dtype)
    return np.array(ml_dtypes.finfo(dtype).min, dtype)


def bags(
    data: Array,
    indices: Array,
    segments: Array,
    count: int,
    weights: Array | None,
    reduction: str,
    empty: Array,
    mode: str,
    wraps: bool = True,
) -> Array:
    """Sorts rows into bags by the segment of each index, in order; -1 is none."""
    rows: list[list[Array]] = [[] for _ in range(count)]
    named = [0] * count
    wide = wide_of(data.dtype)
    for e in range(len(indices)):
        segment = int(segments[e])
        place = coordinate(indices[e], data.shape[0], mode)
        if segment < 0:
            continue
        named[segment] += 1
        if place is not None:
            weight = None if weights is None else weights[e].astype(wide)
            rows[segment].append(times(np.asarray(data[place]).astype(wide), weight))
    out = np.empty((count, *data.shape[1:]), data.dtype)
    for segment in range(count):
        if rows[segment]:
            out[segment] = reduce_bag(rows[segment], reduction, data.dtype, data.shape[1:])
        else:
            out[segment] = empty
    return out


def default_row(data: Array, default_index: int) -> Array:
    return np.zeros(data.shape[1:], data.dtype) if default_index == -1 else np.asarray(data[default_index])


def embedding_bag_offsets(
    data: Array,
    indices: Array,
    offsets: Array,
    weights: Array | None = None,
    reduction: str = "sum",
    default_index: int = -1,
    mode: str = "raise",
) -> Array:
    segments = np.searchsorted(offsets.astype(np.int64), np.arange(len(indices)), side="right") - 1
    empty = default_row(data, default_index)
    return bags(data, indices, segments, len(offsets), weights, reduction, empty, mode)


def embedding_bag_packed(
    data: Array, indices: Array, weights: Array | None = None, reduction: str = "sum", mode: str = "raise"
) -> Array:
    segments = np.repeat(np.arange(len(indices)), indices.shape[1])
    weights = None if weights is None else weights.reshape(-1)
    return bags(data, indices.reshape(-1), segments, len(indices), weights, reduction, default_row(data, -1), mode)


def segment_count(segment_ids: Array) -> int:
    return max(int(segment_ids.max()), -1) + 1 if len(segment_ids) else 0


def embedding_segments(
    data: Array,
    indices: Array,
    segment_ids: Array,
    weights: Array | None = None,
    reduction: str = "sum",
    num_segments: int | None = None,
    default_index: int = -1,
    mode: str = "raise",
) -> Array:
    count = segment_count(segment_ids) if num_segments is None else num_segments
    empty = default_row(data, default_index)
    return bags(data, indices, segment_ids, count, weights, reduction, empty, mode)


def segment_reduce(
    data: Array,
    segment_ids: Array,
    reduction: str = "sum",
    num_segments: int | None = None,
    empty: str = "zero",
    mode: str = "raise",
) -> Array:
    count = segment_count(segment_ids) if num_segments is None else num_segments
    filling = lowest(data.dtype) if empty == "lowest" else np.zeros((), data.dtype)
    return bags(data, np.arange(len(data)), segment_ids, count, None, reduction, filling, mode)


def gather_scatter(
    data: Array,
    updates: Array,
    indices: Array,
    targets: Array,
    weights: Array | None = None,
    reduction: str = "sum",
    use_init_val: bool = True,
    mode: str = "raise",
) -> Array:
    rows = np.zeros((len(indices), *data.shape[1:]), data.dtype)
    places: list[tuple[Place, Place | None]] = []
    for e in range(len(indices)):
        source = coordinate(indices[e], updates.shape[0], mode)
        target = coordinate(targets[e], data.shape[0], mode)
        if source is not None:
            rows[e] = times(np.asarray(updates[source]), None if weights is None else weights[e])
        places.append(((e,), None if source is None or target is None else (target,)))
    return scatter_to(data, rows, iter(places), reduction, use_init_val)


def bits(array: Array) -> bytes:
    """The bytes of an array in the order of its positions, with equal bytes for every NaN, whose bits are undefined."""
    array = np.array(array, order="C", copy=True).reshape(-1)
    if array.dtype.kind == "c":
        array = array.view(array.real.dtype)
    if is_float(array.dtype):
        array[np.isnan(array)] = np.nan
    return array.tobytes()
