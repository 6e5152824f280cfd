"""The functions that tests/proof proves still exist, each with a line that names its proof, and so does each fault's
text."""

from __future__ import annotations

import re
import sys
import unittest
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SRC = ROOT / "src"
sys.path.insert(0, str(ROOT / "tests" / "proof"))
sys.dont_write_bytecode = True

from prove import PROOFS  # noqa: E402


def claims() -> Iterator[tuple[str, str, str]]:
    """The proof, the file and the function of every claim."""
    for proof in PROOFS:
        for file, functions in proof.proved.items():
            for function in functions:
                yield proof.name, file, function


class Proofs(unittest.TestCase):
    def test_each_function_stands_below_what_is_proved_of_it(self) -> None:
        for name, file, function in claims():
            claim = rf"^/\* Proved in tests/proof/prove_{name}\.cpp: .*\n"
            beside = rf"{claim}(?:[ /]\*.*\n)*[\w ]+[ *]{re.escape(function)}(?!\w)"
            with self.subTest(function):
                self.assertEqual(len(re.findall(beside, (SRC / file).read_text(), re.MULTILINE)), 1)

    def test_no_other_function_says_so(self) -> None:
        said = sum(path.read_text().count("Proved in tests/proof/") for path in SRC.rglob("*.*"))
        self.assertEqual(said, len(list(claims())))

    def test_each_fault_can_be_made(self) -> None:
        for proof in PROOFS:
            self.assertTrue(proof.faults, proof.name)
            for fault in proof.faults:
                with self.subTest(fault.before, file=fault.file):
                    self.assertEqual((SRC / fault.file).read_text().count(fault.before), 1)

    def test_every_program_is_one_of_them(self) -> None:
        programs = {path.stem.removeprefix("prove_") for path in (ROOT / "tests" / "proof").glob("prove_*.cpp")}
        self.assertEqual(programs, {proof.name for proof in PROOFS})


if __name__ == "__main__":
    unittest.main()
