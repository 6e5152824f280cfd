"""The arrays of a workload, shared by all peers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from draws import SEED, draw, draw_segments
from workloads import Shape, Workload

# This many numbers are drawn, a prime number, and repeated to fill larger arrays.
DRAWN = 1_000_003


def decode(elements: np.ndarray, dtype: str) -> np.ndarray:
    """The numbers that elements encode."""
    if dtype == "bfloat16":
        return (elements.astype(np.uint32) << 16).view(np.float32)
    return elements


def flat_rows(coordinates: Sequence[Any], strides: Sequence[int], base: Any) -> Any:
    """The number of the row that each position names: base + the sum of coordinates times strides, flattened.

    For NumPy's arrays and PyTorch's tensors.
    """
    rows = base
    for coordinate, stride in zip(coordinates, strides):
        step = coordinate if stride == 1 else coordinate * stride
        rows = step if rows is None else rows + step
    return rows.reshape(-1)


# Each byte of an output that nothing has written yet.
UNWRITTEN = 0x5A

# PyTorch, ONNX Runtime and OpenVINO begin arrays at cache lines. NumPy's large ones begin 16 bytes into one.
LINE = 64


def empty(shape: Shape, dtype: Any, aligned: bool) -> np.ndarray:
    """An array that begins at a line, or where NumPy puts it."""
    if not aligned:
        return np.empty(shape, dtype)
    size = prod(shape) * np.dtype(dtype).itemsize
    room = np.empty(size + LINE, np.uint8)
    begin = -room.ctypes.data % LINE
    return room[begin : begin + size].view(dtype).reshape(shape)


def copy_aligned(array: np.ndarray | None) -> np.ndarray | None:
    """A copy that begins at a line. An expanded array stays as it is."""
    if array is None or not array.flags.c_contiguous:
        return array
    copied = empty(array.shape, array.dtype, aligned=True)
    copied[...] = array
    return copied


@dataclass(frozen=True)
class Inputs:
    """The inputs of a workload, drawn from a fixed seed."""

    data: np.ndarray
    indices: np.ndarray
    updates: np.ndarray | None
    first: Inputs | None
    targets: np.ndarray | None = None  # for sums of gathered rows: the row of the output for each
    weights: np.ndarray | None = None  # and its factor
    aligned: bool = False  # they begin at cache lines, and so will the output

    def at_lines(self) -> Inputs:
        """Aligned copies."""
        arrays = ("data", "indices", "updates", "targets", "weights")
        copied = {name: copy_aligned(getattr(self, name)) for name in arrays}
        return replace(self, aligned=True, first=self.first.at_lines() if self.first else None, **copied)


def draw_inputs(workload: Workload) -> Inputs:
    """A gather has no updates. Neither has a scatter of gathered rows: the gather makes them."""
    random = np.random.default_rng(SEED)
    data = draw_elements(random, workload.data, workload.dtype)
    first = draw_inputs(workload.first) if workload.first else None
    if workload.sums_rows:
        weights = draw_elements(random, workload.indices, workload.dtype) if workload.weighted else None
        return Inputs(data, draw(workload), None, None, draw_segments(workload), weights)
    if workload.gathers or first is not None:
        return Inputs(data, draw(workload), None, first)
    return Inputs(data, draw(workload), draw_elements(random, workload.updates, workload.dtype), None)


def draw_elements(random: np.random.Generator, shape: Shape, dtype: str) -> np.ndarray:
    """Floats of the normal distribution, integers of the whole range, as many bools of either kind."""
    return np.resize(draw_numbers(random, min(DRAWN, prod(shape)), dtype), shape)


def draw_numbers(random: np.random.Generator, count: int, dtype: str) -> np.ndarray:
    """Draws `count` elements. NumPy lacks bfloat16: its bits are the upper half of a float32."""
    if dtype == "bool":
        return random.integers(0, 2, count).astype(bool)
    if dtype.startswith(("int", "uint")):
        limits = np.iinfo(dtype)
        return random.integers(limits.min, limits.max, count, dtype, endpoint=True)
    numbers = random.standard_normal(count)
    if dtype == "bfloat16":
        return (numbers.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    if dtype.startswith("complex"):
        return (numbers + 1j * random.standard_normal(count)).astype(dtype)
    return numbers.astype(dtype)


class Operands:
    """Arrays of one workload.

    data is never written. output is where results go, after reset(); a scatter in place works on output as if it were
    data.
    """

    def __init__(self, workload: Workload, inputs: Inputs | None = None) -> None:
        """Uses existing inputs, or draws new ones."""
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
    def inputs_by_name(self) -> dict[str, np.ndarray | None]:
        """The tensors that an operator reads, by the names that strew gives them."""
        return {
            "data": self.output if self.in_place else self.data,
            "indices": self.indices,
            "updates": self.sources if self.workload.operator == "gather_scatter" else self.updates,
            "segments": self.segments,
            "weights": self.weights,
        }

    @property
    def sources(self) -> np.ndarray:
        """The table of the gathered rows; a layer has as many rows in it as in its output."""
        return self.data

    @property
    def entries(self) -> np.ndarray:
        """The gathered rows, one for each target; for packed bags, bag by bag."""
        return self.indices.reshape(-1)

    @cached_property
    def offsets(self) -> np.ndarray:
        """The begin of each bag."""
        rows = np.arange(self.workload.rows_out)
        return np.searchsorted(np.sort(self.targets), rows).astype(self.indices.dtype)

    @cached_property
    def sorted_entries(self) -> np.ndarray:
        """The rows that are gathered, those of each bag one after the other, in order."""
        return self.entries[np.argsort(self.targets, kind="stable")]

    @property
    def start(self) -> int:
        """The initial value of the output's rows."""
        return int(self.workload.operator == "gather_scatter" and not self.workload.beside_bags)

    @property
    def segments(self) -> np.ndarray | None:
        """The operator's own form of them: the begins of bags, or the targets."""
        return self.offsets if self.workload.operator == "embedding_bag_offsets" else self.targets

    @property
    def slice_attributes(self) -> dict[str, int]:
        """The begin and the end of a slice, as attributes of the call."""
        if self.workload.operator != "slice_scatter":
            return {}
        return {"begin": int(self.indices[0]), "end": int(self.indices[0]) + self.workload.window}

    @property
    def addressed(self) -> np.ndarray:
        """The array that indices address: data to read, or output to write."""
        return self.data if self.workload.gathers else self.output

    @property
    def dense(self) -> np.ndarray:
        """The array with one row for each position: output to write, or updates to read."""
        return self.output if self.workload.gathers else self.updates

    @property
    def rows(self) -> np.ndarray:
        """The addressed array as a list of rows, or of elements if rows have one."""
        return self.rows_of(self.addressed)

    @property
    def dense_rows(self) -> np.ndarray:
        """The dense array as such a list."""
        return self.rows_of(self.dense)

    @property
    def batch_grids(self) -> list[np.ndarray]:
        """The coordinates in the batch dimensions, which indices leave out."""
        rank = len(self.workload.positions)
        sizes = self.workload.positions[: self.workload.batch_dims]
        return [np.arange(size).reshape(along(dim, rank, size)) for dim, size in enumerate(sizes)]

    @property
    def width(self) -> int:
        """The elements of a row."""
        return prod(self.workload.data[1:] if self.workload.sums_rows else self.workload.row)

    def within(self, indices: Any) -> Any:
        """Indices after the policy, for NumPy or PyTorch. Skipped ones stay as they are."""
        extent = self.workload.data[self.workload.axis]
        if self.workload.bounds == "clamp":
            return indices.clip(0, extent - 1)
        return indices % extent if self.workload.bounds == "wrap" else indices

    def row_numbers(self) -> np.ndarray:
        """The row that each position names, flattened."""
        return flat_rows(list(map(self.within, self.coordinates)), self.row_strides, self.base)

    def targets_of_entries(self) -> tuple[np.ndarray, np.ndarray | slice]:
        """The target of each combined entry, and a selection of these entries."""
        if self.workload.sums_rows:
            return self.targets, slice(None)
        if self.workload.bounds != "skip":
            return self.row_numbers(), slice(None)
        has_part = self.coordinates[0] < self.workload.data[self.workload.axis]
        kept = np.flatnonzero(np.broadcast_to(has_part, self.workload.positions))
        return self.row_numbers()[kept], kept

    def reset(self) -> None:
        """Prepares output for one run: with data in place, and otherwise with bytes that no result has."""
        if self.first:
            self.first.reset()
        if self.workload.operator == "gather_scatter":
            self.output.fill(self.start)
        elif self.in_place:
            np.copyto(self.output, self.data)
        else:
            self.output.reshape(-1).view(np.uint8).fill(UNWRITTEN)

    def rows_of(self, array: np.ndarray) -> np.ndarray:
        """An array of the shape of data or of updates as a list of rows."""
        length = prod(self.workload.row)
        return array.reshape(-1) if length == 1 else array.reshape(-1, length)


def coordinates_of(workload: Workload, indices: np.ndarray) -> list[np.ndarray]:
    """The coordinates of each position in the addressed dimensions, in arrays that broadcast to the shape of
    positions."""
    if workload.takes_windows:
        begins = indices.reshape(-1, *(1 for _ in workload.positions[1:]))
        return [begins + np.arange(workload.window, dtype=indices.dtype)]
    return list(np.moveaxis(indices, -1, 0)) if workload.takes_tuples else [indices]


def along(dim: int, rank: int, size: int) -> Shape:
    """The shape of a tensor that has a size in one dimension only."""
    return tuple(size if d == dim else 1 for d in range(rank))


def row_stride(workload: Workload, dim: int) -> int:
    """The number of rows of data in a step along a dimension."""
    return prod(workload.data[dim + 1 :]) // prod(workload.row)


def base_rows(workload: Workload) -> np.ndarray | None:
    """The row that each position would name if its coordinates were 0; None if that is the first row for all.

    It depends only on shapes: a program would compute it once.
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
    """The number of leading dimensions in which a position has the same place in data."""
    if workload.takes_tuples:
        return workload.batch_dims
    return workload.axis if workload.takes_rows or workload.takes_windows else len(workload.positions)
