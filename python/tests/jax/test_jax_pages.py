"""What docs/jax.md shows is cut from python/examples, and what those print is what they are said to print."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
EXAMPLES = sorted((ROOT / "python" / "examples").glob("jax_*.py"))
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def expected(example):
    return (example.parent / "expected" / f"{example.stem}.txt").read_text()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_examples_print_what_is_expected(example):
    environment = {name: value for name, value in os.environ.items() if name not in ("XLA_FLAGS", "JAX_ENABLE_X64")}
    done = subprocess.run([sys.executable, example], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout == expected(example)


def test_the_page_shows_what_was_run():
    sources = {"python": [path.read_text() for path in EXAMPLES], "text": [expected(path) for path in EXAMPLES]}
    blocks = BLOCK.findall((ROOT / "docs" / "jax.md").read_text())
    assert {language for language, _ in blocks} == {"python", "text", "sh"}
    for language, block in blocks:
        assert language == "sh" or any(block in source for source in sources[language]), block
