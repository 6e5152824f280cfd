#!/usr/bin/env python3
"""Turns result files of strew-bench, and one of bench/peers/peers.py, into a page to read and pictures to share.

    bench/report.py build/bench/results.json
    bench/report.py --peers build/bench/peers.json --output build/report mine.json yours.json

Writes index.html, which needs no other file and no network, and each of its figures as SVG. The first file is the
machine that the page is about; the others are drawn beside it. With --peers, benchmark.svg is the README's picture.
"""

from __future__ import annotations

import argparse
import html
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import figures
import peer_results
import picture
import results
import sizes
from peer_results import Call, Peers
from results import Machine, Row
from telling import Drawn

TEMPLATE = Path(__file__).parent / "report.html"
SECOND_UNITS = ((1e-6, 1e9, "ns"), (1e-3, 1e6, "µs"), (1, 1e3, "ms"))

# Title and quantity of each numeric column of the tables: the value sorts, the text is shown.
COLUMNS = (
    ("time", lambda row: row.seconds, lambda value: time_text(value)),
    ("GB/s", sizes.throughput, "{:.2f}".format),
    ("items/s", lambda row: row.items_per_second, lambda value: f"{value / 1e6:.2f} M"),
    ("to memcpy", lambda row: row.memcpy_ratio, "{:.3f}".format),
    ("to limit", lambda row: row.limit_ratio, "{:.3f}".format),
)

# The facts about a machine, in this order, with their labels. Other facts follow unchanged, except useless ones.
FACTS = {
    "cpu": "CPU",
    "active_isa": "instruction set in use",
    "data_caches": "data caches",
    "threads": "threads",
    "transparent_huge_pages": "huge pages",
    "strew": "strew",
    "compiler": "compiler of strew",
    "flags": "flags of strew",
    "suite": "suite",
    "date": "date",
    "load_average": "load when it began",
    "cpu_scaling_enabled": "CPU scaling",
    "mhz_per_cpu": "MHz",
    "library_build_type": "Google Benchmark library",
}
OF_NO_USE = {"executable", "host_name", "num_cpus"}
# Google Benchmark's packager chose its build type: it says nothing about strew.
FACT_TEXTS = {
    ("library_build_type", "debug"): "a debug build, as the distribution made it",
    ("cpu_scaling_enabled", "False"): "off",
    ("cpu_scaling_enabled", "True"): "on",
}


def time_text(seconds: float) -> str:
    """A time in the unit that suits it."""
    for below, scale, unit in SECOND_UNITS:
        if seconds < below:
            return f"{seconds * scale:.2f} {unit}"
    return f"{seconds:.2f} s"


# ---- Sections --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Section:
    """A part of the page: an explanation and its figures or, without figures, how to make some."""

    name: str
    title: str
    text: str
    drawn: Sequence[Drawn]
    missing: str = ""
    command: str = ""  # that would make some


def sections(machines: Sequence[Machine], peers: Peers | None) -> list[Section]:
    """The figures that a reader with a new CPU wants, in that order."""
    first = machines[0]
    return [
        Section(
            "sets",
            "Each instruction set beside scalar",
            "A ratio of times: 2 is twice as fast as the scalar kernels, which the compiler vectorises as far as every"
            " CPU of the architecture allows.",
            figures.instruction_sets(first),
            "The results have no instruction set but scalar, or no rows on one thread.",
        ),
        Section(
            "peers",
            "strew beside its peers",
            "Like beside like, turn by turn: libraries alone and through strew, called from Python; loops and ONNX"
            " Runtime beside strew, called from C. Every result was looked at first.",
            peer_figures(peers),
            "NumPy, PyTorch and others are drawn here once they have been measured:",
            "make bench-peers report",
        ),
        Section(
            "limits",
            "strew beside the limits",
            "1 is as fast as the fastest known way to move the same bytes: fixed sizes, from offsets that somebody else"
            " computed and nobody checks. An item is an element or a row, whichever the operator moves.",
            [*figures.limits(first), *sizes.over_sizes(first)],
            "The results have no rows on one thread.",
        ),
        Section(
            "machines",
            "This CPU beside others",
            "The same calls, each machine with its best instruction set.",
            figures.machines_beside(machines),
            "Results of other machines are drawn here, if there are any:",
            'make report RESULTS="mine.json theirs.json"',
        ),
    ]


def peer_figures(peers: Peers | None) -> list[Drawn]:
    """Each library alone and through strew, then the fastest from Python, and from C."""
    if peers is None:
        return []
    drawn = {"through": picture.draw_through(peers), "peers": picture.draw_all(peers), "in_c": picture.draw_in_c(peers)}
    return [Drawn(name, svg) for name, svg in drawn.items() if svg]


def section_html(section: Section) -> str:
    """A section of the page, its figures in it."""
    inside = "\n".join(f"<figure>{figure.svg.strip()}</figure>" for figure in section.drawn)
    missing = f"<p>{html.escape(section.missing)} <code>{html.escape(section.command)}</code></p>"
    body = f'<div class="figures">\n{inside}\n</div>' if section.drawn else missing
    text = f"<p>{html.escape(section.text)}</p>\n" if section.drawn else ""
    return f'<section id="{section.name}">\n<h2>{html.escape(section.title)}</h2>\n{text}{body}\n</section>'


