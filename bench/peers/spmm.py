"""Sparse matrices times dense ones, beside SciPy, MKL and PyTorch: peers.py --suite spmm.

It measures a grid of sizes, graphs and widths in float32, with int32 and int64 indices, with values and without (peers
get ones), and matrices of Matrix Market files. Each call writes into an existing array, if the library allows it. All take
turns, and the least time of several rounds counts. Each has a process of its own, which is stopped during the turns of
others: threads that spin in wait for work would take the CPU from them. strew's results must have SciPy's bits; others'
may differ by rounding, and are otherwise left out as WRONG.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import importlib.util
import json
import math
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

WIDTHS = (1, 2, 4, 8, 16, 32, 64)
SIZES = (1_000, 10_000, 100_000)
DEGREE = 12
LEAST_SECONDS = 2e-3  # of one turn


@dataclass(frozen=True)
class Case:
    """One product of the grid."""

    graph: str
    matrix: Any  # a SciPy csr of float32
    width: int
    index_dtype: str
    is_weighted: bool

    @property
    def name(self) -> str:
        rows, columns = self.matrix.shape
        weights = "weighted" if self.is_weighted else "of ones"
        return f"{self.graph}, {rows:,}x{columns:,}, {self.matrix.nnz:,} entries {weights}, {self.index_dtype}, width {self.width}"


# ---- Matrices -------------------------------------------------------------------------------------------------------


def uniform(source: np.random.Generator, size: int) -> tuple[Any, Any]:
    entries = size * DEGREE
    return source.integers(0, size, entries), source.integers(0, size, entries)


def banded(source: np.random.Generator, size: int) -> tuple[Any, Any]:
    rows = np.repeat(np.arange(size), DEGREE)
    return rows, np.clip(rows + np.tile(np.arange(DEGREE) - DEGREE // 2, size), 0, size - 1)


def power_law(source: np.random.Generator, size: int) -> tuple[Any, Any]:
    """Rows and columns are named with probabilities that fall as their rank to the power of 0.8."""
    weights = np.arange(1, size + 1) ** -0.8
    entries, weights = size * DEGREE, weights / weights.sum()
    rows, columns = (source.choice(size, entries, p=weights) for _ in range(2))
    return source.permutation(size)[rows], source.permutation(size)[columns]


def rmat(source: np.random.Generator, size: int) -> tuple[Any, Any]:
    """Each bit of a row and of a column by quadrants of 0.57, 0.19, 0.19 and 0.05, as Graph500 draws them."""
    levels, entries = (size - 1).bit_length(), size * DEGREE
    rows, columns = np.zeros(entries, np.int64), np.zeros(entries, np.int64)
    for _ in range(levels):
        quadrant = np.searchsorted([0.57, 0.76, 0.95], source.random(entries))
        rows, columns = rows * 2 + quadrant // 2, columns * 2 + quadrant % 2
    return rows % size, columns % size


GRAPHS = {"uniform": uniform, "R-MAT": rmat, "banded": banded, "power law": power_law}


def matrices(files: Sequence[Path], sizes: Sequence[int] = SIZES) -> Iterator[tuple[str, Any]]:
    """The matrices of the grid, or of files."""
    import scipy.io
    import scipy.sparse

    for file in files:
        yield file.stem, scipy.sparse.csr_array(scipy.io.mmread(file)).astype(np.float32)
    if files:
        return
    for name, draw in GRAPHS.items():
        for size in sizes:
            source = np.random.default_rng(size)
            rows, columns = draw(source, size)
            values = source.standard_normal(len(rows)).astype(np.float32)
            made = scipy.sparse.coo_array((values, (rows, columns)), shape=(size, size)).tocsr()
            made.sort_indices()
            yield name, made


def cases(files: Sequence[Path], sizes: Sequence[int] = SIZES, widths: Sequence[int] = WIDTHS) -> Iterator[Case]:
    for graph, matrix in matrices(files, sizes):
        for is_weighted in (True, False):
            for index_dtype in ("int32", "int64"):
                for width in widths:
                    yield Case(graph, in_dtype(matrix, index_dtype, is_weighted), width, index_dtype, is_weighted)


def in_dtype(matrix: Any, index_dtype: str, is_weighted: bool) -> Any:
    import scipy.sparse

    values = matrix.data if is_weighted else np.ones_like(matrix.data)
    made = scipy.sparse.csr_array((values, matrix.indices, matrix.indptr), shape=matrix.shape)
    made.indices, made.indptr = matrix.indices.astype(index_dtype), matrix.indptr.astype(index_dtype)
    return made


# ---- Who takes part -------------------------------------------------------------------------------------------------
#
# Each makes of a case, a dense matrix and an output a call, and says where its result is.

Call = Callable[[], Any]


def strew_call(case: Case, X: Any, out: Any, threads: int) -> Call:
    import strew.sparse

    A = case.matrix if case.is_weighted else (None, case.matrix.indices, case.matrix.indptr)
    return lambda: strew.sparse.matmul(A, X, out=out, num_threads=threads)


def scipy_call(case: Case, X: Any, out: Any, threads: int) -> Call:
    A = case.matrix
    return lambda: A @ X


def torch_tensors(case: Case, X: Any) -> tuple[Any, ...]:
    import torch

    A = case.matrix
    return tuple(torch.from_numpy(array) for array in (A.indptr, A.indices, A.data, X))


def torch_call(case: Case, X: Any, out: Any, threads: int) -> Call:
    import torch

    indptr, indices, values, dense = torch_tensors(case, X)
    A = torch.sparse_csr_tensor(indptr, indices, values, case.matrix.shape)
    return lambda: (A @ dense).numpy()


def bags_call(case: Case, X: Any, out: Any, threads: int) -> Call:
    from torch.nn.functional import embedding_bag

    indptr, indices, values, dense = torch_tensors(case, X)
    weights = values if case.is_weighted else None
    return lambda: embedding_bag(
        indices, dense, indptr, mode="sum", per_sample_weights=weights, include_last_offset=True
    ).numpy()


class Mkl:
    """mkl_sparse_s_mm, by ctypes: mkl_rt of PyPI's mkl, or one that the system finds."""

    # SPARSE_OPERATION_NON_TRANSPOSE, SPARSE_MATRIX_TYPE_GENERAL, SPARSE_LAYOUT_ROW_MAJOR
    PLAIN, GENERAL, ROW_MAJOR = 10, 20, 101

    class Description(ctypes.Structure):
        """struct matrix_descr"""

        _fields_ = [("type", ctypes.c_int), ("mode", ctypes.c_int), ("diagonal", ctypes.c_int)]

    def __init__(self) -> None:
        self._library = ctypes.CDLL(str(self._path()))

    @staticmethod
    def _path() -> Path | str:
        for folder in [Path(sys.prefix) / "lib", *(Path(path) / "lib" for path in sys.path), *map(Path, sys.path)]:
            for found in sorted(folder.glob("libmkl_rt.so*")) if folder.is_dir() else []:
                return found
        return "libmkl_rt.so"

    def __call__(self, case: Case, X: Any, out: Any, threads: int) -> Call:
        A, wide = case.matrix, case.index_dtype == "int64"
        suffix, integer = ("_64", ctypes.c_int64) if wide else ("", ctypes.c_int)
        create = getattr(self._library, f"mkl_sparse_s_create_csr{suffix}")
        multiply = getattr(self._library, f"mkl_sparse_s_mm{suffix}")
        handle, end = ctypes.c_void_p(), A.indptr.itemsize

        def address(array: Any, offset: int = 0) -> Any:
            return ctypes.c_void_p(array.ctypes.data + offset)

        rows, columns = map(integer, A.shape)
        begins, ends = address(A.indptr), address(A.indptr, end)
        status = create(
            ctypes.byref(handle), 0, rows, columns, begins, ends, address(A.indices), address(A.data)
        )
        if status:
            raise RuntimeError(f"mkl_sparse_s_create_csr returns {status}")
        self._library.mkl_set_num_threads(ctypes.byref(ctypes.c_int(threads)))
        arguments = (
            *(self.PLAIN, ctypes.c_float(1), handle, self.Description(self.GENERAL, 0, 0), self.ROW_MAJOR, address(X)),
            *(integer(case.width), integer(case.width), ctypes.c_float(0), address(out), integer(case.width)),
        )

        def call(_used: Any = (A, X)) -> Any:
            if status := multiply(*arguments):
                raise RuntimeError(f"mkl_sparse_s_mm returns {status}")
            return out

        return call


