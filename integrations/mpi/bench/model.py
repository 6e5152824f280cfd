#!/usr/bin/env python3
"""The time of a call on many machines, on paper, by the formulas of docs/mpi.md. Needs NumPy.

    integrations/mpi/bench/model.py [--cores 8] [--network 12.5]

It takes the costs of one core that the benchmark measured (docs/performance.md); the network is assumed.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np

TABLE_ROWS, INDICES, ROW_BYTES, INDEX_BYTES = 1_000_000, 131_072, 256, 4
MACHINES = (1, 2, 4, 8, 16, 32, 64)


@dataclass(frozen=True)
class Costs:
    """Nanoseconds for each index or row on one core."""

    route: float
    pack: float
    apply: float


GATHER = Costs(route=5.7, pack=22, apply=13)
SUM = Costs(route=5.7, pack=16, apply=21)
DISTINCT_ROUTE = 2.3  # times as long


@dataclass(frozen=True)
class Machine:
    """The cores that share the local work, and gigabytes a second in each direction."""

    cores: float
    network: float

    def gather(self, machines: int, skew: float, distinct: bool = False) -> float:
        """Milliseconds. The busiest machine packs and sends `skew` times the mean of rows; each orders its own."""
        route = GATHER.route * (DISTINCT_ROUTE if distinct else 1)
        local = (route + skew * GATHER.pack + GATHER.apply) / self.cores
        requests = skew if distinct else 1
        wire = (1 - 1 / machines) * (INDEX_BYTES * requests + ROW_BYTES * skew) / self.network
        return INDICES * (local + wire) / 1e6

    def scatter(self, machines: int, skew: float, distinct: bool = False) -> float:
        """Milliseconds. The busiest machine receives and reduces `skew` times the mean of rows."""
        route = SUM.route * (DISTINCT_ROUTE if distinct else 1)
        local = (route + SUM.pack + skew * SUM.apply) / self.cores
        wire = (1 - 1 / machines) * (INDEX_BYTES + ROW_BYTES) * skew / self.network
        return INDICES * (local + wire) / 1e6


def drawn() -> np.ndarray:
    """The frequency of each row under the benchmark's law; the sum is 1."""
    row = np.arange(TABLE_ROWS)
    often: np.ndarray = np.log((row + 2) / (row + 1)) / np.log(TABLE_ROWS + 1)
    return often


def skew(weights: np.ndarray, machines: int, cyclic: bool) -> float:
    """The share of the weights on the busiest machine, as a multiple of the mean share 1 / machines."""
    row = np.arange(TABLE_ROWS)
    owner = row % machines if cyclic else row // -(-TABLE_ROWS // machines)
    return float(np.bincount(owner, weights, machines).max()) * machines


def line(name: int | str, cells: list[float]) -> None:
    """Prints a row of the table."""
    print(f"| {name} | " + " | ".join(f"{cell:.2g}" if cell < 1 else f"{cell:.3g}" for cell in cells) + " |")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cores", type=float, default=8)
    parser.add_argument("--network", type=float, default=12.5, help="gigabytes a second")
    arguments = parser.parse_args()
    machine = Machine(arguments.cores, arguments.network)
    often = drawn()
    named = (1 - (1 - often) ** INDICES) / INDICES  # the share of the row in a machine's list, if each row is named once
    print("| machines | gather, uniform | cyclic | block | distinct | scatter, uniform | cyclic | block | distinct |")
    print("|---:" * 9 + "|")
    for machines in MACHINES:
        cyclic, block = skew(often, machines, True), skew(often, machines, False)
        once = skew(named, machines, True)
        gathers = [machine.gather(machines, each) for each in (1, cyclic, block)]
        scatters = [machine.scatter(machines, each) for each in (1, cyclic, block)]
        gathers.append(machine.gather(machines, once, distinct=True))
        scatters.append(machine.scatter(machines, once, distinct=True))
        line(machines, gathers + scatters)
    line(f"S at {MACHINES[-1]}", [1, cyclic, block, once] * 2)


if __name__ == "__main__":
    main()
