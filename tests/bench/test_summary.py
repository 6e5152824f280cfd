"""The screen that ends `make bench`, and the page of CPUs, which shows the same numbers."""

from __future__ import annotations

import contextlib
import io
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))

import cpus
import fake_results
import results
import summary
from fake_results import Factor
from results import Machine

SCREEN = 24  # lines of a terminal
# The rows of each operator in fake_results, without those of tiny tensors.
ROWS = {"gather_nd": 12, "gather_elements": 4, "scatter_nd": 7, "scatter_elements": 7}


class FakeMachines(fake_results.FolderTest):
    def machine(self, factor: Factor = lambda name: 1, **more: object) -> Machine:
        return results.load(fake_results.write(self.folder, "measured", fake_results.results(factor, **more)))


class Digests(FakeMachines):
    def test_each_operator_has_one_with_its_best_instruction_set(self) -> None:
        found = summary.digests(self.machine(lambda name: 3 if "/scalar/" in name else 1))
        self.assertEqual(
            [(each.operator, each.isa, each.rows) for each in found],
            [(name, "avx2", rows) for name, rows in ROWS.items()],
        )
        for each in found:
            self.assertAlmostEqual(each.over_scalar, 3)
            self.assertAlmostEqual(each.copy, 5 / 20)

    def test_tiny_calls_are_left_out(self) -> None:
        slow = self.machine(lambda name: 1000 if name.startswith("call/") else 1)
        self.assertEqual(summary.digests(slow), summary.digests(self.machine()))

    def test_another_set_is_best_if_it_is_clearly_faster(self) -> None:
        for share, best in ((0.97, "avx2"), (0.5, "scalar")):
            found = summary.digests(self.machine(lambda name, share=share: share if "/scalar/" in name else 1))
            self.assertEqual({each.isa for each in found}, {best})

    def test_a_kept_file_has_its_own_ratio(self) -> None:
        content = fake_results.results()
        rows = [row | {"scalar_ratio": 4} for row in content["benchmarks"] if "/avx2/" in row["name"]]
        kept = results.load(fake_results.write(self.folder, "kept", content | {"benchmarks": rows}))
        self.assertAlmostEqual(summary.digests(kept)[0].over_scalar, 4)


class Oddities(FakeMachines):
    def test_nothing_is_odd_without_outliers(self) -> None:
        self.assertEqual(list(summary.odd(self.machine(lambda name: 2 if "/scalar/" in name else 1))), [])

    def test_a_row_that_is_slower_than_scalar_is_named(self) -> None:
        name = "rows/scatter_nd/max/f32/1x1024/avx2/threads:1"
        found = list(summary.odd(self.machine(lambda row: 3 if row == name else 1)))
        self.assertEqual(found, ["AVX2 is slower than scalar in 1 of 32 rows, at most 3.0 times, in", f"  {name}"])

    def test_threads_that_slow_a_row_down_are_named(self) -> None:
        content = fake_results.results()
        name = "rows/scatter_nd/max/f32/1x1024/avx2/threads:"
        content["benchmarks"].append(fake_results.entry(f"{name}2", 40))
        machine = results.load(fake_results.write(self.folder, "threads", content))
        self.assertEqual(
            list(summary.odd(machine)),
            ["more threads are slower than one in 1 of 1 rows, at most 2.0 times, in", f"  {name}2"],
        )


class Screen(FakeMachines):
    def test_it_fits_a_terminal_and_ends_with_the_page(self) -> None:
        machine = self.machine(lambda name: 1 if "/scalar/" in name else 9, cpu="A CPU of a long name " * 9)
        lines = summary.screen(machine, "build/report/index.html")
        self.assertLessEqual(len(lines), SCREEN)
        self.assertLessEqual(max(map(len, lines)), summary.WIDTH)
        self.assertEqual(lines[-1], "page: build/report/index.html")
        self.assertIn("nothing is odd", summary.screen(self.machine()))

    def test_results_without_rows_of_strew_have_one_too(self) -> None:
        rows = [fake_results.entry("limit/memcpy/16384/threads:1", 1)]
        machine = results.load(fake_results.write(self.folder, "copies", fake_results.results() | {"benchmarks": rows}))
        self.assertIn("nothing is odd", summary.screen(machine))

    def test_a_file_that_is_none_is_refused(self) -> None:
        wrong = fake_results.write(self.folder, "wrong", [])
        with contextlib.redirect_stderr(io.StringIO()) as printed:
            self.assertEqual(summary.main([str(wrong)]), 1)
        self.assertIn("wrong.json", printed.getvalue())


class SideBySide(FakeMachines):
    def test_machines_are_columns_of_their_own_numbers(self) -> None:
        files = {"one": fake_results.results(lambda name: 4 if "/scalar/" in name else 1, cpu="Example 1"),
                 "two": fake_results.results(lambda name: 5, cpu="Example 2")}  # fmt: skip
        machines = results.load_all(fake_results.write(self.folder, *file) for file in files.items())
        page = cpus.page(machines, cpus.digests_of(machines))
        self.assertIn("|  | A: Example 1 | B: Example 2 |", page)
        self.assertRegex(page, r"\| GatherND \| [\d.]+ · 0\.25 · 4\.0× \| [\d.]+ · 0\.05 · 1\.0× \|")
        self.assertIn("B: Example 2", cpus.picture(machines, cpus.digests_of(machines)))


class Cpus(unittest.TestCase):
    def test_the_page_is_as_the_kept_results_draw_it(self) -> None:
        for path, text in cpus.drawn().items():
            self.assertTrue(path.read_text(encoding="utf-8") == text, f"{path.name} is old: run make cpus")

    def test_every_kept_cpu_has_a_column(self) -> None:
        heading = next(line for line in cpus.drawn()[cpus.PAGE].splitlines() if line.startswith("| "))
        for path in cpus.KEPT.glob("*.json"):
            self.assertIn(results.load(path).facts["cpu"].partition(";")[0], heading)


if __name__ == "__main__":
    unittest.main()
