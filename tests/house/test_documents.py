"""The pages show code, output and pictures from tested examples; their lists are complete, and their links lead
somewhere.

python/tests/core/test_documents.py checks blocks of Python; it runs where the package is. The guests in integrations/
have examples of their own, which their own tests run.
"""

from __future__ import annotations

import re
import runpy
import textwrap
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
PYTHON_EXAMPLES = ROOT / "python" / "examples"
GUESTS_EXAMPLES = sorted((ROOT / "integrations").glob("*/examples"))
OPERATORS = ROOT / "docs" / "operators"
PICTURE_OF_A_CALL = ROOT / "docs" / "call.svg"
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "python").glob("*.md")])
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
VERSIONS = re.compile(r"(\w*(?:Gather|Scatter|Embedding|Segment)\w*)((?:,? ?-\d+)+)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def blocks(language: str) -> Iterator[tuple[Path, str]]:
    """The fenced blocks of a language; blocks without one are the output of an example."""
    for page in PAGES:
        for found in BLOCK.finditer(page.read_text()):
            if found[1] == language:
                yield page, found[2]


def is_part(block: str, text: str) -> bool:
    """Whether the block is some consecutive lines of the text, at any indentation."""
    lines = text.splitlines(keepends=True)
    count = block.count("\n")
    return any(
        textwrap.dedent("".join(lines[begin : begin + count])) == textwrap.dedent(block)
        for begin in range(len(lines) - count + 1)
    )


def versions(text: str) -> set[str]:
    """The versions that tables list: "GatherND-5, -8" are two."""
    lines = "\n".join(line for line in text.splitlines() if line.startswith("|"))
    return {name + version for name, several in VERSIONS.findall(lines) for version in re.findall(r"-\d+", several)}


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as forges make them from the words."""
    headings = HEADING.findall(BLOCK.sub("", page.read_text()))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def drawing() -> dict[str, Any]:
    """The definitions of the script that draws the pictures of the operators."""
    return runpy.run_path(str(OPERATORS / "draw.py"))


class Documents(unittest.TestCase):
    maxDiff = None

    def test_code_is_part_of_an_example(self) -> None:
        folders = (EXAMPLES, *GUESTS_EXAMPLES)
        sources = [path.read_text() for folder in folders for path in (*folder.glob("*.c"), *folder.glob("*.cpp"))]
        shown = [*blocks("c"), *blocks("cpp")]
        self.assertGreater(len(shown), 10)
        for page, block in shown:
            with self.subTest(page.name, block=block):
                self.assertTrue(any(is_part(block, source) for source in sources), "no example has these lines")

    def test_output_is_part_of_what_an_example_prints(self) -> None:
        folders = (EXAMPLES / "expected", PYTHON_EXAMPLES / "expected")
        outputs = [path.read_text() for folder in folders for path in folder.glob("*.txt")]
        shown = list(blocks(""))
        self.assertGreater(len(shown), 3)
        for page, block in shown:
            with self.subTest(page.name, block=block):
                self.assertTrue(any(is_part(block, output) for output in outputs), "no example prints these lines")

    def test_every_example_is_shown_and_has_its_output(self) -> None:
        shown = [block for language in ("c", "cpp") for _, block in blocks(language)]
        for path in (*EXAMPLES.glob("*.c"), *EXAMPLES.glob("*.cpp")):
            expected = f"{path.stem}.txt" if path.suffix == ".c" else f"{path.stem}_cpp.txt"
            with self.subTest(path.name):
                self.assertTrue(any(is_part(block, path.read_text()) for block in shown), "no page shows it")
                self.assertTrue((EXAMPLES / "expected" / expected).exists())

    def test_the_readme_is_short(self) -> None:
        self.assertLess(len((ROOT / "README.md").read_text().splitlines()), 150)

    def test_the_options_listed_are_those_there_are(self) -> None:
        page = (ROOT / "docs" / "embedding.md").read_text()
        listed = set(re.findall(r"^\| `(STREW_\w+)` \|", page, re.MULTILINE)) - {"STREW_SIMDE_INCLUDE_DIR"}
        code = (ROOT / "CMakeLists.txt").read_text() + (ROOT / "cmake/StrewChoice.cmake").read_text()
        there = set(
            re.findall(r"^(?:cmake_dependent_)?option\((STREW_\w+)|^set\((STREW_\w+) \S+ CACHE", code, re.MULTILINE)
        )
        self.assertEqual(listed, {option or variable for option, variable in there})

    def test_tables_of_versions_agree(self) -> None:
        page = (OPERATORS / "README.md").read_text()
        own = set().union(*(versions(path.read_text()) for path in OPERATORS.glob("[a-z]*.md")))
        self.assertGreater(len(own), 20)
        self.assertEqual(versions(page), own)
        self.assertEqual(versions((ROOT / "README.md").read_text()), own)

    def test_pictures_are_as_drawn(self) -> None:
        draw = drawing()
        self.assertEqual({path.stem for path in OPERATORS.glob("*.svg")}, set(draw["PICTURES"]))
        for name in draw["PICTURES"]:
            with self.subTest(name):
                self.assertTrue((OPERATORS / f"{name}.svg").read_text() == draw["draw"](name), "draw.py draws another")

    def test_the_picture_of_a_call_is_as_drawn(self) -> None:
        draw = runpy.run_path(str(ROOT / "docs" / "draw_call.py"))["draw"]
        self.assertTrue(PICTURE_OF_A_CALL.read_text() == draw(), "draw_call.py draws another")

    def test_badges_are_as_drawn(self) -> None:
        badges = runpy.run_path(str(ROOT / "docs" / "badges" / "draw.py"))
        for name in badges["BADGES"]:
            with self.subTest(name):
                self.assertEqual((ROOT / "docs" / "badges" / f"{name}.svg").read_text(), badges["draw"](name))

    def test_the_page_of_kernels_is_as_listed(self) -> None:
        listed = runpy.run_path(str(ROOT / "scripts" / "list-kernels"))["page"]()
        self.assertEqual((ROOT / "docs" / "kernels.md").read_text(), listed, "run scripts/list-kernels")

    def test_pictures_show_what_the_examples_print(self) -> None:
        for name, panels in drawing()["PICTURES"].items():
            printed = (EXAMPLES / "expected" / f"{name}.txt").read_text()
            for title, grids in panels():
                rows = grids[-1].cells
                as_rows = "".join(" ".join(map(str, row)) + "\n" for row in rows)
                as_list = " ".join(str(row[0]) for row in rows) + "\n"
                with self.subTest(name, panel=title):
                    self.assertTrue(is_part(as_rows if len(rows[0]) > 1 else as_list, printed))

    def test_links_lead_somewhere(self) -> None:
        links = [(page, link) for page in PAGES for link in LINK.findall(BLOCK.sub("", page.read_text()))]
        # A forge keeps pages about a repository two folders above its files.
        inside = [(page, *link.partition("#")[::2]) for page, link in links if not re.match(r"\w+://|\.\./\.\./actions/", link)]
        self.assertGreater(len(inside), 10)
        for page, path, anchor in inside:
            target = (page.parent / path).resolve() if path else page
            with self.subTest(page.name, link=f"{path}#{anchor}"):
                self.assertTrue(target.exists(), "no such file")
                if anchor:
                    self.assertIn(anchor, anchors(target))


if __name__ == "__main__":
    unittest.main()
