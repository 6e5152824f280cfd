"""Runs gcc -fanalyzer, clang-tidy and cppcheck over src/ and tools/, and measures the stack of functions.

Each file is analysed once, as compile_commands.json of the preset `analyse` compiles it. It prints findings, except
those that known.py explains, and also explanations that no finding needs any more.

    tests/analysis/analyse.py build/analyse                  all of it: minutes
    tests/analysis/analyse.py build/analyse --only cppcheck  one tool of gcc, clang-tidy, cppcheck, stack

It fails if it has printed a finding.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from known import KNOWN
from stack import stack_findings

ROOT = Path(__file__).resolve().parents[2]
PLACES = ("src/", "tools/", "include/")
FINDING = re.compile(r"^(?P<file>[^\s:]+):(?P<line>\d+):(?:\d+:)? (?:warning|error): (?P<text>.*) "
                     r"\[(?P<check>[^\s\]]+)\]$", re.MULTILINE)
# cppcheck gets words for the CPU and the system here, since it has none of their headers.
CPPCHECK = ["cppcheck", "--quiet", "--std=c11", "--platform=unix64", "--enable=warning,performance,portability",
            "--template={file}:{line}: warning: {message} [{id}]", "--suppress=missingIncludeSystem", "-Iinclude",
            "-Isrc", "-Itools", "-D__GNUC__=12", "-D__x86_64__=1", "-D__linux__=1", "-D__BYTE_ORDER__=1234",
            "-D__ORDER_LITTLE_ENDIAN__=1234", "-D__ORDER_BIG_ENDIAN__=4321", "-DSTREW_WITH_AVX2", "-DSTREW_WITH_AVX512",
            "-DSTREW_WITH_NEON", "-DSTREW_WITH_PTHREADPOOL"]
# Bodies that each dtype includes, in words of compilers, which it has no headers of.
NOT_FOR_CPPCHECK = ("src/avx2/", "src/avx512/", "src/neon/", "src/scalar/")
# These have the bodies of AVX2, which take many minutes.
NOT_FOR_GCC = ("src/avx512/", "src/neon/")


@dataclass(frozen=True, order=True)
class Finding:
    file: str
    line: int
    check: str
    text: str

    def source(self) -> str:
        lines = (ROOT / self.file).read_text().splitlines()
        return lines[self.line - 1].strip() if 0 < self.line <= len(lines) else ""


@dataclass(frozen=True)
class Command:
    """The compilation of a file: its folder and its words, without those for the output."""

    file: str
    folder: str
    words: tuple[str, ...]


def read_commands(build: Path) -> list[Command]:
    """One command for each file: the static and the shared library compile it alike."""
    commands: dict[str, Command] = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = os.path.relpath(entry["file"], ROOT)
        words = shlex.split(entry["command"])
        output = words.index("-o")
        if file.startswith(PLACES):
            commands.setdefault(file, Command(file, entry["directory"], tuple(words[:output] + words[output + 2 :])))
    return list(commands.values())


def run(words: Iterable[str], folder: str | Path = ROOT) -> str:
    """A tool's output. If the tool itself fails, that is a finding too, since it has found nothing."""
    done = subprocess.run(list(words), cwd=folder, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    if done.returncode != 0 and not FINDING.search(said):
        sys.exit(f"{shlex.join(words)}\n{said}")
    return said


def findings_in(said: str, folder: str | Path) -> set[Finding]:
    found = set()
    for match in FINDING.finditer(said):
        file = os.path.relpath(Path(folder) / match["file"], ROOT)
        if file.startswith(PLACES):
            found.add(Finding(file, int(match["line"]), match["check"].lstrip("-"), match["text"]))
    return found


def gcc(command: Command, _: Path) -> set[Finding]:
    said = run([*command.words, "-fanalyzer", "-Wno-error", "-o", os.devnull], command.folder)
    return findings_in(said, command.folder)


def clang_tidy(command: Command, build: Path) -> set[Finding]:
    words = ["clang-tidy", "-p", str(build), "--quiet", "--extra-arg=-Wno-unknown-warning-option", "--extra-arg=-Wno-error",
             "--header-filter=.*/(src|tools|include)/.*", command.file]
    return findings_in(run(words), ROOT)


def cppcheck(command: Command, _: Path) -> set[Finding]:
    return findings_in(run([*CPPCHECK, command.file]), ROOT)


def look(each: Callable[[Command, Path], set[Finding]], commands: list[Command], build: Path) -> set[Finding]:
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda command: each(command, build), commands)
        return set().union(*found)


def stack(commands: list[Command], build: Path) -> set[Finding]:
    return {Finding(*parts) for parts in stack_findings(commands, build, ROOT)}


@dataclass(frozen=True)
class Tool:
    finds: Callable[[list[Command], Path], set[Finding]]
    leaves_out: tuple[str, ...] = ()

    def files(self, commands: list[Command]) -> list[Command]:
        return [command for command in commands if not command.file.startswith(self.leaves_out)]


TOOLS = {
    "gcc": Tool(lambda commands, build: look(gcc, commands, build), NOT_FOR_GCC),
    "clang-tidy": Tool(lambda commands, build: look(clang_tidy, commands, build)),
    "cppcheck": Tool(lambda commands, build: look(cppcheck, commands, build), NOT_FOR_CPPCHECK),
    "stack": Tool(stack, ("tools/",)),
}


def tell(tool: str, found: set[Finding]) -> int:
    """Prints unknown findings, and known ones that are gone; returns the number of lines."""
    known = KNOWN.get(tool, {})
    used = set()
    unknown = []
    for finding in sorted(found):
        keys = [key for key in known if key[:2] == (finding.check, finding.file)
                and (key[2] in finding.source() or key[2] in finding.text)]
        used.update(keys)
        if not keys:
            unknown.append(f"{finding.file}:{finding.line}: {finding.text} [{tool}: {finding.check}]")
    unknown += [f"known.py: {tool} finds nothing like {key}" for key in known if key not in used]
    print("\n".join(unknown), end="\n" if unknown else "")
    return len(unknown)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("build", type=Path, help="where the preset `analyse` has been configured")
    parser.add_argument("--only", choices=TOOLS, help="one tool")
    asked = parser.parse_args()
    build = asked.build.resolve()
    commands = read_commands(build)
    wrong = 0
    for tool in [asked.only] if asked.only else TOOLS:
        begun = time.monotonic()
        files = TOOLS[tool].files(commands)
        found = TOOLS[tool].finds(files, build)
        told = tell(tool, found)
        wrong += told
        print(f"{tool}: {len(files)} files, {len(found)} findings, {told} to be mended or explained,"
              f" {time.monotonic() - begun:.0f} s", flush=True)
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
