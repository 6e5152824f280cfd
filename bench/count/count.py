"""Counts the instructions of strew-count-calls under QEMU, and models the cycles that cores of ARM's take for them.

    count.py --emulator "qemu-aarch64 -L ..." --program .../strew-count-calls --work DIRECTORY --recorded FILE

counts, models, prints both, and fails where a call takes more instructions than FILE allows. Options:

    --check      only counts and compares
    --record     writes FILE, and the table of docs/arm.md
    --only TEXT  only calls whose names match this regular expression
    --every      makes other calls, which use every NEON kernel that computes or resolves, and fails where NEON takes
                 more instructions than scalar code and more cycles on a Cortex-A55 or a Neoverse N1
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import re
import shutil
import struct
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import page
from page import Count, Key

HERE = Path(__file__).resolve().parent
ISAS = ("neon", "scalar")
ENTRIES = 1024  # in a counted call
FEW, MORE = 64, 128  # in two calls whose cycles are modelled: the difference leaves out the fixed cost of a call
MOST_GROWTH = 1.03
FAR = r"^((?:bl|b|adrp?)\b.*)#.*$"  # how far apart two functions are, which changes no cycles
SKIPPED = 77  # the exit status of a test without anything to compare with
LLVM = "19"  # the oldest that Debian 12 has with a model of Neoverse V2


def build_plugin(work: Path) -> Path:
    """The plugin, compiled for this machine."""
    plugin = work / "plugin.so"
    flags = ["-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-Werror"]
    subprocess.run(["cc", *flags, "-o", plugin, HERE / "plugin.c"], check=True)
    return plugin


def run(arguments: argparse.Namespace, isa: str, entries: int, traces: Path | None) -> tuple[str, dict[str, Count]]:
    """The compiler of the program, and the counts of each call."""
    counts = arguments.work / f"{isa}.counts"
    plugin = f"{arguments.plugin},counts={counts}" + (f",traces={traces}" if traces else "")
    command = [*arguments.emulator.split(), "-E", f"STREW_ISA={isa}", "-plugin", plugin, arguments.program, str(entries)]
    command += ["every"] if arguments.every else []
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    compiler, names = printed[0], printed[1:]
    lines = [tuple(map(int, line.split())) for line in counts.read_text().splitlines()]
    if len(lines) != len(names):
        raise SystemExit("There is not one count for each name")
    empty = lines[0]
    counted = {name: Count(*(n - e for n, e in zip(line, empty))) for name, line in zip(names[1:], lines[1:])}
    return compiler, counted


def opcodes(trace: Path) -> list[int]:
    """The instructions of a trace. Those of the marks around the region are the same in all traces."""
    return [opcode for (opcode,) in struct.iter_unpack("<I", trace.read_bytes())]


class Models:
    """Cycles of traces, kept in a file from run to run."""

    def __init__(self, work: Path) -> None:
        self.file = work / "cycles.json"
        self.known: dict[str, int] = json.loads(self.file.read_text()) if self.file.exists() else {}
        self.texts: dict[int, str] = {}

    def disassemble(self, code: set[int]) -> None:
        """Adds the text of each instruction to self.texts."""
        new = sorted(code - self.texts.keys())
        lines = "\n".join(" ".join(f"0x{byte:02x}" for byte in struct.pack("<I", opcode)) for opcode in new)
        command = [f"llvm-mc-{LLVM}", "-triple=aarch64", "-mattr=+v8.6a,+fullfp16", "-disassemble"]
        printed = subprocess.run(command, input=lines, check=True, capture_output=True, text=True).stdout
        texts = [line.strip() for line in printed.splitlines() if re.match(r"\t[a-z]", line)]
        if len(texts) != len(new):
            raise SystemExit("llvm-mc does not know an instruction")
        self.texts |= zip(new, texts)

    def cycles(self, core: str, trace: Path) -> int:
        """Cycles of a trace as one straight program."""
        program = "\n".join(self.texts[opcode] for opcode in opcodes(trace))
        unmoved = re.sub(FAR, r"\1", program, flags=re.MULTILINE)
        key = f"{core} {hashlib.sha256(unmoved.encode()).hexdigest()}"
        if key not in self.known:
            options = ["-iterations=1", "-call-latency=1", "-instruction-info=0", "-resource-pressure=0"]
            command = [f"llvm-mca-{LLVM}", "-mtriple=aarch64", f"-mcpu={core}", "-mattr=+v8.6a,+fullfp16", *options]
            printed = subprocess.run(command, input=program, check=True, capture_output=True, text=True).stdout
            self.known[key] = int(re.search(r"Total Cycles: +(\d+)", printed)[1])
        return self.known[key]

    def keep(self) -> None:
        """Writes the known results."""
        self.file.write_text(json.dumps(self.known))


def trace(arguments: argparse.Namespace, isa: str, entries: int) -> dict[str, Path]:
    """A trace of each call."""
    directory = arguments.work / f"{isa}.{entries}"
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir()
    _, counted = run(arguments, isa, entries, directory)
    return {name: directory / str(region + 1) for region, name in enumerate(counted)}


def model(arguments: argparse.Namespace, counts: dict[Key, Count]) -> None:
    """Adds the cycles of an entry on each core to the counts."""
    models = Models(arguments.work)
    traces = {(isa, entries): trace(arguments, isa, entries) for isa in ISAS for entries in (FEW, MORE)}
    wanted = {(key, entries): traces[key.isa, entries][key.name] for key in counts for entries in (FEW, MORE)}
    models.disassemble({opcode for file in wanted.values() for opcode in opcodes(file)})
    with ThreadPoolExecutor() as pool:
        jobs = itertools.product(page.CORES, wanted.values())
        list(pool.map(lambda job: models.cycles(*job), jobs))
    models.keep()
    for key, count in counts.items():
        for core in page.CORES:
            few, more = (models.cycles(core, wanted[key, entries]) for entries in (FEW, MORE))
            count.cycles[core] = (more - few) / (MORE - FEW)


def grown(counts: dict[Key, Count], recorded: dict[Key, Count]) -> list[str]:
    """The calls that take more instructions than recorded, or that are not recorded."""
    said = []
    for key, count in counts.items():
        before = recorded.get(key)
        if before is None:
            said.append(f"{key.name}, {key.isa}: not recorded")
        elif count.instructions > MOST_GROWTH * before.instructions:
            said.append(f"{key.name}, {key.isa}: {count.instructions} instructions, recorded {before.instructions}")
    return said


def slower(arguments: argparse.Namespace, counts: dict[Key, Count]) -> list[str]:
    """The calls that take more instructions with NEON than with scalar kernels, and more cycles on a core."""
    names = [key.name for key in counts if key.isa == "neon"]
    longer = [n for n in names if counts[Key(n, "neon")].instructions > counts[Key(n, "scalar")].instructions]
    modelled = {Key(name, isa): counts[Key(name, isa)] for name in longer for isa in ISAS}
    model(arguments, modelled)
    said = []
    for name in longer:
        cycles = {core: [modelled[Key(name, isa)].cycles[core] for isa in ISAS] for core in list(page.CORES)[:2]}
        print(name, [modelled[Key(name, isa)].instructions for isa in ISAS], cycles)
        said += [f"{name}: NEON is slower on {core}" for core, (neon, scalar) in cycles.items() if neon > scalar]
    print(f"{len(names)} calls; {len(longer)} of them take more instructions with NEON")
    return said


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emulator", required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--work", required=True, type=Path)
    parser.add_argument("--recorded", required=True, type=Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--every", action="store_true")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    arguments.plugin = build_plugin(arguments.work)

    counts: dict[Key, Count] = {}
    for isa in ISAS:
        compiler, counted = run(arguments, isa, ENTRIES, None)
        counts |= {Key(name, isa): count for name, count in counted.items() if re.search(arguments.only, name)}
    if arguments.every:
        said = slower(arguments, counts)
        print("\n".join(said) or "NEON is slower nowhere")
        return 1 if said else 0
    is_modelled = "aarch64" in arguments.emulator
    if is_modelled and not arguments.check:
        model(arguments, counts)
    if not arguments.check:
        print(page.table(counts))
    if arguments.record:
        page.write_recorded(arguments.recorded, compiler, counts)
        if is_modelled:
            page.write()
        return 0
    if not arguments.recorded.exists():
        print("Nothing to compare with: nothing is recorded")
        return SKIPPED
    known_compiler, recorded = page.read_recorded(arguments.recorded)
    if known_compiler != compiler:
        print(f"Nothing to compare with: recorded with gcc {known_compiler}, and this is {compiler}")
        return SKIPPED
    said = grown(counts, recorded)
    print("\n".join(said) or "No call takes more instructions than recorded")
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())
