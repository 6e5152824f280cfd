"""The public functions of strew.jax."""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from typing import Any, SupportsIndex

import jax
import jax.numpy as jnp
import numpy as np

from strew import _jax, _names
from strew.jax import _primitives

Array = jax.Array | np.ndarray

#: The policies except "stop". strew also checks indices that a caller promises to be in bounds: a check costs little,
#: and names the first bad index.
MODES = {mode: policy for mode, policy in _names.MODES.items() if policy != "stop"}
Mode = str | jax.lax.GatherScatterMode | None


def _jitted(*static: str) -> Any:
    """Compiled once for each type of operands and each of these arguments; an enclosing jit never sees it."""
    return functools.partial(jax.jit, static_argnames=static, inline=True)


def _check_arrays(name: str, **operands: Any) -> None:
    for operand, value in operands.items():
        if not isinstance(value, (jax.Array, np.ndarray, np.generic)):
            found = type(value).__name__
            raise TypeError(f"strew.jax.{name}: {operand} is of type {found}; it must be an array of JAX or NumPy")


def _check_narrowing(name: str, indices: Any) -> None:
    """Refuses indices of NumPy that would become others where JAX keeps 32 bits of 64."""
    if not isinstance(indices, (np.ndarray, np.generic)) or indices.dtype.kind not in "iu" or not indices.size:
        return
    kept = jax.dtypes.canonicalize_dtype(indices.dtype)
    if kept == indices.dtype:
        return
    lower, upper = np.iinfo(kept).min, np.iinfo(kept).max
    if lower <= indices.min() and indices.max() <= upper:
        return
    position = np.unravel_index(np.argmax((indices < lower) | (indices > upper)), indices.shape)
    place = "".join(f"[{i}]" for i in position)
    raise ValueError(
        f"strew.jax.{name}: indices{place} is {indices[position]}, outside [{lower}, {upper}], what JAX keeps of "
        f"{indices.dtype} without jax_enable_x64"
    )


def _wrong_type(name: str, attribute: str, value: Any, right: str) -> TypeError:
    if isinstance(value, jax.core.Tracer):
        return TypeError(f"strew.jax.{name}: {attribute} is traced; it must be {right}, known when tracing")
    return TypeError(f"strew.jax.{name}: {attribute} is of type {type(value).__name__}; it must be {right}")


def _reduction(name: str, reduction: str) -> str:
    """The first name of a reduction that has two."""
    if not isinstance(reduction, str):
        raise _wrong_type(name, "reduction", reduction, "a str")
    try:
        return _jax.find_reduction(reduction)[0]
    except ValueError as error:
        raise ValueError(f"strew.jax.{name}: {error}") from None


def _integer(name: str, attribute: str, value: Any) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise _wrong_type(name, attribute, value, "an integer") from None
    if not -(2**63) <= number < 2**63:
        raise ValueError(f"strew.jax.{name}: {attribute} is {number}; it must fit in 64 bits")
    return number


def _integers(name: str, attribute: str, values: Any) -> tuple[int, ...]:
    """Checks a list of a slice. As in Python, integers that are too large mean the ends."""
    if isinstance(values, (str, bytes, jax.core.Tracer)):
        raise _wrong_type(name, attribute, values, "a sequence of integers")
    try:
        return tuple(min(max(operator.index(each), 1 - 2**63), 2**63 - 1) for each in values)
    except TypeError:
        raise _wrong_type(name, attribute, values, "a sequence of integers") from None


def _segment_count(name: str, segment_ids: Any, num_segments: Any) -> int:
    """num_segments, or if it is not given one more than the greatest id."""
    if num_segments is not None:
        return _integer(name, "num_segments", num_segments)
    if isinstance(segment_ids, jax.core.Tracer):
        raise TypeError(f"strew.jax.{name}: segment_ids are traced, so that their greatest is unknown: pass num_segments")
    _check_arrays(name, segment_ids=segment_ids)
    return max(int(np.max(segment_ids)), -1) + 1 if segment_ids.size else 0


def _flag(name: str, attribute: str, value: Any) -> bool:
    try:
        return bool(value)
    except (TypeError, ValueError):
        raise _wrong_type(name, attribute, value, "a bool") from None


def _bounds(name: str, mode: Any, exact: Any) -> str:
    """The policy that a mode is. Without one, a wrong index is an error where strew runs the call: always, if exact."""
    if _flag(name, "exact", exact) and mode is None:
        return "refuse"
    if mode is None:
        return "either"
    if isinstance(mode, jax.lax.GatherScatterMode):
        mode = {"FILL_OR_DROP": "fill"}.get(mode.name, mode.name.lower())
    if not isinstance(mode, str):
        raise _wrong_type(name, "mode", mode, "a str")
    try:
        return MODES.get(mode) or _names.find("mode", mode, MODES, _names.FORMER_MODES)
    except ValueError as error:
        raise ValueError(f"strew.jax.{name}: {error}") from None


