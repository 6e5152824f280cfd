"""Proves the arithmetic of shapes, strides and indices, by trying every value that small integers can have.

Each proof includes sources of the library with int64_t and uint64_t of a few bits (narrow.h), which report every
overflow, and tries all values. That is a proof for these few bits. It holds for 64 bits because the sources, the same
text, do nothing that depends on the number of bits. A proof counts only if it can fail: each must find the faults that
are put into a copy of the source.

    tests/proof/prove.py --work build/proof [--only layout]
    tests/proof/prove.py --work build/proof --wide    functions without loops in 64 bits, by Frama-C
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SRC = ROOT / "src"
# The sources are C: warnings of C++ about them mean nothing.
FLAGS = ["-std=c++17", "-O2", "-w", "-Wno-address-of-temporary"]


@dataclass
class Fault:
    """A text that occurs once in a file in src/, and the faulty text that replaces it."""

    file: str
    before: str
    after: str
    world: int = 0  # in which it is looked for


@dataclass
class Proof:
    name: str
    proved: dict[str, list[str]]  # functions, as they are defined in files of src/
    worlds: list[dict[str, int]]  # macros of each run
    faults: list[Fault]


PROOFS = [
    Proof(
        "layout",
        {"base/layout.c": ["strew_layout_of", "strew_layout_check_apart", "strew_layout_same_places"]},
        [
            {"BITS": 5, "RANK": 2, "LEAST_SIZE": -16, "GREATEST_SIZE": 15},
            {"BITS": 9, "RANK": 1, "LEAST_SIZE": -256, "GREATEST_SIZE": 255},
            {"BITS": 4, "RANK": 3, "LEAST_SIZE": -8, "GREATEST_SIZE": 7},
            # Machines whose pointers have half the bits
            {"BITS": 6, "POINTER_BITS": 4, "RANK": 2, "LEAST_SIZE": -2, "GREATEST_SIZE": 31},
        ],
        [
            Fault("base/layout.c", "size > 0 && (!strew_multiply(bytes, size, &bytes) || bytes > PTRDIFF_MAX)", "false"),
            Fault("base/layout.c", "!strew_multiply(bytes, size, &bytes) || bytes > PTRDIFF_MAX",
                  "((bytes = bytes * size), false)"),
            Fault("base/layout.c", "!strew_multiply(layout->stride[d], steps, &distance)",
                  "((distance = layout->stride[d]), false)"),
            Fault("base/layout.c", "distance < 0 ? &extent.low : &extent.high", "&extent.high"),
            Fault("base/layout.c", "(uint64_t)extent.high - (uint64_t)extent.low > (uint64_t)PTRDIFF_MAX", "false", world=3),
            Fault("base/layout.c", "if (stride < covered)", "if (stride < layout->element)"),
        ],
    ),
    Proof(
        "overlap",
        {"base/overlap.c": ["strew_find_overlap"]},
        [
            {"BITS": 5, "RANK": 2, "OTHER_RANK": 2, "MOST_ELEMENT": 3},
            {"BITS": 6, "RANK": 2, "OTHER_RANK": 1, "MOST_ELEMENT": 1},
            {"BITS": 7, "RANK": 1, "OTHER_RANK": 1, "MOST_ELEMENT": 2},
        ],
        [
            Fault("base/overlap.c", "is_a ? -most : 0, is_a ? 0 : most", "is_a ? 0 : -most, is_a ? most : 0"),
            Fault("base/overlap.c", "longer->stride <= all->high - all->low + 1", "longer->stride <= all->high - all->low + 2"),
            Fault("base/overlap.c", "shorter->greatest - shorter->least + 1;", "shorter->greatest - shorter->least + 2;"),
            Fault("base/overlap.c", "* step->divisor >= low", "* step->divisor > low"),
            Fault("base/overlap.c", "first > step->least ? first : step->least", "first"),
        ],
    ),
    Proof(
        "resolve",
        {
            "kernels/resolve.inc": ["KERNEL_NAME(resolve, STREW_T)", "KERNEL_NAME(amend, STREW_T)"]
        },
        [{"BITS": 5, "COORDINATES": 1}, {"BITS": 8, "COORDINATES": 1}, {"BITS": 5, "COORDINATES": 2}],
        [
            Fault("kernels/resolve.inc", "*outside |= position >= size;", "*outside |= position > size;"),
            Fault("kernels/resolve.inc", "size - 1 - ~(u64)index % size", "size - (-(u64)index) % size"),
            Fault("kernels/resolve.inc", "*position = negative ? 0 : size - 1;", "*position = negative ? 0 : size;"),
        ],
    ),
    Proof(
        "walk",
        {
            "engine/form.c": ["strew_form_walk"],
            "engine/walk/walk.c": [
                "strew_coordinates_join", "strew_walk_coalesce", "strew_walk_fold", "strew_walk_reach", "strew_walk_check"
            ],
        },
        [{"BITS": 4}],
        [
            Fault("engine/form.c", "form->circular || last == INT64_MAX", "form->circular"),
            Fault("engine/form.c", "is_dim_of_addressed ? addressed->stride[d] : 0", "addressed->stride[d]"),
            Fault("engine/walk/walk.c", "strew_is_multiple(outer->base_step, inner->size, inner->base_step)", "true"),
            Fault("engine/walk/walk.c", "inner->dense_step != row.dense || ", ""),
            Fault("engine/walk/walk.c",
                  "last->size == 1 || strew_is_multiple(last->stride, coordinate.size, coordinate.stride)", "true"),
        ],
    ),
    Proof(
        "slice",
        {"operators/slice.c": ["strew_slice_of", "strew_slice_address"]},
        [
            {"BITS": 4, "RANK": 1, "LEAST_BOUND": -8, "GREATEST_BOUND": 7},
            {"BITS": 6, "RANK": 1, "LEAST_BOUND": -32, "GREATEST_BOUND": 31},
            {"BITS": 4, "RANK": 2, "LEAST_BOUND": -3, "GREATEST_BOUND": 3},
        ],
        [
            Fault("operators/slice.c", "clamped(from_start, -1, size - 1)", "clamped(from_start, 0, size - 1)"),
            Fault("operators/slice.c", "-(uint64_t)step", "(uint64_t)-step"),
            Fault("operators/slice.c", "sliced->length[d] > 1 ? form->output.stride[d] * sliced->step[d] : 0",
                  "form->output.stride[d] * sliced->step[d]"),
        ],
    ),
    Proof(
        "packed",
        {"operators/packed.c": ["strew_packed_to_bytes"]},
        [{"BITS": 5}, {"BITS": 6}],
        [
            Fault("operators/packed.c", "stride % elements_per_byte(form) != 0", "false"),
            Fault("operators/packed.c", "stride != adjoining", "stride == 0"),
            Fault("operators/packed.c", "layout->extent.high /= per_byte;", ""),
        ],
    ),
    Proof(
        "bad_index",
        {"engine/bad_index.c": ["is_outside", "strew_find_bad_index"]},
        [{"BITS": 6, "RANK": 2}, {"BITS": 10, "RANK": 1}, {"BITS": 4, "RANK": 3}],
        [
            Fault("engine/bad_index.c", "index < -size", "index <= -size"),
            Fault("engine/bad_index.c", "index >= 0 || dtype == STREW_DTYPE_UINT64", "index >= 0"),
            Fault("engine/bad_index.c", "++position[d] < layout->size[d]", "++position[d] <= layout->size[d]"),
        ],
    ),
]


# Functions that Frama-C's WP proves in 64 bits, of the contracts in wide_NAME.c; and faults that it must not prove.
WIDE = {"slice": ["clamped", "bound_of", "length_of"]}
WIDE_FAULTS = [
    Fault("operators/slice.c", "((uint64_t)distance - 1) / by", "(uint64_t)distance / by"),
    Fault("operators/slice.c", "clamped(from_start, -1, size - 1)", "clamped(from_start, -1, size)"),
]


def build(proof: Proof, world: dict[str, int], work: Path, before: list[Path]) -> Path:
    """The program of one world; sources are looked for in these folders first."""
    program = work / f"prove_{proof.name}"
    macros = [f"-D{name}={value}" for name, value in world.items()]
    folders = [f"-I{folder}" for folder in (*before, SRC, ROOT / "include")]
    compiler = os.environ.get("CXX", "clang++")
    subprocess.run([compiler, *FLAGS, *macros, *folders, HERE / f"prove_{proof.name}.cpp", "-o", program], check=True)
    return program


def run(program: Path) -> tuple[bool, str]:
    """Whether the proof succeeds, and its output. A proof that does not end proves nothing."""
    try:
        done = subprocess.run([program], capture_output=True, text=True, timeout=600)
    except subprocess.TimeoutExpired:
        return False, "not decided within ten minutes"
    return done.returncode == 0, (done.stdout + done.stderr).strip() or f"exit status {done.returncode}"


def prove(proof: Proof, work: Path) -> bool:
    print(f"{proof.name}: " + "; ".join(f"{', '.join(names)} of src/{file}" for file, names in proof.proved.items()))
    all_proved = True
    for world in proof.worlds:
        start = time.monotonic()
        proved, said = run(build(proof, world, work, []))
        named = " ".join(f"{name}={value}" for name, value in world.items())
        print(f"  {'proved' if proved else 'NOT PROVED'}: {named}: {said} ({time.monotonic() - start:.0f} s)", flush=True)
        all_proved &= proved
    return all_proved


def prove_wide(name: str, work: Path, before: list[Path]) -> tuple[bool, str]:
    """Whether WP proves every goal, and how many of them it did."""
    folders = " ".join(f"-I{folder}" for folder in (*before, SRC, ROOT / "include"))
    environment = os.environ | {"WHY3CONFIG": str(work / "why3.conf")}
    subprocess.run(["why3", "config", "detect"], env=environment, check=True, capture_output=True)
    command = ["frama-c", "-machdep", "gcc_x86_64", f"-cpp-extra-args={folders}", "-wp", "-wp-rte", "-wp-prover", "z3,cvc4",
               "-wp-timeout", "20", "-wp-fct", ",".join(WIDE[name]), str(HERE / f"wide_{name}.c")]
    said = subprocess.run(command, env=environment, capture_output=True, text=True).stdout
    goals = re.search(r"Proved goals: +(\d+) / (\d+)", said)
    return goals is not None and goals[1] == goals[2], goals[0] if goals else said[-2000:]


def prove_all_wide(work: Path) -> bool:
    all_right = True
    for name, functions in WIDE.items():
        proved, said = prove_wide(name, work, [])
        print(f"{'proved' if proved else 'NOT PROVED'} in 64 bits: {', '.join(functions)}: {said}", flush=True)
        all_right &= proved
        for fault in WIDE_FAULTS:
            with faulty(fault, work) as folder:
                proved, said = prove_wide(name, work, [folder])
            print(f"  fault in {fault.file}: {fault.before!r}: {'NOT FOUND' if proved else 'found'}: {said}", flush=True)
            all_right &= not proved
    return all_right


@contextmanager
def faulty(fault: Fault, work: Path) -> Iterator[Path]:
    """A temporary folder that has the file with the fault in it."""
    changed = work / "faulty" / fault.file
    text = (SRC / fault.file).read_text()
    assert text.count(fault.before) == 1, f"{fault.file}: {fault.before!r} does not stand there once"
    changed.parent.mkdir(parents=True, exist_ok=True)
    changed.write_text(text.replace(fault.before, fault.after))
    try:
        yield work / "faulty"
    finally:
        changed.unlink()


def find_fault(proof: Proof, fault: Fault, work: Path) -> bool:
    """Whether the proof fails of a source with this fault."""
    with faulty(fault, work) as folder:
        proved, said = run(build(proof, proof.worlds[fault.world], work, [folder]))
    told = "NOT FOUND" if proved else f"found: {said.splitlines()[0]}"
    print(f"  fault in {fault.file}: {fault.before!r} -> {fault.after!r}: {told}", flush=True)
    return not proved


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="a folder for what is built")
    parser.add_argument("--only", default="", help="proofs whose name has this in it")
    parser.add_argument("--wide", action="store_true", help="prove in 64 bits what Frama-C can, and nothing else")
    arguments = parser.parse_args()
    work = arguments.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    if arguments.wide:
        return 0 if prove_all_wide(work) else 1
    chosen = [proof for proof in PROOFS if arguments.only in proof.name]
    results = [prove(proof, work) for proof in chosen]
    found = [find_fault(proof, fault, work) for proof in chosen for fault in proof.faults]
    print(f"{sum(results)} of {len(results)} proved; {sum(found)} of {len(found)} faults found")
    return 0 if results and all(results) and all(found) else 1


if __name__ == "__main__":
    sys.exit(main())
