#!/usr/bin/env python3
"""Races strew against other libraries on calls drawn at random, and says where it is behind.

    make bench-hunt OPTIONS="--seed 7 --calls 300 --threads 1,2"
    bench/peers/hunt.py --seed 7 --number 42         one call again, with every way of every peer

A call is drawn by a seed and its number: operator, shapes, dtypes, reduction and the kind of indices (hunted.py). Rules
and results are those of peers.py; calls at which strew was behind race once more, longer, and that counts. Printed are
the quantiles of the ratio (the fastest peer's time over strew's), the share of calls below 1, and the worst. `copy`
is the time of a copy of as many bytes as the call reads and writes, over strew's: at 0.8 and more memory is the limit,
and the call counts as met. The exit status is 1 if a result of strew's was wrong.

--save prints calls as lines for workloads.py. --out writes this JSON:

    {"format": 1, "context": as peers.py's, "seed": 7,
     "rows": [{"number": 42, "threads": 1, "workload": its fields, "seconds": strew's, "peer": who was fastest,
               "ratio": 1.23, "copy": 0.4}, ...]}
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
from math import prod
from pathlib import Path

import numpy as np

from hunted import hunted
from peers import LIBRARY, PEERS, Comparison, context_of, context_text, import_peers, peer_names, thread_counts
from strew_calls import Library
from strew_peer import StrewPeer
from table import Row, time_text
from workloads import ELEMENT_SIZES, Workload

FORMAT = 1
# Those whose calls from Python take no process of their own, nor a model compiled for each call.
USUAL_PEERS = "numpy,torch,onnxruntime"
ROUNDS, LONGER_ROUNDS = 3, 9
WORST = 20
QUANTILES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95)
LIMIT_OF_MEMORY = 0.8
# Of those that memory does not limit, no more than one in twenty is to be below this ratio.
NEARLY = 1.1
COPIES = 7


@dataclass(frozen=True)
class Catch:
    """What came of one call."""

    number: int
    row: Row
    copy: float  # the time of a copy of the same bytes, over strew's

    def is_behind(self, ratio: float) -> bool:
        """Whether it is below this ratio without memory as the limit."""
        return self.row.ratio < ratio and self.copy < LIMIT_OF_MEMORY


def moved_bytes(workload: Workload) -> int:
    """What it reads and writes; of rows that are met again, no more than there are."""
    size = ELEMENT_SIZES[workload.dtype]
    named = prod(workload.positions) * prod(workload.row) * size
    addressed = min(named, prod(workload.data) * size)
    indices = prod(workload.indices) * (4 if workload.index_dtype == "int32" else 8)
    if workload.sums_rows:
        return addressed + 2 * indices + (1 + workload.in_place) * prod(workload.output) * size
    return named + indices + addressed * (1 if workload.gathers or workload.reduction == "none" else 2)


def copy_seconds(count: int) -> float:
    """The least time of copies that read and write so many bytes together."""
    source, target = np.ones(count // 2, np.uint8), np.empty(count // 2, np.uint8)
    times = []
    for _ in range(COPIES):
        begin = time.perf_counter()
        np.copyto(target, source)
        times.append(time.perf_counter() - begin)
    return min(times)


class Hunt:
    """Draws calls, and has them raced."""

    def __init__(self, comparison: Comparison, longer: Comparison, seed: int, counts: Sequence[int]) -> None:
        self._comparison, self._longer = comparison, longer
        self._seed, self._counts = seed, counts

    def catch(self, number: int) -> list[Catch]:
        """One call, on each number of threads; none where no peer has it."""
        workload = hunted(self._seed, number)
        rows = list(self._comparison.rows(workload, self._counts))
        if any(row.ratio is not None and row.ratio < 1 for row in rows):
            rows = list(self._longer.rows(workload, self._counts))
        wrong = [row for row in rows if row.strew.seconds is None]
        if wrong:
            raise WrongError(f"{number}: strew's result is wrong: {workload.name}")
        copy = copy_seconds(moved_bytes(workload))
        return [Catch(number, row, copy / row.strew.seconds) for row in rows if row.ratio is not None]


class WrongError(Exception):
    """A result of strew's was wrong."""


def catch_text(catch: Catch) -> str:
    """A line."""
    row = catch.row
    peer = f"{row.best_peer}: {row.peers[row.best_peer].text}"
    return (
        f"{row.ratio:6.2f} {catch.copy:5.2f} {time_text(row.strew.seconds):>9}  {catch.number:4} "
        f"{row.threads}  {row.workload.name}/{row.workload.draw}  ({peer})"
    )


def summary(catches: Sequence[Catch], threads: int) -> list[str]:
    """Quantiles, and the worst."""
    some = sorted((catch for catch in catches if catch.row.threads == threads), key=lambda catch: catch.row.ratio)
    ratios = [catch.row.ratio for catch in some]
    quantiles = ", ".join(f"{share:.0%} {np.quantile(ratios, share):.2f}" for share in QUANTILES)
    below = sum(ratio < 1 for ratio in ratios)
    behind = {ratio: sum(catch.is_behind(ratio) for catch in some) for ratio in (1, NEARLY)}
    return [
        f"threads {threads}: {len(some)} calls; ratio {quantiles}; geometric mean {statistics.geometric_mean(ratios):.2f}; "
        f"{below} below 1; without memory as the limit {behind[1]} below 1, {behind[NEARLY]} below {NEARLY}",
        *(catch_text(catch) for catch in some[:WORST]),
    ]


def workload_text(workload: Workload) -> str:
    """A line for workloads.py."""
    given = [field.name for field in fields(Workload) if getattr(workload, field.name) != field.default]
    return f"Workload({', '.join(f'{name}={getattr(workload, name)!r}' for name in given)}),"


def save(path: Path, context: dict, seed: int, catches: Sequence[Catch]) -> None:
    """Writes what was caught as JSON."""
    rows = [
        {
            "number": catch.number,
            "threads": catch.row.threads,
            "workload": asdict(catch.row.workload),
            "seconds": catch.row.strew.seconds,
            "peer": catch.row.best_peer,
            "ratio": catch.row.ratio,
            "copy": catch.copy,
        }
        for catch in catches
    ]
    path.write_text(json.dumps({"format": FORMAT, "context": context, "seed": seed, "rows": rows}, indent=1) + "\n")


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
    context = context_of(library, None, peers, aligned=options.aligned)
    print(context_text(context))
    strew = StrewPeer(library)
    compare = partial(Comparison, strew, peers, [], aligned=options.aligned)
    hunt = Hunt(compare(rounds=ROUNDS), compare(rounds=LONGER_ROUNDS), options.seed, options.threads)
    print(" ratio  copy     strew  call threads")
    catches: list[Catch] = []
    for number in numbers:
        try:
            caught = hunt.catch(number)
        except WrongError as error:
            print(error, file=sys.stderr)
            return 1
        print("\n".join(map(catch_text, caught)), flush=True)
        catches += caught
    for threads in options.threads:
        print("\n".join(["", *summary(catches, threads)]))
    if options.out:
        save(options.out, context, options.seed, catches)
    return 0


if __name__ == "__main__":
    sys.exit(main())
