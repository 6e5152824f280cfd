"""The page and the pictures of a report."""

from __future__ import annotations

import contextlib
import io
import re
import sys
import tempfile
import unittest
from pathlib import Path
from xml.etree import ElementTree

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

import fake_results
import figures
import report

CPUS = ("Example 1", "Example <2>", "Example 3")


def draw(folder: Path, cpus: tuple[str, ...]) -> Path:
    """The folder with the report of machines of which each is slower than the one before."""
    paths = [
        fake_results.write(folder, f"{i}", fake_results.results(lambda name, i=i: 1 + i, cpu=cpu))
        for i, cpu in enumerate(cpus)
    ]
    output = folder / f"report of {len(cpus)}"
    with contextlib.redirect_stdout(io.StringIO()):
        if report.main([*map(str, paths), "--output", str(output)]) != 0:
            raise AssertionError("the report was refused")
    return output


class Reporting(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.of_one, cls.of_all = draw(cls.folder, CPUS[:1]), draw(cls.folder, CPUS)

    def test_the_page_needs_nothing_else(self) -> None:
        page = (self.of_one / "index.html").read_text()
        sources = re.findall(r'(?:src|href)="([^"]*)"', page)
        self.assertTrue(sources)
        self.assertTrue(all(source.startswith("data:") for source in sources))
        self.assertNotIn("@import", page)
        self.assertNotIn("<!-- ", page)

    def test_the_page_names_every_machine_and_every_row(self) -> None:
        page = (self.of_all / "index.html").read_text()
        for cpu in CPUS:
            self.assertIn(cpu.replace("<", "&lt;").replace(">", "&gt;"), page)
        for name in fake_results.NAMES:
            self.assertEqual(page.count(f"<td>{name}</td>"), len(CPUS))

    def test_every_figure_is_there_as_svg_and_as_png(self) -> None:
        names = {name for name, _, _ in figures.FIGURES}
        for output in (self.of_one, self.of_all):
            drawn = list(output.glob("*.svg"))
            self.assertEqual({path.stem for path in drawn}, names | {"benchmark"})
            for path in drawn:
                self.assertTrue(ElementTree.parse(path).getroot().tag.endswith("svg"))
            for name in names:
                self.assertEqual((output / f"{name}.png").read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_the_readmes_picture_is_small_and_says_what_was_measured(self) -> None:
        drawn = (self.of_all / "benchmark.svg").read_text()
        self.assertLess(len(drawn.splitlines()), 400)
        self.assertIn(CPUS[0], drawn)
        self.assertIn(">1.0</text>", drawn)  # as fast as scalar, all of them
        self.assertIn(">scatter_elements sum axis:3 1000x256x7x7</text>", drawn)

    def test_what_is_not_a_result_file_is_refused(self) -> None:
        path = self.folder / "wrong.json"
        path.write_text("[]")
        printed = io.StringIO()
        with contextlib.redirect_stderr(printed):
            self.assertEqual(report.main([str(path), "--output", str(self.folder / "none")]), 1)
        self.assertIn("wrong.json", printed.getvalue())
        self.assertFalse((self.folder / "none").exists())


if __name__ == "__main__":
    unittest.main()
