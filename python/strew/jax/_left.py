"""Leaves small gathers to XLA's own operations.

A call of strew costs XLA some tenths of a microsecond more than an operation of its own, which is more than strew gains
with few elements. XLA gives the same bits. Scatters are not left: XLA has no advantage there, flushes denormal floats
to zero and does not define how it rounds halves.
"""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp
import numpy as np

from strew.jax._places import coordinates, position_dtype

#: The largest output of a gather that is left: in contiguous pieces, and in bytes.
PIECES, BYTES = 256, 16384


def is_left(name: str, avals: Any, output: Any, parameters: dict[str, Any]) -> bool:
    """Whether XLA runs this call itself. If a bad index is an error, strew runs it."""
    if name not in _GATHERS or parameters["bounds"] == "refuse" or parameters.get("batch_dims", 0) != 0:
        return False
    data, indices = avals
    if jnp.issubdtype(data.dtype, jnp.floating) and data.dtype.itemsize == 1:
        return False  # XLA converts them as it moves them
    if not data.sharding.mesh.empty:
        return False  # on a mesh, JAX's own indexing asks for the sharding of its output
    if 0 in (*data.shape, *indices.shape) or max(data.shape) > 2**30:
        return False
    if name == "gather_elements" and not _same_off_axis(data.shape, indices.shape, parameters["axis"]):
        return False
    pieces = output.size // math.prod(data.shape[_first_whole(name, data, indices, parameters) :])
    return pieces <= PIECES and output.size * data.dtype.itemsize <= BYTES


def _same_off_axis(data: tuple[int, ...], indices: tuple[int, ...], axis: int) -> bool:
    axis %= len(data)
    return all(i == axis or s == t for i, (s, t) in enumerate(zip(data, indices)))


def _first_whole(name: str, data: Any, indices: Any, parameters: dict[str, Any]) -> int:
    """The first of the dimensions of data that are read as a whole."""
    if name == "gather_elements":
        return len(data.shape)
    return indices.shape[-1] if name == "gather_nd" else parameters["axis"] % len(data.shape) + 1


def _resolved(indices: Any, size: int, bounds: str) -> Any:
    """Indices by the policy: from 0 on, the size for one that is skipped. Without a policy a wrong one stays wrong."""
    numbers = position_dtype(2 * size)
    if bounds == "either":
        indices = indices if indices.dtype.itemsize >= 4 else indices.astype(numbers)
        return jnp.where(indices < 0, indices + size, indices)
    places = coordinates(indices, size, numbers, bounds)
    return jnp.where(places < 0, size, places)


def _gather(data: Any, indices: Any, axis: int, bounds: str, filling: dict[str, Any]) -> Any:
    axis %= data.ndim
    return data.at[(*[slice(None)] * axis, _resolved(indices, data.shape[axis], bounds))].get(**filling)


def _gather_nd(data: Any, indices: Any, axis: int, bounds: str, filling: dict[str, Any]) -> Any:
    sizes = data.shape[: indices.shape[-1]]
    return data.at[tuple(_resolved(indices[..., i], size, bounds) for i, size in enumerate(sizes))].get(**filling)


def _gather_elements(data: Any, indices: Any, axis: int, bounds: str, filling: dict[str, Any]) -> Any:
    return jnp.take_along_axis(data, _resolved(indices, data.shape[axis], bounds), axis, **filling)


_GATHERS = {"gather": _gather, "gather_nd": _gather_nd, "gather_elements": _gather_elements}


def call(
    name: str, data: Any, indices: Any, *, bounds: str, fill: bytes | None, axis: int = 0, batch_dims: int = 0
) -> Any:
    """Runs the gather by JAX's own indexing."""
    filling: dict[str, Any] = {"mode": "promise_in_bounds"}
    if bounds == "skip":
        filling = {"mode": "fill", "fill_value": 0 if fill is None else np.frombuffer(fill, data.dtype)[0]}
    return _GATHERS[name](data, indices, axis, bounds, filling)
