"""Rows that compare.py marks, and rows that it does not."""

from __future__ import annotations

import contextlib
import io
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

import compare
import fake_results


class Comparing(fake_results.FolderTest):
    def compare(self, old: dict, new: dict, *options: str) -> tuple[int, str]:
        """The exit status, and the output."""
        paths = (fake_results.write(self.folder, "old", old), fake_results.write(self.folder, "new", new))
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            status = compare.main(["--old", str(paths[0]), "--new", str(paths[1]), *options])
        return status, printed.getvalue()

    def marked(self, text: str) -> list[str]:
        """The rows and families that are marked."""
        return [line.split()[0] for line in text.splitlines() if line.endswith("SLOWER")]

    def test_equal_files_have_nothing_marked(self) -> None:
        status, text = self.compare(fake_results.results(), fake_results.results())
        self.assertEqual((status, self.marked(text)), (0, []))
        self.assertIn(f"0 of {len(fake_results.NAMES)} rows", text)

    def test_a_family_that_is_a_tenth_slower_is_marked_and_no_other(self) -> None:
        for family in fake_results.FAMILIES:
            slower = fake_results.results(lambda name, slow=family: 1.1 if name.startswith(slow) else 1)
            status, text = self.compare(fake_results.results(), slower)
            self.assertEqual(status, 1)
            self.assertIn(family, self.marked(text))
            self.assertTrue(all(name.startswith(family) for name in self.marked(text)))

    def test_a_row_that_is_a_tenth_slower_is_marked(self) -> None:
        slow = fake_results.NAMES[0]
        status, text = self.compare(
            fake_results.results(), fake_results.results(lambda name: 1.1 if name == slow else 1)
        )
        self.assertEqual((status, self.marked(text)), (1, [slow]))

    def test_less_than_the_threshold_is_not(self) -> None:
        slow = fake_results.NAMES[0]
        slower = fake_results.results(lambda name: 1.09 if name == slow else 1)
        self.assertEqual(self.compare(fake_results.results(), slower)[0], 0)
        self.assertEqual(self.compare(fake_results.results(), slower, "--threshold", "5")[0], 1)

    def test_a_family_is_marked_from_half_the_threshold_on(self) -> None:
        slower = fake_results.results(lambda name: 1.06 if name.startswith("reduction") else 1)
        status, text = self.compare(fake_results.results(), slower)
        self.assertEqual((status, self.marked(text)), (1, ["reduction"]))

    def test_faster_is_not_marked(self) -> None:
        self.assertEqual(self.compare(fake_results.results(), fake_results.results(lambda name: 0.5))[0], 0)

    def test_a_repetition_that_was_disturbed_does_not_count(self) -> None:
        disturbed = fake_results.results(spread=(1.3, 1, 1.5))
        self.assertEqual(self.compare(fake_results.results(), disturbed)[0], 0)
        self.assertEqual(self.compare(fake_results.results(spread=(1, 1.3)), disturbed)[0], 0)

    def test_files_of_one_side_count_together(self) -> None:
        slow = fake_results.NAMES[0]
        files = [
            str(fake_results.write(self.folder, name, fake_results.results(lambda row, t=time: t if row == slow else 1)))
            for name, time in (("old1", 1), ("old2", 1.3), ("new1", 1.5), ("new2", 1.02), ("new3", 1.35))
        ]
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            self.assertEqual(compare.main(["--old", *files[:2], "--new", files[2], files[4]]), 1)
            self.assertEqual(compare.main(["--old", *files[:2], "--new", *files[2:4]]), 0)
        self.assertIn(slow, self.marked(printed.getvalue()))

    def test_rows_of_one_file_are_counted(self) -> None:
        shorter = fake_results.results()
        del shorter["benchmarks"][:3]
        self.assertIn("3 rows are only in the old file", self.compare(fake_results.results(), shorter)[1])
        self.assertIn("3 rows are only in the new file", self.compare(shorter, fake_results.results())[1])

    def test_another_machine_is_named(self) -> None:
        text = self.compare(fake_results.results(), fake_results.results(cpu="Example 2"))[1]
        self.assertIn("cpu was Example 1, is Example 2", text)

    def test_files_that_cannot_be_compared_are_refused(self) -> None:
        strange = fake_results.results()
        for entry in strange["benchmarks"]:
            entry["run_name"] = "other/" + entry["run_name"]
        self.assertEqual(self.compare(fake_results.results(), strange)[0], 2)
        self.assertEqual(self.compare(fake_results.results(), {})[0], 2)


if __name__ == "__main__":
    unittest.main()
