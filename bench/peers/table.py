"""The table: a line for each workload and number of threads, and below it what the lines mean."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from workloads import Workload, shape_text

UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))
HEADINGS = ("operator", "data", "indices", "dtype")
TIME_WIDTH = 12
RATIO_WIDTH = 6


@dataclass(frozen=True)
class Cell:
    """A peer's time in a row, and how it was reached. Without a time, it had no right result, or none at all."""

    seconds: float | None
    text: str
    wrong: bool = False


@dataclass(frozen=True)
class Row:
    """A workload on so many threads."""

    workload: Workload
    threads: int
    peers: dict[str, Cell]
    strew: Cell

    @property
    def ratio(self) -> float | None:
        """The best peer's time over strew's."""
        times = [cell.seconds for cell in self.peers.values() if cell.seconds]
        return min(times) / self.strew.seconds if times and self.strew.seconds else None


def time_text(seconds: float) -> str:
    """Three digits and a unit: 4.56 us."""
    least = 0.9995  # rounds up to 1.00
    scale, unit = next((unit for unit in UNITS if seconds >= least * unit[0]), UNITS[-1])
    digits = f"{seconds / scale:#.3g}".rstrip(".")
    return f"{digits} {unit}"


class Table:
    """Prints rows as they come, and knows the formulations that it has printed letters for."""

    def __init__(self, peers: Sequence[str], workloads: Iterable[Workload]) -> None:
        self._letters: dict[str, dict[str, str]] = {peer: {} for peer in peers}
        columns = [self._texts(workload) for workload in workloads]
        self._widths = [max(map(len, column)) for column in zip(HEADINGS, *columns)]

    @staticmethod
    def _texts(workload: Workload) -> tuple[str, ...]:
        operator = f"{workload.operator} {workload.details}".rstrip()
        return operator, shape_text(workload.data), shape_text(workload.indices), workload.dtype

    def _line(self, texts: Iterable[str], threads: object, times: Iterable[str], ratio: str) -> str:
        words = [f"{text:<{width}}" for text, width in zip(texts, self._widths)]
        words += [f"{threads:>7}", *times, f"{ratio:>{RATIO_WIDTH}}"]
        return "  ".join(words).rstrip()

    def head(self) -> str:
        """The names of the columns."""
        names = [f"{name:>{TIME_WIDTH}}  " for name in self._letters]
        return self._line(HEADINGS, "threads", [*names, f"{'strew':>{TIME_WIDTH}}"], "ratio")

    def row(self, row: Row) -> str:
        """A row."""
        times = [self._cell_text(peer, row.peers[peer]) for peer in self._letters]
        times.append(self._time_text(row.strew))
        ratio = "-" if row.ratio is None else f"{row.ratio:.2f}"
        slower = "  slower" if row.ratio is not None and row.ratio < 1 else ""
        return self._line(self._texts(row.workload), row.threads, times, ratio) + slower

    @staticmethod
    def _time_text(cell: Cell) -> str:
        missing = "WRONG" if cell.wrong else "-"
        return f"{time_text(cell.seconds) if cell.seconds else missing:>{TIME_WIDTH}}"

    def _cell_text(self, peer: str, cell: Cell) -> str:
        return f"{self._time_text(cell)} {self._letter(peer, cell) if cell.seconds else ' '}"

    def _letter(self, peer: str, cell: Cell) -> str:
        letters = self._letters[peer]
        return letters.setdefault(cell.text, chr(ord("a") + len(letters)))

    def legend(self) -> list[str]:
        """What the letters stand for."""
        lines = []
        for peer, letters in self._letters.items():
            lines += [f"{peer} {letter}: {text}" for text, letter in letters.items()]
        return lines


def summary(rows: Sequence[Row]) -> list[str]:
    """Two lines for each number of threads."""
    lines = []
    for threads in sorted({row.threads for row in rows}):
        compared = [row for row in rows if row.threads == threads and row.ratio is not None]
        if compared:
            lines += summary_of(f"threads {threads}: ", compared)
    return lines


def summary_of(head: str, rows: Sequence[Row]) -> list[str]:
    """How many rows are slower, and which one most."""
    ratios = [row.ratio for row in rows]
    worst = min(rows, key=lambda row: row.ratio)
    mean = statistics.geometric_mean(ratios)
    slower = sum(ratio < 1 for ratio in ratios)
    return [
        f"{head}ratio {min(ratios):.2f} to {max(ratios):.2f}, geometric mean {mean:.2f}; "
        f"{slower} of {len(rows)} rows slower than a peer",
        f"{'':{len(head)}}worst: {worst.workload.name}",
    ]
