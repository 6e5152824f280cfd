#!/usr/bin/env python3
"""Races strew against other libraries on calls drawn at random, and says where it is behind.

    make bench-hunt OPTIONS="--seed 7 --calls 300 --threads 1,2"
    bench/peers/hunt.py --seed 7 --number 42         one call again, with every way of every peer

A call is drawn by a seed and its number: operator, shapes from one element to 20 MB, dtypes, reduction, policy and the
kind of indices (hunted.py). It follows the rules of peers.py and makes the same comparisons: NumPy, PyTorch and ONNX
Runtime alone with strew's Python functions, and loops and ONNX Runtime in C with strew in C. Calls at which strew was
behind race once more, longer, and the second race counts. For each language it prints the quantiles of the ratio (the
fastest peer's time over strew's), the share of calls below 0.95, and the worst. The exit status is 1 if a result of
strew was wrong.

--save prints calls as lines for workloads.py. --out writes this JSON:

    {"format": 2, "context": as peers.py's, "seed": 7,
     "rows": [{"number": 42, "threads": 1, "workload": its fields,
               "from_python": {"seconds": strew's, "peer": who was fastest, "ratio": 1.23} or null,
               "from_c": the same}, ...]}
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from functools import partial
from pathlib import Path

import numpy as np

from hunted import hunted
from peers import (
    LIBRARY, PEERS, THROUGH_STREW, Comparison, context_of, context_text, import_peers, is_strew_wrong, peer_names,
    peers_in_c, thread_counts,
)  # fmt: skip
from strew_calls import Library
from table import Cell, Row, time_text
from workloads import Workload

FORMAT = 2
# Peers whose calls from Python need neither a process of their own nor a model compiled for each call.
USUAL_PEERS = "numpy,torch,onnxruntime"
# Ways into strew: its functions, as NumPy's arrays are handed to them.
WAYS = ("numpy",)
ROUNDS, LONGER_ROUNDS = 3, 9
WORST = 20
QUANTILES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95)
BEHIND = 0.95


@dataclass(frozen=True)
class Catch:
    """The outcome of one call in one language."""

    number: int
    workload: Workload
    threads: int
    peer: str
    cell: Cell  # the peer's
    strew: Cell

    @property
    def ratio(self) -> float:
        """The peer's time over strew's."""
        return self.cell.seconds / self.strew.seconds

    def text(self) -> str:
        """A line."""
        return (
            f"{self.ratio:6.2f} {time_text(self.strew.seconds):>9}  {self.number:4} {self.threads}  "
            f"{self.workload.name}/{self.workload.draw}  ({self.peer}: {self.cell.text})"
        )


def from_python(number: int, row: Row) -> Catch | None:
    """The fastest library alone, against the fastest way into strew."""
    if row.ratio is None:
        return None
    return Catch(number, row.workload, row.threads, row.best_peer, row.peers[row.best_peer], row.through[row.best_way])


def from_c(number: int, row: Row) -> Catch | None:
    """The fastest peer in C, against strew in C."""
    if row.ratio_in_c is None:
        return None
    return Catch(number, row.workload, row.threads, row.best_in_c, row.in_c[row.best_in_c], row.strew)


LANGUAGES = {"from_python": from_python, "from_c": from_c}


class Hunt:
    """Draws calls, and has them raced."""

    def __init__(self, comparison: Comparison, longer: Comparison, seed: int, counts: Sequence[int]) -> None:
        self._comparison, self._longer = comparison, longer
        self._seed, self._counts = seed, counts

    def rows(self, number: int) -> list[Row]:
        """One call, on each number of threads."""
        workload = hunted(self._seed, number)
        rows = list(self._comparison.rows(workload, self._counts))
        if any(ratio is not None and ratio < 1 for row in rows for ratio in (row.ratio, row.ratio_in_c)):
            rows = list(self._longer.rows(workload, self._counts))
        if any(map(is_strew_wrong, rows)):
            raise WrongError(f"{number}: strew's result is wrong: {workload.name}")
        return rows


class WrongError(Exception):
    """A result of strew's was wrong."""


