"""The recorded counts of recorded-*.tsv, and their table in docs/arm.md.

    python3 bench/count/page.py           fails if the page's table differs from the file
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
PEERS = ROOT / "bench" / "count" / "recorded-peers-aarch64.tsv"
MARK = "<!-- rows: written from bench/count/{} -->\n"
CORES = {"cortex-a55": "Cortex-A55", "neoverse-n1": "Neoverse N1", "neoverse-v2": "Neoverse V2"}
COLUMNS = ("call", "isa", "instructions", "loads", "stores", *CORES)


class Key(NamedTuple):
    """A call, by its name, and the instruction set that it is made with."""

    name: str
    isa: str


@dataclass
class Count:
    """The counts of a call, and the modelled cycles for an entry on each core."""

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


def write_peers(peers: list[str], counts: list[dict[str, int]]) -> None:
    """Writes a line for each call below the names of the peers."""
    lines = ["\t".join(("call", *peers))]
    lines += ["\t".join((name, *(str(count[name]) for count in counts))) for name in counts[0]]
    PEERS.write_text("\n".join(lines) + "\n")


def rows_of_peers(counts: dict[Key, Count]) -> str:
    """The rows of the table of peers: strew's instructions, and those of each peer."""
    text = ""
    for line in PEERS.read_text().splitlines()[1:]:
        name, *peers = line.split("\t")
        numbers = [counts[Key(name, "neon")].instructions, *map(int, peers)]
        text += "| " + " | ".join([name, *(f"{number:,}" for number in numbers)]) + " |\n"
    return text


def with_rows(text: str, file: Path, lines_of_table: str) -> str:
    """The text of the page with these rows in the table of a file."""
    mark = MARK.format(file.name)
    before, rest = text.split(mark)
    lines = rest.splitlines(keepends=True)
    head, rest = lines[:2], lines[2:]
    while rest and rest[0].startswith("|"):
        rest.pop(0)
    return before + mark + "".join(head) + lines_of_table + "".join(rest)


def whole_page() -> str:
    """The page with the recorded counts."""
    _, counts = read_recorded(RECORDED)
    text = with_rows(PAGE.read_text(), RECORDED, rows(counts))
    return with_rows(text, PEERS, rows_of_peers(counts))


def write() -> None:
    """Writes the rows of the page."""
    PAGE.write_text(whole_page())


if __name__ == "__main__":
    if "--write" in sys.argv[1:]:
        write()
    elif whole_page() != PAGE.read_text():
        sys.exit("docs/arm.md does not show what was recorded: python3 bench/count/page.py --write")
