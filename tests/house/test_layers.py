"""The sources include only what the house's table in CONTRIBUTING.md allows.

A row names folders (or a file that differs from its folder) in its first column, and in its third what they may include
besides themselves and include/. The third column uses the names of the first, without src/.
"""

from __future__ import annotations

import os
import re
import unittest
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EVERYBODY_MAY_USE = "include"
SOURCES = {".c", ".h", ".inc", ".cpp"}
ROW = re.compile(r"^\| (`[^|]*) \|[^|]*\|([^|]*)\|$", re.MULTILINE)
NAME = re.compile(r"`([\w./]+)`")
# A macro may name a template: its definition is then what is included.
INCLUDE = re.compile(r'^\s*#\s*(?:include\s+"([^"]+)"|include\s+<(strew/[^>]+)>|define\s+\w+\s+"([^"]+\.(?:h|inc))")', re.M)


def read_table() -> dict[str, set[str]]:
    """Each place of the table to the places that it may use."""
    chapter = (ROOT / "CONTRIBUTING.md").read_text().partition("## The house")[2].partition("\n## ")[0]
    rows = [(NAME.findall(places), NAME.findall(uses)) for places, uses in ROW.findall(chapter)]
    table = {place.rstrip("/"): set(uses) for places, uses in rows for place in places}
    return {place: {full_name(use, table) for use in uses} for place, uses in table.items()}


def full_name(use: str, table: dict[str, set[str]]) -> str:
    """The place with this name in the third column."""
    name = use.rstrip("/")
    return f"src/{name}" if f"src/{name}" in table else name


def files() -> list[Path]:
    """The files of the project, relative to its root."""
    inside = (path for path in ROOT.iterdir() if path.name != "build" and not path.name.startswith("."))
    found = (path.relative_to(ROOT) for top in inside for path in (top, *top.rglob("*")) if path.is_file())
    return [path for path in found if not {"build", "__pycache__"} & set(path.parts)]


def place_of(path: Path, table: dict[str, set[str]]) -> str | None:
    """The place that a file belongs to: the nearest one around it."""
    return next((place for place in map(str, (path, *path.parents)) if place in table), None)


def included(path: Path, known: set[Path]) -> Iterator[Path]:
    """The project's own files that a source includes."""
    text = (ROOT / path).read_text()
    for name in filter(None, (name for names in INCLUDE.findall(text) for name in names)):
        elsewhere = (other for other in known if str(other).endswith(f"/{name}"))
        nearest = sorted(elsewhere, key=lambda other: (other.parts[0] != path.parts[0], other))
        beside = Path(os.path.normpath(path.parent / name))
        ways = (beside, Path("src") / name, Path("include") / name, Path(name), *nearest)
        target = next((way for way in ways if way in known), None)
        if target:
            yield target


class Layers(unittest.TestCase):
    maxDiff = None

    def setUp(self) -> None:
        self.table = read_table()
        self.files = files()

    def test_no_file_includes_what_the_table_does_not_allow(self) -> None:
        known = set(self.files)
        forbidden = []
        for path in self.files:
            place = place_of(path, self.table)
            if path.suffix in SOURCES and place:
                allowed = {place, EVERYBODY_MAY_USE} | self.table[place]
                targets = ((target, place_of(target, self.table)) for target in included(path, known))
                forbidden += [f"{path} includes {target}" for target, other in targets if other not in allowed]
        self.assertEqual(sorted(set(forbidden)), [])

    def test_every_folder_is_named(self) -> None:
        """In src/ each folder needs a row; elsewhere a row covers the folders within as well."""
        folders = {path.parent for path in self.files if len(path.parts) > 1}
        rooms = {folder for folder in folders if folder.parts[0] == "src"}
        nameless = [str(folder) for folder in rooms if str(folder) not in self.table]
        nameless += [str(folder) for folder in folders - rooms if not place_of(folder, self.table)]
        self.assertEqual(sorted(nameless), [])

    def test_every_place_that_is_named_exists(self) -> None:
        named = set(self.table) | {use for uses in self.table.values() for use in uses}
        self.assertEqual(sorted(place for place in named if not (ROOT / place).exists()), [])


if __name__ == "__main__":
    unittest.main()
