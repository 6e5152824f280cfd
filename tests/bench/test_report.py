"""The page and the pictures of a report."""

from __future__ import annotations

import contextlib
import io
import re
import tempfile
import unittest
from pathlib import Path
from xml.etree import ElementTree

import fake_reports
import fake_results
from fake_reports import CPUS

import figures
import peer_results
import picture
import report
import results
import sizes

OF_ALL = {
    "benchmark", "isa_layers", "kernels_avx2", "isa_families", "peers", "in_c", "through", "limit_layers",
    "limit_families", "row_length_1", "data_size_1", "data_size_2", "machine_layers", "machine_families",
}  # fmt: skip
WITHOUT_PEERS = {"benchmark", "peers", "in_c", "through"}
WITHOUT_OTHERS = {"machine_layers", "machine_families"}


def words(svg: Path) -> list[str]:
    """The texts of a figure, in its order."""
    return [element.text or "" for element in ElementTree.parse(svg).iter("{http://www.w3.org/2000/svg}text")]


class Reporting(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.of_one = fake_reports.draw(cls.folder, CPUS[:1], with_peers=False)
        cls.of_all = fake_reports.draw(cls.folder, CPUS, with_peers=True)

    def test_the_page_needs_nothing_else(self) -> None:
        for output in (self.of_one, self.of_all):
            page = (output / "index.html").read_text()
            sources = re.findall(r'(?:src|href)="([^"]*)"', page)
            self.assertTrue(sources)
            self.assertTrue(all(source.startswith(("data:", "#")) for source in sources))
            self.assertNotIn("@import", page)
            self.assertNotIn("<!-- ", page)

    def test_the_page_names_every_machine_and_every_row(self) -> None:
        page = (self.of_all / "index.html").read_text()
        for cpu in CPUS:
            self.assertIn(cpu.replace("<", "&lt;").replace(">", "&gt;"), page)
        for name in fake_results.NAMES:
            self.assertEqual(page.count(f"<td>{name}</td>"), len(CPUS))

    def test_what_a_new_cpu_shows_comes_before_the_machine_and_the_tables(self) -> None:
        page = (self.of_all / "index.html").read_text()
        order = re.findall(r'<section id="(\w+)">', page)
        self.assertEqual(order, ["sets", "peers", "limits", "machines", "machine", "rows"])

    def test_nothing_reads_as_if_strew_were_a_debug_build(self) -> None:
        page = (self.of_one / "index.html").read_text()
        self.assertNotIn("library_build_type", page)
        self.assertIn("<th>Google Benchmark library</th><td>a debug build, as the distribution made it</td>", page)

    def test_what_is_missing_says_how_it_is_made(self) -> None:
        page = (self.of_one / "index.html").read_text()
        self.assertIn("<code>make bench-peers report</code>", page)
        self.assertIn("<code>make report RESULTS=", page)

    def test_every_figure_is_there_as_svg_and_in_the_page(self) -> None:
        for output, names in ((self.of_all, OF_ALL), (self.of_one, OF_ALL - WITHOUT_PEERS - WITHOUT_OTHERS)):
            drawn = list(output.glob("*.svg"))
            self.assertEqual({path.stem for path in drawn}, names)
            page = (output / "index.html").read_text()
            for path in drawn:
                root = ElementTree.parse(path).getroot()
                title, description = root[0], root[1]
                self.assertEqual(root.get("aria-labelledby"), f"{title.get('id')} {description.get('id')}")
                self.assertTrue(title.text and description.text)
                self.assertEqual(path.stem != "benchmark", path.read_text().strip() in page, path.stem)

    def test_instruction_sets_are_told_by_their_speed(self) -> None:
        layers = words(self.of_one / "isa_layers.svg")
        place = layers.index("sum, axis 3, 1000x256x7x7")
        self.assertEqual(layers[place + 1], "2.0")
        cells = words(self.of_one / "kernels_avx2.svg")
        self.assertEqual(cells[-5:], ["i16", "2.0", "f32", "2.0", "4.0"])

    def test_machines_are_told_by_their_speed(self) -> None:
        layers = words(self.of_all / "machine_layers.svg")
        place = layers.index("sum, axis 3, 1000x256x7x7")
        self.assertEqual(layers[place + 1 : place + 3], ["0.50", "0.33"])

    def test_a_figure_has_room_for_three_machines_beside_the_first(self) -> None:
        contents = [fake_results.results(cpu=f"CPU {i}") for i in range(6)]
        paths = [fake_results.write(self.folder, f"of {i}", content) for i, content in enumerate(contents)]
        drawn = figures.machines_beside(results.load_all(paths))
        names = [f"machine_{what}_{part}" for part in (1, 2) for what in ("layers", "families")]
        self.assertEqual([figure.name for figure in drawn], names)
        self.assertIn("A CPU 0; B CPU 4; C CPU 5.", drawn[-1].svg)

    def test_a_line_joins_rows_that_differ_in_one_number(self) -> None:
        machine = results.load(fake_results.write(self.folder, "lines", fake_results.results(fake_reports.speed)))
        rows = dict(sizes.series_over(machine, sizes.ROW_LENGTH))
        self.assertEqual(list(rows), ["GatherND, f32, 16,384 rows"])
        curves = {curve.name: [size for size, _ in curve.points] for curve in rows["GatherND, f32, 16,384 rows"]}
        lengths = [4, 16, 64, 256, 1024, 4096]
        self.assertEqual(curves, {"scalar": lengths, "AVX2": lengths, "limit": lengths})
        lists = dict(sizes.series_over(machine, sizes.DATA_SIZE))
        self.assertEqual(list(lists), ["ScatterElements, f32, axis 0", "Copies of contiguous bytes"])

    def test_the_readmes_picture_has_three_calls_of_each_library_with_their_times(self) -> None:
        drawn = words(self.of_all / "benchmark.svg")
        self.assertFalse([word for word in drawn if "OpenVINO" in word])  # it has no time in any row
        self.assertNotIn("PyTorch", drawn)  # nor this one through strew
        of_numpy, of_c = (drawn[drawn.index(who) :] for who in ("NumPy", "C, loops"))
        which = [word for word in of_numpy if word in ("high", "middle", "lowest")]
        self.assertEqual(which[:3], ["high", "middle", "lowest"])
        self.assertEqual(of_numpy[1:6], ["high", "GatherND", "2.0", "3.00 us", "1.50 us"])
        self.assertEqual(of_c[3:6], ["3.0", "3.00 us", "1.00 us"])
        root = ElementTree.parse(self.of_all / "benchmark.svg").getroot()
        self.assertIn("Example 1, avx2, 2026-11-22. strew 0.2.0, NumPy 2.4.6, PyTorch 2.13.0,", root[1].text)
        self.assertLessEqual(float(root.get("height")), 400)

    def test_the_bars_begin_at_one(self) -> None:
        peers = peer_results.load(fake_results.write(self.folder, "p", fake_results.peers()))
        root = ElementTree.fromstring(picture.draw_all(peers))
        one = next(path for path in root.iter("{http://www.w3.org/2000/svg}path") if path.get("class") == "one")
        x = float(re.match(r"M([\d.]+) ", one.get("d"))[1])
        bars = [rect for rect in root.iter("{http://www.w3.org/2000/svg}rect") if "bar" in rect.get("class", "")]
        faster = [bar for bar in bars if float(bar.get("x")) == x]
        slower = [bar for bar in bars if abs(float(bar.get("x")) + float(bar.get("width")) - x) < 0.2]
        self.assertEqual((len(faster), len(slower)), 2 * (len(fake_results.WORKLOADS),))

    def test_c_stands_beside_c(self) -> None:
        drawn = words(self.of_all / "in_c.svg")
        self.assertEqual(drawn[drawn.index("180 rows of 140 B, batch_dims 2") + 1], "3.0")

    def test_who_calls_from_python_sees_what_he_gains(self) -> None:
        drawn = words(self.of_all / "through.svg")
        self.assertEqual(drawn[drawn.index("180 rows of 140 B, batch_dims 2") + 1], "2.0")

    def test_what_is_not_a_result_file_is_refused(self) -> None:
        good = fake_results.write(self.folder, "good", fake_results.results())
        old = fake_results.peers() | {"format": 2}
        without = fake_results.peers() | {"rows": []}
        cases = {"wrong": [], "old": old, "without": without}
        for name, content in cases.items():
            path = fake_results.write(self.folder, name, content)
            arguments = [str(path)] if name == "wrong" else [str(good), "--peers", str(path)]
            printed = io.StringIO()
            with self.subTest(name), contextlib.redirect_stderr(printed):
                self.assertEqual(report.main([*arguments, "--output", str(self.folder / "none")]), 1)
                self.assertIn(f"{name}.json", printed.getvalue())
                self.assertFalse((self.folder / "none").exists())


if __name__ == "__main__":
    unittest.main()
