"""The faults of tests/mutation still fit: each text occurs in its file once, and reasons are of known kinds. The code
in fuzz/unreached.py also still exists."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "mutation"), str(ROOT / "fuzz")]
sys.dont_write_bytecode = True

from faults import ELSEWHERE, FAULTS, SAME, SPEED  # noqa: E402
from unreached import UNREACHED  # noqa: E402


class Faults(unittest.TestCase):
    def test_each_text_stands_in_its_file_once(self) -> None:
        for file, (_, faults) in FAULTS.items():
            text = (ROOT / file).read_text()
            for before, after, *_ in faults:
                with self.subTest(before, file=file):
                    self.assertEqual(text.count(before), 1)
                    self.assertNotEqual(before, after)

    def test_no_fault_is_listed_twice(self) -> None:
        for file, (_, faults) in FAULTS.items():
            with self.subTest(file):
                self.assertEqual(len({fault[:2] for fault in faults}), len(faults))

    def test_reasons_are_of_known_kinds(self) -> None:
        for _, faults in FAULTS.values():
            for _, _, *reason in faults:
                with self.subTest(reason):
                    self.assertTrue(all(text.startswith((SAME, SPEED, ELSEWHERE)) for text in reason))

    def test_what_is_unreached_is_there(self) -> None:
        for _, files in UNREACHED:
            for file, pieces in files.items():
                text = (ROOT / file).read_text()
                for piece in pieces:
                    with self.subTest(piece, file=file):
                        self.assertTrue(piece in text)


if __name__ == "__main__":
    unittest.main()
