"""Calls that are drawn at random, as a stranger's may be: each by a seed and a number, the same in every run."""

from __future__ import annotations

from math import exp, log, prod

import numpy as np

from workloads import ELEMENT_SIZES, SUMS_OF_ROWS, Shape, Workload

# Bytes of all tensors of a call together, by the logarithm; one in so many may have several times as many.
LEAST_BYTES, MOST_BYTES = 1 << 20, 20 << 20
RARELY, TIMES = 10, 5
# What moves: at least so many elements, in rows of at most so many bytes.
LEAST_MOVED = 20_000
LONGEST_ROW = 1 << 14
MOST_DIMS = 5

OPERATORS = {
    "gather_elements": 4,
    "scatter_elements": 6,
    "gather_nd": 4,
    "scatter_nd": 6,
    "gather": 3,
    "scatter": 3,
    "embedding_bag_offsets": 2,
    "gather_scatter": 2,
}
# Which bags: drawn apart, so that all other calls of a seed are what they were before there were several.
BAGS = {"embedding_bag_offsets": 3, "embedding_bag_packed": 1, "embedding_segments": 1, "segment_reduce": 1}
DTYPES = {"float32": 6, "float16": 2, "bfloat16": 1, "float64": 2, "int64": 2, "int32": 2, "int8": 1, "uint8": 2}
INDEX_DTYPES = {"int64": 3, "int32": 1}
DRAWS = {"uniform": 6, "zipf": 3, "sorted": 2, "reversed": 1, "same": 1, "few": 2, "blocks": 2}
# Where an assignment finds an index twice, libraries differ in which update wins.
DRAWS_OF_ASSIGNMENTS = {"distinct": 4, "ascending": 2, "descending": 1}
# Sums whose halves would be rounded at each step by some libraries, and once by others: all but those of bags.
DTYPES_OF_SUMS = dict.fromkeys(SUMS_OF_ROWS, ("float32",)) | {"embedding_bag_offsets": ("float32", "float16")}
# Of those that take weights, one in so many has them.
ONE_IS_WEIGHTED = {"embedding_bag_packed": 4, "embedding_segments": 4}


class Draw:
    """The random choices of one call."""

    def __init__(self, *seeds: int) -> None:
        self._random = np.random.default_rng(seeds)

    def choose(self, weights: dict[str, int]) -> str:
        """One of the words, as often as its weight says."""
        shares = np.array(list(weights.values()), float)
        return str(self._random.choice(list(weights), p=shares / shares.sum()))

    def below(self, limit: int) -> int:
        """A number less than that."""
        return int(self._random.integers(0, limit))

    def between(self, least: float, most: float) -> int:
        """A number of these, by the logarithm."""
        return max(1, round(exp(self._random.uniform(log(max(1.0, least)), log(max(1.0, least, most))))))

    def split(self, size: int, dims: int) -> Shape:
        """About so many elements in so many dimensions."""
        if dims == 0:
            return ()
        shares = self._random.dirichlet(np.ones(dims)) * log(max(1, size))
        return tuple(max(1, round(exp(share))) for share in shares)


