"""Draws the figures of a report. Each is a function of the machines that returns a figure, or None if the result
files have no rows for it."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

import header
from results import Machine, Name, Row

# Okabe and Ito's palette, which colour-blind readers can tell apart. Rows without an instruction set, memcpy and
# other limits, are black.
BLACK, ORANGE, SKY, GREEN, BLUE, VERMILLION, PURPLE = (
    "#000000", "#E69F00", "#56B4E9", "#009E73", "#0072B2", "#D55E00", "#CC79A7"
)  # fmt: skip
ISA_COLOURS = {"": BLACK, **dict(zip(header.ISAS, (ORANGE, BLUE, GREEN, VERMILLION, PURPLE, SKY)))}
GRID = "#DDDDDD"

LEAST_POINTS = 3  # two sizes make no curve

pyplot.rcParams.update({
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "figure.titlesize": 12,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "legend.frameon": False,
    "svg.hashsalt": "strew",  # the same results give the same file
})  # fmt: skip

Value = Callable[[Row], float | None]


# ---- Quantities and their units ------------------------------------------------------------------------------------


def throughput(row: Row) -> float | None:
    """Gigabytes read and written per second."""
    return row.bytes_per_second / 1e9 if row.bytes_per_second else None


def memcpy_ratio(row: Row) -> float | None:
    """1 is as fast as a memcpy of the same payload."""
    return row.memcpy_ratio


def limit_ratio(row: Row) -> float | None:
    """1 is as fast as the fastest known way to move the same bytes."""
    return row.limit_ratio


def nanoseconds_per_item(row: Row) -> float | None:
    """Time of an element or a row."""
    return row.seconds_per_item * 1e9 if row.seconds_per_item else None


def item_bytes(row: Row) -> float | None:
    """Bytes read and written for an element or a row."""
    return row.bytes_per_item


def data_bytes(row: Row) -> float | None:
    """Size of data."""
    return row.name.data_bytes


def number(value: float, _position: int = 0) -> str:
    """A number of an axis, without an exponent and without needless digits."""
    return f"{value:g}" if value < 1e4 else f"{value:,.0f}"


def byte_count(value: float, _position: int = 0) -> str:
    """A size in binary units."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if value < 1024:
            break
        value /= 1024
    return f"{value:.3g} {unit}"


# ---- One dot for each row --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Scale:
    """A quantity on an axis."""

    value: Value
    label: str
    reference: float | None = None  # drawn as a line


THROUGHPUT = Scale(throughput, "read and written, GB/s")
MEMCPY_RATIO = Scale(memcpy_ratio, "speed, memcpy of the same payload = 1", 1)
LIMIT_RATIO = Scale(limit_ratio, "speed, fastest known copy of the same rows = 1", 1)

Category = tuple[str, str]  # family, operator


def category(name: Name) -> Category:
    """The line of a figure that a row belongs to."""
    return name.family, name.operator


def dots(machines: Sequence[Machine], scale: Scale) -> Figure | None:
    """Every row as a dot, a line for each family and operator, a column for each machine."""
    categories = list(dict.fromkeys(category(row.name) for machine in machines for row in drawable(machine, scale)))
    if not categories:
        return None
    isas = isas_of(machines)
    figure, columns = pyplot.subplots(
        1, len(machines), sharex=True, sharey=True, squeeze=False, layout="constrained",
        figsize=(2.5 + 5.5 * len(machines), 1.6 + 0.22 * len(categories) * len(isas)),
    )  # fmt: skip
    for axes, machine in zip(columns[0], machines):
        draw_dots(axes, list(drawable(machine, scale)), categories, isas, scale)
        axes.set_title(machine.label)
        axes.set_xlabel(scale.label)
    label_categories(columns[0][0], categories)
    columns[0][-1].legend(handles=isa_legend(isas) + dot_legend(machines), loc="upper left", bbox_to_anchor=(1, 1))
    return figure


def drawable(machine: Machine, scale: Scale) -> Iterable[Row]:
    """The rows that have the quantity."""
    return (row for row in machine.rows if scale.value(row))


def draw_dots(axes: Axes, rows: list[Row], categories: list[Category], isas: list[str], scale: Scale) -> None:
    """One machine: a line of dots for each instruction set of a category, with a tick at their median."""
    for line, wanted in enumerate(categories):
        present = [isa for isa in isas if any((category(row.name), row.name.isa) == (wanted, isa) for row in rows)]
        for place, isa in enumerate(present):
            y = line + (place - (len(present) - 1) / 2) * 0.8 / len(isas)
            own = [row for row in rows if (category(row.name), row.name.isa) == (wanted, isa)]
            draw_line_of_dots(axes, y, own, scale)
    if scale.reference:
        axes.axvline(scale.reference, color=BLACK, linewidth=0.8, linestyle="--")
    axes.set_xscale("log")
    format_log(axes.xaxis, number)
    axes.grid(axis="x")
    axes.tick_params(axis="y", length=0)


def draw_line_of_dots(axes: Axes, y: float, rows: list[Row], scale: Scale) -> None:
    """The rows of one category and instruction set; hollow with several threads."""
    colour = ISA_COLOURS.get(rows[0].name.isa, PURPLE)
    for threaded in (False, True):
        values = [scale.value(row) for row in rows if (row.name.threads > 1) == threaded]
        if not values:
            continue
        face = "none" if threaded else colour
        axes.scatter(values, [y] * len(values), s=14, facecolors=face, edgecolors=colour, alpha=0.45, linewidths=0.8)
        axes.scatter(statistics.median(values), y, s=90, marker="|", color=colour, linewidths=2)


