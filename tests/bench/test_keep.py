"""Kept results: the output of bench/keep.py, and the files in bench/results/."""

from __future__ import annotations

import contextlib
import io
import json
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))

import fake_results
import keep
import report
import results
import telling

KEPT = sorted((ROOT / "bench" / "results").glob("*.json"))
MOST_BYTES = 60_000


class Keeping(fake_results.FolderTest):
    def test_the_rows_of_the_best_set_keep_their_times_and_counters(self) -> None:
        measured = fake_results.write(self.folder, "measured", fake_results.results(spread=(1.5, 0.9, 1.0)))
        self.assertEqual(keep.main([str(measured), str(self.folder / "kept.json")]), 0)
        before, after = results.load(measured), results.load(self.folder / "kept.json")
        best = list(telling.at_its_best(before))
        self.assertTrue(best)
        self.assertEqual([row.name for row in after.rows], [row.name for row in best])
        for row, kept in zip(best, after.rows):
            self.assertAlmostEqual(kept.seconds / row.seconds, 1, places=3)
            self.assertAlmostEqual(kept.limit_ratio / row.limit_ratio, 1, places=3)
        self.assertEqual(after.facts["cpu"], "Example 1")

    def test_what_names_the_machine_is_left_out(self) -> None:
        content = fake_results.results()
        content["context"] |= {"host_name": "secret", "executable": "/home/secret/strew-bench", "load_average": [1, 2]}
        measured = fake_results.write(self.folder, "measured", content)
        self.assertEqual(keep.main([str(measured), str(self.folder / "kept.json")]), 0)
        self.assertNotIn("secret", (self.folder / "kept.json").read_text())

    def test_what_is_no_result_file_is_refused_and_nothing_written(self) -> None:
        rows = [fake_results.entry("limit/memcpy/16384/threads:1", 1)]
        for name, content in (("wrong", []), ("without", fake_results.results() | {"benchmarks": rows})):
            measured = fake_results.write(self.folder, name, content)
            with self.subTest(name), contextlib.redirect_stderr(io.StringIO()) as printed:
                self.assertEqual(keep.main([str(measured), str(self.folder / "kept.json")]), 1)
                self.assertIn(f"{name}.json", printed.getvalue())
                self.assertFalse((self.folder / "kept.json").exists())


class KeptFiles(fake_results.FolderTest):
    def test_there_are_some_and_they_are_small(self) -> None:
        self.assertTrue(KEPT)
        for path in KEPT:
            self.assertLess(path.stat().st_size, MOST_BYTES, path.name)

    def test_they_name_no_machine(self) -> None:
        for path in KEPT:
            self.assertLessEqual(set(json.loads(path.read_text())["context"]), set(keep.KEPT_FACTS), path.name)

    def test_the_report_draws_them_beside_others(self) -> None:
        machine = results.load(KEPT[0])
        own = {"context": machine.facts | {"cpu": "Own"}, "benchmarks": [keep.kept_row(row) for row in machine.rows]}
        paths = [fake_results.write(self.folder, "own", own), *KEPT]
        output = self.folder / "report"
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(report.main([*map(str, paths), "--output", str(output)]), 0)
        drawn = (output / "machine_layers.svg").read_text()
        for kept in results.load_all(KEPT):
            self.assertIn(kept.facts["cpu"].partition(";")[0], drawn)

    def test_make_report_is_given_them(self) -> None:
        makefile = (ROOT / "Makefile").read_text()
        self.assertIn("KEPT = $(wildcard bench/results/*.json)", makefile)
        self.assertRegex(makefile, r"bench/report\.py .*\$\(RESULTS\) \$\(KEPT\)")


if __name__ == "__main__":
    unittest.main()
