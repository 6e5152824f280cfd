#!/usr/bin/env python3
"""Races a library alone against the same call through strew, on calls drawn at random.

    make bench-guests OPTIONS="--guest torch --seed 7 --calls 300 --threads 1,2"
    bench/guests/hunt.py --guest jax --seed 7 --number 42     one call again; needs the library and strew

A call is drawn by a seed and its number: operation, shapes, dtypes, reduction, kind of indices, forward or with gradients
(calls.py). A good third are of less than 1,000 elements. Both sides run in one process, turn by turn, in memory that other
tensors have been made and freed in; there is one process for each number of threads. A ratio is the time alone over that
through strew: above 1, strew is faster. Calls below 0.95 race once more, longer, and the second race counts. Each result
through strew is compared with the right one: to the last bit for moves and integers, otherwise with the tolerance of a sum
in any order. The exit status is 1 if one was wrong.

--out writes this JSON:

    {"format": 1, "context": {"date", "cpu", "versions"}, "seed": 7,
     "rows": [{"guest": "torch", "threads": 1, "number": 42, "call": its fields, "name": a line,
               "alone": seconds, "through": seconds, "ratio": 1.23, "repeated": false, "wrong": ""}, ...]}
"""

from __future__ import annotations

import argparse
import datetime
import importlib
import json
import multiprocessing
import os
import statistics
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import strew

sys.path.append(str(Path(__file__).resolve().parent.parent / "peers"))

from calls import Call, drawn, operands_of  # noqa: E402
from guest import Expected, Guest, Side, expected  # noqa: E402
from turns import LONG, SHORT, Length, Times, race  # noqa: E402

FORMAT = 1
GUESTS = {
    "torch": ("torch_guest", "TorchGuest"),
    "jax": ("jax_guest", "JaxGuest"),
    "onnxruntime": ("onnxruntime_guest", "OnnxRuntimeGuest"),
    "openvino": ("openvino_guest", "OpenVinoGuest"),
    "numpy": ("numpy_guest", "NumpyGuest"),
}
NEARLY, BEHIND = 0.95, 0.8
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
WORST = 20
# The process makes and frees tensors of these sizes before a call: bytes, drawn by the logarithm.
TENSORS_BEFORE, LEAST_BEFORE, MOST_BEFORE = 24, 1 << 6, 32 << 20


@dataclass(frozen=True)
class Row:
    """The outcome of one call."""

    guest: str
    threads: int
    number: int
    call: Call
    times: Times | None  # None if the call fails through strew
    repeated: bool
    wrong: str  # the fault in the result, or ""

    @property
    def ratio(self) -> float:
        """0 if the call fails through strew."""
        return self.times.ratio if self.times else 0.0

    @property
    def text(self) -> str:
        """A line."""
        times = "     -         -         -"
        if self.times:
            times = f"{self.times.ratio:6.2f} {microseconds(self.times.alone)} {microseconds(self.times.through)}"
        wrong = f"  WRONG: {self.wrong}" if self.wrong else ""
        return f"{times} {self.threads:3} {self.number:5}  {self.call.name}{wrong}"


def microseconds(seconds: float) -> str:
    """Three digits and more."""
    return f"{seconds * 1e6:9.{2 if seconds < 1e-4 else 0}f}"


def loaded(name: str, threads: int) -> Guest:
    """A guest on so many threads. JAX has one for each CPU of the process."""
    if name == "jax":
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    module, guest_class = GUESTS[name]
    return getattr(importlib.import_module(module), guest_class)(threads)


class Hunt:
    """Draws calls, and has them raced."""

    def __init__(self, guest: Guest, seed: int, threads: int) -> None:
        self._guest, self._seed, self._threads = guest, seed, threads

    def row(self, number: int) -> Row:
        """One call."""
        call = drawn(self._guest.operations, self._seed, number)
        operands = operands_of(call, self._seed, number)
        right = expected(self._guest, call, operands)
        self._age(number)
        alone, through = self._guest.sides(call, operands)
        try:
            wrong = mistakes(self._guest, through, right)
        except Exception as error:  # libraries have no common class of exceptions for refusals
            return Row(self._guest.name, self._threads, number, call, None, False, f"refused: {error}")
        del right
        times, repeated = self._raced((alone, through))
        return Row(self._guest.name, self._threads, number, call, times, repeated, wrong)

    def _raced(self, sides: Sequence[Side]) -> tuple[Times, bool]:
        """The times, and whether they are of the second race."""
        times = self._race(sides, SHORT)
        if times.ratio >= NEARLY:
            return times, False
        return self._race(sides, LONG), True

    def _race(self, sides: Sequence[Side], length: Length) -> Times:
        """Rests before a turn on several threads: another library's threads look for work for a while."""
        return race(sides, length, rests=self._guest.has_threads_apart and self._threads > 1)

    def _age(self, number: int) -> None:
        """Has the guest make and free tensors, the same ones before the same call."""
        random = np.random.default_rng([self._seed, number, 2])
        sizes = np.exp(random.uniform(np.log(LEAST_BEFORE), np.log(MOST_BEFORE), TENSORS_BEFORE))
        self._guest.age([int(size) for size in sizes])


