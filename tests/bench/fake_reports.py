"""Reports of invented machines."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

import fake_results
import report

CPUS = ("Example 1", "Example <2> with as long a name as processors have @ 2.60 GHz", "Example 3")


def draw(folder: Path, cpus: Sequence[str], *, with_peers: bool) -> Path:
    """The folder of a report, in which each machine is slower than the one before."""
    paths = [
        fake_results.write(folder, f"{i}", fake_results.results(lambda name, i=i: (1 + i) * speed(name), cpu=cpu))
        for i, cpu in enumerate(cpus)
    ]
    arguments = [*map(str, paths)]
    if with_peers:
        arguments += ["--peers", str(fake_results.write(folder, "peers", fake_results.peers()))]
    output = folder / f"report of {len(cpus)}"
    with contextlib.redirect_stdout(io.StringIO()):
        if report.main([*arguments, "--output", str(output)]) != 0:
            raise AssertionError("the report was refused")
    return output


def speed(name: str) -> float:
    """scalar takes twice as long as AVX2, and a max four times."""
    return (4 if "/max/" in name else 2) if "/scalar/" in name else 1
