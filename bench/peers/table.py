"""The results: rows, the table of the terminal, a line at a time, and the Markdown table of a page."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from workloads import Workload, shape_text

UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))
HEADINGS = ("operator", "data", "indices", "dtype")
TIME_WIDTH = 13
RATIO_WIDTH = 6
# The two ratios: who is fastest of those that are called from one language, over strew called from it.
RATIOS = ("Python", "C")
PYTHON_TO_PYTHON = "the fastest library alone over the fastest way into strew, from Python"
C_TO_C = "the fastest peer in C over strew in C"

# The end of a peer's name if its arrays go to strew.
THROUGH = " through strew"


@dataclass(frozen=True)
class Cell:
    """A peer's time in a row, and its formulation. Without a time, it had a wrong result, or none."""

    seconds: float | None
    text: str
    wrong: bool = False


@dataclass(frozen=True)
class Row:
    """A workload on so many threads. `peers` are libraries alone, called from Python, and `through` the same libraries
    with strew in them; `in_c` are strew's peers in C, and `strew` is strew in C."""

    workload: Workload
    threads: int
    peers: dict[str, Cell]
    through: dict[str, Cell]
    in_c: dict[str, Cell]
    strew: Cell

    @property
    def best_peer(self) -> str | None:
        """The name of the fastest library alone that is right."""
        return fastest(self.peers)

    @property
    def best_way(self) -> str | None:
        """The fastest way into strew from Python."""
        return fastest(self.through)

    @property
    def ratio(self) -> float | None:
        """The time of the fastest library alone over that of the fastest way into strew, both from Python."""
        return quotient(self.peers.get(self.best_peer), self.through.get(self.best_way))

    @property
    def best_in_c(self) -> str | None:
        """The name of strew's fastest peer in C."""
        return fastest(self.in_c)

    @property
    def ratio_in_c(self) -> float | None:
        """Its time over strew's, both from C."""
        return quotient(self.in_c.get(self.best_in_c), self.strew)

    @property
    def gains(self) -> dict[str, float]:
        """The time of each library alone over its time through strew."""
        ratios = {name: quotient(self.peers.get(name.removesuffix(THROUGH)), c) for name, c in self.through.items()}
        return {name: ratio for name, ratio in ratios.items() if ratio}

    @property
    def from_python(self) -> dict[str, Cell]:
        """The cells of calls from Python, in the order of columns."""
        return {**self.peers, **self.through}

    @property
    def from_c(self) -> dict[str, Cell]:
        """The cells of calls from C."""
        return {**self.in_c, "strew in C": self.strew}

    @property
    def cells(self) -> dict[str, Cell]:
        """All of them."""
        return self.from_python | self.from_c


def fastest(cells: Mapping[str, Cell]) -> str | None:
    """The name of the fastest one that has a time."""
    times = {name: cell.seconds for name, cell in cells.items() if cell.seconds}
    return min(times, key=times.__getitem__, default=None)


def quotient(cell: Cell | None, other: Cell | None) -> float | None:
    """The time of the first over that of the second, if both have one."""
    return cell.seconds / other.seconds if cell and cell.seconds and other and other.seconds else None


def time_text(seconds: float) -> str:
    """Three digits and a unit: 4.56 us."""
    least = 0.9995  # rounds up to 1.00
    scale, unit = next((unit for unit in UNITS if seconds >= least * unit[0]), UNITS[-1])
    digits = f"{seconds / scale:#.3g}".rstrip(".")
    return f"{digits} {unit}"


def cell_text(cell: Cell) -> str:
    """The time of a cell, or the reason that it has none."""
    return time_text(cell.seconds) if cell.seconds else "WRONG" if cell.wrong else "-"


class Table:
    """Prints rows as they are measured, and remembers the letters of formulations that it has printed."""

    def __init__(self, names: Sequence[str], workloads: Iterable[Workload]) -> None:
        self._letters: dict[str, dict[str, str]] = {name: {} for name in names}
        self._names = [name.replace(THROUGH, "+strew") for name in names]
        columns = [self._texts(workload) for workload in workloads]
        self._widths = [max(map(len, column)) for column in zip(HEADINGS, *columns)]

    @staticmethod
    def _texts(workload: Workload) -> tuple[str, ...]:
        operator = f"{workload.operator} {workload.details}".rstrip()
        return operator, shape_text(workload.data), shape_text(workload.indices), workload.dtype

    def _line(self, texts: Iterable[str], threads: object, ratios: Iterable[str], times: Iterable[str]) -> str:
        words = [f"{text:<{width}}" for text, width in zip(texts, self._widths)]
        words += [f"{threads:>7}", *(f"{ratio:>{RATIO_WIDTH}}" for ratio in ratios), *times]
        return "  ".join(words).rstrip()

    def head(self) -> str:
        """The names of the columns."""
        return self._line(HEADINGS, "threads", RATIOS, [f"{name:>{TIME_WIDTH}}  " for name in self._names])

    def row(self, row: Row) -> str:
        """A row."""
        times = [f"{cell_text(cell):>{TIME_WIDTH}} {self._letter(name, cell)}" for name, cell in row.cells.items()]
        ratios = ["-" if ratio is None else f"{ratio:.2f}" for ratio in (row.ratio, row.ratio_in_c)]
        return self._line(self._texts(row.workload), row.threads, ratios, times)

    def _letter(self, name: str, cell: Cell) -> str:
        if not cell.seconds:
            return " "
        letters = self._letters[name]
        return letters.setdefault(cell.text, chr(ord("a") + len(letters)))

    def legend(self) -> list[str]:
        """The meaning of the letters."""
        lines = []
        for name, letters in self._letters.items():
            lines += [f"{name} {letter}: {text}" for text, letter in letters.items()]
        return lines


