#!/usr/bin/env python3
"""Writes docs/cpus.md and its picture: every CPU that the project has a result of, side by side.

    bench/cpus.py
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import bars
import header
import results
import summary
from bars import Bars, Group, Line, Series
from figures import letter
from results import Machine
from summary import Digest
from telling import OPERATOR_NAMES, isa_name

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "bench" / "results"
PAGE, PICTURE = ROOT / "docs" / "cpus.md", ROOT / "docs" / "cpus.svg"
KINDS = ("s0", "s3", "s2", "s4", "s5", "s1", "s6")  # colours of the palette
HEAD = """\
# CPUs side by side

`make cpus` writes this page from the results in `bench/results/`. Each CPU runs `make bench` on one thread, and uses its best
instruction set. A line of the table stands for all rows of an operator but those of tiny tensors, by geometric means.

![Bars for each operator and CPU: the speed beside a copy of as many bytes](cpus.svg)

Three numbers stand in each cell: gigabytes a second; the share of a copy, where 1 is as fast as `memcpy` of as many bytes;
and how many times as fast as the scalar kernels, if that was kept. The CPUs have measured different versions of strew and
different numbers of rows, so compare the shares first. Bags and segments write fewer bytes than they read, and so can be faster
than a copy. GatherElements and ScatterElements read an index for every element, and a copy reads none.
"""
TAIL = """\
To add your CPU, run `make share` on a quiet machine and follow the three steps that it prints. A machine without a compiler
gets its program from `make bench-aarch64`, `bench-armhf` or `bench-riscv64` ([Performance](performance.md#how-to-measure)).
"""

Digests = list[dict[str, Digest]]  # for each machine, by operator


def load() -> list[Machine]:
    """The kept results, by name."""
    return results.load_all(sorted(KEPT.glob("*.json")))


def digests_of(machines: Sequence[Machine]) -> Digests:
    """The summary of each machine."""
    return [{each.operator: each for each in summary.digests(machine)} for machine in machines]


def operators_of(digests: Digests) -> list[str]:
    """The operators that any machine has measured, in the order of the header."""
    return [operator for operator in header.OPERATORS if any(operator in each for each in digests)]


def picture(machines: Sequence[Machine], digests: Digests) -> str:
    """A bar for each operator and CPU."""
    series = [Series(letter(place), letter(place), KINDS[place % len(KINDS)]) for place in range(len(machines))]
    lines = [
        Line(OPERATOR_NAMES.get(operator, operator), shares(operator, digests)) for operator in operators_of(digests)
    ]
    legend = "; ".join(f"{letter(place)}: {machine.label}" for place, machine in enumerate(machines))
    notes = ("1 is as fast as a copy of as many bytes, on the same CPU. One thread.", f"{legend}.")
    description = f"Bars of the speed of each operator beside a copy. {legend}."
    return bars.draw(Bars("cpus", "Each operator beside a copy", description, series, [Group("", lines)], notes=notes))


def shares(operator: str, digests: Digests) -> dict[str, float]:
    """The share of a copy on each machine that has measured the operator."""
    found = {letter(place): each[operator].copy for place, each in enumerate(digests) if operator in each}
    return {key: share for key, share in found.items() if share}


def cell(digest: Digest | None) -> str:
    """The numbers of an operator on a machine."""
    if digest is None:
        return ""
    gigabytes, share, gain = digest.bytes_per_second, digest.copy, digest.over_scalar
    numbers = [f"{gigabytes / 1e9:.1f}" if gigabytes else "", f"{share:.2f}" if share else ""]
    return " · ".join(numbers + ([f"{gain:.1f}×"] if gain else []))


def line(*cells: str) -> str:
    """A line of a table."""
    return f"| {' | '.join(cells)} |"


def table(machines: Sequence[Machine], digests: Digests) -> Iterator[str]:
    """Facts of each machine, then its operators."""
    labels = (f"{letter(place)}: {machine.label}" for place, machine in enumerate(machines))
    yield line("", *labels)
    yield line("---", *("---:" for _ in machines))
    yield line("instruction set", *(isa_name(machine.facts.get("active_isa", "")) for machine in machines))
    for fact in ("data_caches", "strew", "compiler", "date"):
        yield line(fact.replace("_", " "), *(machine.facts.get(fact, "").partition("T")[0] for machine in machines))
    for operator in operators_of(digests):
        yield line(OPERATOR_NAMES.get(operator, operator), *(cell(each.get(operator)) for each in digests))


def page(machines: Sequence[Machine], digests: Digests) -> str:
    """The page."""
    return "\n".join([HEAD, *table(machines, digests), "", TAIL])


def drawn() -> dict[Path, str]:
    """The page and its picture."""
    machines = load()
    digests = digests_of(machines)
    return {PAGE: page(machines, digests), PICTURE: picture(machines, digests)}


def main() -> int:
    """Returns the exit status."""
    for path, text in drawn().items():
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
