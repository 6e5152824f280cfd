"""Notebooks of the tutorials. A page is written once, in Markdown; its notebook is made of it.

Blocks of Python become cells that run, and so do those of sh. A block that begins with a comment <!-- file: NAME --> is
written to that file. A block without a language, or of text, is what the cell before it prints: a line of it, or several.
Anything else is text, such as blocks of console, which take too long, install something, or are for other machines.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

BLOCK = re.compile(r"(?:<!-- file: (\S+) -->\n)?^```(\w*)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
MAGIC = {"python": "", "sh": "%%bash -e\n"}


def cell(kind: str, number: int, text: str, **more: Any) -> dict[str, Any]:
    """A cell, named after what is in it, so that an unchanged page has an unchanged notebook."""
    name = hashlib.sha256(f"{number}:{text}".encode()).hexdigest()[:12]
    return {"cell_type": kind, "id": name, "metadata": {}, "source": text.strip("\n"), **more}


def pieces(page: str) -> list[tuple[str, str]]:
    """A page as alternate text and code, each with its kind: markdown, code or output."""
    found: list[tuple[str, str]] = []
    end = 0
    for block in BLOCK.finditer(page):
        file, language, text = block.groups()
        if file:
            kind, text = "code", f"%%writefile {file}\n{text}"
        elif language in MAGIC:
            kind, text = "code", MAGIC[language] + text
        elif language in ("", "text"):
            kind = "output"
        else:
            continue
        found += [("markdown", page[end : block.start()]), (kind, text)]
        end = block.end()
    return [(kind, text) for kind, text in [*found, ("markdown", page[end:])] if text.strip()]


def notebook(page: str) -> dict[str, Any]:
    """The notebook of a page."""
    cells: list[dict[str, Any]] = []
    last: dict[str, Any] = {}
    for number, (kind, text) in enumerate(pieces(page)):
        if kind == "output":
            last["outputs"].append({"output_type": "stream", "name": "stdout", "text": text})
        elif kind == "code":
            last = cell("code", number, text, execution_count=None, outputs=[])
            cells.append(last)
        else:
            cells.append(cell("markdown", number, text))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
