"""Draws calls like those of a guest's users: each from a seed and a number, the same in every run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod

import ml_dtypes
import numpy as np

from draws import DRAWS
from hunted import Draw

Shape = tuple[int, ...]

# The greatest number of elements in all tensors of a small call, the least of the others (drawn by the logarithm), and
# the most bytes.
SMALL_ELEMENTS, LARGER_ELEMENTS, MOST_BYTES = 1000, 4000, 20 << 20
SHARES = {"small": 1, "any": 2}
LONGEST_ROW = 4096
MOST_DIMS = 4

MOVED = {"float32": 6, "float64": 2, "float16": 2, "bfloat16": 2, "int32": 2, "int64": 2, "uint8": 1, "int8": 1}
FLOATS = {"float32": 6, "float64": 2, "float16": 2, "bfloat16": 2}
LONG_FIRST = {"int64": 3, "int32": 1}
LONG_ALONE = {"int64": 1}
INDICES = {"uniform": 6, "zipf": 3, "sorted": 2, "reversed": 1, "same": 1, "few": 2, "blocks": 2, "distinct": 2}
# Libraries differ in which update wins if an assignment finds an index twice, so there are no duplicates.
INDICES_OF_ASSIGNMENTS = {"distinct": 4, "ascending": 2, "descending": 1}


@dataclass(frozen=True)
class Operation:
    """An operation of a guest: how its shapes are drawn, and its choices."""

    family: str  # a key of FAMILIES
    dtypes: Mapping[str, int] = field(default_factory=lambda: MOVED)
    index_dtypes: Mapping[str, int] = field(default_factory=lambda: LONG_FIRST)
    reductions: Sequence[str] = ("none",)
    draws: Mapping[str, int] | None = None  # other kinds of indices than its family's
    traits: Mapping[str, int] = field(default_factory=dict)  # one call in so many has the trait
    weight: int = 1
    scatters: bool = False
    # A trait that some dtypes or reductions lack.
    lacks: Callable[[Call, str], bool] = lambda call, trait: False


@dataclass(frozen=True)
class Call:
    """One drawn call without its numbers."""

    operation: str
    family: str
    dtype: str
    index_dtype: str
    data: Shape
    indices: Shape
    axis: int = 0
    bags: int = 0
    reduction: str = "none"
    draw: str = "uniform"
    traits: tuple[str, ...] = ()
    scatters: bool = False

    @property
    def updates(self) -> Shape:
        """The shape of the gathered or scattered elements."""
        if self.family in ("rows", "table"):
            return (*self.data[: self.axis], *self.indices, *self.data[self.axis + 1 :])
        if self.family == "tuples":
            return (*self.indices[:-1], *self.data[self.indices[-1] :])
        if self.family == "segments":
            return (*self.indices, *self.data[1:])
        return self.indices

    @property
    def is_exact(self) -> bool:
        """Whether every result must be exact: a move, one of several numbers, or integers."""
        return self.dtype not in FLOATS or (self.reduction in ("none", "min", "max") and "backward" not in self.traits)

    @property
    def name(self) -> str:
        """A line."""
        shapes = f"{text(self.data)} by {self.index_dtype} {text(self.indices)}"
        bags = f", {self.bags} bags" if self.bags else ""
        axis = f", axis {self.axis}" if self.family in ("rows", "elements") else ""
        reduction = f" {self.reduction}" if self.reduction != "none" else ""
        traits = "".join(f", {trait}" for trait in self.traits)
        return f"{self.operation}{reduction} {self.dtype} {shapes}{axis}{bags}, {self.draw}{traits}"


def text(shape: Shape) -> str:
    """A shape as text: 10x15, or a dot for rank 0."""
    return "x".join(map(str, shape)) or "."


def drawn(operations: Mapping[str, Operation], seed: int, number: int, *, small: bool = False) -> Call:
    """The call of this number, or a small one that is much like it."""
    draw = Draw(seed, number)
    name = draw.choose({name: operation.weight for name, operation in operations.items()})
    operation = operations[name]
    dtype = draw.choose(dict(operation.dtypes))
    is_small = draw.choose(SHARES) == "small" or small
    most = MOST_BYTES // itemsize(dtype)
    size = draw.between(1, SMALL_ELEMENTS) if is_small else draw.between(LARGER_ELEMENTS, most)
    assigns = operation.scatters and operation.reductions == ("none",)
    call = Call(
        name,
        operation.family,
        dtype,
        draw.choose(dict(operation.index_dtypes)),
        reduction=operation.reductions[draw.below(len(operation.reductions))],
        draw=draw.choose(dict(operation.draws or (INDICES_OF_ASSIGNMENTS if assigns else INDICES))),
        scatters=operation.scatters,
        **FAMILIES[operation.family](draw, size, assigns),
    )
    return fitting(with_traits(call, operation, draw))


def with_traits(call: Call, operation: Operation, draw: Draw) -> Call:
    """The call with some of its possible traits."""
    some = [trait for trait, one_in in operation.traits.items() if draw.below(one_in) == 0]
    had = tuple(trait for trait in some if not operation.lacks(call, trait))
    return replace(call, traits=had)


def fitting(call: Call) -> Call:
    """The call with distinct indices only if there are as many places."""
    if call.draw == "distinct" and call.family != "mask":
        along = call.axis if call.family == "elements" else 0
        places = prod(call.data[: call.indices[-1]]) if call.family == "tuples" else call.data[call.axis]
        if call.indices[along] > places:
            return replace(call, draw="uniform")
    return call


def part(draw: Draw, most: float, least: int = 1) -> int:
    """At most so many: often a good part of them, otherwise any number."""
    most = max(most, least, 2.0)
    return draw.between(max(least, most / 20) if draw.below(3) else least, most)


def elements(draw: Draw, size: int, assigns: bool) -> dict:
    """Entries along an axis: lanes, how many entries each has, and how long it is."""
    moved = part(draw, size / 3)
    dims = draw.below(MOST_DIMS - 1)
    lanes = draw.between(1, moved) if dims else 1
    others = draw.split(lanes, dims)
    lanes = prod(others)
    entries = -(-moved // lanes)
    extent = part(draw, size / lanes, entries if assigns else 1)
    axis = draw.below(dims + 1)
    shape = lambda length: (*others[:axis], length, *others[axis:])  # noqa: E731
    return {"data": shape(extent), "indices": shape(entries), "axis": axis}


def rows(draw: Draw, size: int, assigns: bool) -> dict:
    """Rows, or elements, that one index names along an axis."""
    row = draw.between(1, min(LONGEST_ROW, size / 3)) if draw.below(4) else 1
    before = draw.split(draw.between(1, min(64, size / row / 3)), 1) if draw.below(4) == 0 else ()
    width = row * prod(before)
    count = part(draw, size / 3 / width)
    extent = part(draw, size / width, count if assigns else 1)
    inner = (row,) if row > 1 else ()
    return {"data": (*before, extent, *inner), "indices": (count,), "axis": len(before)}


def table(draw: Draw, size: int, assigns: bool) -> dict:
    """Rows that one index names along the first axis."""
    row = draw.between(1, min(LONGEST_ROW, size / 3))
    count = part(draw, size / 3 / row)
    return {"data": (part(draw, size / row, count if assigns else 1), row), "indices": (count,)}


def tuples(draw: Draw, size: int, assigns: bool) -> dict:
    """Rows, or elements, that tuples name."""
    row = draw.between(1, min(LONGEST_ROW, size / 3)) if draw.below(2) else 1
    inner = (row,) if row > 1 else ()
    count = part(draw, size / 3 / row)
    coordinates = 1 + draw.below(MOST_DIMS - 1)
    outer = list(draw.split(part(draw, size / row, count if assigns else 1), coordinates))
    while assigns and prod(outer) < count:
        outer[0] *= 2
    return {"data": (*outer, *inner), "indices": (count, coordinates)}


def bags(draw: Draw, size: int, assigns: bool) -> dict:
    """A table, which rows of it are combined, and into how many."""
    row = draw.between(1, min(512, size / 3))
    count = part(draw, size / row)
    table = part(draw, size / row)
    return {"data": (table, row), "indices": (count,), "bags": draw.between(1, count)}


def segments(draw: Draw, size: int, assigns: bool) -> dict:
    """Rows in order, and the number of segments; data is the shape of the result."""
    shapes = bags(draw, size, assigns)
    (_, row), count = shapes["data"], shapes["indices"]
    return {"data": (shapes["bags"], row), "indices": count}


def masked(draw: Draw, size: int, assigns: bool) -> dict:
    """Data, and a mask of its leading dimensions."""
    dims = 1 + draw.below(MOST_DIMS - 1)
    data = draw.split(draw.between(1, size / 2), dims)
    return {"data": data, "indices": data[: 1 + draw.below(dims)]}


FAMILIES = {
    "elements": elements,
    "rows": rows,
    "table": table,
    "tuples": tuples,
    "bags": bags,
    "segments": segments,
    "mask": masked,
}


def itemsize(dtype: str) -> int:
    """Bytes of an element."""
    return as_numpy(dtype).itemsize


def as_numpy(dtype: str) -> np.dtype:
    """NumPy's, or that of ml_dtypes."""
    return np.dtype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)