def _default_fill(dtype: np.dtype) -> Any:
    """The value with which JAX's own gathers fill."""
    if jnp.issubdtype(dtype, jnp.inexact):
        return np.array(np.nan).astype(dtype)
    if jnp.issubdtype(dtype, jnp.signedinteger):
        return np.array(np.iinfo(dtype).min, dtype)
    return np.array(True) if dtype == bool else np.array(np.iinfo(dtype).max, dtype)


#: Kinds of numbers: each kind can hold the kinds before it.
_KINDS = (jnp.bool_, jnp.integer, jnp.floating, jnp.complexfloating)


def _kind(dtype: np.dtype) -> int:
    return next((i for i, kind in enumerate(_KINDS) if jnp.issubdtype(dtype, kind)), len(_KINDS))


def _fill(name: str, data: Any, bounds: str, fill_value: Any) -> bytes | None:
    """fill_value as the bytes of one element."""
    if isinstance(fill_value, jax.core.Tracer):
        raise _wrong_type(name, "fill_value", fill_value, "a number")
    if fill_value is not None and bounds != "skip":
        raise ValueError(f'strew.jax.{name}: fill_value is given, which needs mode="fill"')
    dtype = getattr(data, "dtype", None)
    if bounds != "skip" or not isinstance(dtype, np.dtype) or _kind(dtype) == len(_KINDS):
        return None
    dtype = jax.dtypes.canonicalize_dtype(dtype)
    if fill_value is None:
        return _default_fill(dtype).tobytes()
    fill = np.asarray(fill_value)
    if fill.ndim != 0 or _kind(fill.dtype) > _kind(dtype):
        raise TypeError(f"strew.jax.{name}: fill_value is {fill_value!r}, which no element of {dtype} can be")
    if jnp.issubdtype(dtype, jnp.integer) and not np.iinfo(dtype).min <= int(fill) <= np.iinfo(dtype).max:
        raise ValueError(f"strew.jax.{name}: fill_value is {fill_value!r}, which no element of {dtype} can be")
    return fill.astype(dtype).tobytes()


@_jitted("axis", "batch_dims", "bounds", "fill")
def _gather(data: Any, indices: Any, *, axis: int, batch_dims: int, bounds: str, fill: bytes | None) -> jax.Array:
    _check_arrays("gather", data=data, indices=indices)
    return _primitives.gather(data, indices, axis, batch_dims, bounds, fill)


@_jitted("batch_dims", "bounds", "fill")
def _gather_nd(data: Any, indices: Any, *, batch_dims: int, bounds: str, fill: bytes | None) -> jax.Array:
    _check_arrays("gather_nd", data=data, indices=indices)
    return _primitives.gather_nd(data, indices, batch_dims, bounds, fill)


@_jitted("axis", "bounds", "fill")
def _gather_elements(data: Any, indices: Any, *, axis: int, bounds: str, fill: bytes | None) -> jax.Array:
    _check_arrays("gather_elements", data=data, indices=indices)
    return _primitives.gather_elements(data, indices, axis, bounds, fill)


@_jitted("axis", "batch_dims", "reduction", "use_init_val", "bounds", "unique_indices")
def _scatter(data: Any, indices: Any, updates: Any, **how: Any) -> jax.Array:
    _check_arrays("scatter", data=data, indices=indices, updates=updates)
    return _primitives.scatter(data, indices, updates, **how)


@_jitted("reduction", "bounds", "unique_indices")
def _scatter_nd(data: Any, indices: Any, updates: Any, **how: Any) -> jax.Array:
    _check_arrays("scatter_nd", data=data, indices=indices, updates=updates)
    return _primitives.scatter_nd(data, indices, updates, **how)


@_jitted("axis", "reduction", "use_init_val", "bounds", "unique_indices")
def _scatter_elements(data: Any, indices: Any, updates: Any, **how: Any) -> jax.Array:
    _check_arrays("scatter_elements", data=data, indices=indices, updates=updates)
    return _primitives.scatter_elements(data, indices, updates, **how)


@_jitted("axis", "circular", "bounds")
def _tensor_scatter(data: Any, indices: Any, updates: Any, **how: Any) -> jax.Array:
    _check_arrays("tensor_scatter", data=data, updates=updates)
    if indices is None:
        indices = np.zeros(data.shape[:1], np.int32)
    _check_arrays("tensor_scatter", indices=indices)
    return _primitives.tensor_scatter(data, indices, updates, **how)


@_jitted("part")
def _slice_scatter(data: Any, updates: Any, *, part: tuple[int, ...]) -> jax.Array:
    _check_arrays("slice_scatter", data=data, updates=updates)
    return _primitives.slice_scatter(data, updates, part)


