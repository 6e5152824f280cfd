"""NumPy: take, fancy indexing and its kin; reductions by add.at, bincount, or sorting."""

from __future__ import annotations

from functools import partial

import numpy as np

from contenders import Formulations, PythonPeer, after_copying, one_after_the_other
from operands import Operands


UFUNCS = {"sum": np.add, "mean": np.add, "prod": np.multiply, "min": np.minimum, "max": np.maximum}


class NumpyPeer(PythonPeer):
    """NumPy, whose indexing runs on one thread."""

    name = "NumPy"
    version = np.__version__
    has_threads = False

    def __init__(self) -> None:
        np.seterr(over="ignore", under="ignore", invalid="ignore")  # products of many numbers

    def formulations(self, operands: Operands, threads: int) -> Formulations:
        """Row numbers are computed in every run: it is part of the work."""
        workload = operands.workload
        if workload.operator == "segment_reduce":
            return reductions_of_segments(operands)
        if workload.dtype == "bfloat16" or workload.sums_rows or workload.bounds == "skip":
            return {}
        if workload.gathers:
            return gathers(operands)
        ways = assignments(operands) if workload.reduction == "none" else reductions(operands)
        return after_copying(operands, lambda: np.copyto(operands.output, operands.data), ways)


def gathers(operands: Operands) -> Formulations:
    """Reading. take writes into out without a buffer between only where it need not raise, with mode="clip"."""
    data, indices = operands.data, operands.indices
    if operands.workload.takes_rows:
        return gathers_of_rows(operands)
    rows, out, numbers = operands.rows, operands.dense_rows, operands.row_numbers
    coordinates = (*operands.batch_grids, *operands.coordinates)
    ways = {'take(rows, numbers, out, "clip")': lambda: rows.take(numbers(), 0, out, "clip")}
    if operands.workload.takes_tuples:
        return ways | {"data[coordinates]": lambda: data[coordinates]}
    if operands.workload.goes_on:
        return ways
    axis, part = operands.workload.axis, spanned_part(operands)
    return ways | {"take_along_axis(data, indices)": lambda: np.take_along_axis(part, indices, axis)}


def gathers_of_rows(operands: Operands) -> Formulations:
    """Reading along an axis."""
    data, indices, axis, out = operands.data, operands.indices, operands.workload.axis, operands.output
    mode = "wrap" if operands.workload.bounds == "wrap" else "clip"
    ways = {f'take(data, indices, axis, out, "{mode}")': lambda: data.take(indices, axis, out, mode)}
    if operands.workload.goes_on:
        return ways
    return ways | {"data[:, indices]": lambda: data[(*(slice(None) for _ in range(axis)), indices)]}


def reductions_of_segments(operands: Operands) -> Formulations:
    """Combines consecutive rows, given where each segment begins. No segment may be empty."""
    if operands.workload.reduction == "mean" or operands.workload.dtype == "bfloat16":
        return {}
    function = UFUNCS[operands.workload.reduction]
    reduceat = partial(function.reduceat, operands.data, axis=0, out=operands.output)
    every_row = np.arange(operands.workload.rows_out, dtype=operands.targets.dtype)
    reduced = lambda: reduceat(np.searchsorted(operands.targets, every_row))  # noqa: E731
    return {f"searchsorted, {function.__name__}.reduceat(data, offsets)": reduced}


def writes_of_windows(operands: Operands) -> Formulations:
    """A slice for each window."""
    workload, data, updates = operands.workload, operands.output, operands.updates
    axis, window = workload.axis, workload.window
    if workload.operator == "slice_scatter":
        begin = int(operands.indices[0])
        target = data[(*(slice(None) for _ in range(axis)), slice(begin, begin + window))]
        return {"data[:, begin:end] = updates": lambda: np.copyto(target, updates)}
    lanes = tuple(slice(None) for _ in range(axis - 1))

    def batch_by_batch() -> None:
        for batch, begin in enumerate(operands.indices):
            data[(batch, *lanes, slice(begin, begin + window))] = updates[batch]

    return {"data[batch, :, begin:end] = updates[batch], one after the other": batch_by_batch}


def assignments(operands: Operands) -> Formulations:
    """Writing."""
    data, indices, updates = operands.output, operands.indices, operands.updates
    rows, row_updates, numbers = operands.rows, operands.dense_rows, operands.row_numbers
    coordinates = tuple(operands.coordinates)
    ways = {"rows[numbers] = updates": lambda: rows.__setitem__(numbers(), row_updates)}
    if operands.workload.takes_windows:
        return writes_of_windows(operands) | ways
    if operands.workload.takes_rows:
        place = (*(slice(None) for _ in range(operands.workload.axis)), indices)
        return {"data[:, indices] = updates": lambda: data.__setitem__(place, updates)} | ways
    if operands.workload.takes_tuples:
        return ways | {"data[coordinates] = updates": lambda: data.__setitem__(coordinates, updates)}
    axis, part = operands.workload.axis, spanned_part(operands)
    return ways | {"put_along_axis(data, indices)": lambda: np.put_along_axis(part, indices, updates, axis)}


def spanned_part(operands: Operands) -> np.ndarray:
    """The part of data that entries can reach: off the axis, NumPy needs data no larger than indices."""
    axis, sizes = operands.workload.axis, operands.indices.shape
    return operands.addressed[tuple(slice(None if dim == axis else size) for dim, size in enumerate(sizes))]


def reductions(operands: Operands) -> Formulations:
    """Combining. bincount adds in double precision, which is exact enough for floats but not for integers."""
    workload, rows, updates, numbers = operands.workload, operands.rows, operands.dense_rows, operands.row_numbers
    function = UFUNCS[workload.reduction]
    name = function.__name__
    ways: Formulations = {
        f"argsort, {name}.reduceat": lambda: combine_sorted(function, rows, numbers(), updates),
        f"{name}.at(rows, numbers)": lambda: function.at(rows, numbers(), updates),
    }
    if rows.ndim == 1 and rows.dtype.kind == "f" and function is np.add:
        ways = {"rows += bincount(numbers)": lambda: add_counts(rows, numbers(), updates)} | ways
    if workload.reduction != "mean":
        return ways
    divided = lambda: divide(rows, numbers())  # noqa: E731
    return {f"{text}; rows /= counts": one_after_the_other(way, divided) for text, way in ways.items()}


def add_counts(rows: np.ndarray, numbers: np.ndarray, updates: np.ndarray) -> None:
    """Sums for all rows, those without updates among them."""
    np.add(rows, np.bincount(numbers, updates, len(rows)), out=rows, casting="same_kind")


def combine_sorted(function: np.ufunc, rows: np.ndarray, numbers: np.ndarray, updates: np.ndarray) -> None:
    """Combines the runs that updates form once they are sorted by row."""
    order = numbers.argsort(kind="stable")
    numbers = numbers[order]
    starts = np.flatnonzero(np.diff(numbers, prepend=-1))
    named = numbers[starts]
    rows[named] = function(rows[named], function.reduceat(updates[order], starts, axis=0, dtype=rows.dtype))


def divide(rows: np.ndarray, numbers: np.ndarray) -> None:
    """Turns sums into means of the old row and the added ones."""
    counts = (np.bincount(numbers, minlength=len(rows)) + 1).reshape(-1, *(1 for _ in rows.shape[1:]))
    function = np.floor_divide if rows.dtype.kind in "iu" else np.divide
    counts = counts.astype(np.uint64) if rows.dtype.kind == "u" else counts
    function(rows, counts, out=rows, casting="unsafe")
