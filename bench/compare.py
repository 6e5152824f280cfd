#!/usr/bin/env python3
"""Compares result files of strew-bench from before and after a change, row by row and family by family.

    bench/compare.py --old old.json --new new.json
    bench/compare.py --old old1.json old2.json --new new1.json new2.json

A ratio is new time over old time: 1.10 takes a tenth longer. Rows that became slower by the threshold or more are
marked, and so are families whose geometric mean did by half of it, since a mean over many rows is steadier than a
row. Where rows were repeated, the fastest repetitions are compared, which others disturbed least. On a machine that
others share, whose speed changes from minute to minute, repeat rows (--benchmark_repetitions=5
--benchmark_enable_random_interleaving=true), measure old and new in turns, and give the files of each side together.
The exit status is 1 if anything is marked, 2 if the files cannot be compared.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import results

ROUNDING = 1e-9  # a threshold of 10 % marks a row that is exactly 10 % slower, whatever the last bit of the ratio


@dataclass(frozen=True)
class Change:
    """A row that both files have, or a family of them."""

    name: str
    ratio: float

    def is_slower(self, threshold: float) -> bool:
        """Whether it takes longer by the threshold or more."""
        return self.ratio >= 1 + threshold - ROUNDING


def changed_rows(old: results.Machine, new: results.Machine) -> list[Change]:
    """The rows of both files, the worst first."""
    before = {row.name.text: row for row in old.rows}
    pairs = ((before[row.name.text], row) for row in new.rows if row.name.text in before)
    return worst_first(Change(row.name.text, row.fastest / was.fastest) for was, row in pairs)


def changed_families(rows: Iterable[Change]) -> list[Change]:
    """The geometric mean of each family's rows, the worst first."""
    ratios: dict[str, list[float]] = {}
    for row in rows:
        ratios.setdefault(row.name.partition("/")[0], []).append(row.ratio)
    return worst_first(Change(family, statistics.geometric_mean(values)) for family, values in ratios.items())


def worst_first(changes: Iterable[Change]) -> list[Change]:
    """Sorts by ratio, the slowest first."""
    return sorted(changes, key=lambda change: change.ratio, reverse=True)


def print_changes(title: str, changes: Sequence[Change], threshold: float) -> None:
    """Prints a table. Slower ones are marked."""
    width = max(len(title), *(len(change.name) for change in changes))
    print(f"{title:<{width}}  new/old")
    for change in changes:
        mark = "  SLOWER" if change.is_slower(threshold) else ""
        print(f"{change.name:<{width}}  {change.ratio:7.3f}{mark}")
    print()


def print_unmatched(old: results.Machine, new: results.Machine) -> None:
    """Prints how many rows only one of the files has."""
    before, after = ({row.name.text for row in machine.rows} for machine in (old, new))
    for count, which in ((len(before - after), "old"), (len(after - before), "new")):
        if count:
            print(f"{count} rows are only in the {which} file")


def print_different_facts(old: results.Machine, new: results.Machine) -> None:
    """Names the differences between machines and builds that make a comparison mean something else."""
    for fact in ("cpu", "compiler", "active_isa", "data_caches", "transparent_huge_pages", "threads"):
        before, after = (machine.facts.get(fact, "unknown") for machine in (old, new))
        if before != after:
            print(f"note: {fact} was {before}, is {after}")


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--old", type=Path, nargs="+", required=True)
    parser.add_argument("--new", type=Path, nargs="+", required=True)
    parser.add_argument("--threshold", type=float, default=10, metavar="PERCENT", help="for rows (default: 10)")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compares, prints, and returns the exit status."""
    options = parse_arguments(arguments)
    try:
        old, new = results.load_merged(options.old), results.load_merged(options.new)
    except results.ResultError as error:
        print(f"compare.py: {error}", file=sys.stderr)
        return 2
    rows = changed_rows(old, new)
    if not rows:
        print("compare.py: the files have no row in common", file=sys.stderr)
        return 2

    threshold = options.threshold / 100
    families = changed_families(rows)
    print_different_facts(old, new)
    print_changes("row", rows, threshold)
    print_changes("family (geometric mean)", families, threshold / 2)
    print_unmatched(old, new)
    slower = sum(row.is_slower(threshold) for row in rows)
    print(f"{slower} of {len(rows)} rows are slower by {options.threshold:g} % or more")
    return 1 if slower or any(family.is_slower(threshold / 2) for family in families) else 0


if __name__ == "__main__":
    sys.exit(main())