def _combine(name: str, primitive: Any, weights: Any, how: dict[str, Any], **operands: Any) -> jax.Array:
    """Calls an operator of bags or segments; weights may be None."""
    _check_arrays(name, **operands, **({} if weights is None else {"weights": weights}))
    return _primitives.combine(primitive, *operands.values(), weights, **how)


@_jitted("reduction", "bounds", "default_index")
def _embedding_bag_offsets(data: Any, indices: Any, offsets: Any, weights: Any, **how: Any) -> jax.Array:
    operands = {"data": data, "indices": indices, "offsets": offsets}
    return _combine("embedding_bag_offsets", _primitives.embedding_bag_p, weights, how, **operands)


@_jitted("reduction", "bounds")
def _embedding_bag_packed(data: Any, indices: Any, weights: Any, **how: Any) -> jax.Array:
    operands = {"data": data, "indices": indices}
    return _combine("embedding_bag_packed", _primitives.embedding_bag_packed_p, weights, how, **operands)


@_jitted("reduction", "bounds", "segment_count", "default_index")
def _embedding_segments(data: Any, indices: Any, segment_ids: Any, weights: Any, **how: Any) -> jax.Array:
    operands = {"data": data, "indices": indices, "segment_ids": segment_ids}
    return _combine("embedding_segments", _primitives.embedding_segments_p, weights, how, **operands)


@_jitted("reduction", "bounds", "segment_count", "empty")
def _segment_reduce(data: Any, segment_ids: Any, **how: Any) -> jax.Array:
    return _combine("segment_reduce", _primitives.segment_reduce_p, None, how, data=data, segment_ids=segment_ids)


@_jitted("reduction", "use_init_val", "bounds")
def _gather_scatter(data: Any, updates: Any, indices: Any, targets: Any, weights: Any, **how: Any) -> jax.Array:
    _check_arrays("gather_scatter", data=data, updates=updates, indices=indices, targets=targets)
    if weights is not None:
        _check_arrays("gather_scatter", weights=weights)
    return _primitives.gather_scatter(data, indices, updates, targets, weights, **how)


def embedding_bag_offsets(
    data: Array,
    indices: Array,
    offsets: Array,
    weights: Array | None = None,
    *,
    reduction: str = "sum",
    default_index: int = -1,
    mode: Mode = None,
    exact: bool = False,
) -> jax.Array:
    """Combines the rows of bags (OpenVINO EmbeddingBagOffsets), which are never written anywhere.

    For each bag b, over e from offsets[b] to offsets[b + 1] (the last bag ends with indices):

        output[b] = the reduction of weights[e] * data[indices[e]]

    Args:
        data: An array of rank r >= 1, the table.
        indices: An array of integers of rank 1. A negative one counts from the end.
        offsets: An array of integers of rank 1: where each bag begins; at least 0, not decreasing, at most the number of
            indices.
        weights: A factor for each index, of the dtype of data; None means 1. A mean takes no weights.
        reduction: "sum", "prod", "min", "max" or "mean". Rows of halves are combined in float32 and rounded once.
        default_index: The row of data that an empty bag gets, without a weight; known when tracing. -1 means zeros.
        mode: As for `scatter`. A dropped index is in no bag.
        exact: As for `gather`; XLA never runs this function.

    Returns:
        An array of shape offsets.shape + data.shape[1:] and of the dtype of data.

    Raises:
        TypeError: An operand is no array, or its dtype is not supported or lacks the reduction. Raised when tracing.
        ValueError: Shapes or default_index do not fit, or there is no such reduction or mode. Raised when tracing.
        jax.errors.JaxRuntimeError: An index is out of bounds, or offsets decrease. Raised when you wait for the
            result. If JAX runs a compiled program during the call, the call raises a ValueError instead.

    Derivatives of sums and means do not write them either.
    """
    name = "embedding_bag_offsets"
    _check_narrowing(name, indices)
    _check_narrowing(name, offsets)
    return _embedding_bag_offsets(
        data,
        indices,
        offsets,
        weights,
        reduction=_reduction(name, reduction),
        bounds=_bounds(name, mode, exact),
        default_index=_integer(name, "default_index", default_index),
    )


def embedding_bag(*operands: Any, **how: Any) -> jax.Array:
    """The former name of `embedding_bag_offsets`, until strew 0.4."""
    _names.warn("strew.jax.embedding_bag", "strew.jax.embedding_bag_offsets")
    return embedding_bag_offsets(*operands, **how)


