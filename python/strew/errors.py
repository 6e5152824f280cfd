"""The exceptions that strew raises when it refuses a call."""

from __future__ import annotations

import re
from collections.abc import Mapping


class Error(Exception):
    """A call that was refused. The message says what was wrong, where, and what would have been right.

    Its subclasses are also a ValueError, a TypeError and an IndexError. A field that does not apply to an error is 0,
    None or ().
    """

    status: str = ""
    """The kind of refusal: "invalid_argument", "shape_mismatch", "dtype_mismatch", "index_out_of_bounds" and so on."""
    operand: str = "call"
    """The operand at fault: "data", "indices", "updates", "output", "axis", "reduction" and so on."""
    other: str | None = None
    """The operand that it does not fit, if there is one."""
    dimension: int = 0
    """The dimension of the operand; for an index out of bounds, of data."""
    position: tuple[int, ...] = ()
    """The position in indices of the first index out of bounds, in row-major order."""
    value: int = 0
    """The value that was found."""
    lower: int = 0
    """The least value that would have been right,"""
    upper: int = 0
    """and the greatest."""


class ArgumentError(Error, ValueError):
    """Shapes that do not fit, values outside their range, arrays that overlap or cannot be read or written."""


class DtypeError(Error, TypeError):
    """A dtype that strew or the operator does not take, that differs from data's, or that lacks the reduction."""


class BoundsError(Error, IndexError):
    """An index outside its dimension."""


for _class in (Error, ArgumentError, DtypeError, BoundsError):
    _class.__module__ = "strew"


def rename_operands(error: Exception, names: Mapping[str, str]) -> None:
    """Makes a refusal speak of operands by the names of the function that was called."""
    words = re.compile(rf"\b({'|'.join(names)})\b")
    error.args = (words.sub(lambda found: names[found[0]], str(error)),)
    if isinstance(error, Error):
        error.operand = names.get(error.operand, error.operand)
        error.other = names.get(error.other, error.other) if error.other else None
