"""All thresholds are in src/base/thresholds.h, and docs/performance.md shows them.

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

# Constants that are compared but choose no way: room, and the limits of a format or an instruction.
ROOM = {
    "MOST_AHEAD", "MOST_PAGES", "NAMES",  # reading a tuning, and its names
    "MOST_LISTED", "NAME_LEAVES", "LEVEL_BIT", "PATH_BYTES", "CACHES_READ", "CPUS_READ",  # reading CPU features and caches
    "MOST_TRIES", "MOST_STEPS",  # the search for an overlap
    "OPERATORS", "ATTRIBUTES",  # lengths of lists
    "STREW_MOST_PARTS", "MOST_COLUMNS", "STREW_MOST_OWNERS", "MOST_THREADS", "STREW_WALK_DIMS",  # arrays on the stack
    "COLLECTED_BYTES", "STREW_TILE_POSITIONS", "SOME",
    "MOST_BLOCK_BITS", "LEAST_BLOCK_BITS", "BLOCKS_EACH",  # a page, a cache line
    "STREW_CACHE_LINE", "STREW_ROW_GRAIN", "PAGE_BYTES", "BUFFER_BYTES", "MOST_PREFETCHED", "LONGEST_WHOLE_ROW",
    "STREW_MOST_BUCKETS", "MOST_COORDINATES", "FOUR",  # registers, near caches
    "OFFSET_LANES", "VECTOR_BYTES", "BLOCK", "BYTES", "INDEX_BYTES", "PAGES_BY_TURNS",
    "LONGEST_ELEMENT",  # a dtype
    "SAMPLES", "PROBES", "PLACES", "LEAST", "LEAST_LOOKED_AT",  # sample counts, and the sizes from which samples are taken
    "CHECKS_FASTER",  # how much work a row is
    "ROWS_TOO_MANY",  # after how many a search gives up
    "BAG_LEAST_AHEAD", "BAG_BYTES_AHEAD", "LONGEST",  # how far, and how long a row is, that is prefetched
}  # fmt: skip
# Numbers of the same kind, by file: the width of a pointer, the bits of a byte, the evenness of a cut.
NUMBERS = {
    "base/layout.c": {"< 8"}, "operators/packed.h": {"< 8"}, "engine/partition/partition.c": {"> 4"},
    "engine/share/cut.c": {">= 3"},
}  # fmt: skip
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
COMPARED = re.compile(r"(?:[<>]=? *(?:\([\w ]+\))?|[/*] )([A-Z][A-Z0-9_]+)\b|\b([A-Z][A-Z0-9_]+) (?:[<>]=? |: 1\b)")
NUMBER = re.compile(r"(?<![<>-])[<>]=? (?:\d{2,}|[3-9])\b")
# Bodies and vocabularies of kernels compare with the widths of registers everywhere.
OF_REGISTERS = {"kernels", "scalar", "avx2", "avx512", "neon"}


def constants(code: str) -> set[str]:
    """The constants that a file defines in its enums."""
    return {name for block in re.findall(r"enum \{(.*?)\}", code, re.DOTALL) for name in re.findall(r"\b([A-Z][A-Z0-9_]*) =", block)}


def files() -> Iterator[tuple[str, str]]:
    """Name and code of each source, without comments and without the header of thresholds."""
    for file in sorted(SOURCES.rglob("*.*")):
        if file.suffix in {".c", ".h", ".inc"} and file != HEADER:
            yield str(file.relative_to(SOURCES)), COMMENT.sub("", file.read_text())


def thresholds() -> Iterator[tuple[str, int, str]]:
    """The name, the value and the weighed quantities of each line of the header."""
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

    def test_no_constant_elsewhere_is_compared(self) -> None:
        for file, code in files():
            compared = {name for pair in COMPARED.findall(code) for name in pair if name}
            with self.subTest(file):
                self.assertEqual(compared & constants(code) - ROOM, set(), "a threshold of thresholds.h, or one more of ROOM")

    def test_no_number_elsewhere_is_compared(self) -> None:
        for file, code in files():
            if file.split("/")[0] not in OF_REGISTERS:
                with self.subTest(file):
                    self.assertEqual(set(NUMBER.findall(code)) - NUMBERS.get(file, set()), set(), "a threshold of thresholds.h")

    def test_none_is_lowered_elsewhere(self) -> None:
        for file, code in files():
            with self.subTest(file):
                self.assertNotRegex(code, r"STREW_THRESHOLD\(\d")

    def test_each_is_used(self) -> None:
        code = "".join(code for _, code in files())
        for name, _, _ in thresholds():
            with self.subTest(name):
                self.assertTrue(re.search(rf"\bSTREW_{name}\b", code))


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        before, _, after = page_parts()
        PAGE.write_text(before + rows() + after)
    else:
        unittest.main()
