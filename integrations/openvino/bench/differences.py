"""Compares OpenVINO's own CPU kernels and strew on the same calls, as a Markdown table.

    python integrations/openvino/bench/differences.py [--all]

Each call of tests/models/differences.py runs on two threads in a process of its own, since some of them crash. A test
compares strew with the right results. --all also shows calls in which both are right.
"""

from __future__ import annotations

import argparse
import platform
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import openvino

ROOT = Path(__file__).parents[3]
sys.path[:0] = [str(ROOT / "integrations/openvino/tests"), str(ROOT / "python/tests/core")]

from cases import Array  # noqa: E402
from models import graphs  # noqa: E402
from models.differences import DIFFERENCES, Difference  # noqa: E402

RUNS = 30


def outcome(difference: Difference, with_strew: bool) -> str:
    """The result of a call in words; called in a process that may crash."""
    model, inputs = graphs.model_of([difference.case])
    executable = graphs.compiled(graphs.replaced(model) if with_strew else model)
    try:
        outputs = [graphs.infer(executable, inputs)[0] for _ in range(RUNS)]
    except RuntimeError as error:
        return "right" if difference.expected is None else f"refused: {str(error).strip().splitlines()[-1]}"
    return describe(difference, outputs)


def describe(difference: Difference, outputs: list[Array]) -> str:
    if difference.expected is None:
        memory = any(not graphs.same_bits(output, outputs[0]) for output in outputs)
        return "no error: memory that is not the tensor's" if memory else f"no error: {shown(outputs[0])}"
    wrong = [output for output in outputs if not graphs.same_bits(output, difference.expected)]
    if not wrong:
        return "right"
    if len(wrong) < len(outputs) or difference.repeats > 1:
        worst = max(int((output != difference.expected).any(axis=-1).sum()) for output in wrong)
        return f"another in {len(wrong)} of {len(outputs)} runs, in up to {worst} rows"
    return shown(wrong[0])


def shown(output: Array) -> str:
    """Each number as short as it can be without losing a bit."""
    numbers = [str(number.item() if output.itemsize == 2 else number) for number in output.ravel()]
    return "[" + ", ".join(numbers[:4]) + (", ...]" if len(numbers) > 4 else "]")


def in_process(number: int, which: str) -> str:
    done = subprocess.run([sys.executable, __file__, "--case", str(number), which], capture_output=True, text=True)
    if done.returncode < 0:
        return f"the process ends: {signal.Signals(-done.returncode).name}"
    if done.returncode:
        raise RuntimeError(done.stderr)
    return done.stdout.strip()


def rows(settled: bool, everything: bool) -> Iterator[str]:
    for number, difference in enumerate(DIFFERENCES):
        if difference.settled != settled:
            continue
        native, strew = (in_process(number, which) for which in ("native", "strew"))
        if everything or (native, strew) != ("right", "right"):
            yield f"| {difference.what} | {difference.right or shown(difference.expected)} | {native} | {strew} |"


def print_tables(everything: bool) -> None:
    print(f"OpenVINO {openvino.__version__}, {platform.machine()}, two threads, {RUNS} runs of each")
    for settled, title in ((True, "What the specification settles"), (False, "What it leaves open")):
        print(f"\n{title}:\n\n| call | right | OpenVINO | strew |\n|---|---|---|---|")
        for row in rows(settled, everything):
            print(row, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="also the calls on which both are right")
    parser.add_argument("--case", nargs=2, metavar=("NUMBER", "WHICH"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.case:
        print(outcome(DIFFERENCES[int(arguments.case[0])], arguments.case[1] == "strew"))
    else:
        print_tables(arguments.all)


if __name__ == "__main__":
    main()
