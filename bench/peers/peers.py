#!/usr/bin/env python3
"""Compares strew with other libraries that Python can import: NumPy, PyTorch, ONNX Runtime, OpenVINO, JAX.

    make bench-peers
    bench/peers/peers.py --filter 'scatter_nd.*sum' --threads 1,2
    bench/peers/peers.py --suite bags --peers torch    sums of gathered rows of all lengths, beside embedding_bag
    bench/peers/peers.py --suite spmm --matrix a.mtx    sparse matrices times dense ones, beside SciPy, MKL and PyTorch: spmm.py

All work on the same arrays in the same process, with the same number of threads, turn by turn; JAX, whose threads are
fixed when it is loaded, in a process for each number of them, on copies. Like is compared with like:

    from Python    NumPy, PyTorch, ONNX Runtime, OpenVINO and JAX alone, beside the same libraries through strew
    from C         plain loops and ONNX Runtime by its C API, beside strew as a plan of its C API

Numbers are normal floats, and integers of the whole range. Every result is checked before it is timed: strew's must
equal that of the loops of its tests, to the last bit; others may differ by the rounding of each step to the dtype.
Reductions on several threads are checked twice more afterwards. Each library is measured by its fastest formulation,
which a letter names; if any of its results is wrong, it is not measured. The exit status is 1 if strew gave a wrong
result, called from C or from Python.

--out writes this JSON, --markdown the same as tables for a page:

    {"format": 3,
     "context": {"date": "2026-11-22", "machine", "cpu", "isa", "versions": {"strew": "0.2.0", "NumPy": ...}},
     "rows": [{"title": "gather_nd, 3,125 rows of 60 bytes of 1000x256x10x15",
               "workload": the fields of Workload (workloads.py),
               "threads": 1,
               "peers": {"NumPy": {"seconds": of one call, "text": how it was written, "wrong": false}, ...},
               "through": {"NumPy through strew": one more such cell, ...},
               "in_c": {"loops in C": cell, "ONNX Runtime in C": cell},
               "strew": strew's cell, called from C,
               "best_peer": "PyTorch" or null, "ratio": its seconds over those of the fastest of "through" or null,
               "best_in_c": "loops in C" or null, "ratio_in_c": its seconds over those of "strew" or null,
               "gains": {"NumPy through strew": NumPy's seconds over these, ...}}, ...]}

If a library lacks the call, its seconds are null; if its result was wrong, "wrong" is true as well. Rows of one workload
follow each other, one for each number of threads. NumPy has one thread and the same time in each row; loops in C are
only in the row of one thread.
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

from answers import Answer, answer_of
from c_peers import LoopsInC, OnnxRuntimeInC, StrewInC
from contenders import Peer
from operands import LINE, Operands, draw_inputs
from process_peer import ProcessPeer
from race import Lane, confirm, race, try_out
from strew_calls import Library
from table import Cell, Row, Table, markdown, summary, time_text
from workloads import EMPTY, SUITES, Workload

ROOT = Path(__file__).resolve().parent.parent.parent
LIBRARY = ROOT / "build" / "bench" / "bench" / "peers" / "libstrew_peers.so"
# The version of the JSON: see the top. It changes if a field changes its meaning, not if a field is added.
FORMAT = 3

# Each peer's module and class. Peers that cannot be imported are left out.
PEERS = {
    "numpy": ("numpy_peer", "NumpyPeer"),
    "torch": ("torch_peer", "TorchPeer"),
    "onnxruntime": ("onnxruntime_peer", "OnnxRuntimePeer"),
    "openvino": ("openvino_peer", "OpenVinoPeer"),
    "jax": ("jax_peer", "JaxPeer"),
}
# The same for peers with strew in them.
THROUGH_STREW = {
    "numpy": ("numpy_through_strew", "NumpyThroughStrew"),
    "torch": ("torch_through_strew", "TorchThroughStrew"),
    "jax": ("jax_through_strew", "JaxThroughStrew"),
    "onnxruntime": ("onnxruntime_through_strew", "OnnxRuntimeThroughStrew"),
    "openvino": ("openvino_through_strew", "OpenVinoThroughStrew"),
}
# Peers with a process for each number of threads.
IN_PROCESSES = ("jax",)

NOTES = """\
Python   the time of the fastest library alone over that of the fastest way into strew, both called from Python: above 1,
         strew is faster