def summary(rows: Sequence[Row]) -> list[str]:
    """Some lines for each number of threads: the means, how many calls are below 1, and which one is the worst."""
    lines = []
    for threads in thread_counts_of(rows):
        for name, ratios in means_of([row for row in rows if row.threads == threads]):
            mean, below = statistics.geometric_mean(ratios), sum(ratio < 1 for ratio in ratios)
            lines.append(
                f"threads {threads}: {name}: {mean:.2f} ({min(ratios):.2f} to {max(ratios):.2f}), "
                f"{below} of {len(ratios)} below 1"
            )
    return lines


def thread_counts_of(rows: Iterable[Row]) -> list[int]:
    """The numbers of threads, each once."""
    return sorted({row.threads for row in rows})


def means_of(rows: Sequence[Row]) -> Iterator[tuple[str, list[float]]]:
    """The name and the ratios of each mean; empty ones are left out."""
    for name in rows[0].through:
        gains = [row.gains[name] for row in rows if name in row.gains]
        if gains:
            yield f"{name.removesuffix(THROUGH)} over {name}", gains
    from_python = [row.ratio for row in rows if row.ratio]
    if from_python:
        yield PYTHON_TO_PYTHON, from_python
    from_c = [row.ratio_in_c for row in rows if row.ratio_in_c]
    if from_c:
        yield C_TO_C, from_c
    for name in rows[0].in_c:
        ratios = [ratio for row in rows if (ratio := quotient(row.in_c[name], row.strew))]
        if ratios:
            yield f"{name} over strew in C", ratios


def markdown(rows: Sequence[Row], context: Mapping[str, Any]) -> str:
    """A caption, a table of means, and a table for each language, ready for a page."""
    from_python = markdown_table(rows, lambda row: row.from_python, lambda row: row.ratio)
    from_c = markdown_table(rows, lambda row: row.from_c, lambda row: row.ratio_in_c)
    parts = [caption(rows, context), markdown_means(rows), "## From Python", from_python, "## From C", from_c]
    return "\n\n".join(parts) + "\n"


def caption(rows: Sequence[Row], context: Mapping[str, Any]) -> str:
    """The caption: contents, machine and date."""
    versions = ", ".join(f"{name} {version}" for name, version in context["versions"].items() if THROUGH not in name)
    threads = "; ".join(f"{count} thread{'s' if count > 1 else ''}" for count in thread_counts_of(rows))
    return (
        f"{versions}. Measured {context['date']} on {context['machine']}. Times of one call on {threads}; a library "
        "with one thread has one time. Each cell is the fastest of several ways to write the call. Calls use float32, "
        "int64 indices and scatters in place unless they say otherwise. Above 1, strew is faster. WRONG: the result is "
        "wrong and was not timed. -: the library does not have the call, or strew has no part in it."
    )


def markdown_table(
    rows: Sequence[Row], cells_of: Callable[[Row], Mapping[str, Cell]], ratio_of: Callable[[Row], float | None]
) -> str:
    """A line for each call, its times on each number of threads in one cell."""
    columns = list(cells_of(rows[0]))
    lines = [["call", *columns, "ratio"], ["---"] * (len(columns) + 2)]
    for workload, of_call in groupby(rows, key=lambda row: row.workload):
        same = list(of_call)
        times = [joined(cell_text(cells_of(row)[name]) for row in same) for name in columns]
        ratios = joined("-" if ratio_of(row) is None else ratio_text(ratio_of(row)) for row in same)
        lines.append([workload.title, *times, ratios])
    return "\n".join(markdown_line(line) for line in lines)


def markdown_means(rows: Sequence[Row]) -> str:
    """The geometric means over all calls, on each number of threads in one cell."""
    lines = [["geometric mean of the time of", "is", "from", "to", "calls below 1"], ["---"] * 5]
    of_counts = [dict(means_of([row for row in rows if row.threads == count])) for count in thread_counts_of(rows)]
    for name in dict.fromkeys(name for means in of_counts for name in means):
        several = [means[name] for means in of_counts if name in means]
        mean, least, most = (
            "; ".join(ratio_text(function(ratios)) for ratios in several)
            for function in (statistics.geometric_mean, min, max)
        )
        below = "; ".join(f"{sum(ratio < 1 for ratio in ratios)} of {len(ratios)}" for ratios in several)
        lines.append([name, mean, least, most, below])
    return "\n".join(markdown_line(line) for line in lines)


def ratio_text(ratio: float) -> str:
    """Two digits after the point; none for large ratios."""
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:,.0f}"


def joined(texts: Iterable[str]) -> str:
    """Texts for each number of threads; once where they are the same, as those of a library with one thread."""
    return "; ".join(dict.fromkeys(texts))


def markdown_line(cells: Iterable[str]) -> str:
    """A line of a table."""
    return f"| {' | '.join(cells)} |"
