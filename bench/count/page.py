"""What was counted, as it is kept in recorded-*.tsv and shown in docs/arm.md.

    python3 bench/count/page.py           fails if the page's table is not that of the file
    python3 bench/count/page.py --write   writes it
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
RECORDED = ROOT / "bench" / "count" / "recorded-aarch64.tsv"
PAGE = ROOT / "docs" / "arm.md"
MARK = "<!-- rows: written from bench/count/recorded-aarch64.tsv -->\n"
CORES = {"cortex-a55": "Cortex-A55", "neoverse-n1": "Neoverse N1", "neoverse-v2": "Neoverse V2"}
COLUMNS = ("call", "isa", "instructions", "loads", "stores", *CORES)


class Key(NamedTuple):
    """A call, by its name, and the instruction set that it is made with."""

    name: str
    isa: str


@dataclass
class Count:
    """What a call takes, and modelled cycles of an entry on each core."""

    instructions: int
    loads: int
    stores: int
    cycles: dict[str, float] = field(default_factory=dict)


def write_recorded(file: Path, compiler: str, counts: dict[Key, Count]) -> None:
    """Writes a line for each call and instruction set, below the compiler and the names of columns."""
    lines = [f"# {compiler}", "\t".join(COLUMNS)]
    for key, count in counts.items():
        cycles = (f"{count.cycles[core]:.2f}" if count.cycles else "" for core in CORES)
        lines.append("\t".join(map(str, (*key, count.instructions, count.loads, count.stores, *cycles))))
    file.write_text("\n".join(lines) + "\n")


def read_recorded(file: Path) -> tuple[str, dict[Key, Count]]:
    """The compiler, and the counts."""
    compiler, _, *lines = file.read_text().splitlines()
    counts = {}
    for line in lines:
        name, isa, instructions, loads, stores, *cycles = line.split("\t")
        modelled = {core: float(text) for core, text in zip(CORES, cycles) if text}
        counts[Key(name, isa)] = Count(int(instructions), int(loads), int(stores), modelled)
    return compiler.removeprefix("# "), counts


def pair(numbers: list[float], form: str) -> str:
    """NEON's number and scalar's."""
    return " / ".join(format(number, form) for number in numbers)


def rows(counts: dict[Key, Count]) -> str:
    """The rows of the table: NEON / scalar."""
    text = ""
    for name in dict.fromkeys(key.name for key in counts):
        both = [counts[Key(name, isa)] for isa in ("neon", "scalar")]
        cells = [name, pair([count.instructions for count in both], ",")]
        cells += [pair([count.cycles[core] for count in both], ".1f") for core in CORES if both[0].cycles]
        text += "| " + " | ".join(cells) + " |\n"
    return text


def table(counts: dict[Key, Count]) -> str:
    """The table, with its head."""
    heads = ["call", "instructions", *CORES.values()]
    return "| " + " | ".join(heads) + " |\n" + "|---" * len(heads) + "|\n" + rows(counts)


def page_with(text: str) -> str:
    """The page with these rows."""
    before, rest = PAGE.read_text().split(MARK)
    lines = rest.splitlines(keepends=True)
    head, rest = lines[:2], lines[2:]
    while rest and rest[0].startswith("|"):
        rest.pop(0)
    return before + MARK + "".join(head) + text + "".join(rest)


def write() -> None:
    """Writes the rows of the page."""
    PAGE.write_text(page_with(rows(read_recorded(RECORDED)[1])))


if __name__ == "__main__":
    if "--write" in sys.argv[1:]:
        write()
    elif page_with(rows(read_recorded(RECORDED)[1])) != PAGE.read_text():
        sys.exit("docs/arm.md does not show what was recorded: python3 bench/count/page.py --write")
