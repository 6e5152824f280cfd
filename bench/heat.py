"""A table whose cells are shaded by their speed-up."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from svg import MARGIN, WIDTH, document, paragraph, text

LEFT, LINE, HEAD = 64, 22, 22
# Greater values have the same shade, so that one dtype with very slow scalar code does not wash out the others.
GREATEST_SHADE = 16
LIGHT, DARK = (222, 235, 247), (8, 69, 148)
INK_ON_LIGHT, INK_ON_DARK = "#14171c", "#ffffff"

Cells = dict[tuple[str, str], float]


def draw(name: str, title: str, description: str, cells: Cells, rows: Sequence[str], columns: Sequence[str]) -> str:
    """The figure as an SVG file. Cells are (row, column) to ratio."""
    heading, y = paragraph(26, title, "title", 52)
    width = (WIDTH - MARGIN - LEFT) / len(columns)
    body = [text(LEFT + (place + 0.5) * width, y + 8, column, "middle") for place, column in enumerate(columns)]
    top = y + HEAD - 6
    for line, row in enumerate(rows):
        body.append(text(LEFT - 8, top + line * LINE + 15, row, "end"))
        for place, column in enumerate(columns):
            if ratio := cells.get((row, column)):
                body += draw_cell(LEFT + place * width, top + line * LINE, width, ratio)
    return document(name, title, description, top + LINE * len(rows) + MARGIN, [*heading, *body])


def draw_cell(x: float, y: float, width: float, ratio: float) -> Iterable[str]:
    """The shade of a cell, and the figure, in a colour that follows from the shade and not from the page's."""
    depth = min(max(math.log(ratio, GREATEST_SHADE), 0), 1)
    red, green, blue = (round(light + depth * (dark - light)) for light, dark in zip(LIGHT, DARK))
    ink = INK_ON_DARK if depth > 0.55 else INK_ON_LIGHT
    fill = f"#{red:02x}{green:02x}{blue:02x}"
    yield f'<rect x="{x:.1f}" y="{y:g}" width="{width - 1:.1f}" height="{LINE - 1}" fill="{fill}"/>'
    yield f'<text x="{x + width / 2:.1f}" y="{y + 15:g}" class="middle" style="fill: {ink}">{ratio:.1f}</text>'
