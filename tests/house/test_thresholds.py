"""All thresholds stand in src/base/thresholds.h, and docs/performance.md shows them.

    python3 tests/house/test_thresholds.py           tests it
    python3 tests/house/test_thresholds.py --write   writes the table of the page
"""

from __future__ import annotations

import re
import sys
import unittest
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "src"
HEADER = SOURCES / "base" / "thresholds.h"
TUNING = SOURCES / "dispatch" / "tuning_numbers.c"
PAGE = ROOT / "docs" / "performance.md"
MARK = "<!-- rows: written from src/base/thresholds.h -->"
UNITS = {1 << 20: "MiB", 1 << 10: "KiB"}
MOST = 40

# A constant with such a name weighs one way against another.
WEIGHS = re.compile(r"^(?:STREW_)?(LEAST|MOST|LONGEST|SHORTEST|LARGEST|FAR|NEAR|FEW)_")
# Limits of what there is room for, or what a format or an instruction can hold: no other value would be faster.
ROOM = {
    "MOST_AHEAD", "MOST_PAGES",  # of a tuning that is read
    "MOST_LISTED",  # caches of a CPU
    "MOST_TRIES", "MOST_STEPS",  # of the search for an overlap
    "STREW_MOST_PARTS", "MOST_COLUMNS", "STREW_MOST_OWNERS", "MOST_THREADS",  # arrays on the stack
    "MOST_BLOCK_BITS", "LEAST_BLOCK_BITS",  # a page, a cache line
    "STREW_MOST_BUCKETS", "MOST_COORDINATES", "MOST_PLAIN", "MOST_ELEMENTS",  # registers and near caches
    "LONGEST_FILL_ROW", "LONGEST_WHOLE_ROW", "MOST_PREFETCHED",  # a page or less
    "LONGEST_ELEMENT",  # of a dtype
    "LEAST_LOOKED_AT",  # entries that tell
}  # fmt: skip


def thresholds() -> Iterator[tuple[str, int, str]]:
    """Name, value and what is weighed, of each line of the header."""
    for name, value, weighed in re.findall(r'^    T\((\w+), ([^,]+), [^,]+, "(.*)"\)', HEADER.read_text(), re.MULTILINE):
        yield name, eval(value), weighed


def text_of(value: int) -> str:
    """A value as people write it."""
    for unit, name in UNITS.items():
        if value >= unit and value % unit == 0:
            return f"{value // unit} {name}"
    return str(value)


def rows() -> str:
    """The rows of the page's table."""
    return "".join(f"| `{name}` | {text_of(value)} | {weighed} |\n" for name, value, weighed in thresholds())


def page_parts() -> tuple[str, str, str]:
    """The page before the rows, the rows, and the page after them."""
    found = re.match(rf"(?s)(.*{MARK}\n\n\|[^\n]*\n\|[^\n]*\n)((?:\|[^\n]*\n)*)(.*)", PAGE.read_text())
    assert found, f"the page lacks the line {MARK} before a table"
    return found.groups()


class Thresholds(unittest.TestCase):
    def test_the_page_shows_the_header(self) -> None:
        self.assertEqual(page_parts()[1], rows())

    def test_there_are_few(self) -> None:
        tuned = re.findall(r"^    NUMBER\(", TUNING.read_text(), re.MULTILINE)
        self.assertLessEqual(len(list(thresholds())) + len(tuned), MOST)
        self.assertGreater(len(tuned), 5)

    def test_none_stands_elsewhere(self) -> None:
        for file in SOURCES.rglob("*.*"):
            if file.suffix not in {".c", ".h", ".inc"} or file == HEADER:
                continue
            for block in re.findall(r"enum \{(.*?)\}", file.read_text(), re.DOTALL):
                for name in re.findall(r"\b([A-Z][A-Z0-9_]*) = ", block):
                    with self.subTest(file=str(file.relative_to(ROOT)), name=name):
                        self.assertFalse(WEIGHS.match(name) and name not in ROOM, "a threshold of thresholds.h")

    def test_each_is_used(self) -> None:
        code = "".join(file.read_text() for file in SOURCES.rglob("*.*") if file.suffix in {".c", ".h", ".inc"} and file != HEADER)
        for name, _, _ in thresholds():
            with self.subTest(name):
                self.assertRegex(code, rf"\bSTREW_{name}\b")


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        before, _, after = page_parts()
        PAGE.write_text(before + rows() + after)
    else:
        unittest.main()