C        the time of the fastest peer in C over that of strew in C
time     of one call, the least of several rounds; NumPy's, which has one thread, stands in the other rows as well
-        the peer does not have it; WRONG: a result was not right, in one of its ways or at times
rows     a list of the rows of data, or of its elements where rows have one
numbers  the row that each tuple or entry of indices names, computed in every call
expanded one index for each row, with a stride of 0; written out for ONNX Runtime and OpenVINO, which lack strides
JAX      has as many threads as its process has CPUs, is promised that indices are in bounds, and makes new arrays where
         it is not in place
+strew   strew's functions on NumPy's arrays, PyTorch's own code with strew.torch.enabled(), strew.jax's functions under
         jit, sessions of strew_onnxruntime, models after strew_openvino.replace()
beside sorted bags  edges in any order, strew with its scratch or inspected; PyTorch sums the same rows, sorted, as bags
zipf     index r is drawn with a probability proportional to r^-1.1, in shuffled order
x80      ONNX Runtime's issue 28584, of a tenth of its rows without --full-size"""


def import_peers(names: Iterable[str], classes: Mapping[str, tuple[str, str]]) -> Iterator[Peer]:
    """The peers that can be imported; prints the missing ones."""
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
    """The participants, and the way of timing them."""

    def __init__(
        self,
        library: Library,
        peers: Sequence[Peer],
        through: Sequence[Peer],
        in_c: Sequence[Peer],
        rounds: int,
        *,
        aligned: bool,
    ) -> None:
        """Uses arrays that begin at lines, or where NumPy puts them."""
        self._library = library
        self._aligned = aligned
        self._peers = peers
        self._through = through
        self._in_c = in_c
        self._strew = StrewInC(library)
        self._rounds = rounds
        self._remarks: dict[str, list[str]] = {}  # and in which rows

    def rows(self, workload: Workload, thread_counts: Sequence[int]) -> Iterator[Row]:
        """Times a workload, a row for each number of threads."""
        inputs = draw_inputs(workload)
        operands = Operands(workload, inputs.at_lines() if self._aligned else inputs)
        answer = answer_of(self._library, operands)
        lanes: dict[str, Lane] = {}
        for threads in thread_counts:
            fresh = self.run(operands, answer, threads, lanes)
            self._note_remarks(workload, threads, fresh)
            lanes |= fresh
            yield self._row(workload, threads, {name: cell_of(lane) for name, lane in lanes.items()})

    def run(self, operands: Operands, answer: Answer, threads: int, known: Mapping[str, Lane]) -> dict[str, Lane]:
        """Has those race who have threads, or no time yet."""
        everybody = (*self._peers, *self._through, *self._in_c, self._strew)
        running = [peer for peer in everybody if peer.has_threads or peer.name not in known]
        lanes = {peer.name: try_out(peer, operands, answer, threads) for peer in running}
        race(lanes.values(), self._rounds)
        if threads > 1 and operands.workload.reduction != "none":
            for peer in running:
                confirm(lanes[peer.name], peer, operands, answer)
        return lanes

    def _row(self, workload: Workload, threads: int, cells: Mapping[str, Cell]) -> Row:
        groups = ({peer.name: cells[peer.name] for peer in some} for some in (self._peers, self._through, self._in_c))
        return Row(workload, threads, *groups, cells[self._strew.name])

    def _note_remarks(self, workload: Workload, threads: int, lanes: dict[str, Lane]) -> None:
        for name, lane in lanes.items():
            for remark in lane.remarks:
                self._remarks.setdefault(f"{name}: {remark}", []).append(f"{workload.name}, threads {threads}")

    def remarks(self) -> list[str]:
        """Faults and refusals, a line for each."""
        return [f"{remark} ({first}{others(more)})" for remark, (first, *more) in self._remarks.items()]