def embedding_bag_packed(
    data: Array,
    indices: Array,
    weights: Array | None = None,
    *,
    reduction: str = "sum",
    mode: Mode = None,
    exact: bool = False,
) -> jax.Array:
    """Combines the rows of bags of one size (OpenVINO EmbeddingBagPacked), which are never written anywhere.

    For each bag b, over i from 0 to indices.shape[1]:

        output[b] = the reduction of weights[b][i] * data[indices[b][i]]

    Args:
        data: An array of rank r >= 1, the table.
        indices: An array of integers of rank 2, a row for each bag. A negative one counts from the end.
        weights: An array of the shape of indices and the dtype of data; None is 1. Not beside a mean.
        reduction: As for `embedding_bag_offsets`.
        mode: As for `embedding_bag_offsets`: with "drop", an index outside can pad bags to one size.
        exact: As for `gather`; XLA never runs this function.

    Returns:
        An array of shape indices.shape[:1] + data.shape[1:] and of the dtype of data.

    Raises:
        TypeError: An operand is no array, or its dtype is not supported or lacks the reduction. Raised when tracing.
        ValueError: Shapes do not fit, or there is no such reduction or mode. Raised when tracing.
        jax.errors.JaxRuntimeError: An index is out of bounds. Raised when you wait for the result. If JAX runs a
            compiled program during the call, the call raises a ValueError instead.

    Derivatives are those of `embedding_bag_offsets`.
    """
    name = "embedding_bag_packed"
    _check_narrowing(name, indices)
    bounds = _bounds(name, mode, exact)
    return _embedding_bag_packed(data, indices, weights, reduction=_reduction(name, reduction), bounds=bounds)


def embedding_segments(
    data: Array,
    indices: Array,
    segment_ids: Array,
    weights: Array | None = None,
    *,
    reduction: str = "sum",
    num_segments: int | None = None,
    default_index: int = -1,
    mode: Mode = None,
    exact: bool = False,
) -> jax.Array:
    """Combines rows by the segment that each belongs to (OpenVINO EmbeddingSegmentsSum).

    The gathered rows are never written.

    For each e in order:

        output[segment_ids[e]] = the reduction of weights[e] * data[indices[e]]

    Args:
        data: An array of rank r >= 1, the table.
        indices: An array of integers of rank 1. A negative one counts from the end.
        segment_ids: An array of as many integers, at least 0 and below num_segments, in any order.
        weights: A factor for each index, of the dtype of data; None means 1. A mean takes no weights.
        reduction: As for `embedding_bag_offsets`.
        num_segments: The number of rows of the output; known when tracing. None means the greatest id plus one; the ids
            must not be traced then.
        default_index: As for `embedding_bag_offsets`, for a segment without rows.
        mode: As for `embedding_bag_offsets`, of indices and segment_ids.
        exact: As for `gather`; XLA never runs this function.

    Returns:
        An array of shape (num_segments,) + data.shape[1:] and of the dtype of data.

    Raises:
        TypeError: An operand is no array, or its dtype is not supported or lacks the reduction. Raised when tracing.
        ValueError: Shapes or default_index do not fit, or there is no such reduction or mode. Raised when tracing.
        jax.errors.JaxRuntimeError: An index or id is out of bounds. Raised when you wait for the result. If JAX runs
            a compiled program during the call, the call raises a ValueError instead.

    Derivatives are those of `embedding_bag_offsets`.
    """
    name = "embedding_segments"
    _check_narrowing(name, indices)
    _check_narrowing(name, segment_ids)
    return _embedding_segments(
        data,
        indices,
        segment_ids,
        weights,
        reduction=_reduction(name, reduction),
        bounds=_bounds(name, mode, exact),
        segment_count=_segment_count(name, segment_ids, num_segments),
        default_index=_integer(name, "default_index", default_index),
    )


def segment_reduce(
    data: Array,
    segment_ids: Array,
    *,
    reduction: str = "sum",
    num_segments: int | None = None,
    empty: str = "zero",
    mode: Mode = None,
    exact: bool = False,
) -> jax.Array:
    """Combines consecutive rows by the segment that each belongs to (OpenVINO SegmentMax).

    For each e in order:

        output[segment_ids[e]] = the reduction of data[e]

    Args:
        data: An array of shape (m, ...) of rank r >= 1.
        segment_ids: An array of m integers, sorted, at least 0 and below num_segments.
        reduction: As for `embedding_bag_offsets`.
        num_segments: As for `embedding_segments`.
        empty: The value of a segment without rows: "zero", or "lowest", the least finite value.
        mode: As for `scatter`, of segment_ids.
        exact: As for `gather`; XLA never runs this function.

    Returns:
        An array of shape (num_segments,) + data.shape[1:] and of the dtype of data.

    Raises:
        TypeError: An operand is no array, or its dtype is not supported or lacks the reduction. Raised when tracing.
        ValueError: Shapes do not fit, or there is no such reduction or mode. Raised when tracing.
        jax.errors.JaxRuntimeError: An id is out of bounds, or less than the one before it. Raised when you wait for
            the result. If JAX runs a compiled program during the call, the call raises a ValueError instead.

    Derivatives are those of `embedding_bag_offsets`.
    """
    name = "segment_reduce"
    _check_narrowing(name, segment_ids)
    if not isinstance(empty, str):
        raise _wrong_type(name, "empty", empty, "a str")
    return _segment_reduce(
        data,
        segment_ids,
        reduction=_reduction(name, reduction),
        bounds=_bounds(name, mode, exact),
        segment_count=_segment_count(name, segment_ids, num_segments),
        empty=empty,
    )


