"""Draws the pictures of the operator pages: draw.py [FOLDER]. Results are computed by the formulas of the pages.

A colour belongs to a tuple of indices, or to a line along the axis: to its index, and to what that reads and writes;
or to a bag or a segment: to the rows that go into it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

Matrix = Sequence[Sequence[int]]
Place = tuple[int, int]  # row and column of a drawn grid

COLOURS = ("#a6cfec", "#fbc98c", "#b5dfae", "#d5bfe3")
PLAIN = "#ffffff"
CELL_WIDTH, CELL_HEIGHT, LETTER = 44, 30, 7.2  # pixels; a letter of a caption is about so wide
LEFT, GAP, NUMBERS = 24, 56, 18
TITLE_HEIGHT, CAPTION_HEIGHT, PANEL_GAP = 30, 40, 26
STYLE = """\
text { font: 14px sans-serif; fill: #222; }
.title { font-weight: bold; }
.middle { text-anchor: middle; }
.number { font-size: 11px; fill: #666; text-anchor: middle; }
.arrow { font-size: 22px; text-anchor: middle; }
rect { stroke: #555; }
.page { stroke: none; fill: #fff; }
.half { stroke: none; }
.frame { fill: none; }"""


@dataclass
class Grid:
    """A tensor, its dimensions in the caption; one of rank 1 is drawn as a column."""

    name: str
    cells: Matrix
    shape: str
    colours: dict[Place, list[str]] = field(default_factory=dict)
    numbered: bool = False

    @property
    def caption(self) -> str:
        return f"{self.name} [{self.shape}]"

    @property
    def width(self) -> float:
        return max(CELL_WIDTH * len(self.cells[0]) + NUMBERS * self.numbered, LETTER * len(self.caption))

    @property
    def height(self) -> float:
        return CELL_HEIGHT * len(self.cells)


Panel = tuple[str, list[Grid]]  # a title, and tensors from left to right; an arrow leads to the last


# ---- The operators ---------------------------------------------------------------------------------------------------


def row_colours(rows: int, columns: int) -> dict[Place, list[str]]:
    """Each row in its own colour."""
    return {(r, c): [COLOURS[r]] for r in range(rows) for c in range(columns)}


def column_colours(rows: int, columns: int) -> dict[Place, list[str]]:
    """Each column in its own colour."""
    return {(r, c): [COLOURS[c]] for r in range(rows) for c in range(columns)}


def gather() -> list[Panel]:
    data = [[10 * r + c for c in range(3)] for r in range(4)]

    def panel(title: str, indices: Grid, places: list[list[Place]], colours: dict[Place, list[str]]) -> Panel:
        """places are those of data that the output is of; what is read has the colour of what it becomes."""
        positions = [(r, c) for r, row in enumerate(places) for c in range(len(row))]
        output = [[data[r][c] for r, c in row] for row in places]
        return title, [
            Grid("data", data, "4, 3", {places[r][c]: colours[r, c] for r, c in positions}, numbered=True),
            indices,
            Grid("output", output, f"{len(output)}, {len(output[0])}", colours),
        ]

    rows, columns, batches = [2, 0, -1], [2, 0], [[1, 0], [0, 0], [2, 1], [-1, 2]]
    return [
        panel(
            "axis 0: an index names a row",
            Grid("indices", [[i] for i in rows], "3", row_colours(3, 1)),
            [[(i % 4, c) for c in range(3)] for i in rows],
            row_colours(3, 3),
        ),
        panel(
            "axis 1: an index names a column",
            Grid("indices", [[i] for i in columns], "2", row_colours(2, 1)),
            [[(r, i % 3) for i in columns] for r in range(4)],
            column_colours(4, 2),
        ),
        panel(
            "axis 1, batch_dims 1: each row has its own indices",
            Grid("indices", batches, "4, 2", row_colours(4, 2)),
            [[(r, i % 3) for i in row] for r, row in enumerate(batches)],
            row_colours(4, 2),
        ),
    ]


def gather_nd() -> list[Panel]:
    data = [[10 * r + c for c in range(3)] for r in range(4)]

    def panel(title: str, tuples: Matrix, places: list[list[Place]], shape: str) -> Panel:
        """places[t] are the elements that tuple t names."""
        picked = {place: [COLOURS[t]] for t, row in enumerate(places) for place in row}
        output = [[data[r][c] for r, c in row] for row in places]
        return title, [
            Grid("data", data, "4, 3", picked, numbered=True),
            Grid("indices", tuples, f"{len(tuples)}, {len(tuples[0])}", row_colours(len(tuples), len(tuples[0]))),
            Grid("output", output, shape, row_colours(len(output), len(output[0]))),
        ]

    rows, elements, batches = [[2], [0], [-1]], [[2, 1], [0, 2], [-1, 0]], [[1], [0], [2], [2]]
    return [
        panel("Tuples of one coordinate name rows", rows, [[(t[0] % 4, c) for c in range(3)] for t in rows], "3, 3"),
        panel("Tuples of two name elements", elements, [[(t[0] % 4, t[1] % 3)] for t in elements], "3"),
        panel("batch_dims 1: a tuple for each row", batches, [[(b, t[0])] for b, t in enumerate(batches)], "4"),
    ]


def gather_elements() -> list[Panel]:
    data = [[10 * r + c for c in range(3)] for r in range(3)]
    indices = [[2, 0, 1], [0, 0, -1]]

    def panel(axis: int, lines: dict[Place, list[str]]) -> Panel:
        """lines are the colours of the places of indices; a place of data has those of the indices that name it."""
        positions = [(r, c) for r in range(2) for c in range(3)]
        places = {(r, c): (indices[r][c] % 3, c) if axis == 0 else (r, indices[r][c] % 3) for r, c in positions}
        output = [[data[places[r, c][0]][places[r, c][1]] for c in range(3)] for r in range(2)]
        picked = {place: lines[position] for position, place in places.items()}
        title = f"axis {axis}: an index replaces the {('row', 'column')[axis]}, and its {('column', 'row')[axis]} stays"
        return title, [
            Grid("data", data, "3, 3", picked, numbered=True),
            Grid("indices", indices, "2, 3", lines),
            Grid("output", output, "2, 3", lines),
        ]

    return [panel(0, column_colours(2, 3)), panel(1, row_colours(2, 3))]


def scattered(
    title: str, data: Matrix, indices: Grid | None, updates: Grid, named: dict[Place, list[Place]], adds: bool
) -> Panel:
    """named[place] are the positions in updates that go to a place of data, in order. A slice has no indices."""
    output = [list(row) for row in data]
    for (r, c), positions in named.items():
        for position in positions:
            update = updates.cells[position[0]][position[1]]
            output[r][c] = output[r][c] + update if adds else update
    colours = {
        place: [updates.colours[position][0] for position in (positions if adds else positions[-1:])]
        for place, positions in named.items()
    }
    shape = f"{len(data)}, {len(data[0])}"
    return title, [
        Grid("data", data, shape, numbered=True),
        *([indices] if indices else []),
        updates,
        Grid("output", output, shape, colours, numbered=True),
    ]


def scatter() -> list[Panel]:
    data = [[r + 1] * 4 for r in range(3)]
    places, columns = [2, 0, -2], [[10 * (r + 1) + c for c in range(3)] for r in range(3)]
    indices = Grid("indices", [[i] for i in places], "3", row_colours(3, 1))
    updates = Grid("updates", columns, "3, 3", column_colours(3, 3))
    named: dict[Place, list[Place]] = {}
    for t, i in enumerate(places):
        for r in range(3):
            named.setdefault((r, i % 4), []).append((r, t))
    batches = [[1, 3], [0, -4], [2, 2]]
    own = Grid("indices", batches, "3, 2", row_colours(3, 2))
    elements = Grid("updates", [[10 * (r + 1) + c for c in range(2)] for r in range(3)], "3, 2", row_colours(3, 2))
    of_batches: dict[Place, list[Place]] = {}
    for r, row in enumerate(batches):
        for c, i in enumerate(row):
            of_batches.setdefault((r, i % 4), []).append((r, c))
    return [
        scattered("axis 1, none: the last update of a column wins", data, indices, updates, named, adds=False),
        scattered("axis 1, sum: updates of a column are added in order", data, indices, updates, named, adds=True),
        scattered("axis 1, batch_dims 1, sum: each row by its own indices", data, own, elements, of_batches, adds=True),
    ]


def scatter_nd() -> list[Panel]:
    data = [[r + 1] * 3 for r in range(4)]
    tuples, rows = [[2], [0], [-2]], [[10 * (t + 1) + c for c in range(3)] for t in range(3)]
    indices = Grid("indices", tuples, "3, 1", row_colours(3, 1))
    updates = Grid("updates", rows, "3, 3", row_colours(3, 3))
    named: dict[Place, list[Place]] = {}
    for t, (r,) in enumerate(tuples):
        for c in range(3):
            named.setdefault((r % 4, c), []).append((t, c))
    return [
        scattered("none: the last update of a row wins", data, indices, updates, named, adds=False),
        scattered("sum: updates of a row are added in order", data, indices, updates, named, adds=True),
    ]


def scatter_elements() -> list[Panel]:
    data = [[r + 1] * 3 for r in range(3)]
    places, values = [[0, 2, 1], [0, 1, -1]], [[10, 11, 12], [20, 21, 22]]
    indices = Grid("indices", places, "2, 3", column_colours(2, 3))
    updates = Grid("updates", values, "2, 3", column_colours(2, 3))
    named: dict[Place, list[Place]] = {}
    for r in range(2):
        for c in range(3):
            named.setdefault((places[r][c] % 3, c), []).append((r, c))
    return [
        scattered("axis 0, none: the last update of an element wins", data, indices, updates, named, adds=False),
        scattered("axis 0, sum: updates of an element are added in order", data, indices, updates, named, adds=True),
    ]


def tensor_scatter() -> list[Panel]:
    cache, keys = [[0] * 5 for _ in range(2)], [[11, 12], [21, 22]]
    updates = Grid("updates", keys, "2, 2", row_colours(2, 2))

    def panel(title: str, begins: list[int]) -> Panel:
        indices = Grid("indices", [[begin] for begin in begins], "2", row_colours(2, 1))
        named = {(b, (begin + t) % 5): [(b, t)] for b, begin in enumerate(begins) for t in range(2)}
        return scattered(title, cache, indices, updates, named, adds=False)

    return [
        panel("axis 1: an index is where the window of its batch begins", [0, 3]),
        panel("axis 1, circular: a window continues at the beginning", [4, 7]),
    ]


def slice_scatter() -> list[Panel]:
    data = [[0] * 5 for _ in range(2)]
    updates = Grid("updates", [[1, 2, 3], [4, 5, 6]], "2, 3", column_colours(2, 3))
    named = {(r, c): [(r, t)] for t, c in enumerate(range(5)[::-2]) for r in range(2)}
    title = "axis 1, step -2: every other column, from the last one backwards"
    return [scattered(title, data, None, updates, named, adds=False)]


def summed(title: str, rows: list[int], bags: list[int], lists: list[Grid], default: int | None = None) -> Panel:
    """bags[e] is where row rows[e] of the table goes; what nothing goes into is given the default."""
    data = [[10 * r + c for c in range(3)] for r in range(4)]
    output = [[0] * 3 for _ in range(3)]
    for r, b in zip(rows, bags):
        output[b] = [x + y for x, y in zip(output[b], data[r])]
    read = {r: sorted({b for row, b in zip(rows, bags) if row == r}) for r in range(4)}
    for b in set(range(3)) - set(bags) if default is not None else set():
        output[b] = data[default]
        read[default] = sorted([*read[default], b])
    colours = {(r, c): [COLOURS[b] for b in read[r]] for r in range(4) for c in range(3) if read[r]}
    written = {(b, c): [COLOURS[b]] for b in range(3) for c in range(3) if b in bags or default is not None}
    table = Grid("data", data, "4, 3", colours, numbered=True)
    return title, [table, *lists, Grid("output", output, "3, 3", written, numbered=True)]


def listed(name: str, items: list[int], bags: list[int]) -> Grid:
    """A list of integers, each in the colour of its bag."""
    return Grid(name, [[i] for i in items], str(len(items)), {(e, 0): [COLOURS[b]] for e, b in enumerate(bags)})


def embedding_bags() -> list[Panel]:
    rows, bags = [2, 0, 3, 3, 1], [0, 0, 2, 2, 2]
    packed, of_packed = [[2, 0], [1, 1], [3, 0]], [0, 0, 1, 1, 2, 2]
    segments, ids = [2, 0, 3, 1], [0, 0, 2, 2]
    grid = Grid("indices", packed, "3, 2", row_colours(3, 2))
    return [
        summed(
            "offsets: where each bag begins; the second is empty",
            rows,
            bags,
            [listed("indices", rows, bags), listed("offsets", [0, 2, 2], [0, 1, 2])],
        ),
        summed("packed: a row of indices is a bag", [r for row in packed for r in row], of_packed, [grid]),
        summed(
            "segments: where each row goes; an empty one gets row 1",
            segments,
            ids,
            [listed("indices", segments, ids), listed("segment_ids", ids, ids)],
            default=1,
        ),
    ]


def segment_reduce() -> list[Panel]:
    data, ids = [[1, 8, 3], [4, 2, 6], [7, 5, 9], [2, 2, 2], [3, 1, 4]], [0, 0, 1, 3, 3]
    panels: list[Panel] = []
    for title, combine in (("max; row 2 is empty", max), ("sum", lambda x, y: x + y)):
        output = [[0] * 3 for _ in range(4)]
        for e, s in enumerate(ids):
            is_first = s not in ids[:e]
            output[s] = data[e] if is_first else [combine(x, y) for x, y in zip(output[s], data[e])]
        rows = {(e, c): [COLOURS[s]] for e, s in enumerate(ids) for c in range(3)}
        written = {(s, c): [COLOURS[s]] for s in ids for c in range(3)}
        grids = [
            Grid("data", data, "5, 3", rows),
            listed("segment_ids", ids, ids),
            Grid("output", output, "4, 3", written, numbered=True),
        ]
        panels.append((title, grids))
    return panels


def gather_scatter() -> list[Panel]:
    rows, leaves, enters = [[10 * r + c for c in range(3)] for r in range(4)], [1, 2, 0, 3, 1], [0, 0, 1, 3, 3]
    panels: list[Panel] = []
    for title, weights in (("sum", None), ("sum, with a weight for each row", [1, 2, -1, 1, 3])):
        output = [[0] * 3 for _ in range(4)]
        for e, (i, t) in enumerate(zip(leaves, enters)):
            output[t] = [x + (weights[e] if weights else 1) * y for x, y in zip(output[t], rows[i])]
        read = {i: sorted({t for leaf, t in zip(leaves, enters) if leaf == i}) for i in range(4)}
        lists = [listed("indices", leaves, enters), listed("targets", enters, enters)]
        grids = [
            Grid("updates", rows, "4, 3", {(i, c): [COLOURS[t] for t in read[i]] for i in read for c in range(3)}, True),
            *lists,
            *([listed("weights", weights, enters)] if weights else []),
            Grid("output", output, "4, 3", {(t, c): [COLOURS[t]] for t in enters for c in range(3)}, numbered=True),
        ]
        panels.append((title, grids))
    return panels


PICTURES = {
    "gather": gather,
    "gather_nd": gather_nd,
    "gather_elements": gather_elements,
    "scatter": scatter,
    "scatter_nd": scatter_nd,
    "scatter_elements": scatter_elements,
    "tensor_scatter": tensor_scatter,
    "slice_scatter": slice_scatter,
    "embedding_bags": embedding_bags,
    "segment_reduce": segment_reduce,
    "gather_scatter": gather_scatter,
}


# ---- Drawing ---------------------------------------------------------------------------------------------------------


def text(x: float, y: float, words: str, kind: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" class="{kind}">{words}</text>'


def rectangle(x: float, y: float, width: float, height: float, kind: str = "", fill: str = "") -> str:
    attributes = f' class="{kind}"' * bool(kind) + f' fill="{fill}"' * bool(fill)
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{attributes}/>'


def draw_cell(x: float, y: float, value: int, colours: Sequence[str]) -> list[str]:
    """In all of its colours, side by side."""
    part = CELL_WIDTH / len(colours)
    fills = [rectangle(x + i * part, y, part, CELL_HEIGHT, "half", colour) for i, colour in enumerate(colours)]
    frame = rectangle(x, y, CELL_WIDTH, CELL_HEIGHT, "frame")
    return [*fills, frame, text(x + CELL_WIDTH / 2, y + CELL_HEIGHT / 2 + 5, str(value), "middle")]


def draw_numbers(x: float, y: float, grid: Grid) -> list[str]:
    """The coordinates of rows and columns, beside the grid."""
    columns = [text(x + (c + 0.5) * CELL_WIDTH, y - 5, str(c), "number") for c in range(len(grid.cells[0]))]
    rows = [text(x - 10, y + (r + 0.5) * CELL_HEIGHT + 4, str(r), "number") for r in range(len(grid.cells))]
    return columns + rows


def draw_grid(x: float, y: float, grid: Grid) -> list[str]:
    """With its caption, at the height of `y`, above it."""
    lines = [text(x, y + 14, grid.caption, "caption")]
    x, y = x + NUMBERS * grid.numbered, y + CAPTION_HEIGHT
    for r, row in enumerate(grid.cells):
        for c, value in enumerate(row):
            lines += draw_cell(x + c * CELL_WIDTH, y + r * CELL_HEIGHT, value, grid.colours.get((r, c), [PLAIN]))
    return lines + (draw_numbers(x, y, grid) if grid.numbered else [])


def draw_panel(y: float, panel: Panel) -> tuple[list[str], float, float]:
    """Its lines, its right end and its lower one."""
    title, grids = panel
    lines, x = [text(LEFT, y + 16, title, "title")], float(LEFT)
    y += TITLE_HEIGHT
    for grid in grids:
        if grid is grids[-1]:
            lines.append(text(x - GAP / 2, y + CAPTION_HEIGHT + CELL_HEIGHT * 1.2, "→", "arrow"))
        lines += draw_grid(x, y, grid)
        x += grid.width + GAP
    return lines, x - GAP + LEFT, y + CAPTION_HEIGHT + max(grid.height for grid in grids)


def draw(name: str) -> str:
    """The picture of one operator."""
    lines: list[str] = []
    width, y = 0.0, float(PANEL_GAP) / 2
    for panel in PICTURES[name]():
        drawn, right, lower = draw_panel(y, panel)
        lines += drawn
        width, y = max(width, right, LEFT * 2 + LETTER * len(panel[0])), lower + PANEL_GAP
    size = f'viewBox="0 0 {width:g} {y:g}" width="{width:g}" height="{y:g}"'
    head = [f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', f"<title>{name}</title>", f"<style>\n{STYLE}\n</style>"]
    return "\n".join([*head, rectangle(0, 0, width, y, "page"), *lines, "</svg>"]) + "\n"


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    for name in PICTURES:
        (folder / f"{name}.svg").write_text(draw(name))
