"""The code on the page comes from the examples, and the text from their output."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from required import GUEST, ROOT

EXAMPLES = GUEST / "examples"
SUFFIXES = {"python": ".py", "cpp": ".cpp", "cmake": ".txt"}
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGE = (ROOT / "docs/openvino.md").read_text()


def blocks(language: str) -> Iterator[str]:
    return (found[2] for found in BLOCK.finditer(PAGE) if found[1] == language)


def is_part(block: str, text: str) -> bool:
    """Whether the block is some consecutive lines of the text, at any indentation."""
    lines = text.splitlines(keepends=True)
    count = block.count("\n")
    parts = ("".join(lines[begin : begin + count]) for begin in range(len(lines) - count + 1))
    return any(textwrap.dedent(part) == textwrap.dedent(block) for part in parts)


def texts(folder: Path, suffix: str) -> list[str]:
    return [path.read_text() for path in sorted(folder.glob(f"*{suffix}"))]


@pytest.mark.parametrize("language", SUFFIXES)
def test_code_is_part_of_an_example(language: str) -> None:
    found = list(blocks(language))
    assert found
    for block in found:
        assert any(is_part(block, text) for text in texts(EXAMPLES, SUFFIXES[language])), block


def test_text_is_part_of_what_an_example_prints() -> None:
    found = list(blocks("text"))
    assert found
    for block in found:
        assert any(is_part(block, text) for text in texts(EXAMPLES / "expected", ".txt")), block


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_an_example_prints_what_is_expected(example: Path) -> None:
    done = subprocess.run([sys.executable, example], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == (EXAMPLES / "expected" / f"{example.stem}.txt").read_text()


@pytest.mark.parametrize(
    "example", sorted([*EXAMPLES.glob("*.py"), *EXAMPLES.glob("*.cpp")]), ids=lambda path: path.name
)
def test_an_example_is_shown(example: Path) -> None:
    language = next(name for name, suffix in SUFFIXES.items() if suffix == example.suffix)
    assert any(is_part(block, example.read_text()) for block in blocks(language)), "the page shows no part of it"