def gather_scatter(
    data: Array,
    updates: Array,
    indices: Array,
    targets: Array,
    weights: Array | None = None,
    *,
    reduction: str = "sum",
    use_init_val: bool = True,
    mode: Mode = None,
    exact: bool = False,
) -> jax.Array:
    """Gathers rows and scatters them, without writing the gathered rows: a layer of a graph network.

    After output = data, for each e in order:

        output[targets[e]] (reduction)= weights[e] * updates[indices[e]]

    Order, bits and work in place are those of `scatter`.

    Args:
        data: An array of shape (s, ...) of rank r >= 1.
        updates: An array of shape (n, ...), the other dimensions and the dtype those of data: the rows to gather.
        indices: An array of integers of rank 1: rows of updates. A negative one counts from the end.
        targets: An array of as many integers: rows of data.
        weights: A factor for each index, of the dtype of data; None means 1.
        reduction: "sum", "sub", "prod", "min" or "max".
        use_init_val: As for `scatter`.
        mode: As for `scatter`, of indices and targets.
        exact: As for `gather`; XLA never runs this function.

    Returns:
        An array of the shape and dtype of data.

    Raises:
        TypeError: An operand is no array, or its dtype is not supported or lacks the reduction. Raised when tracing.
        ValueError: Shapes do not fit, or there is no such reduction or mode. Raised when tracing.
        jax.errors.JaxRuntimeError: An index is out of bounds. Raised when you wait for the result. If JAX runs a
            compiled program during the call, the call raises a ValueError instead.

    Derivatives of "sum" and "sub" do not write the rows either.
    """
    name = "gather_scatter"
    _check_narrowing(name, indices)
    _check_narrowing(name, targets)
    return _gather_scatter(
        data,
        updates,
        indices,
        targets,
        weights,
        reduction=_reduction(name, reduction),
        use_init_val=_flag(name, "use_init_val", use_init_val),
        bounds=_bounds(name, mode, exact),
    )


def gather(
    data: Array,
    indices: Array,
    *,
    axis: int = 0,
    batch_dims: int = 0,
    mode: Mode = None,
    fill_value: Any = None,
    exact: bool = False,
) -> jax.Array:
    """Gathers rows of `data` along an axis (ONNX and OpenVINO Gather), as jax.numpy.take does.

    For each position (p, o, t), where p has `batch_dims` coordinates, o those from there to the axis, and t the other
    coordinates of `indices`:

        output[p, o, t, ...] = data[p, o, indices[p, t], ...]

    Args:
        data: An array of rank r >= 1, of any dtype but those of less than a byte.
        indices: An array of integers of any rank q >= 0. A negative one counts from the end of the axis.
        axis: The axis along which indices select rows, -r <= axis < r.
        batch_dims: The number of leading dimensions that data and indices share, at most min(axis, q); a negative
            number counts from q.
        mode: The policy for indices out of bounds, by the names of JAX's modes. None: an error, except in a small
            gather, which XLA runs and which reads some row. "raise" ("promise_in_bounds"): always an error. "fill"
            ("drop"): write fill_value. "clip": take the nearest index in bounds. "wrap": take the remainder.
        fill_value: A number that an element of data can hold. None means JAX's own: NaN, the least signed integer, the
            greatest unsigned one, True. Derivatives treat it as a constant.
        exact: Whether a small gather without a mode also refuses a bad index.

    Returns:
        An array of shape data.shape[:axis] + indices.shape[batch_dims:] + data.shape[axis+1:] and of the dtype of data.

    Raises:
        TypeError: An operand is no array, or its dtype is not supported. Raised when tracing.
        ValueError: Shapes, axis or batch_dims do not fit, or there is no such mode. Raised when tracing.
        jax.errors.JaxRuntimeError: An index is outside the axis. Raised when you wait for the result. If JAX runs a
            compiled program during the call, the call raises a ValueError instead.
    """
    name = "gather"
    _check_narrowing(name, indices)
    bounds = _bounds(name, mode, exact)
    return _gather(
        data,
        indices,
        axis=_integer(name, "axis", axis),
        batch_dims=_integer(name, "batch_dims", batch_dims),
        bounds=bounds,
        fill=_fill(name, data, bounds, fill_value),
    )


