#!/usr/bin/env python3
"""Compares strew with other libraries that Python can import: NumPy, PyTorch, ONNX Runtime, OpenVINO, JAX.

    make bench-peers
    bench/peers/peers.py --filter 'scatter_nd.*sum' --threads 1,2
    bench/peers/peers.py --suite bags --peers torch    sums of gathered rows of all lengths, beside embedding_bag

All work on the same arrays in the same process, with the same number of threads, turn by turn; JAX, whose threads are
fixed when it is loaded, in a process for each number of them, on copies. Before it is timed, every result is compared
with what it has to be, and sums on several threads twice more afterwards. Of each library the fastest formulation is
measured, and letters say which; if a result of any of them is wrong, none is. The exit status is 1 if strew gave a
wrong result, called from C or from Python.

"NumPy through strew" and its like are what a user of Python sees who hands his arrays to strew: the package strew of
python/, the call from Python included. They are no peers.

--out writes this JSON, --markdown the same as a table for a page:

    {"format": 2,
     "context": {"date": "2026-11-22", "machine", "cpu", "isa", "versions": {"strew": "0.2.0", "NumPy": ...}},
     "rows": [{"title": "gather_nd, 3,125 rows of 60 bytes of 1000x256x10x15",
               "workload": the fields of Workload (workloads.py),
               "threads": 1,
               "peers": {"NumPy": {"seconds": of one call, "text": how it was written, "wrong": false}, ...},
               "strew": one more such cell,
               "through": {"NumPy through strew": cell, ...},
               "best_peer": "PyTorch" or null, "ratio": its seconds over strew's or null,
               "gains": {"NumPy through strew": NumPy's seconds over these, ...}}, ...]}

Where a library does not have the call, its seconds are null; where its result was wrong, "wrong" is true as well. Rows
of one workload follow each other, one for each number of threads; NumPy, which has one thread, stands in each with the
same time. The seconds of "strew" are those of the C function, called with a plan; all others are of calls from Python.
"""

from __future__ import annotations

import argparse
import datetime
import importlib
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any

from contenders import Peer
from operands import LINE, Operands, draw_inputs
from process_peer import ProcessPeer
from race import Lane, confirm, race, try_out
from strew_calls import Library
from strew_peer import StrewPeer
from table import Cell, Row, Table, markdown, summary, time_text
from workloads import EMPTY, SUITES, Workload

ROOT = Path(__file__).resolve().parent.parent.parent
LIBRARY = ROOT / "build" / "bench" / "bench" / "peers" / "libstrew_peers.so"
# Of the JSON: see the top. It changes if what is there changes its meaning, not if something is added.
FORMAT = 2

# Each peer's module and class. What cannot be imported is left out.
PEERS = {
    "numpy": ("numpy_peer", "NumpyPeer"),
    "torch": ("torch_peer", "TorchPeer"),
    "onnxruntime": ("onnxruntime_peer", "OnnxRuntimePeer"),
    "openvino": ("openvino_peer", "OpenVinoPeer"),
    "jax": ("jax_peer", "JaxPeer"),
}
# The same for those that hand a peer's arrays to strew.
THROUGH_STREW = {
    "numpy": ("numpy_through_strew", "NumpyThroughStrew"),
    "torch": ("torch_through_strew", "TorchThroughStrew"),
    "jax": ("jax_through_strew", "JaxThroughStrew"),
}
# Who has a process for each number of threads.
IN_PROCESSES = ("jax",)

NOTES = """\
ratio    the best peer's time over strew's: above 1, strew is faster
time     of one call, the least of several rounds; NumPy's, which has one thread, stands in the other rows as well
-        the peer does not have it; WRONG: a result was not right, in one of its ways or at times
rows     a list of the rows of data, or of its elements where rows have one
numbers  the row that each tuple or entry of indices names, computed in every call
expanded one index for each row, with a stride of 0; written out for ONNX Runtime and OpenVINO, which lack strides
JAX      has as many threads as its process has CPUs, is promised that indices are in bounds, and makes new arrays where
         it is not in place
+strew   the peer's arrays handed to strew: strew's functions on NumPy's, PyTorch's own code with strew.torch.enabled(),
         strew.jax's functions under jit
beside sorted bags  edges in any order, strew with its scratch or inspected; PyTorch sums the same rows, sorted, as bags
zipf     index r is drawn with a probability proportional to r^-1.1, in shuffled order
x80      ONNX Runtime's issue 28584, of a tenth of its rows without --full-size"""


def import_peers(names: Iterable[str], classes: Mapping[str, tuple[str, str]]) -> Iterator[Peer]:
    """The peers that are there; says which are not."""
    for name in names:
        if name not in classes:
            continue
        module, peer_class = classes[name]
        try:
            if name in IN_PROCESSES:
                yield ProcessPeer(module, peer_class)
            else:
                yield getattr(importlib.import_module(module), peer_class)()
        except ImportError as error:
            first_line, *_ = str(error).partition("\n")
            print(f"{module} is left out: {first_line}")


