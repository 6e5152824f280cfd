"""Bars on a logarithmic axis that begin at 1: faster to its right, slower to its left."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from svg import (
    LETTER, MARGIN, WIDTH, Axis, bar, document, fitted, line, number, paragraph, side_by_side, text, tick_text,
)  # fmt: skip

LABELS_END, LEAST_LINE = 236, 16
THICK, GAP, GROUP_HEIGHT, TICKS_HEIGHT, LEGEND_HEIGHT = 5.4, 5, 21, 18, 30
LONGEST_LABEL = 34  # letters that surely fit; longer ones are narrowed


@dataclass(frozen=True)
class Series:
    """One bar of each line: its key, its name, and its colour in the palette."""

    key: str
    name: str
    kind: str


@dataclass(frozen=True)
class Line:
    """A bar for each series with a value; spans go from the least of several values to the greatest."""

    label: str
    values: dict[str, float]
    spans: dict[str, tuple[float, float]] = field(default_factory=dict)


@dataclass(frozen=True)
class Group:
    """Lines under a heading."""

    title: str
    lines: Sequence[Line]


def summarised(label: str, several: Sequence[dict[str, float]]) -> Line:
    """The geometric mean of several ratios for each key, and from where to where they go."""
    keys = dict.fromkeys(key for ratios in several for key in ratios)
    columns = {key: [ratios[key] for ratios in several if key in ratios] for key in keys}
    means = {key: statistics.geometric_mean(values) for key, values in columns.items()}
    spans = {key: (min(values), max(values)) for key, values in columns.items()}
    return Line(f"{label} ({len(several)})", means, spans)


def grouped(lines: Iterable[tuple[str, Line]]) -> list[Group]:
    """Lines by their headings, each in the order of its first."""
    found: dict[str, list[Line]] = {}
    for title, each in lines:
        found.setdefault(title, []).append(each)
    return [Group(title, each) for title, each in found.items()]


@dataclass(frozen=True)
class Bars:
    """A figure."""

    name: str
    title: str
    description: str
    series: Sequence[Series]
    groups: Sequence[Group]
    left: str = "slower"
    right: str = "faster"
    legend: str = ""  # explains the names of the series
    notes: Sequence[str] = ()

    @property
    def number_width(self) -> float:
        """The width of a column of numbers, which has the series' name above it."""
        return max(44, LETTER * max(len(series.name) for series in self.series) + 14)

    @property
    def line_height(self) -> float:
        """The height of a line."""
        return max(THICK * len(self.series) + GAP, LEAST_LINE)

    def lines(self) -> list[Line]:
        """The lines of all groups."""
        return [each for group in self.groups for each in group.lines]

    def reach(self) -> list[float]:
        """All that has to fit on the axis, and 1."""
        values = [value for each in self.lines() for value in each.values.values()]
        return [1, *values, *(end for each in self.lines() for span in each.spans.values() for end in span)]


def draw(bars: Bars) -> str:
    """The figure as an SVG file."""
    plot_end = WIDTH - MARGIN - bars.number_width * len(bars.series)
    axis = Axis(bars.reach(), LABELS_END + 8, plot_end)
    heading, top = paragraph(26, bars.title, "title", 52)
    body, bottom = draw_groups(bars, axis, top + LEGEND_HEIGHT)
    notes, end = [], bottom + TICKS_HEIGHT + 17
    for note in bars.notes:
        drawn, end = paragraph(end, note)
        notes += drawn
    lines = [
        *heading,
        *draw_legend(bars, top),
        *draw_axis(bars, axis, top + LEGEND_HEIGHT, bottom),
        *body,
        *notes,
    ]
    return document(bars.name, bars.title, bars.description, end - 2, lines)


def draw_legend(bars: Bars, y: float) -> Iterable[str]:
    """The names of the series above their numbers, each above its colour."""
    first = number_end(bars, 0) - bars.number_width + 10
    if bars.legend:
        yield text((first + WIDTH - MARGIN) / 2, y, bars.legend, "small middle soft")
    for place, series in enumerate(bars.series):
        right = number_end(bars, place)
        yield text(right, y + 14, series.name, "small end")
        yield bar(right - bars.number_width + 10, y + 19, bars.number_width - 10, THICK, series.kind)


def number_end(bars: Bars, place: int) -> float:
    """The right end of the numbers of a series."""
    return WIDTH - MARGIN - bars.number_width * (len(bars.series) - 1 - place)


def draw_axis(bars: Bars, axis: Axis, top: float, bottom: float) -> Iterable[str]:
    """Lines at the ticks, a strong one at 1, and the meaning of the two sides."""
    for tick in axis.ticks:
        yield line(f"M{axis(tick)} {top - 4}V{bottom}", "one" if tick == 1 else "grid")
    for tick in axis.labelled(side_by_side):
        yield text(axis(tick), bottom + 15, tick_text(tick), "small middle soft")
    yield from draw_sides(bars, axis, top - 9)


def draw_sides(bars: Bars, axis: Axis, y: float) -> Iterable[str]:
    """The meaning of left and right of 1; right only if there is room before the legend."""
    room = number_end(bars, 0) - bars.number_width - axis(1)
    if max(bars.reach()) > 1 and room > LETTER * len(bars.right) + 20:
        yield text(axis(1) + 5, y, f"{bars.right} →", "small soft")
    if min(bars.reach()) < 1:
        yield text(axis(1) - 5, y, f"← {bars.left}", "small soft end")


def draw_groups(bars: Bars, axis: Axis, y: float) -> tuple[list[str], float]:
    """All lines, and where they end."""
    drawn = []
    for group in bars.groups:
        if group.title:
            drawn.append(text(MARGIN, y + 15, group.title, "group"))
            y += GROUP_HEIGHT
        for each in group.lines:
            drawn += draw_line(bars, axis, each, y)
            y += bars.line_height
    return drawn, y + 4


def draw_line(bars: Bars, axis: Axis, each: Line, y: float) -> Iterable[str]:
    """A label, its bars, and their numbers."""
    middle = y + bars.line_height / 2
    yield label_text(middle + 4.2, each.label)
    first = middle - THICK * len(bars.series) / 2
    for place, series in enumerate(bars.series):
        value = each.values.get(series.key)
        if value is None:
            continue
        begin, end = sorted((axis(1), axis(value)))
        yield bar(begin, first + THICK * place, end - begin, THICK - 0.6, series.kind)
        if span := each.spans.get(series.key):
            yield line(f"M{axis(span[0])} {first + THICK * place + 2.7:g}H{axis(span[1])}", "ink span")
        yield text(number_end(bars, place), middle + 4.2, number(value), "end")


def label_text(y: float, label: str) -> str:
    """A label, no wider than its column."""
    if len(label) <= LONGEST_LABEL:
        return text(LABELS_END, y, label, "end")
    return fitted(LABELS_END, y, label, LABELS_END - MARGIN)
