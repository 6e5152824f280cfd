"""NumPy: take, fancy indexing and its kin; sums by add.at, bincount, or sorting."""

from __future__ import annotations

from functools import partial

import numpy as np

from contenders import Formulations, PythonPeer, after_copying
from operands import Operands


class NumpyPeer(PythonPeer):
    """NumPy, whose indexing runs on one thread."""

    name = "NumPy"
    version = np.__version__
    has_threads = False

    def formulations(self, operands: Operands, threads: int) -> Formulations:
        """Row numbers are computed in every run: it is part of the work."""
        workload = operands.workload
        if workload.operator == "segment_reduce":
            return reductions_of_segments(operands)
        if workload.dtype == "bfloat16" or workload.sums_rows:
            return {}
        if workload.gathers:
            return gathers(operands)
        ways = assignments(operands) if workload.reduction == "none" else sums(operands)
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
    axis, part = operands.workload.axis, spanned_part(operands)
    return ways | {"take_along_axis(data, indices)": lambda: np.take_along_axis(part, indices, axis)}


def gathers_of_rows(operands: Operands) -> Formulations:
    """Reading along an axis. Skipping is nothing that NumPy has."""
    data, indices, axis, out = operands.data, operands.indices, operands.workload.axis, operands.output
    mode = {"refuse": "clip", "clamp": "clip", "wrap": "wrap"}.get(operands.workload.bounds)
    if mode is None:
        return {}
    ways = {f'take(data, indices, axis, out, "{mode}")': lambda: data.take(indices, axis, out, mode)}
    if operands.workload.bounds != "refuse":
        return ways
    return ways | {"data[:, indices]": lambda: data[(*(slice(None) for _ in range(axis)), indices)]}


def reductions_of_segments(operands: Operands) -> Formulations:
    """Rows that lie one after the other, from where each segment begins, of which none is empty."""
    name = {"sum": "add", "max": "maximum"}[operands.workload.reduction]
    reduceat = partial(getattr(np, name).reduceat, operands.data, axis=0, out=operands.output)
    every_row = np.arange(operands.workload.rows_out, dtype=operands.targets.dtype)
    reduced = lambda: reduceat(np.searchsorted(operands.targets, every_row))  # noqa: E731
    return {f"searchsorted, {name}.reduceat(data, offsets)": reduced}


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
    """What entries can reach: off the axis NumPy has data no larger than indices."""
    axis, sizes = operands.workload.axis, operands.indices.shape
    return operands.addressed[tuple(slice(None if dim == axis else size) for dim, size in enumerate(sizes))]


def sums(operands: Operands) -> Formulations:
    """Adding. bincount adds in double precision, which is exact enough for floats but not for integers."""
    rows, updates, numbers = operands.rows, operands.dense_rows, operands.row_numbers
    ways = {
        "argsort, add.reduceat": lambda: add_sorted(rows, numbers(), updates),
        "add.at(rows, numbers)": lambda: np.add.at(rows, numbers(), updates),
    }
    if rows.ndim == 1 and rows.dtype.kind == "f":
        return {"rows += bincount(numbers)": lambda: add_counts(rows, numbers(), updates)} | ways
    return ways


def add_counts(rows: np.ndarray, numbers: np.ndarray, updates: np.ndarray) -> None:
    """Sums for all rows, those without updates among them."""
    np.add(rows, np.bincount(numbers, updates, len(rows)), out=rows, casting="same_kind")


def add_sorted(rows: np.ndarray, numbers: np.ndarray, updates: np.ndarray) -> None:
    """Sums of the runs that updates form once they are sorted by row."""
    order = numbers.argsort(kind="stable")
    numbers = numbers[order]
    starts = np.flatnonzero(np.diff(numbers, prepend=-1))
    rows[numbers[starts]] += np.add.reduceat(updates[order], starts, axis=0)
