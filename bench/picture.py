"""Draws the README's picture, as SVG by hand: one line for each mark, which a plotting library would make several of.

Two panels of one machine: what the vector kernels add to the scalar ones, and the operators beside memcpy.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape

import header
from results import Machine, Name, Row

L1_BYTES = 32 * 1024  # the smallest first-level data cache of the CPUs that strew has kernels for

# The layers of the operators' published specifications.
SEED_SHAPES = ("1000x256x10x15", "30x2x100x35", "1x64x64x320", "1000x256x7x7")
SEED_REDUCTIONS = ("", "sum")

# All above it is drawn in the same colour, so that one dtype whose scalar code is very slow does not wash out the
# differences between the others. The cells say the figure itself.
GREATEST_SHADE = 16
LIGHT, DARK = (232, 241, 250), (8, 69, 148)
COLOURS = dict(zip(header.ISAS, ("#E69F00", "#0072B2", "#009E73", "#D55E00")))

WIDTH, TOP, LINE = 1100, 84, 25  # pixels; the height follows from the lines
CELLS_LEFT, CELL_WIDTH = 56, 66
LABELS_LEFT, PLOT_LEFT, PLOT_RIGHT = 450, 730, 1070
STYLE = """\
text { font: 13px sans-serif; fill: #222; }
.title { font-size: 16px; font-weight: bold; }
.head { font-size: 14px; }
.end { text-anchor: end; }
.middle { text-anchor: middle; }
.grid { stroke: #ddd; }
.one { stroke: #222; stroke-dasharray: 4 3; }
.span { stroke: #bbb; stroke-width: 2; }"""


def draw(machine: Machine) -> str | None:
    """The picture; None if the result file lacks the rows for it."""
    speedups, layers = reduction_speedups(machine), seed_layers(machine)
    if not speedups or not layers:
        return None
    dtypes = [dtype for dtype in header.DTYPE_SUFFIXES if any(dtype == key[0] for key in speedups)]
    height = TOP + LINE * max(len(dtypes), len(layers)) + 52
    version = machine.facts.get("strew", "")
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">',
        f"<style>\n{STYLE}\n</style>",
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        text(WIDTH / 2, 24, f"strew {version} on {machine.label}, one thread", "title middle"),
        *draw_speedups(speedups, dtypes, best_isa(machine)),
        *draw_layers(layers),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def text(x: float, y: float, words: str, kind: str = "", colour: str = "") -> str:
    """A line of text."""
    attributes = f' class="{kind}"' * bool(kind) + f' style="fill: {colour}"' * bool(colour)
    return f'<text x="{x:g}" y="{y:g}"{attributes}>{escape(words)}</text>'


# ---- Vector kernels over scalar ones ---------------------------------------------------------------------------------


def best_isa(machine: Machine) -> str:
    """The instruction set that the machine's calls use by default."""
    present = [isa for isa in header.ISAS if any(row.name.isa == isa for row in machine.rows)]
    return machine.facts.get("active_isa", present[-1] if present else "")


def reduction_speedups(machine: Machine) -> dict[tuple[str, str], float]:
    """(dtype, reduction) to how many times as fast the best kernel is as the scalar one, on rows in the L1 cache."""
    rows = [row for row in machine.rows if row.name.reduction and row.name.dtype and is_in_l1(row)]
    rows = [row for row in rows if row.name.shape == shape_of_most_dtypes(rows) and row.name.threads == 1]
    seconds = {(row.name.dtype, row.name.reduction, row.name.isa): row.seconds for row in rows}
    best = best_isa(machine)
    return {
        (dtype, reduction): time / seconds[dtype, reduction, best]
        for (dtype, reduction, isa), time in seconds.items()
        if isa == "scalar" and (dtype, reduction, best) in seconds
    }


def is_in_l1(row: Row) -> bool:
    """Whether data and updates both stay in the first-level cache."""
    size = row.name.data_bytes
    return size is not None and 2 * size <= L1_BYTES


def shape_of_most_dtypes(rows: list[Row]) -> str:
    """The shape that was measured for most dtypes: the others are there to show the effect of the shape."""
    shapes = {row.name.shape for row in rows}
    return max(sorted(shapes), key=lambda shape: len({row.name.dtype for row in rows if row.name.shape == shape}))


def draw_speedups(speedups: dict[tuple[str, str], float], dtypes: Sequence[str], isa: str) -> Iterable[str]:
    """A table whose cells are shaded by their logarithm."""
    reductions = [reduction for reduction in header.REDUCTIONS if any(reduction == key[1] for key in speedups)]
    yield text(CELLS_LEFT, 54, f"Rows in the L1 cache: {isa} over scalar", "head")
    for column, reduction in enumerate(reductions):
        yield text(CELLS_LEFT + (column + 0.5) * CELL_WIDTH, TOP - 8, reduction, "middle")
    for line, dtype in enumerate(dtypes):
        yield text(CELLS_LEFT - 8, TOP + line * LINE + 17, dtype, "end")
        for column, reduction in enumerate(reductions):
            if speedup := speedups.get((dtype, reduction)):
                yield from draw_cell(CELLS_LEFT + column * CELL_WIDTH, TOP + line * LINE, speedup)


def draw_cell(x: float, y: float, speedup: float) -> Iterable[str]:
    """Its shade, and the figure."""
    depth = min(max(math.log(speedup, GREATEST_SHADE), 0), 1)
    red, green, blue = (round(light + depth * (dark - light)) for light, dark in zip(LIGHT, DARK))
    colour = "#fff" if depth > 0.55 else ""
    yield f'<rect x="{x}" y="{y}" width="{CELL_WIDTH}" height="{LINE}" fill="#{red:02x}{green:02x}{blue:02x}"/>'
    yield text(x + CELL_WIDTH / 2, y + 17, f"{speedup:.1f}", "middle", colour)


# ---- Operators beside memcpy -----------------------------------------------------------------------------------------


def seed_layers(machine: Machine) -> dict[str, dict[str, float]]:
    """Layer to instruction set to ratio, for the float32 layers of the specifications on one thread."""
    layers: dict[str, dict[str, float]] = {}
    for row in machine.rows:
        name = row.name
        is_layer = name.shape in SEED_SHAPES and name.reduction in SEED_REDUCTIONS
        if is_layer and name.isa and name.dtype == "f32" and name.threads == 1 and row.memcpy_ratio:
            layers.setdefault(layer_name(name), {})[name.isa] = row.memcpy_ratio
    return layers


def layer_name(name: Name) -> str:
    """What a line is called."""
    return " ".join((name.operation, *name.labels, name.shape)).replace("_place", " place").replace("_of", " of")


def draw_layers(layers: dict[str, dict[str, float]]) -> Iterable[str]:
    """A dot for each instruction set of each layer, on a logarithmic axis."""
    isas = [isa for isa in header.ISAS if any(isa in found for found in layers.values())]
    ticks = ticks_around([ratio for found in layers.values() for ratio in found.values()])
    bottom = TOP + LINE * len(layers)

    def place(ratio: float) -> float:
        share = math.log(ratio / ticks[0]) / math.log(ticks[-1] / ticks[0])
        return round(PLOT_LEFT + share * (PLOT_RIGHT - PLOT_LEFT), 1)

    yield text(LABELS_LEFT, 54, "Layers of the specifications, float32: speed, a memcpy of the payload = 1", "head")
    yield from draw_legend(isas)
    for tick in ticks:
        yield f'<path class="{"one" if tick == 1 else "grid"}" d="M{place(tick)} {TOP}V{bottom}"/>'
        yield text(place(tick), bottom + 18, f"{tick:g}", "middle")
    for line, (name, found) in enumerate(layers.items()):
        y = TOP + (line + 0.5) * LINE
        yield text(PLOT_LEFT - 12, y + 4, name, "end")
        yield f'<path class="span" d="M{place(min(found.values()))} {y:g}H{place(max(found.values()))}"/>'
        for isa, ratio in found.items():
            lane = y + (isas.index(isa) - (len(isas) - 1) / 2) * 4  # or equal ones would hide each other
            yield f'<circle cx="{place(ratio)}" cy="{lane:g}" r="4" fill="{COLOURS[isa]}"/>'


def ticks_around(values: Sequence[float]) -> list[float]:
    """1, 2 and 5 times the powers of ten, from the last one below all values to the first one above."""
    decades = range(math.floor(math.log10(min(values))), math.ceil(math.log10(max(values))) + 1)
    steps = [float(f"{factor}e{decade}") for decade in decades for factor in (1, 2, 5)]
    first = max(place for place, step in enumerate(steps) if step <= min(values))
    last = min(place for place, step in enumerate(steps) if step >= max(values))
    return steps[first : max(last, first + 1) + 1]


def draw_legend(isas: Sequence[str]) -> Iterable[str]:
    """A dot of each colour."""
    for place, isa in enumerate(isas):
        x = PLOT_LEFT + 90 * place
        yield f'<circle cx="{x + 5}" cy="{TOP - 12}" r="4" fill="{COLOURS[isa]}"/>'
        yield text(x + 15, TOP - 8, isa)
