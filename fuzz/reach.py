#!/usr/bin/env python3
"""Lists the lines that the inputs in fuzz/corpora reach, in a build of the preset fuzz-coverage.

    fuzz/reach.py build/fuzz-coverage

Prints a table of files; lines.txt in the build has them line by line. It fails if a line of the engine, the operators
or the reader of .npy files is not reached, and unreached.py gives no reason, or if a reason is not needed.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

from run import HERE, TARGETS, command, put_kept
from unreached import UNREACHED

ROOT = HERE.parent
COUNTED = ["src/operators", "src/engine", "tools"]
EXPECTED = ("src/operators/", "src/engine/", "tools/npy.c")


def profile(build):
    """The coverage of all kept inputs, as arguments of llvm-cov without the first."""
    profiles = []
    for target in TARGETS:
        corpus = build / "corpora" / f"{target}-kept"
        put_kept(target, corpus)
        profiles.append(build / f"{target}.profraw")
        subprocess.run([*command(build, target), "-runs=0", str(corpus)], check=True, stderr=subprocess.DEVNULL,
                       env={**os.environ, "LLVM_PROFILE_FILE": str(profiles[-1])})
    merged = build / "merged.profdata"
    subprocess.run(["llvm-profdata", "merge", "-o", merged, *profiles], check=True)
    first, *others = [str(build / "fuzz" / f"fuzz_{target}") for target in TARGETS]
    return [first, *(f"-object={other}" for other in others), f"-instr-profile={merged}",
            *(str(ROOT / place) for place in COUNTED)]


def function_of(lines, number):
    """The function that a line is in: the last name before it that begins one."""
    for line in reversed(lines[:number]):
        if match := re.match(r"\w[^;=]*?(\w+)\(", line):
            return match[1]
    return None


def unreached(view):
    """Unreached lines of files that should be reached: file, number of the line, its text and function."""
    told = subprocess.run(["llvm-cov", "export", "-format=lcov", *view], check=True, capture_output=True, text=True).stdout
    for record in told.split("end_of_record"):
        source = re.search(r"^SF:(.*)$", record, re.M)
        file = os.path.relpath(source[1], ROOT) if source else ""
        if file.startswith(EXPECTED):
            lines = (ROOT / file).read_text().split("\n")
            for number in map(int, re.findall(r"^DA:(\d+),0$", record, re.M)):
                yield file, number, lines[number - 1], function_of(lines, number)


def judge(found):
    """Prints lines without a reason, and reasons without a line; returns how many there were."""
    excuses = {(file, piece) for _, files in UNREACHED for file, pieces in files.items() for piece in pieces}
    used = set()
    wrong = []
    for file, number, text, function in found:
        why = {excuse for excuse in excuses if excuse[0] == file and (excuse[1] in text or excuse[1] == function)}
        used |= why
        if not why:
            wrong.append(f"{file}:{number}: not reached, without a reason: {text.strip()}")
    wrong += [f"unreached.py: {file} has nothing like {piece!r} that is not reached" for file, piece in excuses - used]
    print("\n".join(sorted(wrong)) or "all lines that are not reached have their reasons in unreached.py")
    return len(wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="where the targets were built")
    build = parser.parse_args().build.resolve()
    view = profile(build)
    subprocess.run(["llvm-cov", "report", *view], check=True)
    with open(build / "lines.txt", "w") as lines:
        subprocess.run(["llvm-cov", "show", *view], check=True, stdout=lines)
    return 1 if judge(unreached(view)) else 0


if __name__ == "__main__":
    sys.exit(main())
