"""The arrays of a workload, which everybody works on, and what the result has to be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from draws import SEED, draw, draw_segments
from workloads import Shape, Workload

# Small whole numbers: their sums are exact in every dtype and in any order, so that results agree to the last bit
# or are wrong.
LEAST, GREATEST = -8, 8


def encode(values: np.ndarray, dtype: str) -> np.ndarray:
    """Small whole numbers as elements. NumPy lacks bfloat16: its bits are the upper half of a float32."""
    if dtype == "bfloat16":
        return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    if np.dtype(dtype).kind in "iu":
        return values.astype(np.int64).astype(dtype)  # which wraps around
    return values.astype(dtype)


def decode(elements: np.ndarray, dtype: str) -> np.ndarray:
    """The numbers that elements stand for."""
    if dtype == "bfloat16":
        return (elements.astype(np.uint32) << 16).view(np.float32)
    return elements


def flat_rows(coordinates: Sequence[Any], strides: Sequence[int], base: Any) -> Any:
    """The number of the row that each position names: base + the sum of coordinates times strides, flattened.

    Of NumPy's arrays and PyTorch's tensors alike.
    """
    rows = base
    for coordinate, stride in zip(coordinates, strides):
        step = coordinate if stride == 1 else coordinate * stride
        rows = step if rows is None else rows + step
    return rows.reshape(-1)


# Where PyTorch, ONNX Runtime and OpenVINO let arrays begin: at lines. NumPy's large ones begin 16 bytes into one.
LINE = 64


def empty(shape: Shape, dtype: Any, aligned: bool) -> np.ndarray:
    """An array that begins at a line, or where NumPy has it."""
    if not aligned:
        return np.empty(shape, dtype)
    size = prod(shape) * np.dtype(dtype).itemsize
    room = np.empty(size + LINE, np.uint8)
    begin = -room.ctypes.data % LINE
    return room[begin : begin + size].view(dtype).reshape(shape)


def copy_aligned(array: np.ndarray | None) -> np.ndarray | None:
    """At a line. What is expanded, and has fewer elements than it shows, stays as it is."""
    if array is None or not array.flags.c_contiguous:
        return array
    copied = empty(array.shape, array.dtype, aligned=True)
    copied[...] = array
    return copied


@dataclass(frozen=True)
class Inputs:
    """What a workload reads, drawn from a fixed seed."""

    data: np.ndarray
    indices: np.ndarray
    updates: np.ndarray | None
    first: Inputs | None
    targets: np.ndarray | None = None  # of sums of gathered rows: into which row of the output each goes
    weights: np.ndarray | None = None  # and what each is multiplied by
    aligned: bool = False  # they begin at lines, and so will what is written

    def at_lines(self) -> Inputs:
        """The same, aligned."""
        arrays = ("data", "indices", "updates", "targets", "weights")
        copied = {name: copy_aligned(getattr(self, name)) for name in arrays}
        return replace(self, aligned=True, first=self.first.at_lines() if self.first else None, **copied)


def draw_inputs(workload: Workload) -> Inputs:
    """Of a gather there are no updates, and none where a gather before it makes them."""
    random = np.random.default_rng(SEED)
    data = draw_elements(random, workload.data, workload.dtype)
    first = draw_inputs(workload.first) if workload.first else None
    if workload.sums_rows:
        weights = draw_weights(random, workload.indices, workload.dtype) if workload.weighted else None
        return Inputs(data, draw(workload), None, None, draw_segments(workload), weights)
    if workload.gathers or first is not None:
        return Inputs(data, draw(workload), None, first)
    sums_halves = workload.reduction == "sum" and workload.dtype in ("float16", "bfloat16")
    draw_updates = draw_few_ones if sums_halves else draw_elements
    return Inputs(data, draw(workload), draw_updates(random, workload.updates, workload.dtype), None)


def draw_elements(random: np.random.Generator, shape: Shape, dtype: str) -> np.ndarray:
    """Small whole numbers."""
    return encode(random.integers(LEAST, GREATEST + 1, shape, np.int8), dtype)


def draw_weights(random: np.random.Generator, shape: Shape, dtype: str) -> np.ndarray:
    """So small that sums stay exact."""
    return encode(random.integers(-1, 3, shape, np.int8), dtype)


# So many ones, of either sign, halves of all kinds sum without rounding, wherever they may all go.
ONES_IN_ALL = 100


def draw_few_ones(random: np.random.Generator, shape: Shape, dtype: str) -> np.ndarray:
    """Zeros, but for so many ones."""
    share = min(1.0, ONES_IN_ALL / max(1, prod(shape)))
    return encode(random.choice([-1, 0, 1], shape, p=[share / 2, 1 - share, share / 2]), dtype)


class Operands:
    """Arrays of one workload.

    data is never written. output is where results go, after reset(); a scatter in place works on output as if it were
    data.
    """

    def __init__(self, workload: Workload, inputs: Inputs | None = None) -> None:
        """On inputs that are there already, or on new ones."""
        self.workload = workload
        self.inputs = inputs or draw_inputs(workload)
        self.data, self.indices = self.inputs.data, self.inputs.indices
        self.first = Operands(workload.first, self.inputs.first) if workload.first else None
        self.updates = self.first.output if self.first else self.inputs.updates
        self.targets, self.weights = self.inputs.targets, self.inputs.weights
        self.output = empty(workload.output, self.data.dtype, self.inputs.aligned)
        self.coordinates = coordinates_of(workload, self.indices)  # one array for each addressed dimension
        self.row_strides = [row_stride(workload, dim) for dim in workload.addressed_dims]
        self.base = base_rows(workload)

    @cached_property
    def unstrided_indices(self) -> np.ndarray:
        """The indices, written out where they are expanded. Kept here: libraries point at it and do not own it."""
        return np.ascontiguousarray(self.indices)

    @property
    def in_place(self) -> bool:
        """Whether output is data at the same time."""
        return not self.workload.gathers and self.workload.in_place

    @property
    def sources(self) -> np.ndarray:
        """The rows that are gathered: those of a layer are added to as many as there are of them."""
        return self.data

    @property
    def entries(self) -> np.ndarray:
        """The rows that are gathered, one for each target: those of packed bags bag by bag."""
        return self.indices.reshape(-1)

    @cached_property
    def offsets(self) -> np.ndarray:
        """Where each bag begins."""
        rows = np.arange(self.workload.rows_out)
        return np.searchsorted(np.sort(self.targets), rows).astype(self.indices.dtype)

    @cached_property
    def sorted_entries(self) -> np.ndarray:
        """The rows that are gathered, those of each bag one after the other, in order."""
        return self.entries[np.argsort(self.targets, kind="stable")]

    @property
    def start(self) -> int:
        """What rows that are combined are added to."""
        return int(self.workload.operator == "gather_scatter" and not self.workload.beside_bags)

    @property
    def segments(self) -> np.ndarray | None:
        """What the operator is given of that: where bags begin, or the targets."""
        return self.offsets if self.workload.operator == "embedding_bag_offsets" else self.targets

    @property
    def slice_attributes(self) -> dict[str, int]:
        """Where a slice begins and ends, as attributes of the call."""
        if self.workload.operator != "slice_scatter":
            return {}
        return {"begin": int(self.indices[0]), "end": int(self.indices[0]) + self.workload.window}

    @property
    def addressed(self) -> np.ndarray:
        """What indices point into: data to read from, or output to write to."""
        return self.data if self.workload.gathers else self.output

    @property
    def dense(self) -> np.ndarray:
        """What has one row for each position: output to write to, or updates to read from."""
        return self.output if self.workload.gathers else self.updates

    @property
    def rows(self) -> np.ndarray:
        """The addressed array as a list of rows, or of elements if rows have one."""
        return self._by_row(self.addressed)

    @property
    def dense_rows(self) -> np.ndarray:
        """The dense array as such a list."""
        return self._by_row(self.dense)

    @property
    def batch_grids(self) -> list[np.ndarray]:
        """The coordinates in the batch dimensions, which indices leave out."""
        rank = len(self.workload.positions)
        sizes = self.workload.positions[: self.workload.batch_dims]
        return [np.arange(size).reshape(along(dim, rank, size)) for dim, size in enumerate(sizes)]

    def row_numbers(self) -> np.ndarray:
        """The row that each position names, flattened."""
        return flat_rows(self.coordinates, self.row_strides, self.base)

    def reset(self) -> None:
        """Prepares output for one run: with data in place, and otherwise with what no element of data is."""
        if self.first:
            self.first.reset()
        if self.workload.operator == "gather_scatter":
            self.output.fill(self.start)
        elif self.in_place:
            np.copyto(self.output, self.data)
        else:
            self.output.fill(GREATEST + 1)

    def _by_row(self, array: np.ndarray) -> np.ndarray:
        length = prod(self.workload.row)
        return array.reshape(-1) if length == 1 else array.reshape(-1, length)

    def expected(self) -> np.ndarray:
        """The result. Where updates are gathered first, they are there until reset() is called."""
        if self.first:
            np.copyto(self.updates, self.first.expected())
        if self.workload.sums_rows:
            return self._sums_of_gathered()
        numbers = self.row_numbers()
        result = self._by_row(self.data)
        if self.workload.bounds != "refuse":
            result = self._gathered_within()
        elif self.workload.gathers:
            result = result[numbers]
        elif self.workload.reduction == "none":
            result = result.copy()
            result[numbers] = self.dense_rows
        else:
            result = self._sums(result, numbers)
        return result.reshape(self.workload.output)

    def _sums_of_gathered(self) -> np.ndarray:
        """Rows of the output, of what they start from, with the gathered rows added; or the greatest of these."""
        if self.workload.reduction == "max":
            return np.maximum.reduceat(self.sources[self.entries], self.offsets)
        result = np.full(self.workload.output, float(self.start))
        weights = 1.0 if self.weights is None else self.weights.reshape(-1).astype(np.float64)
        for after, column in zip(result.T, self.sources.T):
            after += np.bincount(self.targets, weights * column[self.entries], len(result))
        if self.workload.reduction == "mean":
            result /= np.maximum(1, np.bincount(self.targets, minlength=len(result)))[:, np.newaxis]
        return result.astype(self.data.dtype)

    def _gathered_within(self) -> np.ndarray:
        """What a gather of rows along the first axis comes to where indices are out of bounds."""
        extent = len(self.data)
        within = {
            "skip": np.clip(self.indices, 0, extent - 1),
            "clamp": np.clip(self.indices, 0, extent - 1),
            "wrap": self.indices % extent,
        }
        result = self.data[within[self.workload.bounds]]
        if self.workload.bounds == "skip":
            result[(self.indices < 0) | (self.indices >= extent)] = 0
        return result

    def _sums(self, rows: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        """Rows with the updates added, a column at a time, in double precision."""
        dtype = self.workload.dtype
        result = np.empty_like(rows)
        for after, before, added in zip(columns(result), columns(rows), columns(self.dense_rows)):
            sums = np.bincount(numbers, decode(added, dtype), len(rows))
            after[...] = encode(decode(before, dtype) + sums, dtype)
        return result


def coordinates_of(workload: Workload, indices: np.ndarray) -> list[np.ndarray]:
    """Where each position is in the addressed dimensions, in arrays that broadcast to the shape of positions."""
    if workload.takes_windows:
        begins = indices.reshape(-1, *(1 for _ in workload.positions[1:]))
        return [begins + np.arange(workload.window, dtype=indices.dtype)]
    return list(np.moveaxis(indices, -1, 0)) if workload.takes_tuples else [indices]


def columns(rows: np.ndarray) -> list[np.ndarray]:
    """Views of the columns of a list of rows."""
    return [rows] if rows.ndim == 1 else list(rows.T)


def along(dim: int, rank: int, size: int) -> Shape:
    """The shape of a tensor that has a size in one dimension only."""
    return tuple(size if d == dim else 1 for d in range(rank))


def row_stride(workload: Workload, dim: int) -> int:
    """How many rows of data a step along a dimension is."""
    return prod(workload.data[dim + 1 :]) // prod(workload.row)


def base_rows(workload: Workload) -> np.ndarray | None:
    """The row that each position would name if its coordinates were 0; None if that is the first one for all.

    It depends on nothing but shapes: a program would compute it once.
    """
    rank = len(workload.positions)
    base = None
    for dim in range(named_dims(workload)):
        if dim not in workload.addressed_dims:
            size = workload.positions[dim]
            numbers = np.arange(size, dtype=workload.index_dtype) * row_stride(workload, dim)
            step = numbers.reshape(along(dim, rank, size))
            base = step if base is None else base + step
    return base


def named_dims(workload: Workload) -> int:
    """How many dimensions of data a position stands in as it does in its own."""
    if workload.takes_tuples:
        return workload.batch_dims
    return workload.axis if workload.takes_rows or workload.takes_windows else len(workload.positions)
