"""Indices as places of a dimension."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp


def position_dtype(count: int) -> Any:
    """The integers that number `count` positions."""
    if count <= jnp.iinfo(jnp.int32).max:
        return jnp.int32
    if not jax.config.read("jax_enable_x64"):
        raise ValueError(
            f"strew.jax: this derivative numbers {count} positions, which takes 64-bit integers: set jax_enable_x64"
        )
    return jnp.int64


def coordinates(indices: Any, size: int, numbers: Any, bounds: str) -> Any:
    """Indices as coordinates from 0 on. If the policy skips, those out of bounds are -1 or the size."""
    limits = jnp.iinfo(indices.dtype)
    if bounds == "wrap" and size <= limits.max:
        return jnp.mod(indices, size).astype(numbers)
    within = jnp.clip(indices, max(limits.min, -size - 1), min(limits.max, size)).astype(numbers)
    places = jnp.where(within < 0, within + size, within)
    return jnp.clip(places, 0, max(size - 1, 0)) if bounds == "clamp" else places