MAKERS: dict[str, Callable[[], Callable[..., Call]]] = {
    "strew": lambda: strew_call,
    "SciPy": lambda: scipy_call,
    "MKL": Mkl,
    "torch CSR": lambda: torch_call,
    "torch bags": lambda: bags_call,
}


def contenders() -> list[str]:
    """The contenders that can be imported; prints the missing ones."""
    found = ["strew", "SciPy"]
    try:
        Mkl()
        found.append("MKL")
    except OSError as error:
        print(f"MKL is left out: {error}")
    if importlib.util.find_spec("torch"):
        found += ["torch CSR", "torch bags"]
    else:
        print("PyTorch is left out: it is not here")
    return found


# ---- Measuring ------------------------------------------------------------------------------------------------------


def seconds_of(call: Call, count: int) -> float:
    begin = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - begin) / count


def is_right(name: str, result: Any, expected: Any, magnitude: Any) -> bool:
    if name == "strew":
        return bool(np.array_equal(result, expected))
    return bool(np.all(np.abs(result - expected) <= 1e-5 * magnitude + 1e-6))


def prepare(name: str, make: Callable[..., Call], case: Case, threads: int) -> Call | None:
    """The call of a case; None if its result is wrong."""
    if name.startswith("torch"):
        import torch

        torch.set_num_threads(threads)
    X = np.random.default_rng(1).standard_normal((case.matrix.shape[1], case.width)).astype(np.float32)
    expected, magnitude = case.matrix @ X, abs(case.matrix) @ np.abs(X)
    call = make(case, X, np.empty_like(expected), threads)
    return call if is_right(name, call(), expected, magnitude) else None


