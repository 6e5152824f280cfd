#!/usr/bin/env python3
"""Prints one screen about a result file of strew-bench: how fast each operator is on this CPU, and which rows are odd.

    bench/summary.py build/bench/results.json --page build/report/index.html

A line stands for all rows of an operator on one thread, by geometric means. Calls of tiny tensors are left out: they
measure the price of a call, not the speed of memory.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import geometric_mean

import header
import results
from figures import by_call
from results import Machine, Row
from telling import OPERATOR_NAMES, SCALAR, alone, best_isa, isa_name, isas_of

TINY = "call"  # the family of tiny tensors
NOISE, NOTABLE = 1.05, 1.15  # ratios of times of many rows and of one
WIDTH = 80


@dataclass(frozen=True)
class Digest:
    """All rows of an operator, with its fastest instruction set."""

    operator: str
    isa: str
    rows: int
    bytes_per_second: float | None
    copy: float | None  # the time of a copy of as many bytes over the operator's: 1 is as fast as a copy
    over_scalar: float | None  # the time of scalar over the operator's: 2 is twice as fast


def digests(machine: Machine) -> list[Digest]:
    """A digest of each operator that the machine measured, in the order of the header."""
    rows = [row for row in alone(machine) if row.name.family != TINY]
    found = {row.name.operator for row in rows}
    return [
        digest(operator, [row for row in rows if row.name.operator == operator], best_isa(machine))
        for operator in header.OPERATORS
        if operator in found
    ]


def digest(operator: str, rows: Sequence[Row], active: str) -> Digest:
    """The digest of an operator's rows. Another instruction set than the active one is best only if it is clearly
    faster."""
    calls = list(by_call(rows).values())
    isas = [isa for isa in header.ISAS if any(isa in call for call in calls)]
    shared = [call for call in calls if len(call) == len(isas)] or calls
    times = {isa: mean(call[isa].seconds for call in shared if isa in call) or 0 for isa in isas}
    best = active if active in isas and times[active] < NOISE * min(times.values()) else min(isas, key=times.__getitem__)
    fastest = [call[best] for call in calls if best in call]
    return Digest(
        operator,
        best,
        len(fastest),
        mean(row.bytes_per_second for row in fastest),
        mean(row.memcpy_ratio for row in fastest),
        mean(over_scalar(call, best) for call in calls if best in call),
    )


def mean(values: Iterable[float | None]) -> float | None:
    """The geometric mean of the known values."""
    known = [value for value in values if value]
    return geometric_mean(known) if known else None


def over_scalar(call: dict[str, Row], isa: str) -> float | None:
    """An instruction set's speed-up of a call over scalar; a kept file stores it in the row."""
    return call[SCALAR].seconds / call[isa].seconds if SCALAR in call else call[isa].scalar_ratio


# ---- Odd rows --------------------------------------------------------------------------------------------------------

Oddity = tuple[float, str]  # how many times as long a row takes as it should, and its name


def odd(machine: Machine) -> Iterator[str]:
    """Sentences about rows that a person should look at."""
    active = best_isa(machine)
    calls = by_call(alone(machine)).values()
    for isa in isas_of(machine):
        if isa != active:
            slower = [(call[active].seconds / call[isa].seconds, call) for call in calls if {isa, active} <= set(call)]
            named = [(ratio, call[active].name.text) for ratio, call in slower]
            yield from told(f"{isa_name(active)} is slower than {isa_name(isa)}", named)
    yield from told("more threads are slower than one", slower_on_threads(machine))


def slower_on_threads(machine: Machine) -> Iterator[Oddity]:
    """Rows on several threads, against the same row on one."""
    one = {row.name.text.rpartition("/threads:")[0]: row for row in machine.rows if row.name.threads == 1}
    for row in machine.rows:
        base = one.get(row.name.text.rpartition("/threads:")[0])
        if base and row.name.isa and row.name.threads > 1:
            yield row.seconds / base.seconds, row.name.text


def told(what: str, ratios: Iterable[Oddity]) -> Iterator[str]:
    """The number of such rows, and the worst one."""
    compared = list(ratios)
    found = sorted(oddity for oddity in compared if oddity[0] > NOTABLE)
    if found:
        ratio, name = found[-1]
        yield f"{what} in {len(found)} of {len(compared)} rows, at most {ratio:.1f} times, in"
        yield f"  {name}"


# ---- The screen ------------------------------------------------------------------------------------------------------

EXPLANATION = "of a copy: 1 is as fast as memcpy of as many bytes; over scalar: times as fast"
COLUMNS = "{:<30}{:>5}  {:<9}{:>9}{:>11}{:>13}"


def number(value: float | None, scale: float = 1) -> str:
    """A number of the table; empty if it is unknown."""
    return f"{value * scale:.2f}" if value else ""


def table(machine: Machine) -> Iterator[str]:
    """A line for each operator."""
    yield COLUMNS.format("", "rows", "best", "GB/s", "of a copy", "over scalar")
    for each in digests(machine):
        name = OPERATOR_NAMES.get(each.operator, each.operator)
        numbers = (number(each.bytes_per_second, 1e-9), number(each.copy), number(each.over_scalar))
        yield COLUMNS.format(name, each.rows, isa_name(each.isa), *numbers)


def screen(machine: Machine, page: str = "") -> list[str]:
    """All lines of the screen, none wider than a terminal."""
    cpu = machine.facts.get("cpu", machine.label)
    lines = [f"{cpu}; strew {machine.facts.get('strew', '')}", *table(machine), EXPLANATION]
    lines += [f"odd: {line}" if not line.startswith(" ") else line for line in odd(machine)] or ["nothing is odd"]
    lines += [f"page: {page}"] if page else []
    return [line[:WIDTH].rstrip() for line in lines]


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the screen and returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path)
    parser.add_argument("--page", default="", help="the page that draws the same results")
    given = parser.parse_args(arguments)
    try:
        machine = results.load(given.results)
    except results.ResultError as error:
        print(f"summary.py: {error}", file=sys.stderr)
        return 1
    print("\n".join(screen(machine, given.page)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
