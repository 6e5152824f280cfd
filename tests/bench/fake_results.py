"""Result files in the formats of strew-bench and bench/peers/peers.py, from invented machines."""

from __future__ import annotations

import json
import re
import tempfile
import unittest
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

ISAS = ("scalar", "avx2")
AXES = tuple(f"axis:{axis}" for axis in range(4))
FAMILIES = {
    "slice_copy": (
        "gather_nd/f32/1000x256x10x15",
        "scatter_nd/f32/1000x256x10x15",
        "gather_nd/f32/30x2x100x35/batch_dims:2",
        "gather_nd/f32/1x64x64x320/batch_dims:3",
        "scatter_nd/f32/1000x256x10x15/out_of_place",
        *(f"gather_nd/f32/16384x{length}" for length in (1, 4, 16, 64, 256, 1024)),
    ),
    "reduction": ("scatter_nd/sum/f32/1000x256x10x15", "scatter_nd/max/bf16/1000x256x10x15"),
    "rows": ("scatter_nd/sum/f32/1x1024", "scatter_nd/max/f32/1x1024", "scatter_nd/sum/i16/1x1024"),
    # Both numbers differ between rows, so no line joins them.
    "index": tuple(f"gather_nd/f32/{rows}x{length}" for rows, length in ((1000, 1), (10000, 16), (100000, 256))),
    "elements": (
        *(f"gather_elements/f32/1000x256x7x7/{axis}" for axis in AXES),
        *(f"scatter_elements/sum/f32/1000x256x7x7/{axis}" for axis in AXES),
        *(f"scatter_elements/f32/{size}/axis:0" for size in (100000, 1000000, 10000000)),
    ),
    "call": ("scatter_elements/sum/f32/64x50/axis:1/planned", "scatter_elements/sum/f32/64x50/axis:1/one_call"),
}
LIMITS = (
    *(f"limit/{copy}/{size}/threads:1" for copy in ("memcpy", "streaming_copy") for size in (16384, 262144, 4194304)),
    *(f"limit/slice_copy/gather_nd/f32/16384x{length}/moves/threads:1" for length in (1, 4, 16, 64, 256, 1024)),
)

OF_STREW = [f"{family}/{call}/{isa}/threads:1" for family, calls in FAMILIES.items() for call in calls for isa in ISAS]
NAMES = [*OF_STREW, *LIMITS]

Factor = Callable[[str], float]


def entry(name: str, microseconds: float) -> dict[str, Any]:
    """One repetition of a row of 1000 items, each as long as the last dimension of its shape, read and written."""
    seconds = microseconds * 1e-6
    row = re.search(r"x(\d+)/", name)
    item_bytes = 2 * 4 * int(row[1] if row else 1)
    return {
        "name": name,
        "run_name": name,
        "run_type": "iteration",
        "real_time": microseconds,
        "cpu_time": microseconds,
        "time_unit": "us",
        "bytes_per_second": 1e3 * item_bytes / seconds,
        "items_per_second": 1e3 / seconds,
        "memcpy_ratio": 5 / microseconds,
        "limit_ratio": 10 / microseconds,
    }


def results(factor: Factor = lambda name: 1, cpu: str = "Example 1", spread: Iterable[float] = (1,)) -> dict:
    """A file in which each row takes 20 us times its factor, repeated with each of the spread."""
    facts = {"compiler": "gcc 12", "threads": "1", "active_isa": "avx2", "library_build_type": "debug"}
    return {
        "context": {"cpu": cpu, **facts},
        "benchmarks": [entry(name, 20 * factor(name) * share) for name in NAMES for share in spread],
    }


# The default fields of a peers' workload.
USUAL = {
    "reduction": "none", "dtype": "float32", "index_dtype": "int64", "axis": 0, "batch_dims": 0, "in_place": True,
    "draw": "uniform", "first": None,
}  # fmt: skip
MAPS = {"data": [1000, 256, 10, 15], "indices": [25, 125, 3]}
SMALL_MAPS = {"data": [1000, 256, 7, 7], "indices": [125, 20, 7, 6]}
GRAPH = {"data": [50000, 64], "indices": [200000, 1], "reduction": "sum"}
WORKLOADS = [
    {"operator": "gather_nd", **MAPS},
    {"operator": "gather_nd", **MAPS, "index_dtype": "int32"},
    {"operator": "gather_nd", "data": [30, 2, 100, 35], "indices": [30, 2, 3, 1], "batch_dims": 2},
    {"operator": "scatter_nd", **MAPS, "in_place": False},
    {"operator": "scatter_nd", **MAPS, "reduction": "sum", "dtype": "bfloat16"},
    {"operator": "scatter_nd", "data": [1000000, 64], "indices": [1000000, 1], "reduction": "sum", "draw": "zipf"},
    *({"operator": "gather_elements", **SMALL_MAPS, "axis": axis} for axis in range(4)),
    {
        "operator": "scatter_elements",
        "data": [55641, 80],
        "indices": [48138, 80],
        "reduction": "sum",
        "draw": "expanded",
    },
    {"operator": "scatter_nd", **GRAPH, "first": {"operator": "gather_nd", **GRAPH}},
]
VERSIONS = {
    "strew": "0.2.0", "NumPy": "2.4.6", "PyTorch": "2.13.0+cpu",
    "OpenVINO": "2026.4.1-22982-e213a147257-releases/2026/4", "NumPy through strew": "0.2.0",
}  # fmt: skip


def peers(seconds: float = 1e-6) -> dict:
    """A comparison: through strew NumPy takes half as long, from C loops three times as long as strew."""
    return {
        "format": 3,
        "context": {
            "date": "2026-11-22",
            "machine": "Example 1",
            "cpu": "Example 1",
            "isa": "avx2",
            "versions": VERSIONS,
        },
        "rows": [peers_row(USUAL | workload, threads, seconds) for workload in WORKLOADS for threads in (1, 2)],
    }


def peers_row(workload: dict[str, Any], threads: int, seconds: float) -> dict[str, Any]:
    """A row of it."""
    gain = 2 if threads == 1 else 0.5
    cell = lambda time: {"seconds": time and time * seconds, "text": "", "wrong": False}  # noqa: E731
    return {
        "title": "", "workload": workload, "threads": threads,
        "peers": {"NumPy": cell(1.5 * gain), "PyTorch": cell(4), "OpenVINO": cell(None)},
        "through": {"NumPy through strew": cell(1.5)},
        "in_c": {"loops in C": cell(3 if threads == 1 else None)}, "strew": cell(1),
        "best_peer": "NumPy", "ratio": gain, "best_in_c": "loops in C", "ratio_in_c": 3 if threads == 1 else None,
        "gains": {"NumPy through strew": gain},
    }  # fmt: skip


def write(folder: Path, name: str, content: object) -> Path:
    """Writes such a file."""
    path = folder / f"{name}.json"
    path.write_text(json.dumps(content))
    return path


class FolderTest(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