def label_categories(axes: Axes, categories: list[Category]) -> None:
    """Names the lines; the first stands at the top."""
    axes.set_yticks(range(len(categories)), [f"{family}  {operator}".strip() for family, operator in categories])
    axes.set_ylim(len(categories) - 0.4, -0.6)


def isas_of(machines: Sequence[Machine]) -> list[str]:
    """The instruction sets that occur, in the header's order."""
    present = {row.name.isa for machine in machines for row in machine.rows}
    return [isa for isa in ISA_COLOURS if isa in present]


def isa_legend(isas: Iterable[str]) -> list[Line2D]:
    """A dot of each colour."""
    return [
        Line2D([], [], marker="o", linestyle="", color=ISA_COLOURS[isa], label=isa or "no kernel of strew")
        for isa in isas
    ]


def dot_legend(machines: Sequence[Machine]) -> list[Line2D]:
    """What the other marks mean."""
    legend = [Line2D([], [], marker="|", linestyle="", color=BLACK, markersize=10, markeredgewidth=2, label="median")]
    if any(row.name.threads > 1 for machine in machines for row in machine.rows):
        legend.append(
            Line2D([], [], marker="o", linestyle="", color=BLACK, markerfacecolor="none", label="several threads")
        )
    return legend


def format_log(axis: matplotlib.axis.Axis, text: Callable[[float, int], str]) -> None:
    """Plain numbers at the powers of ten, and at 2 and 5 where there is room."""
    axis.set_major_locator(LogLocator(subs=(1, 2, 5), numticks=12))
    axis.set_major_formatter(FuncFormatter(text))
    axis.set_minor_formatter(NullFormatter())


# ---- Curves over size ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Curves:
    """Which quantity is drawn against which size."""

    size: Value
    size_label: str
    cost: Value
    cost_label: str


COST_OF_ITEM = Curves(item_bytes, "bytes read and written for an item", nanoseconds_per_item, "time of an item, ns")
DATA_SIZE = Curves(data_bytes, "size of data", throughput, "read and written, GB/s")

Points = list[tuple[float, float]]
LINE_STYLES = ("-", "--", ":", "-.", (0, (5, 1, 1, 1, 1, 1)))
MARKERS = "os^Dv"


def series(machine: Machine, family: str, curves: Curves) -> dict[tuple[str, str], Points]:
    """The curves of a family: (what, instruction set) to its points. Rows that differ in size alone share a curve."""
    found: dict[tuple[str, str], dict[float, list[float]]] = {}
    for row in machine.rows:
        size, cost = curves.size(row), curves.cost(row)
        if row.name.family == family and size and cost:
            found.setdefault((description(row.name), row.name.isa), {}).setdefault(size, []).append(cost)
    return {
        key: sorted((size, statistics.median(costs)) for size, costs in points.items())
        for key, points in found.items()
        if len(points) >= LEAST_POINTS
    }


def description(name: Name) -> str:
    """A row's name without its family, sizes and instruction set."""
    threads = f"{name.threads} threads" if name.threads > 1 else ""
    return " ".join(word for word in (name.operation, name.dtype, *name.labels, threads) if word)


def sizes(machines: Sequence[Machine], curves: Curves) -> Figure | None:
    """Cost against size: a panel for each family that has several sizes, a column for each machine."""
    families = list(dict.fromkeys(family for machine in machines for family in machine.families()))
    families = [family for family in families if any(series(machine, family, curves) for machine in machines)]
    if not families:
        return None
    figure, panels = pyplot.subplots(
        len(families), len(machines), squeeze=False, sharex=True, sharey="row", layout="constrained",
        figsize=(2.5 + 5.5 * len(machines), 1 + 3 * len(families)),
    )  # fmt: skip
    for line, family in enumerate(families):
        for axes, machine in zip(panels[line], machines):
            draw_curves(axes, series(machine, family, curves))
            axes.set_title(f"{family}, {machine.label}")
            axes.set_ylabel(curves.cost_label)
    for axes in panels[-1]:
        axes.set_xlabel(curves.size_label)
    return figure


def draw_curves(axes: Axes, found: dict[tuple[str, str], Points]) -> None:
    """The colour tells the instruction set, the line and its marks tell the operation."""
    styles = {what: index % len(MARKERS) for index, what in enumerate(dict.fromkeys(what for what, _ in found))}
    for (what, isa), points in found.items():
        style = styles[what]
        axes.plot(
            *zip(*points), color=ISA_COLOURS.get(isa, PURPLE), linestyle=LINE_STYLES[style], marker=MARKERS[style],
            markersize=4, linewidth=1.3, label=f"{what} {isa}".strip() or "memcpy",
        )  # fmt: skip
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter(FuncFormatter(byte_count))
    axes.set_yscale("log")
    format_log(axes.yaxis, number)
    axes.grid()
    if found:
        axes.legend(fontsize=7, loc="center left", bbox_to_anchor=(1, 0.5))


# ---- All of them -----------------------------------------------------------------------------------------------------

# File name, caption, and how it is drawn.
FIGURES: tuple[tuple[str, str, Callable[[Sequence[Machine]], Figure | None]], ...] = (
    ("throughput", "Throughput", lambda machines: dots(machines, THROUGHPUT)),
    ("memcpy_ratio", "Speed beside memcpy", lambda machines: dots(machines, MEMCPY_RATIO)),
    ("limit_ratio", "Speed beside the limit", lambda machines: dots(machines, LIMIT_RATIO)),
    ("item_size", "Cost against the size of an item", lambda machines: sizes(machines, COST_OF_ITEM)),
    ("data_size", "Throughput against the size of data", lambda machines: sizes(machines, DATA_SIZE)),
)
