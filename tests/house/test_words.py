"""No comment or docstring of C, C++ or Python begins with "What" and holds its subject back. Questions may."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import unittest
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = {".c", ".cpp", ".h", ".hpp", ".inc"}
PYTHON = {".py", ".pyi"}
TEXT = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
# The first line of a comment; of consecutive comments of one line, the first one.
COMMENT = re.compile(rf"{TEXT}|(?:/\*.*?\*/|//[^\n]*(?:\n\s*//[^\n]*)*)", re.DOTALL)
RIDDLE = re.compile(r"What\b[^?]*$")


def comments_of_c(text: str) -> Iterator[tuple[int, str]]:
    for found in COMMENT.finditer(text):
        if found[0].startswith("/"):
            yield text.count("\n", 0, found.start()) + 1, found[0].lstrip("/*<! \n")


def comments_of_python(text: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield getattr(node, "lineno", 1), ast.get_docstring(node) or ""
    last = -1
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            if token.start[0] != last + 1:
                yield token.start[0], token.string.lstrip("#: ")
            last = token.start[0]


def sources() -> Iterator[Path]:
    for top in ROOT.iterdir():
        if top.is_dir() and top.name != "build" and not top.name.startswith("."):
            yield from (path for path in top.rglob("*") if path.suffix in SOURCES | PYTHON and "build" not in path.parts)


class Words(unittest.TestCase):
    def test_no_comment_begins_with_a_riddle(self) -> None:
        found = []
        for path in sorted(sources()):
            comments = comments_of_python if path.suffix in PYTHON else comments_of_c
            for line, comment in comments(path.read_text()):
                if RIDDLE.match(re.split(r"(?<=[.?!])\s", comment)[0].rstrip("*/ ")):
                    found.append(f"{path.relative_to(ROOT)}:{line}: {comment[:70]}")
        self.assertEqual(found, [])


if __name__ == "__main__":
    unittest.main()
