"""The results: rows, the table of the terminal, a line at a time, and the table of a page in Markdown."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from workloads import Workload, shape_text

UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))
HEADINGS = ("operator", "data", "indices", "dtype")
TIME_WIDTH = 13
RATIO_WIDTH = 6

# How the name of a peer ends whose arrays are handed to strew.
THROUGH = " through strew"


@dataclass(frozen=True)
class Cell:
    """A peer's time in a row, and how it was reached. Without a time, it had no right result, or none at all."""

    seconds: float | None
    text: str
    wrong: bool = False


@dataclass(frozen=True)
class Row:
    """A workload on so many threads. Who reaches strew from Python stands under `through`, and is no peer."""

    workload: Workload
    threads: int
    peers: dict[str, Cell]
    strew: Cell
    through: dict[str, Cell]

    @property
    def best_peer(self) -> str | None:
        """The name of the fastest one that is right."""
        times = {name: cell.seconds for name, cell in self.peers.items() if cell.seconds}
        return min(times, key=times.__getitem__, default=None)

    @property
    def ratio(self) -> float | None:
        """The best peer's time over strew's."""
        return quotient(self.peers.get(self.best_peer), self.strew)

    @property
    def gains(self) -> dict[str, float]:
        """The time of each peer over its time through strew."""
        ratios = {name: quotient(self.peers.get(name.removesuffix(THROUGH)), c) for name, c in self.through.items()}
        return {name: ratio for name, ratio in ratios.items() if ratio}

    @property
    def cells(self) -> dict[str, Cell]:
        """All of them, in the order of columns."""
        return {**self.peers, "strew": self.strew, **self.through}


def quotient(cell: Cell | None, other: Cell) -> float | None:
    """How many times as long the first one takes, if both have a time."""
    return cell.seconds / other.seconds if cell and cell.seconds and other.seconds else None


def time_text(seconds: float) -> str:
    """Three digits and a unit: 4.56 us."""
    least = 0.9995  # rounds up to 1.00
    scale, unit = next((unit for unit in UNITS if seconds >= least * unit[0]), UNITS[-1])
    digits = f"{seconds / scale:#.3g}".rstrip(".")
    return f"{digits} {unit}"


def cell_text(cell: Cell) -> str:
    """Its time, or why there is none."""
    return time_text(cell.seconds) if cell.seconds else "WRONG" if cell.wrong else "-"


class Table:
    """Prints rows as they come, and knows the formulations that it has printed letters for."""

    def __init__(self, peers: Sequence[str], through: Sequence[str], workloads: Iterable[Workload]) -> None:
        self._letters: dict[str, dict[str, str]] = {name: {} for name in (*peers, *through)}
        self._names = [*peers, "strew", *(name.replace(THROUGH, "+strew") for name in through)]
        columns = [self._texts(workload) for workload in workloads]
        self._widths = [max(map(len, column)) for column in zip(HEADINGS, *columns)]

    @staticmethod
    def _texts(workload: Workload) -> tuple[str, ...]:
        operator = f"{workload.operator} {workload.details}".rstrip()
        return operator, shape_text(workload.data), shape_text(workload.indices), workload.dtype

    def _line(self, texts: Iterable[str], threads: object, times: Iterable[str], ratio: str) -> str:
        words = [f"{text:<{width}}" for text, width in zip(texts, self._widths)]
        words += [f"{threads:>7}", f"{ratio:>{RATIO_WIDTH}}", *times]
        return "  ".join(words).rstrip()

    def head(self) -> str:
        """The names of the columns."""
        return self._line(HEADINGS, "threads", [f"{name:>{TIME_WIDTH}}  " for name in self._names], "ratio")

    def row(self, row: Row) -> str:
        """A row."""
        times = [f"{cell_text(cell):>{TIME_WIDTH}} {self._letter(name, cell)}" for name, cell in row.cells.items()]
        ratio = "-" if row.ratio is None else f"{row.ratio:.2f}"
        slower = "  slower" if row.ratio is not None and row.ratio < 1 else ""
        return self._line(self._texts(row.workload), row.threads, times, ratio) + slower

    def _letter(self, name: str, cell: Cell) -> str:
        if name not in self._letters or not cell.seconds:
            return " "
        letters = self._letters[name]
        return letters.setdefault(cell.text, chr(ord("a") + len(letters)))

    def legend(self) -> list[str]:
        """What the letters stand for."""
        lines = []
        for name, letters in self._letters.items():
            lines += [f"{name} {letter}: {text}" for text, letter in letters.items()]
        return lines


def summary(rows: Sequence[Row]) -> list[str]:
    """Some lines for each number of threads."""
    lines = []
    for threads in thread_counts_of(rows):
        compared = [row for row in rows if row.threads == threads and row.ratio is not None]
        if compared:
            lines += summary_of(f"threads {threads}: ", compared)
    return lines


