"""Draws the picture of docs/performance.md, how a call is carried out: draw_call.py [FILE]."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

Box = tuple[str, str, str]  # a name, and two lines: what it does or when it is taken
Step = tuple[str, str, Sequence[Box]]  # a title, the question that the step answers, its answers

PICTURE = Path(__file__).parent / "call.svg"
STEPS: Sequence[Step] = (
    (
        "1. The guarantee",
        "What does a bad index leave behind?",
        (
            ("nothing is promised", "no index can be bad, or the", "output is separate from data"),
            ("all or nothing", "in place: a bad index leaves", "the tensor as it was"),
            ("the prefix", "policy stop: earlier updates", "are done, later ones are not"),
        ),
    ),
    (
        "2. The strategy",
        "In which passes does the work go?",
        (
            ("combine", "bags, segments, gather_scatter:", "loops of their own"),
            ("partition", "many elements far apart, and scratch:", "sort updates into buckets first"),
            ("move directly", "nothing is promised, or one", "thread stops in order: one pass"),
            ("copy first", "a small output in place: move into", "a copy, then copy that back"),
            ("resolve first", "one thread, few rows or long tuples:", "read indices once"),
            ("check first", "everything else in place:", "read indices twice"),
        ),
    ),
    (
        "3. The threads",
        "Who moves which rows?",
        (
            ("one thread", "the work is small, or", "not worth sharing"),
            ("a dimension", "each thread has a part of a", "dimension that keeps writes apart"),
            ("every row", "rows are very long: each thread", "has a part of every row"),
            ("parts", "sorted indices: each thread has", "a part of the list"),
            ("owners", "each thread reads all indices and", "moves the rows that it owns"),
        ),
    ),
    (
        "4. A tile",
        "How do up to 512 rows move?",
        (
            ("by table", "single elements: one loop checks", "an index and moves its element"),
            ("resolve, then move", "a kernel turns indices into", "offsets, another moves the rows"),
        ),
    ),
)

ACROSS = 3  # boxes in a line
BOX_WIDTH, BOX_HEIGHT, BOX_GAP = 256, 66, 12  # pixels
TITLE_HEIGHT, ARROW_HEIGHT, PADDING, MARGIN = 32, 30, 14, 16
LETTER = 6.4  # pixels of a letter of 13, about
WIDTH = ACROSS * BOX_WIDTH + (ACROSS - 1) * BOX_GAP + 2 * (PADDING + MARGIN)
STYLE = """\
text { font: 13px sans-serif; fill: #222; }
.title { font-size: 15px; font-weight: bold; }
.question { fill: #555; }
.name { font-size: 14px; font-weight: bold; }
.page { fill: #fff; }
.step { fill: #eef3f8; stroke: #b5c4d3; }
.box { fill: #fff; stroke: #7c93aa; }
.arrow { fill: none; stroke: #555; stroke-width: 1.5; }"""


def text(x: float, y: float, words: str, kind: str = "") -> str:
    attribute = f' class="{kind}"' * bool(kind)
    return f'<text x="{x:g}" y="{y:g}"{attribute}>{words}</text>'


def rectangle(x: float, y: float, width: float, height: float, kind: str) -> str:
    corner = 0 if kind == "page" else 4
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{corner}" class="{kind}"/>'


def draw_box(x: float, y: float, box: Box) -> list[str]:
    name, *lines = box
    assert all(len(line) * LETTER < BOX_WIDTH - 14 for line in box), f"{box} is too long"
    frame = rectangle(x, y, BOX_WIDTH, BOX_HEIGHT, "box")
    return [frame, text(x + 10, y + 20, name, "name"), *(text(x + 10, y + 39 + 17 * i, lines[i]) for i in range(2))]


def draw_step(y: float, step: Step) -> tuple[list[str], float]:
    """Its lines, and its lower end."""
    title, question, boxes = step
    height = TITLE_HEIGHT + -(-len(boxes) // ACROSS) * (BOX_HEIGHT + BOX_GAP)
    lines = [
        rectangle(MARGIN, y, WIDTH - 2 * MARGIN, height, "step"),
        text(MARGIN + PADDING, y + 21, title, "title"),
        text(MARGIN + PADDING + 160, y + 21, question, "question"),
    ]
    for i, box in enumerate(boxes):
        x = MARGIN + PADDING + i % ACROSS * (BOX_WIDTH + BOX_GAP)
        lines += draw_box(x, y + TITLE_HEIGHT + i // ACROSS * (BOX_HEIGHT + BOX_GAP), box)
    return lines, y + height


def draw_arrow(y: float) -> str:
    """From the lower end of a step to the next one."""
    x, end = WIDTH / 2, y + ARROW_HEIGHT
    return f'<path d="M {x:g} {y:g} V {end:g} m -6 -8 l 6 8 l 6 -8" class="arrow"/>'


def draw() -> str:
    lines: list[str] = []
    y = float(MARGIN)
    for step in STEPS:
        if lines:
            lines.append(draw_arrow(y))
            y += ARROW_HEIGHT
        drawn, y = draw_step(y, step)
        lines += drawn
    y += MARGIN
    size = f'viewBox="0 0 {WIDTH:g} {y:g}" width="{WIDTH:g}" height="{y:g}"'
    title = "<title>How a call is carried out</title>"
    head = [f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', title, f"<style>\n{STYLE}\n</style>"]
    return "\n".join([*head, rectangle(0, 0, WIDTH, y, "page"), *lines, "</svg>"]) + "\n"


if __name__ == "__main__":
    (Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE).write_text(draw())