def mistakes(guest: Guest, through: Side, right: Sequence[Expected]) -> str:
    """The number of wrong elements of the results, if there are any."""
    with through.context():
        if through.reset:
            through.reset()
        results = guest.arrays(through.run())
    count = sum(expectation.mistakes(result) for expectation, result in zip(right, results, strict=True))
    return f"{count} of {sum(result.size for result in results)} elements" if count else ""


def hunted(name: str, seed: int, threads: int, numbers: Sequence[int]) -> tuple[dict[str, str], list[Row]]:
    """All rows of a guest on so many threads; prints them as they are measured."""
    guest = loaded(name, threads)
    hunt = Hunt(guest, seed, threads)
    rows = []
    for number in numbers:
        rows.append(hunt.row(number))
        print(rows[-1].text, flush=True)
    return guest.versions(), rows


def in_process(name: str, seed: int, threads: int, numbers: Sequence[int]) -> tuple[dict[str, str], list[Row]]:
    """Runs a guest in a process of its own; no rows if the guest is missing."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        try:
            return process.submit(hunted, name, seed, threads, numbers).result()
        except ImportError as error:
            print(f"{name} is left out: {error}")
            return {}, []


def summary(rows: Sequence[Row]) -> Iterator[str]:
    """Quantiles, and the worst."""
    some = sorted((row for row in rows if row.times), key=lambda row: row.ratio)
    if not some:
        yield from (row.text for row in rows)
        return
    ratios = [row.ratio for row in some]
    quantiles = ", ".join(f"{share:.0%} {np.quantile(ratios, share):.2f}" for share in QUANTILES)
    nearly, behind = (sum(ratio < limit for ratio in ratios) / len(ratios) for limit in (NEARLY, BEHIND))
    wrong = [row for row in rows if row.wrong]
    yield (
        f"{rows[0].guest}, threads {rows[0].threads}: {len(some)} calls; ratio {quantiles}; geometric mean "
        f"{statistics.geometric_mean(ratios):.2f}; {nearly:.1%} below {NEARLY}, {behind:.1%} below {BEHIND}; "
        f"{len(wrong)} wrong"
    )
    yield from (row.text for row in some[:WORST] if row.ratio < 1)
    yield from (row.text for row in wrong)


def save(path: Path, seed: int, versions: dict[str, str], rows: Sequence[Row]) -> None:
    """Writes the rows as JSON."""
    written = [
        {
            **{"guest": row.guest, "threads": row.threads, "number": row.number, "call": asdict(row.call)},
            **{"name": row.call.name, **(asdict(row.times) if row.times else {})},
            **{"repeated": row.repeated, "wrong": row.wrong},
        }
        for row in rows
    ]
    context = {"date": datetime.date.today().isoformat(), "cpu": strew.info()["cpu"], "versions": versions}
    path.write_text(json.dumps({"format": FORMAT, "context": context, "seed": seed, "rows": written}, indent=1) + "\n")


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    every_thread = len(os.sched_getaffinity(0))
    counts = lambda text: [int(count) for count in text.split(",")]  # noqa: E731
    parser.add_argument("--guest", action="append", choices=GUESTS, help="this one, or these (default: all)")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--calls", type=int, default=100, metavar="N", help="how many (default: 100)")
    parser.add_argument("--number", type=int, action="append", metavar="N", help="this one alone, or these")
    parser.add_argument("--threads", type=counts, default=sorted({1, every_thread}), metavar="N,...")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the rows as JSON")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Hunts, prints, and returns the exit status."""
    options = parse_arguments(arguments)
    numbers = options.number or range(options.calls)
    rows: list[Row] = []
    versions: dict[str, str] = {}
    for name in options.guest or GUESTS:
        for threads in options.threads:
            print(" ratio  alone us through us threads number")
            more, some = in_process(name, options.seed, threads, numbers)
            print("\n".join(["", *summary(some), ""]), flush=True)
            rows += some
            versions |= more
    if options.out:
        save(options.out, options.seed, versions, rows)
    return int(any(row.wrong for row in rows))


if __name__ == "__main__":
    sys.exit(main())
