"""The elements of data that a scatter writes: derivatives need to know them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp

from strew.jax import _primitives
from strew.jax._places import coordinates, position_dtype


def _positions(shape: tuple[int, ...]) -> Any:
    """The number of each position of a shape."""
    count = math.prod(shape)
    return jnp.arange(count, dtype=position_dtype(count)).reshape(shape)


def _numbers(places: list[Any], sizes: tuple[int, ...], dtype: Any) -> Any:
    """The number of the position with these coordinates; the number of all positions if the position is skipped."""
    target: Any = jnp.zeros((), dtype)
    outside: Any = False
    for place, size in zip(places, sizes):
        target = target * size + place
        outside |= (place < 0) | (place >= size)
    return jnp.where(outside, jnp.asarray(math.prod(sizes), dtype), target)


@dataclass(frozen=True)
class RowAddressing:
    """scatter_nd on data of this shape."""

    shape: tuple[int, ...]
    indices: Any
    updates_shape: tuple[int, ...]
    bounds: str = "either"
    unique_indices: bool = False

    @property
    def _rows(self) -> tuple[int, ...]:
        """The dimensions that tuples address; the others are those of a row."""
        return self.shape[: self.indices.shape[-1]]

    def scatter(self, data: Any, updates: Any, reduction: str, use_init_val: bool = True) -> Any:
        return _primitives.scatter_nd(data, self.indices, updates, reduction, self.bounds, self.unique_indices)

    def gather(self, data: Any) -> Any:
        """For each element of updates, the element of data that it goes to; 0 if it is skipped."""
        return _primitives.gather_nd(data, self.indices, 0, self.bounds)

    def winners(self) -> Any:
        """Whether each update is the last one to its place; broadcasts to the shape of updates."""
        if self.unique_indices:
            return True
        positions = _positions(self.indices.shape[:-1])
        tuples = self.targets()[..., None]
        none = jnp.zeros(math.prod(self._rows), positions.dtype)
        last = _primitives.scatter_nd(none, tuples, positions, "none", "skip")
        won = _primitives.gather_nd(last, tuples, 0, "skip") == positions
        return won.reshape(*won.shape, *[1] * (len(self.shape) - len(self._rows)))

    def targets(self) -> Any:
        """The number of the row that each tuple addresses."""
        numbers = position_dtype(math.prod(self._rows))
        places = [
            coordinates(self.indices[..., i], size, numbers, self.bounds) for i, size in enumerate(self._rows)
        ]
        return jnp.broadcast_to(_numbers(places, self._rows, numbers), self.indices.shape[:-1])

    def as_rows(self, data: Any) -> Any:
        """Data as one list of rows, which targets number."""
        return data.reshape(math.prod(self._rows), math.prod(self.shape[len(self._rows) :]))

    def updates_as_rows(self, updates: Any) -> Any:
        return updates.reshape(math.prod(self.indices.shape[:-1]), math.prod(self.shape[len(self._rows) :]))

    def updates_of_rows(self, rows: Any) -> Any:
        """The other way."""
        return rows.reshape(self.updates_shape)


@dataclass(frozen=True)
class ElementAddressing:
    """scatter_elements on data of this shape."""

    shape: tuple[int, ...]
    indices: Any
    updates_shape: tuple[int, ...]
    axis: int
    bounds: str = "either"
    unique_indices: bool = False

    def scatter(self, data: Any, updates: Any, reduction: str, use_init_val: bool = True) -> Any:
        how = self.axis, reduction, use_init_val, self.bounds, self.unique_indices
        return _primitives.scatter_elements(data, self.indices, updates, *how)

    def gather(self, data: Any) -> Any:
        """For each element of updates, the element of data that it goes to; 0 if it is skipped."""
        return _primitives.gather_elements(data, self.indices, self.axis, self.bounds)

    def winners(self) -> Any:
        """Whether each update is the last one to its place."""
        if self.unique_indices:
            return True
        positions = _positions(self.indices.shape)
        last = self.scatter(jnp.zeros(self.shape, positions.dtype), positions, "none")
        return self.gather(last) == positions

    def targets(self) -> Any:
        """The number of the element that each index addresses."""
        numbers = position_dtype(math.prod(self.shape))
        axis = self.axis % len(self.shape)
        places = [
            coordinates(self.indices, size, numbers, self.bounds)
            if i == axis
            else jax.lax.broadcasted_iota(numbers, self.indices.shape, i)
            for i, size in enumerate(self.shape)
        ]
        return _numbers(places, self.shape, numbers)

    def as_rows(self, data: Any) -> Any:
        """Data as one list of rows of one element, which targets number."""
        return data.reshape(-1, 1)

    updates_as_rows = as_rows

    def updates_of_rows(self, rows: Any) -> Any:
        """The other way."""
        return rows.reshape(self.updates_shape)


@dataclass(frozen=True)
class AxisAddressing:
    """scatter along an axis of data of this shape."""

    shape: tuple[int, ...]
    indices: Any
    updates_shape: tuple[int, ...]
    axis: int
    batch_dims: int
    bounds: str = "either"
    unique_indices: bool = False

    @property
    def _at(self) -> int:
        return self.axis % len(self.shape)

    @property
    def _batch(self) -> int:
        return self.batch_dims + self.indices.ndim if self.batch_dims < 0 else self.batch_dims

    def scatter(self, data: Any, updates: Any, reduction: str, use_init_val: bool = True) -> Any:
        how = self.axis, self.batch_dims, reduction, use_init_val, self.bounds, self.unique_indices
        return _primitives.scatter(data, self.indices, updates, *how)

    def gather(self, data: Any) -> Any:
        """For each element of updates, the element of data that it goes to; 0 if it is skipped."""
        return _primitives.gather(data, self.indices, self.axis, self.batch_dims, self.bounds)

    def winners(self) -> Any:
        """Whether each update is the last one to its place; broadcasts to the shape of updates."""
        if self.unique_indices:
            return True
        shape, at, batch = self.indices.shape, self._at, self._batch
        positions = _positions(shape)
        none = jnp.zeros((*shape[:batch], self.shape[at]), positions.dtype)
        how: Any = batch, batch, "none", True, self.bounds
        last = _primitives.scatter(none, self.indices, positions, *how)
        won = _primitives.gather(last, self.indices, batch, batch, self.bounds) == positions
        return won.reshape(*shape[:batch], *[1] * (at - batch), *shape[batch:], *[1] * (len(self.shape) - at - 1))

    def targets(self) -> Any:
        """The number of the row that each index addresses, of those of all batches."""
        sizes = (*self.shape[: self._batch], self.shape[self._at])
        numbers = position_dtype(math.prod(sizes))
        places = [jax.lax.broadcasted_iota(numbers, self.indices.shape, i) for i in range(self._batch)]
        places.append(coordinates(self.indices, sizes[-1], numbers, self.bounds))
        return _numbers(places, sizes, numbers)

    def as_rows(self, data: Any) -> Any:
        """Data as one list of rows, which targets number."""
        first = jnp.moveaxis(data, self._at, self._batch)
        return first.reshape(math.prod(first.shape[: self._batch + 1]), math.prod(first.shape[self._batch + 1 :]))

    def _order(self) -> list[int]:
        """The dimensions of updates with those of indices first."""
        at, batch, rank = self._at, self._batch, len(self.updates_shape)
        of_indices = range(at, at + self.indices.ndim - batch)
        return [*range(batch), *of_indices, *range(batch, at), *range(of_indices.stop, rank)]

    def updates_as_rows(self, updates: Any) -> Any:
        count = math.prod(self.indices.shape)
        within = [self.updates_shape[d] for d in self._order()[self.indices.ndim :]]
        return jnp.transpose(updates, self._order()).reshape(count, math.prod(within))

    def updates_of_rows(self, rows: Any) -> Any:
        """The other way."""
        order = self._order()
        inverse = sorted(range(len(order)), key=order.__getitem__)
        return jnp.transpose(rows.reshape([self.updates_shape[d] for d in order]), inverse)


@dataclass(frozen=True)
class WindowAddressing:
    """tensor_scatter on data of this shape, which assigns, and each element once."""

    shape: tuple[int, ...]
    indices: Any
    updates_shape: tuple[int, ...]
    axis: int
    circular: bool
    bounds: str = "either"

    def scatter(self, data: Any, updates: Any, reduction: str, use_init_val: bool = True) -> Any:
        return _primitives.tensor_scatter(data, self.indices, updates, self.axis, self.circular, self.bounds)

    def gather(self, data: Any) -> Any:
        """For each element of updates, the element of data that it goes to; 0 if it is skipped."""
        at = self.axis % len(self.shape)
        size, width = self.shape[at], self.updates_shape[at]
        numbers = position_dtype(2 * size)
        places = self._begins(size if self.circular else size - width + 1, numbers)[:, None]
        places = places + jnp.arange(width, dtype=numbers)
        places = jnp.mod(places, max(size, 1)) if self.circular else places
        if self.bounds == "skip":
            places = jnp.where(self._is_within(size - width)[:, None], places, size)
        return _primitives.gather(data, places, at, 1, "skip")

    def _begins(self, count: int, numbers: Any) -> Any:
        """The beginnings of the windows that are not skipped."""
        indices = self.indices if self.bounds == "wrap" else jnp.maximum(self.indices, 0)
        return coordinates(indices, max(count, 1), numbers, "wrap" if self.circular else self.bounds)

    def _is_within(self, last: int) -> Any:
        is_positive = self.indices >= 0
        if self.circular or last >= jnp.iinfo(self.indices.dtype).max:
            return is_positive
        return is_positive & (self.indices <= last)

    def winners(self) -> Any:
        return True


@dataclass(frozen=True)
class SliceAddressing:
    """slice_scatter on data of this shape, which assigns, and each element once. There are no indices."""

    shape: tuple[int, ...]
    indices: None
    updates_shape: tuple[int, ...]
    slice: tuple[int, ...]

    def scatter(self, data: Any, updates: Any, reduction: str, use_init_val: bool = True) -> Any:
        return _primitives.slice_scatter(data, updates, self.slice)

    def gather(self, data: Any) -> Any:
        """For each element of updates, the element of data that it goes to."""
        count, where = len(self.slice) // 4, [slice(None)] * len(self.shape)
        starts, stops, steps, axes = (self.slice[i * count : (i + 1) * count] for i in range(4))
        for axis, *part in zip(axes, starts, stops, steps):
            where[axis] = slice(*part)
        return data[tuple(where)]

    def winners(self) -> Any:
        return True
