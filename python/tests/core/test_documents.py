"""What the pages show of Python is what the examples do; and the licences are those of what the wheel carries."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

PYTHON = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((PYTHON / "examples").glob("*.py"))
PAGES = [PYTHON / "README.md", *(PYTHON.parent / "docs").glob("*.md")]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list[tuple[str, str]]:
    """The fenced blocks of a language, each with the name of its page."""
    found = ((page.name, block) for page in PAGES for block in BLOCK.finditer(page.read_text()))
    return [(page, block[2]) for page, block in found if block[1] == language]


def is_part(block: str, text: str) -> bool:
    """Whether the text has the lines of the block one after another, however deep they stand."""
    lines, count = text.splitlines(keepends=True), block.count("\n")
    parts = ("".join(lines[begin : begin + count]) for begin in range(len(lines) - count + 1))
    return any(textwrap.dedent(part) == textwrap.dedent(block) for part in parts)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_examples_print_what_they_should(example: Path) -> None:
    text = example.read_text()
    for guest in ("strew.torch", "strew.jax"):
        if guest in text:
            pytest.skip(f"{guest} has its own tests")
    for module in re.findall(r"^import (torch|jax|ml_dtypes)\b", text, re.MULTILINE):
        pytest.importorskip(module)
    done = subprocess.run([sys.executable, example], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout == (example.parent / "expected" / f"{example.stem}.txt").read_text()


def test_pages_show_what_examples_have() -> None:
    sources = [path.read_text() for path in EXAMPLES]
    outputs = [path.read_text() for path in (PYTHON / "examples/expected").glob("*.txt")]
    assert len(blocks("python")) >= 8
    for language, texts in (("python", sources), ("text", outputs)):
        for page, block in blocks(language):
            assert any(is_part(block, text) for text in texts), f"{page} shows what no example has:\n{block}"


def test_the_front_page_is_short() -> None:
    assert len((PYTHON / "README.md").read_text().splitlines()) <= 60


def test_the_licence_is_the_repository_s() -> None:
    assert (PYTHON / "LICENSE").read_text() == (PYTHON.parent / "LICENSE").read_text()
