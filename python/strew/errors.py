"""What strew raises when it refuses a call."""

from __future__ import annotations

import re
from collections.abc import Mapping


class Error(Exception):
    """A call that was refused. The message says what was wrong, where, and what would have been right.

    Its subclasses are a ValueError, a TypeError and an IndexError too. A field that says nothing about an error is 0,
    None or ().
    """

    status: str = ""
    """What kind of refusal: "invalid_argument", "shape_mismatch", "dtype_mismatch", "index_out_of_bounds" and so on."""
    operand: str = "call"
    """What is at fault: "data", "indices", "updates", "output", "axis", "reduction" and so on."""
    other: str | None = None
    """The operand that it does not fit, if that is another one."""
    dimension: int = 0
    """The dimension of the operand; for an index out of bounds, of data."""
    position: tuple[int, ...] = ()
    """For an index out of bounds, where in indices it stands: the first one in row-major order."""
    value: int = 0
    """What was found."""
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
