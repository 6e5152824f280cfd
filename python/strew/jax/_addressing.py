"""Where a scatter puts its updates: what derivatives need to know beside the scatter itself."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp

from strew.jax import _primitives


def _position_dtype(count: int) -> Any:
    """The integers that number `count` positions."""
    if count <= jnp.iinfo(jnp.int32).max:
        return jnp.int32
    if not jax.config.read("jax_enable_x64"):
        raise ValueError(
            f"strew.jax: this derivative numbers {count} positions, which takes 64-bit integers: set jax_enable_x64"
        )
    return jnp.int64


def _positions(shape: tuple[int, ...]) -> Any:
    """The number of each position of a shape."""
    count = math.prod(shape)
    return jnp.arange(count, dtype=_position_dtype(count)).reshape(shape)


@dataclass(frozen=True)
class RowAddressing:
    """scatter_nd on data of this shape."""

    shape: tuple[int, ...]
    indices: Any

    @property
    def _rows(self) -> tuple[int, ...]:
        """The dimensions that tuples address; the others are those of a row."""
        return self.shape[: self.indices.shape[-1]]

    @property
    def updates_shape(self) -> tuple[int, ...]:
        return (*self.indices.shape[:-1], *self.shape[len(self._rows) :])

    def scatter(self, data: Any, updates: Any, reduction: str, use_init_val: bool = True) -> Any:
        return _primitives.scatter_nd(data, self.indices, updates, reduction)

    def gather(self, data: Any) -> Any:
        """For each element of updates, the element of data that it goes to."""
        return _primitives.gather_nd(data, self.indices)

    def winners(self) -> Any:
        """Which updates are the last ones to go where they go; of a shape that broadcasts to that of updates."""
        positions = _positions(self.indices.shape[:-1])
        tuples = self.targets()[..., None]
        none = jnp.zeros(math.prod(self._rows), positions.dtype)
        last = _primitives.scatter_nd(none, tuples, positions, "none")
        won = _primitives.gather_nd(last, tuples) == positions
        return won.reshape(*won.shape, *[1] * (len(self.shape) - len(self._rows)))

    def targets(self) -> Any:
        """The number of the row that each tuple addresses."""
        numbers = _position_dtype(math.prod(self._rows))
        target = jnp.zeros(self.indices.shape[:-1], numbers)
        for i, size in enumerate(self._rows):
            coordinate = self.indices[..., i].astype(numbers)
            target = target * size + jnp.where(coordinate < 0, coordinate + size, coordinate)
        return target

    def as_rows(self, data: Any) -> Any:
        """Data as one list of rows, which targets number."""
        return data.reshape(math.prod(self._rows), math.prod(self.shape[len(self._rows) :]))

    def updates_as_rows(self, updates: Any) -> Any:
        return updates.reshape(math.prod(self.indices.shape[:-1]), math.prod(self.shape[len(self._rows) :]))


@dataclass(frozen=True)
class ElementAddressing:
    """scatter_elements on data of this shape."""

    shape: tuple[int, ...]
    indices: Any
    axis: int

    @property
    def updates_shape(self) -> tuple[int, ...]:
        return self.indices.shape

    def scatter(self, data: Any, updates: Any, reduction: str, use_init_val: bool = True) -> Any:
        return _primitives.scatter_elements(data, self.indices, updates, self.axis, reduction, use_init_val)

    def gather(self, data: Any) -> Any:
        """For each element of updates, the element of data that it goes to."""
        return _primitives.gather_elements(data, self.indices, self.axis)

    def winners(self) -> Any:
        """Which updates are the last ones to go where they go."""
        positions = _positions(self.indices.shape)
        last = self.scatter(jnp.zeros(self.shape, positions.dtype), positions, "none")
        return self.gather(last) == positions

    def targets(self) -> Any:
        """The number of the element that each index addresses."""
        numbers = _position_dtype(math.prod(self.shape))
        target = jnp.zeros(self.indices.shape, numbers)
        for i, size in enumerate(self.shape):
            if i == self.axis % len(self.shape):
                coordinate = self.indices.astype(numbers)
                coordinate = jnp.where(coordinate < 0, coordinate + size, coordinate)
            else:
                coordinate = jax.lax.broadcasted_iota(numbers, self.indices.shape, i)
            target = target * size + coordinate
        return target

    def as_rows(self, data: Any) -> Any:
        """Data as one list of rows of one element, which targets number."""
        return data.reshape(-1, 1)

    updates_as_rows = as_rows
