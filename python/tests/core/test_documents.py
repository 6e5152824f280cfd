"""The Python code on the pages comes from the examples, and the text from their output."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from required import ROOT, missing

EXAMPLES = ROOT / "python/examples"
GUESTS_EXAMPLES = sorted(ROOT.glob("integrations/*/examples"))  # which their own tests run
PAGES = [ROOT / "README.md", ROOT / "python/README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
IMPORT = re.compile(r"^(?:import|from) (torch_geometric|torch|jax|ml_dtypes|scipy|strew\.torch|strew\.jax)\b", re.MULTILINE)


def examples() -> list[Path]:
    return sorted(EXAMPLES.glob("*.py"))


def blocks(language: str) -> Iterator[tuple[str, str]]:
    """The fenced blocks of a language, with the page that shows each."""
    for page in PAGES:
        if page.exists():
            yield from ((page.name, found[2]) for found in BLOCK.finditer(page.read_text()) if found[1] == language)


def is_part(block: str, text: str) -> bool:
    """Whether the block is some consecutive lines of the text, at any indentation."""
    lines = text.splitlines(keepends=True)
    count = block.count("\n")
    parts = ("".join(lines[begin : begin + count]) for begin in range(len(lines) - count + 1))
    return any(textwrap.dedent(part) == textwrap.dedent(block) for part in parts)


def expected(example: Path) -> str:
    return (EXAMPLES / "expected" / f"{example.stem}.txt").read_text()


def test_there_are_examples_and_blocks() -> None:
    assert len(examples()) > 8
    assert len(list(blocks("python"))) > 8


@pytest.mark.parametrize(("page", "block"), list(blocks("python")))
def test_code_is_part_of_an_example(page: str, block: str) -> None:
    sources = [*examples(), *(path for folder in GUESTS_EXAMPLES for path in folder.glob("*.py"))]
    assert any(is_part(block, path.read_text()) for path in sources), f"no example has these lines of {page}"


@pytest.mark.parametrize(("page", "block"), list(blocks("text")))
def test_text_is_part_of_what_an_example_prints(page: str, block: str) -> None:
    outputs = [path for folder in (EXAMPLES, *GUESTS_EXAMPLES) for path in folder.glob("expected/*.txt")]
    assert any(is_part(block, path.read_text()) for path in outputs), f"no example prints these lines of {page}"


@pytest.mark.parametrize("example", examples(), ids=lambda path: path.stem)
def test_an_example_is_shown(example: Path) -> None:
    text = example.read_text()
    assert any(is_part(block, text) for _, block in blocks("python")), "no page shows a part of it"


@pytest.mark.parametrize("example", examples(), ids=lambda path: path.stem)
def test_an_example_prints_what_is_expected(example: Path) -> None:
    for package in IMPORT.findall(example.read_text()):
        try:
            __import__(package.removeprefix("strew."))
        except ImportError as error:
            missing(str(error))
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("STREW_", "XLA_"))}
    done = subprocess.run([sys.executable, example], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == expected(example)


def test_every_expected_output_is_of_an_example() -> None:
    assert {path.stem for path in (EXAMPLES / "expected").glob("*.txt")} == {path.stem for path in examples()}


def test_the_front_page_is_short() -> None:
    assert len((ROOT / "python/README.md").read_text().splitlines()) <= 60


def test_the_licence_is_the_repository_s() -> None:
    assert (ROOT / "python/LICENSE").read_text() == (ROOT / "LICENSE").read_text()
