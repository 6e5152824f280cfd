"""Puts each fault of faults.py into a copy of the sources, and says which test catches it.

Each fault is built by itself, with small thresholds and assertions, and run with the tests that the list names for its
file; if these do not catch it, with all others. Nothing outside the work folder changes.

    tests/mutation/mutate.py --work build/mutants                     all of them: hours
    tests/mutation/mutate.py --work build/mutants --only engine/bags  faults of these files
    tests/mutation/mutate.py --work build/mutants --part 2/8          every eighth, from the second on
    tests/mutation/mutate.py --work build/mutants --quick             only the tests that are named for a file
    tests/mutation/mutate.py --work build/mutants --emulated          with NEON and other emulated sets: slower

Some faults of the engine show only with AVX-512.

It fails if a fault survives without a reason, is caught in spite of a reason, or does not compile.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from faults import FAULTS

ROOT = Path(__file__).resolve().parents[2]
COPIED = ["CMakeLists.txt", "LICENSE", "README.md", "CONTRIBUTING.md", "Makefile", "CMakePresets.json", "src", "include",
          "cmake", "tests", "tools", "bench", "docs", "scripts", "packaging"]
# Assertions, and small tensors that are shared and partitioned as large ones; optimised little, for it is built often.
CONFIGURATION = ["-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_C_FLAGS_DEBUG=-O1", "-DCMAKE_C_FLAGS=-DSTREW_LOWEST_THRESHOLDS",
                 "-DSTREW_BUILD_EXAMPLES=OFF"]
# Tests that do not check the results of calls.
LEFT_OUT = (r"^(amalgamation/.*|bench_.*|abi.*|headers|reference|peers|manual.*|layers|thresholds|documents|"
            r"proofs|faults|instructions|symbols|words)$")
LONGEST_TEST = 300  # seconds; a test of a fault that goes round in circles is ended then


@dataclass
class Fault:
    file: str
    tests: str
    before: str
    after: str
    reason: str

    def __str__(self) -> str:
        return f"{self.file}: {self.before!r} -> {self.after!r}"


def all_faults() -> list[Fault]:
    return [
        Fault(file, tests, before, after, reason[0] if reason else "")
        for file, (tests, faults) in FAULTS.items()
        for before, after, *reason in faults
    ]


class Copy:
    """A copy of the sources, and its build."""

    def __init__(self, work: Path) -> None:
        self.source, self.build = work / "source", work / "build"

    def bring_up_to_date(self) -> None:
        """Copies files that differ, so that nothing else is built again."""
        known = set()
        for name in COPIED:
            top = ROOT / name
            for path in [top] if top.is_file() else sorted(top.rglob("*")):
                if path.is_file() and "__pycache__" not in path.parts:
                    known.add(path.relative_to(ROOT))
        for path in known:
            copy = self.source / path
            if not copy.exists() or copy.read_bytes() != (ROOT / path).read_bytes():
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / path, copy)
                shutil.copymode(ROOT / path, copy)
        for path in [path for path in self.source.rglob("*") if path.is_file()]:
            if path.relative_to(self.source) not in known:
                path.unlink()

    def run(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, capture_output=True, text=True, errors="replace")

    def configure(self, emulated: bool) -> None:
        done = self.run("cmake", "-S", self.source, "-B", self.build, "-G", "Ninja", *CONFIGURATION,
                        f"-DSTREW_EMULATED={'ON' if emulated else 'OFF'}")
        if done.returncode != 0:
            sys.exit(done.stdout + done.stderr)

    def tests(self, wanted: str, unwanted: str = LEFT_OUT) -> list[str]:
        listed = self.run("ctest", "--test-dir", self.build, "-N", "-R", wanted, "-E", unwanted).stdout
        return re.findall(r"^ *Test +#\d+: (.*)$", listed, re.MULTILINE)

    def make(self, tests: list[str], jobs: str) -> bool:
        """Builds the programs of some tests."""
        programs = {"test_" + name.partition("/")[0] for name in tests}
        known = set(re.findall(r"^([\w/.]+): phony$", self.run("ninja", "-C", self.build, "-t", "targets", "all").stdout,
                               re.MULTILINE))
        targets = sorted(programs & known) + ["strew_cli"] * any(re.match("cli|dispatch|npy|results", t) for t in tests)
        if {"dispatch", "results"} & set(tests):
            targets += ["test_seed_examples", "test_reductions"]
        return self.run("ninja", "-C", self.build, f"-j{jobs}", *targets).returncode == 0

    def first_failure(self, tests: list[str]) -> str | None:
        """The first of these tests that fails, or None."""
        wanted = "^(" + "|".join(map(re.escape, tests)) + ")$"
        done = self.run("ctest", "--test-dir", self.build, "-R", wanted, "--stop-on-failure", "--timeout", str(LONGEST_TEST))
        if done.returncode == 0:
            return None
        failed = re.search(r"^\s*\d+ - (\S+) \((.*)\)", done.stdout.partition("tests FAILED")[2], re.MULTILINE)
        return f"{failed[1]} ({failed[2]})" if failed else "ctest itself"


def catch(copy: Copy, fault: Fault, jobs: str, quick: bool) -> str | None:
    """The test that catches a fault, None if it survives; runs all tests, or only those of its file."""
    path = copy.source / fault.file
    text = path.read_text()
    if text.count(fault.before) != 1:
        return "the text of the fault, which is not there once"
    path.write_text(text.replace(fault.before, fault.after))
    try:
        first = copy.tests(fault.tests)
        if not copy.make(first, jobs):
            return "the compiler"
        caught = copy.first_failure(first)
        if caught or quick:
            return caught
        others = [name for name in copy.tests(".") if name not in first]
        copy.make(others, jobs)
        return copy.first_failure(others)
    finally:
        path.write_text(text)


def judge(fault: Fault, caught: str | None) -> str:
    """Good outcomes ("caught", "explained") or the fault of a bad one."""
    if caught and caught.startswith("the "):
        return "INVALID"
    if caught:
        return "CAUGHT, WITH A REASON" if fault.reason else "caught"
    return "explained" if fault.reason else "SURVIVED"


def chosen(faults: list[Fault], only: str, part: str) -> list[Fault]:
    index, count = map(int, part.split("/"))
    return [fault for fault in faults if re.search(only, str(fault))][index - 1 :: count]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="a folder for the copy and its build")
    parser.add_argument("--only", default="", help="faults whose file, or text, this regular expression finds")
    parser.add_argument("--part", default="1/1", help="i/n: the i-th of n parts")
    parser.add_argument("--jobs", default="1", help="compilers at once")
    parser.add_argument("--unexplained", action="store_true", help="leave out what has a reason to survive")
    parser.add_argument("--quick", action="store_true", help="run only the tests that the list names for a file")
    parser.add_argument("--emulated", action="store_true", help="emulate NEON, and what this CPU lacks")
    parser.add_argument("--no-baseline", action="store_true", help="do not run all tests without a fault first")
    arguments = parser.parse_args()
    copy = Copy(arguments.work.resolve())
    copy.bring_up_to_date()
    copy.configure(arguments.emulated)
    everything = copy.tests(".")
    if not copy.make(everything, arguments.jobs):
        sys.exit("the sources do not compile without a fault")
    failed = None if arguments.no_baseline else copy.first_failure(everything)
    if failed:
        sys.exit(f"{failed} fails without a fault")
    verdicts: Counter[str] = Counter()
    for fault in chosen(all_faults(), arguments.only, arguments.part):
        if arguments.unexplained and fault.reason:
            continue
        start = time.monotonic()
        caught = catch(copy, fault, arguments.jobs, arguments.quick)
        verdict = judge(fault, caught)
        verdicts[verdict] += 1
        told = f"{verdict}: by {caught}" if caught else f"{verdict}: {fault.reason}" if fault.reason else verdict
        print(f"{told}: {fault} ({time.monotonic() - start:.0f} s)", flush=True)
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items())))
    return 0 if set(verdicts) <= {"caught", "explained"} else 1


if __name__ == "__main__":
    sys.exit(main())
