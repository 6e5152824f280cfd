#!/usr/bin/env python3
"""Compares strew with other libraries that Python can import: NumPy, PyTorch, ONNX Runtime, OpenVINO.

    make bench-peers
    bench/peers/peers.py --filter 'scatter_nd.*sum' --threads 1,2

All work on the same arrays in the same process, with the same number of threads, turn by turn. Before it is timed,
every result is compared with what it has to be. Of each library the fastest right formulation is measured; letters
say which. The exit status is 1 if strew gave a wrong result.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path

from contenders import Peer
from operands import Operands
from race import Lane, race, try_out
from strew_ctypes import Library
from strew_peer import StrewPeer
from table import Cell, Row, Table, summary, time_text
from workloads import EMPTY, Workload, workloads

ROOT = Path(__file__).resolve().parent.parent.parent
LIBRARY = ROOT / "build" / "bench" / "bench" / "peers" / "libstrew_peers.so"

# Each peer's module and class. What cannot be imported is left out.
PEERS = {
    "numpy": ("numpy_peer", "NumpyPeer"),
    "torch": ("torch_peer", "TorchPeer"),
    "onnxruntime": ("onnxruntime_peer", "OnnxRuntimePeer"),
    "openvino": ("openvino_peer", "OpenVinoPeer"),
}

NOTES = """\
ratio    the best peer's time over strew's: above 1, strew is faster
time     of one call, the least of several rounds; NumPy's, which has one thread, stands in the other rows as well
-        the peer does not have it; WRONG: none of its results was right
rows     a list of the rows of data, or of its elements where rows have one
numbers  the row that each tuple or entry of indices names, computed in every call
expanded one index for each row, with a stride of 0; written out for ONNX Runtime and OpenVINO, which lack strides
zipf     index r is drawn with a probability proportional to r^-1.1, in shuffled order
x80      ONNX Runtime's issue 28584, of a tenth of its rows without --full-size"""


def import_peers(names: Sequence[str]) -> Iterator[Peer]:
    """The peers that are there; says which are not."""
    for name in names:
        module, peer_class = PEERS[name]
        try:
            yield getattr(importlib.import_module(module), peer_class)()
        except ImportError as error:
            print(f"{name} is left out: {error}")


class Comparison:
    """strew and its peers, and how they are timed."""

    def __init__(self, strew: StrewPeer, peers: Sequence[Peer], rounds: int) -> None:
        self._strew = strew
        self._peers = peers
        self._rounds = rounds
        self.remarks: list[str] = []

    def rows(self, workload: Workload, thread_counts: Sequence[int]) -> Iterator[Row]:
        """Times a workload, a row for each number of threads."""
        operands = Operands(workload)
        expected = operands.expected()
        lanes: dict[str, Lane] = {}
        for threads in thread_counts:
            fresh = {
                peer.name: try_out(peer, operands, expected, threads)
                for peer in (*self._peers, self._strew)
                if peer.has_threads or peer.name not in lanes
            }
            race(fresh.values(), self._rounds)
            self._note_remarks(workload, threads, fresh)
            lanes |= fresh
            cells = {name: cell_of(lane) for name, lane in lanes.items()}
            strew = cells.pop(self._strew.name)
            yield Row(workload, threads, cells, strew)

    def _note_remarks(self, workload: Workload, threads: int, lanes: dict[str, Lane]) -> None:
        for name, lane in lanes.items():
            where = f"{workload.name}, threads {threads}"
            self.remarks += [f"{name}: {remark} ({where})" for remark in lane.remarks]


def cell_of(lane: Lane) -> Cell:
    """What the table says of a lane."""
    if lane.best is None:
        return Cell(None, "", lane.wrong)
    return Cell(lane.seconds, lane.best.text)


def overhead_text(row: Row) -> str:
    """The price of a call that has nothing to do."""
    cells = {**row.peers, "strew": row.strew}
    times = ", ".join(f"{name} {time_text(cell.seconds)}" for name, cell in cells.items() if cell.seconds)
    return (
        f"A call without indices: {times}.\n"
        "Peers are called from Python, which is part of their times; strew's runs are repeated in C."
    )


def print_rows(table: Table, rows: Iterable[Row]) -> list[Row]:
    """Prints the table, each row once it is there."""
    print(table.head())
    printed = []
    for row in rows:
        print(table.row(row), flush=True)
        printed.append(row)
    return printed


def context_of(library: Library, peers: Sequence[Peer]) -> dict[str, str]:
    """What the figures depend on."""
    versions = {peer.name: peer.version for peer in peers}
    return {"cpu": library.cpu, "isa": library.isa, "strew": library.version, **versions}


def save(path: Path, context: dict[str, str], rows: Sequence[Row]) -> None:
    """Writes the rows as JSON."""
    entries = [{**asdict(row), "ratio": row.ratio} for row in rows]
    path.write_text(json.dumps({"context": context, "rows": entries}, indent=1) + "\n")


def peer_names(text: str) -> list[str]:
    """Reads numpy,torch."""
    names = text.split(",")
    if unknown := set(names) - set(PEERS):
        raise argparse.ArgumentTypeError(f"{', '.join(sorted(unknown))}: choose from {', '.join(PEERS)}")
    return names


def thread_counts(text: str) -> list[int]:
    """Reads 1,2."""
    return sorted({int(word) for word in text.split(",")})


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    every_thread = len(os.sched_getaffinity(0))
    parser.add_argument("--strew", type=Path, default=LIBRARY, metavar="FILE", help="libstrew_peers.so")
    parser.add_argument("--peers", type=peer_names, default=list(PEERS), metavar="NAME,...")
    parser.add_argument("--filter", type=re.compile, default=re.compile(""), metavar="REGEX", help="of names")
    parser.add_argument("--threads", type=thread_counts, default=sorted({1, every_thread}), metavar="N,...")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="turns of each (default: 5)")
    parser.add_argument("--full-size", action="store_true", help="the graph model in its published size")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the rows as JSON")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compares, prints, and returns the exit status."""
    options = parse_arguments(arguments)
    chosen = [workload for workload in workloads(options.full_size) if options.filter.search(workload.name)]
    if not options.strew.exists():
        print(f"peers.py: {options.strew} is not there: make bench-peers builds it", file=sys.stderr)
        return 2
    library = Library(options.strew)
    peers = list(import_peers(options.peers))
    context = context_of(library, peers)
    print("\n".join(f"{name}: {value}" for name, value in context.items()))

    comparison = Comparison(StrewPeer(library), peers, options.rounds)
    print(f"{overhead_text(next(comparison.rows(EMPTY, [1])))}\n")
    table = Table([peer.name for peer in peers], chosen)
    rows = print_rows(table, chain.from_iterable(comparison.rows(workload, options.threads) for workload in chosen))
    print("\n".join(["", *summary(rows), "", NOTES, *table.legend(), *comparison.remarks]))
    if options.out:
        save(options.out, context, rows)
    return 1 if any(row.strew.seconds is None for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
