"""Lines over a size, both axes logarithmic. A line joins the points of one series and no others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from svg import LETTER, MARGIN, WIDTH, Axis, bar, below, document, line, paragraph, text, tick_text

LEFT, RIGHT, PLOT_HEIGHT, BELOW = 56, 30, 160, 44

Points = Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Curve:
    """A line: its name, its colour in the palette, and its points in the order of their sizes."""

    name: str
    kind: str
    points: Points


@dataclass(frozen=True)
class Curves:
    """A figure: curves that differ in one thing."""

    name: str
    title: str
    description: str
    curves: Sequence[Curve]
    size: str  # label of the horizontal axis
    size_text: Callable[[float], str]
    cost: str  # label of the vertical axis


def draw(figure: Curves) -> str:
    """The figure as an SVG file."""
    heading, y = paragraph(26, figure.title, "title", 52)
    legend, top = draw_legend(figure.curves, y)
    end = top + PLOT_HEIGHT + BELOW
    return document(figure.name, figure.title, figure.description, end, [*heading, *legend, *draw_plot(figure, top)])


def draw_legend(curves: Sequence[Curve], y: float) -> tuple[list[str], float]:
    """A stroke of each colour and its name, in as many lines as they need, and where the plot begins."""
    drawn, x = [], float(MARGIN)
    for curve in curves:
        width = LETTER * len(curve.name) + 34
        if x + width > WIDTH - MARGIN:
            x, y = MARGIN, y + 18
        drawn += [bar(x, y - 6, 16, 4, curve.kind), text(x + 21, y, curve.name, "small")]
        x += width
    return drawn, y + 24


def draw_plot(figure: Curves, top: float) -> Iterable[str]:
    """The axes and the curves."""
    bottom = top + PLOT_HEIGHT
    sizes = [size for curve in figure.curves for size, _ in curve.points]
    across = Axis(sizes, LEFT, WIDTH - RIGHT)
    up = Axis([cost for curve in figure.curves for _, cost in curve.points], bottom, top)
    yield text(MARGIN, top - 8, figure.cost, "small soft")
    for tick in up.ticks:
        yield line(f"M{LEFT} {up(tick)}H{WIDTH - RIGHT}", "grid")
    for tick in up.labelled(below):
        yield text(LEFT - 6, up(tick) + 4, tick_text(tick), "small soft end")
    for size in labelled_sizes(across, sizes):
        yield line(f"M{across(size)} {top}V{bottom}", "grid")
        yield text(across(size), bottom + 15, figure.size_text(size), "small soft middle")
    yield text((LEFT + WIDTH - RIGHT) / 2, bottom + 30, figure.size, "small soft middle")
    for curve in figure.curves:
        yield from draw_curve(curve, across, up)


def labelled_sizes(across: Axis, sizes: Iterable[float]) -> list[float]:
    """The sizes that were measured, but those too near to the one before."""
    shown: list[float] = []
    for size in sorted(set(sizes)):
        if not shown or across(size) - across(shown[-1]) > 56:
            shown.append(size)
    return shown


def draw_curve(curve: Curve, across: Axis, up: Axis) -> Iterable[str]:
    """A line with its points."""
    places = [(across(size), up(cost)) for size, cost in curve.points]
    yield line("M" + "L".join(f"{x} {y}" for x, y in places), f"line {curve.kind}")
    for x, y in places:
        yield f'<circle class="bar {curve.kind}" cx="{x}" cy="{y}" r="2.8"/>'
