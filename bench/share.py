#!/usr/bin/env python3
"""Makes a result file of strew-bench ready to be contributed, and says how.

    bench/share.py build/bench/results.json --folder build/share --name zen4-epyc-2-cores

Writes build/share/zen4-epyc-2-cores.json, without anything that names the machine or its owner, and checks it. Without
--name the file is called after the CPU.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import keep
import results
import schema

STEPS = """\
{path} holds {rows} rows of {cpu}. It names neither this machine nor you.
To contribute it:
  1. Read it, then copy it: cp {path} bench/results/
  2. Draw all CPUs side by side and commit: make cpus && git add bench/results docs && git commit
  3. Open a pull request. Add what `build/bench/tools/strew tune --explain` prints on this machine."""


def default_name(context: dict[str, str]) -> str:
    """The name of a file for a CPU: "amd-epyc-avx512-2-cpus"."""
    brand = context["cpu"].partition(";")[0]
    cpus = context["threads"].partition(" of ")[2]
    return re.sub(r"[^a-z0-9]+", "-", f"{brand} {context['active_isa']} {cpus}".lower()).strip("-")


def share(measured: Path, folder: Path, name: str | None) -> str:
    """Writes the file and returns the next steps. Raises a ResultError if the result is not valid."""
    content: dict[str, Any] = keep.kept(results.load(measured))
    found = list(schema.faults(content))
    if found:
        raise results.ResultError("\n".join([f"{measured} cannot be shared:", *found]))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name or default_name(content['context'])}.json"
    keep.write(content, path)
    return STEPS.format(path=path, rows=len(content["benchmarks"]), cpu=content["context"]["cpu"].partition(";")[0])


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path)
    parser.add_argument("--folder", type=Path, default=Path("build/share"), help="default: build/share")
    parser.add_argument("--name", help="of the file, without .json: the generation and kind of the CPU, and its cores")
    given = parser.parse_args(arguments)
    try:
        print(share(given.results, given.folder, given.name))
    except results.ResultError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