def serve(name: str, questions: Any) -> None:
    """A process of one contender: answers a case by whether it is right, and a number by the seconds of so many calls."""
    make, call = MAKERS[name](), None
    while True:
        question = questions.recv()
        if isinstance(question, int):
            questions.send(seconds_of(call, question))
        else:
            call = prepare(name, make, *question)
            questions.send(call is not None)


class Contender:
    """The process of a contender. It is stopped except while it answers."""

    def __init__(self, name: str) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=serve, args=(name, theirs), daemon=True)
        self._process.start()
        theirs.close()

    def ask(self, question: Any) -> Any:
        os.kill(self._process.pid, signal.SIGCONT)
        self._pipe.send(question)
        answer = self._pipe.recv()
        os.kill(self._process.pid, signal.SIGSTOP)
        return answer

    def close(self) -> None:
        self._process.kill()  # a stopped process would not take a gentler end
        self._process.join()


def calls_of_a_turn(contender: Contender) -> int:
    """How many calls take LEAST_SECONDS. The first calls, which take longer, do not count."""
    count = 1
    while (seconds := contender.ask(count)) * count < LEAST_SECONDS / 2:
        count *= 4
    return max(1, math.ceil(LEAST_SECONDS / seconds))


def race(case: Case, contenders: dict[str, Contender], threads: int, rounds: int) -> dict[str, float | None]:
    """The seconds of each; None if its result is wrong."""
    times: dict[str, float | None] = {name: None for name in contenders}
    right = {name: contender for name, contender in contenders.items() if contender.ask((case, threads))}
    counts = {name: calls_of_a_turn(contender) for name, contender in right.items()}
    for _ in range(rounds):
        for name, contender in right.items():
            taken, before = contender.ask(counts[name]), times[name]
            times[name] = taken if before is None else min(before, taken)
    return times


# ---- The table ------------------------------------------------------------------------------------------------------


def mean(ratios: Sequence[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def table(rows: Sequence[dict[str, Any]], names: Sequence[str]) -> list[str]:
    """For each width: the geometric means of the times of others over strew's, and the cells that strew loses."""
    peers = [name for name in names if name != "strew"]
    lines = [f"| width | {' | '.join(peers)} | the best of them | strew is slower |", f"|{' --- |' * (len(peers) + 3)}"]
    for width in sorted({row["width"] for row in rows}):
        cells = [row for row in rows if row["width"] == width and row["seconds"]["strew"]]
        shown = []
        for peer in peers:
            ratios = [row["seconds"][peer] / row["seconds"]["strew"] for row in cells if row["seconds"][peer]]
            shown.append(f"{mean(ratios):.2f}" if ratios else "-")
        best = [
            min(seconds for name, seconds in row["seconds"].items() if name != "strew" and seconds) / row["seconds"]["strew"]
            for row in cells
        ]
        slower = sum(ratio < 1 for ratio in best)
        lines.append(f"| {width} | {' | '.join(shown)} | {mean(best):.2f} | {slower} of {len(best)} |")
    return lines


def measure(options: argparse.Namespace, names: Sequence[str], sizes: Sequence[int], widths: Sequence[int]) -> list[dict[str, Any]]:
    """Races the products that are asked for, and returns a row for each."""
    rows = []
    with contextlib.ExitStack() as ends:
        racers = {name: Contender(name) for name in names}
        for racer in racers.values():
            ends.callback(racer.close)
        for threads, case in ((threads, case) for threads in options.threads for case in cases(options.matrix, sizes, widths)):
            if not options.filter.search(case.name):
                continue
            seconds = race(case, racers, threads, options.rounds)
            times = "  ".join(f"{name} {value * 1e6:.1f} us" if value else f"{name} WRONG" for name, value in seconds.items())
            print(f"{case.name}, {threads} threads: {times}")
            fields = {"name": case.name, "graph": case.graph, "rows": case.matrix.shape[0], "entries": case.matrix.nnz}
            fields |= {"width": case.width, "index_dtype": case.index_dtype, "weighted": case.is_weighted}
            rows.append(fields | {"threads": threads, "seconds": seconds})
    return rows


def compare(options: argparse.Namespace, sizes: Sequence[int] = SIZES, widths: Sequence[int] = WIDTHS) -> int:
    """Compares, prints, writes the requested files, and returns the exit status: 1 if strew was wrong."""
    if not importlib.util.find_spec("scipy"):
        print("spmm needs SciPy, which is not here", file=sys.stderr)
        return 2
    names = contenders()
    rows = measure(options, names, sizes, widths)
    if not rows:
        print("spmm: no product has a name in which --filter is found", file=sys.stderr)
        return 2
    lines = table(rows, names)
    print("\n".join(["", "geometric means of the others' times over strew's: above 1, strew is faster", "", *lines]))
    if options.out:
        options.out.write_text(json.dumps({"format": 1, "rows": rows}, indent=1) + "\n")
    if options.markdown:
        options.markdown.write_text("\n".join(lines) + "\n")
    return 1 if any(row["seconds"]["strew"] is None for row in rows) else 0