@dataclass
class Operands:
    """The numbers of a call."""

    data: np.ndarray
    indices: np.ndarray
    updates: np.ndarray
    weights: np.ndarray  # one for each index of a bag
    gradient: np.ndarray  # of the result
    offsets: np.ndarray  # offsets of bags

    @property
    def arrays(self) -> tuple[np.ndarray, ...]:
        """The arrays of numbers."""
        return (self.data, self.updates, self.weights, self.gradient)


def operands_of(call: Call, seed: int, number: int) -> Operands:
    """Normal floats, integers of the whole range, indices of the kind that is drawn."""
    random = np.random.default_rng([seed, number, 1])
    indices = indices_of(call, random)
    updates = (int(indices.sum()), *call.data[len(call.indices) :]) if call.family == "mask" else call.updates
    output = call.data if call.scatters else (call.bags, *call.data[1:]) if call.bags else updates
    # No bag begins after the last index: NumPy refuses that, and OpenVINO may end the process.
    offsets = np.sort(random.integers(0, call.indices[0], max(0, call.bags - 1))) if call.bags else np.empty(0, int)
    return Operands(
        data=numbers(random, call.dtype, call.data),
        indices=indices,
        updates=numbers(random, call.dtype, updates if call.scatters else ()),
        weights=numbers(random, call.dtype, call.indices if call.bags else ()),
        gradient=numbers(random, call.dtype, output if "backward" in call.traits else ()),
        offsets=np.concatenate([[0], offsets])[: call.bags].astype(call.index_dtype),
    )


