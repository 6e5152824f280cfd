#!/usr/bin/env python3
"""Writes a tracefile for gcovr with the lines and branches of src/ that the tests reach, from gcov.

One text becomes many functions: for each dtype, each instruction set, each object that includes it. A branch of the
text counts as taken if one of them takes it: the tests of kernels compare all of them with each other. gcovr 5.2 would
add up their branches. If constants leave different branches in a line, such functions are counted apart. No line is
left out.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FORMAT = "0.3"  # the version of gcovr 5.2's tracefiles
# Required fields of each line and of each branch.
WHOLE = {"gcovr/noncode": False, "gcovr/excluded": False}
PLAIN = {"fallthrough": False, "throw": False}

# The lines of a file: how often each ran, and for each number of branches how often each branch was taken.
Lines = dict[int, tuple[int, dict[int, list[int]]]]


def counted(notes: Path, gcov: str) -> list[dict]:
    """gcov's output for one object: its files, each with its lines."""
    said = subprocess.run([gcov, "--json-format", "--branch-probabilities", "--stdout", str(notes)], check=True,
                          capture_output=True, text=True).stdout
    return [file for line in said.splitlines() if line.startswith("{") for file in json.loads(line)["files"]]


def add(lines: Lines, line: dict) -> None:
    ran, kinds = lines.get(line["line_number"], (0, {}))
    taken = [branch["count"] for branch in line["branches"]]
    if taken:
        before = kinds.get(len(taken), [0] * len(taken))
        kinds[len(taken)] = [a + b for a, b in zip(before, taken)]
    lines[line["line_number"]] = (ran + line["count"], kinds)


def merged(build: Path, gcov: str) -> dict[str, Lines]:
    files: dict[str, Lines] = defaultdict(dict)
    for notes in sorted((build / "CMakeFiles").rglob("*.gcno")):
        for file in counted(notes, gcov):
            path = Path(file["file"])
            if path.is_relative_to(ROOT / "src"):
                for line in file["lines"]:
                    add(files[str(path.relative_to(ROOT))], line)
    return files


def as_tracefile(files: dict[str, Lines]) -> dict:
    def line_of(number: int, ran: int, kinds: dict[int, list[int]]) -> dict:
        branches = [{"count": count, **PLAIN} for taken in kinds.values() for count in taken]
        return {"line_number": number, "count": ran, "branches": branches, **WHOLE}

    return {
        "gcovr/format_version": FORMAT,
        "files": [
            {"file": path, "functions": [], "lines": [line_of(number, *lines[number]) for number in sorted(lines)]}
            for path, lines in sorted(files.items())
        ],
    }


def share(counts: list[int]) -> str:
    reached = sum(map(bool, counts))
    return f"{reached} of {len(counts)} | {100 * reached / len(counts):.1f} %"


def tell(files: dict[str, Lines]) -> None:
    """Prints how much of each folder has been reached: lines, then branches."""
    ran: dict[str, list[int]] = defaultdict(list)
    taken: dict[str, list[int]] = defaultdict(list)
    for path, lines in sorted(files.items()):
        for name in ("src/", str(Path(path).parent)):
            ran[name] += [count for count, _ in lines.values()]
            taken[name] += [count for _, kinds in lines.values() for branches in kinds.values() for count in branches]
    for name in sorted(ran):
        print(f"| `{name}` | {share(ran[name])} | {share(taken[name])} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, required=True, help="where the tests have run")
    parser.add_argument("--gcov", default="gcov", help="gcov of the compiler")
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    files = merged(arguments.build.resolve(), arguments.gcov)
    arguments.output.write_text(json.dumps(as_tracefile(files)))
    tell(files)


if __name__ == "__main__":
    main()
