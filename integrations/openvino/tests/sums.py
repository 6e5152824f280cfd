"""Sums of gathered rows, and maxima of segments: expected results in plain NumPy, and small calls of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np

import oracle

Array = np.ndarray[Any, Any]


def weighted(row: Array, weight: Array | None, dtype: np.dtype[Any]) -> Array:
    """A row as it is added: halves in float32, each product rounded by itself."""
    wide = np.dtype(np.float32) if dtype in oracle.HALVES else dtype
    row = row.astype(wide)
    with np.errstate(all="ignore"):
        return row if weight is None else (row * weight.astype(wide)).astype(wide)


def bag(table: Array, rows: Sequence[int], weights: Sequence[Array] | None, reduction: str, empty: Array) -> Array:
    """One bag: row after row from 0 on, divided for a mean, and rounded once at the end."""
    if not rows:
        return empty
    total = weighted(np.zeros(table.shape[1:], table.dtype), None, table.dtype)
    for at, row in enumerate(rows):
        with np.errstate(all="ignore"):
            total = total + weighted(table[row], None if weights is None else weights[at], table.dtype)
    total = np.asarray(total)
    if reduction == "mean":
        divided = [oracle.mean(each, np.array(len(rows))) for each in total.reshape(-1)]
        total = np.array(divided, total.dtype).reshape(total.shape)
    with np.errstate(all="ignore"):
        return total.astype(table.dtype)


def bags(
    table: Array, chosen: Sequence[Sequence[int]], indices: Array, weights: Array | None, reduction: str, default: int
) -> Array:
    """Bags of positions in indices."""
    empty = table[default] if default >= 0 else np.zeros(table.shape[1:], table.dtype)
    out = np.zeros((len(chosen), *table.shape[1:]), table.dtype)
    for at, positions in enumerate(chosen):
        of_bag = None if weights is None else [weights[position] for position in positions]
        out[at] = bag(table, [int(indices[position]) for position in positions], of_bag, reduction, empty)
    return out


def bag_offsets(
    table: Array,
    indices: Array,
    offsets: Array,
    default: Array | int = -1,
    weights: Array | None = None,
    reduction: str = "sum",
) -> Array:
    ends = [*map(int, offsets[1:]), len(indices)]
    chosen = [list(range(int(begin), end)) for begin, end in zip(offsets, ends)]
    return bags(table, chosen, indices, weights, reduction, int(default))


def bag_packed(table: Array, indices: Array, weights: Array | None = None, reduction: str = "sum") -> Array:
    count, size = indices.shape
    chosen = [list(range(at * size, (at + 1) * size)) for at in range(count)]
    return bags(table, chosen, indices.reshape(-1), None if weights is None else weights.reshape(-1), reduction, -1)


def segments_sum(
    table: Array, indices: Array, ids: Array, count: Array, default: Array | int = -1, weights: Array | None = None
) -> Array:
    chosen: list[list[int]] = [[] for _ in range(int(count))]
    for position, each in enumerate(ids):
        chosen[int(each)].append(position)
    return bags(table, chosen, indices, weights, "sum", int(default))


def lowest(dtype: np.dtype[Any]) -> Any:
    return (np.iinfo if dtype.kind in "iu" else ml_dtypes.finfo)(dtype).min


def segment_max(data: Array, ids: Array, count: Array | None = None, fill_mode: str = "ZERO") -> Array:
    rows = int(count) if count is not None else int(ids[-1]) + 1 if len(ids) else 0
    out = np.zeros((rows, *data.shape[1:]), data.dtype)
    if fill_mode == "LOWEST":
        out[...] = lowest(data.dtype)
    for segment in range(rows):
        for at, row in enumerate(data[ids == segment]):
            out[segment] = row if at == 0 else oracle.combine("max", out[segment], row)
    return out


EXPECTED = {
    "EmbeddingBagOffsetsSum-3": bag_offsets,
    "EmbeddingBagOffsets-15": bag_offsets,
    "EmbeddingBagPackedSum-3": bag_packed,
    "EmbeddingBagPacked-15": bag_packed,
    "EmbeddingSegmentsSum-3": segments_sum,
    "SegmentMax-16": segment_max,
}


def small_call(version: str, random: np.random.Generator, draw: Any, dtype: np.dtype[Any], seed: int) -> tuple[Any, ...]:
    """The inputs of a call: with a default index from seed 1 on, and with weights in 2, which a mean does not have."""
    kind = (np.int32, np.int64)[seed % 2]
    if version == "SegmentMax-16":
        ids = np.array([0, 0, 1, 3, 3, 3, 6, 6], kind)
        return (draw((8, 3, 2)), ids, *([np.array((5, 9)[seed % 2], (np.int64, np.int32)[seed % 2])] if seed else []))
    table = draw((7, 3, 2))
    if "Packed" in version:
        indices = random.integers(0, 7, (4, 5)).astype(kind)
        return (table, indices, *([draw((4, 5))] if seed == 2 else []))
    indices = random.integers(0, 7, 12).astype(kind)
    if "Offsets" in version:
        named = [np.array([0, 2, 2, 3, 9], kind)]
    else:
        ids = np.array([0, 0, 1, 1, 1, 3, 4, 4, 4, 4, 4, 6])
        named = [(random.permutation(ids) if seed == 2 else ids).astype(kind), np.array(8, kind)]
    rest = [np.array(-1 if seed == 1 and "Offsets" in version else 4, kind), draw((12,))][:seed]
    return (table, indices, *named, *rest)
