"""Tests whether the error of a bad index reaches the caller, and whether the next inference works, as a Markdown table.

    python integrations/openvino/bench/errors.py

Each number of threads and way of inference has a process of its own.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import openvino as ov

ROOT = Path(__file__).parents[3]
sys.path[:0] = [str(ROOT / "integrations/openvino/tests"), str(ROOT / "python/tests/core")]

from cases import Array, Case  # noqa: E402
from models import graphs  # noqa: E402

ROWS = 16


def infer(model: ov.CompiledModel, inputs: tuple[Array, ...], way: str) -> None:
    """Uses a request of its own, which ends afterwards."""
    request = model.create_infer_request()
    if way == "infer":
        request.infer(dict(enumerate(inputs)))
    else:
        request.start_async(dict(enumerate(inputs)))
        request.wait()


def attempt(model: ov.CompiledModel, inputs: tuple[Array, ...], way: str) -> str:
    try:
        infer(model, inputs, way)
    except RuntimeError:
        return "an error"
    return "no error"


def report(which: str, threads: str, way: str) -> None:
    def arrays(index: int) -> tuple[Array, ...]:
        return np.zeros(ROWS, np.float32), np.array([[index]], np.int32), np.ones(1, np.float32)

    model, _ = graphs.model_of([Case("ScatterNDUpdate-15", arrays(0))])
    if which == "strew":
        model = graphs.replaced(model)
    print(attempt(graphs.compiled(model, int(threads)), arrays(ROWS), way), end=", then ", flush=True)
    print(attempt(graphs.compiled(model, int(threads)), arrays(0), way))


def in_process(*arguments: str) -> str:
    done = subprocess.run([sys.executable, __file__, *arguments], capture_output=True, text=True)
    return done.stdout.strip() + (f" {signal.Signals(-done.returncode).name}" if done.returncode < 0 else "")


def main() -> None:
    if len(sys.argv) > 1:
        report(*sys.argv[1:])
        return
    print(f"OpenVINO {ov.__version__}: an index out of bounds, then one within\n")
    print("| threads | inference | OpenVINO | strew |\n|---|---|---|---|")
    for threads in ("1", "2"):
        for way in ("infer", "start_async, wait"):
            cells = [in_process(which, threads, way) for which in ("native", "strew")]
            print(f"| {threads} | {way} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
