"""Reads the lists of the headers, so that this folder knows every dtype, reduction and instruction set."""

from __future__ import annotations

import re
from pathlib import Path

HEADER = Path(__file__).parent.parent / "src" / "base" / "lists.h"
DEFINITION = r"#define {name}\(X\)((?:.*\\\n)*.*)"
ENTRY = re.compile(r"\bX\((\w+), (\w+)(?:, (\w+))?|(\w+)\(X\)")


def entries(name: str) -> list[tuple[str, str, str]]:
    """The entries of an X-macro, those of the lists that it includes among them: (CONSTANT, name, third or "").

    The constants of an enumeration follow the same order.
    """
    body = re.search(DEFINITION.format(name=name), HEADER.read_text())
    if not body:
        raise LookupError(f"{HEADER} has no list {name}")
    found: list[tuple[str, str, str]] = []
    for constant, word, third, included in ENTRY.findall(body[1]):
        found += entries(included) if included else [(constant, word, third)]
    return found


def names(name: str) -> list[str]:
    """The lower-case names of a list, in the order of their values."""
    return [word for _, word, _ in entries(name)]


OPERATORS = names("STREW_KINDS")
REDUCTIONS = names("STREW_REDUCTIONS")
ISAS = names("STREW_ISAS")
DTYPE_SUFFIXES = [suffix for _, _, suffix in entries("STREW_DTYPES")]