def scatter(
    data: Array,
    indices: Array,
    updates: Array,
    *,
    axis: int = 0,
    batch_dims: int = 0,
    reduction: str = "none",
    use_init_val: bool = True,
    unique_indices: bool = False,
    mode: Mode = None,
    exact: bool = False,
) -> jax.Array:
    """Scatters rows to `data` along an axis (OpenVINO ScatterUpdate, and with reductions).

    After output = data, for each (p, o, t) as `gather` has them, t in row-major order:

        output[p, o, indices[p, t], ...] (reduction)= updates[p, o, t, ...]

    Order, bits and work in place are those of `scatter_nd`.

    Args:
        data: An array of rank r >= 1, of any dtype but those of less than a byte.
        indices: An array of integers of any rank q >= 0. A negative one counts from the end of the axis.
        updates: An array of shape data.shape[:axis] + indices.shape[batch_dims:] + data.shape[axis+1:] and of the dtype
            of data.
        axis: The axis along which indices select rows, -r <= axis < r.
        batch_dims: As for `gather`.
        reduction: As for `scatter_elements`.
        use_init_val: Whether the row of data takes part in a reduction. If not, a row that indices name starts from the
            identity of the reduction instead; other rows stay as in data.
        unique_indices: A promise that no two updates go to one element. Threads then share a scatter better, and the
            derivative of an assignment is simpler. If you break the promise, those elements and their derivatives may
            be anything.
        mode: The policy for indices out of bounds, by the names of JAX's modes. None ("raise", "promise_in_bounds"):
            an error. "drop" ("fill"): skip the update. "clip": take the nearest index in bounds. "wrap": take the
            remainder.
        exact: As for `gather`; XLA never runs this function.

    Returns:
        An array of the shape and dtype of data.

    Raises:
        TypeError: An operand is no array, or its dtype is not supported or lacks the reduction. Raised when tracing.
        ValueError: Shapes, axis or batch_dims do not fit, or there is no such reduction or mode. Raised when tracing.
        jax.errors.JaxRuntimeError: An index is outside the axis. Raised when you wait for the result. If JAX runs a
            compiled program during the call, the call raises a ValueError instead.

    Derivatives are those of `scatter_nd`.
    """
    name = "scatter"
    _check_narrowing(name, indices)
    return _scatter(
        data,
        indices,
        updates,
        axis=_integer(name, "axis", axis),
        batch_dims=_integer(name, "batch_dims", batch_dims),
        reduction=_reduction(name, reduction),
        use_init_val=_flag(name, "use_init_val", use_init_val),
        bounds=_bounds(name, mode, exact),
        unique_indices=_flag(name, "unique_indices", unique_indices),
    )


def tensor_scatter(
    data: Array,
    indices: Array | None,
    updates: Array,
    *,
    axis: int = -2,
    circular: bool = False,
    mode: Mode = None,
    exact: bool = False,
) -> jax.Array:
    """Writes windows into a cache, one for each batch (ONNX TensorScatter).

    After output = data, for each batch b, here for axis 2 of rank 4 and t < w:

        output[b][i][indices[b] + t][j] = updates[b][i][t][j]

    If `data` is donated, or a jitted function does not use it any more, only the windows are written.

    Args:
        data: An array of rank r >= 2, of any dtype but those of less than a byte: the caches, n
            batches in the first dimension, s rows along the axis.
        indices: An array of n integers: where each window begins. None: each begins at 0.
        updates: An array of the shape of data, except w <= s at the axis, and of the dtype of data.
        axis: -r < axis < r, and not the first dimension.
        circular: Whether a window that goes beyond the end continues at 0. If true, any index that is not negative is
            valid, and its remainder modulo s counts. If false, indices are 0 to s - w.
        mode: As for `scatter`. "clip" takes the nearest valid begin, "wrap" the remainder modulo the number of valid
            begins.
        exact: As for `gather`; XLA never runs this function.

    Returns:
        An array of the shape and dtype of data.

    Raises:
        TypeError: An operand is no array, or its dtype is not supported. Raised when tracing.
        ValueError: Shapes or axis do not fit, or there is no such mode. Raised when tracing.
        jax.errors.JaxRuntimeError: An index is out of bounds. Every negative one is. Raised when you wait for the result.
            If JAX runs a compiled program during the call, the call raises a ValueError instead.
    """
    name = "tensor_scatter"
    _check_narrowing(name, indices)
    return _tensor_scatter(
        data,
        indices,
        updates,
        axis=_integer(name, "axis", axis),
        circular=_flag(name, "circular", circular),
        bounds=_bounds(name, mode, exact),
    )