def thread_counts_of(rows: Iterable[Row]) -> list[int]:
    """The numbers of threads, each once."""
    return sorted({row.threads for row in rows})


def summary_of(head: str, rows: Sequence[Row]) -> list[str]:
    """How many rows are slower, and which one most; what each peer gains by strew."""
    ratios = [row.ratio for row in rows]
    worst = min(rows, key=lambda row: row.ratio)
    mean = statistics.geometric_mean(ratios)
    slower = sum(ratio < 1 for ratio in ratios)
    lines = [
        f"{head}ratio {min(ratios):.2f} to {max(ratios):.2f}, geometric mean {mean:.2f}; "
        f"{slower} of {len(rows)} rows slower than a peer",
        f"{'':{len(head)}}worst: {worst.workload.name}",
    ]
    for name, gains in gains_of(rows).items():
        mean = statistics.geometric_mean(gains)
        lines.append(f"{'':{len(head)}}{name}: {min(gains):.2f} to {max(gains):.2f} times as fast, mean {mean:.2f}")
    return lines


def gains_of(rows: Iterable[Row]) -> dict[str, list[float]]:
    """What each peer gains by strew, row by row."""
    gains: dict[str, list[float]] = {}
    for row in rows:
        for name, gain in row.gains.items():
            gains.setdefault(name, []).append(gain)
    return gains


def markdown(rows: Sequence[Row], context: Mapping[str, Any]) -> str:
    """A caption, a table with a line for each call, and a table of means, ready for a page."""
    return "\n\n".join([caption(rows, context), markdown_table(rows), markdown_means(rows)]) + "\n"


def caption(rows: Sequence[Row], context: Mapping[str, Any]) -> str:
    """What was measured, where and when."""
    versions = ", ".join(f"{name} {version}" for name, version in context["versions"].items() if THROUGH not in name)
    threads = "; ".join(f"{count} thread{'s' if count > 1 else ''}" for count in thread_counts_of(rows))
    return (
        f"{versions}. Measured {context['date']} on {context['machine']}. Times of one call on {threads}; what "
        "has one thread or the same time on both stands there once. Of each library the fastest way to write the call "
        "that was tried, called from Python; strew by its C functions, planned. float32, int64 indices and scatters in "
        "place unless named. The ratio is the fastest peer's time over strew's: above 1, strew is faster. WRONG: a "
        "result that is not right, which is not timed; -: the library does not have it, or strew no part in it."
    )


def markdown_table(rows: Sequence[Row]) -> str:
    """A line for each call, its times on each number of threads in one cell."""
    columns = list(rows[0].cells)
    lines = [["call", *columns, "ratio"], ["---"] * (len(columns) + 2)]
    for workload, of_call in groupby(rows, key=lambda row: row.workload):
        same = list(of_call)
        times = [joined(cell_text(row.cells[name]) for row in same) for name in columns]
        ratios = joined("-" if row.ratio is None else ratio_text(row.ratio) for row in same)
        lines.append([workload.title, *times, ratios])
    return "\n".join(markdown_line(line) for line in lines)


def markdown_means(rows: Sequence[Row]) -> str:
    """The geometric means over all calls, on each number of threads in one cell."""
    lines = [["geometric mean over the calls of", "is", "from", "to"], ["---"] * 4]
    counts = thread_counts_of(rows)
    for name, ratios in means_of(rows, counts):
        compared = [of_count for of_count in ratios if of_count]
        mean, least, most = (
            joined(ratio_text(function(of_count)) for of_count in compared)
            for function in (statistics.geometric_mean, min, max)
        )
        lines.append([name, mean, least, most])
    return "\n".join(markdown_line(line) for line in lines)


def means_of(rows: Sequence[Row], counts: Sequence[int]) -> Iterator[tuple[str, list[list[float]]]]:
    """What a mean is of, and for each number of threads the ratios that it is taken of."""
    by_count = [[row for row in rows if row.threads == count] for count in counts]
    yield "the fastest peer's time over strew's", [[row.ratio for row in some if row.ratio] for some in by_count]
    for name in rows[0].peers:
        ratios = [[quotient(row.peers[name], row.strew) for row in some] for some in by_count]
        if any(any(some) for some in ratios):
            yield f"{name}'s time over strew's", [[ratio for ratio in some if ratio] for some in ratios]
    for name in rows[0].through:
        alone = name.removesuffix(THROUGH)
        gains = [gains_of(some).get(name, []) for some in by_count]
        if any(gains):
            yield f"{alone}'s time over that of {name}", gains


def ratio_text(ratio: float) -> str:
    """Two digits after the point, of large ones none."""
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:,.0f}"


def joined(texts: Iterable[str]) -> str:
    """Texts for each number of threads; once where they are the same, as those of a library with one thread."""
    return "; ".join(dict.fromkeys(texts))


def markdown_line(cells: Iterable[str]) -> str:
    """A line of a table."""
    return f"| {' | '.join(cells)} |"
