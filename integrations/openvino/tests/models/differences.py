"""Calls on which OpenVINO's own CPU kernels and strew differ, or have differed, with expected results.

test_differences.py compares strew with them; bench/differences.py also runs them with OpenVINO's kernels and prints
both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


import oracle
from cases import BFLOAT16, Array, Case

FAR = 2**32 + 1  # 32 bits keep only the 1


@dataclass(frozen=True)
class Difference:
    """A call, its description, and its result: None if it must be refused for an index out of bounds."""

    what: str
    case: Case
    expected: Array | None
    settled: bool = True  # by OpenVINO's specification; otherwise by strew's own rule
    in_words: str = ""  # the result in words, if its numbers show little
    repeats: int = 1  # the number of runs, for results that may change from run to run

    @property
    def right(self) -> str:
        return self.in_words or ("refused" if self.expected is None else "")


def floats(*values: float) -> Array:
    return np.array(values, np.float32)


def gather(data: Array, indices: Array) -> Case:
    return Case("Gather-8", (data, indices))


def scatter_update(data: Array, indices: Array, updates: Array) -> Case:
    return Case("ScatterUpdate-3", (data, indices, updates))


def gather_nd(data: Array, indices: Array) -> Case:
    return Case("GatherND-8", (data, indices))


def gather_elements(data: Array, indices: Array, axis: int = 0) -> Case:
    return Case("GatherElements-6", (data, indices), {"axis": axis})


def scatter_nd(data: Array, indices: Array, updates: Array, reduction: str = "none") -> Case:
    return Case("ScatterNDUpdate-15", (data, indices, updates), {"reduction": reduction})


def scatter_elements(data: Array, indices: Array, updates: Array, reduction: str = "none", init: bool = True) -> Case:
    return Case("ScatterElementsUpdate-12", (data, indices, updates), {"reduction": reduction, "use_init_val": init})


def slice_scatter(data: Array, updates: Array, start: int, stop: int, step: int = 1) -> Case:
    return Case("SliceScatter-15", (data, updates, *(np.array([each]) for each in (start, stop, step))))


def bag_offsets(table: Array, indices: Any, begins: Any, **attributes: Any) -> Case:
    return Case("EmbeddingBagOffsets-15", (table, np.array(indices), np.array(begins)), attributes)


def segments_sum(table: Array, indices: Any, ids: Any, count: int) -> Case:
    return Case("EmbeddingSegmentsSum-3", (table, np.array(indices), np.array(ids), np.array(count)))


def segment_max(data: Array, ids: Any, mode: str = "LOWEST") -> Case:
    return Case("SegmentMax-16", (data, np.array(ids)), {"fill_mode": mode})


def repeated_rows() -> Difference:
    """Rows that are assigned again and again: the last assignment stays, and no row is torn."""
    random = np.random.default_rng(3)
    rows, count, length = 1000, 20000, 64
    indices = random.integers(0, rows, (count, 1)).astype(np.int32)
    updates = np.repeat(floats(*range(count))[:, None], length, axis=1)
    data = np.zeros((rows, length), np.float32)
    case = scatter_nd(data, indices, updates)
    expected = oracle.scatter_nd(data, indices, updates)
    return Difference("ScatterNDUpdate, 20,000 rows assigned to 1,000", case, expected, False, "the last of each", 30)


TENS = floats(10, 20, 30)
GRID = np.arange(12, dtype=np.float32).reshape(3, 4)
TRUES = np.ones(256, bool)


def column(*indices: int, dtype: Any = np.int64) -> Array:
    return np.array(indices, dtype)[:, None]


def indices_cases() -> list[Difference]:
    return [
        Difference("Gather, index 2^32+1 of 3: zero", gather(TENS, np.array([FAR, 1])), floats(0, 20)),
        Difference(
            "Gather, uint32 index 2^32-1 of 3: zero",
            gather(TENS, np.array([2**32 - 1, 1], np.uint32)),
            floats(0, 20),
        ),
        Difference(
            "Gather of int32, indices 3 and 10 of 3: zeros",
            gather(TENS.astype(np.int32), np.array([3, 10], np.int32)),
            np.array([0, 0], np.int32),
        ),
        Difference("ScatterUpdate, index 2^32+1 of 3", scatter_update(TENS, np.array([FAR]), floats(5)), None),
        Difference(
            "ScatterUpdate, uint64 index 2^63 of 3",
            scatter_update(TENS, np.array([2**63], np.uint64), floats(5)),
            None,
        ),
        Difference("GatherND, index 2^32+1 of 3 rows", gather_nd(TENS, column(FAR)), None),
        Difference("GatherElements, index 2^32+1 of 3", gather_elements(TENS, np.array([FAR])), None),
        Difference("ScatterNDUpdate, index 2^32+1 of 3 rows", scatter_nd(TENS, column(FAR), floats(5)), None),
        Difference(
            "ScatterElementsUpdate, index 2^32+1 of 3", scatter_elements(TENS, np.array([FAR]), floats(5)), None
        ),
        Difference(
            "GatherND, uint64 index 2^64-1 of 3 rows", gather_nd(TENS, column(2**64 - 1, dtype=np.uint64)), None
        ),
        Difference(
            "ScatterElementsUpdate, uint32 index 2^32-1 of 3",
            scatter_elements(TENS, np.array([2**32 - 1], np.uint32), floats(5)),
            None,
        ),
        Difference("GatherND, int32 index 3 of 3 rows", gather_nd(TENS, column(3, dtype=np.int32)), None),
        Difference("GatherND, int32 index -4 of 3 rows", gather_nd(TENS, column(-4, dtype=np.int32)), None),
        Difference("GatherND, tuple (0, 5) of a [3, 4]", gather_nd(GRID, np.array([[0, 5]], np.int32)), None),
        Difference("GatherElements, int32 index 3 of 3", gather_elements(TENS, np.array([3], np.int32)), None),
        Difference("GatherElements, int32 index 2^28 of 3", gather_elements(TENS, np.array([2**28], np.int32)), None),
        Difference(
            "ScatterNDUpdate, int32 index 3 of 3 rows", scatter_nd(TENS, column(3, dtype=np.int32), floats(5)), None
        ),
        Difference(
            "ScatterNDUpdate, tuple (0, 5) of a [3, 4]",
            scatter_nd(GRID, np.array([[0, 5]], np.int32), floats(99)),
            None,
        ),
        Difference(
            "ScatterElementsUpdate, int32 index 3 of 3",
            scatter_elements(TENS, np.array([3], np.int32), floats(5)),
            None,
        ),
        Difference(
            "ScatterElementsUpdate, int32 index -4 of 3",
            scatter_elements(TENS, np.array([-4], np.int32), floats(5)),
            None,
        ),
        Difference(
            "ScatterElementsUpdate, int32 index -100,000,000 of 3",
            scatter_elements(TENS, np.array([-(10**8)], np.int32), floats(5)),
            None,
        ),
        Difference(
            "SliceScatter, start, stop and step are inputs: 0:2:1 of 3",
            slice_scatter(TENS, floats(1, 2), 0, 2),
            floats(1, 2, 30),
        ),
        Difference(
            "GatherND, tuples of no index: all of data, twice",
            gather_nd(floats(1, 2), np.zeros((2, 0), np.int32)),
            np.array([[1, 2], [1, 2]], np.float32),
        ),
        Difference(
            "ScatterNDUpdate, a tuple of no index: all of data",
            scatter_nd(floats(1, 2), np.zeros((1, 0), np.int32), np.array([[5, 6]], np.float32)),
            floats(5, 6),
        ),
    ]


def width_cases() -> list[Difference]:
    wide, unsigned = np.array([2**40 + 7, -(2**33)]), np.array([2**63, 2**32 + 5], np.uint64)
    doubles = np.array([0.1, 1e300])
    large = np.array([2**31 + 7, 5], np.uint32)
    return [
        Difference("Gather of int64: 2^40+7, -2^33", gather(wide, np.array([0, 1])), wide),
        Difference("GatherND of int64: 2^40+7, -2^33", gather_nd(wide, column(0, 1)), wide),
        Difference("GatherElements of int64: 2^40+7, -2^33", gather_elements(wide, np.array([0, 1])), wide),
        Difference(
            "ScatterNDUpdate of int64: 2^40 assigned",
            scatter_nd(np.array([1, 2]), column(1), np.array([2**40])),
            np.array([1, 2**40]),
        ),
        Difference(
            "ScatterNDUpdate of int64: sum of 2^31-1 and 1",
            scatter_nd(np.array([2**31 - 1]), column(0), np.array([1]), "sum"),
            np.array([2**31]),
        ),
        Difference("GatherND of uint64: 2^63, 2^32+5", gather_nd(unsigned, column(0, 1)), unsigned),
        Difference(
            "ScatterNDUpdate of uint32: max of 2^31+7 and 1",
            scatter_nd(large, column(0), np.array([1], np.uint32), "max"),
            large,
        ),
        Difference("GatherND of float64: 0.1, 1e300", gather_nd(doubles, column(0, 1)), doubles),
        Difference(
            "ScatterElementsUpdate of float64: 0.1 assigned",
            scatter_elements(np.zeros(1), np.array([0]), np.array([0.1])),
            np.array([0.1]),
        ),
        Difference(
            "ScatterNDUpdate of float64: sum of 0.1 and 0.2",
            scatter_nd(np.array([0.1]), column(0), np.array([0.2]), "sum"),
            np.array([0.1 + 0.2]),
        ),
    ]


def reduction_cases() -> list[Difference]:
    zeros, infinity = np.zeros((256, 1), np.int64), np.inf
    return [
        Difference(
            "ScatterNDUpdate of bool: sum of 256 true",
            scatter_nd(np.array([False]), zeros, TRUES, "sum"),
            np.array([True]),
        ),
        Difference(
            "ScatterElementsUpdate of bool: sum of 256 true",
            scatter_elements(np.array([False]), zeros[:, 0], TRUES, "sum"),
            np.array([True]),
        ),
        Difference(
            "ScatterElementsUpdate of int32: mean of -3 and -4, toward minus infinity",
            scatter_elements(np.array([-3], np.int32), np.array([0]), np.array([-4], np.int32), "mean"),
            np.array([-4], np.int32),
        ),
        Difference(
            "ScatterElementsUpdate: max of -infinity alone (use_init_val = false)",
            scatter_elements(floats(0), np.array([0]), floats(-infinity), "max", False),
            floats(-infinity),
        ),
        Difference(
            "ScatterElementsUpdate: min of infinity alone (use_init_val = false)",
            scatter_elements(floats(0), np.array([0]), floats(infinity), "min", False),
            floats(infinity),
        ),
    ]


def sum_cases() -> list[Difference]:
    rows, infinity = floats(10, 20, 30)[:, None], np.inf
    wide = np.array([[2**40], [1]])
    return [
        Difference("EmbeddingBagOffsets, index 2^32+1 of 3 rows", bag_offsets(rows, [FAR], [0]), None),
        Difference(
            "EmbeddingBagOffsets, offsets 0, 2 of 2 indices: the second bag is empty",
            bag_offsets(rows, [0, 2], [0, 2]),
            floats(40, 0)[:, None],
        ),
        Difference("EmbeddingBagOffsets of int64: 2^40 + 1", bag_offsets(wide, [0, 1], [0]), np.array([[2**40 + 1]])),
        Difference(
            "EmbeddingBagOffsets of float64: 0.1 + 0.2",
            bag_offsets(np.array([[0.1], [0.2]]), [0, 1], [0]),
            np.array([[0.1 + 0.2]]),
        ),
        Difference(
            "EmbeddingSegmentsSum, ids 0, 1, 0 of rows 10, 20, 30",
            segments_sum(rows, [0, 1, 2], [0, 1, 0], 2),
            floats(40, 20)[:, None],
        ),
        Difference("SegmentMax, id -1", segment_max(TENS, [-1, 0, 1]), None),
        Difference("SegmentMax of -infinity alone", segment_max(floats(-infinity), [0]), floats(-infinity)),
        Difference(
            "SegmentMax of float16, an empty segment, fill_mode lowest",
            segment_max(np.array([1, 2], np.float16), [0, 2]),
            np.array([1, -65504, 2], np.float16),
        ),
        Difference(
            "SegmentMax of int64, an empty segment, fill_mode lowest",
            segment_max(np.array([1, 2]), [0, 2]),
            np.array([1, -(2**63), 2]),
        ),
    ]


def open_cases() -> list[Difference]:
    """Cases that the specification leaves open: the order of updates, NaN, and how often a sum is rounded."""
    nan, zeros = np.nan, np.zeros((4, 1), np.int64)
    halves, brains = np.array([2048], np.float16), np.array([256], BFLOAT16)
    return [
        repeated_rows(),
        Difference("SegmentMax of 1 and NaN", segment_max(floats(1, nan), [0, 0]), floats(nan), False),
        Difference(
            "EmbeddingBagOffsets of int32: the mean of -3 and -4",
            bag_offsets(np.array([[-3], [-4]], np.int32), [0, 1], [0], reduction="mean"),
            np.array([[-4]], np.int32),
            False,
        ),
        Difference(
            "ScatterElementsUpdate: max of 1 and NaN",
            scatter_elements(floats(1), np.array([0]), floats(nan), "max"),
            floats(nan),
            False,
        ),
        Difference(
            "ScatterNDUpdate: min of 1 and NaN",
            scatter_nd(floats(1), column(0), floats(nan), "min"),
            floats(nan),
            False,
        ),
        Difference(
            "ScatterNDUpdate of float16: sum of 2048 and four times 1",
            scatter_nd(halves, zeros, np.ones(4, np.float16), "sum"),
            halves,
            False,
            "2048.0: each step is rounded",
        ),
        Difference(
            "ScatterNDUpdate of bfloat16: sum of 256 and four times 1",
            scatter_nd(brains, zeros, np.ones(4, BFLOAT16), "sum"),
            brains,
            False,
            "256.0: each step is rounded",
        ),
    ]


DIFFERENCES = [*indices_cases(), *width_cases(), *reduction_cases(), *sum_cases(), *open_cases()]