class Comparison:
    """strew, its peers and those who reach it through Python, and how they are timed."""

    def __init__(
        self, strew: StrewPeer, peers: Sequence[Peer], through: Sequence[Peer], rounds: int, *, aligned: bool
    ) -> None:
        """On arrays that begin at lines, or where NumPy has them."""
        self._strew = strew
        self._aligned = aligned
        self._peers = peers
        self._through = through
        self._rounds = rounds
        self._remarks: dict[str, list[str]] = {}  # and in which rows

    def rows(self, workload: Workload, thread_counts: Sequence[int]) -> Iterator[Row]:
        """Times a workload, a row for each number of threads."""
        inputs = draw_inputs(workload)
        operands = Operands(workload, inputs.at_lines() if self._aligned else inputs)
        expected = operands.expected()
        everybody = (*self._peers, self._strew, *self._through)
        lanes: dict[str, Lane] = {}
        for threads in thread_counts:
            running = [peer for peer in everybody if peer.has_threads or peer.name not in lanes]
            fresh = {peer.name: try_out(peer, operands, expected, threads) for peer in running}
            race(fresh.values(), self._rounds)
            if threads > 1 and workload.reduction != "none":
                for peer in running:
                    confirm(fresh[peer.name], peer, operands, expected)
            self._note_remarks(workload, threads, fresh)
            lanes |= fresh
            yield self._row(workload, threads, {name: cell_of(lane) for name, lane in lanes.items()})

    def _row(self, workload: Workload, threads: int, cells: Mapping[str, Cell]) -> Row:
        peers, through = ({peer.name: cells[peer.name] for peer in some} for some in (self._peers, self._through))
        return Row(workload, threads, peers, cells[self._strew.name], through)

    def _note_remarks(self, workload: Workload, threads: int, lanes: dict[str, Lane]) -> None:
        for name, lane in lanes.items():
            for remark in lane.remarks:
                self._remarks.setdefault(f"{name}: {remark}", []).append(f"{workload.name}, threads {threads}")

    def remarks(self) -> list[str]:
        """What went wrong or was refused, a line for each."""
        return [f"{remark} ({first}{others(more)})" for remark, (first, *more) in self._remarks.items()]


def others(rows: Sequence[str]) -> str:
    """How many there are beside the one that is named."""
    return f", and {len(rows)} more" if rows else ""


def cell_of(lane: Lane) -> Cell:
    """What the table says of a lane."""
    if lane.best is None:
        return Cell(None, "", lane.wrong)
    return Cell(lane.seconds, lane.best.text)


def overhead_text(row: Row) -> str:
    """The price of a call that has nothing to do."""
    times = ", ".join(f"{name} {time_text(cell.seconds)}" for name, cell in row.cells.items() if cell.seconds)
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


def context_of(library: Library, machine: str | None, others: Sequence[Peer], *, aligned: bool) -> dict[str, Any]:
    """What the figures depend on."""
    return {
        "date": datetime.date.today().isoformat(),
        "machine": machine or library.cpu,
        "cpu": library.cpu,
        "isa": library.isa,
        "arrays": f"aligned at {LINE} bytes" if aligned else "as NumPy allocates them",
        "versions": {"strew": library.version, **{peer.name: peer.version for peer in others}},
    }


def context_text(context: Mapping[str, Any]) -> str:
    """The same in lines."""
    lines = {key: value for key, value in context.items() if key != "versions"} | context["versions"]
    return "\n".join(f"{name}: {value}" for name, value in lines.items())


def save(path: Path, context: Mapping[str, Any], rows: Sequence[Row]) -> None:
    """Writes the rows as JSON."""
    entries = [
        {
            "title": row.workload.title,
            **asdict(row),
            "best_peer": row.best_peer,
            "ratio": row.ratio,
            "gains": row.gains,
        }
        for row in rows
    ]
    path.write_text(json.dumps({"format": FORMAT, "context": context, "rows": entries}, indent=1) + "\n")


def is_strew_wrong(row: Row) -> bool:
    """Whether strew had no right result, or a wrong one by way of Python."""
    return row.strew.seconds is None or any(cell.wrong for cell in row.through.values())


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
    parser.add_argument("--suite", choices=SUITES, default="usual", help="which calls (default: usual)")
    parser.add_argument("--filter", type=re.compile, default=re.compile(""), metavar="REGEX", help="of names")
    parser.add_argument("--threads", type=thread_counts, default=sorted({1, every_thread}), metavar="N,...")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="turns of each (default: 5)")
    parser.add_argument("--aligned", action="store_true", help="arrays at 64 bytes, as PyTorch allocates its own")
    parser.add_argument("--full-size", action="store_true", help="the graph model in its published size")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the rows as JSON")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the table of a page")
    parser.add_argument("--machine", metavar="TEXT", help="what the table says it is, instead of its CPU's name")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compares, prints, and returns the exit status."""
    options = parse_arguments(arguments)
    chosen = [workload for workload in SUITES[options.suite](options.full_size) if options.filter.search(workload.name)]
    if not chosen:
        print("peers.py: no call has a name in which --filter is found", file=sys.stderr)
        return 2
    if not options.strew.exists():
        print(f"peers.py: {options.strew} is not there: make bench-peers builds it", file=sys.stderr)
        return 2
    library = Library(options.strew)
    peers = list(import_peers(options.peers, PEERS))
    through = list(import_peers(options.peers, THROUGH_STREW))
    context = context_of(library, options.machine, [*peers, *through], aligned=options.aligned)
    print(context_text(context))

    comparison = Comparison(StrewPeer(library), peers, through, options.rounds, aligned=options.aligned)
    print(f"{overhead_text(next(comparison.rows(EMPTY, [1])))}\n")
    table = Table([peer.name for peer in peers], [peer.name for peer in through], chosen)
    rows = print_rows(table, chain.from_iterable(comparison.rows(workload, options.threads) for workload in chosen))
    print("\n".join(["", *summary(rows), "", NOTES, *table.legend(), *comparison.remarks()]))
    if options.out:
        save(options.out, context, rows)
    if options.markdown:
        options.markdown.write_text(markdown(rows, context))
    return 1 if any(is_strew_wrong(row) for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
