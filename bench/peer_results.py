"""Reads the results of bench/peers/peers.py: the times of each call and number of threads, from Python and from C."""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from results import ResultError

TITLES = {
    ("gather", "none"): "Gather",
    ("gather_nd", "none"): "GatherND",
    ("scatter_nd", "none"): "ScatterND",
    ("scatter_nd", "sum"): "ScatterND, sum",
    ("gather_elements", "none"): "GatherElements",
    ("scatter_elements", "none"): "ScatterElements",
    ("scatter_elements", "sum"): "ScatterElements, sum",
    ("scatter", "none"): "Scatter",
    ("scatter", "sum"): "Scatter, sum",
    ("tensor_scatter", "none"): "TensorScatter",
    ("slice_scatter", "none"): "SliceScatter",
    ("embedding_bag_offsets", "sum"): "EmbeddingBagOffsets, sum",
    ("embedding_bag_offsets", "mean"): "EmbeddingBagOffsets, mean",
    ("embedding_bag_packed", "sum"): "EmbeddingBagPacked, sum",
    ("embedding_segments", "sum"): "EmbeddingSegments, sum",
    ("segment_reduce", "sum"): "Rows combined by segment, sum",
    ("segment_reduce", "max"): "Rows combined by segment, max",
    ("gather_scatter", "sum"): "A layer of a graph network: in one call",
}
ELEMENT_BYTES = {"float16": 2, "bfloat16": 2, "float32": 4, "float64": 8, "int32": 4, "int64": 8}
# Usual values, which labels leave out.
USUAL = {"dtype": "float32", "index_dtype": "int64"}
FORMAT = 3  # of the file
STREW, THROUGH = "strew in C", " through strew"


@dataclass(frozen=True)
class Call:
    """A compared call: its workload, and its times for each number of threads."""

    workload: dict[str, Any]
    seconds: dict[int, dict[str, float | None]]  # threads, then library
    ratios: dict[int, float]  # threads: the fastest library alone over the fastest way into strew, from Python
    ratios_in_c: dict[int, float]  # threads: the fastest peer in C over strew in C
    gains: dict[int, dict[str, float]]  # threads, then library: its time over its time through strew

    @property
    def title(self) -> str:
        """The operator, and whether it adds; or the name of a sequence of calls."""
        if self.workload.get("first"):
            return "A layer of a graph network: gathered, summed"
        key = self.workload["operator"], self.workload["reduction"]
        return TITLES.get(key, " ".join(word for word in key if word != "none"))

    @property
    def _takes_elements(self) -> bool:
        return self.workload["operator"].endswith("_elements")

    @property
    def _takes_tuples(self) -> bool:
        return self.workload["operator"].endswith("_nd")

    @property
    def label(self) -> str:
        """The moved rows: "3,125 rows of 60 B, float16"."""
        work = self.workload
        words = [
            moved_text(*self._moved()),
            f"batch_dims {work['batch_dims']}" if work["batch_dims"] else "",
            f"axis {work['axis']}" if self._tells_axis else "",
            f"into {work['rows_out']:,}" if work.get("rows_out") else "",
            "weighted" if work.get("weighted") else "",
            "copied first" if not work["in_place"] and work["operator"].startswith("scatter") else "",
            {"zipf": "Zipf", "expanded": "1 index a row", "sorted": "sorted"}.get(work["draw"], ""),
            work["dtype"] if work["dtype"] != USUAL["dtype"] else "",
            f"{work['index_dtype']} indices" if work["index_dtype"] != USUAL["index_dtype"] else "",
            work.get("bounds", "refuse").replace("refuse", ""),
        ]
        return ", ".join(word for word in words if word)

    def _moved(self) -> tuple[int, int]:
        """The number of moved rows, and the bytes of one; 0 for single elements."""
        data, indices, axis = self.workload["data"], self.workload["indices"], self.workload["axis"]
        if self._takes_elements:
            return math.prod(indices), 0
        if self._takes_tuples:
            row, count = data[self.workload["batch_dims"] + indices[-1] :], math.prod(indices[:-1])
        elif self.workload.get("rows_out"):
            row, count = data[1:], math.prod(indices)
        else:
            row, count = data[axis + 1 :], math.prod(data[:axis]) * (self.workload["window"] or math.prod(indices))
        row_bytes = math.prod(row) * ELEMENT_BYTES.get(self.workload["dtype"], 4)
        return count, row_bytes if math.prod(row) > 1 else 0

    @property
    def _tells_axis(self) -> bool:
        axis, rank = self.workload["axis"], len(self.workload["data"])
        return axis > 0 if rank == 2 else rank > 2 and not self._takes_tuples