def slice_scatter(
    data: Array,
    updates: Array,
    starts: Sequence[SupportsIndex],
    stops: Sequence[SupportsIndex],
    steps: Sequence[SupportsIndex] | None = None,
    axes: Sequence[SupportsIndex] | None = None,
) -> jax.Array:
    """Writes a slice (OpenVINO SliceScatter), as data.at[...].set(updates) does.

        output = data, but output[starts[0]:stops[0]:steps[0], ...] = updates

    If `data` is donated, or a jitted function does not use it any more, only the slice is written.

    Args:
        data: An array of rank r >= 1, of any dtype but those of less than a byte.
        updates: An array of the shape of the slice of data, and of the dtype of data.
        starts, stops, steps: An integer for each dimension that is sliced, as in Python, known when tracing. None for
            steps means 1.
        axes: The dimensions, each once; None means the first ones.

    Returns:
        An array of the shape and dtype of data.

    Raises:
        TypeError: An operand is no array, or its dtype is not supported. Raised when tracing.
        ValueError: Shapes do not fit, or the slice does not fit data. Raised when tracing.
    """
    name = "slice_scatter"
    first = _integers(name, "starts", starts)
    lists = {
        "starts": first,
        "stops": _integers(name, "stops", stops),
        "steps": (1,) * len(first) if steps is None else _integers(name, "steps", steps),
        "axes": tuple(range(len(first))) if axes is None else _integers(name, "axes", axes),
    }
    for attribute, values in lists.items():
        if len(values) != len(first):
            raise ValueError(f"strew.jax.{name}: {attribute} has {len(values)} entries; {len(first)} are needed")
    return _slice_scatter(data, updates, part=tuple(each for values in lists.values() for each in values))


def gather_nd(
    data: Array,
    indices: Array,
    *,
    batch_dims: int = 0,
    mode: Mode = None,
    fill_value: Any = None,
    exact: bool = False,
) -> jax.Array:
    """Gathers rows of `data` (ONNX and OpenVINO GatherND).

    For each tuple position (p, t), where p has `batch_dims` coordinates:

        output[p, t, ...] = data[p, indices[p, t, 0], ..., indices[p, t, k-1], ...]

    Args:
        data: An array of rank r >= 1, of any dtype but those of less than a byte.
        indices: An array of integers of rank q >= 1, whose last dimension holds tuples of k coordinates, with
            0 <= k <= r - batch_dims. A negative one counts from the end of its dimension.
        batch_dims: The number of leading dimensions that data and indices share, 0 <= batch_dims < min(r, q).
        mode: The policy for indices out of bounds, by the names of JAX's modes. None: an error, except in a small
            gather, which XLA runs and which reads some row. "raise" ("promise_in_bounds"): always an error. "fill"
            ("drop"): write fill_value. "clip": take the nearest index in bounds. "wrap": take the remainder.
        fill_value: A number that an element of data can hold. None means JAX's own: NaN, the least signed integer, the
            greatest unsigned one, True. Derivatives treat it as a constant.
        exact: Whether a small gather without a mode also refuses a bad index.

    Returns:
        An array of shape indices.shape[:-1] + data.shape[batch_dims + k:] and of the dtype of data.

    Raises:
        TypeError: An operand is no array, or its dtype is not supported. Raised when tracing.
        ValueError: Shapes or batch_dims do not fit. Raised when tracing.
        jax.errors.JaxRuntimeError: An index is outside its dimension. Raised when you wait for the result. If JAX
            runs a compiled program during the call, the call raises a ValueError instead.
    """
    name = "gather_nd"
    _check_narrowing(name, indices)
    batch_dims, bounds = _integer(name, "batch_dims", batch_dims), _bounds(name, mode, exact)
    fill = _fill(name, data, bounds, fill_value)
    return _gather_nd(data, indices, batch_dims=batch_dims, bounds=bounds, fill=fill)


def gather_elements(
    data: Array,
    indices: Array,
    *,
    axis: int = 0,
    mode: Mode = None,
    fill_value: Any = None,
    exact: bool = False,
) -> jax.Array:
    """Gathers elements of `data` (ONNX and OpenVINO GatherElements), as jax.numpy.take_along_axis does.

    For each position (i, j, k) of `indices`, here for axis 1 of rank 3:

        output[i][j][k] = data[i][indices[i][j][k]][k]

    Args:
        data: An array of rank r >= 1, of any dtype but those of less than a byte.
        indices: An array of integers of rank r; off the axis, no dimension is larger than that of data. A negative
            index counts from the end of the axis.
        axis: The axis along which indices select elements, -r <= axis < r.
        mode: As for `gather`, of elements.
        fill_value: As for `gather`.
        exact: As for `gather`.

    Returns:
        An array of the shape of indices and of the dtype of data.

    Raises:
        TypeError: An operand is no array, or its dtype is not supported. Raised when tracing.
        ValueError: Shapes or axis do not fit. Raised when tracing.
        jax.errors.JaxRuntimeError: An index is outside the axis. Raised when you wait for the result. If JAX runs a
            compiled program during the call, the call raises a ValueError instead.
    """
    name = "gather_elements"
    _check_narrowing(name, indices)
    axis, bounds = _integer(name, "axis", axis), _bounds(name, mode, exact)
    fill = _fill(name, data, bounds, fill_value)
    return _gather_elements(data, indices, axis=axis, bounds=bounds, fill=fill)


