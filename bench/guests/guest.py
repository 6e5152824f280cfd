"""The interface between the race and a guest: the two sides of a call, and the right result."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import ml_dtypes
import numpy as np

from calls import Call, Operands, Operation, as_numpy, most_terms


def nothing() -> None:
    """No context and no reset."""


@dataclass(frozen=True)
class Side:
    """A way to make a call. Entered before its turns, which are not timed, and reset before a run if it changes data."""

    run: Callable[[], Any]
    reset: Callable[[], None] | None = None
    context: Callable[[], contextlib.AbstractContextManager] = contextlib.nullcontext


@dataclass(frozen=True)
class Expected:
    """An expected result and its tolerance."""

    value: np.ndarray
    tolerance: np.ndarray | float = 0.0

    def mistakes(self, result: np.ndarray) -> int:
        """The number of wrong elements."""
        if result.shape != self.value.shape:
            return max(1, self.value.size)
        if isinstance(self.tolerance, float):
            return int(np.count_nonzero(result != self.value))
        with np.errstate(invalid="ignore", over="ignore"):
            distance = np.abs(result.astype(np.float64) - self.value)
        return int(np.count_nonzero(~(distance <= self.tolerance)))


class Guest(Protocol):
    """A library into which strew can be put."""

    name: str
    operations: Mapping[str, Operation]
    # Whether threads of one side look for work while the other has its turn.
    has_threads_apart: bool

    def versions(self) -> dict[str, str]:
        """The library's and strew's."""

    def age(self, sizes: Sequence[int]) -> None:
        """Makes and frees tensors of so many bytes, as a long-running process has."""

    def sides(self, call: Call, operands: Operands) -> tuple[Side, Side]:
        """The library alone, and through strew."""

    def arrays(self, result: Any) -> list[np.ndarray]:
        """The arrays of a run's result."""

    def right(self, call: Call, operands: Operands) -> list[np.ndarray]:
        """The right results, by another way, for operands of any dtype."""


def age_with_arrays(sizes: Sequence[int]) -> None:
    """Ages the process with arrays of NumPy. Every second one stays until all are made."""
    kept = [np.ones(size, np.uint8) for size in sizes][::2]
    del kept


def expected(guest: Guest, call: Call, operands: Operands) -> list[Expected]:
    """The right results: exact ones, or float64 with the tolerance of sums in the dtype."""
    if call.is_exact:
        return [Expected(value) for value in guest.right(call, operands)]
    precise = replace(call, dtype="float64")
    signed = in_float64(operands)
    values = guest.right(precise, signed)
    # Minima and maxima keep their signs: another sign would pick another element.
    picks = call.reduction in ("min", "max")
    positive = replace(signed, gradient=np.abs(signed.gradient)) if picks else without_signs(signed)
    added = replace(precise, reduction="sum") if call.reduction == "sub" else precise
    sizes = [np.abs(size) for size in guest.right(added, positive)]
    # The gradient of an extremum may be a small difference of large sums of whole gradients.
    largest = max(size.max(initial=0.0) for size in (*sizes, positive.gradient))
    terms = most_terms(call, operands)
    return [Expected(value, tolerance(call, size, terms, largest)) for value, size in zip(values, sizes, strict=True)]


def tolerance(call: Call, sizes: np.ndarray, terms: int, largest: float) -> np.ndarray:
    """The tolerance for sums of so many terms of these sizes; the right result is rounded as well."""
    kind = ml_dtypes.finfo(as_numpy(call.dtype))
    of_right = np.finfo(np.float64).eps * largest
    return terms * (2 * float(kind.eps) * sizes + 16 * float(kind.smallest_normal) + 2 * of_right)


def in_float64(operands: Operands) -> Operands:
    """The same numbers with more bits."""
    data, updates, weights, gradient = (array.astype(np.float64) for array in operands.arrays)
    return replace(operands, data=data, updates=updates, weights=weights, gradient=gradient)


def without_signs(operands: Operands) -> Operands:
    """The same numbers, all positive."""
    data, updates, weights, gradient = map(np.abs, operands.arrays)
    return replace(operands, data=data, updates=updates, weights=weights, gradient=gradient)
