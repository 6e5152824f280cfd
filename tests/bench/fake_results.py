"""Result files as strew-bench writes them, of machines that do not exist."""

from __future__ import annotations

import json
import re
import tempfile
import unittest
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

ISAS = ("scalar", "avx2")
FAMILIES = {
    "slice_copy": ("gather_nd/f32/1000x256x10x15", "scatter_nd/f32/1000x256x10x15", "gather_nd/f32/30x2x100x35"),
    "reduction": ("scatter_nd/sum/f32/1000x256x10x15", "scatter_nd/max/bf16/1000x256x10x15"),
    "rows": ("scatter_nd/sum/f32/1x1024", "scatter_nd/max/f32/1x1024", "scatter_nd/sum/i16/1x1024"),
    "index": tuple(f"gather_nd/f32/{rows}x{length}" for rows in (1000, 10000, 100000) for length in (1, 16, 256)),
    "elements": ("gather_elements/f32/1000x256x7x7/axis:0", "scatter_elements/sum/f32/1000x256x7x7/axis:3"),
}

NAMES = [
    f"{family}/{call}/{isa}/threads:1" for family, calls in FAMILIES.items() for call in calls for isa in ISAS
]

Factor = Callable[[str], float]


def entry(name: str, microseconds: float) -> dict[str, Any]:
    """One repetition of a row of 1000 items, each as long as the last dimension of its shape, read and written."""
    seconds = microseconds * 1e-6
    item_bytes = 2 * 4 * int(re.search(r"x(\d+)/", name)[1])
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
    return {
        "context": {"cpu": cpu, "compiler": "gcc 12", "threads": "1", "active_isa": "avx2"},
        "benchmarks": [entry(name, 20 * factor(name) * share) for name in NAMES for share in spread],
    }


def write(folder: Path, name: str, content: dict) -> Path:
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
