"""Makes the calls of calls.c by NumPy or PyTorch, on ARM under QEMU, and marks them for the plugin (plugin.c).

    peer_calls.py numpy|torch ENTRIES

prints the name of each region, in order; the first region is empty. peers.py runs this.
"""

import ctypes
import sys
from collections.abc import Callable

import numpy as np

MARK, BEGIN, END = 9000, 1, 2  # the same as in plugin.c
ROWS, LINES, BAG = 1000, 40, 8  # the same as in calls.c
mark = ctypes.CDLL(None).syscall
DTYPES = {"uint8": np.uint8, "float16": np.float16, "float32": np.float32}
CALLS = (
    *(f"gather uint8 {size} B" for size in (12, 24, 60, 100, 256, 512, 1024)),
    "gather_nd float32 64 B", "gather_elements float32",
    *(f"scatter float32{reduction} {size} B" for reduction in ("", " sum", " max") for size in (60, 256)),
    *(f"scatter_elements float32{reduction}" for reduction in ("", " sum", " max")),
    *(f"embedding_bag {dtype} sum {size} B" for dtype in ("float32", "float16") for size in (60, 256)),
    "embedding_bag float32 max 256 B",
    *(f"segment_reduce float32 {reduction} {size} B" for reduction in ("sum", "max") for size in (60, 256)),
    *(f"gather_scatter float32 sum {size} B" for size in (60, 256)),
)
RANDOM = np.random.default_rng(1)


class Tensors:
    """The tensors of a call, as calls.c draws them."""

    def __init__(self, dtype: str, row_bytes: int, entries: int) -> None:
        columns = (row_bytes // np.dtype(DTYPES[dtype]).itemsize,) if row_bytes else ()
        self.data, self.dense = (
            RANDOM.uniform(0.25, 8, (count, *columns)).astype(DTYPES[dtype]) for count in (ROWS, entries)
        )
        self.indices, self.targets = RANDOM.integers(0, ROWS, entries), RANDOM.integers(0, entries, entries)
        self.pairs = RANDOM.integers(0, LINES, entries), RANDOM.integers(0, ROWS // LINES, entries)
        self.begins = np.arange(0, entries, BAG)
        self.bags = np.empty((entries // BAG, *columns), DTYPES[dtype])
        self.nd = self.data.reshape(LINES, ROWS // LINES, *columns)


def by_numpy(operator: str, reduction: str, t: Tensors) -> Callable[[], object] | None:
    """A function that makes the call. None: NumPy has no such call."""
    combine = {"sum": np.add, "max": np.maximum}.get(reduction)
    folded = {"gather_scatter": lambda: combine.at(t.data, t.indices, t.dense[t.targets])}
    return {
        "gather": lambda: np.take(t.data, t.indices, 0, t.dense, "clip"),
        "gather_elements": lambda: np.take(t.data, t.indices, 0, t.dense, "clip"),
        "gather_nd": lambda: t.nd[t.pairs],
        "scatter": (lambda: combine.at(t.data, t.indices, t.dense)) if combine
        else lambda: t.data.__setitem__(t.indices, t.dense),
        "scatter_elements": (lambda: combine.at(t.data, t.indices, t.dense)) if combine
        else lambda: t.data.__setitem__(t.indices, t.dense),
        "embedding_bag": lambda: combine.reduceat(t.data[t.indices], t.begins, 0, None, t.bags),
        "segment_reduce": lambda: combine.reduceat(t.dense, t.begins, 0, None, t.bags),
    }.get(operator) or folded[operator]


def by_torch(operator: str, reduction: str, t: Tensors) -> Callable[[], object]:
    """The same with PyTorch."""
    import torch

    torch.set_num_threads(1)
    data, dense, indices, targets, begins = map(torch.from_numpy, (t.data, t.dense, t.indices, t.targets, t.begins))
    nd, pairs = torch.from_numpy(t.nd), tuple(map(torch.from_numpy, t.pairs))
    lengths = torch.full((len(begins),), BAG)
    of_rows = {"sum": lambda: data.index_add_(0, indices, dense),
               "max": lambda: data.index_reduce_(0, indices, dense, "amax")}
    of_elements = {"sum": lambda: data.scatter_add_(0, indices, dense),
                   "max": lambda: data.scatter_reduce_(0, indices, dense, "amax")}
    return {
        "gather": lambda: torch.index_select(data, 0, indices, out=dense),
        "gather_elements": lambda: torch.gather(data, 0, indices, out=dense),
        "gather_nd": lambda: nd[pairs],
        "scatter": of_rows.get(reduction) or (lambda: data.index_copy_(0, indices, dense)),
        "scatter_elements": of_elements.get(reduction) or (lambda: data.scatter_(0, indices, dense)),
        "embedding_bag": lambda: torch.nn.functional.embedding_bag(indices, data, begins, mode=reduction),
        "segment_reduce": lambda: torch.segment_reduce(dense, reduction, lengths=lengths),
        "gather_scatter": lambda: data.index_add_(0, indices, dense[targets]),
    }[operator]


def nothing() -> None:
    """The call of the empty region."""


def count(region: int, name: str, call: Callable[[], object]) -> None:
    """Makes a call once more than the one that is counted."""
    call()
    mark(MARK, BEGIN, region)
    call()
    mark(MARK, END, region)
    print(name, flush=True)


def main() -> None:
    peer, entries = {"numpy": by_numpy, "torch": by_torch}[sys.argv[1]], int(sys.argv[2])
    count(0, "nothing", nothing)
    for region, name in enumerate(CALLS):
        operator, dtype, *rest = name.removesuffix(" B").split()
        row_bytes = int(rest.pop()) if name.endswith(" B") else 0
        reduction = rest[0] if rest else ""
        count(region + 1, name, peer(operator, reduction, Tensors(dtype, row_bytes, entries)))


main()
