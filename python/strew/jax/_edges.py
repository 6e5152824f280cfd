"""The derivatives and vmap rules of the operators that combine rows as they gather them.

gather_scatter is linear in data and updates together, and in weights, if it adds or subtracts and data takes part. Its
tangent is then gather_scatter of the tangents. Its transpose is gather_scatter with the two lists swapped, and products
of rows, in blocks. In all other cases the derivative is that of a gather and a scatter.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax.interpreters import ad, batching

from strew.jax import _primitives
from strew.jax._places import coordinates, position_dtype
from strew.jax._derivatives import divide, widened

#: The number of elements of rows that are multiplied at a time.
BLOCK = 1 << 18


def resolved(indices: Any, size: int, bounds: str) -> Any:
    """Indices after the policy, from 0 on; a skipped index becomes size."""
    numbers = position_dtype(size + 1)
    if bounds in ("refuse", "either"):  # a wrong one has been refused
        return jnp.where(indices < 0, indices.astype(numbers) + size, indices.astype(numbers))
    places = coordinates(indices, size, numbers, bounds)
    return jnp.where((places < 0) | (places >= size), size, places)


# The bag of each index, from 0 on; the number of bags if the index is skipped or in no bag.


def _bags_by_offsets(count: int, bounds: str, indices: Any, offsets: Any) -> Any:
    positions = jnp.arange(indices.shape[0], dtype=position_dtype(indices.shape[0] + 1))
    bags = jnp.searchsorted(offsets.astype(positions.dtype), positions, side="right") - 1
    return jnp.where(bags < 0, count, bags)


def _bags_of_one_size(count: int, bounds: str, indices: Any) -> Any:
    return jnp.broadcast_to(jnp.arange(count)[:, None], indices.shape).reshape(-1)


def _bags_by_ids(count: int, bounds: str, *lists: Any) -> Any:
    """A negative id is outside."""
    ids = lists[-1]
    if bounds in ("refuse", "either"):
        return ids
    bags = resolved(ids, count, bounds)
    return bags if bounds == "wrap" else jnp.where(ids < 0, 0 if bounds == "clamp" else count, bags)


def _like_rows(weights: Any, rows: Any) -> Any:
    return weights.reshape(-1, *[1] * (rows.ndim - 1))


def _composed(
    data: Any, indices: Any, updates: Any, targets: Any, weights: Any, reduction: str, use_init_val: bool, bounds: str
) -> Any:
    """gather_scatter as a gather and a scatter."""
    sources = resolved(indices, updates.shape[0], bounds)
    into = resolved(targets, data.shape[0], bounds)
    if bounds not in ("refuse", "either"):
        # If either list skips, both must: otherwise a derivative would multiply that row.
        skipped = (sources == updates.shape[0]) | (into == data.shape[0])
        sources, into = jnp.where(skipped, updates.shape[0], sources), jnp.where(skipped, data.shape[0], into)
    rows = _primitives.gather(updates, sources, 0, 0, "skip")
    rows = rows if weights is None else rows * _like_rows(weights, rows)
    return _primitives.scatter(data, into, rows, 0, 0, reduction, use_init_val, "skip")


def _row_dots(left: Any, right: Any, of_left: Any, of_right: Any, bounds: str) -> Any:
    """The sum of left[of_left[e]] * right[of_right[e]] for each e, in blocks."""

    def dot(places: tuple[Any, Any]) -> Any:
        rows = _primitives.gather(left, places[0], 0, 0, bounds) * _primitives.gather(right, places[1], 0, 0, bounds)
        dots = rows.sum(tuple(range(1, rows.ndim)))
        return jnp.where(skips(left, places[0]) | skips(right, places[1]), 0, dots) if bounds == "skip" else dots

    def skips(rows: Any, places: Any) -> Any:
        return resolved(places, rows.shape[0], bounds) == rows.shape[0]

    count, elements = of_left.shape[0], max(left.size // max(left.shape[0], 1), 1)
    step = max(BLOCK // elements, 1)
    if count <= step:
        return dot((of_left, of_right))
    whole = count - count % step
    blocks = jax.lax.map(dot, (of_left[:whole].reshape(-1, step), of_right[:whole].reshape(-1, step))).reshape(-1)
    return jnp.concatenate([blocks, dot((of_left[whole:], of_right[whole:]))])


def _zero(tangent: Any) -> bool:
    return type(tangent) is ad.Zero


def _gather_scatter_jvp(primals: Any, tangents: Any, **how: Any) -> Any:
    data, indices, updates, targets, *given = primals
    weights, of_weights = (given[0], tangents[4]) if given else (None, None)
    output = _primitives.gather_scatter(data, indices, updates, targets, weights, **how)
    if how["reduction"] not in ("sum", "sub") or not how["use_init_val"]:
        return output, _composed_tangent(primals, tangents, how)
    tangent = ad.instantiate_zeros(tangents[0])
    if not _zero(tangents[2]):
        tangent = _primitives.gather_scatter(tangent, indices, tangents[2], targets, weights, **how)
    if weights is not None and not _zero(of_weights):
        tangent = _primitives.gather_scatter(tangent, indices, updates, targets, of_weights, **how)
    return output, tangent


def _composed_tangent(primals: Any, tangents: Any, how: dict[str, Any]) -> Any:
    data, indices, updates, targets, *given = primals
    floating = (data, updates, *given)
    moving = tuple(ad.instantiate_zeros(t) for t in (tangents[0], tangents[2], *tangents[4:]))

    def function(data: Any, updates: Any, *weights: Any) -> Any:
        return _composed(data, indices, updates, targets, weights[0] if weights else None, **how)

    return jax.jvp(function, floating, moving)[1]


def _gather_scatter_transpose(
    cotangent: Any, data: Any, indices: Any, updates: Any, targets: Any, *given: Any, **how: Any
) -> Any:
    """Transposes the calls that tangents make: with the initial value, adding or subtracting."""
    operands = (data, indices, updates, targets, *given)
    if _zero(cotangent):
        return [ad.Zero(x.aval) if ad.is_undefined_primal(x) else None for x in operands]
    weights = given[0] if given else None
    found: list[Any] = [None] * len(operands)
    if ad.is_undefined_primal(data):
        found[0] = cotangent
    if ad.is_undefined_primal(updates):
        start = jnp.zeros(updates.aval.shape, cotangent.dtype)
        found[2] = _primitives.gather_scatter(start, targets, cotangent, indices, weights, **how)
    if weights is not None and ad.is_undefined_primal(weights):
        dots = _row_dots(updates, cotangent, indices, targets, how["bounds"])
        found[4] = -dots if how["reduction"] == "sub" else dots
    return found


def _counts(sources: Any, bags: Any, rows: int, count: int) -> Any:
    """The number of rows in each bag."""
    kept = bags if sources is None else jnp.where(sources == rows, count, bags)
    ones = jnp.ones(kept.shape, jnp.int32)
    return _primitives.scatter(jnp.zeros(count, jnp.int32), kept, ones, 0, 0, "sum", True, "skip")


def _with_default(sources: Any, bags: Any, rows: int, count: int, row: int) -> tuple[Any, Any]:
    """The lists, with an edge from one row of the table into each empty bag."""
    into = jnp.where(_counts(sources, bags, rows, count) == 0, jnp.arange(count, dtype=bags.dtype), count)
    return (
        jnp.concatenate([sources, jnp.full(count, row, sources.dtype)]),
        jnp.concatenate([bags, into.astype(bags.dtype)]),
    )


def _bags(table: Any, weights: Any, sources: Any, bags: Any, count: int, reduction: str) -> Any:
    """The operators of bags as edges from the table into bags, halves in float32 as the operators themselves combine
    them. Without sources each row is an edge. Edges that have no weight are those of defaults, and weigh 1."""
    data = widened(table)
    nothing = jnp.zeros((count, *data.shape[1:]), data.dtype)
    if weights is not None:
        defaults = jnp.ones(sources.shape[0] - weights.size, data.dtype)
        weights = jnp.concatenate([widened(weights).reshape(-1), defaults])
    if sources is None:
        how = ("sum", True) if reduction == "mean" else (reduction, reduction == "sum")
        sums = _primitives.scatter(nothing, bags, data, 0, 0, *how, "skip")
    elif reduction not in ("sum", "mean"):
        sums = _composed(nothing, sources, data, bags, weights, reduction, False, "skip")
    else:
        sums = _primitives.gather_scatter(nothing, sources, data, bags, weights, "sum", True, "skip")
    if reduction == "mean":
        counts = _counts(sources, bags, data.shape[0], count)
        sums = divide(sums, _like_rows(jnp.maximum(counts, 1), sums))
    return sums.astype(table.dtype)


def _bags_jvp(primitive: Any, bags_of: Any) -> Any:
    """The derivative rule for an operator of bags. An empty bag gets a row of the table, or a constant."""

    def jvp(primals: Any, tangents: Any, *, reduction: str, bounds: str, **how: Any) -> Any:
        data, *others = primals
        output = _primitives.bind(primitive, *primals, reduction=reduction, bounds=bounds, **how)
        lists = [x for x in others if jnp.issubdtype(x.dtype, jnp.integer)]
        given = others[len(lists) :]
        moving = tuple(ad.instantiate_zeros(t) for t in (tangents[0], *tangents[1 + len(lists) :]))
        rows, count = data.shape[0], output.shape[0]
        is_table = primitive is not _primitives.segment_reduce_p
        sources = resolved(lists[0].reshape(-1), rows, bounds) if is_table else None
        bags = bags_of(count, bounds, *lists)
        default = how.get("default_index", -1)
        if default >= 0:
            sources, bags = _with_default(sources, bags, rows, count, default)

        def function(data: Any, *weights: Any) -> Any:
            return _bags(data, weights[0] if weights else None, sources, bags, count, reduction)

        return output, jax.jvp(function, (data, *given), moving)[1]

    return jvp


def _looped(primitive: Any) -> Any:
    """A rule for vmap: one call after the other, since rows of one call may come from anywhere."""

    def rule(operands: tuple[Any, ...], dimensions: tuple[Any, ...], **how: Any) -> Any:
        mapped = [d is not None for d in dimensions]
        moved = [jnp.moveaxis(x, d, 0) for x, d in zip(operands, dimensions) if d is not None]

        def one(batch: list[Any]) -> Any:
            given = iter(batch)
            return _primitives.bind(primitive, *(next(given) if m else x for m, x in zip(mapped, operands)), **how)

        return jax.lax.map(one, moved), 0

    return rule


ad.primitive_jvps[_primitives.gather_scatter_p] = _gather_scatter_jvp
ad.primitive_transposes[_primitives.gather_scatter_p] = _gather_scatter_transpose
for _primitive, _bags_of in (
    (_primitives.embedding_bag_p, _bags_by_offsets),
    (_primitives.embedding_bag_packed_p, _bags_of_one_size),
    (_primitives.embedding_segments_p, _bags_by_ids),
    (_primitives.segment_reduce_p, _bags_by_ids),
):
    ad.primitive_jvps[_primitive] = _bags_jvp(_primitive, _bags_of)
    batching.primitive_batchers[_primitive] = _looped(_primitive)
batching.primitive_batchers[_primitives.gather_scatter_p] = _looped(_primitives.gather_scatter_p)
