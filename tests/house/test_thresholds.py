"""The thresholds that docs/performance.md lists are those of the code: each in its file, with its value."""

from __future__ import annotations

import re
import unittest
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "performance.md"
UNITS = {"": 1, "KiB": 1 << 10, "MiB": 1 << 20}
Entry = tuple[str, str, str]  # constant, file, value


def entries() -> Iterator[Entry]:
    """The table's constants. A line may have several, of as many values; one of two words is a field of the tuning."""
    chapter = PAGE.read_text().partition("\n## Thresholds\n")[2].partition("\n## ")[0]
    for line in re.findall(r"^\| .*`.*$", chapter, re.MULTILINE):
        constants, file, values = (cell.strip() for cell in line.split("|")[1:4])
        each = [values] if values.startswith("`{") else values.split(", ")
        for constant, value in zip(re.findall(r"`([\w.]+)`", constants), each, strict=True):
            yield constant, file.strip("`"), value


def listed_value(text: str) -> int | None:
    """What a cell says; None for what is not a plain number of the code."""
    found = re.fullmatch(r"(\d+)(?: (\w+))?", text)
    return int(found[1]) * UNITS[found[2] or ""] if found else None


def coded_value(constant: str, code: str) -> int | None:
    """What the code sets a constant to, tests' own lower value aside; None where it is no constant expression."""
    found = re.search(rf"\b{constant}\s*=\s*(?:STREW_THRESHOLD\()?([\d\s<*]+?)\s*[,;}})]", code)
    return eval(found[1]) if found else None


class Thresholds(unittest.TestCase):
    def test_the_table_lists_some(self) -> None:
        self.assertGreater(len(list(entries())), 30)

    def test_each_stands_in_its_file(self) -> None:
        for constant, file, _ in entries():
            code = (ROOT / "src" / file).read_text()
            for word in constant.split("."):
                with self.subTest(constant, file=file):
                    self.assertTrue(re.search(rf"\b{word}\b", code), f"{word} is not in {file}")

    def test_each_has_the_value_listed(self) -> None:
        for constant, file, value in entries():
            code = (ROOT / "src" / file).read_text()
            coded, listed = coded_value(constant, code), listed_value(value)
            with self.subTest(constant):
                if value.startswith("`{"):
                    found = re.findall(rf"\.{constant} = ({{.*}}),", code)
                    self.assertEqual(set(found), {value.strip("`")})
                elif coded is not None and listed is not None:
                    self.assertEqual(coded, listed)


if __name__ == "__main__":
    unittest.main()
