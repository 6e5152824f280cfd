"""The right result of a workload: to the last bit, and with a tolerance for libraries that add in another order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from c_peers import call_of
from operands import Operands, decode, empty
from strew_calls import Library

# Reductions whose floats depend on the order of the updates, and on where they are rounded.
ROUNDED = ("sum", "prod", "mean")


@dataclass(frozen=True)
class Limits:
    """The limits of a dtype of floats."""

    eps: float
    smallest: float
    greatest: float


def limits_of(dtype: str) -> Limits:
    """NumPy's, but of bfloat16."""
    if dtype == "bfloat16":
        return Limits(2.0**-7, 2.0**-126, (2 - 2.0**-7) * 2.0**127)
    info = np.finfo(dtype)
    return Limits(float(info.eps), float(info.smallest_normal), float(info.max))


@dataclass(frozen=True)
class Answer:
    """The right result of a workload.

    `exact` is strew's result, from the loops of its tests: updates in order, each step rounded as its documents say. A
    library that promises no order may differ from `near`, the result in double precision, by `error`: the effect of
    rounding each step to the dtype in the worst order. Without rounding there is neither.
    """

    exact: np.ndarray
    dtype: str
    near: np.ndarray | None = None
    error: np.ndarray | None = None

    def mistakes(self, result: np.ndarray, *, exactly: bool) -> int:
        """The number of wrong elements of a result. Elements with the exact bits are right."""
        found, exact = parts_of(result.reshape(self.exact.shape)), parts_of(self.exact)
        places = np.flatnonzero(bits_of(found) != bits_of(exact))
        found, exact = (decode(parts[places], self.dtype) for parts in (found, exact))
        both_are_no_numbers = (found != found) & (exact != exact)
        if exactly:
            return int(np.count_nonzero(~both_are_no_numbers))
        if self.near is None:
            return int(np.count_nonzero((found != exact) & ~both_are_no_numbers))
        near, error = self.near[places], self.error[places]
        with np.errstate(invalid="ignore", over="ignore"):
            is_near = np.abs(found.astype(np.float64) - near) <= error
        return int(np.count_nonzero(~(is_near | np.isinf(error))))


def parts_of(array: np.ndarray) -> np.ndarray:
    """Flat; complex numbers as twice as many real ones."""
    flat = np.ascontiguousarray(array).reshape(-1)
    return flat.view(flat.real.dtype) if flat.dtype.kind == "c" else flat


def bits_of(array: np.ndarray) -> np.ndarray:
    """The same as unsigned integers."""
    return array.view(f"u{array.dtype.itemsize}")


def answer_of(library: Library, operands: Operands) -> Answer:
    """The right result. If updates are gathered first, they exist until reset() is called."""
    workload = operands.workload
    if operands.first:
        np.copyto(operands.updates, answer_of(library, operands.first).exact)
    exact = empty(workload.output, operands.data.dtype, aligned=False)
    arrays = {name: operands.inputs_by_name[name] for name in workload.inputs}
    if workload.operator == "gather_scatter":
        exact.fill(operands.start)
        arrays["data"] = exact
    elif not (workload.sums_rows or workload.gathers):
        np.copyto(exact, operands.data)
        arrays["data"] = exact
    call_of(library, operands, {**arrays, "output": exact}).expect()
    if workload.reduction not in ROUNDED or decode(exact, workload.dtype).dtype.kind not in "fc":
        return Answer(exact, workload.dtype)
    return Answer(exact, workload.dtype, *nearly(operands))


def nearly(operands: Operands) -> tuple[np.ndarray, np.ndarray]:
    """The result in double precision, and the error of the worst order, a column of the rows at a time."""
    workload = operands.workload
    limits = limits_of(workload.dtype)
    targets, kept = operands.targets_of_entries()
    rows = workload.rows_out if workload.sums_rows else workload.rows
    counts = np.bincount(targets, minlength=rows)
    near = np.empty((rows, max(1, operands.width)), np.complex128 if operands.data.dtype.kind == "c" else np.float64)
    error = np.empty(near.shape)
    steps = 3 + counts
    for place, (start, added) in enumerate(columns_of(operands, kept)):
        if workload.reduction == "prod":
            near[:, place], error[:, place] = product_of(start, added, targets, steps, limits)
            continue
        total = start + summed(targets, added, rows)
        size = np.abs(start) + np.bincount(targets, np.abs(added), rows)
        if workload.reduction == "mean":
            divisor = np.maximum(1, counts + (not workload.sums_rows))
            total, size = total / divisor, size / divisor
        near[:, place] = total
        error[:, place] = limits.eps * steps * size + limits.smallest
    return parts_of(near), np.repeat(error, 2) if near.dtype.kind == "c" else error.reshape(-1)


def summed(targets: np.ndarray, added: np.ndarray, rows: int) -> np.ndarray:
    """The sum of the rows added to each target."""
    if added.dtype.kind == "c":
        return np.bincount(targets, added.real, rows) + 1j * np.bincount(targets, added.imag, rows)
    return np.bincount(targets, added, rows)


def product_of(
    start: np.ndarray, factors: np.ndarray, targets: np.ndarray, steps: np.ndarray, limits: Limits
) -> tuple[np.ndarray, np.ndarray]:
    """A product may underflow on its way, and grow again; or overflow in one order and not in another."""
    result = start.copy()
    with np.errstate(over="ignore", under="ignore", invalid="ignore", divide="ignore"):
        np.multiply.at(result, targets, factors)
        growth = np.log(np.maximum(np.abs(start), 1))
        growth += np.bincount(targets, np.log(np.maximum(np.abs(factors), 1)), len(start))
        grown = np.exp(growth)
        error = limits.eps * steps * np.abs(result) + limits.smallest * steps * grown
    return result, np.where(grown < limits.greatest / 4, error, np.inf)


def columns_of(operands: Operands, kept: np.ndarray | slice) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The initial values of each column, and the values combined with it, an entry for each target."""
    workload = operands.workload
    wide = lambda column: decode(column, workload.dtype).astype(  # noqa: E731
        np.complex128 if column.dtype.kind == "c" else np.float64
    )
    if not workload.sums_rows:
        before, updates = operands.rows_of(operands.data), operands.dense_rows
        for place in range(max(1, operands.width)):
            column = (slice(None), place) if before.ndim > 1 else slice(None)
            yield wide(before[column]), wide(updates[column])[kept]
        return
    neutral = float(operands.start if workload.operator == "gather_scatter" else workload.reduction == "prod")
    weights = 1.0 if operands.weights is None else wide(operands.weights.reshape(-1))
    empty_rows = np.bincount(operands.targets, minlength=workload.rows_out) == 0
    start = np.full(workload.rows_out, neutral)
    if workload.operator != "gather_scatter":
        start[empty_rows] = 0.0
    for column in operands.data.reshape(len(operands.data), -1).T:
        yield start, weights * wide(column)[operands.entries]
