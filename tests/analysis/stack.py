"""The stack that the library's functions take when gcc and clang compile a release, and recursive functions."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# The greatest frame of a function, in bytes. A whole call may take 48 KiB and a task 32 KiB, which
# tests/operators/test_stack.c measures.
MOST_BYTES = 28 << 10

USAGE = re.compile(r"^(?P<file>.*?):(?P<line>\d+)(?::\d+)?:(?P<function>.*)\t(?P<bytes>\d+)\t(?P<kind>\S+)$",
                   re.MULTILINE)
EDGE = re.compile(r'edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"')

# gcc's words that clang does not know.
NOT_FOR_CLANG = re.compile(r"^-Werror$|^-W(no-)?")


def compile_with(command, compiler: str, folder: Path) -> Path:
    """Compiles the object; .su and .ci beside it have stack and calls."""
    object_file = folder / f"{compiler}-{command.file.replace('/', '_')}.o"
    words = [compiler, *(word for word in command.words[1:] if not NOT_FOR_CLANG.match(word)), "-w", "-fstack-usage"]
    if compiler == "gcc":
        words.append("-fcallgraph-info")
    subprocess.run([*words, "-o", str(object_file)], cwd=command.folder, check=True)
    return object_file


def frames(objects: Sequence[Path], root: Path) -> Iterator[tuple[str, int, str, int, str]]:
    told = (object_file.with_suffix(".su") for object_file in objects)
    for usage in filter(Path.exists, told):  # clang writes none for a file without functions
        for match in USAGE.finditer(usage.read_text()):
            file = os.path.relpath(Path(match["file"]), root) if os.path.isabs(match["file"]) else match["file"]
            yield file, int(match["line"]), match["function"], int(match["bytes"]), match["kind"]


def calls_of(objects: Sequence[Path]) -> dict[str, set[str]]:
    calls: dict[str, set[str]] = {}
    for object_file in objects:
        for caller, called in EDGE.findall(object_file.with_suffix(".ci").read_text()):
            calls.setdefault(caller, set()).add(called)
    return calls


def reachable(calls: dict[str, set[str]], begin: str) -> set[str]:
    seen: set[str] = set()
    waiting = list(calls.get(begin, ()))
    while waiting:
        function = waiting.pop()
        if function not in seen:
            seen.add(function)
            waiting += calls.get(function, ())
    return seen


def stack_findings(commands, build: Path, root: Path) -> Iterator[tuple[str, int, str, str]]:
    """Frames that are too large or have no bound, and functions that lead back to themselves by direct calls."""
    folder = build / "stack"
    folder.mkdir(exist_ok=True)
    for compiler in ("gcc", "clang"):
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            objects = list(pool.map(lambda command: compile_with(command, compiler, folder), commands))
        largest = max(frames(objects, root), key=lambda frame: frame[3])
        print(f"stack: {compiler}'s largest frame has {largest[3]} bytes: {largest[2]}, {largest[0]}:{largest[1]}")
        for file, line, function, bytes_, kind in frames(objects, root):
            if bytes_ > MOST_BYTES:
                yield file, line, "frame", f"{compiler} gives {function} {bytes_} bytes, more than {MOST_BYTES}"
            if kind == "dynamic":
                yield file, line, "unbounded", f"{compiler} does not know how much stack {function} takes"
        if compiler == "gcc":
            yield from recursions(objects)


def recursions(objects: Sequence[Path]) -> Iterator[tuple[str, int, str, str]]:
    calls = calls_of(objects)
    print(f"stack: {len(calls)} functions call others directly")
    for function in calls:
        if function in reachable(calls, function):
            yield "src/sources.txt", 0, "recursion", f"{function} calls itself"
