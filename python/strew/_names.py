"""The words that the Python modules share. Former words work until 0.4 and warn; only calls that use them run this code."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from strew.errors import ArgumentError

MODES = {
    "raise": "refuse",
    "promise_in_bounds": "refuse",
    "stop": "stop",
    "fill": "skip",
    "drop": "skip",
    "clip": "clamp",
    "wrap": "wrap",
}
"""The policies for indices out of bounds, as NumPy and JAX call them, and as the library does."""

FORMER_MODES = {"refuse": "raise", "skip": "fill", "clamp": "clip"}
FORMER_KEYWORDS = {"bounds": "mode", "fill": "fill_value"}


def warn(former: str, now: str) -> None:
    """Warns where the program calls strew."""
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == "strew":
        level, frame = level + 1, frame.f_back
    warnings.warn(f"{former} is now {now}; the former name works until strew 0.4", DeprecationWarning, stacklevel=level)


def find(parameter: str, word: Any, words: Mapping[Any, str], former: Mapping[str, Any]) -> str:
    """The meaning of a word that is not among today's."""
    if not isinstance(word, str):
        raise TypeError(f"{parameter} must be a str, not {type(word).__name__}")
    if word in former:
        warn(f"{parameter}={word!r}", f"{parameter}={former[word]!r}")
        return words[former[word]]
    error = ArgumentError(f"{parameter} is {word!r}, which is none of {', '.join(str(each) for each in words)}")
    error.status, error.operand = "invalid_argument", parameter
    raise error


def find_mode(word: Any) -> str:
    """The policy of a mode that is not among MODES."""
    return find("mode", word, MODES, FORMER_MODES)


def renamed(function: Callable[..., Any], given: dict[str, Any], keywords: Mapping[str, str]) -> dict[str, Any]:
    """The arguments of a call by today's keywords. `given` is locals() of the function, with others under "former"."""
    import inspect  # here, because it would take most of the time of `import strew`

    former, parameters = given.pop("former"), inspect.signature(function).parameters
    for word, value in former.items():
        now = keywords.get(word, "")
        if now not in given:
            known = ", ".join(name for name in parameters if name != "former")
            raise TypeError(f"{function.__name__}() has no argument {word!r}; it takes {known}")
        if given[now] is not parameters[now].default:
            raise TypeError(f"{function.__name__}() has its argument {now!r} twice")
        warn(word, now)
        given[now] = value
    return given
