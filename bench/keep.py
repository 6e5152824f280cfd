#!/usr/bin/env python3
"""Writes the part of a result file of strew-bench that the project keeps in bench/results/.

    bench/keep.py build/bench/results.json bench/results/NAME.json

The part is the rows of the best instruction set on one thread, as their medians, and facts about the CPU and the build.
No fact names the machine or its owner: flags of the compiler that hold a path are left out, and so is the time of day.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import results
import telling
from results import Machine, Row

KEPT_FACTS = (
    "date", "cpu", "active_isa", "data_caches", "threads", "transparent_huge_pages", "strew", "compiler", "flags", "suite",
)  # fmt: skip
DIGITS = 4


def rounded(value: float) -> float:
    """Rounds to the digits that machines repeat, and one more."""
    return float(f"{value:.{DIGITS}g}")


def kept_row(row: Row, scalar: Row | None = None) -> dict[str, Any]:
    """A row like strew-bench's, of one repetition, and its speed-up over scalar."""
    nanoseconds = rounded(row.seconds * 1e9)
    counters = {key: rounded(value) for key in results.COUNTERS if (value := getattr(row, key)) is not None}
    if scalar:
        counters["scalar_ratio"] = rounded(scalar.seconds / row.seconds)
    return {
        "name": row.name.text,
        "cpu_time": nanoseconds,
        "time_unit": "ns",
        **counters,
    }


def kept_fact(fact: str, value: str) -> str:
    """A fact without anything private."""
    if fact == "date":
        return value.partition("T")[0]
    if fact == "flags":
        return " ".join(word for word in value.split() if not {"/", "\\"} & set(word))
    return value


def kept(machine: Machine) -> dict[str, Any]:
    """The content of the file."""
    scalar = {telling.call_of(row.name): row for row in telling.alone(machine) if row.name.isa == telling.SCALAR}
    return {
        "context": {fact: kept_fact(fact, machine.facts[fact]) for fact in KEPT_FACTS if fact in machine.facts},
        "benchmarks": [kept_row(row, scalar.get(telling.call_of(row.name))) for row in telling.at_its_best(machine)],
    }


def write(content: dict[str, Any], path: Path) -> None:
    """Writes one line for each row, so that changes are readable."""
    rows = ",\n".join(json.dumps(row) for row in content["benchmarks"])
    path.write_text(f'{{"context": {json.dumps(content["context"], indent=1)},\n"benchmarks": [\n{rows}\n]}}\n')


def main(arguments: list[str]) -> int:
    """Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("measured", type=Path)
    parser.add_argument("kept", type=Path)
    given = parser.parse_args(arguments)
    try:
        content = kept(results.load(given.measured))
    except results.ResultError as error:
        print(error, file=sys.stderr)
        return 1
    if not content["benchmarks"]:
        print(f"{given.measured}: no rows of an instruction set on one thread", file=sys.stderr)
        return 1
    write(content, given.kept)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
