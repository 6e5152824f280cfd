"""NumPy: its own functions against the equal functions of strew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import strew

from calls import FLOATS, MOVED, Call, Operands, Operation
from guest import Side, age_with_arrays
from right import COMBINE, place_of, right

REDUCED = ("sum", "sum", "sub", "prod", "min", "max")
# NumPy takes minutes to combine bfloat16.
COMBINED = {dtype: weight for dtype, weight in MOVED.items() if dtype != "bfloat16"}


def changes(family: str, reductions: Sequence[str] = ("none",), **others: Any) -> Operation:
    """An operation in place."""
    dtypes = MOVED if reductions == ("none",) else COMBINED
    return Operation(family, dtypes=dtypes, reductions=reductions, scatters=True, **others)


OPERATIONS = {
    "x[i]": Operation("table", weight=2),
    "take": Operation("rows", weight=2, traits={"out": 2}),
    "x[i, j]": Operation("tuples", weight=2),
    "take_along_axis": Operation("elements", weight=3),
    "x[:, i] = v": changes("rows"),
    "x[i, j] = v": changes("tuples"),
    "put_along_axis": changes("elements", weight=2),
    "ufunc.at(x, i)": changes("table", REDUCED, weight=2),
    "ufunc.at(x, [:, i])": changes("rows", REDUCED),
    "ufunc.at(x, [i, j])": changes("tuples", REDUCED, weight=2),
    "ufunc.at(x, [lines, i])": changes("elements", REDUCED),
    "reduceat(x[i])": Operation(
        "bags", dtypes={name: FLOATS[name] for name in ("float32", "float64")}, reductions=("sum", "max")
    ),
}


class NumpyGuest:
    """NumPy, which has one thread."""

    name = "numpy"
    operations = OPERATIONS
    has_threads_apart = True

    def __init__(self, threads: int) -> None:
        strew.set_num_threads(threads)

    def versions(self) -> dict[str, str]:
        """The library's and strew's."""
        return {"numpy": np.__version__, "strew": strew.__version__}

    def age(self, sizes: Sequence[int]) -> None:
        """Ages with NumPy arrays."""
        age_with_arrays(sizes)

    def sides(self, call: Call, operands: Operands) -> tuple[Side, Side]:
        """Both work on the same arrays."""
        output = np.empty(call.updates, operands.data.dtype) if "out" in call.traits else None
        through = (THROUGH[call.family], ALONE.get(call.operation, ALONE[call.family]))
        alone, strews = (make(call, operands, output) for make in reversed(through))
        if not call.scatters:
            return Side(alone), Side(strews)
        original = operands.data.copy()
        return tuple(Side(run, lambda: np.copyto(operands.data, original)) for run in (alone, strews))

    def arrays(self, result: Any) -> list[np.ndarray]:
        """One."""
        return [result]

    def right(self, call: Call, operands: Operands) -> list[np.ndarray]:
        """Uses another function of NumPy."""
        return [right(call, operands)]


Make = Callable[[Call, Operands, "np.ndarray | None"], Callable[[], np.ndarray]]


def indexed(call: Call, operands: Operands, output: np.ndarray | None) -> Callable[[], np.ndarray]:
    """x[i], x[i] = v, np.add.at(x, i, v)."""
    data, updates, place = operands.data, operands.updates, place_of(call, operands.indices)
    if call.family == "tuples":
        place = tuple(np.ascontiguousarray(column) for column in place)
    if not call.scatters:
        return lambda: data[place]
    at = None if call.reduction == "none" else COMBINE[call.reduction].at

    def change() -> np.ndarray:
        if at:
            at(data, place, updates)
        else:
            data[place] = updates
        return data

    return change


def put(call: Call, operands: Operands, output: np.ndarray | None) -> Callable[[], np.ndarray]:
    """put_along_axis returns nothing, so this returns data."""
    data, indices, updates = operands.data, operands.indices, operands.updates

    def change() -> np.ndarray:
        np.put_along_axis(data, indices, updates, call.axis)
        return data

    return change


def reduceat(call: Call, operands: Operands, output: np.ndarray | None) -> Callable[[], np.ndarray]:
    """Rows that are gathered, and then combined where each bag begins."""
    data, indices, combine = operands.data, operands.indices, COMBINE[call.reduction]
    offsets = operands.offsets.astype(np.intp)
    return lambda: combine.reduceat(data[indices], offsets)


# The call in NumPy, by the operation or its family.
ALONE: dict[str, Make] = {
    "take": lambda call, o, output: lambda: np.take(o.data, o.indices, axis=call.axis, out=output),
    "take_along_axis": lambda call, o, output: lambda: np.take_along_axis(o.data, o.indices, call.axis),
    "put_along_axis": put,
    "reduceat(x[i])": reduceat,
    **dict.fromkeys(("rows", "table", "tuples", "elements", "bags"), indexed),
}


def by_rows(call: Call, operands: Operands, output: np.ndarray | None) -> Callable[[], np.ndarray]:
    """Rows along an axis."""
    data, indices, updates, axis = operands.data, operands.indices, operands.updates, call.axis
    if not call.scatters:
        return lambda: strew.gather(data, indices, axis=axis, out=output)
    return lambda: strew.scatter(data, indices, updates, axis=axis, reduction=call.reduction, out=data)


def by_tuples(call: Call, operands: Operands, output: np.ndarray | None) -> Callable[[], np.ndarray]:
    """Rows by tuples."""
    data, indices, updates = operands.data, operands.indices, operands.updates
    if not call.scatters:
        return lambda: strew.gather_nd(data, indices)
    return lambda: strew.scatter_nd(data, indices, updates, reduction=call.reduction, out=data)


def by_elements(call: Call, operands: Operands, output: np.ndarray | None) -> Callable[[], np.ndarray]:
    """Elements along an axis."""
    data, indices, updates, axis = operands.data, operands.indices, operands.updates, call.axis
    if not call.scatters:
        return lambda: strew.gather_elements(data, indices, axis=axis)
    return lambda: strew.scatter_elements(data, indices, updates, axis=axis, reduction=call.reduction, out=data)


def by_bags(call: Call, operands: Operands, output: np.ndarray | None) -> Callable[[], np.ndarray]:
    """Bags of rows."""
    data, indices, offsets = operands.data, operands.indices, operands.offsets
    return lambda: strew.embedding_bag_offsets(data, indices, offsets, reduction=call.reduction)


THROUGH: dict[str, Make] = {
    "rows": by_rows,
    "table": by_rows,
    "tuples": by_tuples,
    "elements": by_elements,
    "bags": by_bags,
}