def others(rows: Sequence[str]) -> str:
    """Counts the rows besides the named one."""
    return f", and {len(rows)} more" if rows else ""


def cell_of(lane: Lane) -> Cell:
    """The cell of a lane in the table."""
    if lane.best is None:
        return Cell(None, "", lane.wrong)
    return Cell(lane.seconds, lane.best.text)


def overhead_text(row: Row) -> str:
    """The overhead of a call with almost no work."""
    times = ", ".join(f"{name} {time_text(cell.seconds)}" for name, cell in row.cells.items() if cell.seconds)
    return f"A call without indices: {times}."


def print_rows(table: Table, rows: Iterable[Row]) -> list[Row]:
    """Prints the table, each row as soon as it is measured."""
    print(table.head())
    printed = []
    for row in rows:
        print(table.row(row), flush=True)
        printed.append(row)
    return printed


def context_of(library: Library, machine: str | None, others: Sequence[Peer], *, aligned: bool) -> dict[str, Any]:
    """The conditions of the figures."""
    return {
        "date": datetime.date.today().isoformat(),
        "machine": machine or library.cpu,
        "cpu": library.cpu,
        "isa": library.isa,
        "arrays": f"aligned at {LINE} bytes" if aligned else "as NumPy allocates them",
        "versions": {"strew": library.version, **{peer.name: peer.version for peer in others}},
    }


def context_text(context: Mapping[str, Any]) -> str:
    """The same as lines of text."""
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
            "best_in_c": row.best_in_c,
            "ratio_in_c": row.ratio_in_c,
            "gains": row.gains,
        }
        for row in rows
    ]
    path.write_text(json.dumps({"format": FORMAT, "context": context, "rows": entries}, indent=1) + "\n")


def is_strew_wrong(row: Row) -> bool:
    """Whether strew had no right result, or a wrong one by way of Python."""
    return row.strew.seconds is None or any(cell.wrong for cell in row.through.values())


def peers_in_c(library: Library, names: Sequence[str]) -> list[Peer]:
    """The peers that are called from C."""
    found: list[Peer] = [LoopsInC(library)]
    if "onnxruntime" in names:
        try:
            found.append(OnnxRuntimeInC(library))
        except ImportError as error:
            print(f"ONNX Runtime in C is left out: {error}")
    return found


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
    parser.add_argument("--suite", choices=[*SUITES, "spmm"], default="usual", help="which calls (default: usual)")
    parser.add_argument("--filter", type=re.compile, default=re.compile(""), metavar="REGEX", help="of names")
    parser.add_argument("--threads", type=thread_counts, default=sorted({1, every_thread}), metavar="N,...")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="turns of each (default: 5)")
    parser.add_argument("--aligned", action="store_true", help="arrays at 64 bytes, as PyTorch allocates its own")
    parser.add_argument("--matrix", type=Path, action="append", default=[], metavar="FILE", help="of Matrix Market, for spmm")
    parser.add_argument("--full-size", action="store_true", help="the graph model in its published size")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the rows as JSON")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the table of a page")
    parser.add_argument("--machine", metavar="TEXT", help="what the table says it is, instead of its CPU's name")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compares, prints, and returns the exit status."""
    options = parse_arguments(arguments)
    if options.suite == "spmm":
        return importlib.import_module("spmm").compare(options)
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

    in_c = peers_in_c(library, options.peers)
    comparison = Comparison(library, peers, through, in_c, options.rounds, aligned=options.aligned)
    empty_call = next(comparison.rows(EMPTY, [1]))
    print(f"{overhead_text(empty_call)}\n")
    table = Table(list(empty_call.cells), chosen)
    rows = print_rows(table, chain.from_iterable(comparison.rows(workload, options.threads) for workload in chosen))
    print("\n".join(["", *summary(rows), "", NOTES, *table.legend(), *comparison.remarks()]))
    if options.out:
        save(options.out, context, rows)
    if options.markdown:
        options.markdown.write_text(markdown(rows, context))
    return 1 if any(is_strew_wrong(row) for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