def scatter_nd(
    data: Array,
    indices: Array,
    updates: Array,
    *,
    reduction: str = "none",
    unique_indices: bool = False,
    mode: Mode = None,
    exact: bool = False,
) -> jax.Array:
    """Scatters rows to `data` (ONNX ScatterND, OpenVINO ScatterNDUpdate).

    After output = data, for each tuple position t in row-major order:

        output[indices[t, 0], ..., indices[t, k-1], ...] (reduction)= updates[t, ...]

    Updates take effect one after the other: the last of several for one row wins, and a reduction combines them from
    left to right, with the same bits every time. If `data` is donated, or a jitted function does not use it any more,
    the scatter works in place.

    Args:
        data: An array of rank r >= 1, of any dtype but those of less than a byte.
        indices: An array of integers of rank q >= 1, whose last dimension holds tuples of k coordinates, 0 <= k <= r.
            A negative one counts from the end of its dimension.
        updates: An array of shape indices.shape[:-1] + data.shape[k:] and of the dtype of data.
        reduction: "none", "sum" ("add"), "sub", "prod" ("mul"), "min" or "max". Floats of eight bits have only "none",
            complex numbers no "min" and "max".
        unique_indices: As for `scatter`.
        mode: As for `scatter`, for each coordinate. One bad index of a tuple drops the row.
        exact: As for `gather`; XLA never runs this function.

    Returns:
        An array of the shape and dtype of data.

    Raises:
        TypeError: An operand is no array, or its dtype is not supported or lacks the reduction. Raised when tracing.
        ValueError: Shapes do not fit, or there is no such reduction. Raised when tracing.
        jax.errors.JaxRuntimeError: An index is outside its dimension. Raised when you wait for the result. If JAX
            runs a compiled program during the call, the call raises a ValueError instead.

    There are derivatives of every order, forward and reverse. With "none" only the update that stayed has one. With
    "min" and "max" all operands that equal the result share it evenly, the element of data included.
    """
    name = "scatter_nd"
    _check_narrowing(name, indices)
    return _scatter_nd(
        data,
        indices,
        updates,
        reduction=_reduction(name, reduction),
        bounds=_bounds(name, mode, exact),
        unique_indices=_flag(name, "unique_indices", unique_indices),
    )


def scatter_elements(
    data: Array,
    indices: Array,
    updates: Array,
    *,
    axis: int = 0,
    reduction: str = "none",
    use_init_val: bool = True,
    unique_indices: bool = False,
    mode: Mode = None,
    exact: bool = False,
) -> jax.Array:
    """Scatters elements to `data` (ONNX ScatterElements, OpenVINO ScatterElementsUpdate).

    After output = data, for each position (i, j, k) of `indices` in row-major order, here for axis 1 of rank 3:

        output[i][indices[i][j][k]][k] (reduction)= updates[i][j][k]

    Order, bits and work in place are those of `scatter_nd`.

    Args:
        data: An array of rank r >= 1, of any dtype but those of less than a byte.
        indices: An array of integers of rank r; off the axis, no dimension is larger than that of data. A negative
            index counts from the end of the axis.
        updates: An array of the shape of indices and of the dtype of data.
        axis: The axis along which indices select elements, -r <= axis < r.
        reduction: As for `scatter_nd`, and "mean": the sum, divided once by how many were added. Integers are
            rounded toward minus infinity; booleans have no mean.
        use_init_val: Whether the element of data takes part in a reduction. If not, an element that indices name
            starts from the identity of the reduction instead; other elements stay as in data.
        unique_indices: As for `scatter`.
        mode: As for `scatter`, of elements.
        exact: As for `gather`; XLA never runs this function.

    Returns:
        An array of the shape and dtype of data.

    Raises:
        TypeError: An operand is no array, or its dtype is not supported or lacks the reduction. Raised when tracing.
        ValueError: Shapes or axis do not fit, or there is no such reduction. Raised when tracing.
        jax.errors.JaxRuntimeError: An index is outside the axis. Raised when you wait for the result. If JAX runs a
            compiled program during the call, the call raises a ValueError instead.

    Derivatives are those of `scatter_nd`.
    """
    name = "scatter_elements"
    _check_narrowing(name, indices)
    return _scatter_elements(
        data,
        indices,
        updates,
        axis=_integer(name, "axis", axis),
        reduction=_reduction(name, reduction),
        use_init_val=_flag(name, "use_init_val", use_init_val),
        bounds=_bounds(name, mode, exact),
        unique_indices=_flag(name, "unique_indices", unique_indices),
    )