def contents_html(drawn: Iterable[Section]) -> str:
    """Links to the sections."""
    return "\n".join(f'<a href="#{section.name}">{html.escape(section.title)}</a>' for section in drawn)


# ---- Tables ----------------------------------------------------------------------------------------------------------


def table(head: Iterable[str], lines: Iterable[str], kind: str = "") -> str:
    """A table of ready-made lines, in a box that scrolls by itself."""
    titles = "".join(f"<th>{html.escape(title)}</th>" for title in head)
    body = "\n".join(lines)
    inside = f"<thead><tr>{titles}</tr></thead><tbody>\n{body}\n</tbody>"
    return f'<div class="scroll"><table class="{kind}">{inside}</table></div>'


def facts_table(machines: Sequence[Machine]) -> str:
    """The facts of each machine, one column each."""
    known = dict.fromkeys(fact for machine in machines for fact in machine.facts)
    facts = [fact for fact in (*FACTS, *known) if fact in known and fact not in OF_NO_USE]
    lines = (
        f"<tr><th>{html.escape(FACTS.get(fact, fact))}</th>"
        + "".join(f"<td>{html.escape(fact_text(fact, machine.facts.get(fact, '')))}</td>" for machine in machines)
        + "</tr>"
        for fact in dict.fromkeys(facts)
    )
    return table(("", *(machine.label for machine in machines)), lines, "facts")


def fact_text(fact: str, value: str) -> str:
    """A fact for people."""
    return FACT_TEXTS.get((fact, value), value)


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
    return folded(f"{family} ({len(rows)} rows)", table(head, lines, "sortable"))


def folded(title: str, body: str) -> str:
    """Shown when its title is clicked."""
    return f"<details><summary>{html.escape(title)}</summary>\n{body}\n</details>"


def peers_table(peers: Peers) -> str:
    """All times of each call and number of threads."""
    columns = peers.columns()
    lines = (call_line(call, threads, columns) for call in peers.calls for threads in call.seconds)
    head = ("call", "threads", *columns, "from Python", "from C")
    rows = sum(len(call.seconds) for call in peers.calls)
    return folded(f"peers ({rows} rows)", table(head, lines, "sortable"))


def call_line(call: Call, threads: int, columns: Sequence[str]) -> str:
    """One call on so many threads."""
    times = (call.seconds[threads].get(name) for name in columns)
    cells = "".join(cell(seconds, time_text(seconds) if seconds else "") for seconds in times)
    ratios = (call.ratios.get(threads), call.ratios_in_c.get(threads))
    name = html.escape(f"{call.title}: {call.label}")
    cells += "".join(cell(ratio, f"{ratio:.2f}" if ratio else "") for ratio in ratios)
    return f'<tr><td>{name}</td><td class="number" data-value="{threads}">{threads}</td>{cells}</tr>'


# ---- The page --------------------------------------------------------------------------------------------------------


def page(machines: Sequence[Machine], peers: Peers | None, drawn: Sequence[Section]) -> str:
    """The whole page."""
    families = dict.fromkeys(family for machine in machines for family in machine.families())
    tables = [*([peers_table(peers)] if peers else []), *(family_table(machines, family) for family in families)]
    parts = {
        "TITLE": html.escape(f"strew {machines[0].facts.get('strew', '')} on {machines[0].label}"),
        "CONTENTS": contents_html(drawn),
        "SECTIONS": "\n".join(section_html(section) for section in drawn),
        "MACHINES": facts_table(machines),
        "ROWS": "\n".join(tables),
    }
    return re.sub(r"<!-- ([A-Z]+) -->", lambda found: parts[found[1]], TEMPLATE.read_text())


def write(machines: Sequence[Machine], peers: Peers | None, folder: Path) -> list[Path]:
    """Writes the page and its figures. Returns the files."""
    drawn = sections(machines, peers)
    files = {f"{figure.name}.svg": figure.svg for section in drawn for figure in section.drawn}
    if peers:
        files = {"benchmark.svg": picture.draw_main(peers)} | files
    files = {"index.html": page(machines, peers, drawn)} | files
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_text(content, encoding="utf-8")
    return [folder / name for name in files]


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path, nargs="+", help="result files, one for each machine")
    parser.add_argument("--peers", type=Path, help="what bench/peers/peers.py wrote on the first machine")
    parser.add_argument("--output", type=Path, default=Path("build/report"), help="folder (default: build/report)")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes the report and returns the exit status."""
    options = parse_arguments(arguments)
    try:
        machines = results.load_all(options.results)
        peers = peer_results.load(options.peers) if options.peers else None
    except results.ResultError as error:
        print(f"report.py: {error}", file=sys.stderr)
        return 1
    for written in write(machines, peers, options.output):
        print(written)
    return 0


if __name__ == "__main__":
    sys.exit(main())
