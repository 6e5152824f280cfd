"""What the operators become under vmap: one call of the same operator on arrays of one dimension more.

Where an operand that is not batched can be shared, it is: copies are made of indices rather than of data.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
from jax.interpreters import batching

from strew.jax import _primitives

#: The dimension of an operand that vmap maps over, an int; None if it is not batched.
Dimension = Any


def _to_front(operand: Any, dimension: Dimension, size: int) -> Any:
    """The operand with its batch first; one that has none is repeated."""
    if dimension is None:
        return jnp.broadcast_to(operand, (size, *operand.shape))
    return jnp.moveaxis(operand, dimension, 0)


def _batch_size(operands: tuple[Any, ...], dimensions: tuple[Dimension, ...]) -> int:
    return next(operand.shape[dimension] for operand, dimension in zip(operands, dimensions) if dimension is not None)


def prepend_coordinates(indices: Any, count: int) -> Any:
    """Tuples whose first coordinates say where they stand in the first `count` dimensions of indices."""
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


def _gather_nd(operands: tuple[Any, Any], dimensions: tuple[Dimension, Dimension], *, batch_dims: int) -> Any:
    data, indices = operands
    of_data, of_indices = dimensions
    size = _batch_size(operands, dimensions)
    if of_data is None:
        # The tuples of all batches address the one data.
        return _primitives.gather_nd(data, jnp.moveaxis(indices, of_indices, batch_dims), batch_dims), batch_dims
    addressed = batch_dims + indices.shape[-1]
    if of_indices is None and of_data >= addressed:
        # The batch is part of the rows.
        outer = indices.ndim - 1
        return _primitives.gather_nd(data, indices, batch_dims), outer + of_data - addressed
    data = _to_front(data, of_data, size)
    return _primitives.gather_nd(data, _to_front(indices, of_indices, size), batch_dims + 1), 0


def _gather_elements(operands: tuple[Any, Any], dimensions: tuple[Dimension, Dimension], *, axis: int) -> Any:
    data, indices = operands
    of_data, of_indices = dimensions
    size = _batch_size(operands, dimensions)
    if of_data is None:
        # The positions of all batches stand one after the other along the axis of the one data.
        axis %= data.ndim
        indices = jnp.moveaxis(indices, of_indices, axis)
        shape = indices.shape
        joined = indices.reshape(*shape[:axis], shape[axis] * shape[axis + 1], *shape[axis + 2 :])
        return _primitives.gather_elements(data, joined, axis).reshape(shape), axis
    data, indices = _to_front(data, of_data, size), _to_front(indices, of_indices, size)
    return _primitives.gather_elements(data, indices, axis % (data.ndim - 1) + 1), 0


def _scatter_nd(operands: tuple[Any, ...], dimensions: tuple[Dimension, ...], *, reduction: str) -> Any:
    data, indices, updates = operands
    of_data, of_indices, of_updates = dimensions
    size = _batch_size(operands, dimensions)
    addressed = indices.shape[-1]
    if of_indices is None and of_data is not None and of_data >= addressed:
        # The batch is part of the rows.
        of_rows = indices.ndim - 1 + of_data - addressed
        updates = jnp.moveaxis(_to_front(updates, of_updates, size), 0, of_rows)
        return _primitives.scatter_nd(data, indices, updates, reduction), of_data
    data, indices, updates = (_to_front(operand, dimension, size) for operand, dimension in zip(operands, dimensions))
    return _primitives.scatter_nd(data, prepend_coordinates(indices, 1), updates, reduction), 0


def _scatter_elements(
    operands: tuple[Any, ...], dimensions: tuple[Dimension, ...], *, axis: int, reduction: str, use_init_val: bool
) -> Any:
    size = _batch_size(operands, dimensions)
    data, indices, updates = (_to_front(operand, dimension, size) for operand, dimension in zip(operands, dimensions))
    axis = axis % (data.ndim - 1) + 1
    return _primitives.scatter_elements(data, indices, updates, axis, reduction, use_init_val), 0


batching.primitive_batchers[_primitives.gather_nd_p] = _gather_nd
batching.primitive_batchers[_primitives.gather_elements_p] = _gather_elements
batching.primitive_batchers[_primitives.scatter_nd_p] = _scatter_nd
batching.primitive_batchers[_primitives.scatter_elements_p] = _scatter_elements