def summary(name: str, catches: Sequence[Catch]) -> list[str]:
    """Quantiles, and the worst."""
    if not catches:
        return []
    some = sorted(catches, key=lambda catch: catch.ratio)
    ratios = [catch.ratio for catch in some]
    quantiles = ", ".join(f"{share:.0%} {np.quantile(ratios, share):.2f}" for share in QUANTILES)
    behind = sum(ratio < BEHIND for ratio in ratios)
    return [
        f"{name}, threads {some[0].threads}: {len(some)} calls; ratio {quantiles}; "
        f"geometric mean {statistics.geometric_mean(ratios):.2f}; {behind} ({behind / len(some):.0%}) below {BEHIND}",
        *(catch.text() for catch in some[:WORST]),
    ]


def workload_text(workload: Workload) -> str:
    """A line for workloads.py."""
    given = [field.name for field in fields(Workload) if getattr(workload, field.name) != field.default]
    return f"Workload({', '.join(f'{name}={getattr(workload, name)!r}' for name in given)}),"


def save(path: Path, context: dict, seed: int, rows: Sequence[tuple[int, Row]]) -> None:
    """Writes the outcomes as JSON."""
    entries = [
        {
            "number": number,
            "threads": row.threads,
            "workload": asdict(row.workload),
            **{name: catch_entry(catch_of(number, row)) for name, catch_of in LANGUAGES.items()},
        }
        for number, row in rows
    ]
    path.write_text(json.dumps({"format": FORMAT, "context": context, "seed": seed, "rows": entries}, indent=1) + "\n")


def catch_entry(catch: Catch | None) -> dict | None:
    """The JSON entry of an outcome."""
    return catch and {"seconds": catch.strew.seconds, "peer": catch.peer, "ratio": catch.ratio}


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    every_thread = len(os.sched_getaffinity(0))
    parser.add_argument("--strew", type=Path, default=LIBRARY, metavar="FILE", help="libstrew_peers.so")
    parser.add_argument("--peers", type=peer_names, default=peer_names(USUAL_PEERS), metavar="NAME,...")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--calls", type=int, default=100, metavar="N", help="how many (default: 100)")
    parser.add_argument("--number", type=int, action="append", metavar="N", help="this one alone, or these")
    parser.add_argument("--threads", type=thread_counts, default=sorted({1, every_thread}), metavar="N,...")
    parser.add_argument("--aligned", action="store_true", help="arrays at 64 bytes, as PyTorch allocates its own")
    parser.add_argument("--save", action="store_true", help="print the calls as lines for workloads.py, without racing")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write what was caught as JSON")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Hunts, prints, and returns the exit status."""
    options = parse_arguments(arguments)
    numbers = options.number or range(options.calls)
    if options.save:
        print("\n".join(workload_text(hunted(options.seed, number)) for number in numbers))
        return 0
    library = Library(options.strew)
    peers = list(import_peers(options.peers, PEERS))
    through = list(import_peers(WAYS, THROUGH_STREW))
    context = context_of(library, None, [*peers, *through], aligned=options.aligned)
    print(context_text(context))
    in_c = peers_in_c(library, options.peers)
    compare = partial(Comparison, library, peers, through, in_c, aligned=options.aligned)
    hunt = Hunt(compare(rounds=ROUNDS), compare(rounds=LONGER_ROUNDS), options.seed, options.threads)
    print(" ratio     strew  call threads")
    caught: list[tuple[int, Row]] = []
    for number in numbers:
        try:
            rows = hunt.rows(number)
        except WrongError as error:
            print(error, file=sys.stderr)
            return 1
        caught += [(number, row) for row in rows]
        found = [catch for row in rows for catch_of in LANGUAGES.values() if (catch := catch_of(number, row))]
        print("".join(f"{catch.text()}\n" for catch in found), end="", flush=True)
    for name, catch_of in LANGUAGES.items():
        for threads in options.threads:
            catches = [catch for number, row in caught if row.threads == threads and (catch := catch_of(number, row))]
            print("\n".join(["", *summary(name, catches)]))
    if options.out:
        save(options.out, context, options.seed, caught)
    return 0


if __name__ == "__main__":
    sys.exit(main())
