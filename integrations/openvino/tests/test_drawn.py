"""Small calls drawn at random, against loops: empty tensors, NaN and infinities, and indices of every type."""

from __future__ import annotations

from typing import Any

import numpy as np
import openvino as ov
import pytest

import strew_openvino
from cases import BFLOAT16, DTYPES, REDUCTIONS, Array, Case, Counted, assert_same, draw, infer, make_model

INDEX_TYPES = [*map(np.dtype, ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"))]
VERSIONS = [
    *("Gather-8", "GatherND-8", "GatherElements-6"),
    *("ScatterUpdate-3", "ScatterNDUpdate-15", "ScatterElementsUpdate-12"),
    *("EmbeddingBagOffsets-15", "EmbeddingBagPacked-15", "EmbeddingSegmentsSum-3", "SegmentMax-16"),
]
ANY_INDEX = ("GatherND-8", "ScatterUpdate-3", "ScatterElementsUpdate-12")  # the others take int32 and int64
SPECIAL = np.array([np.nan, np.inf, -np.inf, -0.0])


def sizes(random: np.random.Generator, rank: int) -> tuple[int, ...]:
    return tuple(map(int, random.choice([0, 1, 2, 3, 5], rank)))


def elements(random: np.random.Generator, dtype: np.dtype[Any], shape: Any) -> Array:
    """A third of floats are special."""
    drawn = draw(random, dtype, shape)
    if dtype.kind != "f" and dtype != BFLOAT16:
        return drawn
    return np.where(random.random(shape) < 0.3, random.choice(SPECIAL, shape), drawn).astype(dtype)


def indices(
    random: np.random.Generator, size: int, shape: tuple[int, ...], kind: np.dtype[Any], negative: bool = True
) -> Array:
    """Indices below `size`; None if none are possible."""
    low = -size if negative and kind.kind == "i" else 0
    return random.integers(low, max(size, 1), shape if size else (0, *shape[1:])).astype(kind)


def drawn_case(version: str, seed: int) -> Case:
    random = np.random.default_rng([VERSIONS.index(version), seed])
    sums = version.startswith(("Embedding", "Segment"))
    dtype = DTYPES[int(random.integers(int(sums), len(DTYPES)))]  # the first is bool, which has no sums
    kind = np.dtype((np.int32, np.int64)[seed % 2])
    if version in ANY_INDEX:
        kind = INDEX_TYPES[int(random.integers(len(INDEX_TYPES)))]
    data = elements(random, dtype, sizes(random, 2))
    rows, columns = data.shape
    count = int(random.integers(0, 7)) if rows else 0
    reductions = REDUCTIONS.get(version, ("sum", "mean"))
    reduction = {"reduction": str(random.choice(reductions[: 5 if dtype.kind == "b" else None]))}
    names = indices(random, rows, (count,), kind, version == "Gather-8")
    ids = np.sort(random.integers(0, 4, rows if version == "SegmentMax-16" else count)).astype(kind)
    if version == "Gather-8":
        return Case(version, (data, names))
    if version == "GatherND-8":
        return Case(version, (data, indices(random, min(rows, columns), (count, 2), kind)))
    if version == "GatherElements-6":
        return Case(version, (data, indices(random, rows, (count, columns), kind)))
    if version == "ScatterUpdate-3":
        return Case(version, (data, names, elements(random, dtype, (count, columns))))
    if version == "ScatterNDUpdate-15":
        places = indices(random, rows, (count, 1), kind)
        return Case(version, (data, places, elements(random, dtype, (count, columns))), reduction)
    if version == "ScatterElementsUpdate-12":
        places = indices(random, rows, (count, columns), kind)
        updates = elements(random, dtype, places.shape)
        return Case(version, (data, places, updates), reduction | {"use_init_val": bool(random.integers(2))})
    if version == "SegmentMax-16":
        return Case(version, (data, ids), {"fill_mode": str(random.choice(["ZERO", "LOWEST"]))})
    if version == "EmbeddingSegmentsSum-3":
        return Case(version, (data, names, ids, np.array(4, kind)))
    if version == "EmbeddingBagPacked-15":
        return Case(version, (data, indices(random, rows, sizes(random, 2), kind, False)), reduction)
    begins = np.sort(random.integers(0, count + 1, 3)).astype(kind) * np.array([0, 1, 1], kind)
    return Case(version, (data, names, begins), reduction)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # from the loops, which overflow and meet NaN
@pytest.mark.parametrize("version", VERSIONS)
def test_drawn_calls_are_what_loops_give(core: ov.Core, version: str) -> None:
    for seed in range(40):
        case = drawn_case(version, seed)
        model = make_model(case, dynamic=seed % 3 == 0)
        report = strew_openvino.replace(model, exact=True)
        assert not report.left
        compiled = core.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
        with Counted(1):
            (result,) = infer(compiled, case.arrays)
        assert_same(result, case.expected())