def hunted(seed: int, number: int) -> Workload:
    """The call of this number."""
    draw = Draw(seed, number)
    operator = draw.choose(OPERATORS)
    if operator in BAGS:
        operator = Draw(seed, number, 1).choose(BAGS)
    dtype = draw.choose(DTYPES)
    if operator in SUMS_OF_ROWS:
        dtype = DTYPES_OF_SUMS[operator][draw.below(len(DTYPES_OF_SUMS[operator]))]
    budget = draw.between(LEAST_BYTES, MOST_BYTES) * (TIMES if draw.below(RARELY) == 0 else 1)
    shapes = {
        "gather_elements": along_an_axis, "scatter_elements": along_an_axis, "gather_nd": by_tuples,
        "scatter_nd": by_tuples, "gather": rows_of_an_axis, "scatter": rows_of_an_axis,
        **dict.fromkeys(SUMS_OF_ROWS, sums_of_rows),
    }[operator]  # fmt: skip
    sums = operator.startswith("scatter") and draw.below(2) == 0
    assigns = operator.startswith("scatter") and not sums
    return Workload(
        operator,
        dtype=dtype,
        index_dtype=draw.choose(INDEX_DTYPES),
        reduction="sum" if sums or operator in SUMS_OF_ROWS else "none",
        in_place=operator == "gather_scatter" or operator not in SUMS_OF_ROWS,
        draw=draw.choose(DRAWS_OF_ASSIGNMENTS if assigns else DRAWS),
        **shapes(draw, budget // ELEMENT_SIZES[dtype], assigns, operator, ELEMENT_SIZES[dtype]),
    )


def along_an_axis(draw: Draw, elements: int, assigns: bool, operator: str, size: int) -> dict:
    """Entries along an axis: lanes, how many entries each has, and how long it is."""
    moved = draw.between(LEAST_MOVED, elements / 3)
    lanes = draw.between(1, moved)
    entries = -(-moved // lanes)
    extent = draw.between(entries if assigns else 1, max(2.0, elements / lanes))
    dims = draw.below(4)
    others = draw.split(lanes, dims)
    axis = draw.below(dims + 1)
    if dims == 0:
        entries = moved
        extent = max(extent, entries) if assigns else extent
    shape = lambda length: (*others[:axis], length, *others[axis:])  # noqa: E731
    return {"data": shape(extent), "indices": shape(entries), "axis": axis}


def by_tuples(draw: Draw, elements: int, assigns: bool, operator: str, size: int) -> dict:
    """Rows, or elements, that tuples name."""
    row = draw.between(1, LONGEST_ROW / size) if draw.below(2) else 1
    inner = draw.split(row, draw.below(3)) if row > 1 else ()
    count = draw.between(max(1, LEAST_MOVED // prod(inner)), elements / 3 / prod(inner))
    coordinates = 1 + draw.below(MOST_DIMS - len(inner))
    rows = draw.between(count if assigns else 1, max(count * 1.5, elements / prod(inner)))
    outer = list(draw.split(rows, coordinates))
    while assigns and prod(outer) < count:
        outer[0] *= 2
    batches = (draw.between(2, 16),) if operator == "gather_nd" and draw.below(5) == 0 else ()
    count = max(1, count // prod(batches))
    return {
        "data": (*batches, *outer, *inner),
        "indices": (*batches, count, coordinates),
        "batch_dims": len(batches),
    }


def rows_of_an_axis(draw: Draw, elements: int, assigns: bool, operator: str, size: int) -> dict:
    """What one index names along an axis, in each place before it."""
    row = draw.between(1, LONGEST_ROW / size)
    before = draw.split(draw.between(1, 64), 1) if draw.below(3) == 0 else ()
    width = row * prod(before)
    count = draw.between(max(1, LEAST_MOVED // width), elements / 3 / width)
    extent = draw.between(count if assigns else 1, max(count * 1.5, elements / width))
    inner = (row,) if row > 1 else ()
    return {"data": (*before, extent, *inner), "indices": (count,), "axis": len(before)}


def sums_of_rows(draw: Draw, elements: int, assigns: bool, operator: str, size: int) -> dict:
    """A table, which rows of it are summed, and into how many."""
    row = draw.between(4, 1024)
    count = draw.between(max(1, LEAST_MOVED // row), elements / row)
    table = draw.between(1, max(2.0, elements / row))
    rows_out = table if operator == "gather_scatter" else draw.between(1, count)
    if operator == "segment_reduce":
        table = count
    indices = (rows_out, max(1, count // rows_out)) if operator == "embedding_bag_packed" else (count,)
    weighted = operator in ONE_IS_WEIGHTED and draw.below(ONE_IS_WEIGHTED[operator]) == 0
    return {"data": (table, row), "indices": indices, "rows_out": rows_out, "weighted": weighted}
