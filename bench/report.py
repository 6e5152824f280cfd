#!/usr/bin/env python3
"""Turns result files of strew-bench into a page to read and pictures to share.

    bench/report.py build/bench/results.json
    bench/report.py --output build/report mine.json yours.json

Writes index.html, which needs no other file and no network, and each of its figures as SVG and PNG; the README's
picture, benchmark.svg, is of the first machine. Files of different machines are drawn side by side.
"""

from __future__ import annotations

import argparse
import base64
import html
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from matplotlib import pyplot

import figures
import picture
import results
from results import Machine, Row

TEMPLATE = Path(__file__).parent / "report.html"
SECOND_UNITS = ((1e-6, 1e9, "ns"), (1e-3, 1e6, "µs"), (1, 1e3, "ms"))

# Title and quantity of each numeric column of the tables: the value sorts, the text is shown.
COLUMNS = (
    ("time", lambda row: row.seconds, lambda value: time_text(value)),
    ("GB/s", figures.throughput, "{:.2f}".format),
    ("items/s", lambda row: row.items_per_second, lambda value: f"{value / 1e6:.2f} M"),
    ("to memcpy", figures.memcpy_ratio, "{:.3f}".format),
    ("to limit", figures.limit_ratio, "{:.3f}".format),
)


def time_text(seconds: float) -> str:
    """A time in the unit that suits it."""
    for below, scale, unit in SECOND_UNITS:
        if seconds < below:
            return f"{seconds * scale:.2f} {unit}"
    return f"{seconds:.2f} s"


def write_figures(machines: Sequence[Machine], folder: Path) -> list[tuple[str, Path]]:
    """Draws every figure that the files have rows for. Returns their captions and SVG files."""
    written = []
    if drawn := picture.draw(machines[0]):
        svg = folder / "benchmark.svg"
        svg.write_text(drawn)
        written.append(("Vector kernels over scalar ones, and operators beside memcpy", svg))
    for name, caption, draw in figures.FIGURES:
        figure = draw(machines)
        if figure is None:
            continue
        svg = folder / f"{name}.svg"
        figure.savefig(svg, metadata={"Date": None})
        figure.savefig(svg.with_suffix(".png"), dpi=150)
        pyplot.close(figure)
        written.append((caption, svg))
    return written


def figure_html(caption: str, svg: Path) -> str:
    """A figure inside the page. As an image, so that the names inside two SVG files cannot meet."""
    content = base64.b64encode(svg.read_bytes()).decode()
    text = html.escape(caption)
    return f'<h2>{text}</h2>\n<img alt="{text}" src="data:image/svg+xml;base64,{content}">'


def table(head: Iterable[str], lines: Iterable[str], kind: str = "") -> str:
    """A table of ready-made lines."""
    titles = "".join(f"<th>{html.escape(title)}</th>" for title in head)
    return f'<table class="{kind}"><thead><tr>{titles}</tr></thead><tbody>\n' + "\n".join(lines) + "\n</tbody></table>"


def facts_table(machines: Sequence[Machine]) -> str:
    """What is known of each machine, one column each."""
    facts = dict.fromkeys(fact for machine in machines for fact in machine.facts)
    lines = (
        f"<tr><th>{html.escape(fact)}</th>"
        + "".join(f"<td>{html.escape(machine.facts.get(fact, ''))}</td>" for machine in machines)
        + "</tr>"
        for fact in facts
    )
    return table(("", *(machine.label for machine in machines)), lines)


def cell(value: float | None, text: str) -> str:
    """A number of a table, which sorts by its value."""
    return f'<td class="number" data-value="{value:.9g}">{text}</td>' if value is not None else "<td></td>"


def row_line(machine: Machine, row: Row, columns: Sequence, with_machine: bool) -> str:
    """One row of the result file."""
    label = f"<td>{html.escape(machine.label)}</td>" if with_machine else ""
    values = ((get(row), text) for _, get, text in columns)
    cells = "".join(cell(value, text(value) if value is not None else "") for value, text in values)
    return f"<tr><td>{html.escape(row.name.text)}</td>{label}{cells}</tr>"


def family_table(machines: Sequence[Machine], family: str) -> str:
    """All rows of a family, folded away until asked for."""
    rows = [(machine, row) for machine in machines for row in machine.rows if row.name.family == family]
    rows.sort(key=lambda pair: pair[1].name.text)
    columns = [column for column in COLUMNS if any(column[1](row) is not None for _, row in rows)]
    several = len(machines) > 1
    head = ("name", *(("machine",) if several else ()), *(title for title, _, _ in columns))
    lines = (row_line(machine, row, columns, several) for machine, row in rows)
    return (
        f"<details><summary>{html.escape(family)} ({len(rows)} rows)</summary>\n"
        f"{table(head, lines, 'sortable')}\n</details>"
    )


def page(machines: Sequence[Machine], drawn: Iterable[tuple[str, Path]]) -> str:
    """The whole page."""
    families = dict.fromkeys(family for machine in machines for family in machine.families())
    parts = {
        "MACHINES": facts_table(machines),
        "FIGURES": "\n".join(figure_html(caption, svg) for caption, svg in drawn),
        "ROWS": "\n".join(family_table(machines, family) for family in families),
    }
    text = TEMPLATE.read_text()
    for name, part in parts.items():
        text = text.replace(f"<!-- {name} -->", part)
    return text


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path, nargs="+", help="result files, one for each machine")
    parser.add_argument("--output", type=Path, default=Path("build/report"), help="folder (default: build/report)")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes the report and returns the exit status."""
    options = parse_arguments(arguments)
    try:
        machines = results.load_all(options.results)
    except results.ResultError as error:
        print(f"report.py: {error}", file=sys.stderr)
        return 1
    options.output.mkdir(parents=True, exist_ok=True)
    drawn = write_figures(machines, options.output)
    index = options.output / "index.html"
    index.write_text(page(machines, drawn))
    for written in (index, *(svg for _, svg in drawn)):
        print(written)
    return 0


if __name__ == "__main__":
    sys.exit(main())
