"""Reading result files, including invalid ones."""

from __future__ import annotations

import json
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

import fake_results
import results


class ReadingResults(fake_results.FolderTest):
    def refuse(self, text: str) -> None:
        path = self.folder / "wrong.json"
        path.write_text(text)
        with self.assertRaisesRegex(results.ResultError, "wrong.json"):
            results.load(path)

    def test_rows_have_their_names_times_and_counters(self) -> None:
        machine = results.load(fake_results.write(self.folder, "a", fake_results.results()))
        self.assertEqual([row.name.text for row in machine.rows], fake_results.NAMES)
        row = machine.rows[0]
        self.assertEqual((row.name.family, row.name.operator, row.name.dtype), ("slice_copy", "gather_nd", "f32"))
        self.assertEqual((row.name.shape, row.name.isa, row.name.threads), ("1000x256x10x15", "scalar", 1))
        self.assertAlmostEqual(row.seconds, 20e-6)
        self.assertAlmostEqual(row.items_per_second, 5e7)
        self.assertAlmostEqual(row.bytes_per_item, 120)
        self.assertAlmostEqual(row.limit_ratio, 0.5)
        self.assertEqual(machine.facts["cpu"], "Example 1")

    def test_repetitions_become_their_median_and_their_fastest(self) -> None:
        content = fake_results.results(spread=(1.5, 0.9, 1.0))
        row = results.load(fake_results.write(self.folder, "a", content)).rows[0]
        self.assertAlmostEqual(row.seconds, 20e-6)
        self.assertAlmostEqual(row.fastest, 18e-6)

    def test_more_threads_are_timed_by_the_clock_on_the_wall(self) -> None:
        content = fake_results.results()
        content["benchmarks"] = [dict(fake_results.entry("call/gather_nd/f32/4x4/avx2/threads:2", 5), cpu_time=1)]
        row = results.load(fake_results.write(self.folder, "a", content)).rows[0]
        self.assertAlmostEqual(row.seconds, 5e-6)

    def test_rows_that_failed_are_left_out(self) -> None:
        content = fake_results.results()
        content["benchmarks"][0]["error_occurred"] = True
        machine = results.load(fake_results.write(self.folder, "a", content))
        self.assertEqual([row.name.text for row in machine.rows], fake_results.NAMES[1:])

    def test_what_is_not_a_result_file_is_refused_by_its_name(self) -> None:
        self.refuse("")
        self.refuse("not JSON")
        self.refuse(json.dumps(fake_results.results())[:-20])
        self.refuse("[]")
        self.refuse('{"context": {}}')
        self.refuse('{"context": {}, "benchmarks": []}')
        with self.assertRaisesRegex(results.ResultError, "missing.json"):
            results.load(self.folder / "missing.json")

    def test_machines_are_told_apart(self) -> None:
        paths = [
            fake_results.write(self.folder, name, fake_results.results(cpu=cpu))
            for name, cpu in (("one", "Example 1"), ("two", "Example 2"), ("three", "Example 2"))
        ]
        labels = [machine.label for machine in results.load_all(paths)]
        self.assertEqual(len(set(labels)), 3)
        for label, cpu in zip(labels, ("Example 1", "Example 2", "Example 2")):
            self.assertIn(cpu, label)


if __name__ == "__main__":
    unittest.main()
