"""The chosen parts of strew, from the options of scripts/amalgamate.py: the same choice as cmake/StrewChoice.cmake."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

OPTIONS = {
    "operators": "operators that are in it, as Gather,ScatterND",
    "dtypes": "dtypes that are in it, as float32,int64",
    "index_dtypes": "dtypes of indices beside int32 and int64, which are all if --dtypes is given",
    "reductions": "reductions that are in it, as none,sum, none being assignment",
    "isas": "instruction sets that are in it, as scalar,avx2",
}
LISTS = {"KINDS": "operators", "COMBINATIONS": "reductions", "REDUCTIONS": "reductions", "ISAS": "isas"}


def add_options(parser: argparse.ArgumentParser) -> None:
    for name, text in OPTIONS.items():
        parser.add_argument(f"--{name.replace('_', '-')}", default="", metavar="NAMES", help=text)


def plain(name: str) -> str:
    return name.lower().replace("_", "")


def known_constants() -> dict[str, dict[str, str]]:
    """The constants of each list of src/base/lists.h, by their plain names."""
    known: dict[str, dict[str, str]] = {name: {} for name in OPTIONS}
    macro = ""
    for line in (ROOT / "src/base/lists.h").read_text().splitlines():
        if found := re.match(r"#define STREW_(\w+)\(X\)", line):
            macro = found.group(1)
        elif found := re.match(r"\s+X\((\w+),", line):
            constant = found.group(1)
            name = "dtypes" if macro.endswith("DTYPES") else LISTS.get(macro)
            if name:
                known[name][plain(constant)] = constant
            if re.match("INTEGER|RESOLVED", macro):
                known["index_dtypes"][plain(constant)] = f"INDEX_{constant}"
    return known


def published_operators() -> dict[str, str]:
    catalogue = (ROOT / "src/operators/catalogue.c").read_text()
    return dict(re.findall(r'VERSION\("(\w+)-\d+",\s+"\w+",\s+\d+, (\w+)', catalogue))


def left_out(chosen: argparse.Namespace) -> list[str]:
    """The macros of the parts that are left out (src/base/choice.h)."""
    macros = []
    for option, known in known_constants().items():
        names = [name.strip() for name in re.split("[,;]", getattr(chosen, option)) if name.strip()]
        if option == "index_dtypes" and (names or chosen.dtypes):
            names += ["int32", "int64"]
        others = published_operators() if option == "operators" else {}
        constants = [known.get(plain(name), others.get(name, "")) for name in names]
        if "" in constants:
            unknown = names[constants.index("")]
            raise SystemExit(f"--{option.replace('_', '-')}: there is no {unknown}; there are {', '.join(known)}")
        if constants:
            macros += [f"STREW_WITHOUT_{constant}" for constant in known.values() if constant not in constants]
    return macros
