"""The vmap rules: each operator becomes one call of itself, on arrays with one dimension more.

An operand without a batch is shared if possible. Otherwise the rules copy indices rather than data.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
from jax.interpreters import batching

from strew.jax import _primitives

#: The dimension of an operand that vmap maps over, an int; None if it is not batched.
Dimension = Any
Operands = tuple[Any, ...]
Dimensions = tuple[Dimension, ...]


def _to_front(operand: Any, dimension: Dimension, size: int) -> Any:
    """Moves the batch of an operand to the front; repeats an operand without one."""
    if dimension is None:
        return jnp.broadcast_to(operand, (size, *operand.shape))
    return jnp.moveaxis(operand, dimension, 0)


def _batch_size(operands: Operands, dimensions: Dimensions) -> int:
    return next(operand.shape[dimension] for operand, dimension in zip(operands, dimensions) if dimension is not None)


def _all_to_front(operands: Operands, dimensions: Dimensions) -> list[Any]:
    size = _batch_size(operands, dimensions)
    return [_to_front(operand, dimension, size) for operand, dimension in zip(operands, dimensions)]


def _rank(operand: Any, dimension: Dimension) -> int:
    """The rank of each element of the batch."""
    return operand.ndim - (dimension is not None)


def prepend_coordinates(indices: Any, count: int) -> Any:
    """Prepends coordinates to tuples: the place of each tuple in the first `count` dimensions of indices."""
    shape = indices.shape[:-1]
    if count == 0:
        return indices
    if max(shape[:count]) - 1 > jnp.iinfo(indices.dtype).max:
        indices = indices.astype(jnp.int32)
    positions = [jnp.broadcast_to(_positions(shape, i, indices.dtype), shape) for i in range(count)]
    return jnp.concatenate([jnp.stack(positions, axis=-1), indices], axis=-1)


def _positions(shape: tuple[int, ...], dimension: int, dtype: Any) -> Any:
    """The coordinate along one dimension, of a shape that broadcasts to `shape`."""
    ones = [1] * len(shape)
    ones[dimension] = shape[dimension]
    return jnp.arange(shape[dimension], dtype=dtype).reshape(ones)


def _gather(operands: Operands, dimensions: Dimensions, *, axis: int, batch_dims: int, **policy: Any) -> Any:
    data, indices = operands
    of_data, of_indices = dimensions
    size = _batch_size(operands, dimensions)
    axis %= _rank(data, of_data)
    batch_dims += _rank(indices, of_indices) if batch_dims < 0 else 0
    if of_data is None and batch_dims == 0:
        # The indices of all batches address the one data.
        return _primitives.gather(data, jnp.moveaxis(indices, of_indices, 0), axis, 0, **policy), axis
    data = _to_front(data, of_data, size)
    if of_indices is None and batch_dims == 0:
        return _primitives.gather(data, indices, axis + 1, 0, **policy), 0
    indices = _to_front(indices, of_indices, size)
    return _primitives.gather(data, indices, axis + 1, batch_dims + 1, **policy), 0


def _gather_nd(operands: Operands, dimensions: Dimensions, *, batch_dims: int, **policy: Any) -> Any:
    data, indices = operands
    of_data, of_indices = dimensions
    size = _batch_size(operands, dimensions)
    if of_data is None:
        # The tuples of all batches address the one data.
        indices = jnp.moveaxis(indices, of_indices, batch_dims)
        return _primitives.gather_nd(data, indices, batch_dims, **policy), batch_dims
    addressed = batch_dims + indices.shape[-1]
    if of_indices is None and of_data >= addressed:
        # The batch is part of the rows.
        outer = indices.ndim - 1
        return _primitives.gather_nd(data, indices, batch_dims, **policy), outer + of_data - addressed
    data = _to_front(data, of_data, size)
    return _primitives.gather_nd(data, _to_front(indices, of_indices, size), batch_dims + 1, **policy), 0


def _gather_elements(operands: Operands, dimensions: Dimensions, *, axis: int, **policy: Any) -> Any:
    data, indices = operands
    of_data, of_indices = dimensions
    size = _batch_size(operands, dimensions)
    if of_data is None:
        # The axis holds the positions of all batches one after the other, in the one data.
        axis %= data.ndim
        indices = jnp.moveaxis(indices, of_indices, axis)
        shape = indices.shape
        joined = indices.reshape(*shape[:axis], shape[axis] * shape[axis + 1], *shape[axis + 2 :])
        return _primitives.gather_elements(data, joined, axis, **policy).reshape(shape), axis
    data, indices = _to_front(data, of_data, size), _to_front(indices, of_indices, size)
    return _primitives.gather_elements(data, indices, axis % (data.ndim - 1) + 1, **policy), 0


def _scatter(operands: Operands, dimensions: Dimensions, *, axis: int, batch_dims: int, **how: Any) -> Any:
    data, indices, updates = operands
    of_data, of_indices, of_updates = dimensions
    size = _batch_size(operands, dimensions)
    axis = axis % _rank(data, of_data) + 1
    batch_dims += _rank(indices, of_indices) if batch_dims < 0 else 0
    data, updates = _to_front(data, of_data, size), _to_front(updates, of_updates, size)
    if of_indices is not None or batch_dims > 0:
        indices, batch_dims = _to_front(indices, of_indices, size), batch_dims + 1
    return _primitives.scatter(data, indices, updates, axis, batch_dims, **how), 0


def _scatter_nd(operands: Operands, dimensions: Dimensions, **how: Any) -> Any:
    data, indices, updates = operands
    of_data, of_indices, of_updates = dimensions
    size = _batch_size(operands, dimensions)
    addressed = indices.shape[-1]
    if of_indices is None and of_data is not None and of_data >= addressed:
        # The batch is part of the rows.
        of_rows = indices.ndim - 1 + of_data - addressed
        updates = jnp.moveaxis(_to_front(updates, of_updates, size), 0, of_rows)
        return _primitives.scatter_nd(data, indices, updates, **how), of_data
    data, indices, updates = _all_to_front(operands, dimensions)
    return _primitives.scatter_nd(data, prepend_coordinates(indices, 1), updates, **how), 0


def _scatter_elements(operands: Operands, dimensions: Dimensions, *, axis: int, **how: Any) -> Any:
    data, indices, updates = _all_to_front(operands, dimensions)
    axis = axis % (data.ndim - 1) + 1
    return _primitives.scatter_elements(data, indices, updates, axis, **how), 0


def _tensor_scatter(operands: Operands, dimensions: Dimensions, *, axis: int, **how: Any) -> Any:
    """The batches of all are batches of one."""
    data, indices, updates = _all_to_front(operands, dimensions)
    axis = axis % (data.ndim - 1)
    size = data.shape[0] * data.shape[1]
    flat = (operand.reshape(size, *operand.shape[2:]) for operand in (data, indices, updates))
    return _primitives.tensor_scatter(*flat, axis, **how).reshape(data.shape), 0


def _slice_scatter(operands: Operands, dimensions: Dimensions, *, slice: tuple[int, ...]) -> Any:
    data, updates = _all_to_front(operands, dimensions)
    lists, axes = slice[: len(slice) // 4 * 3], slice[len(slice) // 4 * 3 :]
    after_first = tuple(axis % (data.ndim - 1) + 1 for axis in axes)
    return _primitives.slice_scatter(data, updates, lists + after_first), 0


batching.primitive_batchers[_primitives.gather_p] = _gather
batching.primitive_batchers[_primitives.gather_nd_p] = _gather_nd
batching.primitive_batchers[_primitives.gather_elements_p] = _gather_elements
batching.primitive_batchers[_primitives.scatter_p] = _scatter
batching.primitive_batchers[_primitives.scatter_nd_p] = _scatter_nd
batching.primitive_batchers[_primitives.scatter_elements_p] = _scatter_elements
batching.primitive_batchers[_primitives.tensor_scatter_p] = _tensor_scatter
batching.primitive_batchers[_primitives.slice_scatter_p] = _slice_scatter
