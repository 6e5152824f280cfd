"""Helpers that draw the figures: hand-written SVG, narrow enough for a telephone, in light and dark."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from html import escape

WIDTH = 480  # units; a telephone shows about 360 pixels, a desk more
SCALE = 1.05  # pixels for a unit where there is room
FONT = 12
LETTER = 6.6  # how wide one of the small ones is, at most
MARGIN = 12
ROOM = 1.08  # beyond the least and the greatest value of an axis

# Okabe and Ito's palette for colour-blind readers: on light paper, and lightened on dark.
PALETTE = {
    "s0": ("#0072b2", "#3d9fdb"),
    "s1": ("#7cc0ea", "#a9d9f7"),
    "s2": ("#009e73", "#2fc79b"),
    "s3": ("#d55e00", "#f08a3c"),
    "s4": ("#b0629a", "#d695c1"),
    "s5": ("#c48a00", "#e6b13d"),
    "s6": ("#8a8f98", "#8a929e"),
}
# Possible ticks in a decade, the fewest first: the first list with enough ticks is taken.
FACTORS, ENOUGH_TICKS = ((1, 2, 5), (1, 1.5, 2, 3, 5, 7), (1, 1.1, 1.2, 1.3, 1.5, 2, 3, 5, 7, 8, 9)), 3
PAPER, INK, SOFT, GRID = ("#ffffff", "#14171c"), ("#22262c", "#dfe3e8"), ("#5b636e", "#9aa4b1"), ("#e3e6ea", "#30363f")


def rules(shade: int) -> str:
    """The colours on light paper (0) or on dark (1)."""
    lines = [
        f".paper {{ fill: {PAPER[shade]}; stroke: {GRID[shade]}; }}",
        f".chart text {{ fill: {INK[shade]}; }} .chart .soft {{ fill: {SOFT[shade]}; }}",
        f".chart .group {{ stroke: {PAPER[shade]}; }}",
        f".grid {{ stroke: {GRID[shade]}; }} .one {{ stroke: {INK[shade]}; }} .ink {{ stroke: {INK[shade]}; }}",
        *(f".{name} {{ fill: {pair[shade]}; stroke: {pair[shade]}; }}" for name, pair in PALETTE.items()),
    ]
    return "\n".join(lines)


STYLE = f"""\
.chart {{ font: {FONT}px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; }}
.chart text {{ stroke: none; }}
.chart .title {{ font-size: 15px; font-weight: 600; }}
.chart .group {{ font-weight: 600; paint-order: stroke; stroke-width: 4px; }}
.chart .small {{ font-size: 11px; }}
.chart .end {{ text-anchor: end; }} .chart .middle {{ text-anchor: middle; }}
.chart .bar {{ stroke: none; }} .chart .line {{ fill: none; stroke-width: 1.8; }}
.span {{ stroke-width: 1.4; opacity: 0.55; }}
{rules(0)}
@media (prefers-color-scheme: dark) {{
{rules(1)}
}}"""


def document(name: str, title: str, description: str, height: float, lines: Iterable[str]) -> str:
    """The whole file. Identifiers begin with the name, so that one page can hold several."""
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" viewBox="0 0 {WIDTH} {height:g}"'
        f' width="{WIDTH * SCALE:g}" height="{height * SCALE:g}" aria-labelledby="{name}-title {name}-desc">',
        f'<title id="{name}-title">{escape(title)}</title>',
        f'<desc id="{name}-desc">{escape(description)}</desc>',
        f"<style>\n{STYLE}\n</style>",
        f'<rect class="paper" x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1:g}" rx="6"/>',
        *lines,
        "</svg>",
        "",
    ])  # fmt: skip


def text(x: float, y: float, words: str, kind: str = "") -> str:
    """A line of text."""
    return f'<text x="{x:g}" y="{y:g}"' + f' class="{kind}"' * bool(kind) + f">{escape(words)}</text>"


def fitted(x: float, y: float, words: str, width: float) -> str:
    """A line that ends at x, narrowed to a width."""
    size = f'textLength="{width:g}" lengthAdjust="spacingAndGlyphs"'
    return f'<text x="{x:g}" y="{y:g}" class="end" {size}>{escape(words)}</text>'


def paragraph(y: float, words: str, kind: str = "small soft", most: int = 78) -> tuple[list[str], float]:
    """Text broken into lines, and the place of the next line."""
    lines = [""]
    for word in words.split():
        if len(lines[-1]) + len(word) >= most:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return [text(MARGIN, y + 16 * place, line, kind) for place, line in enumerate(lines)], y + 16 * len(lines)


def bar(x: float, y: float, width: float, height: float, kind: str) -> str:
    """A filled box."""
    return f'<rect class="bar {kind}" x="{x:.1f}" y="{y:g}" width="{max(width, 0.8):.1f}" height="{height:g}"/>'


def line(points: str, kind: str) -> str:
    """A stroke along a path."""
    return f'<path class="{kind}" d="{points}"/>'


# ---- Logarithmic axes ------------------------------------------------------------------------------------------------


class Axis:
    """A logarithmic axis between two pixels, for values from the least to the greatest of those given."""

    def __init__(self, values: Iterable[float], begin: float, end: float) -> None:
        values = list(values)
        self.least, self.greatest = min(values) / ROOM, max(values) * ROOM
        ways = (ticks_between(self.least, self.greatest, factors) for factors in FACTORS)
        self.ticks = max(ways, key=lambda ticks: min(len(ticks), ENOUGH_TICKS))
        self._begin, self._end = begin, end

    def __call__(self, value: float) -> float:
        share = math.log(value / self.least) / math.log(self.greatest / self.least)
        return round(self._begin + share * (self._end - self._begin), 1)

    def labelled(self, apart: Callable[[float, float], float]) -> list[float]:
        """The ticks with room for a label: all, or the powers of ten alone, or some of them."""
        tens = [tick for tick in self.ticks if is_power_of_ten(tick)]
        some = tens if len(tens) > 1 else self.ticks
        ways = [self.ticks, *(some[::step] for step in range(1, len(some) + 1))]
        return next(way for way in ways if self._has_room(way, apart))

    def _has_room(self, ticks: Sequence[float], apart: Callable[[float, float], float]) -> bool:
        return all(abs(self(b) - self(a)) >= apart(a, b) for a, b in zip(ticks, ticks[1:]))


def side_by_side(one: float, other: float) -> float:
    """The least distance between the labels of two ticks in a line."""
    return LETTER * (len(tick_text(one)) + len(tick_text(other))) / 2 + 4


def below(_one: float, _other: float) -> float:
    """The least distance between two labels below each other."""
    return 16


def is_power_of_ten(value: float) -> bool:
    """Whether it is 0.1, 1, 10 and so on."""
    return abs(math.log10(value) - round(math.log10(value))) < 1e-9


def ticks_between(least: float, greatest: float, factors: Sequence[float]) -> list[float]:
    """The factors times the powers of ten that lie between."""
    decades = range(math.floor(math.log10(least)), math.ceil(math.log10(greatest)) + 1)
    steps = [float(f"{factor}e{decade}") for decade in decades for factor in factors]
    return [step for step in steps if least <= step <= greatest]


def number(value: float) -> str:
    """Two or three digits, without an exponent: 0.043, 0.85, 2.4, 16, 120."""
    if value < 0.995:
        return f"{value:.2g}" if value < 0.0995 else f"{value:.2f}"
    return f"{value:.1f}" if value < 9.95 else f"{value:,.0f}"


def tick_text(value: float) -> str:
    """A tick's label."""
    return f"{value:g}" if value < 1e4 else f"{value:,.0f}"
