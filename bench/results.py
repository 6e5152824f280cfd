"""Reads the result files of strew-bench: the machine they come from, and one Row for each line of its table."""

from __future__ import annotations

import json
import math
import re
import statistics
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import header

WORDS = {
    "operator": header.OPERATORS,
    "reduction": header.REDUCTIONS,
    "dtype": header.DTYPE_SUFFIXES,
    "isa": header.ISAS,
}

SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
SHAPE = re.compile(r"\d+(x\d+)*")


class ResultError(Exception):
    """A file that is not a result file, or has no rows."""


@dataclass(frozen=True)
class Name:
    """The parts of a row's name, family/operator/[reduction/]dtype/shape[/key:value...][/isa]/threads:N.

    Families have different parts, so a part is recognised by its text, not by its place; unknown words are labels.
    """

    text: str
    family: str
    operator: str = ""
    reduction: str = ""
    dtype: str = ""
    shape: str = ""
    isa: str = ""
    threads: int = 1
    labels: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Name:
        """Takes a name apart."""
        family, *parts = text.split("/")
        found: dict[str, Any] = {}
        labels = []
        for part in parts:
            kind = kind_of_part(part)
            if kind and kind not in found:
                found[kind] = part
            else:
                labels.append(part)
        threads = int(found.pop("threads", "threads:1").partition(":")[2])
        return cls(text, family, threads=threads, labels=tuple(labels), **found)

    @property
    def operation(self) -> str:
        """The operation without its operands: "scatter_nd sum"."""
        return " ".join(word for word in (self.operator, self.reduction) if word)

    @property
    def data_bytes(self) -> int | None:
        """Size of the tensor in the name. A row without a dtype, such as memcpy's, counts in bytes already."""
        if not self.shape:
            return None
        return math.prod(map(int, self.shape.split("x"))) * (element_bytes(self.dtype) if self.dtype else 1)


def element_bytes(suffix: str) -> int:
    """The size of an element: the first number in its name is in bits, but for strings, a pointer and a size."""
    bits = re.search(r"\d+", suffix)
    return int(bits[0]) // 8 if bits else 16


def kind_of_part(part: str) -> str:
    """The field of Name that a part of a name fills; "" for a label."""
    for kind, known in WORDS.items():
        if part in known:
            return kind
    if part.startswith("threads:"):
        return "threads"
    return "shape" if SHAPE.fullmatch(part) else ""


@dataclass(frozen=True)
class Row:
    """One row, the median of its repetitions. A counter that the row lacks is None."""

    name: Name
    seconds: float
    fastest: float  # of the repetitions
    bytes_per_second: float | None = None
    items_per_second: float | None = None
    memcpy_ratio: float | None = None
    limit_ratio: float | None = None
    scalar_ratio: float | None = None  # scalar's time over this row's, in files that are kept

    @property
    def bytes_per_item(self) -> float | None:
        """Bytes read and written for each item."""
        if not self.bytes_per_second or not self.items_per_second:
            return None
        return self.bytes_per_second / self.items_per_second

    @property
    def seconds_per_item(self) -> float | None:
        """Time for each item."""
        return 1 / self.items_per_second if self.items_per_second else None


@dataclass(frozen=True)
class Machine:
    """One result file. The facts describe the machine and the program."""

    label: str
    facts: dict[str, str]
    rows: list[Row] = field(repr=False)

    def families(self) -> list[str]:
        """The families of the rows, each once, in the order of the file."""
        return list(dict.fromkeys(row.name.family for row in self.rows))


COUNTERS = ("bytes_per_second", "items_per_second", "memcpy_ratio", "limit_ratio", "scalar_ratio")


def load(path: Path) -> Machine:
    """Reads one file."""
    try:
        content = json.loads(path.read_text())
        entries, context = content["benchmarks"], content["context"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ResultError(f"{path}: not a result file of strew-bench ({error})") from error
    rows = read_rows(entries)
    if not rows:
        raise ResultError(f"{path}: no rows")
    return Machine(path.stem, machine_facts(context), rows)


def load_all(paths: Iterable[Path]) -> list[Machine]:
    """Reads several files and labels them apart: by CPU, and by file too where that is not enough."""
    machines = [load(path) for path in paths]
    cpus = [machine.facts.get("cpu", machine.label).partition(";")[0] for machine in machines]
    if len(set(cpus)) < len(cpus):
        cpus = [f"{cpu} ({machine.label})" for cpu, machine in zip(cpus, machines)]
    return [Machine(cpu, machine.facts, machine.rows) for cpu, machine in zip(cpus, machines)]


def load_merged(paths: Iterable[Path]) -> Machine:
    """Reads several files of one machine as one: its facts are the first file's, its rows those that all files have."""
    machines = [load(path) for path in paths]
    rows = [{row.name.text: row for row in machine.rows} for machine in machines]
    common = [name for name in rows[0] if all(name in others for others in rows)]
    return Machine(machines[0].label, machines[0].facts, [merged_row([of[name] for of in rows]) for name in common])


def merged_row(rows: list[Row]) -> Row:
    """One row from the same row of several files: the median time, and the fastest of all repetitions."""
    return replace(
        rows[0],
        seconds=statistics.median(row.seconds for row in rows),
        fastest=min(row.fastest for row in rows),
    )


def read_rows(entries: list[dict[str, Any]]) -> list[Row]:
    """Turns the entries of a file into rows, in its order. Rows that failed are left out."""
    repetitions: dict[str, list[dict[str, Any]]] = {}
    for entry in entries:
        if not entry.get("error_occurred"):
            repetitions.setdefault(entry.get("run_name", entry["name"]), []).append(entry)
    rows = (median_row(name, entries) for name, entries in repetitions.items())
    return [row for row in rows if row]


def median_row(name: str, entries: list[dict[str, Any]]) -> Row | None:
    """One row from all entries of a name.

    It uses the repetitions. A file with --benchmark_report_aggregates_only only has aggregates: then it uses their
    median, and without that there is no row.
    """
    runs = [entry for entry in entries if entry.get("run_type", "iteration") == "iteration"]
    runs = runs or [entry for entry in entries if entry.get("aggregate_name") == "median"]
    if not runs:
        return None
    parsed = Name.parse(name)
    # The processor time of the calling thread leaves out the other threads.
    clock = "real_time" if parsed.threads > 1 or "real_time" in parsed.labels else "cpu_time"
    times = [run[clock] * SECONDS[run["time_unit"]] for run in runs]
    counters = {key: median_counter(runs, key) for key in COUNTERS}
    return Row(parsed, statistics.median(times), min(times), **counters)


def median_counter(runs: list[dict[str, Any]], key: str) -> float | None:
    """The median of a counter, if the runs have it."""
    values = [run[key] for run in runs if key in run]
    return statistics.median(values) if values else None


def machine_facts(context: dict[str, Any]) -> dict[str, str]:
    """The facts of the context that are texts and numbers, without the lists (the caches are also a text)."""
    return {key: str(value) for key, value in context.items() if isinstance(value, (str, int, float))}
