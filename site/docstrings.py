"""Docstrings for the site, as an extension of griffe, which reads them.

Those of functions in C are not in the stubs, which have the types: they are asked of the module. In all of them lines about
arguments become a list, and x[i][j] and __name__ are no Markdown.
"""

from __future__ import annotations

import operator
import re
from typing import Any

import griffe
import strew

REWRITTEN = tuple(
    (re.compile(pattern, re.MULTILINE), by)
    for pattern, by in (
        (r"^(\*?\w+(?:, \w+)*)(?:: | {2,})", r"- **\1**: "),  # an argument
        (r"(^[^-\s\n].*\n)(- \*\*)", r"\1\n\2"),  # the line before the first
        (r"^(?=Returns |Raises )", r"\n"),  # the line after the last
        (r"\]\[", r"]\\["),
        (r"(?<!`)\b__\w+__", r"`\g<0>`"),
    )
)


class Docstrings(griffe.Extension):
    """Adds and rewrites docstrings."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrites the docstring of an object."""
        if obj.path == "strew._core":
            for name, overloads in obj.overloads.items():
                if not overloads:
                    continue
                function = overloads[-1]  # the general one, but for `out`
                if "out" in function.parameters:
                    function.parameters["out"].annotation = "Array | None"
                obj.set_member(name, function)
            obj.overloads.clear()
        if obj.path.startswith("strew._core.") and not obj.name.startswith("_"):
            text = operator.attrgetter(obj.path.removeprefix("strew._core."))(strew._core).__doc__
            obj.docstring = griffe.Docstring(text or "", parent=obj)
        if obj.docstring:
            for pattern, by in REWRITTEN:
                obj.docstring.value = pattern.sub(by, obj.docstring.value)