def numbers(random: np.random.Generator, dtype: str, shape: Shape) -> np.ndarray:
    """Standard normal ones, or all that an integer can be."""
    if dtype in FLOATS:
        precise = np.float64 if dtype == "float64" else np.float32
        return random.standard_normal(shape, precise).astype(as_numpy(dtype))
    limits = np.iinfo(dtype)
    return random.integers(limits.min, limits.max, shape, dtype, endpoint=True)


def indices_of(call: Call, random: np.random.Generator) -> np.ndarray:
    """The indices of the call; for a mask, the mask."""
    if call.family == "mask":
        return random.random(call.indices) < random.choice([0.02, 0.5, 0.9])
    make = DRAWS[call.draw]
    if call.family == "tuples":
        addressed = call.data[: call.indices[-1]]
        places = make(random, prod(addressed), call.indices[:1], 0)
        return np.stack(np.unravel_index(places, addressed), axis=-1).astype(call.index_dtype)
    along = call.axis if call.family == "elements" else 0
    return make(random, call.data[call.axis], call.indices, along).astype(call.index_dtype)


def most_terms(call: Call, operands: Operands) -> int:
    """The most numbers that are combined in one place, in this call or its gradients."""
    if call.family == "mask" or operands.indices.size == 0:
        return 2
    if call.family == "elements":
        lanes = np.moveaxis(operands.indices, call.axis, 0).reshape(call.indices[call.axis], -1)
        places = lanes + np.arange(lanes.shape[1]) * call.data[call.axis]
    elif call.family == "tuples":
        places = np.ravel_multi_index(tuple(operands.indices.T), call.data[: call.indices[-1]])
    else:
        places = operands.indices
    longest = np.diff(operands.offsets, append=call.indices[0]).max() if call.bags else 0
    return 2 + max(int(np.bincount(places.ravel()).max()), int(longest))
