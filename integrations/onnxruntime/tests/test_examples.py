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
PAGES = [ROOT / "docs/onnxruntime.md", GUEST / "README.md"]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def programs() -> list[Path]:
    return sorted(EXAMPLES.glob("*.py"))


def expected(example: Path) -> str:
    return (EXAMPLES / "expected" / f"{example.stem}.txt").read_text()


def blocks(language: str) -> Iterator[tuple[str, str]]:
    """The fenced blocks of a language, with the page that shows each."""
    for page in PAGES:
        yield from ((page.name, found[2]) for found in BLOCK.finditer(page.read_text()) if found[1] == language)


def is_part(block: str, text: str) -> bool:
    """Whether the block is some consecutive lines of the text, at any indentation."""
    lines = text.splitlines(keepends=True)
    count = block.count("\n")
    parts = ("".join(lines[begin : begin + count]) for begin in range(len(lines) - count + 1))
    return any(textwrap.dedent(part) == textwrap.dedent(block) for part in parts)


@pytest.mark.parametrize(("page", "block"), [*blocks("python"), *blocks("c")])
def test_code_is_part_of_an_example(page: str, block: str) -> None:
    sources = [*programs(), *EXAMPLES.glob("*.c")]
    assert any(is_part(block, path.read_text()) for path in sources), f"no example has these lines of {page}"


@pytest.mark.parametrize(("page", "block"), list(blocks("text")))
def test_text_is_part_of_what_an_example_prints(page: str, block: str) -> None:
    assert any(is_part(block, expected(path)) for path in programs()), f"no example prints these lines of {page}"


@pytest.mark.parametrize("example", [*programs(), *EXAMPLES.glob("*.c")], ids=lambda path: path.name)
def test_an_example_is_shown(example: Path) -> None:
    shown = [block for _, block in blocks("python" if example.suffix == ".py" else "c")]
    assert any(is_part(block, example.read_text()) for block in shown), "no page shows a part of it"


@pytest.mark.parametrize("example", programs(), ids=lambda path: path.stem)
def test_an_example_prints_what_is_expected(example: Path) -> None:
    done = subprocess.run([sys.executable, example], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == expected(example)
