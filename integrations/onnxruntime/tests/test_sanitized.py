"""Runs the tests of kernels and memory once more, with a build under AddressSanitizer and UBSan."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from required import GUEST, ROOT, missing, path_from


def sanitizer(name: str) -> str:
    """A runtime of gcc's, which is loaded before Python since that is not built with it."""
    said = subprocess.run(["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=True)
    path = said.stdout.strip()
    if not os.path.isabs(path):
        missing(f"gcc has no {name}")
    return os.path.realpath(path)


def watched_environment() -> dict[str, str]:
    return os.environ | {
        "LD_PRELOAD": " ".join(map(sanitizer, ("libasan.so", "libubsan.so", "libstdc++.so"))),
        "PYTHONPATH": str(path_from("STREW_ONNXRUNTIME_SANITIZED")),
        "ASAN_OPTIONS": "detect_leaks=0:halt_on_error=1:abort_on_error=0",
        "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
        "PYTHONMALLOC": "malloc",
    }


# Two versions of an operator suffice: all have the same code.
FEWER_OPSETS = ["-k", "not (results and (11 or 12 or 13 or 21 or 23 or 24))"]


@pytest.mark.parametrize(
    ("tests", "arguments"),
    [
        ("test_custom_operators", FEWER_OPSETS),
        ("test_inspections", []),
        ("test_provider", []),
        ("test_provider_memory", []),
        ("test_tensor_scatter", []),
    ],
)
def test_no_sanitizer_objects(tests: str, arguments: list[str]) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-x", f"{GUEST}/tests/{tests}.py", *arguments]
    done = subprocess.run(
        command, env=watched_environment(), cwd=ROOT, capture_output=True, text=True, timeout=1800, check=False
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-8000:]


def test_it_is_the_watched_build_that_runs() -> None:
    where = "import strew_onnxruntime; print(strew_onnxruntime.extension_path())"
    done = subprocess.run(
        [sys.executable, "-c", where], env=watched_environment(), cwd=ROOT, capture_output=True, text=True, check=False
    )
    library = Path(done.stdout.strip())
    assert library.is_relative_to(path_from("STREW_ONNXRUNTIME_SANITIZED")), done.stderr
    assert b"libasan.so" in library.read_bytes()