def moved_text(count: int, row_bytes: int) -> str:
    """3,125 rows of 60 B; 10M elements."""
    number = f"{count / 1e6:.3g}M" if count >= 1e6 else f"{count:,}"
    return f"{number} rows of {row_bytes} B" if row_bytes else f"{number} elements"


@dataclass(frozen=True)
class Peers:
    """One comparison: all its calls."""

    machine: str
    date: str
    isa: str
    versions: dict[str, str]
    calls: list[Call]

    def thread_counts(self) -> list[int]:
        """The least and the greatest number of threads; one number if there was no other."""
        counts = sorted({threads for call in self.calls for threads in call.seconds})
        return sorted({counts[0], counts[-1]})

    def ratios(self, threads: int) -> list[float]:
        """The ratios from Python."""
        return [call.ratios[threads] for call in self.calls if threads in call.ratios]

    def ratios_in_c(self, threads: int) -> list[float]:
        """The ratios from C."""
        return [call.ratios_in_c[threads] for call in self.calls if threads in call.ratios_in_c]

    def through(self) -> list[str]:
        """The libraries that were measured through strew too."""
        return list(dict.fromkeys(name for call in self.calls for gains in call.gains.values() for name in gains))

    def columns(self) -> list[str]:
        """All libraries with a time."""
        return list(dict.fromkeys(name for call in self.calls for times in call.seconds.values() for name in times))

    @property
    def origin(self) -> str:
        """The machine, the date and the versions, in a sentence each."""
        versions = ", ".join(
            f"{name} {short(version)}" for name, version in self.versions.items() if THROUGH not in name
        )
        machine = self.machine.partition(";")[0]
        return f"{machine[:1].upper()}{machine[1:]}, {self.isa}, {self.date}. {versions}."


def short(version: str) -> str:
    """2026.4.1 of 2026.4.1-22982-e213a147257-releases/2026/4, 2.13.0 of 2.13.0+cpu."""
    return version.partition("-")[0].partition("+")[0]


def load(path: Path) -> Peers:
    """Reads a file."""
    try:
        content = json.loads(path.read_text())
        if content.get("format") != FORMAT:
            raise ResultError(f"{path}: not of format {FORMAT}; make bench-peers writes it anew")
        context, calls = content["context"], read_calls(content["rows"])
        peers = Peers(context["machine"], context["date"], context["isa"], context["versions"], calls)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ResultError(f"{path}: not a file of bench/peers/peers.py ({error})") from error
    if not any(call.gains.get(threads) for call in calls for threads in call.gains):
        raise ResultError(f"{path}: no row in which a library has a time alone and through strew")
    return peers


def read_calls(rows: Iterable[dict[str, Any]]) -> list[Call]:
    """The rows of one workload become one call, in the order of the file."""
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        found.setdefault(json.dumps(row["workload"]), []).append(row)
    return [read_call(group) for group in found.values()]


def read_call(rows: Sequence[dict[str, Any]]) -> Call:
    """A workload on each number of threads."""
    seconds = {row["threads"]: {name: cell["seconds"] for name, cell in cells_of(row).items()} for row in rows}
    ratios = {row["threads"]: row["ratio"] for row in rows if row["ratio"]}
    ratios_in_c = {row["threads"]: row["ratio_in_c"] for row in rows if row["ratio_in_c"]}
    gains = {row["threads"]: {name.removesuffix(THROUGH): gain for name, gain in row["gains"].items()} for row in rows}
    return Call(rows[0]["workload"], seconds, ratios, ratios_in_c, gains)


def cells_of(row: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The cells of a row, in the order of columns."""
    return {**row["peers"], **row["through"], **row["in_c"], STREW: row["strew"]}
