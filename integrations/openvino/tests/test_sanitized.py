"""Runs some of the tests once more, with a build under AddressSanitizer and UBSan."""

from __future__ import annotations

import os
import subprocess
import sys

from required import GUEST, missing, path_from

# gcc's, which are loaded before Python since it is not built with them; C++ exceptions are then found, too.
RUNTIMES = ["libasan.so", "libubsan.so", "libstdc++.so"]
# OpenVINO's own GatherND reads outside its memory in tests of that.
PICKED = (
    "not openvino_does and (errors or strides or alignment or one_tensor or queue or empty or mean or loop or rank_0"
    " or along_axis or slice_scatter or inspections or (sums and not openvinos_kernels))"
)
FILES = [
    "test_errors.py",
    "test_threads.py",
    "test_operators.py",
    "test_bodies.py",
    "test_inspections.py",
    "test_along_axis.py",
    "test_slice_scatter.py",
    "test_sums.py",
]


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
        "PYTHONPATH": str(path_from("STREW_OPENVINO_SANITIZED")),
        "ASAN_OPTIONS": "detect_leaks=0:halt_on_error=1",
        "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
        "PYTHONMALLOC": "malloc",
        "TBB_ENABLE_SANITIZERS": "1",  # otherwise TBB loads a library in a way that they refuse
    }


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], env=environment(), capture_output=True, text=True, timeout=1800, check=False
    )


def test_it_is_the_watched_build_that_runs() -> None:
    done = run("-c", "import strew_openvino; print(strew_openvino.extension_path())")
    library = done.stdout.strip()
    assert library.startswith(str(path_from("STREW_OPENVINO_SANITIZED"))), done.stderr
    needed = subprocess.run(["readelf", "-d", library], capture_output=True, text=True, check=True).stdout
    assert "libasan" in needed and "libubsan" in needed


def test_no_sanitizer_objects() -> None:
    # The sanitizers write to standard error at the end; pytest must not capture it.
    done = run("-m", "pytest", "-q", "-x", "-s", "-k", PICKED, *(str(GUEST / "tests" / file) for file in FILES))
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-8000:]
    assert " passed" in done.stdout
