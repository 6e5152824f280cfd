"""Runs the properties, the refusals and the stress once more, with a build under AddressSanitizer and UBSan."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from required import missing, path_from

HERE = Path(__file__).parent
# gcc's, which are loaded before Python since it is not built with them; C++ exceptions are then found, too.
RUNTIMES = ["libasan.so", "libubsan.so", "libstdc++.so"]


def runtime(name: str) -> str:
    found = subprocess.run(["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=False)
    path = found.stdout.strip()
    if not os.path.isabs(path):
        missing(f"gcc has no {name}")
    return os.path.realpath(path)


def environment() -> dict[str, str]:
    """The environment for Python with that build. Memory that Python itself keeps until its end is no leak."""
    return os.environ | {
        "LD_PRELOAD": " ".join(map(runtime, RUNTIMES)),
        "PYTHONPATH": str(path_from("STREW_SANITIZED")),
        "ASAN_OPTIONS": "detect_leaks=0:halt_on_error=1:abort_on_error=0",
        "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
        "PYTHONMALLOC": "malloc",
        "STREW_EXAMPLES": "50",
    }


@pytest.mark.skipif(
    platform.system() != "Linux", reason="sanitizers are loaded into Python by the dynamic linker of Linux"
)
@pytest.mark.parametrize(
    "command",
    [
        ["-m", "pytest", "-q", "-x", str(HERE / "test_properties.py")],
        ["-m", "pytest", "-q", "-x", "-k", "reference", str(HERE / "test_leaks.py")],
        [str(HERE / "stress.py"), "3"],
    ],
    ids=["properties", "refusals", "stress"],
)
def test_no_sanitizer_objects(command: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, *command], env=environment(), capture_output=True, text=True, timeout=900, check=False
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-8000:]


def test_it_is_the_watched_build_that_runs() -> None:
    """Its modules ask for the sanitizers' runtimes."""
    where = "import strew._core as core; print(core.__file__)"
    done = subprocess.run([sys.executable, "-c", where], env=environment(), capture_output=True, text=True, check=False)
    module = Path(done.stdout.strip())
    assert module.is_relative_to(path_from("STREW_SANITIZED")), done.stderr
    assert b"libasan.so" in module.read_bytes()
