"""Calls drawn at random, like those of an unknown user: each from a seed and a number, the same in every run."""

from __future__ import annotations

from math import exp, log, prod

import numpy as np

from workloads import ELEMENT_SIZES, SUMS_OF_ROWS, Shape, Workload

# Bytes of all tensors of a call together, by the logarithm: from one element on.
LEAST_BYTES, MOST_BYTES = 1 << 4, 20 << 20
# One call in so many has no more bytes than this.
ONE_IS_TINY, MOST_BYTES_OF_TINY = 5, 1 << 9
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
BAGS = {"embedding_bag_offsets": 3, "embedding_bag_packed": 1, "embedding_segments": 1, "segment_reduce": 1}
DTYPES = {
    **{"float32": 8, "float16": 3, "bfloat16": 3, "float64": 3, "int64": 3, "int32": 3, "int8": 1, "uint8": 2},
    **{"int16": 1, "uint16": 1, "uint32": 1, "uint64": 1, "bool": 1, "complex64": 1, "complex128": 1},
}
INDEX_DTYPES = {"int64": 3, "int32": 1}
DRAWS = {"uniform": 6, "zipf": 3, "sorted": 2, "reversed": 1, "same": 1, "few": 2, "blocks": 2}
# Libraries differ in which update wins if an assignment finds an index twice, so there are no duplicates.
DRAWS_OF_ASSIGNMENTS = {"distinct": 4, "ascending": 2, "descending": 1}
BOUNDS = {"refuse": 8, "stop": 1, "skip": 1, "clamp": 1, "wrap": 1}
# The reductions of scatters, including none, and those of gathered rows.
REDUCTIONS = {"none": 5, "sum": 3, "prod": 1, "min": 1, "max": 1, "mean": 2}
REDUCTIONS_OF_ROWS = {"sum": 4, "prod": 1, "min": 1, "max": 2, "mean": 2}
LACK_MEAN = ("scatter_nd", "gather_scatter")
# One in so many sums has weights, if its operator takes them.
ONE_IS_WEIGHTED = 4


def reductions(operator: str, dtype: str) -> dict[str, int]:
    """The reductions of an operator for a dtype; complex numbers lack those that need an order."""
    every = REDUCTIONS if operator.startswith("scatter") else {"none": 1}
    every = REDUCTIONS_OF_ROWS if operator in SUMS_OF_ROWS else every
    lacking = {"mean"} if operator in LACK_MEAN or dtype == "bool" else set()
    lacking |= {"prod", "min", "max", "mean"} if dtype.startswith("complex") else set()
    return {name: weight for name, weight in every.items() if name not in lacking}


class Draw:
    """The random choices of one call."""

    def __init__(self, *seeds: int) -> None:
        self._random = np.random.default_rng(seeds)

    def choose(self, weights: dict[str, int]) -> str:
        """One of the words, drawn by their weights."""
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
    operator = draw.choose(BAGS) if operator in BAGS else operator
    dtype = draw.choose(DTYPES)
    reduction = draw.choose(reductions(operator, dtype))
    assigns = operator.startswith("scatter") and reduction == "none"
    most = MOST_BYTES_OF_TINY if draw.below(ONE_IS_TINY) == 0 else MOST_BYTES
    size = ELEMENT_SIZES[dtype]
    elements = max(1, draw.between(LEAST_BYTES, most) // size)
    shapes = {
        "gather_elements": along_an_axis, "scatter_elements": along_an_axis, "gather_nd": by_tuples,
        "scatter_nd": by_tuples, "gather": rows_of_an_axis, "scatter": rows_of_an_axis,
        **dict.fromkeys(SUMS_OF_ROWS, sums_of_rows),
    }[operator]  # fmt: skip
    # A tuple that is brought within bounds, or rows so summed, no other library has.
    has_policy = not assigns and operator not in SUMS_OF_ROWS and not operator.endswith("_nd")
    weighted = reduction == "sum" and operator in ("embedding_bag_packed", "embedding_segments")
    return Workload(
        operator,
        dtype=dtype,
        index_dtype=draw.choose(INDEX_DTYPES),
        reduction=reduction,
        bounds=draw.choose(BOUNDS) if has_policy else "refuse",
        in_place=operator == "gather_scatter" or operator not in SUMS_OF_ROWS,
        weighted=weighted and draw.below(ONE_IS_WEIGHTED) == 0,
        draw=draw.choose(DRAWS_OF_ASSIGNMENTS if assigns else DRAWS),
        **shapes(draw, elements, assigns, operator, size),
    )


def along_an_axis(draw: Draw, elements: int, assigns: bool, operator: str, size: int) -> dict:
    """Entries along an axis: lanes, how many entries each has, and how long it is."""
    moved = draw.between(1, elements / 3)
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
    row = draw.between(1, min(elements, LONGEST_ROW / size)) if draw.below(2) else 1
    inner = draw.split(row, draw.below(3)) if row > 1 else ()
    count = draw.between(1, elements / 3 / prod(inner))
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
    """Rows, or elements, that one index names along an axis."""
    row = draw.between(1, min(elements, LONGEST_ROW / size))
    before = draw.split(draw.between(1, min(elements, 64)), 1) if draw.below(3) == 0 else ()
    width = row * prod(before)
    count = draw.between(1, elements / 3 / width)
    extent = draw.between(count if assigns else 1, max(count * 1.5, elements / width))
    inner = (row,) if row > 1 else ()
    return {"data": (*before, extent, *inner), "indices": (count,), "axis": len(before)}


def sums_of_rows(draw: Draw, elements: int, assigns: bool, operator: str, size: int) -> dict:
    """A table, which rows of it are summed, and into how many."""
    row = draw.between(1, min(elements, 1024))
    count = draw.between(1, elements / row)
    table = draw.between(1, max(2.0, elements / row))
    rows_out = table if operator == "gather_scatter" else draw.between(1, count)
    if operator == "segment_reduce":
        table = count
    indices = (rows_out, max(1, count // rows_out)) if operator == "embedding_bag_packed" else (count,)
    return {"data": (table, row), "indices": indices, "rows_out": rows_out}
